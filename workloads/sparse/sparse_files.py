"""A sparse file as the jobs use it: svfsc's Python classes, and its C++ ones through a harness.

The harness is compiled when it is first needed, kept in the cache, and called by ctypes, which
lets go of the GIL during a call, so threads of Python run native calls side by side.
"""

from __future__ import annotations

import ctypes
import os
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from itertools import accumulate, chain
from pathlib import Path
from threading import Barrier
from typing import Any

from core import SluiceError
from workloads.shared.native import compiled
from workloads.sparse.drivers import NATIVE, compiler, sources, version
from workloads.sparse.sparse_oracle import Range, SparseBlocks
from workloads.sparse.sparse_parameters import SparseParameters

_ID = "id"
_NO_CHANGE = 0.0  # the modification time of a file that never changes


class PythonFile:
    """One sparse file, by itself or in a sparse file system.  Raises what svfsc raises."""

    def __init__(self, *, compare: bool, in_system: bool) -> None:
        import svfsc

        self._svf: Any
        self.read: Callable[[int, int], bytes]
        self.need: Callable[..., list[Range]]
        if in_system:
            self._svf = svfsc.cSVFS(compare_for_diff=compare)
            self._svf.insert(_ID, _NO_CHANGE)
        else:
            self._svf = svfsc.cSVF(_ID, _NO_CHANGE, compare_for_diff=compare)
        self._in_system = in_system
        self.read, self.need, self._write = map(self._method, ("read", "need", "write"))

    def _method(self, name: str) -> Any:
        method = getattr(self._svf, name)
        return partial(method, _ID) if self._in_system else method

    def write(self, blocks: SparseBlocks) -> None:
        self._write_all(blocks.positions, blocks.data)

    def _write_all(self, positions: Sequence[int], data: Sequence[bytes]) -> None:
        # `write` returns None, so this runs to the end; a Python loop would cost over half a call.
        any(map(self._write, positions, data))

    def write_threads(self, blocks: SparseBlocks, threads: int, *, split: bool) -> None:
        """As `write`, from threads that start together; each writes all, or its share of it."""
        start = Barrier(threads)

        def write(first: int, last: int) -> None:
            positions, data = blocks.positions, blocks.data
            if (first, last) != (0, len(positions)):
                positions, data = positions[first:last], data[first:last]
            start.wait()
            self._write_all(positions, data)

        count = len(blocks.positions)
        shares = [
            (count * thread // threads, count * (thread + 1) // threads) if split else (0, count)
            for thread in range(threads)
        ]
        with ThreadPoolExecutor(threads) as workers:
            for written in [workers.submit(write, *share) for share in shares]:
                written.result()

    def gathered(self, blocks: SparseBlocks, *, by_piece: bool = False) -> bytes:
        """All bytes in order; `by_piece` where touching pieces may be separate blocks."""
        if by_piece or len(blocks.merged) > 1:
            return b"".join(map(self.read, blocks.positions, blocks.numbers[1::2]))
        return self.read(*blocks.merged[0])

    @property
    def own_size(self) -> int:
        return int(self._method("size_of")())

    @property
    def blocks(self) -> int:
        return int(self._method("num_blocks")())

    @property
    def bytes(self) -> int:
        return int(self._method("num_bytes")())

    def close(self) -> None:
        del self.read, self.need, self._write, self._svf


_OWN = Path(__file__).parent / "native" / "harness.cpp"
# As svfsc's own set-up compiles it; -w because its pragmas are for another compiler.
_FLAGS = ("-O2", "-std=c++17", "-DNDEBUG", "-w")
_LOCKED = ("-DSVF_THREAD_SAFE", "-DSVFS_THREAD_SAFE")
_SIGNATURES: dict[str, tuple[type | None, str]] = {
    "thread_safe": (ctypes.c_int, ""),
    "open": (ctypes.c_void_p, "ii"),
    "close": (None, "p"),
    "error": (ctypes.c_char_p, "p"),
    "forget_error": (None, "p"),
    "write": (ctypes.c_int, "ppup"),
    "write_threads": (ctypes.c_int, "ppupui"),
    "read": (ctypes.c_int, "ppup"),
    "need": (ctypes.c_int, "ppuup"),
    "size_of": (ctypes.c_uint64, "p"),
    "blocks": (ctypes.c_uint64, "p"),
    "bytes": (ctypes.c_uint64, "p"),
}
_KINDS = {"i": ctypes.c_int, "p": ctypes.c_void_p, "u": ctypes.c_uint64}


class NativeError(SluiceError):
    """svfsc raised in C++."""


class _Needed(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("ranges", "bytes", "digest"))


type Needed = tuple[int, int, int]
"""Number of ranges, their bytes, and a checksum over both."""


@lru_cache
def library(mutex: bool) -> ctypes.CDLL:
    """The harness with or without mutexes; compiles it if necessary, raises Unavailable."""
    NATIVE.require()
    folder, command = sources(), compiler()
    assert folder is not None
    assert command is not None
    flags = (*_FLAGS, *(_LOCKED if mutex else ()))
    units = (_OWN, folder / "svf.cpp", folder / "svfs.cpp")
    try:
        built = compiled("sparse", command, flags, units, (folder / "svf.h", folder / "svfs.h"))
    except SluiceError as error:
        remedy = "check the C++ compiler, or measure with language=python"
        raise SluiceError(error.cause, remedy) from error
    loaded = ctypes.CDLL(str(built))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(loaded, f"sparse_{name}")
        function.restype = result
        function.argtypes = [_KINDS[letter] for letter in arguments]
    return loaded


class Pieces:
    """Ranges as the harness takes them."""

    def __init__(self, ranges: Sequence[Range] | SparseBlocks) -> None:
        self._numbers = (
            ranges.numbers
            if isinstance(ranges, SparseBlocks)
            else array("Q", chain.from_iterable(ranges))
        )
        self.address, numbers = self._numbers.buffer_info()
        self.count = numbers // 2

    def at(self, place: int) -> int:
        return self.address + 16 * place


class NativeFile:
    """One sparse file of the harness's.  Raises NativeError for what svfsc raises."""

    def __init__(self, *, mutex: bool, compare: bool, in_system: bool) -> None:
        self._library = library(mutex)
        self._file = self._library.sparse_open(compare, in_system)
        if not self._file:
            raise NativeError("there is no memory for a sparse file")
        # ctypes looks names up slowly.
        self._read, self._need = self._library.sparse_read, self._library.sparse_need

    def write(self, pieces: Pieces, source: bytes) -> None:
        self._done(self._library.sparse_write(self._file, pieces.address, pieces.count, source))

    def write_threads(self, pieces: Pieces, source: bytes, threads: int, *, split: bool) -> None:
        write = self._library.sparse_write_threads
        self._done(write(self._file, pieces.address, pieces.count, source, threads, split))

    def read(self, address: int, count: int, to: int) -> None:
        if self._read(self._file, address, count, to):
            self._done(-1)

    def need(self, address: int, count: int, greedy: int) -> Needed:
        sums = _Needed()
        if self._need(self._file, address, count, greedy, ctypes.addressof(sums)):
            self._done(-1)
        return sums.ranges, sums.bytes, sums.digest

    def gathered(self, blocks: SparseBlocks, *, by_piece: bool = False) -> bytes:
        pieces = Pieces(blocks if by_piece or len(blocks.merged) > 1 else blocks.merged)
        buffer = ctypes.create_string_buffer(len(blocks.source))
        self.read(pieces.address, pieces.count, ctypes.addressof(buffer))
        return buffer.raw

    @property
    def own_size(self) -> int:
        return int(self._library.sparse_size_of(self._file))

    @property
    def blocks(self) -> int:
        return int(self._library.sparse_blocks(self._file))

    @property
    def bytes(self) -> int:
        return int(self._library.sparse_bytes(self._file))

    def close(self) -> None:
        """Free the file; more than once does no harm."""
        file, self._file = self._file, None
        if file:
            self._library.sparse_close(file)

    def _done(self, code: int) -> None:
        if code:
            error = self._library.sparse_error(self._file)
            self._library.sparse_forget_error(self._file)
            raise NativeError(error.decode("utf-8", "replace"))


_WORD = (1 << 64) - 1


def needed(answers: Sequence[Sequence[Range]]) -> Needed:
    """What the harness should say of these answers."""
    ranges = [one for answer in answers for one in answer]
    sums = accumulate(position + length * 0x9E3779B97F4A7C15 for position, length in ranges)
    return len(ranges), sum(length for _, length in ranges) & _WORD, sum(sums) & _WORD


type SparseFile = PythonFile | NativeFile


def new_file(parameters: SparseParameters) -> SparseFile:
    in_system = parameters.holder == "file-system"
    if parameters.language == "cpp":
        return NativeFile(mutex=parameters.mutex, compare=parameters.compare, in_system=in_system)
    return PythonFile(compare=parameters.compare, in_system=in_system)


def filler(parameters: SparseParameters, blocks: SparseBlocks) -> Callable[[Any], None]:
    """Writes all blocks into a file; its buffers are made now, before memory is measured."""
    if parameters.language == "cpp":
        pieces = Pieces(blocks)
        return lambda file: file.write(pieces, blocks.source)
    _ = blocks.positions, blocks.data
    return lambda file: file.write(blocks)


def laid_out_wrongly(file: SparseFile, blocks: SparseBlocks) -> str:
    """What is wrong with how much a file holds, and in how many blocks."""
    if file.bytes != len(blocks.source):
        return f"holds {file.bytes} bytes instead of {len(blocks.source)}"
    if file.blocks != len(blocks.merged):
        return f"holds {file.blocks} blocks instead of {len(blocks.merged)}"
    return ""


def held_wrongly(file: SparseFile, blocks: SparseBlocks) -> str:
    """What is wrong with a file that should hold all blocks, merged where they touch."""
    if wrong := laid_out_wrongly(file, blocks):
        return wrong
    return "" if file.gathered(blocks) == blocks.source else "holds other bytes than were written"


def runs(total: int, most: int) -> list[Range]:
    """`total` calls in runs of at most `most`: the first of each run, and its length."""
    return [(first, min(most, total - first)) for first in range(0, total, most)]


_PER_BLOCK = 40
_EMPTY = {False: 192, True: 232}
"""Bytes of an empty file without and with a mutex, by its own account, but for its name."""
_NAME = len("id")


class Account:
    """Compares with the memory of the process before the file exists."""

    def __init__(self, parameters: SparseParameters) -> None:
        self._empty = _EMPTY[parameters.language == "cpp" and parameters.mutex] + _NAME
        self._known = version().startswith("0.4.")
        self._before = _resident()
        self.counters: dict[str, float] = {}

    def of(self, file: SparseFile) -> str:
        """What is wrong with the file's own account, by the law of 0.4; empty when right."""
        own_size = file.own_size  # it counts block by block
        law = _PER_BLOCK * file.blocks + self._empty + file.bytes
        self.counters = {"blocks": file.blocks, "bytes held": file.bytes, "own account": own_size}
        resident = _resident()
        if resident and self._before:
            self.counters["resident for it"] = resident - self._before
        if not self._known:
            return ""
        self.counters["off the memory law"] = own_size - law
        if own_size == law:
            return ""
        return f"takes {own_size} bytes by its own account, {law} by the law"


def _resident() -> int:
    statm = Path("/proc/self/statm")
    pages = int(statm.read_text().split()[1]) if statm.exists() else 0
    return pages * os.sysconf("SC_PAGE_SIZE")
