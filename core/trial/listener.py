"""Hears the children of all running trials through their pipes, and a request to cancel."""

from __future__ import annotations

import selectors
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from core.trial.cancel import Cancel
from core.trial.child_process import Process
from core.trial.messages import FromChild

if TYPE_CHECKING:
    from core.trial.flight import Flight


class Listener:
    """Waits for messages of all children, and for a request to cancel."""

    def __init__(self, cancel: Cancel) -> None:
        self.cancel = cancel
        self._selector = selectors.PollSelector()
        self._selector.register(cancel, selectors.EVENT_READ)

    def meet(self, process: Process, flight: Flight) -> None:
        """Listen to this process, too."""
        self._selector.register(process.hear, selectors.EVENT_READ, (flight, process))

    def forget(self, process: Process) -> None:
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
