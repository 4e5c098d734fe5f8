"""What the declared metrics tell of a moment; a workload's own counters are metrics too."""

from __future__ import annotations

import csv
import io

import building
import msgspec
import pytest

from core.judge import (
    Limits,
    Point,
    limit_terms,
    typical,
)
from core.judge.comparison import compare
from core.language import UsageError
from core.tell.exchange import format_named
from core.tell.tables.result_tables import summarise, tabulate_trials
from core.vocabulary import (
    METRICS,
    Result,
    VerdictKind,
    counter_metric,
    limited,
    live_plots,
    workloads,
)

pytestmark = pytest.mark.quick

MOMENT = msgspec.structs.replace(
    building.trial(building.spec(threads=2)).moments[5],
    operations=(30, 40),
    cpu=(3, 4),
    bytes=350,
    p50=2_000_000,
    p99=0,
    rate=7.0,
    byte_rate=35.0,
)


def test_that_each_plot_has_its_curves() -> None:
    curves = {plot: [live.curve for _, live in shown] for plot, shown in live_plots().items()}
    assert curves == {
        "Throughput": ["operations", "bytes/s"],
        "Latency": ["p50", "p99"],
        "Open files": ["all", "dataset"],
        "Memory": ["resident", "anonymous", "file-backed"],
        "CPU per worker": [""],
    }


def test_that_a_curve_is_read_from_a_moment_in_the_unit_of_its_metric() -> None:
    """A percentile that was not resolved is none, and what a kernel does not tell is none."""
    read = {
        metric.key: live.of(MOMENT) for shown in live_plots().values() for metric, live in shown
    }
    assert read == {
        "throughput": 70, "byte_rate": 350, "p50": 0.002, "p99": None, "fds": 20,
        "dataset_fds": 12, "peak_rss": 64 << 20, "anonymous": 32 << 20, "file_backed": 32 << 20,
        "cores_used": (3, 4),
    }  # fmt: skip
    unseen = msgspec.structs.replace(MOMENT, reading=None)
    sampled = [*live_plots()["Open files"], *live_plots()["Memory"]]
    assert {live.of(unseen) for _, live in sampled} == {None}


def test_that_what_grows_has_the_rate_that_moments_know() -> None:
    growing = [live for shown in live_plots().values() for _, live in shown if live.grows]
    assert [live.rate(MOMENT) for live in growing if live.rate] == [7.0, 35.0]
    assert len(growing) == 2


def test_that_limits_are_named_by_what_they_limit_and_allow_a_day_or_a_petabyte() -> None:
    limits = {metric.key: metric.limit for metric in limited() if metric.limit}
    assert {key: (limit.term, limit.name, limit.high) for key, limit in limits.items()} == {
        "p90": ("most_p90", "p90", 86_400.0),
        "p99": ("most_p99", "p99", 86_400.0),
        "longest": ("longest_operation", "longest operation", 86_400.0),
        "fds": ("most_files", "open files", 2**31),
        "peak_rss": ("most_memory", "memory", 2**50),
        "cpu_each": ("most_cpu_time", "CPU time", 86_400.0),
    }


def written(rate: float, each: float, workload: str = "command") -> Result:
    """Of runs that write so many bytes each."""
    of = building.spec(workload, parameters={"level": round(rate)})
    trials = [building.trial(of, index=index, rate=rate) for index in range(6)]
    counted = [
        msgspec.structs.replace(
            one,
            counters={"bytes written": each * one.operations, "CPU seconds": each * one.operations},
        )
        for one in trials
    ]
    return building.result(of, counted)


def test_that_a_fast_setting_does_not_write_more_only_because_it_runs_more() -> None:
    results = [written(10.0, 4096), written(1000.0, 4096)]
    table, trials = summarise(results), tabulate_trials(results)
    assert [cell.text for cell in table.column("bytes written")] == ["4.0 KiB", "4.0 KiB"]
    assert {cell.value for cell in trials.column("bytes written")} == {4096.0}
    title = next(one.title for one in table.columns if one.key == "bytes written")
    assert title == "Bytes written per operation"


@pytest.mark.parametrize(
    ("name", "workload", "title"),
    [
        ("windows", "tiles", "Windows per second"),
        ("retries", "transfer", "Retries per operation"),
        ("requests a pass", "sparse-remote", "Requests a pass"),
        ("nobody declares it", "raw", "Nobody declares it"),
    ],
)
def test_that_a_counter_is_told_per_what_its_workload_declares(
    name: str, workload: str, title: str
) -> None:
    of = building.spec(workload)
    trial = msgspec.structs.replace(building.trial(of), counters={name: 600.0})
    metric = counter_metric(name, workload)
    assert metric.title == title
    over = {"Windows per second": trial.elapsed, "Retries per operation": trial.operations}
    assert metric.of(trial) == pytest.approx(600.0 / (over.get(title, 1) or 0))


def test_that_files_for_other_programs_have_counters() -> None:
    results = [written(10.0, 1.5), written(1000.0, 1.5)]
    for form in ("csv", "parquet", "openmetrics", "json"):
        stream = io.BytesIO()
        format_named(form).export(results, stream)
        if form == "csv":
            rows = csv.DictReader(io.StringIO(stream.getvalue().decode()))
            assert {row["counter.bytes written per operation"] for row in rows} == {"1.5"}
        if form == "openmetrics":
            told = 'counter="CPU seconds",per="operation"} 1.5'
            assert stream.getvalue().decode().count(told) == 2


def test_that_settings_are_compared_by_a_counter_with_a_direction() -> None:
    lean, lavish = written(10.0, 1.0), written(20.0, 2.0)
    assert typical(lavish, "CPU seconds") == 2.0
    verdict = compare(lean, lavish, metric="CPU seconds")
    assert verdict.kind is VerdictKind.SLOWER
    assert "is higher in CPU seconds per operation than" in verdict.sentence
    with pytest.raises(UsageError, match="bytes written"):
        compare(lean, lavish, metric="bytes written")


def test_that_workloads_agree_on_which_way_a_counter_is_better() -> None:
    every = [counter for entry in workloads().values() for counter in entry.counters]
    assert len({(one.name, one.better) for one in every}) == len({one.name for one in every})


def test_that_every_metric_with_a_limit_is_a_term_and_is_held_against_it() -> None:
    terms = {kind.name: kind for kind in limit_terms(search=False)}
    for metric in limited():
        assert metric.limit is not None
        assert metric.better == "less"
        allowed = Limits.of({metric.limit.term: terms[metric.limit.term].high})  # type: ignore[union-attr]
        assert allowed.most == {metric.key: metric.limit.high}
        point = Point(threads=1, throughputs=(1.0,), costs={metric.key: 3.0})
        assert Limits(most={metric.key: 2.0}).broken_by(point).endswith(metric.limit.name)
        assert not Limits(most={metric.key: 4.0}).broken_by(point)
    assert {one.key for one in limited()} == {
        "p90", "p99", "longest", "fds", "peak_rss", "cpu_each",
    }  # fmt: skip


def test_that_the_longest_operation_is_told_only_where_each_was_timed() -> None:
    trial = building.trial(building.spec())
    longest = METRICS["longest"].of(trial)
    p99 = trial.latency(0.99)
    assert longest is not None
    assert p99 is not None
    assert longest >= p99
    few = tuple(msgspec.structs.replace(one, timed_squares=10**9, timed=5) for one in trial.workers)
    assert METRICS["longest"].of(msgspec.structs.replace(trial, workers=few)) is None
