"""Latencies: how long operations took, and how many timed operations that is based on.

Of short operations only a random subset is timed (`core.trial.single_timing`); each of them stands
for several.  Only this module decides whether a percentile can be given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.result.histogram import (
    PERCENTILES,
    Histogram,
    Percentile,
    bounds,
    merged,
    percentile,
    resolves,
)


@dataclass(frozen=True, kw_only=True)
class Latencies:
    """How long operations took; covers only operations that were timed one by one."""

    histogram: Histogram
    """A timed operation counts for all operations that it stands for."""
    squares: int
    """Sum of squares of how many each timed one stands for; if all were timed, their number."""

    @classmethod
    def together(cls, parts: Iterable[Latencies]) -> Latencies:
        """The latencies of several trials, as if they were one."""
        several = list(parts)
        return cls(
            histogram=merged(one.histogram for one in several),
            squares=sum(one.squares for one in several),
        )

    @property
    def sample(self) -> float:
        """How many operations would give the same information if each were timed.

        Source: Kish, "Survey Sampling" (1965), §11.7 (effective size of a weighted sample).
        """
        total = self.histogram.total
        return total * total / self.squares if self.squares > 0 else 0.0

    def percentile(self, percent: float) -> Percentile | None:
        """A percentile; None if the timed operations are not enough for it."""
        sample = self.sample
        if not resolves(sample, percent):
            return None
        found = percentile(self.histogram, percent, sample)
        return found if found is not None and found.resolvable else None

    def seconds(self, quantile: float) -> float | None:
        """Seconds within which that share of the operations ended; None if not resolvable."""
        found = self.percentile(100.0 * quantile)
        return found.value / 1e9 if found else None

    @property
    def longest(self) -> float | None:
        """Seconds of the longest operation, at most 0.8 % off; None unless each was timed."""
        histogram = self.histogram
        if not histogram.total or self.squares != histogram.total:
            return None
        return sum(bounds(histogram.buckets[-1])) / 2e9

    def percentiles(self, percents: Sequence[float] = PERCENTILES) -> tuple[Percentile, ...]:
        """Several percentiles in the order asked, without those that are not resolvable."""
        found = (self.percentile(percent) for percent in percents)
        return tuple(one for one in found if one is not None)


def longest(parts: Sequence[Latencies | None], quantile: float) -> float | None:
    """The longest time, in seconds, within which that share ended in any of several trials.

    If it is not resolvable in each trial, the time of all trials together; None if that is not
    resolvable either, or if a trial has no latencies.
    """
    told = [one for one in parts if one is not None]
    if not told or len(told) < len(parts):
        return None
    each = [one.seconds(quantile) for one in told]
    known = [value for value in each if value is not None]
    return max(known) if len(known) == len(each) else Latencies.together(told).seconds(quantile)
