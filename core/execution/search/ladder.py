"""Where a search along an axis of numbers begins."""

from __future__ import annotations

from collections.abc import Sequence

FEW = 8
"""Of so few values, all are rungs."""


def nearest(values: Sequence[int], wanted: float) -> int:
    """The allowed value nearest to the wanted one; of two, the smaller."""
    return min(values, key=lambda value: (abs(value - wanted), value))


def ladder(values: Sequence[int]) -> tuple[int, ...]:
    """Half-octave steps 1, 2, 3, 4, 6, 8, 12, … from the smallest value up, and the largest.

    Each is moved to the nearest allowed value.  Of few values, all: leaving out one or two saves no
    trial, because they are asked for later.
    """
    if len(values) <= FEW:
        return tuple(sorted(values))
    steps = {min(values), max(values)}
    octave = max(min(values), 1)
    while octave <= max(values):
        steps |= {nearest(values, octave), nearest(values, 1.5 * octave)}
        octave *= 2
    return tuple(sorted(steps))
