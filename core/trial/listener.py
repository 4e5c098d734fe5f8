"""Hears the children of all running trials through their pipes, and a request to cancel; ends them.

They are asked first, then get SIGTERM, then SIGKILL, each with its grace period.
"""

from __future__ import annotations

import selectors
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.language.units import Seconds
from core.trial.cancel import Cancel
from core.trial.child_process import ChildProcess
from core.trial.messages import FromChild

if TYPE_CHECKING:
    from core.trial.flight import Flight


class Listener:
    """Waits for messages of all children, and for a request to cancel."""

    def __init__(self, cancel: Cancel) -> None:
        self.cancel = cancel
        self._selector = selectors.PollSelector()
        self._selector.register(cancel, selectors.EVENT_READ)

    def meet(self, process: ChildProcess, flight: Flight) -> None:
        """Listen to this process, too."""
        self._selector.register(process.hear, selectors.EVENT_READ, (flight, process))

    def forget(self, process: ChildProcess) -> None:
        """Stop listening to it, if it is listened to."""
        with suppress(KeyError):
            self._selector.unregister(process.hear)

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Ignore the request to cancel for a while; otherwise it would end every wait."""
        self._selector.unregister(self.cancel)
        try:
            yield
        finally:
            self._selector.register(self.cancel, selectors.EVENT_READ)

    def listen(self, wait: float) -> Iterator[tuple[Flight, FromChild]]:
        """Wait for messages or a request to cancel; yields who said what."""
        for key, _ in self._selector.select(wait):
            if key.data is None:
                continue
            flight, process = key.data
            words = process.listen()
            if process.silent:
                self.forget(process)
            yield from ((flight, word) for word in words)


@dataclass(frozen=True, kw_only=True)
class Grace:
    """Seconds that each step of ending children may take."""

    audited: Seconds = 10.0
    """Without a word, after a timeout, for jobs that look at what they wrote."""
    asked: Seconds = 0.5
    terminated: Seconds = 0.15
    killed: Seconds = 5.0


USUAL_GRACE = Grace()


def shut_down(flights: Sequence[Flight]) -> None:
    """End what still runs of flights that share their listener: ask, terminate, kill.

    Each step has the deadline of the most patient flight; several take no longer than one alone.
    """
    flying = [flight for flight in flights if not flight.landed]
    if not flying:
        return
    listener = flying[0].listener
    graces = [flight.grace for flight in flying]
    processes = [process for flight in flying for process in flight.processes]
    for flight in flying:
        flight.landed = True
    with listener.ending():
        running = [
            flight for flight in flying if any(process.running for process in flight.processes)
        ]
        if any([flight.ask() for flight in running]):  # noqa: C419 -- all of them
            _wait_for_ends(listener, processes, max(grace.asked for grace in graces))
        for number, limit in (
            (signal.SIGTERM, max(grace.terminated for grace in graces)),
            (signal.SIGKILL, max(grace.killed for grace in graces)),
        ):
            for process in processes:
                if process.running:
                    process.child.signal(number)
            _wait_for_ends(listener, processes, limit)
        list(listener.listen(0))  # the last words of those that are gone
    for flight in flying:
        flight.let_go()


def _wait_for_ends(listener: Listener, processes: Sequence[ChildProcess], limit: float) -> None:
    until = time.monotonic() + limit
    while running := [process for process in processes if process.running]:
        left = until - time.monotonic()
        if left <= 0:
            break
        if all(process.silent for process in running):
            running[0].child.wait(left)
        else:
            list(listener.listen(left))
