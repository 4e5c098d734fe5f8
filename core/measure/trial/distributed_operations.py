"""Operations with parts in processes that are no children of the trial, such as Spark's.

There `OperationPart.performed` lets threads run a job's steps with the engine's own loop, on a
block of counters of its own, and returns the contents of the block.  In the trial's child
`DistributedOperations` times the operation as a whole, and tells the parts' time apart.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

import msgspec

from core.measure.machine.machine_name import machine_name
from core.measure.trial.counters import Count, Queue, SharedCounters
from core.measure.trial.operation_timer import Complaints
from core.measure.trial.worker import Worker
from core.vocabulary import Complaint, Histogram, Job, merged, percentile

_ROOM = 16 * 2**20  # bytes of results held back for verification


class OperationPart(msgspec.Struct, frozen=True, kw_only=True):
    """The work of one process's threads for one operation of a trial."""

    machine: str
    begun: int
    """In ns of that machine's monotonic clock, which all its processes share."""
    ended: int
    """When everything was verified."""
    active: int
    """Nanoseconds of the thread that worked longest, without verification."""
    operations: int
    bytes: int
    buckets: Sequence[int]
    """Buckets of the latencies of its operations, as in `Histogram`."""
    counts: Sequence[int]
    complaints: tuple[Complaint, ...]

    @staticmethod
    def performed(job: Job[Any, Any], threads: int) -> OperationPart:
        """All items of a job, performed and verified once by so many threads of this process.

        Raises what the job raises outside an operation.
        """
        return _Pool(job, threads).perform()

    @property
    def latencies(self) -> Histogram:
        """How many of its operations took how long."""
        return Histogram(self.buckets, self.counts)


@dataclass(frozen=True)
class WholeOperation:
    """One operation and its parts; times in ns."""

    parts: Sequence[OperationPart]
    took: int

    @property
    def inside(self) -> int:
        """For how long some part worked or verified."""
        return _covered((part.machine, part.begun, part.ended) for part in self.parts)

    @property
    def verifying(self) -> int:
        """By how much the parts would have ended earlier without verification."""
        working = ((part.machine, part.begun, part.begun + part.active) for part in self.parts)
        return self.inside - _covered(working)


class DistributedOperations:
    """Times operations as a whole and adds up their parts, since the last `rewind`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.rewind()

    def rewind(self) -> None:
        self.seconds = 0.0
        """Seconds of the operations as a whole, without verification."""
        self.inside = 0.0
        """Seconds in which some part worked, without verification."""
        self.verifying = 0.0
        """Seconds that the parts took longer because they verified."""
        self._latencies: Histogram | None = None

    def perform(self, ask: Callable[[], Sequence[OperationPart]]) -> WholeOperation:
        """Time one operation, which `ask` has performed elsewhere."""
        begun = perf_counter_ns()
        parts = ask()
        whole = WholeOperation(parts, perf_counter_ns() - begun)
        with self._lock:
            self.seconds += (whole.took - whole.verifying) / 1e9
            self.inside += (whole.inside - whole.verifying) / 1e9
            self.verifying += whole.verifying / 1e9
            before = () if self._latencies is None else (self._latencies,)
            self._latencies = merged((*before, *(part.latencies for part in parts)))
        return whole

    def latency(self, percent: float) -> float | None:
        """A percentile of the parts' operations in seconds; None without operations."""
        latency = percentile(self._latencies, percent) if self._latencies is not None else None
        return None if latency is None else latency.value / 1e9


class _Pool:
    """Threads that take the items of one job from one queue."""

    def __init__(self, job: Job[Any, Any], threads: int) -> None:
        self._job, self._threads = job, threads
        self._block = block = SharedCounters.unshared(threads)
        self._queue = Queue(block, len(job.items), threading.Lock(), alone=True)
        self._meeting = threading.Barrier(threads, action=self._begin)
        self._ended = threading.Barrier(threads)
        self._complaints = Complaints()
        self._lock = threading.Lock()
        self._begun = 0

    def _begin(self) -> None:
        self._begun = perf_counter_ns()

    def perform(self) -> OperationPart:
        with ThreadPoolExecutor(self._threads, thread_name_prefix="part") as pool:
            running = [pool.submit(self._guarded, index) for index in range(self._threads)]
        broken = [error for one in running if (error := one.exception()) is not None]
        for error in broken:
            if not isinstance(error, threading.BrokenBarrierError):
                raise error
        ended = perf_counter_ns()
        slots = self._block.counts()
        latencies = Histogram.of(self._block.latencies())
        return OperationPart(
            machine=machine_name(),
            begun=self._begun,
            ended=ended,
            active=max(
                slot[Count.ENDED] - slot[Count.STARTED] - slot[Count.PAUSED] for slot in slots
            ),
            operations=sum(slot[Count.OPERATIONS] for slot in slots),
            bytes=sum(slot[Count.BYTES] for slot in slots),
            buckets=tuple(latencies.buckets),
            counts=tuple(latencies.counts),
            complaints=tuple(self._complaints.by_kind.values()),
        )

    def _guarded(self, index: int) -> None:
        try:
            self._work(index)
        except BaseException:
            self._meeting.abort()  # or the others would wait for ever
            self._ended.abort()
            raise

    def _work(self, index: int) -> None:
        with ExitStack() as resources:
            steps = resources.enter_context(self._job.worker(index))
            words, head = self._block.slot(index), self._block.words
            room, alone = _ROOM // self._threads, self._threads == 1
            worker = Worker(self._job, steps, words, head, room, alone=alone)
            self._meeting.wait()
            worker.run(self._queue)
            self._ended.wait()  # nobody verifies while others are at work
            worker.verify()
            with self._lock:
                self._complaints.merge(worker.complaints)


def _covered(times: Iterable[tuple[str, int, int]]) -> int:
    """The ns covered by these times (machine, start, end), on the machine with most."""
    by_machine: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for machine, start, end in times:
        by_machine[machine].append((start, end))
    return max((_union(sorted(each)) for each in by_machine.values()), default=0)


def _union(times: Sequence[tuple[int, int]]) -> int:
    covered, until = 0, 0
    for start, end in times:
        covered += max(0, end - max(start, until))
        until = max(until, end)
    return covered
