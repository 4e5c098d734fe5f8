"""The piece of the time axis that the plots show: the last minute, all, or what the user chose."""

from __future__ import annotations

from app.plots.base.scales import growing_end
from app.plots.time.intake import Intake
from app.plots.time.span import Span

_CLOSEST = 0.5
"""Shortest piece of time that fills the plots, in seconds."""
MINUTE = 60.0


class VisibleTime:
    """A piece of the axis on which an intake puts its samples."""

    def __init__(self, intake: Intake, recorded: float | None = None) -> None:
        self._intake = intake
        self.recorded = recorded
        """Where a recording ends; None for a run that goes on."""
        self.chosen: Span | None = None
        """What the user looks at; None to follow what is measured."""
        self.whole_run = False
        """Whether all is followed, or only the last minute; a recording is always seen whole."""

    @property
    def whole(self) -> Span:
        """The whole axis."""
        first = self._intake.first
        if self.recorded is not None:
            return Span(first, max(self.recorded, first + _CLOSEST))
        return Span(first, first + growing_end(self._intake.last - first))

    @property
    def last(self) -> float:
        """When the last sample was taken."""
        return self._intake.last

    @property
    def span(self) -> Span:
        """The visible piece."""
        if self.chosen is not None:
            return self.chosen
        all_of_it = self.whole_run or self.recorded is not None
        if all_of_it or self.last - self._intake.first <= MINUTE:
            return self.whole
        return Span(self.last - MINUTE, self.last)

    def within(self, time: float) -> float:
        """The nearest time on the axis."""
        whole = self.whole
        return min(max(time, whole.start), whole.end)

    def look_at(self, start: float, end: float) -> None:
        """Show a piece of the time axis, clipped to the data; all of it for an empty piece."""
        whole = self.whole
        length = max(end - start, _CLOSEST)
        if length >= whole.length:
            self.chosen = None
            self.whole_run = True
        else:
            start = min(max(start, whole.start), whole.end - length)
            self.chosen = Span(start, start + length)
