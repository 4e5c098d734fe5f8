"""Reads what a program writes, in constant memory."""

from __future__ import annotations

import codecs
import fcntl
import hashlib
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Protocol

_ROOM = 1 << 20
_KEPT = 4096  # bytes of the last words
_BEGINNING = 4 << 20


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


class Beginning:
    """Text of which only the beginning is kept."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.fd = pipe.fileno()
        self._kept = bytearray()
        os.set_blocking(self.fd, False)

    @property
    def full(self) -> bool:
        """Whether the rest is left out."""
        return len(self._kept) >= _BEGINNING

    @property
    def text(self) -> str:
        """What is kept."""
        return self._kept.decode("utf-8", "replace")

    def take(self) -> bool:
        try:
            read = os.read(self.fd, _ROOM)
        except BlockingIOError:
            return True
        self._kept += read[: _BEGINNING - len(self._kept)]
        return bool(read)


class Lines:
    """Text that is told line by line, each without its end."""

    def __init__(self, pipe: IO[bytes], tell: Callable[[str], object]) -> None:
        self.fd = pipe.fileno()
        self._tell = tell
        utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._decoder = io.IncrementalNewlineDecoder(utf8, translate=True)
        self._begun = ""
        self.text = ""
        """Nothing is kept."""
        os.set_blocking(self.fd, False)

    def take(self) -> bool:
        try:
            read = os.read(self.fd, _ROOM)
        except BlockingIOError:
            return True
        *lines, self._begun = (self._begun + self._decoder.decode(read, not read)).split("\n")
        if self._begun and (not read or len(self._begun) > _ROOM):
            lines.append(self._begun)
            self._begun = ""
        for line in lines:
            self._tell(line)
        return bool(read)
