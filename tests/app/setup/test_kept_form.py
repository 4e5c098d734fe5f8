"""Whatever the settings hold, the window starts, and what it cannot read is set aside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QByteArray, QObject, QSettings, QThreadPool
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from workload_box import sweep_threads

from app.setup.form_history import Unreadable, form_from
from app.setup.setup_panel import FormState, SetupPanel
from app.shell.workbench import Workbench
from app.style.theme import Appearance
from app.work.held_session import HeldSession

pytestmark = pytest.mark.window
ODD: tuple[Any, ...] = (None, "many", "", -1, 10**30, 1e308, True, [], [1], {}, {"value": 1}, "\0")


def mutated(state: Any) -> Iterator[Any]:
    """The state with each of its parts replaced or left out, at any depth."""
    yield from ODD
    if isinstance(state, dict):
        for name, part in state.items():
            yield {other: value for other, value in state.items() if other != name}
            yield from ({**state, name: other} for other in mutated(part))
    elif isinstance(state, list):
        yield state[:-1]
        yield [*state, 1]


def some_rows(state: dict[str, Any]) -> dict[str, Any]:
    """As the state, with a few rows; all would be as many mutations again for each of them."""
    wanted = {"threads", "page_cache", "duration", "block_size"}
    rows = {
        form: {name: row for name, row in kept.items() if name in wanted}
        for form, kept in state["rows"].items()
    }
    return {**state, "rows": rows}


def test_that_no_kept_form_breaks_the_form(panel: SetupPanel) -> None:
    sweep_threads(panel)
    state = some_rows(msgspec.to_builtins(panel.state()))
    assert form_from(json.dumps(state)) == msgspec.convert(state, FormState)
    refused = 0
    for other in mutated(state):
        try:
            panel.restore(form_from(json.dumps(other)))
        except Unreadable:
            refused += 1
    assert refused > 100
    assert panel.form_problem() == ""


@pytest.fixture
def bench(qtbot: QtBot, qapp: QApplication, settings: QSettings) -> Iterator[Any]:
    made: list[Workbench] = []
    owner = QObject()

    def start() -> Workbench:
        bench = Workbench(settings, Appearance(qapp, settings, owner))
        qtbot.addWidget(bench)
        made.append(bench)
        return bench

    yield start
    for each in made:
        each.close_down()


@pytest.mark.parametrize(
    "kept",
    ["", "{", "[]", "null", '{"repeats": "many"}', '{"rows": 5}', "[" * 5000, QByteArray(b"\xff")],
)
def test_that_a_form_that_cannot_be_read_is_set_aside_with_a_line(
    bench: Any, settings: QSettings, kept: object
) -> None:
    settings.setValue("form", kept)
    workbench = bench()
    assert workbench.top.message.text() == (
        "The form of last time cannot be read; it is set aside in the settings"
    )
    assert workbench.setup.form_problem() == ""
    assert settings.value("form") is None
    assert settings.value("form set aside") == kept


def test_that_foreign_settings_keep_nobody_from_starting(bench: Any, settings: QSettings) -> None:
    for key in ("panes", "sides", "guide", "theme", "sessions", "datasets", "unfinished", "form"):
        settings.setValue(key, "x" * 5000)
    for kind in ("results", "trials"):
        settings.setValue(f"table/{kind}/hidden", 7)
    workbench = bench()
    assert (workbench.held.unfinished(), workbench.setup.form_problem()) == (None, "")


def test_that_a_place_that_cannot_be_one_is_no_unfinished_run(
    pool: QThreadPool, settings: QSettings, qapp: QApplication
) -> None:
    owner = QObject()
    held = HeldSession(pool, settings, owner)
    for place in ("x" * 5000, "\0"):
        settings.setValue("unfinished", place)
        assert held.unfinished() is None
