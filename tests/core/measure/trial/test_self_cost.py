"""The loop's own cost is measured on the way that operations go."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

import pytest

from core.measure import Share, SharedCounters, Worker, self_cost
from core.measure.trial.counters import ENDLESS
from core.measure.trial.meters import Meters, Tallies, meter_cost, own_cost
from core.vocabulary import Job, Step, Weight

pytestmark = pytest.mark.quick


class Dividing(Job[tuple[int, int], tuple[int, int]]):
    """Divides pairs of numbers by a function written in C."""

    items = tuple((number, 7) for number in range(1000))

    def worker(self, index: int) -> AbstractContextManager[tuple[Step, ...]]:
        raise AssertionError("tests bring their own steps")

    def check(self, item: tuple[int, int], result: tuple[int, int]) -> str:
        return "" if result == divmod(*item) else "not divided"

    def weigh(self, results: Sequence[tuple[int, int]]) -> Weight:
        return Weight(len(results), 16 * len(results))


def divided(*, spread: bool) -> Worker:
    """A worker that has found its pace."""
    block = SharedCounters.unshared(1)
    step = Step("call", lambda pair: divmod(*pair), spread=divmod if spread else None)
    worker = Worker(Dividing(), (step,), block.slot(0), block.words, 2**30)
    worker.run(Share(0, 1, 50_000), ENDLESS)
    return worker


def test_that_the_harness_knows_its_own_cost() -> None:
    assert 0.0 <= self_cost(divided(spread=False)) < 1e6


def test_that_the_own_cost_of_spread_calls_is_measured_on_their_own_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = divided(spread=True)

    def ordinary(item: object) -> object:
        raise AssertionError(f"{item} was handed on by a function written in Python")

    monkeypatch.setattr("core.measure.trial.meters._nothing", ordinary)
    assert 0.0 <= self_cost(worker) < 1e6


@pytest.mark.parametrize("together", [True, False])
def test_that_the_cost_of_a_meter_is_measured_in_the_way_that_it_is_told(
    together: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bool] = []
    flush = Meters.flush

    def seen(meters: Meters) -> None:
        told.append(meters.together)
        flush(meters)

    monkeypatch.setattr(Meters, "flush", seen)
    assert 0.0 < meter_cost(together=together) < 1e6
    assert set(told) == {together}


@pytest.mark.parametrize("metered", [True, False])
def test_that_the_cost_of_a_metered_job_is_the_meter_s_and_of_another_the_loop_s(
    metered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker, block = divided(spread=False), SharedCounters.unshared(1)
    monkeypatch.setattr(Dividing, "metered", metered)
    monkeypatch.setattr("core.measure.trial.meters.self_cost", lambda worker: 7.0)
    monkeypatch.setattr("core.measure.trial.meters.meter_cost", lambda *, together: 8.0 + together)
    meters = Meters(block, 0, 1, Tallies(block, 0, 1))
    assert own_cost(worker, meters) == (8.0 if metered else 7.0)
