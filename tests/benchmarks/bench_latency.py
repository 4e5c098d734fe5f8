"""Latencies of operations of known length against a clock of one's own, within 5 %.

    python -m pytest -m benchmark tests/benchmarks/bench_latency.py

They need a machine with nothing else to do, and are not collected with the other tests.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import ceil
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

import rigged_truths as truths

from core.catalog.dataset import Dataset
from core.catalog.load import Load
from core.catalog.parameters import build, values_of
from core.catalog.registry import open_dataset
from core.execution.engine import run
from core.plan.schedule import Plan
from core.plan.spec import RunSpec
from core.result.result import Trial
from core.trial.cancel import Cancel
from core.trial.trial_events import TrialEnded

pytestmark = pytest.mark.benchmark

NEAR = 0.05
CALLS = 100_000


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    path = tmp_path_factory.mktemp("data") / "some.bin"
    path.write_bytes(b"x")
    return open_dataset(path)


def trial(data: Dataset, operation: str, **load: Any) -> Trial:
    spec = RunSpec(
        workload="rigged_truths:Truth",
        version=1,
        parameters=values_of(build(truths.TruthParameters, {"operation": operation})),
        load=build(Load, {"duration": 3.0, "warm_up": 0.2, **load}),
        dataset=data,
    )
    cancel = Cancel()
    events = run(Plan(title="truth", specs=(spec,)), cancel)
    (found,) = [event.trial for event in events if isinstance(event, TrialEnded)]
    cancel.close()
    return found


def own(operation: Callable[[int], None], calls: int) -> list[int]:
    """What calls take by a clock of one's own, the shortest first."""
    took = []
    for call in range(calls):
        begun = perf_counter_ns()
        operation(call)
        took.append(perf_counter_ns() - begun)
    return sorted(took)


@pytest.mark.parametrize("operation", ["uniform", "stalling"])
def test_that_percentiles_of_short_operations_are_true_or_absent(
    data: Dataset, operation: str
) -> None:
    took = own(truths.OPERATIONS[operation], CALLS)
    found = trial(data, operation)
    for quantile in (0.5, 0.99, 0.999):
        value = found.latency(quantile)
        true = took[ceil(quantile * CALLS) - 1] / 1e9
        sys.stderr.write(f"{operation} {quantile}: told {value}, true {true}\n")
        assert value == pytest.approx(true, rel=NEAR) or (quantile == 0.999 and value is None)


def test_that_percentiles_of_two_kinds_of_operation_are_true_or_absent(data: Dataset) -> None:
    found = trial(data, "bimodal", threads=4, duration=5.0)
    for quantile, true in ((0.5, truths.QUICK), (0.99, truths.SLOW)):
        assert found.latency(quantile) == pytest.approx(true / 1e9, rel=2 * NEAR)
    assert found.latency(0.999) in (None, pytest.approx(truths.SLOW / 1e9, rel=NEAR))


def test_that_sleeps_on_four_threads_have_their_latency_and_rate(data: Dataset) -> None:
    found = trial(data, "sleeping", threads=4)
    assert found.latency(0.5) == pytest.approx(truths.SLEEP / 1e9, rel=NEAR)
    assert found.throughput == pytest.approx(4e9 / truths.SLEEP, rel=NEAR)
