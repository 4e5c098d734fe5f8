"""Each kind of run keeps how much it is to measure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.setup.effort_rows import Effort, EffortRows, usual_effort
from app.setup.mode_bar import Mode
from app.shell.window import MainWindow
from core import Request, study_names

pytestmark = pytest.mark.window


@pytest.fixture
def rows(qtbot: QtBot) -> EffortRows:
    one = EffortRows()
    qtbot.addWidget(one)
    return one


def test_that_a_fresh_form_asks_for_what_the_command_line_asks_for(rows: EffortRows) -> None:
    usual = Request()
    assert rows.effort == (usual.repeats, usual.budget, usual.floor)


@pytest.mark.parametrize("study", study_names())
def test_that_what_a_study_takes_does_not_stay_for_a_run(rows: EffortRows, study: str) -> None:
    chosen = Effort(7, 12.0, False)
    rows.choose(chosen)
    rows.follow(Mode.STUDY, study)
    assert rows.effort == usual_effort(study)
    assert rows.effort.budget > 0
    rows.follow(Mode.RUN, "")
    assert rows.effort == chosen


def test_that_a_kind_of_run_gets_back_what_was_chosen_for_it(rows: EffortRows) -> None:
    rows.follow(Mode.SWEEP, "")
    rows.choose(Effort(9, 30.0, False))
    rows.follow(Mode.TUNE, "")
    assert rows.effort == usual_effort("")
    rows.follow(Mode.SWEEP, "")
    assert rows.effort == Effort(9, 30.0, False)


def test_that_the_window_follows_its_modes(window: MainWindow) -> None:
    assert window.workbench is not None
    setup = window.workbench.setup
    setup.choose_mode(Mode.STUDY)
    assert setup.request().budget > 0
    setup.choose_mode(Mode.RUN)
    assert setup.request().budget == Request().budget
    setup.sweep_threads()
    first = setup.request()
    assert (first.budget, first.floor) == (45.0, False)
    setup.choose_mode(Mode.RUN)
    assert setup.request().floor
    setup.choose_mode(Mode.SWEEP)
    assert setup.request() == first


def test_that_makes_study_has_the_budget_that_the_window_proposes() -> None:
    makefile = (Path(__file__).parents[3] / "Makefile").read_text(encoding="utf-8")
    pattern = r"study (\S+) --repeats (\d+) --budget (\d+)s"
    ((study, repeats, budget),) = re.findall(pattern, makefile)
    proposed = usual_effort(study)
    assert (int(repeats), float(budget)) == (proposed.repeats, proposed.budget)
