"""The figures of the latest operations, each of as many operations as it needs.

The parent looks at a running trial ten times a second.  Between two looks there may be a million
operations or none, so neither a percentile nor a rate is taken from these alone.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from core.language import Seconds
from core.vocabulary import Histogram, Latencies, resolves

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class LatencyCounts(NamedTuple):
    """All latencies up to one look."""

    counts: NDArray[np.int64]
    squares: int

    def since(self, before: LatencyCounts) -> Latencies:
        """The latencies of the operations between two looks."""
        counts = (self.counts - before.counts).clip(min=0)
        squares = max(self.squares - before.squares, 0)
        return Latencies(histogram=Histogram.of(counts), squares=squares)


_AMPLE = 2
"""A batch has this many times the operations that a percentile needs, so that it stays."""


class LatestPercentile:
    """A percentile of the last whole batch of operations, and of all later operations.

    A batch ends at the first look by which it has enough of them.  Before the first has ended, the
    percentile is of all so far.
    """

    def __init__(self, percent: float, first: LatencyCounts) -> None:
        self._percent = percent
        self._batch_began = self._batch_before_began = first

    def update(self, now: LatencyCounts) -> int:
        """The percentile at this look in ns; 0 if there are too few operations."""
        if resolves(now.since(self._batch_began).sample / _AMPLE, self._percent):
            self._batch_before_began, self._batch_began = self._batch_began, now
        latency = now.since(self._batch_before_began).percentile(self._percent)
        return round(latency.value) if latency else 0


class Totals(NamedTuple):
    """The work done in all windows so far."""

    seconds: Seconds
    operations: float
    bytes: float


class Rate(NamedTuple):
    """Per second; None where too little was done to tell."""

    operations: float | None
    bytes: float | None


_POINT: Seconds = 1.0
"""The least time in windows for a point of a curve."""
_POINTS = 3
"""The fewest points of a trial: a point of a short trial takes a third of its time."""
_FEWEST_OPERATIONS = 5
"""For a point."""


class LatestRate:
    """The rate in the latest windows, as many of them as one point of a curve needs.

    With less than that, there is no rate: what the first tenth of a second shows is chance.

    A rate is that between two marks.  A look becomes a mark if operations have ended since the mark
    before: from just before one ends to just after another does, there seem to be more of them.  If
    no operation ends for the time of a point, a look becomes a mark too, and the rate falls.
    """

    def __init__(self, duration: Seconds) -> None:
        """`duration`: for how long the trial is measured; 0 = not known."""
        self.totals = Totals(0.0, 0.0, 0.0)
        self._point = min(_POINT, duration / _POINTS) if duration else _POINT
        self._marks = deque([self.totals])

    def update(self, totals: Totals) -> None:
        """Take in the totals so far."""
        self.totals = totals
        marks, last = self._marks, self._marks[-1]
        if totals.seconds <= last.seconds:
            if len(marks) > 1:  # what was under way at that mark was counted later
                marks[-1] = totals
        elif totals.operations > last.operations or totals.seconds - last.seconds >= self._point:
            marks.append(totals)
            while (
                totals.seconds - marks[1].seconds >= self._point
                and totals.operations - marks[1].operations >= _FEWEST_OPERATIONS
            ):
                marks.popleft()

    def rate(self, *, complete: bool) -> Rate:
        """The latest rate.

        `complete`: even of less than a point should have, because no more will come.
        """
        first, last = self._marks[0], self._marks[-1]
        seconds, operations = last.seconds - first.seconds, last.operations - first.operations
        # Windows add up to the time of a point only nearly.
        enough = seconds >= 0.99 * self._point and operations >= _FEWEST_OPERATIONS
        if seconds <= 0 or not (enough or (complete and operations)):
            return Rate(None, None)
        return Rate(operations / seconds, (last.bytes - first.bytes) / seconds)
