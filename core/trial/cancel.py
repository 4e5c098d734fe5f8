"""A request to end, made in one thread or signal handler and noticed at once in another."""

from __future__ import annotations

import os
import time
import weakref


class Cancel:
    """Set once; `fileno` becomes readable, so that a wait on it ends without polling."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        self._close = weakref.finalize(self, _close, self._read, self._write)
        self.requested = False
        self.since = 0.0
        """When it was requested, in monotonic seconds."""

    def request(self) -> None:
        """Ask for the end; safe in a signal handler and more than once."""
        if not self.requested:
            self.since = time.monotonic()
            self.requested = True
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
