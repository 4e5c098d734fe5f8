"""What a run's views show of the results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import building
import pytest
from pytestqt.qtbot import QtBot

from app.preparing import Prepared, Shown, shown
from app.views import RunViews
from core import Session

pytestmark = pytest.mark.window


@pytest.fixture
def sweep(tmp_path: Path) -> Iterator[Shown]:
    specs = [building.spec(threads=threads) for threads in (1, 2, 4)]
    trials = [
        building.trial(
            spec, index=3 * at + again, rate=1000.0 * spec.load.threads + again, unit="sequence"
        )
        for at, spec in enumerate(specs)
        for again in range(3)
    ]
    with Session.create(tmp_path / "sweep.sluice") as session:
        run = session.begin_run(building.plan(specs, repeats=3), building.environment(), {}, [])
        prepared = Prepared(session=session, run=session.run(run))
        yield shown(prepared, tuple(trials), None)


def test_that_results_of_several_thread_counts_are_shown_in_the_scaling_view(
    qtbot: QtBot, sweep: Shown
) -> None:
    views = RunViews()
    qtbot.addWidget(views)
    views.add_plots()
    assert views.scaling is not None
    assert [views.tabText(at) for at in range(views.count())] == ["Live", "Scaling", "Figures"]
    views.show_results(sweep)
    rows = views.scaling.table()[1:]
    assert [row[1:3] for row in rows] == [
        ("1", "1,001 sequences/s"),
        ("2", "2,001 sequences/s"),
        ("4", "4,001 sequences/s"),
    ]
    views.clear()
    assert len(views.scaling.table()) == 1


def test_that_results_that_come_before_the_plots_are_not_lost(qtbot: QtBot, sweep: Shown) -> None:
    views = RunViews()
    qtbot.addWidget(views)
    views.show_results(sweep)
    views.add_plots()
    assert views.scaling is not None
    assert len(views.scaling.table()) == 4
