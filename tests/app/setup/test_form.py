"""What the form shows and gives follows from what means something, and from what a command says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QThreadPool
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.setup.controls.numbers import NumberBox
from app.setup.setup_panel import FormState, SetupPanel
from core import Axis, InvalidParameter, Value
from core.vocabulary import open_dataset

pytestmark = pytest.mark.window


def put(panel: SetupPanel, name: str, *values: Value) -> None:
    """Give a parameter values as a user does."""
    row = panel.form.row(name)
    assert row is not None
    row.control.set_values(values)
    row.control.changed.emit()


def test_that_what_means_nothing_is_hidden_and_has_no_value_until_it_means_something(
    panel: SetupPanel,
) -> None:
    panel.restore(FormState(workload="raw"))
    panel.form.more.setChecked(True)
    put(panel, "page_cache", "cold")
    row = panel.form.row("page_cache")
    put(panel, "direct", True)
    assert row.isHidden()
    assert "page_cache" not in panel.form.values()
    assert "threads" in panel.form.values()
    put(panel, "direct", False)
    assert not row.isHidden()
    assert panel.form.values()["page_cache"] == "cold"


def test_that_what_means_nothing_is_not_varied(panel: SetupPanel) -> None:
    panel.restore(FormState(workload="raw"))
    put(panel, "page_cache", "warm", "cold")
    assert [axis.name for axis in panel.form.axes()] == ["page_cache"]
    put(panel, "direct", True)
    assert panel.form.axes() == ()


@pytest.fixture
def panel(panel: SetupPanel) -> SetupPanel:
    panel.restore(FormState(workload="command"))
    panel.show()
    return panel


def named[W: QWidget](panel: SetupPanel, kind: type[W], name: str) -> list[W]:
    """The visible controls of that name."""
    found = panel.findChildren(kind)
    return [one for one in found if one.accessibleName() == name and one.isVisibleTo(panel)]


def test_that_a_program_is_asked_with_what_its_cores_cost_and_nothing_else_is(
    panel: SetupPanel,
) -> None:
    put(panel, "price", "0.04 EUR")
    assert panel.request().terms["price"] == "0.04 EUR"
    assert panel.form.row("request_price") is None
    panel.restore(FormState(workload="raw"))
    assert panel.form.row("price") is None


def test_that_what_reads_from_servers_is_asked_with_what_requests_and_bytes_cost(
    panel: SetupPanel,
) -> None:
    panel.restore(FormState(workload="raster"))
    put(panel, "gigabyte_price", "0.09 EUR")
    assert panel.request().terms["gigabyte_price"] == "0.09 EUR"
    assert panel.form.row("price") is None


@pytest.fixture
def type_command(qtbot: QtBot, panel: SetupPanel) -> Callable[[str], None]:
    def type_it(text: str) -> None:
        (edit,) = named(panel, QLineEdit, "Run")
        edit.selectAll()
        qtbot.keyClicks(edit, text)

    return type_it


def test_that_placeholders_become_sliders_as_they_are_typed(
    qtbot: QtBot, panel: SetupPanel, type_command: Callable[[str], None]
) -> None:
    assert not named(panel, NumberBox, "Level")
    type_command("tool -{level:1..9} -m {memory:256M,1G} {dataset}")
    (level,) = named(panel, NumberBox, "Level")
    (edit,) = named(panel, QLineEdit, "Run")
    assert edit.text() == "tool -{level:1..9} -m {memory:256M,1G} {dataset}"
    assert panel.request().values["level"] == 1
    assert panel.request().values["memory"] == "256M"
    level.selectAll()
    with qtbot.waitSignal(panel.changed):
        qtbot.keyClicks(level, "9")
    assert panel.request().values["level"] == 9
    assert "--values level=9" in panel.chosen().command_line()
    qtbot.keyClicks(edit, " {more}")
    assert panel.request().values["level"] == 9
    assert panel.request().values["more"] == ""
    type_command("tool {dataset}")
    assert not named(panel, NumberBox, "Level")
    assert "level" not in panel.request().values


def test_that_a_placeholder_can_be_tried_under_its_own_name(
    qtbot: QtBot, panel: SetupPanel, type_command: Callable[[str], None]
) -> None:
    type_command("tool -{level:1..4}")
    (level,) = named(panel, NumberBox, "Level")
    level.selectAll()
    qtbot.keyClicks(level, "1..4")
    assert panel.request().axes == (Axis("level", (1, 2, 3, 4)),)
    assert "level=1..4" in panel.chosen().command_line()


def test_that_the_values_of_placeholders_are_kept_with_the_form(
    qtbot: QtBot,
    panel: SetupPanel,
    type_command: Callable[[str], None],
    pool: QThreadPool,
    settings: QSettings,
) -> None:
    type_command("tool -{level:1..9}")
    (level,) = named(panel, NumberBox, "Level")
    level.selectAll()
    qtbot.keyClicks(level, "9")
    another = SetupPanel(pool, settings, 2)
    qtbot.addWidget(another)
    another.restore(panel.state())
    assert another.request().values["level"] == 9
    assert another.request().values["run"] == "tool -{level:1..9}"


def test_that_what_a_placeholder_may_not_be_is_said_of_it(
    panel: SetupPanel, type_command: Callable[[str], None], tmp_path: Path
) -> None:
    file = tmp_path / "data"
    file.write_text("some")
    for name in ("timeout", "deadline"):
        type_command(f"tool {{{name}}}")
        with pytest.raises(InvalidParameter, match="is the name of a parameter"):
            panel.request().require_possible(open_dataset(file))


def test_that_what_has_to_be_the_same_is_named_in_plain_words(panel: SetupPanel) -> None:
    row = panel.form.row("same")
    titles = [one.text() for one in row.findChildren(QLabel)]
    assert titles[0] == "Same output in each run"
    assert "other content counts as wrong" in row.kind.help
    chips = [one.text() for one in row.findChildren(QPushButton)]
    assert chips == ["exit code only", "stdout", "files", "both"]
