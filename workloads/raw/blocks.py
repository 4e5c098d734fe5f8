"""The blocks of many files as one sequence, in order or in a seeded random one.

They are rows of three whole numbers, computed for a slice at a time: a batch goes to the harness in
C as it is, and a dataset of any size takes no memory for its blocks.
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
        self._mask = (1 << bits) - 1
        self._shift = (bits + 1) // 2
        self._first, self._second = (drawn.getrandbits(bits + 1) | 1 for _ in range(2))
        self._added = drawn.getrandbits(bits)

    def __call__(self, numbers: Numbers) -> Numbers:
        """The numbers at those places, for indexes in 0…count-1; unsigned, so that they wrap."""
        import numpy as np

        mixed = self._mix(numbers.astype(np.uint64))
        while (large := mixed >= self._count).any():
            mixed[large] = self._mix(mixed[large])
        return mixed.astype(np.int64)

    def _mix(self, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
        import numpy as np

        mask, shift = np.uint64(self._mask), np.uint64(self._shift)
        numbers = (numbers * np.uint64(self._first) + np.uint64(self._added)) & mask
        numbers ^= numbers >> shift
        return (numbers * np.uint64(self._second)) & mask


class Rows(Sequence[Extent]):
    """Blocks that have been computed."""

    def __init__(self, rows: Numbers) -> None:
        self.rows = rows
        """int64, C-contiguous, a row (file, length, offset) for each block."""

    @override
    def __len__(self) -> int:
        return len(self.rows)

    @override
    def __getitem__(self, index: int) -> Extent:  # type: ignore[override]  # never sliced
        file, length, offset = self.rows[index].tolist()
        return file, length, offset

    @override
    def __iter__(self) -> Iterator[Extent]:
        return map(tuple, self.rows.tolist())


def rows_of(items: Sequence[Extent]) -> Numbers:
    """Blocks as rows."""
    import numpy as np

    return items.rows if isinstance(items, Rows) else np.array(items, np.int64).reshape(-1, 3)


class Blocks(Sequence[Extent]):
    """All blocks of files of these sizes; the last block of a file can be short.

    `names` are what the extents call the files: numbers or open descriptors.
    """

    def __init__(
        self, sizes: Sequence[int], names: Sequence[int], block: int, seed: int | None
    ) -> None:
        import numpy as np

        self._sizes = np.array(sizes, np.int64)
        self._names = np.array(names, np.int64)
        self._block = block
        self._ends = np.cumsum(-(-self._sizes // block))
        self._count = int(self._ends[-1]) if len(self._ends) else 0
        self._order = Permutation(self._count, seed) if seed is not None else None

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

    def take(self, positions: Sequence[int]) -> Rows:
        """The blocks at these positions, which start over behind the last."""
        import numpy as np

        if isinstance(positions, range):  # which is made into an array number by number
            numbers = np.arange(positions.start, positions.stop, positions.step, dtype=np.int64)
        else:
            numbers = np.array(positions, np.int64)
        numbers %= self._count
        if self._order is not None:
            numbers = self._order(numbers)
        files = np.searchsorted(self._ends, numbers, side="right")
        before = np.where(files > 0, self._ends[files - 1], 0)
        offsets = (numbers - before) * self._block
        lengths = np.minimum(self._block, self._sizes[files] - offsets)
        return Rows(np.stack((self._names[files], lengths, offsets), axis=1))
