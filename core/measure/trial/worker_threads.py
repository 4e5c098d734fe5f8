"""The worker threads of a child: how they meet, and whether they wait for the interpreter's lock.

While workers run, a separate thread wakes four times a second and asks for the lock.  If the
workers spend their time outside it, in system calls or in libraries that release it, it has it
within microseconds.  If one of them always holds it, it has it only after the switch interval, when
the interpreter takes it away.  From outside the process this looks like waiting for another lock,
and on a busy machine also like waiting for a core: that part is subtracted.  Looks are counted and
their waits are not summed, because a holder that itself waits for a core makes a single wait long,
but not every second one.

A worker that holds the lock has to hand it over, and then waits for a core itself: beside other
programs that keep the cores busy, such as the server of a client that is measured, a look costs it
some 2 ms.  So there are few: one soon after the clock has started, so that a short trial has one
too, then four a second.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from time import perf_counter_ns
from typing import TYPE_CHECKING

from core.measure.machine.run_queue import RunQueue
from core.measure.machine.shortages import shortage
from core.measure.trial.counters import Count
from core.measure.trial.turn_gate import TurnGate

if TYPE_CHECKING:
    from core.measure.trial.worker import Worker


class Meeting(Enum):
    """Where the main thread and all workers wait for each other, in this order."""

    OPEN = "open"
    """All have opened what they need: else those that warm up would delay the others' start."""
    WARM = "warm"
    """All workers are warm: the main thread sends Ready."""
    ENDED = "ended"
    """All have done their work: the main thread sends ClockStopped."""
    CLOSING = "closing"
    """The parent has said Close: the workers verify."""
    VERIFIED = "verified"
    """All is verified: the main thread looks at what was written."""
    RELEASE = "release"
    """The main thread has sent Verified: the workers close their handles."""


class WorkerGroup:
    """The worker threads, and their meetings with the main thread."""

    def __init__(self, count: int) -> None:
        self.workers: list[Worker] = []
        self.gate = TurnGate(count)
        self._threads: list[threading.Thread] = []
        self._barrier = threading.Barrier(count + 1, self._compare)
        self._named: list[Meeting] = []
        """The meeting of each thread that waits."""
        self._broken: list[BaseException] = []
        self.shortage = ""
        """The shortage that broke a worker, with its remedy."""
        self._count = count

    def start(self, live: Callable[[int], None]) -> None:
        def guarded(index: int) -> None:
            try:
                live(index)
            except threading.BrokenBarrierError:
                pass  # another worker broke, and the main thread raises its error
            except BaseException as error:  # noqa: BLE001 -- raised again by the main thread
                # Now: the others close what they have open once the barrier is broken.
                self.shortage = self.shortage or shortage(error)
                self._broken.append(error)
                self._barrier.abort()
                self.gate.leave(broken=True)

        self._threads = [
            threading.Thread(target=guarded, args=(index,), name=f"worker {index}", daemon=True)
            for index in range(self._count)
        ]
        for thread in self._threads:
            thread.start()

    def wait(self, meeting: Meeting) -> None:
        """Wait for all threads at this meeting; raises the error of a worker."""
        self._named.append(meeting)
        try:
            self._barrier.wait()
        except threading.BrokenBarrierError:
            if self._broken and threading.current_thread() is threading.main_thread():
                raise self._broken[0] from None
            raise

    def _compare(self) -> None:
        """Raise unless all threads wait for the same meeting.

        The last thread to come does this, before any goes on: no clock of this process runs then.
        """
        named = set(self._named)
        self._named.clear()
        if len(named) > 1:
            names = ", ".join(sorted(meeting.name for meeting in named))
            error = RuntimeError(f"the threads of a trial wait for different meetings: {names}")
            self._broken.append(error)  # now: a main thread that waits raises it
            raise error

    def dismiss(self) -> None:
        """End every wait of the workers, now and later."""
        self._barrier.abort()
        self.gate.release()

    def join(self) -> None:
        """Wait for the threads to end; raises the error of a worker that closed."""
        for thread in self._threads:
            thread.join()
        if self._broken:
            raise self._broken[0]


_FIRST = 0.1  # s after the clock has started
_FIRST_IN_TURN = 0.04  # s, so that a turn of 0.1 s has a look at all
_PERIOD = 0.25  # s


@contextmanager
def watched(words: memoryview, gate: TurnGate | None = None) -> Iterator[None]:
    """Look while the block runs; the counts go into a worker's slot.

    With a `gate`, look only during turns; the gate must be released before the block ends.
    """
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        yield
        return
    end = threading.Event()
    looking = threading.Thread(target=_watch_lock, args=(words, end, gate), name="gil", daemon=True)
    looking.start()
    try:
        yield
    finally:
        end.set()
        looking.join()


def _watch_lock(words: memoryview, end: threading.Event, gate: TurnGate | None) -> None:
    queue = RunQueue()
    threshold = round(sys.getswitchinterval() * 1e9 / 2)
    first = _FIRST if gate is None else _FIRST_IN_TURN
    period, queued, asleep = first, queue.nanoseconds(), perf_counter_ns()
    while not end.wait(period):
        late = perf_counter_ns() - asleep - round(1e9 * period)
        if gate is not None and not gate.open:
            gate.until_open()
            period, queued = first, queue.nanoseconds()
        else:
            period = _PERIOD
            before, queued = queued, queue.nanoseconds()
            words[Count.GIL_HELD] += late - (queued - before) >= threshold
            words[Count.GIL_LOOKS] += 1
        asleep = perf_counter_ns()
    queue.close()


_RARELY = 200_000  # new objects between two collections while a million items are made


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Keep the garbage collector off the prepared objects, while they are made and afterwards."""
    usual = gc.get_threshold()
    gc.set_threshold(_RARELY, *usual[1:])
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*usual)
