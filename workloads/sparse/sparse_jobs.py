"""The jobs: reads, needs and writes, one by one from Python and in runs from C++.

Results are checked against blocks with known bytes.
"""

from __future__ import annotations

import ctypes
import mmap
import threading
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, override

from core import Context, InvalidParameter, Job, SluiceError, Step, Weight, tr
from workloads.sparse.sparse_datasets import read_index
from workloads.sparse.sparse_files import (
    Account,
    NativeFile,
    Needed,
    Pieces,
    PythonFile,
    SparseFile,
    filler,
    held_wrongly,
    laid_out_wrongly,
    needed,
    new_file,
    runs,
)
from workloads.sparse.sparse_oracle import Lacking, Range, SparseBlocks, blocks_of
from workloads.sparse.sparse_parameters import SparseParameters

_LARGE = 64 << 10


class FilledJob[Item, Result](Job[Item, Result]):
    """A job on a file that was filled and accounted for before the clock starts.

    Its bytes are not checked then: a need does not use them, and every read is compared.
    """

    def __init__(self, parameters: SparseParameters, blocks: SparseBlocks) -> None:
        self._blocks = blocks
        fill = filler(parameters, blocks)
        account = Account(parameters)
        self._file: Any = new_file(parameters)
        fill(self._file)
        wrong = account.of(self._file) or laid_out_wrongly(self._file, blocks)
        if wrong:
            self._file.close()
            raise SluiceError(f"the filled file is wrong: {wrong}")
        self._counters = account.counters

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield (self._step(),)

    @abstractmethod
    def _step(self) -> Step:
        """The work of one item."""

    def counters(self) -> Mapping[str, float]:
        return self._counters

    def close(self) -> None:
        self._file.close()


class ReadJob(FilledJob[Range, bytes]):
    def __init__(self, parameters: SparseParameters, blocks: SparseBlocks) -> None:
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
        return "" if result == self._blocks.expected(item[0]) else "other bytes than were written"

    @override
    def all_right(self, items: Sequence[Range], results: Sequence[bytes]) -> bool:
        return list(results) == self._blocks.all_expected(items, self.items)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a run of reads left in the worker's buffer; valid until its next run."""

    calls: int
    data: memoryview


class NativeReadJob(FilledJob[Range, Gathered]):
    """Runs of reads from C++; an item is the first piece and how many."""

    checking = "between"
    held = 1  # the buffer is used again, so that it stays in the processor's cache

    def __init__(self, parameters: SparseParameters, blocks: SparseBlocks) -> None:
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
        first, count = item
        offsets = self._blocks.offsets
        same = bytes(result.data) == self._blocks.source[offsets[first] : offsets[first + count]]
        return "" if same else "other bytes than were written"

    def weigh(self, results: Sequence[Gathered]) -> Weight:
        calls = sum(result.calls for result in results)
        return Weight(calls, sum(len(result.data) for result in results))


_RANGES_KEPT = 50_000
"""Of answers that are kept for the next time: some MB."""
_MIDDLE = 512 << 10
_MOST_REQUESTS = 100_000
_STRETCHES = 10
_LOOKED_AT = 100
_FEW_RANGES = 8
_RANGES_ALIVE = 2048


class NeedJob(FilledJob[tuple[int, ...], list[Range]]):
    def __init__(self, parameters: SparseParameters, blocks: SparseBlocks) -> None:
        super().__init__(parameters, blocks)
        greedy = (parameters.greedy_length,) if parameters.greedy_length else ()
        self.items = [(*request, *greedy) for request in _requests(parameters, blocks)]
        self._size = parameters.need_size
        self._lacking = Lacking(blocks.merged)
        self._answers: dict[tuple[int, ...], list[Range]] = {}
        self._kept = 0
        most = max(map(len, map(self._answer, self.items[:_LOOKED_AT])))
        if most > _FEW_RANGES:
            # As with large reads: programs drop an answer, and its memory is used again.
            self.checking, self.held = "between", max(1, _RANGES_ALIVE // most)

    @override
    def _step(self) -> Step:
        need = self._file.need
        return Step("call", lambda request: need(*request), spread=need)

    def check(self, item: tuple[int, ...], result: list[Range]) -> str:
        return "" if result == self._answer(item) else "other ranges than the file lacks"

    @override
    def all_right(self, items: Sequence[tuple[int, ...]], results: Sequence[list[Range]]) -> bool:
        return list(results) == list(map(self._answer, items))

    def _answer(self, item: tuple[int, ...]) -> list[Range]:
        """What the file lacks; working it out takes ten times as long as to ask for it."""
        if (answer := self._answers.get(item)) is None:
            answer = self._lacking.need(*item)
            if self._kept < _RANGES_KEPT:
                self._kept += 1 + len(answer)
                self._answers[item] = answer
        return answer

    def weigh(self, results: Sequence[list[Range]]) -> Weight:
        return Weight(len(results), self._size * len(results))


@dataclass(frozen=True, slots=True)
class Answered:
    """The summed answer of a run of needs."""

    calls: int
    sums: Needed


class NativeNeedJob(FilledJob[Range, Answered]):
    """Runs of needs from C++; an item is the first request and how many."""

    checking = "between"

    def __init__(self, parameters: SparseParameters, blocks: SparseBlocks) -> None:
        super().__init__(parameters, blocks)
        self._requests = _requests(parameters, blocks)
        if len(self._requests) == 1:
            self._requests *= parameters.calls
        self.items = runs(len(self._requests), parameters.calls)
        self._pieces = Pieces(self._requests)
        self._size, self._greedy = parameters.need_size, parameters.greedy_length
        self._lacking = Lacking(blocks.merged)
        self._answers: dict[Range, Needed] = {}
        self._lock = threading.Lock()

    @override
    def _step(self) -> Step:
        need, at, greedy = self._file.need, self._pieces.at, self._greedy

        def run(item: Range) -> Answered:
            first, count = item
            return Answered(count, need(at(first), count, greedy))

        return Step("call", run)

    def check(self, item: Range, result: Answered) -> str:
        with self._lock:
            if item not in self._answers:
                first, count = item
                requests = self._requests[first : first + count]
                need, greedy = self._lacking.need, self._greedy
                self._answers[item] = needed([need(*request, greedy) for request in requests])
            answer = self._answers[item]
        return "" if result.sums == answer else "other ranges than the file lacks"

    def weigh(self, results: Sequence[Answered]) -> Weight:
        calls = sum(result.calls for result in results)
        return Weight(calls, calls * self._size)


def _requests(parameters: SparseParameters, blocks: SparseBlocks) -> list[Range]:
    size = parameters.need_size
    if parameters.need_at != "tiled":
        return [(_MIDDLE if parameters.need_at == "middle" else 0, size)]
    count = -(-blocks.end // size)
    if count <= _MOST_REQUESTS:
        return [(place * size, size) for place in range(count)]
    # Stretches that are spread evenly over the file, because each request needs its answer.
    stretch = _MOST_REQUESTS // _STRETCHES
    starts = [count * number // _STRETCHES for number in range(_STRETCHES)]
    return [(place * size, size) for start in starts for place in range(start, start + stretch)]


class WriteJob(Job[int, SparseFile]):
    """Passes that write all blocks; each but an overwriting one makes its own empty file.

    Threads are the pass's own: they share its file, which no other pass does.  What was written
    is checked, accounted for and freed with the clock stopped.
    """

    checking = "at once"
    held = 1
    workers = 1

    def __init__(self, parameters: SparseParameters, blocks: SparseBlocks, threads: int) -> None:
        self.items = list(range(1000))
        self._parameters, self._blocks, self._threads = parameters, blocks, threads
        self._split = parameters.sharing == "split" and threads > 1
        times = 1 if self._split else threads
        self._calls, self._bytes = len(blocks.pieces) * times, len(blocks.source) * times
        self._fill = filler(parameters, blocks)
        self._pieces = Pieces(blocks) if parameters.language == "cpp" else None
        self._account = Account(parameters)
        self._overwritten: SparseFile | None = None
        if parameters.layout == "overwrite":
            self._overwritten = new_file(parameters)
            self._fill(self._overwritten)

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield (Step("pass", self._pass),)

    def _pass(self, number: int) -> SparseFile:
        file = self._overwritten or new_file(self._parameters)
        threads, source = self._threads, self._blocks.source
        match file:
            case _ if threads == 1:
                self._fill(file)
            case NativeFile() if self._pieces is not None:
                file.write_threads(self._pieces, source, threads, split=self._split)
            case PythonFile():
                file.write_threads(self._blocks, threads, split=self._split)
        return file

    def check(self, item: int, result: SparseFile) -> str:
        """Compare all that the file holds with what was written, and its account with the law."""
        try:
            return self._account.of(result) or self._wrong(result)
        finally:
            if result is not self._overwritten:
                result.close()

    def _wrong(self, file: SparseFile) -> str:
        if not self._split:
            return held_wrongly(file, self._blocks)
        # Neighbouring threads' parts need not be one block: see the fault in `faults`.
        same = file.gathered(self._blocks, by_piece=True) == self._blocks.source
        return "" if same else "other bytes"

    def weigh(self, results: Sequence[SparseFile]) -> Weight:
        return Weight(self._calls * len(results), self._bytes * len(results))

    def counters(self) -> Mapping[str, float]:
        return self._account.counters

    def close(self) -> None:
        if self._overwritten is not None:
            self._overwritten.close()


def require_mutex(parameters: SparseParameters, threads: int) -> None:
    """Raise InvalidParameter where threads need one."""
    if parameters.language == "cpp" and threads > 1 and not parameters.mutex:
        raise InvalidParameter(
            "mutex", tr("threads would damage the file that they share"), tr("add --mutex")
        )


def job_of(context: Context[SparseParameters]) -> Job[Any, Any]:
    """The job that the parameters ask for; raises InvalidParameter where threads need a mutex."""
    parameters, threads = context.parameters, context.load.threads
    require_mutex(parameters, threads)
    layout, seed = parameters.layout, context.load.seed
    index = read_index(context.dataset.path) if layout == "index" else ()
    blocks = blocks_of(layout, parameters.block_size, parameters.size, index, seed)
    if parameters.operation == "write":
        return WriteJob(parameters, blocks, threads)
    native = parameters.language == "cpp"
    if parameters.operation == "read":
        return NativeReadJob(parameters, blocks) if native else ReadJob(parameters, blocks)
    return NativeNeedJob(parameters, blocks) if native else NeedJob(parameters, blocks)
