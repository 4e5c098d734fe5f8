"""How long it may take belongs to the question: what a study takes stays with the study."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot
from workload_box import sweep_threads

from app.setup.effort_rows import ChosenEffort, EffortRows, UsualEffort
from app.shell.window import MainWindow
from core import EFFORT, Request, study_names

pytestmark = pytest.mark.window


@pytest.fixture
def rows(qtbot: QtBot, settings: QSettings) -> EffortRows:
    made = EffortRows(UsualEffort(settings))
    qtbot.addWidget(made)
    return made


def test_that_a_fresh_form_asks_for_an_answer_within_a_minute(
    settings: QSettings, rows: EffortRows
) -> None:
    settings.remove("usual budget")
    usual = Request()
    assert rows.usual.of("") == (usual.repeats, 60.0, usual.floor)


@pytest.mark.parametrize("study", study_names())
def test_that_what_a_study_takes_does_not_stay_for_a_run(rows: EffortRows, study: str) -> None:
    chosen = ChosenEffort(7, 12.0, False)
    rows.choose(chosen)
    rows.follow(study)
    assert rows.effort == rows.usual.of(study)
    assert rows.effort.budget > 0
    rows.follow("")
    assert rows.effort == chosen


def test_that_what_the_user_prefers_is_usual_where_nothing_else_was_chosen(
    rows: EffortRows, settings: QSettings
) -> None:
    settings.remove("usual budget")
    own = rows.usual.of("")
    rows.choose(own)
    rows.prefer(5, 20.0)
    assert rows.effort == (5, 20.0, own.floor)
    rows.choose(ChosenEffort(9, 30.0, False))
    rows.prefer(6, 25.0)
    assert rows.effort == ChosenEffort(9, 30.0, False)
    rows.prefer(5, 20.0)
    assert UsualEffort(settings).of("") == (5, 20.0, own.floor)
    rows.prefer(own.repeats, own.budget)
    assert not {"usual repeats", "usual budget"} & {*settings.allKeys()}


@pytest.mark.parametrize("study", study_names()[:1])
def test_that_studies_propose_their_own_whatever_the_user_prefers(
    rows: EffortRows, study: str
) -> None:
    proposed = rows.usual.of(study)
    rows.follow(study)
    rows.prefer(17, 111.0)
    assert rows.effort == rows.usual.of(study) == proposed


@pytest.mark.parametrize("written", ["", "many", "nan", "inf", "-3", "1e99", "9" * 400])
def test_that_what_others_wrote_into_the_settings_is_no_harm(
    settings: QSettings, written: str
) -> None:
    settings.setValue("usual repeats", written)
    settings.setValue("usual budget", written)
    found = UsualEffort(settings).of("")
    assert 1 <= found.repeats <= EFFORT.repeats.high
    assert 0 <= found.budget <= 600


def test_that_nothing_of_a_study_leaks_into_another_question(window: MainWindow) -> None:
    setup = window.workbench.setup
    own = setup.request()
    for study in study_names()[:3]:
        setup.choose_study(study)
        assert setup.request().budget > 0
        setup.choose_study("")
        assert setup.request() == own
    sweep_threads(setup)
    first = setup.request()
    assert (first.budget, first.floor) == (30.0, False)
    assert [axis.name for axis in first.axes] == ["threads"]
    setup.choose_study(study_names()[0])
    setup.choose_study("")
    assert setup.request() == first


def test_that_makes_study_has_the_budget_that_the_window_proposes(rows: EffortRows) -> None:
    makefile = (Path(__file__).parents[3] / "Makefile").read_text(encoding="utf-8")
    pattern = r"study (\S+) --repeats (\d+) --budget (\d+)s"
    ((study, repeats, budget),) = re.findall(pattern, makefile)
    proposed = rows.usual.of(study)
    assert (int(repeats), float(budget)) == (proposed.repeats, proposed.budget)
