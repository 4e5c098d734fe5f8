"""The keys of tiles, which are whole numbers: places on the Z-order curve.

The keys of a layer with one zoom are GeoTrellis' own.  Those of a pyramid count the tiles of all
smaller zooms, and then go along the curve of their own zoom.  PMTiles counts likewise, but along
the Hilbert curve.
"""

from __future__ import annotations

from typing import NamedTuple, Self

_SHIFTS = (16, 8, 4, 2, 1)
_MASKS = (
    0x00000000FFFFFFFF,
    0x0000FFFF0000FFFF,
    0x00FF00FF00FF00FF,
    0x0F0F0F0F0F0F0F0F,
    0x3333333333333333,
    0x5555555555555555,
)


def z_order(column: int, row: int) -> int:
    """The place of a tile on the curve: its bits by turns, the column's first (lowest)."""
    return _spread(column) | _spread(row) << 1


def place_of(key: int) -> tuple[int, int]:
    """Column and row of a place on the curve."""
    return _gathered(key), _gathered(key >> 1)


def _spread(number: int) -> int:
    """The bits of a number of up to 32 at every other place."""
    for shift, mask in zip(_SHIFTS, _MASKS[1:], strict=True):
        number = (number | number << shift) & mask
    return number


def _gathered(number: int) -> int:
    """The bits at every other place of a number."""
    number &= _MASKS[-1]
    for shift, mask in zip(reversed(_SHIFTS), reversed(_MASKS[:-1]), strict=True):
        number = (number | number >> shift) & mask
    return number


MOST_ZOOM = 31
"""The key of every tile up to it is below 2^63."""


def first_key(zoom: int) -> int:
    """The key of the tile at column and row 0: how many tiles the smaller zooms have."""
    return ((1 << 2 * zoom) - 1) // 3


class GridPlace(NamedTuple):
    """Where a tile is; rows count from the north."""

    zoom: int
    column: int
    row: int

    @property
    def key(self) -> int:
        return first_key(self.zoom) + z_order(self.column, self.row)

    @classmethod
    def of(cls, key: int) -> Self:
        zoom = ((3 * key + 1).bit_length() - 1) // 2
        return cls(zoom, *place_of(key - first_key(zoom)))

    @property
    def is_in_grid(self) -> bool:
        numbers = all(type(number) is int for number in self)  # SQLite has others in such columns
        return (
            numbers
            and 0 <= self.zoom <= MOST_ZOOM
            and 0 <= self.column < 1 << self.zoom
            and 0 <= self.row < 1 << self.zoom
        )

    @property
    def south(self) -> int:
        """The row counted from the south."""
        return (1 << self.zoom) - 1 - self.row

    def __str__(self) -> str:
        return "/".join(map(str, self))
