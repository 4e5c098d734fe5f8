"""Where the workers of a process wait while another setting has the turn.

Several settings are alive at once and take turns; only the workers of one of them run.  The others
wait here, before they claim more work: an operation always ends before its worker waits, and
belongs to the turn in which it began.

A worker's clock stands still while it waits: its start moves by the time it waited, as if there had
been no wait.  So every figure from that clock (throughput, shares of verification, times to the
first and the last end) means the same as in a trial in one piece.

A turn can begin with a run-in, which is work as any other, but left out of the throughput
(`core.execution.slice_lengths` says why).
"""

from __future__ import annotations

import threading
from time import perf_counter_ns

from core.trial.counters import Count, Head, State


class Gate:
    """The main thread opens it for each turn; it closes after the last worker's return.

    Nobody polls: a process without the turn does not slow down the one that has it.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._changed = threading.Condition()
        self._turn = self._waiting = self._left = 0
        self._open = self._released = self._broken = False

    # For the main thread.

    def give(self) -> None:
        """Let all waiting workers begin a turn."""
        with self._changed:
            self._turn += 1
            self._waiting = 0
            self._open = True
            self._changed.notify_all()

    def returned(self) -> bool:
        """Wait until all workers wait or have left; returns whether any can have another turn."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._broken or self._waiting + self._left >= self._workers
            )
            self._open = False
            return not self._broken and self._left < self._workers

    def release(self) -> None:
        """Let everybody go; nobody waits from now on."""
        with self._changed:
            self._released = True
            self._changed.notify_all()

    # For the workers.

    def wait(self) -> None:
        """Wait for the next turn."""
        with self._changed:
            seen = self._turn
            self._waiting += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._released or self._turn > seen)

    def leave(self, *, broken: bool = False) -> None:
        """A worker has done all its work, or is `broken`."""
        with self._changed:
            self._left += 1
            self._broken = self._broken or broken
            self._changed.notify_all()

    # For observers.

    @property
    def open(self) -> bool:
        """Whether a turn is in progress."""
        return self._open or self._released

    def until_open(self) -> None:
        """Wait until a turn is in progress."""
        with self._changed:
            self._changed.wait_for(lambda: self._open or self._released)


class Passage:
    """One worker's passage through the gate, and what it writes into its slot about it."""

    def __init__(self, gate: Gate, words: memoryview, head: memoryview) -> None:
        self._gate = gate
        self._words = words
        self._head = head
        self._woke = self._paused = 0
        self._planned = self._run_in = self._half = 0
        self._before: tuple[int, ...] = ()

    def over(self, now: int, each: int) -> bool:
        """Whether the turn is over for a worker whose next operation takes `each` ns."""
        return now + each // 2 >= self._head[Head.TURN_END]

    def room(self, now: int, each: int) -> int:
        """Operations that fit into the rest of the turn, or of its run-in; at least one.

        With more, workers would end their turns a chunk apart, and the last would run alone.
        """
        end = self._run_in or self._head[Head.TURN_END]
        return max(1, (end - now) // max(each, 1))

    def wait(self, since: int) -> int:
        """Wait for the next turn with the clock stopped since `since`.

        Returns by how many ns the worker's end moves: by the wait and the turn's run-in.
        """
        words = self._words
        words[Count.ENDED] = since
        words[Count.STATE] = State.WAITING
        self._gate.wait()
        now = perf_counter_ns()
        if not self._head[Head.TURN_END]:
            # The turn's time runs from here: if cores are scarce, waking up takes long.
            # Other workers may write it at the same moment, with about the same value.
            self._head[Head.TURN_END] = now + self._head[Head.TURN_LENGTH]
        waited = now - since
        words[Count.STARTED] += waited
        if words[Count.MARKED]:
            words[Count.MARKED] += waited
        words[Count.ENDED] = 0
        words[Count.STATE] = State.RUNNING
        self._planned = self._left_of_run_in(now)
        self._run_in = now + self._planned if self._planned else 0
        self._begin_half(now)
        return waited + self._planned

    def _left_of_run_in(self, now: int) -> int:
        """The run-in is over for all workers at once; one that woke late has little of it."""
        head = self._head
        if not (run_in := head[Head.RUN_IN]):
            return 0
        return max(0, head[Head.TURN_END] - head[Head.TURN_LENGTH] + run_in - now)

    def look(self, now: int) -> int:
        """Called after some operations: note the work of the run-in and of the first half after it.

        The first half, compared with the rest, shows what is special to the start of turns, such as
        cold caches: half of a turn, because some of it takes a few ms to pass and some of it many.
        Returns by how many ns more the worker's end moves, because its run-in took longer.
        """
        if self._run_in:
            return self._end_run_in(now) if now >= self._run_in else 0
        if self._half and now >= self._half:
            self._half = 0
            words = self._words
            words[Count.EARLY_TIME] += self._active(now)
            words[Count.EARLY_ITEMS] += self._performed - self._before[1]
        return 0

    def _begin_half(self, now: int) -> None:
        """What counts of the turn begins, or its run-in."""
        words, head = self._words, self._head
        self._woke = now
        self._half = now + (head[Head.TURN_LENGTH] - head[Head.RUN_IN]) // 2
        self._paused = words[Count.PAUSED]
        self._before = words[Count.OPERATIONS], self._performed, words[Count.BYTES]

    def _end_run_in(self, now: int) -> int:
        words, late = self._words, now - self._run_in
        self._run_in = 0
        if late > self._head[Head.RUN_IN]:
            # One operation was longer than all of it.  If that was left out each time, as on a
            # server that has become slow, the trial would never end.
            return -self._planned
        did = words[Count.OPERATIONS], self._performed, words[Count.BYTES]
        words[Count.RUN_IN_TIME] += self._active(now)
        for count, after, before in zip(_IN_RUN_IN, did, self._before, strict=True):
            words[count] += after - before
        self._begin_half(now)
        return late

    def _active(self, now: int) -> int:
        """How long the worker's clock has run since the turn or its counted part began."""
        active: int = now - self._woke - (self._words[Count.PAUSED] - self._paused)
        return active

    @property
    def _performed(self) -> int:
        done: int = self._words[Count.ITEMS] + self._words[Count.ERRORS]
        return done


_IN_RUN_IN = (Count.RUN_IN_OPERATIONS, Count.RUN_IN_ITEMS, Count.RUN_IN_BYTES)
