"""Two ways to ask the kernel how many pages of an open file are in memory."""

from __future__ import annotations

import errno
import functools
import os
import sys
from collections.abc import Callable
from typing import Any

type CountPages = Callable[[int, int], int]
"""(descriptor, size in bytes) -> pages in memory; raises OSError if the kernel refuses."""

# The same on every architecture Linux supports but alpha.
_CACHESTAT = 451
# One mapping and its page vector (256 KiB for pages of 4 KiB) at a time.
_WINDOW = 1 << 30
_IN_CORE = bytes(value & 1 for value in range(256))


@functools.cache
def counting_methods() -> dict[str, CountPages]:
    """What this kernel offers, best first; asked once."""
    methods: dict[str, CountPages] = {}
    if sys.platform == "linux" and _knows_cachestat():
        methods["cachestat"] = count_with_cachestat
    if sys.platform in ("linux", "darwin"):
        methods["mincore"] = count_with_mincore
    return methods


def count_with_cachestat(descriptor: int, size: int) -> int:
    """Linux 6.5 and later. Refused with EPERM for files one may neither write nor owns."""
    del size
    ctypes = _ctypes()
    # {offset, length}; a length of 0 means up to the end.
    window = (ctypes.c_uint64 * 2)(0, 0)
    # {cached, dirty, in writeback, evicted, recently evicted}, in pages
    counts = (ctypes.c_uint64 * 5)()
    if _libc().syscall(ctypes.c_long(_CACHESTAT), descriptor, window, counts, 0) != 0:
        raise _last_error()
    return int(counts[0])


def count_with_mincore(descriptor: int, size: int) -> int:
    """Maps the file without touching it. Refused, as cachestat is, where it would lie."""
    if not _may_be_told(descriptor):
        # mincore(2) then calls every page resident.
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
    return sum(
        _count_window(descriptor, start, min(_WINDOW, size - start))
        for start in range(0, size, _WINDOW)
    )


def page_size() -> int:
    import mmap

    return mmap.PAGESIZE


def _count_window(descriptor: int, start: int, length: int) -> int:
    ctypes, libc = _ctypes(), _libc()
    read, shared = 1, 1  # PROT_READ, MAP_SHARED: the same on Linux and macOS
    address = libc.mmap(None, length, read, shared, descriptor, start)
    if address == ctypes.c_void_p(-1).value:
        raise _last_error()
    try:
        vector = ctypes.create_string_buffer(-(-length // page_size()))
        if libc.mincore(address, length, vector) != 0:
            raise _last_error()
        # Only the lowest bit says "in core"; macOS uses the others too.
        in_core: bytes = vector.raw
        return in_core.translate(_IN_CORE).count(1)
    finally:
        libc.munmap(address, length)


def _may_be_told(descriptor: int) -> bool:
    if sys.platform != "linux":
        return True
    owner = os.fstat(descriptor).st_uid
    if os.geteuid() in (0, owner):
        return True
    return os.access(f"/proc/self/fd/{descriptor}", os.W_OK, effective_ids=True)


def _knows_cachestat() -> bool:
    # A kernel that knows the call complains of the descriptor; an older one, or a
    # container that forbids it, complains of the call.
    try:
        count_with_cachestat(-1, 0)
    except OSError as error:
        return error.errno == errno.EBADF
    return False


def _last_error() -> OSError:
    number = _ctypes().get_errno()
    return OSError(number, os.strerror(number))


def _ctypes() -> Any:
    import ctypes

    return ctypes


@functools.cache
def _libc() -> Any:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    size, address, number = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int
    libc.syscall.restype = ctypes.c_long
    libc.mmap.restype = address
    libc.mmap.argtypes = (address, size, number, number, number, ctypes.c_long)
    libc.munmap.argtypes = (address, size)
    libc.mincore.argtypes = (address, size, ctypes.c_char_p)
    return libc
