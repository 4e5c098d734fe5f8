"""The live counts of one process in the slots of its workers: tallies and meters; their cost.

Tallies are a workload's own counts; meters are counts by clients with threads of their own.  They
count only while the clock runs: not while the job is opened, while it warms up, or while results
are verified.

The harness's own cost per operation is what the loop takes for a job that does nothing, minus a
bare loop; or, where a client with threads of its own moves the operations, what the meter takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from operator import is_
from threading import Lock
from time import perf_counter_ns
from typing import Any

from core.measure.trial.counters import (
    COUNTS,
    MOST_TALLIES,
    NOTE,
    TALLIED,
    TALLIES,
    Count,
    Head,
    Share,
    SharedCounters,
    doubles,
)
from core.measure.trial.operation_timer import Complaints
from core.measure.trial.worker import Worker
from core.vocabulary import BUCKETS, Fault, Job, Meter, Step, Tally, Weight, bucket_of


class Tallies:
    """The tallies of the workers of one process, whose slots begin at `first`."""

    def __init__(self, block: SharedCounters, first: int, workers: int) -> None:
        self.counting = False
        """Whether the clock runs."""
        self.places: dict[str, int] = {}
        """The word of each declared tally."""
        self._slots = [_SlotTally(self, block.slot(first + index)) for index in range(workers)]

    def declare(self, names: Sequence[str]) -> None:
        """The names, once the job is open; raises TypeError for too many or repeated ones."""
        if len(names) > MOST_TALLIES or len(set(names)) < len(names):
            raise TypeError(
                f"a job has at most {MOST_TALLIES} tallies, each of another name, "
                f"not {', '.join(names)}"
            )
        self.places = {name: TALLIES + index for index, name in enumerate(names)}

    def of(self, index: int) -> Tally:
        return self._slots[index]

    def place_of(self, name: str) -> int:
        """The word in which a tally is kept; raises TypeError for one that was not declared."""
        if name not in self.places:
            raise TypeError(f"{name!r} is not among the tallies of the job")
        return self.places[name]


class _SlotTally:
    """The tallies of one worker; the threads of its client add to them too."""

    def __init__(self, tallies: Tallies, words: memoryview) -> None:
        self._tallies = tallies
        self._words = doubles(words)
        self._lock = Lock()

    def add(self, name: str, by: float = 1) -> None:
        tallies = self._tallies
        if not tallies.counting:
            return
        word = tallies.places.get(name) or tallies.place_of(name)
        by = TALLIED if by == 1 else round(by * TALLIED)
        self._lock.acquire()  # a word has one writer at a time; `with` takes three times as long
        try:
            self._words[word] += by
        finally:
            self._lock.release()


# As plain numbers: a name of an enumeration is looked up each time.
_OPERATIONS, _ITEMS, _BYTES = int(Count.OPERATIONS), int(Count.ITEMS), int(Count.BYTES)
_UNVERIFIED = int(Count.UNVERIFIED)
_TIMED, _TIMED_SQUARES = int(Count.TIMED), int(Count.TIMED_SQUARES)
_HELD_BACK = 80_000_000  # ns until latencies are sorted in; the parent looks every 100 ms
_NO_LATENCIES = bytes(8 * BUCKETS)


class Meters:
    """The meters of the workers of one process, whose slots begin at `first`."""

    def __init__(self, block: SharedCounters, first: int, workers: int, tallies: Tallies) -> None:
        self._slots = [_SlotMeter(block, first, index, tallies) for index in range(workers)]

    def of(self, index: int) -> Meter:
        return self._slots[index]

    def flush(self) -> None:
        """Sort in the latencies that are held back; when the clock has stopped."""
        for slot in self._slots:
            slot.flush()

    @property
    def together(self) -> bool:
        """Whether clients report many operations at once."""
        return any(slot.together for slot in self._slots)

    def complaints(self) -> Complaints:
        complaints = Complaints()
        for slot in self._slots:
            complaints.merge(slot.complaints)
        return complaints


class _SlotMeter:
    """The meter of one worker, called from the threads of its client.

    The worker writes none of these words meanwhile: it waits for its step.
    """

    def __init__(self, block: SharedCounters, first: int, index: int, tallies: Tallies) -> None:
        self.complaints = Complaints()
        self._head = block.words
        self._words = block.slot(first + index)
        self._buckets = self._words[COUNTS:-NOTE]
        self._tallies = tallies
        self.count = tallies.of(index).add
        self.together = False
        """Whether the client reports many operations at once."""
        self._single = True
        """Whether every operation so far began at a known time and was a single one."""
        self._took: list[int] = []
        """Latencies in ns that are not among the buckets yet."""
        self._due = 0
        """When they are sorted in, in ns; the first ones at once."""
        self._lock = Lock()

    @property
    def stopping(self) -> bool:
        return bool(self._head[Head.STOP])

    begin = end = staticmethod(perf_counter_ns)

    def moved(self, size: int) -> None:
        if self._tallies.counting:
            with self._lock:
                self._words[_BYTES] += size

    def done(self, begun: int, operations: int = 1, size: int = 0) -> None:
        now = perf_counter_ns()
        if not self._tallies.counting:
            return
        words = self._words
        self._lock.acquire()  # with `with` it takes three times as long
        try:
            # First: in a process that dies here, no unverified work may count as verified.
            words[_UNVERIFIED] += 1
            words[_OPERATIONS] += operations
            words[_ITEMS] += 1
            if size:
                words[_BYTES] += size
            if self._single:
                if operations == 1 and begun:
                    self._took.append(now - begun)
                    if now >= self._due:
                        self._due = now + _HELD_BACK
                        self._sort_in()
                else:
                    self._forget_latencies()
        finally:
            self._lock.release()

    def done_all(self, ended: Sequence[tuple[int, int, int]]) -> None:
        if not ended or not self._tallies.counting:
            return
        self.together = True
        words, count = self._words, len(ended)
        size = sum(moved for _, _, moved in ended)
        took = [end - begun for begun, end, _ in ended if begun]
        with self._lock:
            words[_UNVERIFIED] += count  # first, as above
            words[_OPERATIONS] += count
            words[_ITEMS] += count
            words[_BYTES] += size
            if not self._single:
                return
            if len(took) < count:
                self._forget_latencies()
                return
            self._took += took
            now = perf_counter_ns()
            if now >= self._due:
                self._due = now + _HELD_BACK
                self._sort_in()

    def flush(self) -> None:
        """Sort in the latencies that are held back."""
        with self._lock:
            self._sort_in()

    def _sort_in(self) -> None:
        words, took = self._words, self._took
        for bucket in map(bucket_of, took):
            self._buckets[bucket] += 1
        words[_TIMED] += len(took)
        words[_TIMED_SQUARES] += len(took)
        took.clear()

    def _forget_latencies(self) -> None:
        """Single operations among others say nothing about the others."""
        self._single = False
        self._took.clear()
        self._buckets[:] = memoryview(_NO_LATENCIES).cast("q")
        self._words[Count.TIMED] = self._words[Count.TIMED_SQUARES] = 0

    def failed(self, fault: Fault) -> None:
        if not self._tallies.counting:
            return
        with self._lock:
            self._words[Count.WRONG if fault.wrong_data else Count.ERRORS] += 1
            self.complaints.add_fault(fault)


_COUNTED = 1000
"""Operations that a meter counts to find out its cost."""


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
        block = SharedCounters.unshared(1)
        super().__init__(
            _Nothing(items), steps, block.slot(0), block.words, room=2**30, alone=model.alone
        )
        self._chunk, self._alive = model.pace, model._alive
        self._singles.time_one_in(model._singles.every)
        if model._timer.batched:
            self._timer.batch()

    def _pace(self, performed: int, took: int, cpu: int) -> None:
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
    # The best of each: a disturbance of one would count as a cost, or hide it.  Where the bare loop
    # was slower, the cost is too small to be seen.
    return max(0.0, (min(harness) - min(bare)) / count)


def meter_cost(*, together: bool) -> float:
    """Nanoseconds a meter takes to count an operation, the best of 5.

    `together`: many operations at once.
    """
    block = SharedCounters.unshared(1)
    tallies = Tallies(block, 0, 1)
    tallies.counting = True
    took = []
    for _ in range(5):
        meters = Meters(block, 0, 1, tallies)
        meter = meters.of(0)
        begun = perf_counter_ns()
        if together:
            times = [(meter.begin(), meter.end(), 0) for _ in range(_COUNTED)]
            meter.done_all(times)
        else:
            for _ in range(_COUNTED):
                meter.done(meter.begin())
        meters.flush()
        took.append(perf_counter_ns() - begun)
    return min(took) / _COUNTED
