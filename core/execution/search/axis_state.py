"""What is known along one axis of a search."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.analysis.judge import SURE
from core.analysis.scaling import Noise
from core.analysis.thread_curves import Point


@dataclass(frozen=True, kw_only=True)
class AxisState:
    """All allowed values in rising order, and the points measured so far, in rising order.

    `looks`: how often somebody has looked at the points, this time included.
    """

    values: tuple[int, ...]
    points: tuple[Point, ...]
    usable: tuple[Point, ...]
    noise: Noise
    near: float
    looks: int

    @property
    def best(self) -> Point:
        return max(self.usable, key=lambda point: point.level)

    @property
    def by_value(self) -> Mapping[int, Point]:
        return {point.threads: point for point in self.points}

    @cached_property
    def out(self) -> frozenset[int]:
        """Values that are surely worse than another by more than `near`; they have left the race.

        A search looks after every block.  The k-th look may be wrong with 1 / k(k+1) of the chance
        that is allowed, so that all looks together keep to it.
        Source: Lan & DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70
        (1983), for spending the chance of an error over the looks.
        """
        floor = math.log1p(-self.near)
        sure = 1.0 - (1.0 - SURE) / (self.looks * (self.looks + 1))
        return frozenset(
            point.threads
            for point in self.usable
            if any(
                point.level - rival.level + self.noise.bound(point, rival, sure) < floor
                for rival in self.usable
                if rival is not point
            )
        )

    def between(self, low: int, high: int) -> list[int]:
        """Allowed values strictly between two others."""
        return [value for value in self.values if low < value < high]


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
