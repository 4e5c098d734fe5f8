"""svfsc's Python classes with the interface that the jobs need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

from workloads.sparse.layouts import Blocks, Range

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
        self._before = (_ID,) if in_system else ()
        self.read = self._method("read")
        self.need = self._method("need")
        self._write = self._method("write")

    def _method(self, name: str) -> Any:
        method = getattr(self._svf, name)
        return partial(method, *self._before) if self._before else method

    def write(self, blocks: Blocks) -> None:
        """Write all pieces."""
        _write_all(self._write, blocks.positions, blocks.data)

    def write_threads(self, blocks: Blocks, threads: int, *, split: bool) -> None:
        """As `write`, from threads that start together; each writes all, or its share of it."""
        start = Barrier(threads)

        def write(first: int, last: int) -> None:
            positions, data = blocks.positions, blocks.data
            if (first, last) != (0, len(positions)):
                positions, data = positions[first:last], data[first:last]
            start.wait()
            _write_all(self._write, positions, data)

        count = len(blocks.positions)
        shares = [
            (count * thread // threads, count * (thread + 1) // threads) if split else (0, count)
            for thread in range(threads)
        ]
        with ThreadPoolExecutor(threads) as workers:
            for written in [workers.submit(write, *share) for share in shares]:
                written.result()

    def gathered(self, blocks: Blocks, *, by_piece: bool = False) -> bytes:
        """All bytes in order; `by_piece` where touching pieces may be separate blocks."""
        if by_piece or len(blocks.merged) > 1:
            return b"".join(map(self.read, blocks.positions, blocks.numbers[1::2]))
        return self.read(*blocks.merged[0])

    @property
    def own_size(self) -> int:
        """Bytes of memory by svfsc's own account."""
        return int(self._method("size_of")())

    @property
    def blocks(self) -> int:
        """Blocks held."""
        return int(self._method("num_blocks")())

    @property
    def bytes(self) -> int:
        """Bytes held."""
        return int(self._method("num_bytes")())

    def close(self) -> None:
        """Drop the file."""
        del self.read, self.need, self._write, self._svf


def _write_all(
    write: Callable[[int, bytes], None], positions: Sequence[int], data: Sequence[bytes]
) -> None:
    # `write` returns None, so this runs to the end; a Python loop would cost over half a call.
    any(map(write, positions, data))
