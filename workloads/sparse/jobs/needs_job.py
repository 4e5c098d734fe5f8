"""Needs: the missing parts of a range, asked one by one from Python and in runs from C++."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

from core import Step, Weight
from workloads.sparse.jobs.files import FilledJob, runs
from workloads.sparse.layouts import Blocks, Lacking, Range
from workloads.sparse.native import Needed, Pieces, needed
from workloads.sparse.sparse_parameters import SparseParameters

_MIDDLE = 512 << 10
_MOST_REQUESTS = 100_000
_STRETCHES = 10
_LOOKED_AT = 100
_FEW_RANGES = 8
_RANGES_ALIVE = 2048


class NeedJob(FilledJob[tuple[int, ...], list[Range]]):
    """Single needs from Python."""

    def __init__(self, parameters: SparseParameters, blocks: Blocks) -> None:
        super().__init__(parameters, blocks)
        greedy = (parameters.greedy_length,) if parameters.greedy_length else ()
        self.items = [(*request, *greedy) for request in _requests(parameters, blocks)]
        self._size = parameters.need_size
        self._lacking = Lacking(blocks.merged)
        answers = [(item, self._lacking.need(*item)) for item in self.items[:_LOOKED_AT]]
        self._last = answers[-1]
        most = max(len(answer) for _, answer in answers)
        if most > _FEW_RANGES:
            # As with large reads: programs drop an answer, and its memory is used again.
            self.checking, self.held = "between", max(1, _RANGES_ALIVE // most)

    @override
    def _step(self) -> Step:
        need = self._file.need
        return Step("call", lambda request: need(*request), spread=need)

    def check(self, item: tuple[int, ...], result: list[Range]) -> str:
        """Compare with what a file with these blocks lacks."""
        asked, answer = self._last
        if asked != item:
            answer = self._lacking.need(*item)
            self._last = (item, answer)
        return "" if result == answer else "other ranges than the file lacks"

    def weigh(self, results: Sequence[list[Range]]) -> Weight:
        """The bytes that were asked about."""
        return Weight(len(results), self._size * len(results))


@dataclass(frozen=True, slots=True)
class Answered:
    """The summed answer of a run of needs."""

    calls: int
    needed: Needed


class NativeNeedJob(FilledJob[Range, Answered]):
    """Runs of needs from C++; an item is the first request and how many."""

    checking = "between"

    def __init__(self, parameters: SparseParameters, blocks: Blocks) -> None:
        super().__init__(parameters, blocks)
        self._requests = _requests(parameters, blocks)
        if len(self._requests) == 1:
            self._requests *= parameters.calls
        self.items = runs(len(self._requests), parameters.calls)
        self._pieces = Pieces(self._requests)
        self._size, self._greedy = parameters.need_size, parameters.greedy_length
        self._lacking = Lacking(blocks.merged)
        self._known: dict[Range, Needed] = {}
        self._lock = threading.Lock()

    @override
    def _step(self) -> Step:
        need, at, greedy = self._file.need, self._pieces.at, self._greedy

        def run(item: Range) -> Answered:
            first, count = item
            return Answered(count, need(at(first), count, greedy))

        return Step("call", run)

    def check(self, item: Range, result: Answered) -> str:
        """Compare with what a file with these blocks lacks."""
        with self._lock:
            if item not in self._known:
                first, count = item
                self._known[item] = needed(
                    [
                        self._lacking.need(*request, self._greedy)
                        for request in self._requests[first : first + count]
                    ]
                )
            right = self._known[item]
        return "" if result.needed == right else "other ranges than the file lacks"

    def weigh(self, results: Sequence[Answered]) -> Weight:
        """Each call is an operation; the bytes are those that were asked about."""
        calls = sum(result.calls for result in results)
        return Weight(calls, calls * self._size)


def _requests(parameters: SparseParameters, blocks: Blocks) -> list[Range]:
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
