"""Which plots are drawn at which tick of the clock.

On a day's axis a column of pixels is a minute wide. Drawing all plots ten times a second shows
nothing new there, and takes CPU from the measured workers. So a plot is drawn when an eighth of a
pixel's time has passed: at each tick while that is short, otherwise at every second or third tick,
and so on, but at least once a second. Plots take turns, so that rarely drawn ones do not fall on
the same tick.

Where curves have more samples than pixels, or are many, plots that are to be drawn anew are drawn
one after the other, each in a round of its own of the event loop: together they would hold up mouse
and keys for longer than a screen takes for a picture.  On request all are drawn at once.
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
_FEW = 12
"""Curves of a plot that do not hold up the others."""


class Turns:
    """Draws plots when it is their turn; ticks are `period` seconds apart."""

    def __init__(self, panels: Sequence[Panel], period: float) -> None:
        self._panels = panels
        self._period = period
        self._tick = 0
        self._span: Span | None = None
        self._now = False
        self._owed: set[int] = set()
        """Plots that do not show the visible piece of time yet."""
        self._last = -1
        """The plot that was brought to it last."""
        self._drawn = [0] * len(panels)
        """Samples that each plot shows."""

    def all(self, *, now: bool = False) -> None:
        """Draw every plot anew: all at the next tick where curves are few, or with `now`."""
        self._span, self._now = None, now

    def owe(self) -> None:
        """Draw every plot, one after the other."""
        self._owed = set(range(len(self._panels)))

    def draw(self, span: Span, samples: int) -> bool:
        """Draw the plots whose turn it is at this tick; whether all now show so many samples."""
        self._tick += 1
        few = all(panel.curves <= _FEW for panel in self._panels)
        quick = few and samples <= max((panel.dots for panel in self._panels), default=0)
        at_once = (few or self._now) if self._span is None else quick and span != self._span
        if span != self._span:
            self.owe()
            self._span = span
        for place, panel in enumerate(self._panels):
            if panel.changed or self._is_late(place, samples):
                self._owed.add(place)
        now = set(self._owed) if quick or at_once else {self._next_owed()}
        for place, panel in enumerate(self._panels):
            if place in now or (panel.blank and few):
                panel.draw(span)
                self._drawn[place] = samples
                self._owed.discard(place)
        return not self._owed and all(drawn == samples for drawn in self._drawn)

    def _next_owed(self) -> int | None:
        """Behind the last one, so that a view that changes at each round starves none."""
        if not self._owed:
            return None
        count = len(self._panels)
        self._last = min(self._owed, key=lambda place: (place - self._last - 1) % count)
        return self._last

    @property
    def owing(self) -> bool:
        """Whether a plot still shows something else than it should."""
        return bool(self._owed)

    def _is_late(self, place: int, samples: int) -> bool:
        """Whether it is the turn of a plot that lacks samples of the piece that it shows."""
        assert self._span is not None
        if place in self._owed or self._drawn[place] == samples:
            return False
        return self._is_due(place, self._span.length / self._panels[place].dots)

    def _is_due(self, place: int, pixel: float) -> bool:
        """Whether it is the turn of the plot at that place, whose pixels hold so many seconds."""
        most = max(int(_LONGEST / self._period), 1)
        every = min(max(math.ceil(pixel / _PARTS / self._period), 1), most)
        return (self._tick + place * every // len(self._panels)) % every == 0
