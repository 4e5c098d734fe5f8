"""Operations whose truth is known, measured by real trials: every face tells it, or nothing."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Sequence
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

import pytest
import rigged_truths as truths
from page import Page

from core.judge import (
    typical,
)
from core.judge.comparison import compare
from core.language import show_seconds
from core.measure import Cancel, describe_environment
from core.run.engine import run
from core.tell.exchange import format_named
from core.tell.report.page import render_report
from core.tell.report.report_content import Chapter, Report
from core.tell.tables.result_tables import summarise, tabulate_trials
from core.vocabulary import (
    METRICS,
    Completed,
    Dataset,
    Load,
    Plan,
    Result,
    RunSpec,
    TrialEnded,
    VerdictKind,
    build,
    collect,
    open_dataset,
    values_of,
)

QUANTILES = {name: METRICS[name].quantile or 0.0 for name in ("p50", "p99", "p999")}

pytestmark = pytest.mark.slow

NEAR = 0.05
OWN = 800  # ns that an operation takes beyond what its own clock sees: its call and its record
ERRORS = 5.0  # standard errors by which a share of the operations that were timed may be off


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("files")
    for number in range(truths.FILES):
        (folder / f"{number:03}").write_bytes(b"x")
    return open_dataset(folder)


def spec(data: Dataset, record: Path | None = None, **wishes: Any) -> RunSpec:
    usual: dict[str, Any] = {
        "operations": 2000,
        "duration": 0,
        "warm_up": 0.05,
        "deadline": 280,
        "stall": 120,
    }
    load = {name: wishes.pop(name) for name in list(wishes) if name in Load.__annotations__}
    parameters = build(truths.TruthParameters, wishes | {"record": str(record or "")})
    return RunSpec(
        workload="rigged_truths:Truth",
        version=1,
        parameters=values_of(parameters),
        load=build(Load, usual | load),
        dataset=data,
    )


def measured(specs: Sequence[RunSpec], repeats: int = 1) -> tuple[Result, ...]:
    cancel = Cancel()
    try:
        events = run(Plan(title="truth", specs=tuple(specs), repeats=repeats), cancel)
        trials = [event.trial for event in events if isinstance(event, TrialEnded)]
    finally:
        cancel.close()
    assert {type(trial.outcome) for trial in trials} == {Completed}, trials
    return collect(specs, trials, describe_environment(), {})


class Told:
    """One result of one trial, with what its operations saw themselves."""

    def __init__(self, result: Result, took: array[int]) -> None:
        self.result = result
        (self.trial,) = result.trials
        self._took = took

    def own(self, share: float) -> float:
        """Seconds within which that share of the operations ended by their own clocks."""
        place = min(max(ceil(share * len(self._took)) - 1, 0), len(self._took) - 1)
        return self._took[place] / 1e9

    def near(self, quantile: float, slack: float = 0.0) -> tuple[float, float]:
        """Where a percentile lies that rests on as many operations as were timed."""
        latencies = self.trial.latencies
        assert latencies is not None
        error = ERRORS * (quantile * (1 - quantile) / latencies.sample) ** 0.5 + slack
        low, high = self.own(quantile - error), self.own(quantile + error)
        return low * (1 - NEAR), high * (1 + NEAR) + OWN / 1e9


@cache
def _told(data: Dataset, folder: Path, operation: str, threads: int, operations: int) -> Told:
    path = folder / f"{operation}.bin"
    (result,) = measured(
        [spec(data, path, operation=operation, threads=threads, operations=operations)]
    )
    return Told(result, truths.recorded(path))


CASES = {
    "uniform": (1, 200_000),
    "stalling": (1, 200_000),
    "bimodal": (4, 2000),
    "sleeping": (4, 1200),
}


@pytest.fixture(params=CASES)
def told(request: pytest.FixtureRequest, data: Dataset, tmp_path_factory: Any) -> Told:
    return _told(data, tmp_path_factory.getbasetemp(), request.param, *CASES[request.param])


def test_that_a_percentile_is_the_true_one_or_absent(told: Told) -> None:
    for quantile in QUANTILES.values():
        value = told.trial.latency(quantile)
        low, high = told.near(quantile)
        assert value is None or low <= value <= high, (quantile, value, low, high)
    assert told.trial.latency(0.5) is not None


def test_that_the_window_s_figures_over_time_are_true_or_absent(told: Told) -> None:
    # Each look is at a part of the trial, which the machine may have disturbed.
    for moment in told.trial.moments:
        for value, least, most in ((moment.p50, 0.0, 0.999), (moment.p99, 0.5, 1.0)):
            low, high = told.own(least) * (1 - NEAR), told.own(most) * (1 + NEAR) + OWN / 1e9
            assert not value or low <= value / 1e9 <= high, (moment, low, high)


def test_that_every_face_tells_the_same(told: Told) -> None:
    trial, results = told.trial, [told.result]
    stream = io.BytesIO()
    format_named("csv").export(results, stream)
    (row,) = csv.DictReader(io.StringIO(stream.getvalue().decode()))
    report = Report(title="truth", chapters=(Chapter(title="truth", results=(told.result,)),))
    titles, line = Page(render_report(report)).table("Trials in the order").rows
    table, trials = summarise(results), tabulate_trials(results)
    for name, quantile in QUANTILES.items():
        value = trial.latency(quantile)
        text = "–" if value is None else show_seconds(value)
        assert row[f"{name}_seconds"] == ("" if value is None else repr(value))
        assert line[titles.index({"p999": "p99.9"}.get(name, name))] == text
        assert trials.column(name)[0].text == text
        assert name == "p999" or table.column(name)[0].text == text


@pytest.mark.parametrize("operation", ["bimodal", "sleeping"])
def test_that_the_rate_is_the_true_one(
    data: Dataset, tmp_path_factory: Any, operation: str
) -> None:
    threads, operations = CASES[operation]
    told = _told(data, tmp_path_factory.getbasetemp(), operation, threads, operations)
    mean = sum(truths.recorded(Path(str(told.result.spec.parameters["record"])))) / operations
    # All workers sleep at once; what one waits between two operations is a matter of the machine.
    assert told.trial.operations == operations
    assert told.trial.throughput is not None
    assert told.trial.throughput <= threads * 1e9 / mean * (1 + NEAR)


def test_that_one_wrong_result_in_ten_thousand_is_counted_wherever_it_is(data: Dataset) -> None:
    (result,) = measured([spec(data, wrong=True, operations=5 * truths.WRONG)])
    (trial,) = result.trials
    assert (trial.wrong, trial.operations) == (5, 5 * truths.WRONG)
    assert trial.throughput is None
    assert summarise([result]).column("wrong")[0].value == 5


def test_that_files_are_counted_as_they_are_open(data: Dataset, tmp_path: Path) -> None:
    (result,) = measured(
        [spec(data, tmp_path / "took", operation="sleeping", holds="files", operations=60)]
    )
    (trial,) = result.trials
    assert trial.most_dataset_fds == truths.FILES
    assert trial.most_fds is not None
    assert trial.most_fds > truths.FILES


def test_that_memory_is_told_as_it_is_held(data: Dataset, tmp_path: Path) -> None:
    (result,) = measured(
        [spec(data, tmp_path / "took", operation="sleeping", holds="memory", operations=60)]
    )
    (trial,) = result.trials
    assert trial.peak_rss == pytest.approx(trial.baseline_rss + truths.HELD, rel=NEAR)
    assert trial.most_anonymous == pytest.approx(
        trial.baseline_rss + truths.HELD, abs=NEAR * truths.HELD + trial.baseline_rss
    )


def test_that_no_comparison_calls_the_slower_one_faster(data: Dataset, tmp_path: Path) -> None:
    stalling, uniform = measured(
        [
            spec(data, tmp_path / name, operation=name, operations=100_000)
            for name in ("stalling", "uniform")
        ],
        repeats=5,
    )
    # The one that stalls takes 1.6 µs as a rule, the other one 4.3 µs.
    assert (typical(stalling, "p50") or 0) < (typical(uniform, "p50") or 0)
    for metric in ("p50", "p99"):
        assert compare(stalling, uniform, metric=metric).kind is not VerdictKind.FASTER
        assert compare(uniform, stalling, metric=metric).kind is not VerdictKind.SLOWER
