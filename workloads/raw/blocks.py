"""The blocks of many files as one lazy sequence, in order or in a seeded random one."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

type Extent = tuple[int, int, int]
"""One read: the file by number or descriptor, bytes to read, and where."""


class Permutation:
    """A seeded one-to-one mapping of 0…count-1 to itself, without a table.

    Each step mixes the numbers below the next power of two one-to-one: multiplying by an odd
    number, adding, and folding high bits onto low ones.  A result that is too large is mixed
    again until it is not, which on average takes less than two rounds.
    """

    def __init__(self, count: int, seed: int) -> None:
        drawn = random.Random(seed)
        bits = max(1, (count - 1).bit_length())
        self._count = count
        self._mask = (1 << bits) - 1
        self._shift = (bits + 1) // 2
        self._first, self._second = (drawn.getrandbits(bits + 1) | 1 for _ in range(2))
        self._added = drawn.getrandbits(bits)

    def __call__(self, index: int) -> int:
        """The number at that place, for an index in 0…count-1."""
        mask, shift = self._mask, self._shift
        number = index
        while True:
            number = (number * self._first + self._added) & mask
            number ^= number >> shift
            number = (number * self._second) & mask
            number ^= number >> shift
            if number < self._count:
                return number


class Blocks(Sequence[Extent]):
    """All blocks of files of these sizes; the last block of a file can be short.

    `names` are what the extents call the files: numbers or open descriptors.
    """

    def __init__(
        self, sizes: Sequence[int], names: Sequence[int], block: int, seed: int | None
    ) -> None:
        self._sizes = list(sizes)
        self._names = list(names)
        self._block = block
        self._ends = list(accumulate(-(-size // block) for size in sizes))
        self._count = self._ends[-1] if self._ends else 0
        self._order = Permutation(self._count, seed) if seed is not None else None

    def __len__(self) -> int:
        """Number of blocks."""
        return self._count

    def __getitem__(self, index: int) -> Extent:  # type: ignore[override]  # never sliced
        """The block at a place, in constant memory."""
        number = range(self._count)[index]
        if self._order is not None:
            number = self._order(number)
        file = bisect_right(self._ends, number)
        offset = (number - self._ends[file - 1]) * self._block if file else number * self._block
        length = self._sizes[file] - offset
        return self._names[file], min(self._block, length), offset
