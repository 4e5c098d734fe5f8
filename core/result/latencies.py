"""What was timed: how long operations took, and how many of them that rests on.

Of short operations only a random subset is timed (`core.trial.single_timing`); each of them stands
for several.  This is the one place that decides whether a percentile can be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.result.histogram import (
    PERCENTILES,
    Histogram,
    Percentile,
    merged,
    percentile,
    resolves,
)


@dataclass(frozen=True, kw_only=True)
class Latencies:
    """How long operations took; only of operations that were timed on their own."""

    histogram: Histogram
    """One operation that was timed counts for all that it stands for."""
    squares: int
    """The squares of how many each stands for, summed: as many as were timed where each was."""

    @classmethod
    def together(cls, parts: Iterable[Latencies]) -> Latencies:
        """Those of several trials as if it had been one."""
        several = list(parts)
        return cls(
            histogram=merged(one.histogram for one in several),
            squares=sum(one.squares for one in several),
        )

    @property
    def sample(self) -> float:
        """How many operations, each timed, would say as much.

        Source: Kish, "Survey Sampling" (1965), §11.7 (effective size of a weighted sample).
        """
        total = self.histogram.total
        return total * total / self.squares if self.squares > 0 else 0.0

    def percentile(self, percent: float) -> Percentile | None:
        """A percentile; None where the operations that were timed cannot tell it."""
        sample = self.sample
        if not resolves(sample, percent):
            return None
        found = percentile(self.histogram, percent, sample)
        return found if found is not None and found.resolvable else None

    def seconds(self, quantile: float) -> float | None:
        """Seconds within which that share of the operations ended; None where it cannot be told."""
        found = self.percentile(100.0 * quantile)
        return found.value / 1e9 if found else None

    def percentiles(self, percents: Sequence[float] = PERCENTILES) -> tuple[Percentile, ...]:
        """Those of several percentiles that can be told, in the order asked."""
        found = (self.percentile(percent) for percent in percents)
        return tuple(one for one in found if one is not None)


def longest(parts: Sequence[Latencies | None], quantile: float) -> float | None:
    """The longest time, in seconds, within which that share ended in any of several trials.

    Where not each can tell it, that of all together; None where that cannot be told either.
    """
    told = [one for one in parts if one is not None]
    if not told or len(told) < len(parts):
        return None
    each = [one.seconds(quantile) for one in told]
    known = [value for value in each if value is not None]
    return max(known) if len(known) == len(each) else Latencies.together(told).seconds(quantile)
