"""What a run's views show of the results."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import building
import msgspec
import pytest
from PySide6.QtCore import Qt, QThreadPool
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from showing import exposed

from app.plots.base.plot_surface import Sheet
from app.style.theme import THEMES
from app.table.table_rows import Row
from app.views.tabs import RunViews
from core import RunProgress, Session
from core.desk import Prepared
from core.tell.run_results import Shown
from core.vocabulary import (
    Cancelled,
    Decided,
    Doubt,
    Event,
    MomentTaken,
    RoundBegun,
    RunPlanned,
    TrialEnded,
    TrialStarted,
)

pytestmark = pytest.mark.window


@pytest.fixture
def sweeps(tmp_path: Path) -> Iterator[tuple[Shown, Shown]]:
    """A sweep while it goes on, and once it is over."""
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
        going, over = (Shown.of(prepared, tuple(trials), None, over=end) for end in (False, True))
        yield going, over


@pytest.fixture
def sweep(sweeps: tuple[Shown, Shown]) -> Shown:
    return sweeps[0]


def test_that_each_setting_says_what_limits_it_and_why_turns_to_the_best(
    bare_views: RunViews, qtbot: QtBot, sweeps: tuple[Shown, Shown]
) -> None:
    for shown in sweeps:
        bare_views.show_results(shown)
    inside = bare_views.inside
    qtbot.waitUntil(lambda: bool(inside.words[0]))
    assert inside.choice.currentText() == "4 threads"
    with qtbot.waitSignal(inside.said):
        qtbot.keyClick(inside.choice, Qt.Key.Key_End)
    assert inside.words[0]
    bare_views.show_results(sweeps[1])
    assert inside.choice.currentText() == "1 thread"
    with qtbot.waitSignal(inside.said):
        bare_views.show_why()
    assert inside.choice.currentText() == "4 threads"


def test_that_the_plot_has_the_unit_of_what_was_measured(
    bare_views: RunViews, sweep: Shown
) -> None:
    first, *others = sweep.in_table
    stopped = building.trial(first.spec, outcome=Cancelled(stage="waiting"), workers=())
    cut = building.result(first.spec, [stopped])
    bare_views.add_plots()
    bare_views.show_results(dataclasses.replace(sweep, in_table=(cut, *others)))
    assert bare_views.answer.scaling.sheet.labels.shown.heading.startswith("sequences a second")


def test_that_every_plot_of_every_tab_takes_the_colours_of_another_theme(views: RunViews) -> None:
    for theme in THEMES:
        views.set_theme(theme)
        grounds = {sheet.backgroundBrush().color().name() for sheet in views.findChildren(Sheet)}
        assert grounds == {QColor(theme.background).name()}


def test_that_latencies_of_a_setting_are_drawn_beside_those_of_the_best(
    bare_views: RunViews, qtbot: QtBot, sweep: Shown
) -> None:
    bare_views.show_results(sweep)
    bare_views.add_plots()
    plot = bare_views.inside.percentiles
    assert plot is not None

    def drawn() -> set[str]:
        return {row[0] for row in plot.table()[1:]}

    qtbot.waitUntil(lambda: drawn() == {"4 threads"})
    assert plot.table()[0][1] == "percentile"
    assert [row[1] for row in plot.table()[1:3]] == ["p50", "p90"]
    bare_views.inside.show_setting(sweep.in_table[0].spec.digest)
    qtbot.waitUntil(lambda: drawn() == {"1 thread", "4 threads"})
    assert "p50: " in plot.summary()


def test_that_results_of_several_thread_counts_are_shown_as_the_answer(
    views: RunViews, sweep: Shown
) -> None:
    assert views.answer is not None
    assert seen_tabs(views) == ["Answer", "Live", "Inside", "Compare"]
    assert not views.answer.figures()
    views.show_results(sweep)
    assert seen_tabs(views) == ["Answer", "Live", "Inside", "Compare"]
    rows = views.answer.scaling.table()[1:]
    assert [row[1:3] for row in rows] == [
        ("1", "1,001 sequences/s"),
        ("2", "2,001 sequences/s"),
        ("4", "4,001 sequences/s"),
    ]
    views.clear()
    assert len(views.answer.scaling.table()) == 1
    assert not views.answer.figures()


def test_that_workers_without_work_are_the_picture_of_an_answer(
    views: RunViews, qtbot: QtBot, sweep: Shown
) -> None:
    exposed(qtbot, views, 900, 500)
    assert views.answer is not None
    picture = views.answer_page.idle
    doubt = Doubt(text="1 of 2 workers had work.", remedy="", idle=(9, 0), needs="9 reads")
    card = msgspec.structs.replace(sweep.card, idle=doubt)
    views.show_results(dataclasses.replace(sweep, card=card))
    assert (picture.isVisible(), views.answer.isVisible()) == (True, False)
    one = picture.grab().toImage()
    doubt = msgspec.structs.replace(doubt, idle=(9, 9))
    card = msgspec.structs.replace(sweep.card, idle=doubt)
    views.show_results(dataclasses.replace(sweep, card=card))
    assert picture.grab().toImage() != one
    views.show_results(sweep)
    assert (picture.isVisible(), views.answer.isVisible()) == (False, True)


def seen_tabs(views: RunViews) -> list[str]:
    return [views.tabText(at) for at in range(views.count()) if views.isTabVisible(at)]


def taken(*events: Event) -> RunProgress:
    watch = RunProgress()
    for event in events:
        watch.take(event)
    return watch


@pytest.mark.parametrize(("near", "threads"), [(0.05, 4), (0.2, 3), (0.5, 2)])
def test_that_the_card_and_the_plot_name_the_same_number_of_threads(
    views: RunViews, tmp_path: Path, near: float, threads: int
) -> None:
    rates = {1: 1000.0, 2: 1400.0, 3: 1950.0, 4: 2300.0, 8: 2310.0}
    specs = {count: building.spec(threads=count) for count in rates}
    trials = [
        building.trial(specs[count], index=5 * again + place, block=again, rate=rate * wobble)
        for again, wobble in enumerate((0.999, 1.0, 1.001))
        for place, (count, rate) in enumerate(rates.items())
    ]
    plan = building.plan(list(specs.values()), adaptive=True, terms={"near": near})
    with Session.create(tmp_path / "tune.sluice") as session:
        run = session.begin_run(plan, building.environment(), {}, [])
        session.end_run(run, "completed")
        found = Shown.of(Prepared(session=session, run=session.run(run)), tuple(trials), None)
    views.show_results(found)
    assert views.answer is not None
    assert found.headline.text.startswith(f"Use {threads} threads: ")
    assert f"Use {threads}." in views.answer.scaling.summary()


def test_that_a_run_that_goes_on_again_is_not_called_cancelled(tmp_path: Path) -> None:
    specs = [building.spec(threads=threads) for threads in (1, 2, 4)]
    trials = [building.trial(spec, index=at, rate=1000.0) for at, spec in enumerate(specs[:2])]
    with Session.create(tmp_path / "sweep.sluice") as session:
        run = session.begin_run(building.plan(specs, repeats=3), building.environment(), {}, [])
        session.end_run(run, "cancelled")
        prepared = Prepared(session=session, run=session.run(run))
        going, over = (Shown.of(prepared, tuple(trials), None, over=end) for end in (False, True))
    assert over.headline.text.startswith("Cancelled")
    assert "Cancelled" not in going.headline.text


def test_that_the_plot_advises_nothing_before_the_card_does(tmp_path: Path) -> None:
    specs = [building.spec(threads=threads) for threads in (1, 2, 4, 8)]
    trials = [
        building.trial(spec, index=index, rate=1000.0 * min(spec.load.threads, 2) + index)
        for index, spec in enumerate(specs[:3] * 3)
    ]
    with Session.create(tmp_path / "sweep.sluice") as session:
        run = session.begin_run(building.plan(specs, repeats=3), building.environment(), {}, [])
        found = Shown.of(Prepared(session=session, run=session.run(run)), tuple(trials), None)
    assert found.headline.text.startswith("None of the other 2 is measurably faster than ")
    assert [series.recommended for series in found.scaling.curves] == [None]


def test_that_results_that_come_before_the_plots_are_not_lost(
    bare_views: RunViews, sweep: Shown
) -> None:
    bare_views.show_results(sweep)
    bare_views.add_plots()
    assert bare_views.answer is not None
    assert len(bare_views.answer.scaling.table()) == 4


def test_that_what_is_measured_before_the_plots_are_there_is_drawn_by_them(
    bare_views: RunViews, qtbot: QtBot
) -> None:
    spec = building.spec()
    moments = building.trial(spec).moments
    events = (
        TrialStarted(index=3, block=0, of=1, spec=spec),
        *(MomentTaken(index=3, moment=moment) for moment in moments),
    )
    bare_views.take(events, taken(*events))
    bare_views.bring_plots()
    qtbot.waitUntil(lambda: bare_views.plots is not None)
    assert bare_views.plots is not None
    assert bare_views.plots.holds([3])
    bare_views.plots.redraw()
    (throughput, *_) = bare_views.plots.figures()
    assert len(throughput.data()) == len(moments)


def test_that_moments_are_drawn_at_the_tick_that_brings_them(views: RunViews, qtbot: QtBot) -> None:
    with qtbot.waitExposed(views):
        views.show()
    assert views.plots is not None
    views.plots.redraw()
    spec = building.spec()
    started = TrialStarted(index=0, block=0, of=1, spec=spec)
    watch = taken(started)
    views.take((started,), watch)
    for moment in building.trial(spec).moments:
        event = MomentTaken(index=0, moment=moment)
        watch.take(event)
        views.take((event,), watch)
        assert not views.plots.busy  # no other timer is waited for


def test_that_the_bare_files_are_drawn_only_where_nothing_else_is_measured(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    reader = building.spec()
    bare = building.spec(workload="raw", parameters={"block": 4096})
    for specs, drawn in (((reader, bare), {0}), ((bare,), {1})):
        views = RunViews(pool)
        qtbot.addWidget(views)
        views.add_plots()
        events: list[Event] = [RunPlanned(plan=building.plan(specs), trials=2, seconds=1.0)]
        for index, spec in enumerate((reader, bare)):
            if spec in specs:
                events.append(TrialStarted(index=index, block=0, of=2, spec=spec))
                moments = building.trial(spec).moments
                events += [MomentTaken(index=index, moment=moment) for moment in moments]
        views.take(tuple(events), taken(*events))
        assert views.plots is not None
        assert [index for index in range(2) if views.plots.holds([index])] == sorted(drawn)


def test_that_the_tab_that_is_seen_stays_so_as_the_plots_come(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    for at in (0, 2):
        views = RunViews(pool)
        qtbot.addWidget(views)
        views.setCurrentIndex(at)
        views.add_plots()
        assert views.currentIndex() == at
        assert views.count() == 4


def test_that_an_opened_run_is_plotted_and_a_piece_of_it_names_its_trials(
    views: RunViews, qtbot: QtBot, sweep: Shown
) -> None:
    views.show_results(sweep)
    assert views.plots is not None
    assert views.plots.holds(range(9))
    with qtbot.waitSignal(views.narrowed) as caught:
        views.plots.pointing.select(0.5, 2.0)
    assert caught.args == ["0:00.5 – 0:02.0", (0, 1)]
    with qtbot.waitSignal(views.widened):
        views.unselect()


def test_that_two_selected_results_are_compared_and_any_other_number_is_not(
    bare_views: RunViews, qtbot: QtBot
) -> None:
    rates = (1000.0, 1004.0, 998.0, 1002.0, 997.0, 1001.0)
    slow, fast = (
        building.good(building.spec(parameters={"cache": cache}), *(factor * r for r in rates))
        for cache, factor in (("none", 1.0), ("lru", 1.5))
    )
    rows = tuple(Row(key=r.spec.digest, result=r, trials=r.trials) for r in (slow, fast))
    bare_views.show_chosen(rows, running=False)
    qtbot.waitUntil(lambda: "1.5" in bare_views.comparison.text())
    assert "faster" in bare_views.comparison.text()
    assert "trials: 6 and 6" in bare_views.comparison.text()
    bare_views.show_chosen(rows[:1], running=False)
    assert bare_views.comparison.text() == "Select two results in the table to compare them"


def test_that_settings_in_turns_are_drawn_by_plots_that_come_later_with_their_names(
    bare_views: RunViews, qtbot: QtBot
) -> None:
    specs = [building.spec(threads=threads) for threads in (1, 2)]
    bare = building.spec(workload="raw", parameters={"block": 4096})
    trials = [building.trial(spec, index=at) for at, spec in enumerate((*specs, bare))]
    events: list[Event] = [
        RunPlanned(plan=building.plan([*specs, bare]), trials=3, seconds=1.0),
        *(
            TrialStarted(index=at, block=0, of=3, spec=spec)
            for at, spec in enumerate((*specs, bare))
        ),
        RoundBegun(number=0, left=2, trials=(2, 1, 0)),
        *(MomentTaken(index=at, moment=trials[at].moments[1]) for at in (2, 1, 0)),
        RoundBegun(number=1, left=1, trials=(0, 2, 1)),
        *(MomentTaken(index=at, moment=trials[at].moments[2]) for at in (0, 2, 1)),
        *(TrialEnded(trial=trial) for trial in trials),
        Decided(specs=(specs[0].digest,)),
    ]
    watch = taken(*events)
    with qtbot.waitSignal(bare_views.decided) as told:
        bare_views.take(tuple(events), watch)
    assert told.args == [(specs[0].digest,)]
    bare_views.add_plots()
    assert bare_views.plots is not None
    bare_views.plots.redraw()
    labels = bare_views.plots.shown.sheet.labels
    assert [one.name for one in labels.shown.ends] == [watch.name_of(specs[1])]
    assert bare_views.plots.counts == "✓ 1 not measured any more"
    assert bare_views.plots.holds([0, 1])
    assert not bare_views.plots.holds([2])
    bare_views.clear()
    bare_views.plots.redraw()
    assert [one.name for one in labels.shown.ends] == ["operations"]


@pytest.mark.parametrize("over", [True, False])
def test_that_what_is_decided_is_marked_until_the_run_is_over_or_all_is_cleared(
    bare_views: RunViews, qtbot: QtBot, sweeps: tuple[Shown, Shown], over: bool
) -> None:
    sweep, whole = sweeps
    event = Decided(specs=(sweep.in_table[0].spec.digest,))
    bare_views.take((event,), taken(event))
    bare_views.add_plots()
    bare_views.show_results(sweep)
    assert bare_views.answer is not None
    decided = ["not measured any more" in row[-1] for row in bare_views.answer.scaling.table()[1:]]
    assert decided == [True, False, False]
    with qtbot.waitSignal(bare_views.decided) as told:
        if over:
            bare_views.show_results(whole)
        else:
            bare_views.clear()
            bare_views.show_results(sweep)
    assert told.args == [()]
    assert not any(
        "not measured any more" in row[-1] for row in bare_views.answer.scaling.table()[1:]
    )


def test_that_the_figures_stay_those_of_the_measurement_while_the_bare_files_are_read(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    reader = building.spec()
    bare = building.spec(workload="raw", parameters={"block_size": 4096})
    trials = [building.trial(one, index=at, rate=1e3) for at, one in enumerate((reader, bare))]
    views, watch = RunViews(pool), RunProgress()
    qtbot.addWidget(views)
    plan = building.plan([reader, bare])
    events: list[Event] = [RunPlanned(plan=plan, trials=2, seconds=2.0)]
    for spec, trial in zip((reader, bare), trials, strict=True):
        events.append(TrialStarted(index=trial.index, block=0, of=2, spec=spec))
        events += [MomentTaken(index=trial.index, moment=each) for each in trial.moments]
        events.append(TrialEnded(trial=trial))
    shown = []
    for event in events:
        watch.take(event)
        views.take((event,), watch)
        shown.append((views.tiles.name, views.tiles.texts()))
    ended = next(at for at, event in enumerate(events) if isinstance(event, TrialEnded))
    assert shown[ended][1]["Throughput"] != "–"
    assert shown[-1] == shown[ended]
