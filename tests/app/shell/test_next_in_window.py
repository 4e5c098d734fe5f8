"""From a run's card to the next run, its settings, a comparison, and back into the session."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.setup.asked_form import form_of
from app.setup.mode_bar import Mode
from app.shell.workbench import Workbench
from core import Axis, Request, Session

pytestmark = pytest.mark.window
SHORT = {"duration": 0.2, "warm_up": 0.0}


def sweep_of(data: Path) -> Request:
    return Request(
        workload="raw",
        values=SHORT,
        axes=(Axis("threads", (1, 2)),),
        dataset=data,
        repeats=2,
    )


def ask(qtbot: QtBot, workbench: Workbench, request: Request) -> None:
    setup = workbench.setup
    setup.restore(form_of(request, setup.state()))
    qtbot.waitUntil(lambda: setup.dataset.look is not None)


def measure(qtbot: QtBot, workbench: Workbench) -> None:
    """Start, and wait for the card that says what to do next."""
    workbench.start()
    assert not workbench.verdict.steps.texts()
    wait_for_steps(qtbot, workbench)


def wait_for_steps(qtbot: QtBot, workbench: Workbench) -> None:
    qtbot.waitUntil(lambda: not workbench.busy and bool(workbench.verdict.steps.texts()))


def test_that_a_sweep_ends_in_a_card_and_its_scaling_and_its_setting_can_be_used(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    ask(qtbot, workbench, sweep_of(data))
    qtbot.waitUntil(lambda: workbench.views.plots is not None)
    assert "sweep raw threads=1,2 " in workbench.command.text()
    measure(qtbot, workbench)
    card = workbench.verdict.card
    assert card.number
    assert card.unit == "blocks/s"
    assert [badge.trust for badge in card.badges][:1] == ["holds"]
    assert workbench.views.currentWidget() is workbench.views.scaling
    assert not workbench.views.numbers.isVisible()
    swept = workbench.command.text()
    workbench.verdict.steps.press("use")
    assert workbench.setup.mode is Mode.RUN
    assert " run raw " in workbench.command.text()
    workbench.history.stack.undo()
    qtbot.waitUntil(lambda: workbench.command.text() == swept)
    workbench.verdict.copy_text()
    assert QGuiApplication.clipboard().text() == card.text


def test_that_an_opened_session_fills_in_the_form_runs_again_and_is_compared(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    ask(qtbot, workbench, sweep_of(data))
    asked = workbench.command.text()
    measure(qtbot, workbench)
    (path,) = (tmp_path / "sessions").glob("*.sluice")
    assert workbench.desk.headlines() == {str(path): workbench.verdict.text()[:90]}
    workbench.new_session()
    assert not workbench.verdict.steps.texts()
    workbench.setup.choose_mode(Mode.TUNE)
    workbench.open_session(path)
    wait_for_steps(qtbot, workbench)
    assert workbench.command.text() == asked
    assert "Compare with the last run" not in workbench.verdict.steps.texts()
    workbench.verdict.steps.press("again")
    assert not workbench.verdict.steps.texts()
    wait_for_steps(qtbot, workbench)
    assert "Compare with the last run" in workbench.verdict.steps.texts()
    workbench.verdict.steps.press("compare")
    compared = workbench.views.comparison
    assert workbench.views.currentWidget() is compared
    qtbot.waitUntil(lambda: "the run before" in compared.text())
    with Session.read(path) as session:
        assert [run.plan.specs for run in session.runs()] == [session.runs()[0].plan.specs] * 2


def test_that_what_was_measured_once_is_one_button_from_an_interval(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    once = Request(workload="raw", values=SHORT, dataset=data, repeats=1)
    ask(qtbot, workbench, once)
    measure(qtbot, workbench)
    assert workbench.verdict.card.headline.mood == "open"
    assert workbench.verdict.card.interval.startswith("measured once: no interval")
    workbench.verdict.steps.press("repeat")
    assert not workbench.verdict.steps.texts()
    qtbot.waitUntil(lambda: "% · " in workbench.window().windowTitle())
    wait_for_steps(qtbot, workbench)
    assert len(workbench.measuring.trials) == 3
    assert "%" not in workbench.window().windowTitle()
    assert "95 %" in workbench.verdict.card.interval
    assert workbench.measuring.trials[-1].block == 2
