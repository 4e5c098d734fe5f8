"""The Z-order curve, which keeps neighbours in the plane close: GeoTrellis' key index."""

from __future__ import annotations

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
