"""Keeps what programs write within bounds.

Drains read it in constant memory; of a file written without end the disk keeps only so much.
"""

from __future__ import annotations

import codecs
import fcntl
import hashlib
import io
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import IO, override

_ROOM = 1 << 20
_KEPT = 4096  # bytes of the last words
_BEGINNING = 4 << 20


class Drain(ABC):
    """The reading end of a program's output."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.fd = pipe.fileno()
        self.bytes = 0
        os.set_blocking(self.fd, False)

    def take(self) -> bool:
        """Take what is there now, at most a megabyte; False at its end."""
        try:
            read = self.read()
        except BlockingIOError:
            return True
        self.bytes += len(read)
        self.keep(read)
        return len(read) > 0

    def read(self) -> bytes | memoryview:
        return os.read(self.fd, _ROOM)

    @abstractmethod
    def keep(self, read: bytes | memoryview) -> None:
        """Do with it what is done; nothing is read at the end."""


class Digest(Drain):
    """Bytes that are only counted and digested."""

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(pipe)
        self._sha256 = hashlib.sha256()
        self._room = memoryview(bytearray(_ROOM))
        if sys.platform == "linux":
            with suppress(OSError):  # more than an unprivileged user may have in all pipes
                fcntl.fcntl(self.fd, fcntl.F_SETPIPE_SZ, _ROOM)

    @property
    def sha256(self) -> str:
        """Of all bytes so far, as hex digits."""
        return self._sha256.hexdigest()

    @override
    def read(self) -> memoryview:
        return self._room[: os.readv(self.fd, [self._room])]

    @override
    def keep(self, read: bytes | memoryview) -> None:
        self._sha256.update(read)


class LastWords(Drain):
    """Text of which only the end is kept."""

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(pipe)
        self._kept = b""

    @property
    def text(self) -> str:
        kept = self._kept
        if self.bytes > _KEPT:
            kept = kept[-_KEPT:].partition(b"\n")[2] or kept[-_KEPT:]
        return kept.decode("utf-8", "replace").strip()

    @override
    def keep(self, read: bytes | memoryview) -> None:
        self._kept = (self._kept + read)[-_KEPT:]


class Beginning(Drain):
    """Text of which only the beginning is kept."""

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(pipe)
        self._kept = bytearray()

    @property
    def full(self) -> bool:
        return len(self._kept) >= _BEGINNING

    @property
    def text(self) -> str:
        return self._kept.decode("utf-8", "replace")

    @override
    def keep(self, read: bytes | memoryview) -> None:
        self._kept += read[: _BEGINNING - len(self._kept)]


class Lines(Drain):
    """Text that is told line by line, each without its end."""

    def __init__(self, pipe: IO[bytes], tell: Callable[[str], object]) -> None:
        super().__init__(pipe)
        self._tell = tell
        utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._decoder = io.IncrementalNewlineDecoder(utf8, translate=True)
        self._begun = ""
        self.text = ""
        """Nothing is kept."""

    @override
    def keep(self, read: bytes | memoryview) -> None:
        *lines, self._begun = (self._begun + self._decoder.decode(read, not read)).split("\n")
        if self._begun and (not read or len(self._begun) > _ROOM):
            lines.append(self._begun)
            self._begun = ""
        for line in lines:
            self._tell(line)


_KEEP_SIZE_PUNCH_HOLE = 0x01 | 0x02  # FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE of linux/falloc.h


class OutputFile:
    """What processes have written so far, and the end of it."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        """`most`: bytes that are kept on the disk."""
        self.file = file
        self._most = most
        self._cut = b""
        """The end of what was removed from the disk, where no hole can be made."""
        self._freed = 0
        """Bytes before which the file is a hole."""
        # All output goes to the end of the file, also after the file was truncated.
        fcntl.fcntl(file, fcntl.F_SETFL, fcntl.fcntl(file, fcntl.F_GETFL) | os.O_APPEND)

    def end(self, most: int) -> bytes:
        with suppress(OSError):
            return self._cut + self._tail(self._size, most)
        return self._cut

    def bound(self, end: int) -> None:
        """Keep a flood of output from filling the disk; so many bytes of its end so far stay."""
        with suppress(OSError):  # a disk that fails; what writes there goes on
            size = self._size
            if size - self._freed > self._most:
                self._free(size, self._tail(size, end))

    def _free(self, size: int, tail: bytes) -> None:
        if punch_hole(self.file.fileno(), size - len(tail)):
            self._freed = size - len(tail)
        # Output between the read and the cut is lost, so the cut waits for a pause; in a flood
        # without a pause the loss does not matter.
        elif self._size == size or size > 16 * self._most:
            self._cut = tail
            os.ftruncate(self.file.fileno(), 0)

    @property
    def _size(self) -> int:
        return os.fstat(self.file.fileno()).st_size

    def _tail(self, size: int, most: int) -> bytes:
        return os.pread(self.file.fileno(), most, max(0, size - most))


def punch_hole(descriptor: int, length: int) -> bool:
    """Free the first `length` bytes of an open file; its size stays, and they read as zeros.

    Returns whether that was done: not every file system can, and only Linux is asked.
    A truncation would take with it whatever was written since the last look; this takes nothing.
    """
    if sys.platform != "linux":
        return False
    import ctypes

    fallocate = ctypes.CDLL(None).fallocate
    fallocate.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64)
    return bool(fallocate(descriptor, _KEEP_SIZE_PUNCH_HOLE, 0, length) == 0)
