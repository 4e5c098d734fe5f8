"""People think of a program in seconds for each run: that is its first figure everywhere."""

from __future__ import annotations

import building
import pytest

from core import Result
from core.judge import LiveFigure, advise, doubts_about, doubts_within
from core.language import scale_of_time
from core.tell.cli.terminal_run import trial_line
from core.tell.report.page import render_report
from core.tell.report.report_content import Chapter, Report, key_figures
from core.tell.report.report_tables import rate_unit, trials_grid
from core.tell.result_figures import throughput_figure
from core.tell.tables.result_tables import summarise, tabulate_trials
from core.vocabulary import METRICS, Cancelled, Moment
from core.vocabulary.registry import leading_keys

pytestmark = pytest.mark.quick


def program(threads: int, *seconds: float) -> Result:
    """A program that took so long in each trial."""
    spec = building.spec("command", parameters={"run": "gzip {dataset}"}, threads=threads)
    return building.result(
        spec,
        [
            building.trial(spec, index=at, rate=1 / each, seconds=8 * each, unit="run")
            for at, each in enumerate(seconds)
        ],
    )


def test_that_the_table_of_a_program_begins_with_its_seconds_and_bytes() -> None:
    table = summarise([program(1, 2.0, 2.01, 2.02), program(2, 0.4, 0.41, 0.42)])
    assert [column.title for column in table.columns][:5] == [
        "Threads", "Trials", "Time per run", "Bytes", "Throughput",
    ]  # fmt: skip
    assert [cell.text for cell in table.column("time_each")] == [
        "2.0 ± 0.1 s/run", "410 (309 to 543) ms/run",
    ]  # fmt: skip
    assert [cell.text for cell in table.column("ratio")] == ["1.00×", "4.90×"]


def test_that_runs_per_second_are_for_those_who_ask() -> None:
    for table in (summarise([program(1, 2.0)]), tabulate_trials([program(1, 2.0)])):
        (throughput,) = (one for one in table.columns if one.key == "throughput")
        assert throughput.folded


def test_that_the_report_of_a_program_begins_with_its_seconds() -> None:
    result = program(1, 2.0, 2.01, 2.02)
    assert key_figures([result], result)[0] == ("Time per run", "2.0 ± 0.1 s/run", "")
    grid = trials_grid([result], {result.spec.digest: "it"})
    assert grid.titles[4:6] == ("Time per run", "Bytes")


def test_that_the_line_of_a_trial_begins_with_its_seconds() -> None:
    result = program(1, 2.0)
    assert trial_line(result.trials[0], result.spec).startswith("2 s/run, ")


def test_that_other_workloads_begin_with_their_throughput() -> None:
    result = building.good(building.spec(), 500.0, 508.0, 518.0)
    keys = [column.key for column in summarise([result, program(1, 2.0)]).columns]
    assert "throughput" in keys
    assert "time_each" not in keys
    assert trial_line(result.trials[0], result.spec).startswith("500 sequences/s, ")
    assert leading_keys("no.such:Workload") == ("throughput",)


def test_that_seconds_and_throughput_are_the_same_figure() -> None:
    (trial,) = program(1, 0.25).trials
    assert METRICS["time_each"].of(trial) == pytest.approx(0.25)
    assert METRICS["throughput"].of(trial) == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("seconds", "unit"), [(2e-7, "ns"), (2e-4, "µs"), (0.2, "ms"), (2.0, "s"), (200.0, "s")]
)
def test_that_a_time_is_told_in_a_unit_of_its_size(seconds: float, unit: str) -> None:
    assert scale_of_time(seconds)[1] == unit


def test_that_a_wide_interval_of_a_program_is_told_in_its_seconds() -> None:
    result = program(1, 1.0, 4.0, 20.0)
    (doubt,) = doubts_about([result], (result,))
    assert "the trials reached 1 s/run to 20 s/run" in doubt.text


SWEEP = (program(1, 0.49, 0.5, 0.51), program(2, 0.24, 0.25, 0.26), program(4, 0.32, 0.33, 0.34))


def test_that_the_curve_is_of_seconds_and_its_lowest_point_is_to_be_used() -> None:
    figure = throughput_figure(SWEEP, advise(SWEEP))
    assert (figure.metric.title, figure.unit) == ("Time per run", "seconds")
    (curve,) = figure.curves
    values = [one.value for one in curve.points]
    assert values == pytest.approx([0.5, 0.25, 0.333], rel=0.01)
    assert all(one.low < one.value < one.high for one in curve.points)
    assert curve.recommended == 2
    assert figure.metric.text(values[1], "run") == "250 ms/run"


def test_that_of_many_curves_the_fastest_are_drawn() -> None:
    several = [
        building.good(
            building.spec("command", threads=at, parameters={"level": level}), 9.0 - level
        )
        for level in range(8)
        for at in (1, 2)
    ]
    figure = throughput_figure(several)
    assert {curve.name for curve in figure.drawn} == {f"level {level}" for level in range(5)}


def test_that_the_report_leads_with_it() -> None:
    chapter = Chapter(title="zstd", results=SWEEP)
    page = render_report(Report(title="x", chapters=(chapter,)))
    assert "Time per run by threads" in page
    assert "Throughput by threads" not in page


def test_that_the_newest_figure_is_the_time_of_a_run_so_far() -> None:
    def moment(at: float, done: int) -> Moment:
        return Moment(
            at=at, operations=(done,), cpu=(), bytes=0, errors=0, wrong=0, p50=0, p99=0, reading=None
        )  # fmt: skip

    tile = LiveFigure.all()[0]
    assert (tile.title(), tile.title("command")) == ("Throughput", "Time per run")
    before, now = moment(2.0, 4), moment(2.1, 4)
    assert tile.text(tile.value(now, before)) == "0/s"
    assert tile.text(tile.value(now, before, "command"), "command") == "525 ms"
    assert tile.value(moment(0.1, 0), None, "command") is None


def test_that_a_change_within_trials_is_told_in_it() -> None:
    of = building.spec("command")
    done = [
        round(100 * min(place / 10, 5) + 200 * max(place / 10 - 5, 0)) for place in range(1, 101)
    ]
    moments = tuple(
        Moment(
            at=place / 10, operations=(count,), cpu=(round(place * 1e7),), bytes=0, errors=0,
            wrong=0, p50=0, p99=0, reading=building.reading(place / 10),
        )
        for place, count in enumerate(done, 1)
    )  # fmt: skip
    trials = [building.trial(of, index=i, seconds=10.0, moments=moments) for i in range(3)]
    (doubt,) = doubts_within(building.result(of, trials))
    assert doubt.text.startswith("Time per run changed from 10.0 ms to 5.00 ms at ")


def test_that_what_was_not_measured_has_no_say_in_the_unit() -> None:
    spec = building.spec()
    read = building.result(spec, [building.trial(spec, unit="sequence")])
    stopped = building.trial(spec, outcome=Cancelled(stage="waiting"), workers=())
    assert rate_unit([building.result(spec, [stopped]), read]) == "sequences/s"
