"""The harness's own cost per operation.

That is what the loop takes for a job that does nothing, minus a bare loop; or, where a client with
threads of its own moves the operations, what the meter takes that it tells of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from operator import is_
from time import perf_counter_ns
from typing import Any

from core.catalog.workload import Job, Step, Weight
from core.trial.counters import HEADER, SLOT, Block, Share
from core.trial.meters import Meters, Tallies
from core.trial.worker import Worker

_TOLD = 1000
"""Operations that a meter is told of to find out what it takes."""


def _nothing(item: object) -> object:
    return item


class _Nothing(Job[object, object]):
    """A job whose operation costs nothing but its call."""

    def __init__(self, items: Sequence[object]) -> None:
        self.items = items

    def worker(self, index: int) -> AbstractContextManager[tuple[Step, ...]]:
        raise AssertionError("the probe has its steps already")

    def check(self, item: object, result: object) -> str:
        return ""

    def weigh(self, results: Sequence[object]) -> Weight:
        return Weight(len(results), 0)


class _Probe(Worker):
    """A worker at the pace of another, its model, on a job that does nothing.

    It makes calls as the model does: if the model spreads its items, the probe spreads pairs over a
    function written in C.
    """

    def __init__(self, model: Worker, count: int) -> None:
        spread = model.steps[0].spread is not None
        pairs = list(zip(range(count), range(count), strict=True))
        items: Sequence[object] = pairs if spread else list(range(count))
        steps = tuple(
            Step(step.name, _nothing, spread=is_ if spread else None) for step in model.steps
        )
        words, head = (
            memoryview(bytearray(8 * SLOT)).cast("q"),
            memoryview(bytearray(8 * HEADER)).cast("q"),
        )
        super().__init__(_Nothing(items), steps, words, head, room=2**30, alone=model.alone)
        self._chunk, self._alive = model.pace, model._alive
        self._singles.use(model._singles.every)
        if model._performer.batched:
            self._performer.batch()

    def _pace(self, performed: int, took: int) -> None:
        """Keep the model's pace."""


def perform_bare(steps: Sequence[Step], items: Sequence[Any]) -> None:
    """The loop to compare with: the same calls and nothing else."""
    if len(steps) == 1:
        perform, spread = steps[0].perform, steps[0].spread
        if spread is not None:
            for item in items:
                spread(*item)
            return
        for item in items:
            perform(item)
        return
    performs = [step.perform for step in steps]
    for item in items:
        value = item
        for perform in performs:
            value = perform(value)


def own_cost(worker: Worker, meters: Meters) -> float:
    """Nanoseconds the harness adds to an operation: the loop of this worker, or its job's meter."""
    if worker.job.metered:
        return meter_cost(together=meters.together)
    return self_cost(worker)


def self_cost(worker: Worker) -> float:
    """Nanoseconds the loop adds to an operation at this worker's pace, the best of 5."""
    count = min(20_000, max(200, 20 * worker.pace))
    harness, bare = [], []
    for _ in range(5):
        probe = _Probe(worker, count)
        begun = perf_counter_ns()
        probe.run(Share(0, 1, count))
        middle = perf_counter_ns()
        perform_bare(probe.steps, probe.job.items)
        harness.append(middle - begun - probe.paused)
        bare.append(perf_counter_ns() - middle)
    # The best of each: a disturbance of one would count as a cost, or hide it.
    return max(0.0, (min(harness) - min(bare)) / count)


def meter_cost(*, together: bool) -> float:
    """Nanoseconds a meter takes for an operation that it is told of, the best of 5.

    `together`: of many at once.
    """
    block = Block.unshared(1)
    tallies = Tallies(block, 0, 1)
    tallies.counting = True
    took = []
    for _ in range(5):
        meters = Meters(block, 0, 1, tallies)
        meter = meters.of(0)
        begun = perf_counter_ns()
        if together:
            times = [(meter.begin(), meter.end(), 0) for _ in range(_TOLD)]
            meter.done_all(times)
        else:
            for _ in range(_TOLD):
                meter.done(meter.begin())
        meters.flush()
        took.append(perf_counter_ns() - begun)
    return min(took) / _TOLD
