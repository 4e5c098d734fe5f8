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
    from core.trial.live_trial import LiveTrial


class Listener:
    """Waits for messages of all children, and for a request to cancel."""

    def __init__(self, cancel: Cancel) -> None:
        self.cancel = cancel
        self._selector = selectors.PollSelector()
        self._selector.register(cancel, selectors.EVENT_READ)

    def meet(self, process: ChildProcess, live: LiveTrial) -> None:
        """Listen to this process, too."""
        self._selector.register(process.hear, selectors.EVENT_READ, (live, process))

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

    def listen(self, wait: float) -> Iterator[tuple[LiveTrial, FromChild]]:
        """Wait for messages or a request to cancel; yields who said what."""
        for key, _ in self._selector.select(wait):
            if key.data is None:
                continue
            live, process = key.data
            words = process.listen()
            if process.silent:
                self.forget(process)
            yield from ((live, word) for word in words)


@dataclass(frozen=True, kw_only=True)
class Grace:
    """Seconds that each step of ending children may take."""

    audited: Seconds = 10.0
    """Without a word, after a timeout, for jobs that look at what they wrote."""
    asked: Seconds = 0.5
    terminated: Seconds = 0.15
    killed: Seconds = 5.0


USUAL_GRACE = Grace()


def shut_down(live_trials: Sequence[LiveTrial]) -> None:
    """End what still runs of trials that share their listener: ask, terminate, kill.

    Each step has the deadline of the most patient trial; several take no longer than one alone.
    """
    living = [live for live in live_trials if not live.landed]
    if not living:
        return
    listener = living[0].listener
    graces = [live.grace for live in living]
    processes = [process for live in living for process in live.processes]
    for live in living:
        live.landed = True
    with listener.ending():
        running = [live for live in living if any(process.running for process in live.processes)]
        if any([live.ask() for live in running]):  # noqa: C419 -- all of them
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
    for live in living:
        live.let_go()


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
