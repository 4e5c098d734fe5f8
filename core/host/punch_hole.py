"""Gives back the disk space of a file's front while others still write at its end."""

from __future__ import annotations

import sys

_KEEP_SIZE_PUNCH_HOLE = 0x01 | 0x02  # FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE of linux/falloc.h


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
