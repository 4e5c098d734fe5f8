"""Throughput against threads, as series that can be drawn: points, intervals, law, advice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from core import Price

type Floats = NDArray[np.float64]

MOST = 6
"""The largest number of series that are drawn."""


@dataclass(frozen=True, kw_only=True)
class ScalingPoint:
    """The result with this many threads; `low` and `high` bound it with 95 % confidence."""

    threads: int
    value: float
    low: float
    high: float
    reason: str
    """Why it has no value (then NaN); empty if it has one."""
    setting: str = ""
    """The digest of its spec."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """One line of a sweep; `law` is x and y of its curve, empty if no law fits."""

    name: str
    places: tuple[ScalingPoint, ...]
    law: tuple[Floats, Floats]
    recommended: int | None
    """Threads to use, if the setting to use is one of its places; otherwise None."""
    sure: bool
    prices: tuple[Price, ...]
    """What each step up between usable neighbours brings and costs."""
    published: tuple[tuple[int, float], ...]
    """Threads and operations/s that a study published for this setting."""

    @property
    def best(self) -> float:
        """The highest throughput; minus infinity if nothing succeeded."""
        return max((place.value for place in self.places if not place.reason), default=-math.inf)

    @property
    def counts(self) -> set[int]:
        """Numbers of threads that have a measured or a published point."""
        return {place.threads for place in self.places} | {count for count, _ in self.published}

    def price_of(self, threads: int) -> Price | None:
        """What the step up to this many threads brings and costs."""
        return next((price for price in self.prices if price.end == threads), None)

    def at(self, threads: int) -> ScalingPoint | None:
        """The result with this many threads; None if there is none."""
        return next((place for place in self.places if place.threads == threads), None)


def drawn(series: Sequence[Series]) -> tuple[Series, ...]:
    """The series with the setting to use and the fastest others, at most `MOST`, in order."""
    ranked = sorted(series, key=lambda one: (one.recommended is not None, one.best), reverse=True)
    return tuple(one for one in series if one in ranked[:MOST])


def chosen(series: Sequence[Series]) -> Series | None:
    """The series that holds the setting to use."""
    return next((one for one in series if one.recommended is not None), None)
