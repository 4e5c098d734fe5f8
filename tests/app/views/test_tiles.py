"""The newest figures, each with its last minute."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import building
import msgspec
import pytest
from PySide6.QtCore import Qt, QThreadPool
from pytestqt.qtbot import QtBot
from showing import exposed

from app.views.tabs import RunViews
from app.views.tiles import Tiles
from core import RunProgress, Session
from core.desk import Prepared
from core.judge import metric_estimate
from core.tell.run_results import Shown
from core.vocabulary import (
    METRICS,
    Event,
    MomentTaken,
    ReadingTaken,
    RunPlanned,
    TrialEnded,
    TrialStarted,
)

pytestmark = pytest.mark.window
SPECS = [building.spec(threads=threads) for threads in (1, 2, 4)]


def test_that_the_figures_are_those_of_one_setting_at_a_time_and_name_it(qtbot: QtBot) -> None:
    figures = Tiles()
    qtbot.addWidget(figures)
    slow, fast = (
        building.trial(SPECS[at], index=at, rate=rate).moments
        for at, rate in enumerate((1000.0, 5000.0))
    )
    watch = RunProgress()

    def take(*events: Event) -> None:
        for event in events:
            watch.take(event)
            figures.show_newest(watch)

    take(RunPlanned(plan=building.plan(SPECS[:2]), trials=2, seconds=9.0))
    take(*(TrialStarted(index=at, block=0, of=2, spec=SPECS[at]) for at in (0, 1)))
    for place in (1, 2):
        take(MomentTaken(index=0, moment=slow[place]), MomentTaken(index=1, moment=fast[place]))
    assert figures.name == "1 thread"
    slower = figures.texts()["Throughput"]
    take(TrialEnded(trial=building.trial(SPECS[0], index=0)))
    assert figures.texts()["Throughput"] == slower
    for place in (3, 4):
        take(MomentTaken(index=1, moment=fast[place]))
    assert figures.name == "2 threads"
    assert figures.texts()["Throughput"] != slower
    figures.clear()
    assert figures.name == ""
    assert set(figures.texts().values()) == {"–"}


def test_that_memory_files_and_cores_are_shown_from_the_start_of_preparing(qtbot: QtBot) -> None:
    figures = Tiles()
    qtbot.addWidget(figures)
    watch = RunProgress()
    trial = building.trial(SPECS[0])

    def take(*events: Event) -> None:
        for event in events:
            watch.take(event)
            figures.show_newest(watch)

    take(RunPlanned(plan=building.plan(SPECS[:1]), trials=1, seconds=9.0))
    take(TrialStarted(index=0, block=0, of=1, spec=SPECS[0]))
    assert set(figures.texts().values()) == {"–"}
    take(ReadingTaken(index=0, reading=building.reading(0.5, rss=32 << 20, fds=7)))
    told = figures.texts()
    assert (told["Memory"], told["Open files"], told["Cores busy"]) == ("32.0 MiB", "7", "1.00")
    assert (told["Throughput"], told["Latency p99"]) == ("–", "–")
    assert watch.stage == 1, "nothing is measured yet"
    take(MomentTaken(index=0, moment=trial.moments[5]))
    assert watch.stage == 2
    take(ReadingTaken(index=0, reading=building.reading(0.5, rss=32 << 20, fds=7)))
    assert watch.newest is not None
    assert watch.newest.now == trial.moments[5]


def seen(tiles: Tiles) -> list[str]:
    every = [one for one in tiles.tiles.values() if not one.isHidden()]
    return [one.accessibleName() for one in sorted(every, key=lambda one: (one.y(), one.x()))]


@pytest.fixture
def sweep(tmp_path: Path) -> Iterator[Shown]:
    """Three numbers of threads, of which memory and files grow."""
    trials = tuple(
        building.trial(
            spec,
            index=at * 3 + repeat,
            rate=1000.0 * (at + 1),
            last=building.reading(2.0, rss=(64 << at) << 20, fds=20 + at),
        )
        for at, spec in enumerate(SPECS)
        for repeat in range(3)
    )
    with Session.create(tmp_path / "sweep.sluice") as session:
        run = session.begin_run(building.plan(SPECS), building.environment(), {}, [])
        prepared = Prepared(session=session, run=session.run(run))
        yield Shown.of(prepared, trials, None, over=True)


def test_that_the_facts_are_of_the_advised_setting_and_have_the_tables_figures(
    qtbot: QtBot, sweep: Shown
) -> None:
    facts = Tiles()
    qtbot.addWidget(facts)
    facts.show_results(sweep)
    best = sweep.standings[0]
    assert facts._head.texts == (best.name,)
    (result,) = [one for one in sweep.in_table if one.spec.digest == best.setting]
    for key in ("throughput", "peak_rss", "fds", "p99"):
        value = metric_estimate(result, key).value
        assert value is not None
        assert facts.tiles[key].number == METRICS[key].text(value)
    assert facts.tiles["peak_rss"].beside == "1 thread: 65.0 MiB"


def test_that_a_click_exchanges_a_fact_with_the_plot(
    qtbot: QtBot, pool: QThreadPool, sweep: Shown
) -> None:
    views = RunViews(pool)
    views.add_plots()
    exposed(qtbot, views, 1000, 600)
    views.show_results(sweep)
    assert views.answer is not None
    view = views.answer.scaling
    assert seen(views.tiles) == ["Latency p99", "Open files", "Memory", "Cores busy"]
    qtbot.keyClick(views.tiles.tiles["peak_rss"], Qt.Key.Key_Space)
    assert views.currentWidget() is views.answer_page
    assert view.sheet.labels.shown.heading == "Peak memory"
    assert [row[2] for row in view.table()[1:]] == ["65.0 MiB", "129 MiB", "257 MiB"]
    qtbot.waitUntil(
        lambda: seen(views.tiles) == ["Latency p99", "Open files", "Throughput", "Cores busy"]
    )
    qtbot.mouseClick(views.tiles.tiles["throughput"], Qt.MouseButton.LeftButton)
    assert view.sheet.labels.shown.heading == "sequences a second"


def test_that_in_a_narrow_window_four_figures_stand_in_a_row_below(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    views = exposed(qtbot, RunViews(pool), 868, 400)
    page = views.answer_page
    found = [one for one in views.tiles.tiles.values() if one.isVisible()]
    assert len(found) == 4
    assert len({one.y() for one in found}) == 1
    assert views.tiles.y() > page.height() / 2
    assert views.tiles.width() == page.width()
    views.resize(1232, 500)
    qtbot.waitUntil(lambda: views.tiles.geometry().right() == page.width() - 1)
    assert views.tiles.width() == 232


def test_that_what_a_workload_counts_has_a_tile_while_it_is_measured(qtbot: QtBot) -> None:
    tiles = Tiles()
    qtbot.addWidget(tiles)
    watch = RunProgress()
    watch.take(RunPlanned(plan=building.plan(SPECS[:1]), trials=1, seconds=9.0))
    watch.take(TrialStarted(index=0, block=0, of=1, spec=SPECS[0]))
    for each in building.trial(SPECS[0]).moments:
        counting = msgspec.structs.replace(each, tallies={"retries": 20 * each.at})
        watch.take(MomentTaken(index=0, moment=counting))
        tiles.show_newest(watch)
    assert tiles._head.texts == ("Running: 1 thread",)
    assert tiles.texts()["Retries"] == "20/s"
    assert "Retries" in seen(tiles)
    assert tiles.tiles["fds"].accessibleDescription().startswith("20 of ")
