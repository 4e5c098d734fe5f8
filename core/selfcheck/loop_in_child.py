"""The measuring loop against a bare one, in the process that `core.selfcheck.cost` starts.

The worker is the one of real trials, with its slot in a shared block that the parent reads, a queue
to claim from, timing, histogram and verification.  Only its cursor differs: between two claims, a
bare loop performs as many items with the same callables.  So the two take turns of about 20 ms
each, and disturbances of the machine hit both.

The time of a worker's turn comes from the worker's own clock, on which throughput is based.  It
runs while operations are performed and claimed, and stops while items are taken, results weighed,
kept and released, and counters updated.  The bare loop's clock runs from its first operation to its
last.

On several threads an operation lets go of the GIL once, as a read does.  Where it does so 16 times,
threads often meet at the GIL, and how long they wait depends on which comes back when: one look at
the clock for each operation already makes a bare loop slower.  A loop that knows how long
operations take cannot do without that look, so the bare loop has it too in this case, and only in
this one.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from time import perf_counter_ns
from typing import Any
from zlib import crc32

import msgspec

from core.measure import (
    Count,
    Cursor,
    Queue,
    Share,
    SharedCounters,
    Worker,
    perform_bare,
    self_cost,
)
from core.vocabulary import Job, Step, Weight

_LISTED = 100_000
_PAIRS = 100
_ROOM_FOR_RESULTS = 16 * 2**20
_WARM_UP = 300_000_000  # ns
_GROUP = 100_000_000  # ns of the bare loop in one ratio: longer than any cost takes to recur
_ENDLESS = 2**62


class LoopCase(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of operation: its time, its number of steps, and the number of threads."""

    nanoseconds: int
    steps: int = 1
    threads: int = 1
    pairs: bool = False
    """Whether items are pairs for a function written in C, as the shortest operations are."""
    handovers: int = 1
    """How many times a step lets go of the GIL, if it takes more than some microseconds."""


class LoopTask(msgspec.Struct, frozen=True, kw_only=True):
    """The order to this process: the case, how long, and where its telemetry goes."""

    case: LoopCase
    seconds: float
    block: int


class LoopGroup(msgspec.Struct, frozen=True):
    """Nanoseconds of some turns of both loops over the same number of operations."""

    bare: int
    harness: int
    operations: int


class LoopTimes(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of this process."""

    groups: list[LoopGroup]
    self_cost: float
    batch: int


class Checksums(Job[Any, bytes | int]):
    """Operations that compute for a given time.

    Like reads, they let go of the GIL where they take more than some microseconds.
    """

    def __init__(self, case: LoopCase) -> None:
        if case.pairs:
            data = _data_for(case.nanoseconds)
            # Only a few, because fetching many from memory would take longer than the call.
            pairs = [(data, place) for place in range(_PAIRS)]
            self.items: Sequence[Any] = pairs * (_LISTED // _PAIRS)
            self._steps: tuple[Step, ...] = (
                Step("step 0", lambda pair: crc32(*pair), spread=crc32),
            )
            return
        self.items = list(range(_LISTED))
        compute = _computing(case.nanoseconds // case.steps, case.handovers)
        self._steps = tuple(Step(f"step {place}", compute) for place in range(case.steps))

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield self._steps

    def check(self, item: Any, result: bytes | int) -> str:
        digest = result.to_bytes(4) if isinstance(result, int) else result
        return "" if len(digest) == 4 else "not a checksum"

    def weigh(self, results: Sequence[bytes | int]) -> Weight:
        return Weight(len(results), 4 * len(results))


def _data_for(nanoseconds: int) -> memoryview:
    """Bytes whose checksum takes at least that long, including the call."""
    data = bytes(16)
    while min(_time_of(partial(crc32, data), 0) for _ in range(100)) < nanoseconds:
        data += bytes(8)
    return memoryview(data)


def _computing(nanoseconds: int, handovers: int) -> Callable[[Any], bytes]:
    """A function that takes at least that long, in so many calls of equal length."""
    size = 100
    while True:
        compute = _checksum_of(memoryview(bytes(size)), handovers)
        took = min(_time_of(compute) for _ in range(100))
        if took >= nanoseconds:
            return compute
        size += size // 50 + 1 + int(size * 0.9 * (nanoseconds / took - 1))


def _checksum_of(data: memoryview, times: int) -> Callable[[Any], bytes]:
    def once(_: Any) -> bytes:
        return crc32(data).to_bytes(4)

    def several(_: Any) -> bytes:
        for _ in range(times - 1):
            crc32(data)
        return crc32(data).to_bytes(4)

    return once if times == 1 else several


def _time_of(compute: Callable[[Any], Any], item: Any = None) -> int:
    begun = perf_counter_ns()
    for _ in range(10):
        compute(item)
    return (perf_counter_ns() - begun) // 10


class InterruptedWorker(Worker):
    """A worker that does not notice how long it was kept waiting for a claim."""

    def resume(self, away: int) -> None:
        """Go on as if those nanoseconds had not passed."""
        self._flushed += away


class TakingTurns:
    """A cursor that lets a bare loop perform the items it hands out.

    The order is bare 1, harness 1, harness 2, bare 2, bare 3, …, so each goes first equally often.
    Items for the bare loop are fetched with the clock stopped, those for the worker are not.
    """

    def __init__(
        self,
        cursor: Cursor,
        worker: InterruptedWorker,
        *,
        checks: bool = False,
        looks: bool = False,
        plain: Callable[[Any], Any] | None = None,
    ) -> None:
        self._checks, self._looks, self._plain = checks, looks, plain
        self._cursor, self._worker, self._items = cursor, worker, worker.job.items
        self._waiting: list[range] = []
        self._claims = 0
        self._bare: list[tuple[int, int]] = []
        self._harness: list[int] = []
        self._resumed = self._paused = 0

    def claim(self, count: int) -> range:
        """The next positions of the cursor; the time since the last ones was the harness's."""
        claimed = self._cursor.claim(count)
        interrupted, paused = perf_counter_ns(), self._worker.paused
        if self._claims:
            self._harness.append(interrupted - self._resumed - (paused - self._paused))
        self._claims += 1
        self._waiting.append(claimed)
        if self._claims % 2:
            self._bare += [(self._bare_turn(one), len(one)) for one in self._waiting]
            self._waiting.clear()
        self._paused, self._resumed = paused, perf_counter_ns()
        self._worker.resume(self._resumed - interrupted)
        return claimed

    def _bare_turn(self, positions: Sequence[int]) -> int:
        items = [self._items[position % len(self._items)] for position in positions]
        if self._checks:
            return self._checked_turn(items)
        steps = self._worker.steps if self._plain is None else (Step("plain", self._plain),)
        begun = perf_counter_ns()
        (_perform_and_sample if self._looks else perform_bare)(steps, items)
        return perf_counter_ns() - begun

    def _checked_turn(self, items: Sequence[Any]) -> int:
        job, performs, took = self._worker.job, [step.perform for step in self._worker.steps], 0
        for item in items:
            begun = perf_counter_ns()
            value = item
            for perform in performs:
                value = perform(value)
            took += perf_counter_ns() - begun
            for fault in job.faults(item, value):
                raise ValueError(fault.text)
        return took

    def groups(self) -> list[LoopGroup]:
        """Turns of both over the same items, in groups long enough for every recurring cost."""
        groups: list[LoopGroup] = []
        bare = harness = operations = 0
        # The last turns of one have no counterpart.
        for (of_bare, count), of_harness in zip(self._bare, self._harness, strict=False):
            bare, harness, operations = bare + of_bare, harness + of_harness, operations + count
            if bare >= _GROUP:
                groups.append(LoopGroup(bare, harness, operations))
                bare = harness = operations = 0
        return groups


def _perform_and_sample(steps: Sequence[Step], items: Sequence[Any]) -> None:
    (step,), clock = steps, perf_counter_ns
    perform = step.perform
    for item in items:
        perform(item)
        clock()


def measure(task: LoopTask) -> LoopTimes:
    """Warm up as a trial does, then let both loops take turns on every thread."""
    block = SharedCounters(task.block, task.case.threads)
    looks = task.case.handovers > 1
    groups, workers = take_turns(Checksums(task.case), block, task.seconds, looks=looks)
    return LoopTimes(
        groups=groups,
        self_cost=self_cost(workers[0]),
        batch=max(block.slot(index)[Count.BATCH] for index in range(block.slots)),
    )


def take_turns(  # noqa: PLR0913 -- a job, and what it is held against
    job: Job[Any, Any],
    block: SharedCounters,
    seconds: float,
    *,
    checks: bool = False,
    looks: bool = False,
    plain: Callable[[Any], Any] | None = None,
) -> tuple[list[LoopGroup], Sequence[Worker]]:
    """Both loops over a job's items, on as many threads as the block has slots.

    With `checks` the bare loop looks at each result too before it goes on, with its clock stopped;
    with `looks` it reads the clock after each operation, which then has one step.
    The bare loop performs `plain` in place of the job's own steps, where that is given.
    A thread that fails leaves no groups, and `threading.excepthook` tells of it.
    """
    lock, everybody = threading.Lock(), threading.Barrier(block.slots)
    workers: list[Worker] = []
    taking_turns: list[TakingTurns] = []

    def live(index: int) -> None:
        with job.worker(index) as steps:
            room = _ROOM_FOR_RESULTS // block.slots
            worker = InterruptedWorker(job, steps, block.slot(index), block.words, room)
            workers.append(worker)
            worker.run(Share(0, 1, _ENDLESS), perf_counter_ns() + _WARM_UP)
            worker.reset()
            queue = Queue(block, _ENDLESS, lock, alone=True)
            turns = TakingTurns(queue, worker, checks=checks, looks=looks, plain=plain)
            taking_turns.append(turns)
            everybody.wait()
            worker.run(turns, perf_counter_ns() + round(1e9 * seconds))

    threads = [threading.Thread(target=live, args=(index,)) for index in range(block.slots)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [group for turns in taking_turns for group in turns.groups()], workers


if __name__ == "__main__":
    times = measure(msgspec.json.decode(sys.argv[1], type=LoopTask))
    sys.stdout.buffer.write(msgspec.json.encode(times))
