"""Throughput against threads, as series that can be drawn: points, intervals, law, advice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.plots.pyramid import Floats
from core import (
    NO_LIMITS,
    Evidence,
    Limits,
    Line,
    Point,
    Price,
    Result,
    Study,
    fit_law,
    lines,
    pooled_noise,
    prices_of,
    published_curve,
    recommend,
    setting_of,
)

MOST = 6
"""Most series that are drawn; the fastest are."""
_STEPS = 65


@dataclass(frozen=True, kw_only=True)
class Place:
    """What was measured with so many threads; `low` and `high` bound it with 95 % confidence."""

    threads: int
    value: float
    low: float
    high: float
    reason: str
    """Why it has no value (then NaN); empty where it has."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """One line of a sweep; the law is x and y of its curve, empty where no law fits."""

    name: str
    places: tuple[Place, ...]
    law: tuple[Floats, Floats]
    recommended: int | None
    sure: bool
    prices: tuple[Price, ...]
    """What each step up between usable neighbours brings and costs."""
    published: tuple[tuple[int, float], ...]
    """Threads and operations/s that a study published for this setting."""

    @property
    def best(self) -> float:
        """The highest throughput; minus infinity where nothing went well."""
        return max((place.value for place in self.places if not place.reason), default=-math.inf)

    @property
    def counts(self) -> set[int]:
        """Numbers of threads that something is known of."""
        return {place.threads for place in self.places} | {count for count, _ in self.published}

    def price_of(self, threads: int) -> Price | None:
        """What the step up to so many threads brings and costs."""
        return next((price for price in self.prices if price.end == threads), None)

    def at(self, threads: int) -> Place | None:
        """What was measured with so many threads."""
        return next((place for place in self.places if place.threads == threads), None)


def series_of(
    results: Sequence[Result], limits: Limits = NO_LIMITS, study: Study | None = None
) -> tuple[Series, ...]:
    """One series for each setting of what varies beside threads, in the results' order.

    `limits`: what a recommended number keeps to; `study`: whose published figures belong to it.
    None where threads do not vary. Loads scipy, a third of a second, when it is called first.
    """
    return tuple(_series(line, limits, study) for line in lines(results))


def fastest(series: Sequence[Series]) -> tuple[Series, ...]:
    """The `MOST` fastest series, in their order."""
    kept = sorted(series, key=lambda one: one.best, reverse=True)[:MOST]
    return tuple(one for one in series if one in kept)


def chosen(series: Sequence[Series]) -> Series | None:
    """The series whose recommended number of threads brings most."""

    def worth(one: Series) -> float:
        place = one.at(one.recommended) if one.recommended else None
        return place.value if place else -math.inf

    best = max(series, key=worth, default=None)
    return best if best and best.recommended else None


def _series(line: Line, limits: Limits, study: Study | None) -> Series:
    points = line.points
    noise = pooled_noise(points)
    places = []
    for point in points:
        value = math.nan if point.failed else math.exp(point.level)
        bounds = None if point.failed else noise.interval(point)
        low, high = bounds or (value, value)
        places.append(
            Place(threads=point.threads, value=value, low=low, high=high, reason=point.reason)
        )
    advice = recommend(points, limits)
    spec = next(iter(line.results.values())).spec
    return Series(
        name=setting_of(line.values),
        places=tuple(places),
        law=_law(points),
        recommended=advice.threads,
        sure=advice.evidence is Evidence.CONFIDENT,
        prices=prices_of(advice),
        published=published_curve(study, spec) if study else (),
    )


def _law(points: Sequence[Point]) -> tuple[Floats, Floats]:
    law = fit_law(points, resamples=0)
    if law is None:
        return np.empty(0), np.empty(0)
    threads = np.geomspace(points[0].threads, points[-1].threads, _STEPS)
    return threads, np.array([law.throughput(float(one)) for one in threads])
