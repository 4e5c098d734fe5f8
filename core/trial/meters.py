"""The meters of one process: what clients with threads of their own count, in the workers' slots.

Like tallies, they count only while the clock runs.  What they count is in the slot at once, so the
last moment of a trial and its totals are the same numbers.
"""

from __future__ import annotations

from threading import Lock
from time import perf_counter_ns

from core.catalog.live_counting import Meter
from core.catalog.workload import Fault
from core.result.histogram import BUCKETS, bucket_of
from core.trial.complaints import Complaints
from core.trial.counters import COUNTS, NOTE, Block, Count, Head
from core.trial.tallies import Tallies

_NO_LATENCIES = bytes(8 * BUCKETS)


class Meters:
    """The meters of the workers of one process, whose slots begin at `first`."""

    def __init__(self, block: Block, first: int, workers: int, tallies: Tallies) -> None:
        self._slots = [_SlotMeter(block, first, index, tallies) for index in range(workers)]

    def of(self, index: int) -> Meter:
        """The meter of the worker with that index."""
        return self._slots[index]

    def complaints(self) -> Complaints:
        """What failed, of all workers."""
        found = Complaints()
        for slot in self._slots:
            found.merge(slot.complaints)
        return found


class _SlotMeter:
    """The meter of one worker, called from the threads of its client.

    The worker writes none of these words meanwhile: it waits for its step.
    """

    def __init__(self, block: Block, first: int, index: int, tallies: Tallies) -> None:
        self.complaints = Complaints()
        self._head = block.words
        self._words = block.slot(first + index)
        self._buckets = self._words[COUNTS:-NOTE]
        self._tallies = tallies
        self._tally = tallies.of(index)
        self._single = True
        """Whether every operation so far began at a known time and was a single one."""
        self._lock = Lock()

    @property
    def stopping(self) -> bool:
        return bool(self._head[Head.STOP])

    def begin(self) -> int:
        return perf_counter_ns()

    def moved(self, size: int) -> None:
        if self._tallies.counting:
            with self._lock:
                self._words[Count.BYTES] += size

    def done(self, begun: int, operations: int = 1) -> None:
        took = perf_counter_ns() - begun
        if not self._tallies.counting:
            return
        words = self._words
        with self._lock:
            # Before it counts as done: of a process that dies, nothing unverified is verified.
            words[Count.UNVERIFIED] += 1
            words[Count.OPERATIONS] += operations
            words[Count.ITEMS] += 1
            if self._single and (operations != 1 or not begun):
                self._forget_latencies()
            if self._single:
                words[Count.TIMED] += 1
                words[Count.TIMED_SQUARES] += 1
                self._buckets[bucket_of(took)] += 1

    def _forget_latencies(self) -> None:
        """Single operations among others say nothing about the others."""
        self._single = False
        self._buckets[:] = memoryview(_NO_LATENCIES).cast("q")
        self._words[Count.TIMED] = self._words[Count.TIMED_SQUARES] = 0

    def failed(self, fault: Fault) -> None:
        if not self._tallies.counting:
            return
        with self._lock:
            self._words[Count.WRONG if fault.wrong_data else Count.ERRORS] += 1
            self.complaints.add(wrong_data=fault.wrong_data, text=fault.text, item=fault.item)

    def count(self, tally: str, by: float = 1) -> None:
        self._tally.add(tally, by)
