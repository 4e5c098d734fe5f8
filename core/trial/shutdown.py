"""Ends children: a request, then SIGTERM, then SIGKILL, each with its grace period."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.language.units import Seconds
from core.trial.child_process import Process
from core.trial.listener import Listener

if TYPE_CHECKING:
    from core.trial.flight import Flight


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


def _wait_for_ends(listener: Listener, processes: Sequence[Process], limit: float) -> None:
    until = time.monotonic() + limit
    while running := [process for process in processes if process.running]:
        left = until - time.monotonic()
        if left <= 0:
            break
        if all(process.silent for process in running):
            running[0].child.wait(left)
        else:
            list(listener.listen(left))
