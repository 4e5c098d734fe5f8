"""The measuring loop: one worker thread claims items, performs them and holds the clock.

Work is claimed in chunks of about 20 ms, so claiming and counting happen only fifty times a second:
their code is cold each time, and takes ten times as long as when it is hot.  Each operation is
timed separately until operations prove shorter than 50 µs.  From then on only a random subset is
timed (`core.trial.single_timing`), because reading the clock twice and storing the result costs 0.2
to 0.5 µs.  Throughput covers all operations: the worker's clock runs from the first operation of a
chunk to its last.

Work for each operation is done in C rather than Python wherever possible, and work that can wait
for the end of a batch does wait; `python -m core selfcheck` compares the loop with a bare one.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns, thread_time_ns
from typing import Any

from core.catalog.workload import Job, Step
from core.trial.complaints import Complaints
from core.trial.counters import COUNTS, Count, Cursor, Head, Note, State
from core.trial.gate import Gate, Passage
from core.trial.kept_results import Kept
from core.trial.performer import Performer
from core.trial.single_timing import Singles

SHORT = 50_000  # ns; of shorter operations only a random subset is timed
_CHUNK_TIME = 20_000_000  # ns of work claimed at once
_MOST_IN_CHUNK = 100_000
_MOST_ALIVE = 2048  # results not checked yet, unless the job wants fewer
_OFTEN = 1_000_000  # ns; below this so many operations are timed that numpy pays off
_FLUSH_TIME = 80_000_000  # ns for which latencies are held back; the parent looks every 100 ms


class Worker:
    """One thread's loop over one job, for warm-up and measurement."""

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
        # Most jobs only have `check`, and calling it by itself is faster.
        self._has_faults = type(job).faults is not Job.faults
        self._steps = steps
        self._words = words
        self._head = head
        self._singles = Singles(words, steps)
        self._performer = Performer(job, steps, words, self._singles, self.complaints)
        self._note = Note(words)
        self._alive = job.held or _MOST_ALIVE
        self._size, self._listed = len(job.items), isinstance(job.items, list | tuple)
        self._chunk = 1
        self._each = self._span = 0
        self._marked = False
        self._cpu_at_start = 0
        self._flushed = self._counting = 0
        self._claims = self._claimed = 0

    @property
    def steps(self) -> tuple[Step, ...]:
        """The phases of one operation."""
        return self._steps

    @property
    def pace(self) -> int:
        """Items in an average claim so far."""
        return max(1, round(self._claimed / max(1, self._claims)))

    @property
    def each(self) -> int:
        """Nanoseconds that an operation took recently; 0 before the first."""
        return self._each

    def reset(self) -> None:
        """Forget the counts, but keep the pace."""
        self.complaints.found.clear()
        self.kept = Kept(self._room)
        self._singles.reset()
        for word in range(COUNTS):
            self._words[word] = 0
        self._claims = self._claimed = 0
        self._performer.took = self._counting = 0
        self._marked = False
        if not self._performer.batched and 0 < self._each < _OFTEN:
            import numpy  # noqa: F401 -- while the clock is stopped, because it takes a tenth of a second

    def passage(self, gate: Gate) -> Passage:
        """This worker's passage through the gate where it waits for its turns."""
        return Passage(gate, self._words, self._head)

    @property
    def paused(self) -> int:
        """Nanoseconds for which the worker's clock stood still."""
        return self._words[Count.PAUSED]

    def run(
        self,
        cursor: Cursor,
        until: int,
        *,
        counted: bool = True,
        passage: Passage | None = None,
    ) -> None:
        """Perform claimed items until none are left, the time is `until`, or the stop flag is set.

        The end of a run that is not `counted` (the warm-up) does not affect the other workers.
        With a `passage` the worker waits for its turns, and each wait extends `until`, as does each
        run-in.
        """
        words, head, clock = self._words, self._head, perf_counter_ns
        self._cpu_at_start = thread_time_ns()
        words[Count.STATE] = State.RUNNING
        now = clock()
        words[Count.STARTED] = now
        while now < until and not head[Head.STOP]:
            wanted = self._chunk
            if passage is not None:
                if passage.over(now, self._span):
                    until += self._wait(passage)
                    now = clock()
                    if head[Head.STOP]:
                        break
                wanted = min(wanted, passage.room(now, self._span))
            claimed = cursor.claim(wanted)
            if not claimed:
                break
            now = self._work_off(claimed, until)
            if passage is not None:
                until += passage.look(now)
            if head[Head.DRAINING] and not self._marked:
                self._mark()
        self._end(counted)

    def _wait(self, passage: Passage) -> int:
        """Wait for the next turn; returns by how many ns that extends the run."""
        since = perf_counter_ns()
        self._flush(since)
        self._note.clear()
        waited = passage.wait(since)
        # Another worker may have ended meanwhile: from now on not all of them are active.
        if self._head[Head.DRAINING] and not self._marked:
            self._mark()
        return waited

    def verify_in_rest(self) -> int:
        """As `verify_kept`, between two turns: what it costs is no work of the trial."""
        begun = thread_time_ns()
        took = self.verify_kept()
        self._words[Count.VERIFYING] += thread_time_ns() - begun
        return took

    def verify_kept(self) -> int:
        """Verify the results that were held back; returns the nanoseconds this took."""
        begun = perf_counter_ns()
        for items, results in self.kept.results:
            self._leave_word(items)
            self._verify(items, results)
        self.kept = Kept(self._room)
        self._note.clear()
        return perf_counter_ns() - begun

    # One chunk: take its items, perform them batch by batch, count the results.

    def _work_off(self, claimed: range, until: int) -> int:
        """Perform a claimed chunk, or as much as time and stop flag allow; returns the time.

        The worker's clock stands still from the end of one batch to the start of the next.
        Meanwhile results are weighed, kept or verified, and released, the next items are taken,
        and all measurements are counted.
        """
        head, size, performer = self._head, self._alive, self._performer
        took, performed = performer.took, 0
        entered = performer.stopped = perf_counter_ns()
        for first in range(0, len(claimed), size):
            if performer.stopped >= until or head[Head.STOP]:
                break
            items = self._take(claimed[first : first + size])
            self._leave_word(items)
            done, results = performer.perform(items)
            performed += len(items)
            if results:
                self._look_at(done, results)
            del done, results  # keeping more of them would overflow the processor's cache
        begun = perf_counter_ns()
        self._words[Count.PAUSED] += begun - performer.stopped
        if performed:
            self._pace(performed, performer.took - took)
        if begun - self._flushed >= _FLUSH_TIME:
            self._flush(begun)
        now = perf_counter_ns()
        self._words[Count.PAUSED] += now - begun
        self._counting += now - begun
        if performed:
            self._span = (now - entered) // performed
        return now

    def _leave_word(self, items: Sequence[Any]) -> None:
        """Note what comes next, in case this process dies or stalls."""
        told = self.job.describe(items[0])
        self._note.write(told if len(items) == 1 else f"{told} and {len(items) - 1:,} more")

    def _take(self, claimed: range) -> Sequence[Any]:
        items, size = self.job.items, self._size
        first, last = claimed[0] % size, claimed[-1] % size
        if self._listed and last - first == claimed[-1] - claimed[0]:
            return items[first : last + 1 : claimed.step]
        return [items[position % size] for position in claimed]

    def _look_at(self, items: Sequence[Any], results: list[Any]) -> None:
        words = self._words
        if self.job.metered:
            self._look_at_passes(items, results)
            return
        weight = self.job.weigh(results)
        if weight.paused:
            self._take_off(weight.paused)
        # If an item is a run of operations, its time is not that of any single one.
        self._singles.settle(single=weight.operations == len(results))
        # Before they count as done: of a process that dies, nothing unverified counts as verified.
        words[Count.UNVERIFIED] += len(results)
        words[Count.OPERATIONS] += weight.operations
        words[Count.ITEMS] += len(results)
        words[Count.BYTES] += weight.bytes
        if self.job.checking == "between" or not self.kept.keep(items, results, weight.bytes):
            begun = thread_time_ns()
            self._verify(items, results)
            words[Count.VERIFYING] += thread_time_ns() - begun

    def _look_at_passes(self, items: Sequence[Any], results: list[Any]) -> None:
        """Verify what a client did that has counted by itself; nobody else writes these words now.

        Every fault is one operation's, since a result is that of many.
        """
        words, begun = self._words, thread_time_ns()
        self._singles.waiting.clear()
        for item, result in zip(items, results, strict=True):
            told = self.job.describe(item)
            for one in self.job.faults(item, result):
                words[Count.WRONG if one.wrong_data else Count.ERRORS] += 1
                self.complaints.add(wrong_data=one.wrong_data, text=one.text, item=one.item or told)
        words[Count.UNVERIFIED] = 0
        words[Count.VERIFYING] += thread_time_ns() - begun

    def _take_off(self, paused: int) -> None:
        """Let the worker's clock stand still for a part of the time of these results."""
        self._words[Count.PAUSED] += paused
        self._performer.took -= paused
        self._singles.take_off(paused)

    def _verify(self, items: Sequence[Any], results: Sequence[Any]) -> None:
        """Compare them with the truth, and count down, so that the parent sees that this moves."""
        if self._has_faults:
            self._find_faults(items, results)
            return
        check, words = self.job.check, self._words
        for item, result in zip(items, results, strict=True):
            complaint = check(item, result)
            words[Count.UNVERIFIED] -= 1
            if complaint:
                words[Count.WRONG] += 1
                told = self.job.describe(item)
                self.complaints.add(wrong_data=True, text=complaint, item=told)

    def _find_faults(self, items: Sequence[Any], results: Sequence[Any]) -> None:
        """As `_verify`, where one operation can have several faults."""
        words = self._words
        for item, result in zip(items, results, strict=True):
            found = tuple(self.job.faults(item, result))
            words[Count.UNVERIFIED] -= 1
            if not found:
                continue
            words[Count.WRONG if any(one.wrong_data for one in found) else Count.ERRORS] += 1
            told = self.job.describe(item)
            for one in found:
                self.complaints.add(wrong_data=one.wrong_data, text=one.text, item=one.item or told)

    def _flush(self, now: int) -> None:
        words = self._words
        self._flushed = now
        self._singles.count()
        words[Count.CPU] = thread_time_ns() - self._cpu_at_start
        active = now - words[Count.STARTED] - words[Count.PAUSED]
        words[Count.BOOKKEEPING] = active - self._performer.took + self._counting

    def _pace(self, performed: int, took: int) -> None:
        """Use the time this took to choose how much to claim and to time next."""
        self._claims += 1
        self._claimed += performed
        each = self._each = max(took // performed, 1)
        if performed >= 8 and each < SHORT:
            self._performer.batch()
        grown = 2 * performed if performed >= self._chunk else self._chunk
        self._chunk = max(1, min(_CHUNK_TIME // each, grown, _MOST_IN_CHUNK))
        if self._performer.batched:
            self._singles.pace(each)
            batch = min(self._chunk, self._alive)
            self._words[Count.BATCH] = max(self._words[Count.BATCH], batch)

    def _mark(self) -> None:
        words = self._words
        words[Count.MARKED] = perf_counter_ns()
        words[Count.MARKED_OPERATIONS] = words[Count.OPERATIONS]
        words[Count.MARKED_BYTES] = words[Count.BYTES]
        words[Count.MARKED_PAUSED] = words[Count.PAUSED]
        self._marked = True

    def _end(self, counted: bool) -> None:
        if not self._marked:
            self._mark()
        ended = perf_counter_ns()
        if counted:
            self._head[Head.DRAINING] = 1
        self._flush(ended)
        self._note.clear()
        self._words[Count.ENDED] = ended
        self._words[Count.STATE] = State.DONE
