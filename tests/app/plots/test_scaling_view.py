"""The answer as a plot: curves, a map, or bars; and what the curves draw, tell and hide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import building
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from showing import exposed

from app.plots.base.figure import png
from app.plots.counts.answer_view import AnswerView
from app.plots.counts.scaling_view import Growth, ScalingView
from core import RunProgress, events, load_study
from core.desk import standings
from core.desk.planned_settings import planned_figure
from core.judge import Limits, Study, advise, metric_estimate
from core.tell.result_figures import throughput_figure
from core.tell.setting_facts import upon_plan
from core.vocabulary import Cancelled, Result
from core.vocabulary.figures import MOST_DRAWN as MOST

pytestmark = pytest.mark.window


def result(threads: int, rate: float, cache: str = "lru", **rest: int) -> Result:
    of = building.spec(parameters={"cache": cache, "cache_size": 128}, threads=threads)
    rates = (rate * 0.99, rate, rate * 1.01)
    trials = [
        building.trial(
            of,
            index=at,
            rate=each,
            unit="sequence",
            last=building.reading(2.0, rss=(64 + 12 * threads) << 20, fds=20 + threads),
            **rest,
        )
        for at, each in enumerate(rates)
    ]
    return building.result(of, trials)


def show(view: ScalingView, results: Sequence[Result], study: Study | None = None) -> None:
    view.show_figure(throughput_figure(results, advise(results), study=study), results[0].unit)


SWEEP = (result(1, 1000), result(2, 1900), result(4, 3000), result(8, 3010), result(16, 2000))


@pytest.fixture
def view(qtbot: QtBot) -> ScalingView:
    return exposed(qtbot, ScalingView(), 700, 450)


def heading(view: ScalingView) -> str:
    return view.sheet.labels.shown.heading


def test_that_the_recommended_number_is_told_before_anybody_asks(view: ScalingView) -> None:
    show(view, SWEEP)
    (ring,), bracket = view.sheet.labels.shown.rings, view.sheet.labels.shown.bracket
    assert ring.lines[0] == "4 threads"
    assert ring.lines[1].startswith("3,000 ± 3")
    assert ring.role == "sure"
    assert bracket is None  # nobody has said what is no different
    assert heading(view) == "sequences a second"
    assert "Use 4." in view.summary()


def test_that_a_bracket_spans_what_is_not_measurably_different(view: ScalingView) -> None:
    same = [SWEEP[3].spec.digest]
    view.show_figure(throughput_figure(SWEEP, advise(SWEEP)), SWEEP[0].unit, same)
    bracket = view.sheet.labels.shown.bracket
    assert bracket is not None
    assert (bracket.start, bracket.end) == (2.0, 3.0)  # 4 and 8 threads
    same = [SWEEP[0].spec.digest]  # 2 threads, between them, are slower
    view.show_figure(throughput_figure(SWEEP, advise(SWEEP)), SWEEP[0].unit, same)
    assert view.sheet.labels.shown.bracket is None


def test_that_what_was_measured_beside_other_programs_is_hatched(view: ScalingView) -> None:
    show(view, SWEEP)
    plain = view.grab().toImage()
    view.show_figure(throughput_figure(SWEEP, advise(SWEEP)), SWEEP[0].unit, hatched=True)
    assert view.grab().toImage() != plain
    show(view, SWEEP)
    assert view.grab().toImage() == plain


def test_that_the_mouse_asks_for_the_values_at_a_number_of_threads(
    qtbot: QtBot, view: ScalingView
) -> None:
    show(view, [*SWEEP, result(1, 100, "none"), result(8, 120, "none")])
    at = QPoint(round(view.sheet.x_of(3.0)), 100)
    qtbot.mouseMove(view.sheet.viewport(), at)
    told = "8 threads · from 4: throughput the same within 5 %, +48.0 MiB, +4 files, p99 +"
    assert heading(view).startswith(f"sequences a second · {told}")
    assert view.labels() == {"cache LRU, no lock": "3,010/s", "cache none": "120/s"}


def test_that_the_price_of_each_step_is_told_as_text_too(view: ScalingView) -> None:
    show(view, SWEEP)
    prices = [row[5] for row in view.table()[1:]]
    assert prices[0] == "–"
    assert prices[1].startswith("+90 % throughput, +12.0 MiB, +1 file, ")
    assert "1 → 2 threads: +90 % throughput, +12.0 MiB" in view.summary()


def test_that_what_a_study_published_stands_beside_its_own_setting(view: ScalingView) -> None:
    none = [result(1, 100, "none"), result(4, 120, "none")]
    show(view, [*SWEEP, *none], load_study("seqrepo-fd-cache"))
    told = {(row[0], row[1]): (row[6], row[7]) for row in view.table()[1:]}
    assert told["cache LRU, no lock", "1"] == ("1,180 sequences/s", "completed")
    assert told["cache LRU, no lock", "2"] == ("–", "completed")
    assert told["cache none", "1"] == ("111 sequences/s", "completed")
    assert told["cache none", "10"][1] == "not measured"
    assert heading(view).endswith("dashed, hollow: published")


def test_that_a_recommended_number_keeps_to_the_limits() -> None:
    limits = Limits(most={"peak_rss": 100 << 20})
    (series,) = throughput_figure(SWEEP, advise(SWEEP, limits), limits).curves
    assert series.recommended == 2
    assert [price.end for price in series.prices] == [2]


def test_that_arrow_keys_step_through_what_was_measured(qtbot: QtBot, view: ScalingView) -> None:
    show(view, SWEEP)
    told = []
    for _ in range(3):
        qtbot.keyClick(view, Qt.Key.Key_Right)
        told.append(heading(view).split(" · ")[1])
    assert told == ["1 thread", "2 threads", "4 threads"]


def test_that_each_setting_beside_threads_is_a_series_of_its_own(view: ScalingView) -> None:
    show(view, [*SWEEP, result(1, 100, "none"), result(4, 120, "none")])
    assert list(view.labels()) == ["cache LRU, no lock", "cache none"]


def test_that_only_the_fastest_series_are_drawn_and_the_others_counted(view: ScalingView) -> None:
    show(view, [result(n, 100 * (k + n), f"c{k}") for k in range(MOST + 2) for n in (1, 2)])
    assert list(view.labels()) == [f"cache c{k}" for k in range(2, MOST + 2)]
    assert heading(view).endswith("2 not drawn")
    assert len(view.table()) == 1 + 2 * (MOST + 2)


def test_that_only_the_setting_that_is_advised_is_marked_and_it_is_drawn_though_others_are_faster(
    view: ScalingView,
) -> None:
    rates = {"first": 1000.0} | {f"other {place}": 1010.0 + place for place in range(MOST)}
    results = [
        result(threads, rate * (1.0 if threads == 2 else 0.5), cache)
        for cache, rate in rates.items()
        for threads in (1, 2)
    ]
    show(view, results)
    told = view.summary().splitlines()
    assert [line.split(",")[0] for line in told if "Use 2." in line] == ["cache first"]
    assert sum("Use" in line or "Leading" in line for line in told) == 1
    assert "cache first" in view.labels()
    assert heading(view).endswith("1 not drawn")


def test_that_what_is_computed_for_the_quiet_machine_has_a_line_and_a_ring_of_its_own(
    view: ScalingView,
) -> None:
    figure = throughput_figure(SWEEP, advise(SWEEP))
    (curve,) = figure.curves
    quiet = replace(curve, quiet=((4, 3100.0), (8, 5000.0)), quiet_best=8)
    view.show_figure(replace(figure, curves=(quiet,)), "sequence", hatched=True)
    shown = view.sheet.labels.shown
    assert [one.lines[0] for one in shown.rings] == ["4 threads, for now", "8 threads, when quiet"]
    assert {one.role for one in shown.rings} == {"warn"}
    assert [one.name for one in shown.ends] == ["when quiet"]


def test_that_without_advice_nothing_is_marked(view: ScalingView) -> None:
    view.show_figure(throughput_figure(SWEEP), "sequence")
    assert "Use" not in view.summary()
    assert not view.sheet.labels.shown.rings


def test_that_wrong_data_is_no_point_but_a_reason(view: ScalingView) -> None:
    show(view, [*SWEEP, result(32, 9999, wrong=5)])
    assert view.table()[-1] == ("", "32", "–", "–", "–", "–", "–", "wrong data in 15")
    assert "Use 4." in view.summary()


def test_that_without_varied_threads_the_view_says_what_to_do(view: ScalingView) -> None:
    show(view, SWEEP[:1])
    assert view.summary() == "Vary the threads to see how throughput scales."
    assert heading(view) == view.summary()


def test_that_trials_run_once_have_no_interval_and_no_sure_advice(view: ScalingView) -> None:
    once = [
        building.result(one.spec, [building.trial(one.spec, rate=1000.0 * one.spec.load.threads)])
        for one in SWEEP
    ]
    (series,) = throughput_figure(once, advise(once)).curves
    assert all(place.low == place.value == place.high for place in series.points)
    assert not series.sure
    show(view, once)
    assert "Leading: " in view.summary()


def test_that_a_point_and_its_interval_are_those_of_the_table() -> None:
    (series,) = throughput_figure(SWEEP).curves
    for place, one in zip(series.points, SWEEP, strict=True):
        found = metric_estimate(one)
        assert (place.value, place.low, place.high) == (found.value, found.low, found.high)


def test_that_a_price_is_the_step_between_the_drawn_points() -> None:
    (series,) = throughput_figure(SWEEP).curves
    drawn = {place.at: place.value for place in series.points}
    for price in series.prices:
        assert price.verdict.ratio == pytest.approx(drawn[price.end] / drawn[price.start])


def test_that_a_wide_interval_does_not_press_the_points_to_the_ground(view: ScalingView) -> None:
    of = building.spec(parameters={"cache": "lru", "cache_size": 128}, threads=2)
    wild = building.good(of, 700.0, 1400.0, 2800.0)
    assert (metric_estimate(wild).high or 0.0) > 7000
    show(view, [result(1, 1000), wild])
    (_, _), (_, top) = view.sheet.plotItem.vb.viewRange()
    assert top < 4000


def test_that_settings_that_are_out_are_hollow_and_told_as_text(view: ScalingView) -> None:
    out = {SWEEP[0].spec.digest, SWEEP[4].spec.digest}

    def grow(growth: Growth | None) -> None:
        figure = throughput_figure(SWEEP, advise(SWEEP))
        view.show_figure(figure, SWEEP[0].unit, growth=growth)

    grow(Growth())
    before = view.sheet.grab().toImage()
    grow(Growth(out=out))
    assert view.sheet.grab().toImage() != before
    assert [row[-1] for row in view.table()[1:]] == [
        "completed, not measured any more",
        *["completed"] * 3,
        "completed, not measured any more",
    ]
    assert "✓ 1: 1,000 sequences/s; 2: 1,900 sequences/s" in view.summary()
    grow(None)
    assert "✓" not in view.summary()


def test_that_an_interval_narrows_as_trials_come(view: ScalingView) -> None:
    of = SWEEP[1].spec
    rates = (1500.0, 2300.0, 1900.0, 1850.0, 1950.0, 1900.0, 1890.0, 1910.0)
    widths = []
    for count in (3, 5, 8):
        show(view, [SWEEP[0], building.good(of, *rates[:count])])
        low, high = view.table()[2][3:5]
        widths.append(
            float(high.split()[0].replace(",", "")) - float(low.split()[0].replace(",", ""))
        )
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[0] / 2


def sweep(caches: int) -> list[Result]:
    """Two numbers of threads with so many kinds of cache."""
    specs = [
        building.spec(parameters={"cache": f"kind {cache}", "cache_size": 128}, threads=threads)
        for cache in range(caches)
        for threads in (1, 2)
    ]
    return [building.good(of, 900.0 + place, 1000.0 + place) for place, of in enumerate(specs)]


@pytest.fixture
def answer(qtbot: QtBot) -> AnswerView:
    return exposed(qtbot, AnswerView(), 700, 450)


def show_answer(view: AnswerView, results: list[Result]) -> None:
    advice = advise(results)
    standing = standings(results, advice, None, over=True)
    view.show_answer(throughput_figure(results, advice), standing, results[0].unit)


def test_that_names_colours_and_places_stay_from_the_plan_to_the_answer(
    qtbot: QtBot, answer: AnswerView
) -> None:
    results = sweep(3)
    specs = [one.spec for one in results]
    planned = planned_figure(building.plan(specs))
    answer.show_plan(planned)
    labels = answer.scaling.sheet.labels
    before = [(one.name, one.rank) for one in labels.shown.ends]
    view = answer.scaling.sheet.plotItem.vb
    across, right = view.viewRange()[0], view.sceneBoundingRect().right()
    assert before == [("cache kind 0", 0), ("cache kind 1", 1), ("cache kind 2", 2)]
    stopped = Cancelled(stage="measuring")
    cut = [building.result(one, [building.trial(one, outcome=stopped)]) for one in specs[1:]]
    for known in (results[:1], results[3:4], results[2:5], [results[0], *cut], results):
        advice = advise(known)
        figure = upon_plan(throughput_figure(known, advice), planned, known)
        answer.show_answer(figure, standings(known, advice, None, over=True), "read")
        assert [(one.name, one.rank) for one in labels.shown.ends] == before
        assert view.viewRange()[0] == across
        assert view.sceneBoundingRect().right() == right


def test_that_a_run_grows_where_its_answer_will_stand(answer: AnswerView) -> None:
    specs = [one.spec for one in sweep(2)]
    answer.show_plan(planned_figure(building.plan(specs)))
    assert answer.scaling.sheet.labels.shown.heading == "what will be measured"
    watch = RunProgress()
    moments = building.trial(specs[1]).moments
    for event in (
        events.RunPlanned(plan=building.plan(specs), trials=4, seconds=9.0),
        events.TrialStarted(index=0, block=0, of=4, spec=specs[1]),
        *(events.MomentTaken(index=0, moment=one) for one in moments),
    ):
        watch.take(event)
    answer.follow(watch)
    (first, second) = answer.scaling.sheet.labels.shown.ends
    assert first.at == pytest.approx(watch.so_far[specs[1].digest])
    assert second.at == 0.0
    (_, _), (low, high) = answer.scaling.sheet.plotItem.vb.viewRange()
    assert low <= 0.0 < first.at < high


def test_that_what_was_cancelled_is_not_drawn() -> None:
    spec = building.spec(threads=4)
    cancelled = building.result(spec, [building.trial(spec, outcome=Cancelled(stage="measuring"))])
    (curve,) = throughput_figure([*SWEEP, cancelled]).curves
    assert [one.at for one in curve.points] == [1, 2, 4, 8, 16]
    by_name = standings([*SWEEP, cancelled], None, None, over=True)
    assert [one.measured for one in by_name].count(False) == 1


def test_that_many_curves_become_a_map_that_scrolls_and_takes_no_room_from_the_window(
    qtbot: QtBot, answer: AnswerView
) -> None:
    show_answer(answer, sweep(2))
    assert answer.figures()[0].widget is answer.scaling
    low = answer.minimumSizeHint().height()
    show_answer(answer, sweep(60))
    assert answer.figures()[0].widget is answer.map
    assert answer.map.isVisible()
    qtbot.waitUntil(lambda: answer.map.height() > answer.height())
    assert answer.minimumSizeHint().height() < 2 * low  # the frame of what scrolls is a few pixels


def test_that_a_picture_of_the_map_shows_all_of_its_rows(answer: AnswerView) -> None:
    show_answer(answer, sweep(20))
    before = png(answer.map)
    slower = sweep(20)
    slower[-1] = building.good(slower[-1].spec, 90.0, 100.0)
    show_answer(answer, slower)
    assert png(answer.map) != before
