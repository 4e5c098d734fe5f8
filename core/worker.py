"""The measuring loop: one worker thread claims items, performs them and holds the clock.

Each operation is timed on its own until operations prove shorter than 20 µs; from then on
they are timed in batches of about half a millisecond, because a clock pair alone costs a tenth of
a short operation.  Chunks are claimed so that claiming, checking the stop flag and counting
happen some hundred times a second only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from time import perf_counter_ns, thread_time_ns
from typing import TYPE_CHECKING, Any

import numpy as np

from core.histogram import bucket_of, count_into
from core.result import Complaint
from core.telemetry import COUNTS, HEADER, SLOT, Count, Cursor, Head, Share, State
from core.texts import said
from core.workload import Job, Step, Weight

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHORT = 20_000  # ns; below this an operation is timed together with others
_CHUNK_TIME = 5_000_000  # ns of work claimed at once when each operation is timed
_BATCH_TIME = 500_000  # ns of work timed at once when operations are short
_MOST_IN_CHUNK = 100_000
_FLUSH_AT = 4096  # latencies held back before they are put into buckets …
_FLUSH_TIME = 50_000_000  # … and ns for which they are
_FEW = 24  # latencies that are put into buckets faster one by one than by numpy
_KINDS_OF_COMPLAINT = 20
_NEVER = 2**62


@dataclass
class Complaints:
    """What went wrong in operations, by kind, with counts and the first case of each."""

    found: dict[tuple[bool, str], Complaint] = field(default_factory=dict)

    def add(
        self, *, wrong_data: bool, text: str, item: object, count: int = 1, kind: str = ""
    ) -> None:
        """Count one more; cases that differ only in numbers are one kind."""
        key = (wrong_data, kind or re.sub(r"\d+", "#", text)[:120])
        if key not in self.found and len(self.found) >= _KINDS_OF_COMPLAINT:
            key = (wrong_data, "")
            text = "other"
        before = self.found.get(key)
        self.found[key] = Complaint(
            wrong_data=wrong_data,
            text=before.text if before else text[:500],
            count=count + (before.count if before else 0),
            first_item=before.first_item if before else repr(item)[:200],
        )

    def merge(self, other: Complaints) -> None:
        """Count another worker's complaints too."""
        for (wrong, kind), one in other.found.items():
            self.add(
                wrong_data=wrong, text=one.text, item=one.first_item, count=one.count, kind=kind
            )


@dataclass
class Kept:
    """Results held back for verification after the run, and how much room is left for more."""

    room: int
    results: list[tuple[Sequence[Any], Sequence[Any]]] = field(default_factory=list)

    def keep(self, items: Sequence[Any], results: Sequence[Any], size: int) -> bool:
        """Hold these back if there is room."""
        needed = size + 100 * len(results)  # a rough cost of the objects themselves
        if needed > self.room:
            return False
        self.room -= needed
        self.results.append((items, results))
        return True


class Worker:
    """One thread's loop over one job; lives through warm-up and measurement."""

    def __init__(
        self,
        job: Job[Any, Any],
        steps: tuple[Step, ...],
        words: memoryview,
        head: memoryview,
        room: int,
    ) -> None:
        self.job = job
        self.complaints = Complaints()
        self.kept = Kept(room)
        self._room = room
        self._steps = steps
        self._perform = steps[0].perform
        self._words = words
        self._head = head
        self._buckets: NDArray[np.int64] = np.frombuffer(words[COUNTS:], np.int64)
        self._latencies: list[int] = []
        self._chunk = 1
        self._most = job.held or _MOST_IN_CHUNK
        self._batched = False
        self._marked = False
        self._cpu_at_start = 0
        self._flushed = 0

    @property
    def steps(self) -> tuple[Step, ...]:
        """The phases of one operation."""
        return self._steps

    def reset(self) -> None:
        """Forget what was counted (not the pace that was found)."""
        self.complaints = Complaints()
        self.kept = Kept(self._room)
        self._latencies.clear()
        self._buckets[:] = 0
        for word in range(COUNTS):
            self._words[word] = 0
        self._marked = False

    @property
    def paused(self) -> int:
        """Nanoseconds spent on verification between batches."""
        return self._words[Count.PAUSED]

    def run(self, cursor: Cursor, until: int, *, counted: bool = True) -> None:
        """Perform claimed items until there are none, the clock says `until`, or the stop flag is up.

        The end of a run that is not `counted` (the warm-up) does not concern the other workers.
        """
        words, head, clock = self._words, self._head, perf_counter_ns
        self._cpu_at_start = thread_time_ns()
        words[Count.STATE] = State.RUNNING
        now = clock()
        words[Count.STARTED] = now
        while now < until and not head[Head.STOP]:
            claimed = cursor.claim(self._chunk)
            if not claimed:
                break
            items = self._take(claimed)
            begun = clock()
            done, results = self._work(items)
            now = clock()
            self._count(done, results, len(items), begun, now)
            if head[Head.DRAINING] and not self._marked:
                self._mark()
        self._end(counted)

    def verify_kept(self) -> int:
        """Judge the results that were held back; returns the nanoseconds it took."""
        begun = perf_counter_ns()
        for items, results in self.kept.results:
            self._verify(items, results)
        self.kept.results.clear()
        return perf_counter_ns() - begun

    # One chunk: take its items, perform them, count what came of it.

    def _take(self, claimed: Sequence[int]) -> Sequence[Any]:
        items, size = self.job.items, len(self.job.items)
        first = claimed[0] % size
        in_a_row = isinstance(claimed, range) and claimed.step == 1 and first + len(claimed) <= size
        if in_a_row and isinstance(items, list | tuple):
            return items[first : first + len(claimed)]
        return [items[position % size] for position in claimed]

    def _work(self, items: Sequence[Any]) -> tuple[Sequence[Any], list[Any]]:
        """Perform the items in order; returns those that succeeded and their results."""
        results: list[Any] = []
        waiting = iter(items)
        if self._batched:
            attempt = self._attempt_batch
        else:
            attempt = self._attempt_steps if len(self._steps) > 1 else self._attempt_each
        failed: list[int] = []
        while True:
            try:
                attempt(waiting, results)
                if len(results) + len(failed) < len(items):
                    raise StopIteration  # an operation's, which `map` took for its own end
            except Exception as error:  # noqa: BLE001 -- a reader may raise anything: a result
                place = len(results) + len(failed)
                failed.append(place)
                self.complaints.add(
                    wrong_data=False,
                    text=f"{type(error).__name__}: {said(error)}".strip(": "),
                    item=items[place],
                )
            else:
                break
        if not failed:
            return items, results
        self._words[Count.ERRORS] += len(failed)
        lost = set(failed)
        return [item for place, item in enumerate(items) if place not in lost], results

    def _attempt_batch(self, waiting: Iterator[Any], results: list[Any]) -> None:
        results.extend(map(self._perform, waiting))

    def _attempt_each(self, waiting: Iterator[Any], results: list[Any]) -> None:
        perform, clock = self._perform, perf_counter_ns
        took, got = self._latencies.append, results.append
        before = clock()
        for item in waiting:
            result = perform(item)
            now = clock()
            took(now - before)
            got(result)
            before = now

    def _attempt_steps(self, waiting: Iterator[Any], results: list[Any]) -> None:
        clock, words = perf_counter_ns, self._words
        steps = [(Count.PHASES + place, step.perform) for place, step in enumerate(self._steps)]
        for item in waiting:
            value = item
            begun = before = clock()
            for word, perform in steps:
                value = perform(value)
                now = clock()
                words[word] += now - before
                before = now
            self._latencies.append(before - begun)
            results.append(value)

    def _count(
        self, items: Sequence[Any], results: list[Any], claimed: int, begun: int, now: int
    ) -> None:
        words = self._words
        if results:
            weight = self.job.weigh(results)
            words[Count.OPERATIONS] += weight.operations
            words[Count.ITEMS] += len(results)
            words[Count.BYTES] += weight.bytes
            if self._batched:
                self._buckets[bucket_of((now - begun) // claimed)] += len(results)
            if self.job.checking == "between" or not self.kept.keep(items, results, weight.bytes):
                self._verify_between(items, results)
        if now - self._flushed >= _FLUSH_TIME or len(self._latencies) >= _FLUSH_AT:
            self._flush(now)
        self._pace(claimed, now - begun)
        words[Count.BOOKKEEPING] += perf_counter_ns() - now

    def _verify_between(self, items: Sequence[Any], results: Sequence[Any]) -> None:
        begun = perf_counter_ns()
        self._verify(items, results)
        self._words[Count.PAUSED] += perf_counter_ns() - begun

    def _verify(self, items: Sequence[Any], results: Sequence[Any]) -> None:
        check = self.job.check
        for item, result in zip(items, results, strict=True):
            complaint = check(item, result)
            if complaint:
                self._words[Count.WRONG] += 1
                self.complaints.add(wrong_data=True, text=complaint, item=item)

    def _flush(self, now: int) -> None:
        self._flushed = now
        if len(self._latencies) < _FEW:
            for latency in self._latencies:
                self._buckets[bucket_of(latency)] += 1
        else:
            count_into(np.array(self._latencies, np.int64), self._buckets)
        self._latencies.clear()
        self._words[Count.CPU] = thread_time_ns() - self._cpu_at_start

    def _pace(self, claimed: int, took: int) -> None:
        """Choose how much to claim next from how long this took."""
        each = max(took // claimed, 1)
        if len(self._steps) == 1 and not self._batched and claimed >= 8 and each < SHORT:
            self._flush(self._flushed)
            self._batched = True
        wanted = (_BATCH_TIME if self._batched else _CHUNK_TIME) // each
        grown = 2 * claimed if claimed >= self._chunk else self._chunk
        self._chunk = max(1, min(wanted, grown, self._most))
        if self._batched and claimed > self._words[Count.BATCH]:
            self._words[Count.BATCH] = claimed

    def _mark(self) -> None:
        words = self._words
        words[Count.MARKED] = perf_counter_ns()
        words[Count.MARKED_OPERATIONS] = words[Count.OPERATIONS]
        words[Count.MARKED_BYTES] = words[Count.BYTES]
        words[Count.MARKED_PAUSED] = words[Count.PAUSED]
        self._marked = True

    def _end(self, counted: bool) -> None:
        self._flush(perf_counter_ns())
        if not self._marked:
            self._mark()
        if counted:
            self._head[Head.DRAINING] = 1
        self._words[Count.ENDED] = perf_counter_ns()
        self._words[Count.STATE] = State.DONE


class _Nothing(Job[int, int]):
    """A job whose operation costs nothing but its call."""

    def __init__(self, items: range) -> None:
        self.items = items

    def worker(self, index: int) -> AbstractContextManager[tuple[Step, ...]]:
        raise AssertionError("the probe has its steps already")

    def check(self, item: int, result: int) -> str:
        return ""

    def weigh(self, results: Sequence[int]) -> Weight:
        return Weight(len(results), 0)


class _Probe(Worker):
    """A worker at another's pace, on a job that does nothing."""

    def __init__(self, model: Worker, items: range) -> None:
        steps = tuple(Step(step.name, int) for step in model._steps)
        words, head = (
            memoryview(bytearray(8 * SLOT)).cast("q"),
            memoryview(bytearray(8 * HEADER)).cast("q"),
        )
        super().__init__(_Nothing(items), steps, words, head, room=2**30)
        self._chunk, self._batched = model._chunk, model._batched

    def _pace(self, claimed: int, took: int) -> None:
        """Keep the model's pace."""


def self_cost(worker: Worker) -> float:
    """Nanoseconds the loop adds to each operation at this worker's pace, against a bare loop.

    In CPU time, because on a busy machine the wall clock says ten times as much; and the best of
    each side, because a difference of two measured together is smallest where the bare loop was
    disturbed, and then below nothing.
    """
    items = range(max(100, min(4_000, 100 * worker._chunk)))
    ours, bare = [], []
    for _ in range(5):
        probe = _Probe(worker, items)
        begun = thread_time_ns()
        probe.run(Share(0, 1, len(items)), _NEVER)
        middle = thread_time_ns()
        for item in items:
            for _ in worker._steps:
                int(item)
        ours.append(middle - begun)
        bare.append(thread_time_ns() - middle)
    return max(0.0, (min(ours) - min(bare)) / len(items))
