"""Passes that write all blocks of a file, on one thread or on several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from core import Job, Step, Weight
from workloads.sparse.jobs.files import Account, SparseFile, filler, held_wrongly, new_file
from workloads.sparse.layouts import Blocks
from workloads.sparse.native import NativeFile, Pieces
from workloads.sparse.python import PythonFile
from workloads.sparse.sparse_parameters import SparseParameters


class WriteJob(Job[int, SparseFile]):
    """Passes that write all blocks; each but an overwriting one makes its own empty file.

    Threads are the pass's own: they share its file, which no other pass does.  What was written
    is checked, accounted for and freed with the clock stopped.
    """

    checking = "at once"
    held = 1
    workers = 1

    def __init__(self, parameters: SparseParameters, blocks: Blocks, threads: int) -> None:
        self.items = list(range(1000))
        self._parameters, self._blocks, self._threads = parameters, blocks, threads
        self._split = parameters.sharing == "split" and threads > 1
        self._calls = len(blocks.pieces) * (1 if self._split else threads)
        self._bytes = len(blocks.source) * (1 if self._split else threads)
        self._fill = filler(parameters, blocks)
        self._pieces = Pieces(blocks) if parameters.language == "cpp" else None
        self._account = Account(parameters)
        self._kept: SparseFile | None = None
        if parameters.layout == "overwrite":
            self._kept = new_file(parameters)
            self._fill(self._kept)

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        """One pass."""
        yield (Step("pass", self._pass),)

    def _pass(self, number: int) -> SparseFile:
        file = self._kept or new_file(self._parameters)
        match file:
            case _ if self._threads == 1:
                self._fill(file)
            case NativeFile() if self._pieces is not None:
                file.write_threads(
                    self._pieces, self._blocks.source, self._threads, split=self._split
                )
            case PythonFile():
                file.write_threads(self._blocks, self._threads, split=self._split)
        return file

    def check(self, item: int, result: SparseFile) -> str:
        """Compare all that the file holds with what was written, and its account with the law."""
        try:
            return self._account.of(result) or self._wrong(result)
        finally:
            if result is not self._kept:
                result.close()

    def _wrong(self, file: SparseFile) -> str:
        if not self._split:
            return held_wrongly(file, self._blocks)
        # Neighbouring threads' parts need not be one block: see the fault in `faults`.
        return (
            ""
            if file.gathered(self._blocks, by_piece=True) == self._blocks.source
            else "other bytes"
        )

    def weigh(self, results: Sequence[SparseFile]) -> Weight:
        """Each write of each thread is an operation."""
        return Weight(self._calls * len(results), self._bytes * len(results))

    def counters(self) -> Mapping[str, float]:
        """The memory of the last file."""
        return self._account.counters

    def close(self) -> None:
        """Free the file that is kept."""
        if self._kept is not None:
            self._kept.close()
