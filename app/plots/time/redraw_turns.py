"""Which plots are drawn at which tick of the clock.

On a day's axis a column of pixels is a minute wide. Drawing all plots ten times a second shows
nothing new there, and takes CPU from the measured workers. So a plot is drawn when an eighth of a
pixel's time has passed: at each tick while that is short, otherwise at every second or third tick,
and so on, but at least once a second. Plots take turns, so that rarely drawn ones do not fall on
the same tick.

All are drawn at once when the visible piece of time changes, and on request.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.plots.time.span import Span
from app.plots.time.time_plot import Panel

_PARTS = 8
"""Largest number of drawings for each pixel."""
_LONGEST = 1.0
"""Longest time until a sample is drawn, in seconds."""


class Turns:
    """Draws plots when it is their turn; ticks are `period` seconds apart."""

    def __init__(self, panels: Sequence[Panel], period: float) -> None:
        self._panels = panels
        self._period = period
        self._tick = 0
        self._span: Span | None = None
        self._drawn = [0] * len(panels)
        """Samples that each plot shows."""

    def all(self) -> None:
        """Draw every plot at the next tick."""
        self._span = None

    def draw(self, span: Span, samples: int) -> bool:
        """Draw the plots whose turn it is at this tick; whether all now show so many samples."""
        self._tick += 1
        at_once, self._span = span != self._span, span
        for place, panel in enumerate(self._panels):
            late = self._drawn[place] != samples
            if at_once or panel.blank or (late and self._is_due(place, span.length / panel.dots)):
                panel.draw(span)
                self._drawn[place] = samples
        return all(drawn == samples for drawn in self._drawn)

    def _is_due(self, place: int, pixel: float) -> bool:
        """Whether it is the turn of the plot at that place, whose pixels hold so many seconds."""
        most = max(int(_LONGEST / self._period), 1)
        every = min(max(math.ceil(pixel / _PARTS / self._period), 1), most)
        return (self._tick + place * every // len(self._panels)) % every == 0
