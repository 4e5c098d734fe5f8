"""Figures that window and report draw: throughput by threads, and what one setting did inside."""

from __future__ import annotations

import math

import building
import msgspec
import pytest

from core import CurvesFigure, FigureCurve
from core.judge import advise, load_study, metric_estimate
from core.language import show_seconds
from core.tell.report.page import render_report
from core.tell.report.report_content import Chapter, Report
from core.tell.result_figures import Inside, published_curve, throughput_figure
from core.vocabulary import Crashed, FigurePoint, MetricEstimate, Result
from core.vocabulary.figures import MOST_DRAWN


def result(threads: int, *rates: float, cache: str = "lru") -> Result:
    of = building.spec(threads=threads, parameters={"cache": cache, "cache_size": 128})
    return building.good(of, *rates)


SWEEP = (
    result(1, 990.0, 1000.0, 1010.0),
    result(2, 1890.0, 1900.0, 1910.0),
    result(4, 3000.0, 3010.0, 2990.0),
    result(8, 2000.0, 2010.0, 1990.0),
)


def crashed(threads: int) -> Result:
    of = building.spec(threads=threads)
    gone = building.trial(of, outcome=Crashed(stage="measuring", signal="SIGSEGV"))
    return building.result(of, [gone])


def test_that_points_intervals_and_trials_are_those_of_the_one_estimate() -> None:
    (curve,) = throughput_figure(SWEEP).curves
    for point, one in zip(curve.points, SWEEP, strict=True):
        assert point.found == metric_estimate(one)
        assert point.low < point.value < point.high


def test_that_the_setting_to_use_is_said_at_its_place() -> None:
    figure = throughput_figure(SWEEP, advise(SWEEP))
    assert figure.chosen is not None
    assert figure.chosen.recommended == 4
    assert figure.advised == "use 4"
    assert throughput_figure(SWEEP).advised == ""


def test_that_a_curve_ends_where_the_last_good_point_is() -> None:
    (curve,) = throughput_figure([*SWEEP, crashed(32)]).curves
    assert curve.points[-1].failed
    assert curve.points[-1].reason
    assert math.isnan(curve.points[-1].value)
    assert [at for at, _ in curve.line][-1] == 8


def test_that_only_the_fastest_and_the_one_to_use_are_drawn_in_their_order() -> None:
    curves = tuple(
        FigureCurve(
            name=str(rank), points=(point(1, 10.0 * rank),), recommended=1 if not rank else None
        )
        for rank in range(MOST_DRAWN + 2)
    )
    names = [one.name for one in CurvesFigure(curves=curves).drawn]
    assert names == ["0", *map(str, range(3, MOST_DRAWN + 2))]
    assert CurvesFigure(curves=curves, most=None).drawn == curves


def point(at: int, value: float, high: float | None = None) -> FigurePoint:
    low = None if high is None else value / 2
    return FigurePoint(at=at, found=MetricEstimate(value=value, low=low, high=high))


def test_that_wide_intervals_are_cut_and_hidden_curves_do_not_count() -> None:
    low = FigureCurve(name="low", points=(point(1, 10.0, 12.0),))
    wild = FigureCurve(name="wild", points=(point(1, 100.0, 9000.0),))
    figure = CurvesFigure(curves=(low, wild))
    assert figure.top() == pytest.approx(160.0)
    assert figure.top({"wild"}) == pytest.approx(12.0)
    assert figure.top({"wild", "low"}) == 0.0


def test_that_the_report_marks_what_to_use_in_its_picture() -> None:
    chapter = Chapter(title="a sweep", results=SWEEP)
    page = str(render_report(Report(title="a sweep", chapters=(chapter,))))
    assert ">use 4</text>" in page
    short = msgspec.structs.replace(SWEEP[0], trials=SWEEP[0].trials[:1])
    single = Chapter(title="a run", results=(short,))
    assert ">use" not in str(render_report(Report(title="a run", chapters=(single,))))


def test_that_processes_make_a_curve_where_threads_do_not_vary() -> None:
    found = [
        building.good(building.spec(processes=count), rate, rate + 1.0)
        for count, rate in ((4, 300.0), (1, 100.0))
    ]
    figure = throughput_figure(found)
    (curve,) = figure.curves
    assert figure.axis == "processes"
    assert [one.at for one in curve.points] == [1, 4]
    assert figure.chosen is None


STUDY = load_study("seqrepo-fd-cache")


def test_that_a_setting_has_the_published_figures_of_its_cells_by_threads() -> None:
    of = building.spec(parameters={"cache": "lru-locked", "reader": "pysam"}, threads=3)
    assert published_curve(STUDY, of) == ((1, 1116.0), (10, 2161.0))


def test_that_another_workload_or_setting_has_none() -> None:
    assert published_curve(STUDY, building.spec("raw", parameters={"cache": "lru"})) == ()
    assert published_curve(STUDY, building.spec(parameters={"cache": "unheard of"})) == ()


@pytest.mark.parametrize("changes", [{"metric": "byte_rate"}, {"published_unit": "passes/h"}])
def test_that_figures_in_another_unit_are_not_drawn_over_operations(
    changes: dict[str, str],
) -> None:
    other = msgspec.structs.replace(STUDY, **changes)
    assert published_curve(other, building.spec(parameters={"cache": "lru"})) == ()


def test_that_percentiles_are_those_of_the_setting_and_of_the_best_one() -> None:
    result = building.good(building.spec(threads=1), 1000.0, 1001.0)
    best = building.good(building.spec(threads=2), 2000.0, 2001.0)
    names = {result.spec.digest: "one", best.spec.digest: "two"}
    drawn = Inside.of(result, best, names).percentiles.curves
    assert [curve.name for curve in drawn] == ["one", "two"]
    assert [point.at for point in drawn[0].points][:3] == [50.0, 90.0, 95.0]
    assert drawn[0].points[0].value == pytest.approx(0.001, rel=0.05)
    assert [curve.name for curve in Inside.of(best, best, names).percentiles.curves] == ["two"]


def test_that_what_was_not_timed_has_no_latencies() -> None:
    spec = building.spec()
    result = building.result(spec, [building.trial(spec, histogram=b"")])
    assert Inside.of(result, result, {spec.digest: ""}).percentiles.curves == ()


def test_that_parts_of_the_time_add_up_to_all_of_it() -> None:
    spec = building.spec()
    both = [building.trial(spec, index=at, steps=("open", "fetch")) for at in range(2)]
    trials = [
        msgspec.structs.replace(
            one,
            workers=tuple(
                msgspec.structs.replace(worker, phases=(10**9, 3 * 10**9)) for worker in one.workers
            ),
        )
        for one in both
    ]
    result = building.result(spec, trials)
    phases = Inside.of(result, result, {spec.digest: ""}).phases.bars
    found = {bar.name: (bar.value, bar.text) for bar in phases}
    assert found == {
        "open": (0.25, f"25 % · {show_seconds(2)}"),
        "fetch": (0.75, f"75 % · {show_seconds(6)}"),
    }
