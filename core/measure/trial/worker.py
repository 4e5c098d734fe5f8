"""The measuring loop: one worker thread claims items, performs them and counts them.

Work is claimed in chunks of about 20 ms, so claiming and counting happen only fifty times a second:
their code is cold each time, and takes ten times as long as when it is hot.  Each operation is
timed separately until operations prove shorter than 50 µs.  From then on only a random subset is
timed (`core.measure.trial.sampled_timing`), because reading the clock twice and storing the result
costs 0.2 to 0.5 µs.  Throughput covers all operations, by the windows of
`core.measure.trial.turn_gate`.

Work for each operation is done in C rather than Python wherever possible, and work that can wait
for the end of a batch does wait; `python -m core selfcheck` compares the loop with a bare one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter_ns, thread_time_ns
from typing import Any

from core.measure.machine.processor import usable_cores
from core.measure.trial.counters import (
    COUNTS,
    ENDLESS,
    TALLIED,
    Count,
    Cursor,
    Head,
    State,
    WorkerNote,
    doubles,
)
from core.measure.trial.operation_timer import (
    Again,
    Complaints,
    HeldBack,
    OperationTimer,
    Positions,
)
from core.measure.trial.sampled_timing import Singles
from core.measure.trial.turn_gate import TurnGate, TurnTaker
from core.vocabulary import Batched, Job, Step, Weight

SHORT = 50_000  # ns; of shorter operations only a random subset is timed
_CHUNK_TIME = 20_000_000  # ns of work claimed at once
_MOST_LONGER = 5  # times as much, where several operations are in flight and end with a chunk
_MOST_IN_CHUNK = 100_000
_MOST_ALIVE = 2048  # results not checked yet, unless the job wants fewer
_OFTEN = 1_000_000  # ns; below this so many operations are timed that numpy pays off
_FLUSH_TIME = 80_000_000  # ns for which latencies are held back; the parent looks every 100 ms


class Worker:
    """One thread's loop over one job, for warm-up and measurement."""

    def __init__(  # noqa: PLR0913 -- a job, where its figures go, and how it is measured
        self,
        job: Job[Any, Any],
        steps: tuple[Step, ...],
        words: memoryview,
        head: memoryview,
        room: int,
        *,
        alone: bool = True,
    ) -> None:
        """`room`: bytes of results held back; `alone`: it is the only worker of its trial."""
        self.job = job
        self.complaints = Complaints()
        self.alone = alone
        self.verified = 0
        """Nanoseconds for which it verified in rests."""
        self._kept, self._room = HeldBack(room), room
        # Most jobs only have `check`, and calling it by itself is faster.
        self._has_faults = type(job).faults is not Job.faults
        self.steps = steps
        """The phases of one operation."""
        self._words, self._head = words, head
        self._singles = Singles(words, steps)
        self.again: Again | None = None
        """Set if results are dropped: a part of the items is performed again to compare them."""
        self._timer = self._timer_of(steps)
        self._alive = job.held or _MOST_ALIVE
        beside_others = job.checking == "between" and not alone and not job.metered
        if job.checking == "again" or beside_others:
            self._drop_results()
        self._note = WorkerNote(words)
        self._size = len(job.items)
        self._listed = isinstance(job.items, list | tuple)
        self._batched = job.items if isinstance(job.items, Batched) else None
        self._chunk, self._chunk_time = 1, _CHUNK_TIME * min(_MOST_LONGER, steps[0].in_flight)
        self.each = 0
        """Nanoseconds that an operation took recently; 0 before the first."""
        self._turn_taker: TurnTaker | None = None
        self._span = self._cpu_at_start = self._flushed = self._counting = 0
        self._claims = self._claimed = 0

    def _timer_of(
        self, steps: tuple[Step, ...], length: Callable[[Any], int] | None = None
    ) -> OperationTimer:
        return OperationTimer(
            self.job,
            (self._with_clock(steps[0]), *steps[1:]) if self.alone and steps[0].apart else steps,
            self._words,
            self._singles,
            self.complaints,
            alone=self.alone,
            length=length,
        )

    def _with_clock(self, apart: Step) -> Step:
        """The preparing step, after which the clock runs."""

        def perform(item: Any) -> Any:
            if self._turn_taker is None:
                return apart.perform(item)
            self._turn_taker.clock_stands()
            prepared = apart.perform(item)
            self._turn_taker.clock_runs()
            return prepared

        return replace(apart, perform=perform)

    def _drop_results(self) -> Again:
        """Drop results from now on, and perform a part of the items again to compare them."""
        self.again = again = Again(self.job, self.steps, self.complaints)
        before = self._timer
        self._timer = self._timer_of(again.measured, again.length)
        self._timer.took, self._timer.stopped = before.took, before.stopped
        self._timer.turn_taker = before.turn_taker
        if before.batched:
            self._timer.batch()
        if self.steps[0].at_once is None:
            self._alive = _MOST_ALIVE
        return again

    @property
    def pace(self) -> int:
        """Items in an average claim so far."""
        return max(1, round(self._claimed / max(1, self._claims)))

    def reset(self) -> None:
        """Forget the counts, but keep the pace."""
        self.complaints.by_kind.clear()
        self._kept = HeldBack(self._room)
        if self.again is not None:
            self.again.done.clear()
        self._singles.reset()
        for word in range(COUNTS):
            self._words[word] = 0
        self._claims = self._claimed = 0
        self._timer.took = self._counting = 0
        if not self._timer.batched and 0 < self.each < _OFTEN:
            import numpy  # noqa: F401 -- while the clock is stopped, because it takes a tenth of a second

    @property
    def paused(self) -> int:
        """Nanoseconds for which the clock of the trial's only worker stood still."""
        return self._words[Count.PAUSED]

    def run(self, cursor: Cursor, until: int = ENDLESS) -> None:
        """Perform claimed items until none are left, the time is `until`, or the stop flag is set.

        Without turns, as in a warm-up.
        """
        now = self._begin()
        while now < until and not self._head[Head.STOP]:
            if not (claimed := cursor.claim(self._chunk)):
                break
            now = self._work_off(claimed, until)
        self._end(perf_counter_ns())

    def run_in_turns(self, cursor: Cursor, gate: TurnGate) -> None:
        """Perform claimed items in turns until none are left, or there are no more turns."""
        head = self._head
        turn_taker = self._turn_taker = TurnTaker(gate, self._words, head, alone=self.alone)
        self._timer.turn_taker = turn_taker if self.alone else None
        # Threads that take turns on the cores see more time go by.
        self._chunk_time *= max(1, int(head[Head.WORKERS] / usable_cores()))
        now = self._begin()
        while not head[Head.STOP]:
            if turn_taker.over(now):
                self._rest(now)
                if not turn_taker.wait(now, self.verify):
                    self._words[Count.STATE] = State.DONE
                    return
                now = perf_counter_ns()
            claimed = cursor.claim(min(self._chunk, turn_taker.room(now, self._span)))
            if not claimed:
                head[Head.DRAINED] = head[Head.DRAINED] or perf_counter_ns()
                break
            now = self._work_off(claimed, ENDLESS)
        now = perf_counter_ns()
        turn_taker.leave(now)
        self._end(now)

    def _begin(self) -> int:
        self._cpu_at_start = thread_time_ns()
        self._words[Count.STATE] = State.RUNNING
        now = perf_counter_ns()
        if self.alone:
            self._words[Count.OWN] = now
        self._words[Count.STARTED] = now
        return now

    def _rest(self, now: int) -> None:
        self._flush(now)
        self._note.clear()

    def _end(self, now: int) -> None:
        self._rest(now)
        self._words[Count.ENDED] = now
        self._words[Count.STATE] = State.DONE

    def verify(self) -> None:
        """Verify the work since the last time, while nobody measures.

        Its cost is no work of the trial.
        """
        begun, cpu = perf_counter_ns(), thread_time_ns()
        for items, results in self._kept.results:
            if self.again is not None:
                self._words[Count.COMPARED] += self._operations_of(results)
            self._note_items(items)
            self._verify(items, results)
        self._kept = HeldBack(self._room)
        if self.again is not None:
            self._perform_again(self.again)
        self._note.clear()
        self._cpu_at_start += thread_time_ns() - cpu
        self.verified += perf_counter_ns() - begun

    def _operations_of(self, results: Sequence[Any]) -> int:
        """How many were repeated; a job may count what it weighs, as work of the trial."""
        if self.job.length is not None:
            return len(results)
        return self.job.weigh(results).operations if results else 0

    def _perform_again(self, again: Again) -> None:
        words, limit = self._words, self._head[Head.CHECK_TIME]
        until = perf_counter_ns() + limit if limit else ENDLESS
        most = self.job.held or _MOST_ALIVE
        if limit:  # a few parts at least fit into the time
            most = max(1, min(most, limit // 8 // again.each))
        began = perf_counter_ns()
        compared = 0
        for positions in again.drawn(most):
            items = self._take(positions)
            compared += len(items)
            self._note_items(items)
            done, results, errors = again.perform(items)
            words[Count.ERRORS] += errors
            words[Count.COMPARED] += self._operations_of(results)
            words[Count.UNVERIFIED] -= len(items) - len(results)
            self._verify(done, results)
            if perf_counter_ns() > until:
                break
        if compared:
            again.each = max(1, (perf_counter_ns() - began) // compared)
        words[Count.UNVERIFIED] = 0  # these stand for the others

    # One chunk: take its items, perform them batch by batch, count the results.

    def _work_off(self, claimed: range, until: int) -> int:
        """Perform a claimed chunk, or as much as time and stop flag allow; returns the time.

        The clock of a trial's only worker stands still from the end of one batch to the start of
        the next.  Meanwhile results are weighed, kept or verified, and released, the next items are
        taken, and all measurements are counted.  Beside others all of that is part of the window.
        """
        head, size, timer = self._head, self._alive, self._timer
        took, cpu, performed = timer.took, thread_time_ns(), 0
        entered = timer.stopped = perf_counter_ns()
        for first in range(0, len(claimed), size):
            if timer.stopped >= until or head[Head.STOP]:
                break
            positions = claimed[first : first + size]
            items = self._take(positions)
            self._note_items(items)
            done, results = timer.perform(items)
            performed += len(items)
            self._take_results(positions, items, done, results)
            timer = self._timer  # it is another one where results are dropped from now on
            del done, results  # keeping more of them would overflow the processor's cache
        begun = perf_counter_ns()
        if performed:
            self._pace(performed, timer.took - took, thread_time_ns() - cpu)
        if begun - self._flushed >= _FLUSH_TIME:
            self._flush(begun)
        now = perf_counter_ns()
        if self.alone:
            self._words[Count.PAUSED] += now - timer.stopped
        self._counting += now - begun
        if performed:
            self._span = (now - entered) // performed
        return now

    def _note_items(self, items: Sequence[Any]) -> None:
        """Note the next items, in case this process dies or stalls."""
        first = self.job.describe(items[0])
        self._note.write(first if len(items) == 1 else f"{first} and {len(items) - 1:,} more")

    def _take(self, claimed: Positions) -> Sequence[Any]:
        if self._batched is not None:
            batch = self._batched.take(claimed)
            return batch if self.steps[0].at_once is not None else list(batch)
        items, size = self.job.items, self._size
        first, last = claimed[0] % size, claimed[-1] % size
        if self._listed and isinstance(claimed, range) and last - first == claimed[-1] - claimed[0]:
            return items[first : last + 1 : claimed.step]
        return [items[position % size] for position in claimed]

    def _take_results(
        self,
        positions: range,
        items: Sequence[Any],
        done: Sequence[Any],
        results: Sequence[Any],
    ) -> None:
        job = self.job
        if job.metered:
            self._take_passes(done, results)
            return
        weight = self.again.weigh(results) if self.again is not None else job.weigh(results)
        self._count(weight, items, results)
        if self.again is not None:
            self.again.remember(positions, items, done)
        elif not results or (
            job.checking == "later" and self._kept.keep(done, results, weight.bytes)
        ):
            return
        elif job.checking == "later" and not self.alone:
            if self._turn_taker is not None and self._turn_taker.cut(self._timer.stopped):
                self._kept.keep_anyway(done, results)
            else:  # there is no room for the results of a whole window
                self._drop_results().remember(positions, items, done)
        else:
            self._verify(done, results)

    def _count(self, weight: Weight, items: Sequence[Any], results: Sequence[Any]) -> None:
        """Count the work of a batch, and its part in the window."""
        if weight.paused and self.alone:
            self._words[Count.PAUSED] += weight.paused
            self._timer.took -= weight.paused
            self._singles.shorten_waiting(weight.paused)
        turn_taker = self._turn_taker
        if turn_taker is None or turn_taker.count(
            self._timer.stopped, weight.operations, len(items), weight.bytes
        ):
            # If an item is a run of operations, its time is not that of any single one.
            self._singles.settle_waiting(single=weight.operations == len(results))
        else:
            self._singles.drop_waiting()
        words = self._words
        # First: in a process that dies here, no unverified work may count as verified.
        words[Count.UNVERIFIED] += len(results)
        words[Count.OPERATIONS] += weight.operations
        words[Count.ITEMS] += len(results)
        words[Count.BYTES] += weight.bytes

    def _take_passes(self, items: Sequence[Any], results: Sequence[Any]) -> None:
        """Verify the work of a client that counts by itself; nobody else writes these words now.

        Every fault is one operation's, since a result is that of many.
        """
        words = self._words
        self._singles.drop_waiting()
        if self._turn_taker is not None:
            self._turn_taker.go_on(self._timer.stopped)
        for item, result in zip(items, results, strict=True):
            described = self.job.describe(item)
            for one in self.job.faults(item, result):
                words[Count.WRONG if one.wrong_data else Count.ERRORS] += 1
                self.complaints.add_fault(one, described)
        words[Count.UNVERIFIED] = 0
        # A client's counts are of one window, which is as long as the trial.
        millionths = doubles(words)
        millionths[Count.WINDOW_OPERATIONS] = TALLIED * words[Count.OPERATIONS]
        millionths[Count.WINDOW_ITEMS] = TALLIED * words[Count.ITEMS]
        words[Count.WINDOW_BYTES] = words[Count.BYTES]

    def _verify(self, items: Sequence[Any], results: Sequence[Any]) -> None:
        """Compare results with the truth, and count down, so that the parent sees progress."""
        if self._has_faults:
            self._find_faults(items, results)
            return
        check, words = self.job.check, self._words
        if self.job.all_right(items, results):
            words[Count.UNVERIFIED] -= len(results)
            return
        for item, result in zip(items, results, strict=True):
            complaint = check(item, result)
            words[Count.UNVERIFIED] -= 1
            if complaint:
                words[Count.WRONG] += 1
                described = self.job.describe(item)
                self.complaints.add(wrong_data=True, text=complaint, item=described)

    def _find_faults(self, items: Sequence[Any], results: Sequence[Any]) -> None:
        """As `_verify`, where one operation can have several faults."""
        words = self._words
        for item, result in zip(items, results, strict=True):
            faults = tuple(self.job.faults(item, result))
            words[Count.UNVERIFIED] -= 1
            if not faults:
                continue
            words[Count.WRONG if any(one.wrong_data for one in faults) else Count.ERRORS] += 1
            described = self.job.describe(item)
            for one in faults:
                self.complaints.add_fault(one, described)

    def _flush(self, now: int) -> None:
        words = self._words
        self._flushed = now
        self._singles.count_kept()
        # The clock of an only worker stands still in between, and with it this.
        words[Count.CPU] = (
            words[Count.WINDOW_CPU] if self.alone else thread_time_ns() - self._cpu_at_start
        )
        active = now - words[Count.STARTED] - words[Count.PAUSED]
        paused = self._counting if self.alone else 0
        words[Count.BOOKKEEPING] = active - self._timer.took + paused

    def _pace(self, performed: int, took: int, cpu: int) -> None:
        """Choose how much to claim and to time next, by the time and the CPU time this took."""
        self._claims += 1
        self._claimed += performed
        each = self.each = max(took // performed, 1)
        if performed >= 8 and each < SHORT:
            self._timer.batch()
        grown = 2 * performed if performed >= self._chunk else self._chunk
        self._chunk = max(1, min(self._chunk_time // each, grown, _MOST_IN_CHUNK))
        if self._timer.batched:
            # Threads that wait for each other take up to as many times longer as there are of them.
            least = each // max(1, self._head[Head.WORKERS])
            self._singles.adapt_to_pace(min(each, max(cpu // performed, least)))
            batch = min(self._chunk, self._alive)
            self._words[Count.BATCH] = max(self._words[Count.BATCH], batch)
