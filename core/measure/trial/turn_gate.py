"""The gate where workers wait between turns, and the window that a turn measures.

All workers of a trial measure together and verify together.  Each turn has a window: it begins when
the last worker of all processes has come, after a run-in, and ends for all at the same moment.
While it lasts nobody verifies, prepares, or waits for somebody who does.  The work done in windows,
over their wall-clock time, is the throughput: clocks that stood still one by one would count
threads as if each had a core of its own.

    woken …   │ run-in │      window      │ last operations end    rest: all is verified
          all here   WINDOW_BEGIN      TURN_END

An operation, or a batch of short ones, that runs over an end of the window counts by the share that
lay inside.  The run-in is work as any other but uncounted: threads that have slept are often woken
on one core, and only after some time does the scheduler spread them.

A worker that is the only one of its trial needs no window: its own clock is that of the trial, and
stands still while it verifies.

Several settings can be alive at once; then only the workers of one have a turn, and the others wait
here.  A worker's start moves by each wait, as if there had been none.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import Enum
from time import perf_counter_ns, process_time_ns, thread_time_ns

from core.measure.machine.descendants import cpu_of_ended
from core.measure.machine.run_queue import NO_WAITS, waits_so_far
from core.measure.trial.counters import (
    ENDLESS,
    HEADER,
    SLOT,
    TALLIED,
    Count,
    Head,
    State,
    doubles,
    window_end,
)


class WakeFor(Enum):
    """Why the workers are woken."""

    TURN = "turn"
    CHECK = "check"
    END = "end"


class TurnGate:
    """The main thread opens it for each turn; it closes after the last worker's return.

    Nobody polls: a process without the turn does not slow down the one that has it.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._changed = threading.Condition()
        self._call = WakeFor.TURN
        self._calls = self._waiting = self._departed = 0
        self._open = self._broken = False

    # For the main thread.

    def give(self, call: WakeFor = WakeFor.TURN) -> None:
        """Let all waiting workers begin a turn, or verify what they hold."""
        with self._changed:
            self._call = call
            self._calls += 1
            self._waiting = 0
            self._open = call is not WakeFor.CHECK
            self._changed.notify_all()

    def returned(self) -> bool:
        """Wait until all workers wait or have left; returns whether any can have another turn."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._broken or self._waiting + self._departed >= self._workers
            )
            self._open = False
            return not self._broken and self._departed < self._workers

    def release(self) -> None:
        """Let all workers go; none waits from now on."""
        self.give(WakeFor.END)

    # For the workers.

    def wait(self) -> WakeFor:
        with self._changed:
            calls = self._calls
            self._waiting += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._call is WakeFor.END or self._calls > calls)
            return self._call

    def leave(self, *, broken: bool = False) -> None:
        """A worker has done all its work, or is `broken`."""
        with self._changed:
            self._departed += 1
            self._broken = self._broken or broken
            self._changed.notify_all()

    # For observers.

    @property
    def open(self) -> bool:
        """Whether a turn is in progress."""
        return self._open

    def until_open(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._open)


class TurnTaker:
    """One worker's way through the turns: when to stop, and its work in their windows."""

    def __init__(self, gate: TurnGate, words: memoryview, head: memoryview, *, alone: bool) -> None:
        """`alone`: it is the only worker of the trial."""
        self._gate = gate
        self._words = words
        self._doubles = doubles(words)
        self._head = head
        self._alone = alone
        self._working = False
        self._since = self._cpu = self._process_cpu = self._ended_cpu = 0
        """The time up to which its work is counted, and the CPU times of its thread, of its process
        and of the programs that this has waited for, then."""
        self._begun = 0
        """When its turn began, by its own clock."""
        self._measured = 0
        """For how many ns it was measured before this turn."""
        self._woken = 0
        """When its turn began on the wall, in ns."""
        self._waits = NO_WAITS
        """Those of its thread then."""

    def over(self, now: int) -> bool:
        """Whether the worker is to wait: not before the end, or the window would lack it."""
        return not self._working or 0 < self._head[Head.TURN_END] <= now

    def room(self, now: int, each: int) -> int:
        """Operations that fit into the rest of the turn, or of its run-in; at least one.

        With more, workers would end their turns a chunk apart, and the last would run alone.
        """
        head = self._head
        begin, end = head[Head.WINDOW_BEGIN], head[Head.TURN_END]
        if not end:
            return max(1, _UNTIL_ALL_COME // max(each, 1))
        return max(1, ((begin if now < begin else end) - now) // max(each, 1))

    def cut(self, now: int) -> bool:
        """End the turn for all workers, as there is no room for more results.

        Returns False if the window has hardly begun: it would be too short.
        """
        head = self._head
        begin = head[Head.WINDOW_BEGIN]
        if not begin or now < begin + _SHORTEST:
            return False
        head[Head.TURN_END] = min(head[Head.TURN_END], now)
        return True

    def wait(self, since: int, verify: Callable[[], None]) -> bool:
        """Wait for the next turn with the clock stopped since `since`; False = there is none.

        Calls `verify` whenever all workers are to verify their results.
        """
        words = self._words
        self.leave(since)
        words[Count.ENDED] = since
        words[Count.STATE] = State.WAITING
        while (call := self._gate.wait()) is WakeFor.CHECK:
            verify()
        if call is WakeFor.END:
            return False
        self._waits = waits_so_far()
        self._woken = now = perf_counter_ns()
        words[Count.ENDED] = 0  # first, so that a look in between sees no end before the start
        words[Count.STARTED] += now - since
        words[Count.STATE] = State.RUNNING
        self._working = True
        self._cpu = thread_time_ns()
        self._since = self._begun = self._own(now)
        self._measured = words[Count.WINDOW_TIME]
        self._come(now)
        return True

    def _own(self, now: int) -> int:
        """A time by the clock that counts: the wall clock, or the worker's own if it is alone."""
        return now - self._words[Count.PAUSED] if self._alone else now

    def _come(self, now: int) -> None:
        """The last worker to come sets the window: only from then on are all at work.

        Where cores are scarce, waking up takes long.  Two may both come last; then they set about
        the same times.
        """
        head = self._head
        if head[Head.TURN_END] or not self._all_here():
            return
        begin = now + head[Head.RUN_IN]
        head[Head.TURN_END] = min(begin + head[Head.TURN_LENGTH], ENDLESS)
        if not head[Head.DRAINED]:
            head[Head.WINDOW_BEGIN] = begin

    def _all_here(self) -> bool:
        if self._alone:
            return True
        states = self._head[HEADER + Count.STATE :: SLOT].tolist()
        here = states.count(State.RUNNING) + states.count(State.DONE)
        return here >= self._head[Head.WORKERS]

    def clock_runs(self) -> None:
        """The clock of the only worker runs from now on."""
        self._words[Count.OWN] = self._since
        self._words[Count.BEHIND] = perf_counter_ns() - self._since
        self.cpu_counts()

    def cpu_counts(self) -> None:
        """CPU time of the only worker and its process is work from now on."""
        self._ended_cpu, self._cpu = cpu_of_ended(), thread_time_ns()
        self._process_cpu = process_time_ns()  # each takes half a microsecond: here this one's last

    def go_on(self, ended: int) -> None:
        """All work up to `ended` is counted, here or by the client itself."""
        self._since = self._own(ended)
        if not self._alone:
            return
        words = self._words
        words[Count.OWN], words[Count.BEHIND] = self._since, 0
        words[Count.WINDOW_TIME] = self._measured + self._since - self._begun

    def clock_stands(self) -> None:
        """The clock of the only worker stands still: CPU time of it and its process is counted."""
        process_cpu, cpu, ended_cpu = process_time_ns(), thread_time_ns(), cpu_of_ended()
        words = self._words
        words[Count.WINDOW_CPU] += cpu - self._cpu
        words[Count.PROCESS_CPU] += process_cpu - self._process_cpu + ended_cpu - self._ended_cpu
        self._process_cpu, self._cpu, self._ended_cpu = process_cpu, cpu, ended_cpu

    def count(self, ended: int, operations: int, items: int, size: int) -> bool:
        """Count the work since the last call, which `ended` now.

        Returns whether any of it lay in the window.
        """
        begun = self._since
        self.go_on(ended)
        used = 0
        if not self._alone:
            before, self._cpu = self._cpu, thread_time_ns()
            used = self._cpu - before
        begin, end = self._window
        if not begin:
            return False
        took = max(self._since - begun, 1)
        share = (min(self._since, end) - max(begun, begin)) / took
        if share <= 0:
            return False
        words, millionths = self._words, self._doubles
        millionths[Count.WINDOW_OPERATIONS] += TALLIED * share * operations
        millionths[Count.WINDOW_ITEMS] += TALLIED * share * items
        words[Count.WINDOW_BYTES] += round(share * size)
        words[Count.WINDOW_CPU] += round(share * used)
        early = min(self._since, self._half) - max(begun, begin)
        if early > 0:
            words[Count.EARLY_TIME] += early
            millionths[Count.EARLY_ITEMS] += TALLIED * early / took * items
        return True

    @property
    def _window(self) -> tuple[int, int]:
        """Its begin and its end, by the clock that counts; 0 before there is a window."""
        if self._alone:
            return self._begun, ENDLESS
        return self._head[Head.WINDOW_BEGIN], window_end(self._head)

    @property
    def _half(self) -> int:
        """The middle of the window.  Its first half, compared with its second, shows the effects of
        the start of turns: half of it, because some effects pass in a few ms and some take many.

        A turn ends by the wall clock.  The clock of the only worker may never reach half of its
        length, because it stands still in between.
        """
        return self._own(self._head[Head.WINDOW_BEGIN] + self._head[Head.TURN_LENGTH] // 2)

    def leave(self, now: int) -> None:
        """The worker stops here, and the window's time is counted."""
        if not self._working:
            return
        self._working = False
        begin, end = self._window
        end = min(end, self._own(now))
        if self._alone:
            self._words[Count.OWN] = end
        if begin and end > begin:
            self._words[Count.WINDOW_TIME] = self._measured + end - begin
            # The whole turn's, as only its ends are looked at: a look hands the lock to others.
            window, turn, waits = end - begin, max(now - self._woken, 1), waits_so_far()
            queued = waits.queued - self._waits.queued
            times = waits.times - self._waits.times
            self._words[Count.WINDOW_QUEUED] += max(queued, 0) * window // turn
            self._words[Count.WINDOW_WAITS] += times * window // turn


_SHORTEST = 100_000_000
"""The least ns of a window that ends before its time."""
_UNTIL_ALL_COME = 5_000_000
"""Ns of work per claim while the window has no times yet."""
