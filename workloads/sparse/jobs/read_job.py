"""Reads of blocks, one by one from Python and in runs from C++."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

from core import Step, Weight
from workloads.sparse.jobs.files import FilledJob, runs
from workloads.sparse.layouts import Blocks, Range
from workloads.sparse.native import Pieces
from workloads.sparse.sparse_parameters import SparseParameters

_LARGE = 64 << 10


class ReadJob(FilledJob[Range, bytes]):
    """Single reads from Python."""

    def __init__(self, parameters: SparseParameters, blocks: Blocks) -> None:
        super().__init__(parameters, blocks)
        self.items = list(blocks.pieces)
        if parameters.block_size >= _LARGE:
            # Programs drop what they have read; kept results would each need fresh memory.
            self.checking, self.held = "between", 1

    @override
    def _step(self) -> Step:
        read = self._file.read
        return Step("call", lambda piece: read(*piece), spread=read)

    def check(self, item: Range, result: bytes) -> str:
        """Compare with what was written there."""
        return "" if result == self._blocks.expected(item[0]) else "other bytes than were written"


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a run of reads left in the worker's buffer; valid until its next run."""

    calls: int
    data: memoryview


class NativeReadJob(FilledJob[Range, Gathered]):
    """Runs of reads from C++; an item is the first piece and how many."""

    checking = "between"
    held = 1  # the buffer is used again, so that it stays in the processor's cache

    def __init__(self, parameters: SparseParameters, blocks: Blocks) -> None:
        super().__init__(parameters, blocks)
        self.items = runs(len(blocks.pieces), parameters.calls)
        self._pieces = Pieces(blocks)

    @override
    def _step(self) -> Step:
        read, at, offsets = self._file.read, self._pieces.at, self._blocks.offsets
        longest = max(offsets[first + count] - offsets[first] for first, count in self.items)
        buffer = mmap.mmap(-1, longest)  # whole pages, which are copied into fastest
        address = ctypes.addressof(ctypes.c_char.from_buffer(buffer))
        whole = memoryview(buffer)

        def run(item: Range) -> Gathered:
            first, count = item
            read(at(first), count, address)
            return Gathered(count, whole[: offsets[first + count] - offsets[first]])

        return Step("call", run)

    def check(self, item: Range, result: Gathered) -> str:
        """Compare all that was read with what was written there."""
        first, count = item
        offsets = self._blocks.offsets
        same = bytes(result.data) == self._blocks.source[offsets[first] : offsets[first + count]]
        return "" if same else "other bytes than were written"

    def weigh(self, results: Sequence[Gathered]) -> Weight:
        """Each call is an operation."""
        calls = sum(result.calls for result in results)
        return Weight(calls, sum(len(result.data) for result in results))
