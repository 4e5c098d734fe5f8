"""The blocks of many files as one sequence, in order or in a seeded random one.

They are rows of three whole numbers, computed for a slice at a time, here or by the harness in C:
a dataset of any size takes no memory for its blocks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, override

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Numbers = NDArray[np.int64]

type Extent = tuple[int, int, int]
"""One read: the file by number or descriptor, bytes to read, and where."""


_TOGETHER = 4096
"""Blocks that are computed at once where all are asked for."""


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
        self.mask = (1 << bits) - 1
        self.shift = (bits + 1) // 2
        self.first, self.second = (drawn.getrandbits(bits + 1) | 1 for _ in range(2))
        self.added = drawn.getrandbits(bits)

    def __call__(self, numbers: Numbers) -> Numbers:
        """The numbers at those places, for indexes in 0…count-1; unsigned, so that they wrap."""
        import numpy as np

        mixed = self._mix(numbers.astype(np.uint64))
        while (large := mixed >= self._count).any():
            mixed[large] = self._mix(mixed[large])
        return mixed.astype(np.int64)

    def _mix(self, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
        import numpy as np

        mask, shift = np.uint64(self.mask), np.uint64(self.shift)
        numbers = (numbers * np.uint64(self.first) + np.uint64(self.added)) & mask
        numbers ^= numbers >> shift
        return (numbers * np.uint64(self.second)) & mask


class FileBlocks(Sequence[Extent]):
    """All blocks of files of these sizes; the last block of a file can be short.

    `names` are what the extents call the files: numbers or open descriptors.
    """

    def __init__(
        self, sizes: Sequence[int], names: Sequence[int], block: int, seed: int | None
    ) -> None:
        import numpy as np

        self.sizes = np.array(sizes, np.int64)
        self.names = np.array(names, np.int64)
        self.block = block
        self.ends = np.cumsum(-(-self.sizes // block))
        """Blocks up to the end of each file."""
        self._count = int(self.ends[-1]) if len(self.ends) else 0
        self.order = Permutation(self._count, seed) if seed is not None else None

    @override
    def __len__(self) -> int:
        return self._count

    @override
    def __iter__(self) -> Iterator[Extent]:
        for first in range(0, self._count, _TOGETHER):
            yield from self.take(range(first, min(first + _TOGETHER, self._count)))

    @override
    def __getitem__(self, index: int) -> Extent:  # type: ignore[override]  # never sliced
        return self.take([range(self._count)[index]])[0]

    def take(self, positions: Sequence[int]) -> SomeBlocks:
        """The blocks at these positions, which start over behind the last."""
        return SomeBlocks(self, positions)

    def rows(self, positions: Sequence[int]) -> Numbers:
        """The blocks at these positions: int64, C-contiguous, each a row (file, length, offset)."""
        import numpy as np

        numbers = numbers_of(positions) % self._count
        if self.order is not None:
            numbers = self.order(numbers)
        files = np.searchsorted(self.ends, numbers, side="right")
        before = np.where(files > 0, self.ends[files - 1], 0)
        offsets = (numbers - before) * self.block
        lengths = np.minimum(self.block, self.sizes[files] - offsets)
        return np.stack((self.names[files], lengths, offsets), axis=1)


def numbers_of(positions: Sequence[int]) -> Numbers:
    """Positions as an array; a range would be made into one number by number."""
    import numpy as np

    if isinstance(positions, range):
        return np.arange(positions.start, positions.stop, positions.step, dtype=np.int64)
    return np.array(positions, np.int64)


class SomeBlocks(Sequence[Extent]):
    """Some blocks, which are computed where somebody looks: the harness in C computes its own."""

    def __init__(self, blocks: FileBlocks, positions: Sequence[int]) -> None:
        self.blocks = blocks
        self.positions = positions

    @override
    def __len__(self) -> int:
        return len(self.positions)

    @override
    def __getitem__(self, index: int) -> Extent:  # type: ignore[override]  # never sliced
        file, length, offset = self.blocks.rows([self.positions[index]])[0].tolist()
        return file, length, offset

    @override
    def __iter__(self) -> Iterator[Extent]:
        return map(tuple, self.blocks.rows(self.positions).tolist())


def rows_of(items: Sequence[Extent]) -> Numbers:
    """Blocks as rows, whatever they are kept in."""
    import numpy as np

    if isinstance(items, SomeBlocks):
        return items.blocks.rows(items.positions)
    return np.array(items, np.int64).reshape(-1, 3)
