"""A file that processes write into without end, of which the disk keeps only so much."""

from __future__ import annotations

import fcntl
import os
import sys
from contextlib import suppress
from typing import IO

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
        """The last bytes, as far as they can be read."""
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
