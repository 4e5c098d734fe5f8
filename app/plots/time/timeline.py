"""The places of trials on the time axis: one after the other, with a short pause between."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.plots.time.time_plot import Span
from core import Moment, Trial

PAUSE = 0.5
"""Seconds that trials stand apart."""


@dataclass(frozen=True, kw_only=True)
class Begun:
    """A trial on the axis; `end` is None while it is unknown."""

    index: int
    label: str
    start: float
    end: float | None = None


class Timeline:
    """The trials that are shown, in their order; all times are seconds on the axis."""

    def __init__(self) -> None:
        self._begun: list[Begun] = []
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._begun)

    @property
    def newest(self) -> Begun:
        """The trial that began last."""
        return self._begun[-1]

    def begin(self, index: int, label: str, start: float, end: float | None = None) -> None:
        """One more trial, behind all others."""
        self._places[index] = len(self._begun)
        self._begun.append(Begun(index=index, label=label, start=start, end=end))

    def record(self, trials: Sequence[tuple[Trial, str]]) -> deque[tuple[float, Sequence[Moment]]]:
        """Whole trials with their labels: where each begins, and its moments.

        A trial that nobody looked at, and so has no moments, has no place on the axis.
        """
        pending: deque[tuple[float, Sequence[Moment]]] = deque()
        start = 0.0
        for trial, label in trials:
            if trial.moments:
                end = start + max(trial.moments[-1].at, 0.0)
                self.begin(trial.index, label, start, end)
                pending.append((start, trial.moments))
                start = end + PAUSE
        return pending

    def at(self, time: float) -> Begun | None:
        """The trial that is shown at a time; the first one before there is any."""
        return self._begun[self._place_of(time)] if self._begun else None

    def _place_of(self, time: float) -> int:
        return max(bisect_right(self._begun, time, key=lambda begun: begun.start) - 1, 0)

    def label_of(self, index: int) -> str:
        """The label of the trial of that index, which must be on the axis."""
        return self._begun[self._places[index]].label

    def holds(self, indexes: Collection[int]) -> bool:
        """Whether all these trials are on the axis."""
        return all(index in self._places for index in indexes)

    def between(self, span: Span, now: float) -> tuple[int, ...]:
        """Indexes of the trials that have any part in a piece of time; `now` ends the last one."""
        first = self._place_of(span.start)
        last = bisect_right(self._begun, span.end, key=lambda begun: begun.start)
        return tuple(
            self._begun[place].index
            for place in range(first, last)
            if self._span(place, now).end >= span.start
        )

    def spans(self, indexes: Collection[int], now: float) -> list[Span]:
        """The spans of these trials, as far as they are on the axis, in its order."""
        places = sorted(self._places[index] for index in indexes if index in self._places)
        return [self._span(place, now) for place in places]

    def _span(self, place: int, now: float) -> Span:
        begun = self._begun[place]
        if begun.end is not None:
            return Span(begun.start, begun.end)
        after = self._begun[place + 1].start - PAUSE if place + 1 < len(self._begun) else now
        return Span(begun.start, max(after, begun.start))
