"""Where the workers of a process wait while another setting has the turn.

Several settings are alive at once and take turns; only the workers of one of them run.  The others
wait here, before they claim more work: an operation always ends before its worker waits, and
belongs to the turn in which it began.

A worker's clock stands still while it waits: its start is moved by the time it waited, as if
nothing had been in between.  So everything that is told by that clock - throughput, shares of
verification, times to the first and the last end - means what it means in a trial of one piece.
"""

from __future__ import annotations

import threading
from time import perf_counter_ns

from core.trial.counters import Count, Head, State

EARLY = 20_000_000
"""ns of a turn that are held against its rest, to tell how cold the caches are after a switch."""


class Gate:
    """Opened by the main thread for one turn after the other; closes behind the last worker.

    Nobody polls: a process without the turn costs the one that has it nothing.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._changed = threading.Condition()
        self._turn = self._waiting = self._left = 0
        self._open = self._released = self._broken = False

    # The main thread's.

    def give(self) -> None:
        """Let all who wait begin a turn."""
        with self._changed:
            self._turn += 1
            self._waiting = 0
            self._open = True
            self._changed.notify_all()

    def returned(self) -> bool:
        """Wait until everybody waits or has left; whether there is anybody to give a turn to."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._broken or self._waiting + self._left >= self._workers
            )
            self._open = False
            return not self._broken and self._left < self._workers

    def release(self) -> None:
        """Nobody is to wait any more."""
        with self._changed:
            self._released = True
            self._changed.notify_all()

    # The workers'.

    def wait(self) -> None:
        """Wait for the next turn."""
        with self._changed:
            seen = self._turn
            self._waiting += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._released or self._turn > seen)

    def leave(self, *, broken: bool = False) -> None:
        """A worker has done all its work, or `broken` off."""
        with self._changed:
            self._left += 1
            self._broken = self._broken or broken
            self._changed.notify_all()

    # For those who only look on.

    @property
    def open(self) -> bool:
        """Whether a turn goes on."""
        return self._open or self._released

    def until_open(self) -> None:
        """Wait until a turn goes on."""
        with self._changed:
            self._changed.wait_for(lambda: self._open or self._released)


class Passage:
    """One worker's way through the gate, and what it writes about it into its slot."""

    def __init__(self, gate: Gate, words: memoryview, head: memoryview) -> None:
        self._gate = gate
        self._words = words
        self._head = head
        self._woke = self._paused = self._done = 0
        self._early = False

    def over(self, now: int, each: int) -> bool:
        """Whether the turn is over for a worker whose next operation takes `each` ns."""
        return now + each // 2 >= self._head[Head.TURN_END]

    def room(self, now: int, each: int) -> int:
        """Operations that fit into the rest of the turn, at least one.

        Otherwise workers would end their turns a chunk apart, and the last run alone.
        """
        return max(1, (self._head[Head.TURN_END] - now) // max(each, 1))

    def wait(self, since: int) -> int:
        """Wait for the next turn with the clock standing still since then; for how many ns."""
        words = self._words
        words[Count.ENDED] = since
        words[Count.STATE] = State.WAITING
        self._gate.wait()
        self._woke = now = perf_counter_ns()
        if not self._head[Head.TURN_END]:
            # The turn's time runs from here: where cores are scarce it takes long to be woken.
            # Others may write it too just now, and about the same.
            self._head[Head.TURN_END] = now + self._head[Head.TURN_LENGTH]
        waited = now - since
        words[Count.STARTED] += waited
        if words[Count.MARKED]:
            words[Count.MARKED] += waited
        words[Count.ENDED] = 0
        words[Count.STATE] = State.RUNNING
        self._paused, self._done = words[Count.PAUSED], self._performed
        self._early = True
        return waited

    def look(self, now: int) -> None:
        """Some operations later: note what the turn's first part has brought."""
        if self._early and now - self._woke >= EARLY:
            self._early = False
            words = self._words
            words[Count.EARLY_TIME] += now - self._woke - (words[Count.PAUSED] - self._paused)
            words[Count.EARLY_ITEMS] += self._performed - self._done

    @property
    def _performed(self) -> int:
        done: int = self._words[Count.ITEMS] + self._words[Count.ERRORS]
        return done
