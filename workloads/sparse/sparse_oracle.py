"""The places and bytes of a sparse file's blocks, independent of the reader under test.

A block's bytes are the next ones of one random source, so all blocks in order must give the source
again.
"""

from __future__ import annotations

import random
import struct
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise, repeat
from operator import add, eq, sub
from typing import override

from core import DatasetError

type Range = tuple[int, int]
"""Position and length."""

_STRIDE = 1024


@dataclass(frozen=True)
class Evenly(Sequence[Range]):
    """Pieces of one length that begin at multiples of a step; the last one may be short.

    A million of them take no memory until they are used.
    """

    starts: range
    length: int
    last: int

    @override
    def __len__(self) -> int:
        return len(self.starts)

    @override
    def __getitem__(self, place: int) -> Range:  # type: ignore[override]  # never sliced
        start = self.starts[place]
        return start, self.last if start == self.starts[-1] else self.length

    @override
    def __iter__(self) -> Iterator[Range]:
        lengths = chain(repeat(self.length, len(self) - 1), (self.last,))
        return zip(self.starts, lengths, strict=True)

    @property
    def ends(self) -> Sequence[int]:
        ends = range(self.length, self.starts[-1] + self.length + 1, self.starts.step)
        return ends if self.last == self.length else [*ends[:-1], self.starts[-1] + self.last]


@dataclass(frozen=True)
class SparseBlocks:
    """The pieces in which a sparse file is written and read, by position, and their bytes.

    Even pieces need no loops over a million pieces.
    """

    pieces: Sequence[Range]
    source: bytes

    @cached_property
    def step(self) -> int:
        """The distance of the beginnings of even pieces; 0 where they are anywhere."""
        return self.pieces.starts.step if isinstance(self.pieces, Evenly) else 0

    @cached_property
    def positions(self) -> Sequence[int]:
        if isinstance(self.pieces, Evenly):
            return self.pieces.starts
        return [position for position, _ in self.pieces]

    @cached_property
    def offsets(self) -> Sequence[int]:
        """Where each piece's bytes begin in the source; one more for its end."""
        size = self.pieces[0][1]
        if self.step and len(self.source) == size * len(self.pieces):
            return range(0, len(self.source) + 1, size)
        return [0, *accumulate(length for _, length in self.pieces)]

    @cached_property
    def numbers(self) -> array[int]:
        """The pieces' positions and lengths in turn, as C takes them."""
        if not self.step:
            return array("Q", chain.from_iterable(self.pieces))
        numbers = array("Q", [self.pieces[0][1]]) * (2 * len(self.pieces))
        numbers[::2] = array("Q", self.positions)
        numbers[-1] = self.pieces[-1][1]
        return numbers

    @property
    def end(self) -> int:
        position, length = self.pieces[-1]
        return position + length

    @cached_property
    def data(self) -> list[bytes]:
        if self.step:
            size = self.pieces[0][1]
            whole = len(self.source) - len(self.source) % size
            equal = struct.iter_unpack(f"{size}s", memoryview(self.source)[:whole])
            short = self.source[whole:]
            return [*chain.from_iterable(equal), *([short] if short else [])]
        return [self.source[start:end] for start, end in pairwise(self.offsets)]

    def expected(self, position: int) -> bytes:
        return self.data[self._place(position)]

    def _place(self, position: int) -> int:
        if self.step:
            return position // self.step
        return bisect_right(self.positions, position) - 1

    def all_expected(self, pieces: Sequence[Range], every: Sequence[Range]) -> list[bytes]:
        """The bytes of each of these, several times as fast as one by one.

        `every`: all pieces, as objects that these are.
        """
        first = self._place(pieces[0][0])
        last = first + len(pieces)
        if every[first:last] == pieces:  # a worker takes them in a row, unless it shares them
            return self.data[first:last]
        if (step := self.step) == 0:
            return [self.expected(position) for position, _ in pieces]
        data = self.data
        return [data[position // step] for position, _ in pieces]

    @cached_property
    def merged(self) -> Sequence[Range]:
        """The blocks that are left once touching pieces are one."""
        if self.step > self.pieces[0][1]:
            return self.pieces
        if self.step:
            return [(0, len(self.source))]
        ends = map(add, self.positions, self.numbers[1::2])
        if not any(map(eq, ends, self.positions[1:])):
            return self.pieces
        blocks: list[Range] = []
        for position, length in self.pieces:
            if blocks and sum(blocks[-1]) == position:
                blocks[-1] = (blocks[-1][0], blocks[-1][1] + length)
            else:
                blocks.append((position, length))
        return blocks


def blocks_of(
    layout: str, block_size: int, size: int, index: Sequence[Range], seed: int
) -> SparseBlocks:
    """The blocks of a layout; raises DatasetError where there would be too many."""
    if layout == "index":
        pieces: Sequence[Range] = index
        total = sum(length for _, length in index)
    else:
        step = step_of(layout, block_size)
        count = -(-size // block_size)
        if count > 1 << 24:
            raise DatasetError(f"{count:,} blocks are too many", "raise the block size")
        last = size - (count - 1) * block_size
        pieces, total = Evenly(range(0, count * step, step), block_size, last), size
    return SparseBlocks(pieces, random.Random(seed).randbytes(total))


def step_of(layout: str, block_size: int) -> int:
    """The distance of the beginnings of the blocks of an even layout."""
    return {"gap": block_size + 1, "stride": max(_STRIDE, block_size + 1)}.get(layout, block_size)


class Lacking:
    """What a file with these blocks lacks, as `need` should answer; no two blocks touch."""

    def __init__(self, blocks: Sequence[Range]) -> None:
        even = blocks if isinstance(blocks, Evenly) else None
        self._starts: Sequence[int] = even.starts if even else [start for start, _ in blocks]
        self._ends: Sequence[int] = even.ends if even else list(map(sum, blocks))

    def need(self, position: int, length: int, greedy: int = 0) -> list[Range]:
        """The missing ranges of one request, by position.

        With a greedy length above the request's, each range is at least so long, and those that
        it reaches into are swallowed.
        """
        end = position + length
        missing = self._missing(position, end)
        if greedy <= length:
            return missing
        ranges: list[Range] = []
        for start, lacking in missing:
            if ranges and start <= sum(ranges[-1]):
                first, so_far = ranges[-1]
                ranges[-1] = (first, max(so_far, start + lacking - first))
            else:
                ranges.append((start, max(lacking, greedy)))
        return ranges

    def _missing(self, position: int, end: int) -> list[Range]:
        first, last = bisect_right(self._ends, position), bisect_left(self._starts, end)
        if first >= last:  # no block in it, unless the one that ends next after it begins before it
            inside = first < len(self._starts) and position >= self._starts[first]
            return [] if inside else [(position, end - position)]
        starts, ends = self._starts[first:last], self._ends[first:last]
        ranges = [(position, starts[0] - position)] if position < starts[0] else []
        ranges.extend(zip(ends, map(sub, starts[1:], ends), strict=False))
        if ends[-1] < end:
            ranges.append((ends[-1], end - ends[-1]))
        return ranges
