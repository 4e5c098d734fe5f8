"""All runs of a session stand beside each other in one table."""

from __future__ import annotations

from pathlib import Path

import building
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.shell.workbench import Workbench
from core import Session, sessions_folder

pytestmark = pytest.mark.window


def recorded(name: str, *rates: float, location: str = "/data/one") -> Path:
    """A session with a run of two settings for each of these rates."""
    folder = sessions_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with Session.create(folder / f"{name}.sluice") as session:
        for rate in rates:
            specs = [
                building.spec(data=building.dataset(location), threads=threads)
                for threads in (1, 2)
            ]
            plan = building.plan(specs, repeats=2)
            run = session.begin_run(plan, building.environment(), {}, ("sluice",))
            for slot in plan.slots():
                trial = building.trial(slot.spec, index=slot.index, rate=rate + slot.block)
                session.append(run, trial)
            session.end_run(run, "completed")
        return session.path


def opened(qtbot: QtBot, workbench: Workbench, path: Path) -> None:
    with qtbot.waitSignal(workbench.measuring.summed_up):
        workbench.sessions.open(path)


def look_at_all(qtbot: QtBot, workbench: Workbench, rows: int) -> None:
    """Choose them in the menu, and wait for that many rows."""
    workbench.views.setCurrentWidget(workbench.results)
    qtbot.waitUntil(lambda: offered(workbench))
    workbench.results.choose_kind("runs")
    qtbot.waitUntil(lambda: len(workbench.results.rows.rows) == rows)


def texts(workbench: Workbench, key: str) -> list[str]:
    """Without the time of a run."""
    return [cell.text.partition(" · ")[0] for cell in workbench.results.rows.table.column(key)]


def offered(workbench: Workbench) -> bool:
    """Whether the table offers all runs."""
    menu = workbench.results.head.rows.menu()
    menu.aboutToShow.emit()
    return any(one.isVisible() for one in menu.actions() if one.text() == "Settings of all runs")


def select(workbench: Workbench, *places: int) -> None:
    """Select rows by their places."""
    view = workbench.results.view
    chosen = view.selectionModel()
    chosen.clearSelection()
    for place in places:
        chosen.select(
            view.model().index(place, 0), chosen.SelectionFlag.Select | chosen.SelectionFlag.Rows
        )


def test_that_one_run_needs_no_table_of_all_runs(qtbot: QtBot, workbench: Workbench) -> None:
    opened(qtbot, workbench, recorded("one", 100.0))
    qtbot.waitUntil(lambda: not workbench.busy)
    workbench.views.setCurrentWidget(workbench.results)
    assert not offered(workbench)


def test_that_all_runs_are_in_one_table(qtbot: QtBot, workbench: Workbench) -> None:
    opened(qtbot, workbench, recorded("several", 100.0, 200.0, 400.0))
    look_at_all(qtbot, workbench, rows=6)
    assert workbench.results.head.rows.text() == "6 rows of all runs"
    assert texts(workbench, "run") == ["1", "1", "2", "2", "3", "3"]
    assert texts(workbench, "threads") == ["1", "2"] * 3
    # A ratio is to the first row of its own run.
    assert texts(workbench, "ratio")[::2] == ["1.00×"] * 3


def test_that_the_same_setting_of_two_runs_is_compared(qtbot: QtBot, workbench: Workbench) -> None:
    opened(qtbot, workbench, recorded("several", 100.0, 200.0))
    look_at_all(qtbot, workbench, rows=4)
    select(workbench, 0, 2)
    qtbot.waitUntil(lambda: "2.00×" in workbench.views.comparison.text())
    steps = workbench.verdict.steps
    qtbot.waitUntil(lambda: steps.next.text() == "Compare the two")
    assert steps.next.property("part") == "primary"
    qtbot.mouseClick(steps.next, Qt.MouseButton.LeftButton)
    assert workbench.views.currentWidget() is workbench.views.comparison
    select(workbench, 0)
    qtbot.waitUntil(lambda: steps.next.text() != "Compare the two")


def test_that_a_row_of_an_earlier_run_shows_that_run(qtbot: QtBot, workbench: Workbench) -> None:
    opened(qtbot, workbench, recorded("several", 100.0, 200.0))
    look_at_all(qtbot, workbench, rows=4)
    assert workbench.measuring.now.run.id == 2
    view = workbench.results.view
    with qtbot.waitSignal(workbench.measuring.summed_up):
        view.activated.emit(view.model().index(0, 0))
    assert workbench.measuring.now.run.id == 1
    qtbot.waitUntil(lambda: "10" in workbench.verdict.card.number)
    qtbot.waitUntil(
        lambda: (
            [row.origin is None for row in workbench.results.rows.rows]
            == [True, True, False, False]
        )
    )
