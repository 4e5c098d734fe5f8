"""Where the blocks of a sparse file are and what they hold, without the reader under test.

A block's bytes are the next ones of one random source, so what is gathered from all blocks in
order must be the source again.
"""

from __future__ import annotations

import random
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise, repeat

from core import DatasetError

type Range = tuple[int, int]
"""Position and length."""

_STRIDE = 1024


@dataclass(frozen=True)
class Blocks:
    """The pieces in which a sparse file is written and read, by position, and their bytes.

    `step` is the distance of the beginnings of pieces of one length, the last of which may be
    short; 0 where they are anywhere.  It spares loops over a million pieces.
    """

    pieces: Sequence[Range]
    source: bytes
    step: int = 0

    @cached_property
    def positions(self) -> Sequence[int]:
        """Where the pieces begin."""
        if self.step:
            return range(0, len(self.pieces) * self.step, self.step)
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
        found = array("Q", [self.pieces[0][1]]) * (2 * len(self.pieces))
        found[::2] = array("Q", self.positions)
        found[-1] = self.pieces[-1][1]
        return found

    @property
    def end(self) -> int:
        """The position behind the last piece."""
        position, length = self.pieces[-1]
        return position + length

    @cached_property
    def data(self) -> list[bytes]:
        """Each piece's bytes."""
        return [self.source[start:end] for start, end in pairwise(self.offsets)]

    def expected(self, position: int) -> bytes:
        """The bytes of the piece that begins there."""
        place = position // self.step if self.step else bisect_right(self.positions, position) - 1
        return self.source[self.offsets[place] : self.offsets[place + 1]]

    @cached_property
    def merged(self) -> Sequence[Range]:
        """The blocks that are left once touching pieces are one."""
        if self.step > self.pieces[0][1]:
            return self.pieces
        if self.step:
            return [(0, len(self.source))]
        found: list[Range] = []
        for position, length in self.pieces:
            if found and sum(found[-1]) == position:
                found[-1] = (found[-1][0], found[-1][1] + length)
            else:
                found.append((position, length))
        return found


def blocks_of(layout: str, block_size: int, size: int, index: Sequence[Range], seed: int) -> Blocks:
    """The blocks of a layout; raises DatasetError where there would be too many."""
    if layout == "index":
        pieces, step = list(index), 0
    else:
        step = {"gap": block_size + 1, "stride": max(_STRIDE, block_size + 1)}.get(
            layout, block_size
        )
        count = -(-size // block_size)
        if count > 1 << 24:
            raise DatasetError(f"{count:,} blocks are too many", "raise the block size")
        pieces = list(zip(range(0, count * step, step), repeat(block_size)))
        if short := count * block_size - size:
            pieces[-1] = (pieces[-1][0], block_size - short)
    total = size if step else sum(length for _, length in pieces)
    return Blocks(pieces, random.Random(seed).randbytes(total), step)


class Lacking:
    """What a file with these blocks lacks, as `need` should answer."""

    def __init__(self, blocks: Sequence[Range]) -> None:
        self._starts = [position for position, _ in blocks]
        self._ends = [position + length for position, length in blocks]

    def need(self, position: int, length: int, greedy: int = 0) -> list[Range]:
        """The missing ranges of one request, by position.

        With a greedy length above the request's, each range is at least so long, and those that
        it reaches into are swallowed.
        """
        end = position + length
        missing = self._missing(position, end)
        if greedy <= length:
            return missing
        found: list[Range] = []
        for start, lacking in missing:
            if found and start <= sum(found[-1]):
                first, so_far = found[-1]
                found[-1] = (first, max(so_far, start + lacking - first))
            else:
                found.append((start, max(lacking, greedy)))
        return found

    def _missing(self, position: int, end: int) -> list[Range]:
        found: list[Range] = []
        for place in range(bisect_right(self._ends, position), len(self._starts)):
            start = self._starts[place]
            if start >= end:
                break
            if position < start:
                found.append((position, start - position))
            position = max(position, self._ends[place])
        if position < end:
            found.append((position, end - position))
        return found
