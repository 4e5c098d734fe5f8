"""Memory that readers free between operations, and use again in the next one."""

from __future__ import annotations

import ctypes

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3  # of mallopt, from malloc.h
REGION = 64 * 1024 * 1024
"""Of the arenas that malloc has for threads other than the first."""
LARGEST = REGION // 2
"""Most that malloc takes from its arenas, whatever it is told."""


def keep_freed_memory(mapped_from: int, *, regions: bool = False) -> None:
    """Have malloc keep what results have freed, and use it again (glibc only).

    Memory of that many bytes is mapped, and unmapped when it is freed.  With `regions` those stay
    of which nothing is in use any more.
    """
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallopt"):
        return
    libc.mallopt(_TRIM_THRESHOLD, 2**31 - 1)
    libc.mallopt(_MMAP_THRESHOLD, mapped_from)
    if regions:
        libc.mallopt(_TOP_PAD, REGION)  # a region is given back where more than this is left
