"""Which plots are drawn at which tick of the clock.

On a day's axis a column of pixels is a minute wide. Drawing all plots ten times a second shows
nothing new there, and takes CPU from the workers that are measured. So a plot is drawn when an
eighth of what a pixel holds has passed: at each tick while that is short, else at each second one,
each third one, and so on, but every second at the least. Plots take turns, so that those that are
drawn seldom do not all fall on the same tick.

All are drawn at once where the piece of time in sight is another one, and whenever it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.plots.time.time_plot import Panel, Span

_PARTS = 8
"""Drawings for each pixel, at the most."""
_LONGEST = 1.0
"""Seconds until a sample is drawn, at the most."""


class Turns:
    """Draws plots when it is their turn; ticks are so many seconds apart."""

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
