"""Where the workers of a process wait while another setting has the turn.

Several settings are alive at once and take turns; only the workers of one of them run.  The others
wait here, before they claim more work: an operation always ends before its worker waits, and
belongs to the turn in which it began.

A worker's clock stands still while it waits: its start moves by the time it waited, as if there had
been no wait.  So every figure from that clock (throughput, shares of verification, times to the
first and the last end) means the same as in a trial in one piece.
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
        self._woke = self._paused = self._done = 0
        self._early = False

    def over(self, now: int, each: int) -> bool:
        """Whether the turn is over for a worker whose next operation takes `each` ns."""
        return now + each // 2 >= self._head[Head.TURN_END]

    def room(self, now: int, each: int) -> int:
        """Operations that fit into the rest of the turn, at least one.

        With more, workers would end their turns a chunk apart, and the last would run alone.
        """
        return max(1, (self._head[Head.TURN_END] - now) // max(each, 1))

    def wait(self, since: int) -> int:
        """Wait for the next turn with the clock stopped since `since`; returns for how many ns."""
        words = self._words
        words[Count.ENDED] = since
        words[Count.STATE] = State.WAITING
        self._gate.wait()
        self._woke = now = perf_counter_ns()
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
        self._paused, self._done = words[Count.PAUSED], self._performed
        self._early = True
        return waited

    def look(self, now: int) -> None:
        """Called after some operations: note the work of the turn's first half once it is over.

        Compared with the rest it shows what is special to the start of turns, such as cold caches:
        half of a turn, because some of it takes a few ms to pass and some of it many.
        """
        if self._early and 2 * (now - self._woke) >= self._head[Head.TURN_LENGTH]:
            self._early = False
            words = self._words
            words[Count.EARLY_TIME] += now - self._woke - (words[Count.PAUSED] - self._paused)
            words[Count.EARLY_ITEMS] += self._performed - self._done

    @property
    def _performed(self) -> int:
        done: int = self._words[Count.ITEMS] + self._words[Count.ERRORS]
        return done
