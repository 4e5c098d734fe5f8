"""What the declared metrics tell of a moment, and in which plots that is seen."""

from __future__ import annotations

import building
import msgspec
import pytest

from core.result.metrics import limited, live_plots

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
