"""How blocks are read: one by one from Python, and by a harness in C many in a call.

Python's way is as fast as it can be; each choice was measured against fio's psync.  Small blocks
are read by `os.pread`, which fills a new bytes object: that costs less than managing buffers, while
malloc keeps the memory of freed objects.  If it went back to the system after each batch, page
faults would take two thirds of the speed.  From 128 KiB on, copying dominates and is fastest into a
few page-aligned buffers that stay in the processor's cache, so these are used in turn.

Direct reads need memory that begins at a page, whatever their size.  They ask for whole blocks,
also where a file ends within one.  Several reads of a worker are in flight by io_uring, which the
harness uses without a library.

Without a C compiler there is no harness.  The processor decides which memory is filled fastest: on
some, 16 bytes beyond a cache line large blocks take three times as long as at its start, on others
they take less.  So a few places are tried for each size of blocks, which takes some milliseconds.
"""

from __future__ import annotations

import ctypes
import errno
import math
import mmap
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import POINTER, Structure, c_int, c_int64, c_uint, c_uint64, c_void_p, pointer
from functools import lru_cache
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Self, override

from core import AtOnce, Unavailable, tr
from workloads.raw.blocks import SomeBlocks, rows_of
from workloads.shared.native import keep_freed_memory, loaded

if TYPE_CHECKING:
    from workloads.raw.blocks import Extent, FileBlocks


_LARGE = 128 * 1024
_SMALL_ALIVE = 256 * 1024
_LARGE_ALIVE = 1 << 20
_MOST_BUFFERS = 4

type BlockRead = bytes | memoryview
type ReadAt = Callable[[int, int, int], BlockRead]
"""(descriptor, bytes wanted, offset) → what was there."""


def most_alive(block: int, *, direct: bool = False) -> int:
    """How many results of one worker can be alive at once."""
    if block < _LARGE and not direct:
        return max(1, _SMALL_ALIVE // block)
    return min(_MOST_BUFFERS, max(1, _LARGE_ALIVE // block))


def read_at(block: int, *, direct: bool = False) -> ReadAt:
    """A function that reads up to a block, for one worker.

    For large blocks, and direct reads, only the last `most_alive` results are valid: their buffers
    are used again.
    """
    if block < _LARGE and not direct:
        keep_freed_memory(_LARGE)
        return os.pread
    preadv = os.preadv
    size = block * most_alive(block, direct=direct)
    memory = memoryview(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    buffers = [[memory[start : start + block]] for start in range(0, len(memory), block)]
    next_buffer = cycle(buffers).__next__

    def read_into_buffer(descriptor: int, length: int, offset: int) -> BlockRead:
        buffer = next_buffer()
        read = preadv(descriptor, buffer, offset)
        return buffer[0] if read == length == block else buffer[0][: min(read, length)]

    return read_into_buffer


_SOURCE = Path(__file__).parent / "native" / "reads.c"
_FLAGS = ("-O2", "-std=c11", "-D_FILE_OFFSET_BITS=64")
_IN_CALL, _MOST_IN_CALL = 1 << 28, 16384
"""Bytes and blocks.  After a call a thread needs Python's lock, and where threads share cores waits
long for it: with a quarter of the bytes 16 threads on 2 cores were 7 % slower."""
_PIECE = 64 * 1024
_PLACES = (0, 16, 32, 64)
"""Bytes beyond a page at which memory that is read into can begin."""
_TRIES, _TRIED = 5, 1 << 21
"""How often each is tried, and how many bytes are read at each try."""


class _Plan(Structure):
    """`struct plan` of the harness."""

    _fields_ = (
        *((name, c_void_p) for name in ("names", "sizes", "ends")),
        ("files", c_uint64),
        ("block", c_int64),
        *((name, c_uint64) for name in ("mask", "shift", "first", "second", "added")),
    )


def _planned(blocks: FileBlocks) -> _Plan:
    plan = _Plan(
        *(numbers.ctypes.data for numbers in (blocks.names, blocks.sizes, blocks.ends)),
        len(blocks.ends),
        blocks.block,
    )
    if (order := blocks.order) is not None:
        plan.mask, plan.shift, plan.added = order.mask, order.shift, order.added
        plan.first, plan.second = order.first, order.second
    return plan


class FilesInC(Structure):
    """`struct files` of the harness: the last files of one worker, opened by it."""

    _fields_ = (
        *((name, c_void_p) for name in ("paths", "numbers", "descriptors")),
        ("places", c_uint64),
        ("opened", c_int64),
        ("flags", c_int64),
    )

    def __init__(
        self, paths: ctypes.Array[ctypes.c_char_p], most: int, flags: int = os.O_RDONLY
    ) -> None:
        self._held = paths, array("q", [-1]) * most, array("q", bytes(8 * most))
        super().__init__(ctypes.addressof(paths), *map(_address, self._held[1:]), most, flags=flags)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for number, descriptor in zip(*self._held[1:], strict=True):
            if number >= 0:
                os.close(descriptor)


class _Batch(Structure):
    """`struct batch` of the harness."""

    _fields_ = (
        ("plan", POINTER(_Plan)),
        ("begin", c_int64),
        ("step", c_int64),
        ("blocks", c_void_p),
        ("count", c_uint64),
        ("second", c_void_p),
        ("files", POINTER(FilesInC)),
        ("others", POINTER(FilesInC)),
        ("whole", c_int64),
        ("queue", c_void_p),
        ("memory", c_void_p),
        ("apart", c_uint64),
        ("again", c_void_p),
        ("piece", c_uint64),
        ("got", c_void_p),
        ("took", c_void_p),
        ("verdicts", c_void_p),
        ("bytes", c_int64),
        ("time", c_int64),
        ("emptying", c_int64),
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
        for function in (harness.raw_read, harness.raw_compare):
            function.restype, function.argtypes = c_uint64, (POINTER(_Batch),)
        harness.raw_queue_open.restype = c_void_p
        harness.raw_queue_open.argtypes = c_uint, POINTER(c_int)
        harness.raw_queue_close.restype, harness.raw_queue_close.argtypes = None, (c_void_p,)
    return harness


@contextmanager
def queue_of(depth: int) -> Iterator[int | None]:
    """An io_uring for so many reads in flight; None for one, which needs none.

    Raises Unavailable.
    """
    if depth == 1:
        yield None
        return
    harness, error = library(), c_int()
    if harness is None:
        raise Unavailable(
            tr("unavailable: a C compiler is missing, which several reads in flight need"),
            tr("install: apt-get install gcc; or set queue_depth to 1"),
        )
    queue = harness.raw_queue_open(depth, ctypes.byref(error))
    if queue is None:
        raise Unavailable(
            tr("unavailable: io_uring ({why})", why=os.strerror(error.value)),
            _remedy(error.value),
        )
    try:
        yield queue
    finally:
        harness.raw_queue_close(queue)


def _remedy(error: int) -> str:
    match error:
        case errno.ENOSYS:
            return tr("use Linux 5.6 or newer, or set queue_depth to 1")
        case errno.EPERM | errno.EACCES:
            return tr(
                "an administrator can allow it (sysctl kernel.io_uring_disabled=0; in a container, "
                "its seccomp profile), or set queue_depth to 1"
            )
        case errno.ENOMEM:
            return tr("allow more locked memory (ulimit -l), or set queue_depth to 1")
    return tr("set queue_depth to 1")


def most_in_call(block: int) -> int:
    """How many blocks one call reads: 20 ms' worth at most of warm ones, for nothing stops it."""
    return max(1, min(_MOST_IN_CALL, _IN_CALL // block))


class ReadTotals(Sequence[int]):
    """How many bytes each of these blocks had, all of them whole; and all together."""

    def __init__(self, blocks: Sequence[Extent], whole: int) -> None:
        self._blocks = blocks
        self.whole = whole

    @override
    def __len__(self) -> int:
        return len(self._blocks)

    @override
    def __getitem__(self, index: Any) -> Any:
        return self._blocks[index][1]

    @override
    def __iter__(self) -> Iterator[int]:
        return (length for _, length, _ in self._blocks)


class NativeReads:
    def __init__(
        self,
        block: int,
        second: Second | tuple[FilesInC, FilesInC],
        *,
        direct: bool = False,
        depth: int = 1,
        queue: int | None = None,
    ) -> None:
        """`second`: of descriptors; or, where blocks have numbers, both files to be opened.

        `queue`: of `queue_of(depth)`.
        """
        self.time = self.emptying = 0
        """Nanoseconds that were measured, and those in which its queue was not full any more."""
        self._second = second
        self._seconds = array("i")
        self._blocks: FileBlocks | None = None
        piece = min(block, _PIECE)
        room = -(-(block + max(_PLACES)) // mmap.PAGESIZE) * mmap.PAGESIZE
        self._memory = _Memory(depth * room + piece)
        begins = self._memory.begins
        self._batch = _Batch(
            whole=block if direct else 0,
            queue=queue,
            memory=begins if direct else begins + best_place(block),
            apart=room,
            again=begins + depth * room,
            piece=piece,
        )
        if isinstance(second, tuple):
            self._batch.files, self._batch.others = map(pointer, second)

    def __call__(self, items: Sequence[Extent], compare: bool, /) -> AtOnce:
        """Read these blocks; where nothing is measured, `compare` each with a second read."""
        batch, rows = self._batch, None
        if compare and not isinstance(self._second, tuple):
            self._learn({item[0] for item in items}, self._second)
        if isinstance(items, SomeBlocks) and isinstance(items.positions, range):
            if items.blocks is not self._blocks:
                self._blocks = items.blocks
                batch.plan = pointer(_planned(items.blocks))
            batch.begin, batch.step = items.positions.start, items.positions.step
        else:
            rows = rows_of(items)
        batch.blocks = None if rows is None else rows.ctypes.data
        odd, got, took, verdicts = _read(batch, len(items), compare=compare)
        if not compare:
            self.time += batch.time
            self.emptying += batch.emptying
        if not odd:
            return AtOnce(ReadTotals(items, batch.bytes), took, batch.time)
        fine = [place for place, count in enumerate(got) if count >= 0]
        return AtOnce(
            [_result(got[place], verdicts[place]) for place in fine],
            array("q", [took[place] for place in fine]),
            batch.time,
            [(place, OSError(-n, os.strerror(-n))) for place, n in enumerate(got) if n < 0],
        )

    def _learn(self, files: set[int], second: Second) -> None:
        """Open the files for second looks."""
        self._seconds.extend([-1] * max(0, max(files, default=0) + 1 - len(self._seconds)))
        for file in files:
            if self._seconds[file] < 0:
                self._seconds[file] = second(file)
        self._batch.second = _address(self._seconds)


class _Memory:
    def __init__(self, size: int) -> None:
        self._pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.begins = ctypes.addressof(ctypes.c_char.from_buffer(self._pages))


def _read(
    batch: _Batch, count: int, *, compare: bool
) -> tuple[int, array[int], array[int], array[int]]:
    got, took, verdicts = (array("q", bytes(8 * count)) for _ in range(3))
    batch.count = count
    batch.got, batch.took, batch.verdicts = map(_address, (got, took, verdicts))
    harness = library()
    odd = (harness.raw_compare if compare else harness.raw_read)(batch)
    return odd, got, took, verdicts


@lru_cache
def best_place(block: int) -> int:
    """Bytes beyond a page where memory is filled fastest by blocks of this size, here and now."""
    import numpy as np

    with TemporaryFile() as file:
        file.write(bytes(block))
        file.flush()
        memory = _Memory(block + max(_PLACES))
        rows = np.array([(file.fileno(), block, 0)] * max(1, _TRIED // block), np.int64)
        best = dict.fromkeys(_PLACES, math.inf)
        for place in _PLACES * _TRIES:
            batch = _Batch(memory=memory.begins + place, blocks=rows.ctypes.data)
            _, _, took, _ = _read(batch, len(rows), compare=False)
            best[place] = min(best[place], *took)
    return min(_PLACES, key=lambda place: best[place])


def _address(numbers: array[int]) -> int:
    return numbers.buffer_info()[0]


def _result(count: int, verdict: int) -> int:
    if not verdict:
        return count
    odd = Odd(count)
    odd.error = max(0, -verdict)
    return odd
