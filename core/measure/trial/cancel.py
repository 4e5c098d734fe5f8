"""A request to end, made in one thread or signal handler and noticed at once in another.

Ctrl+C on the command line makes one, too.
"""

from __future__ import annotations

import os
import signal
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.measure.machine.end_signals import code_after, end_signals


class Cancel:
    """Set once; `fileno` becomes readable, so that a wait on it ends without polling."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        self._close = weakref.finalize(self, _close, self._read, self._write)
        self.requested = False
        self.since = 0.0
        """When it was requested, in monotonic seconds."""

    def request(self) -> None:
        """Ask for the end; safe in a signal handler, more than once, and after `close`."""
        if not self.requested:
            self.since = time.monotonic()
            self.requested = True
            if self._close.alive:  # else the number may be another's, such as a child's tie to us
                os.write(self._write, b"!")

    def fileno(self) -> int:
        """Descriptor that becomes readable when the end is requested."""
        return self._read

    def close(self) -> None:
        """Close the descriptors now, not only when the last holder is gone."""
        self._close()


def _close(*descriptors: int) -> None:
    for each in descriptors:
        os.close(each)


@dataclass
class SignalCancel:
    """A request made by signals, and the number of the first one."""

    cancel: Cancel
    by: int = 0

    @property
    def code(self) -> int:
        """The exit code; only if a signal asked."""
        return code_after(self.by)


@contextmanager
def cancelled_by_signal() -> Iterator[SignalCancel]:
    """Ctrl+C, SIGTERM or SIGHUP asks the engine to end; the engine keeps what was measured."""
    request = SignalCancel(Cancel())

    def ask(number: int, frame: object) -> None:
        request.by = request.by or number
        request.cancel.request()

    before = {number: signal.signal(number, ask) for number in end_signals()}
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        request.cancel.close()
