"""What the window shows of a published study."""

from __future__ import annotations

from pathlib import Path

import building
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.style.theme import DARK
from app.views.study_view import StudyView
from app.views.tabs import RunViews
from core import Result, Session
from core.desk import Prepared
from core.judge import load_study, reproduction_of
from core.tell.run_results import Shown

pytestmark = pytest.mark.window

THREADS = load_study("svfs-threads")


def summed_up(folder: Path, results: list[Result], study: str = "svfs-threads") -> Shown:
    """What the window computes of a session with these results."""
    with Session.create(folder / "study.sluice") as session:
        plan = building.plan([one.spec for one in results], repeats=3, study=study)
        run = session.begin_run(plan, building.environment(), {}, [])
        prepared = Prepared(session=session, run=session.run(run))
        return Shown.of(prepared, tuple(t for one in results for t in one.trials), None)


def tabs(views: RunViews) -> list[str]:
    return [views.tabText(at) for at in range(views.count()) if views.isTabVisible(at)]


def test_that_a_study_has_a_tab_and_other_runs_have_none(views: RunViews, tmp_path: Path) -> None:
    assert "Study" not in tabs(views)
    views.show_results(summed_up(tmp_path, building.study_of_costs()))
    assert tabs(views) == ["Answer", "Live", "Inside", "Compare", "Study"]
    views.clear()
    assert "Study" not in tabs(views)


def test_that_a_study_that_nobody_knows_any_more_is_shown_without_its_tab(
    views: RunViews, tmp_path: Path
) -> None:
    views.show_results(summed_up(tmp_path, building.study_of_costs(), study="of tomorrow"))
    assert "Study" not in tabs(views)


def test_that_the_card_says_how_many_claims_are_reproduced(tmp_path: Path) -> None:
    told = summed_up(tmp_path, building.study_of_costs())
    assert told.study is not None
    kept = sum(one.judgement.value == "reproduced" for one in told.study.judged)
    assert told.headline.text == f"{kept} of 6 published claims are reproduced here."
    assert "compared, all right" in told.headline.detail


def test_that_every_claim_is_shown_with_its_judgement_and_interval(qtbot: QtBot) -> None:
    view = StudyView()
    qtbot.addWidget(view)
    found = reproduction_of(THREADS, building.study_of_costs())
    view.show_study(found)
    rows = view.claims.rows()
    assert [row[1] for row in rows] == [claim.text for claim in THREADS.claims]
    assert rows[0][0] == "✓ reproduced"
    assert rows[0][2] == "0.31× (as charted: 39×)"
    assert rows[0][3] == found.judged[0].here
    assert "✓ reproduced: 128 threads" in view.summary()


def test_that_a_claim_that_cannot_be_told_says_why(qtbot: QtBot) -> None:
    view = StudyView()
    qtbot.addWidget(view)
    left = [cell.label for cell in THREADS.cells[1:]]
    view.show_study(reproduction_of(THREADS, building.study_of_costs(without=left)))
    assert view.claims.rows()[0][0] == "? cannot tell"
    assert view.claims.rows()[0][3] == "not measured"


def test_that_published_and_measured_figures_stand_beside_each_other(qtbot: QtBot) -> None:
    view = StudyView()
    qtbot.addWidget(view)
    view.show_study(reproduction_of(THREADS, building.study_of_costs()))
    row = view.board.rows()[1]
    assert row[0] == "C++ coalesced, 4 threads"
    assert row[1:3] == ("35.5", "0.298×")
    assert row[4] == "0.298×"
    assert "MacBook Pro of 2018" in view.source.text()


def test_that_every_figure_of_the_study_has_a_plot_in_the_themes_colours(qtbot: QtBot) -> None:
    view = StudyView()
    qtbot.addWidget(view)
    view.set_theme(DARK)
    need = load_study("svfs-need")
    view.show_study(reproduction_of(need, []))
    assert [view.tabText(view.indexOf(each)) for each in view.charts] == ["Figure 1", "Figure 2"]
    assert {each.sheet.backgroundBrush().color().name() for each in view.charts} == {
        DARK.background
    }
    shown = [*view.charts]
    view.show_study(reproduction_of(need, []))
    assert view.charts == shown  # which somebody may look at
    view.show_study(reproduction_of(THREADS, []))
    assert [view.tabText(view.indexOf(each)) for each in view.charts] == ["Figure"]


def test_that_ctrl_c_copies_the_claims(qtbot: QtBot) -> None:
    view = StudyView()
    qtbot.addWidget(view)
    view.show_study(reproduction_of(THREADS, building.study_of_costs()))
    view.claims.selectRow(0)
    qtbot.keyClick(view.claims, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "Judgement\tClaim\tPublished\tHere\tSize"
    assert len(lines) == 2
    assert "128 threads" in lines[1]


def test_that_the_plot_that_is_seen_can_be_told_tabulated_and_exported(
    views: RunViews, qtbot: QtBot, tmp_path: Path
) -> None:
    views.show_results(summed_up(tmp_path, building.study_of_costs()))
    assert views.study is not None
    views.setCurrentWidget(views.study)
    assert views.figures() == ()
    with qtbot.waitSignal(views.currentChanged):
        views.study.setCurrentWidget(views.study.charts[0])
    (figure,) = views.figures()
    data = figure.data()
    assert figure.title == "Time for each MiB that the threads write together"
    assert "C++ coalesced – 1: here 4.19 ms" in figure.summary()
    assert data.plain_titles[1:3] == ("threads", "here (s)")
    assert data.plain_row(0)[5] == pytest.approx(1 / 119.214)
    assert data.plain_row(0)[6] == 0.008388
