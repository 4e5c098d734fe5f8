"""What the children of all running trials say through their pipes, and the wish to cancel."""

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
    """Where the words of all children are waited for, and the wish to cancel."""

    def __init__(self, cancel: Cancel) -> None:
        self.cancel = cancel
        self._selector = selectors.PollSelector()
        self._selector.register(cancel, selectors.EVENT_READ)

    def meet(self, process: Process, flight: Flight) -> None:
        """Listen to a process, too."""
        self._selector.register(process.hear, selectors.EVENT_READ, (flight, process))

    def forget(self, process: Process) -> None:
        """Listen to it no more, if anybody does."""
        with suppress(KeyError):
            self._selector.unregister(process.hear)

    @contextmanager
    def ending(self) -> Iterator[None]:
        """For a while do not wake up because of the cancelling, which would be heard for ever."""
        self._selector.unregister(self.cancel)
        try:
            yield
        finally:
            self._selector.register(self.cancel, selectors.EVENT_READ)

    def listen(self, wait: float) -> Iterator[tuple[Flight, FromChild]]:
        """Wait for words, or for cancelling; who said what."""
        for key, _ in self._selector.select(wait):
            if key.data is None:
                continue
            flight, process = key.data
            words = process.listen()
            if process.silent:
                self.forget(process)
            yield from ((flight, word) for word in words)
