"""Reads in C: a batch of blocks in one call, by a harness that is compiled when first needed.

Without a C compiler there is none, and Python reads block by block.

The processor decides which memory is filled fastest: where it was measured, small blocks into
memory that begins with a cache line, large ones into memory that does not, as what malloc gives.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from array import array
from collections.abc import Callable, Sequence
from ctypes import POINTER, Structure, c_int64, c_uint64, c_void_p
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from core import AtOnce
from workloads.raw.blocks import Extent
from workloads.shared.compiling import loaded

_SOURCE = Path(__file__).parent / "native" / "reads.c"
_FLAGS = ("-O2", "-std=c11", "-D_FILE_OFFSET_BITS=64")
_IN_CALL, _MOST_IN_CALL = 1 << 22, 256
_ALIVE = 64 * 1024
_SMALL, _BESIDE = 16 * 1024, 16


class _Batch(Structure):
    """`struct batch` of the harness."""

    _fields_ = (
        ("blocks", c_void_p),
        ("count", c_uint64),
        ("second", c_void_p),
        ("memory", c_void_p),
        ("room", c_uint64),
        ("piece", c_uint64),
        ("alive", c_uint64),
        ("got", c_void_p),
        ("took", c_void_p),
        ("verdicts", c_void_p),
        ("verifying", c_int64),
    )


class Odd(int):
    """Bytes that were read of a block, where the second look failed or found other ones."""

    error = 0
    """Why the second look failed, as an errno; 0 where it found other bytes."""


type Second = Callable[[int], int]
"""Another descriptor of the file that a descriptor has open."""


@lru_cache
def library() -> Any:
    """The harness; None where there is no C compiler, or one that cannot compile it."""
    harness = loaded("raw", _FLAGS, _SOURCE)
    if harness is not None:
        harness.raw_read.restype, harness.raw_read.argtypes = c_uint64, (POINTER(_Batch),)
    return harness


def most_in_call(block: int) -> int:
    """How many blocks one call reads: a millisecond's worth, for nothing stops it meanwhile."""
    return max(1, min(_MOST_IN_CALL, _IN_CALL // block))


class NativeReads:
    """The reads of one worker."""

    def __init__(self, block: int, second: Second) -> None:
        self._read = library().raw_read
        self._second = second
        self._seconds = array("i")
        self._known: set[int] = set()
        alive = max(1, _ALIVE // block)
        piece = min(block, _ALIVE)
        beside = 0 if block < _SMALL else _BESIDE
        size = alive * block + piece + beside
        self._memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        begins = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._batch = _Batch(memory=begins + beside, room=block, alive=alive, piece=piece)

    def __call__(self, items: Sequence[Extent]) -> AtOnce:
        """Read these blocks, and compare each with a second read."""
        for file in {item[0] for item in items} - self._known:
            self._learn(file)
        blocks = array("q", chain.from_iterable(items))
        got, took, verdicts = (array("q", bytes(8 * len(items))) for _ in range(3))
        batch = self._batch
        batch.count = len(items)
        batch.blocks, batch.second = _address(blocks), _address(self._seconds)
        batch.got, batch.took, batch.verdicts = map(_address, (got, took, verdicts))
        odd = self._read(batch)
        read, times = got.tolist(), took.tolist()
        if not odd:
            return AtOnce(read, times, sum(times), verifying=batch.verifying)
        fine = [place for place, count in enumerate(read) if count >= 0]
        return AtOnce(
            results=[_result(read[place], verdicts[place]) for place in fine],
            took=[times[place] for place in fine],
            time=sum(times),
            failures=[(place, _error(-n)) for place, n in enumerate(read) if n < 0],
            verifying=batch.verifying,
        )

    def _learn(self, file: int) -> None:
        """Open the file for second looks."""
        lacking = file + 1 - len(self._seconds)
        self._seconds.extend([-1] * max(0, lacking))
        self._seconds[file] = self._second(file)
        self._known.add(file)


def _address(numbers: array[int]) -> int:
    return numbers.buffer_info()[0]


def _result(count: int, verdict: int) -> int:
    if not verdict:
        return count
    odd = Odd(count)
    odd.error = max(0, -verdict)
    return odd


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
