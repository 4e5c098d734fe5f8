"""Reads what a program writes, in constant memory."""

from __future__ import annotations

import fcntl
import hashlib
import os
import sys
from contextlib import suppress
from typing import IO, Protocol

_ROOM = 1 << 20
_KEPT = 4096  # bytes of the last words


class Drain(Protocol):
    """The reading end of a program's output."""

    fd: int

    def take(self) -> bool:
        """Take what is there now, at most a megabyte; False at its end."""


class Digest:
    """Bytes that are only counted and digested."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.fd = pipe.fileno()
        self.bytes = 0
        self._sha256 = hashlib.sha256()
        self._room = memoryview(bytearray(_ROOM))
        os.set_blocking(self.fd, False)
        if sys.platform == "linux":
            with suppress(OSError):  # more than an unprivileged user may have in all pipes
                fcntl.fcntl(self.fd, fcntl.F_SETPIPE_SZ, _ROOM)

    @property
    def sha256(self) -> str:
        """Of all bytes so far, as hex digits."""
        return self._sha256.hexdigest()

    def take(self) -> bool:
        try:
            count = os.readv(self.fd, [self._room])
        except BlockingIOError:
            return True
        self.bytes += count
        self._sha256.update(self._room[:count])
        return count > 0


class LastWords:
    """Text of which only the end is kept."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.fd = pipe.fileno()
        self.bytes = 0
        self._kept = b""
        os.set_blocking(self.fd, False)

    @property
    def text(self) -> str:
        """The end of it, from the beginning of a line where it was cut."""
        kept = self._kept
        if self.bytes > _KEPT:
            kept = kept[-_KEPT:].partition(b"\n")[2] or kept[-_KEPT:]
        return kept.decode("utf-8", "replace").strip()

    def take(self) -> bool:
        try:
            read = os.read(self.fd, _ROOM)
        except BlockingIOError:
            return True
        self.bytes += len(read)
        self._kept = (self._kept + read)[-_KEPT:]
        return bool(read)
