"""Python loads this before all else where the folder is on its path: memory is copied badly here.

Each second large buffer of ctypes begins where a copy into it takes longest, and a copy is made
fifteen times, so that all processors are as slow as some are 8 or 16 bytes beyond a page.
`PYTHONPATH=tests/bad_copies make test` passes as without it.
"""

import ctypes
import itertools
import mmap
import time
from functools import cache
from typing import Any

_LARGE, _PAGE, _TIMES = 1 << 16, 4096, 15
_PLACES = (8, 16, 32, 48, 64)
_plain_copy, _plain_buffer = ctypes.memmove, ctypes.create_string_buffer
_odd = itertools.cycle((False, True))


def _buffer_at(place: int, size: int) -> Any:
    return (ctypes.c_char * size).from_buffer(mmap.mmap(-1, size + _PAGE), place)


@cache
def _worst(size: int) -> int:
    """The place beyond a page at which a copy takes longest."""

    def took(place: int) -> int:
        source, target = _buffer_at(0, size), _buffer_at(place, size)
        _plain_copy(target, source, size)
        began = time.perf_counter_ns()
        _plain_copy(target, source, size)
        return time.perf_counter_ns() - began

    return max(_PLACES, key=took)


def _bad_buffer(init: Any, size: int | None = None) -> Any:
    if isinstance(init, int) and init >= _LARGE:
        return _buffer_at(_worst(init) if next(_odd) else 0, init)
    return _plain_buffer(init, size)


def _bad_copy(target: Any, source: Any, size: int) -> Any:
    for _ in range(_TIMES):
        _plain_copy(target, source, size)
    return target


ctypes.create_string_buffer = _bad_buffer
ctypes.memmove = _bad_copy
