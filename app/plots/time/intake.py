"""Trials on the time axis and the samples of their moments, as they come or from a recording."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from app.plots.base.pyramid import Pyramid
from app.plots.time.live_quantities import COLUMNS
from app.plots.time.moment_rates import measures
from app.plots.time.timeline import PAUSE, Timeline
from core import Moment, SessionError, Trial

SLICE = 2_048
"""Moments of a long history taken in at once: about 10 ms, so that the window stays responsive."""


class Intake:
    """Keeps moments until they are taken in; `samples` has a row for each taken in."""

    def __init__(self) -> None:
        self.samples = Pyramid(COLUMNS)
        self.timeline = Timeline()
        self.boundaries: list[float] = []
        """Times between two trials."""
        self.workers = 0
        """The largest number of workers so far."""
        self._fresh: list[Moment] = []
        self._history: deque[tuple[float, Sequence[Moment]]] = deque()
        self._taken = 0
        self._before: Moment | None = None

    @property
    def first(self) -> float:
        """The time of the first sample, or 0 where that is earlier."""
        times = self.samples.times
        return min(float(times[0]), 0.0) if times.size else 0.0

    @property
    def last(self) -> float:
        """The time of the last sample."""
        times = self.samples.times
        return float(times[-1]) if times.size else 0.0

    @property
    def pending(self) -> bool:
        """Whether some recorded trials are not completely taken in."""
        return bool(self._history)

    def begin(self, index: int, label: str) -> None:
        """Begin a trial: what is added from now on belongs to it."""
        self.take_in()
        self._before = None
        start = self.last + PAUSE if len(self.samples) else 0.0
        self._separate(start)
        self.timeline.begin(index, label, start)

    def add(self, moment: Moment) -> None:
        """One more look at the trial that began last."""
        self._fresh.append(moment)
        if len(self._fresh) >= SLICE:  # nobody looks
            self.take_in()

    def record(self, trials: Sequence[tuple[Trial, str]]) -> float:
        """Add whole trials with labels, to be taken in slice by slice; returns their end time."""
        self._history = self.timeline.record(trials)
        return self.timeline.newest.end or 0.0 if len(self.timeline) else 0.0

    def take_in(self) -> None:
        """Make samples of the moments that were added."""
        fresh, self._fresh = self._fresh, []
        if fresh:
            self._extend(fresh, self.timeline.newest.start)

    def take_slice(self) -> None:
        """Make samples of some recorded moments, and let go of the trials that are done."""
        room = SLICE
        while self._history and room > 0:
            start, moments = self._history[0]
            if self._taken == 0:
                self._before = None
                self._separate(start)
            try:
                piece = moments[self._taken : self._taken + room]
            except SessionError:  # who sums the trials up is told of it, and tells
                piece = ()
            if piece:
                self._extend(piece, start)
            self._taken += len(piece)
            room -= len(piece)
            if not piece or self._taken == len(moments):
                self._history.popleft()
                self._taken = 0

    def _separate(self, start: float) -> None:
        """Break the line before a trial that starts at that time."""
        if len(self.samples):
            middle = start - PAUSE / 2
            self.samples.extend([middle], np.full((1, COLUMNS), np.nan))
            self.boundaries.append(middle)

    def _extend(self, moments: Sequence[Moment], start: float) -> None:
        times, values = measures(moments, self._before)
        self._before = moments[-1]
        # Moments may be taken shortly before the clock starts, but stay behind the pause.
        self.samples.extend(np.maximum(times, -PAUSE / 2) + start, values)
        self.workers = max(self.workers, *(len(moment.cpu) for moment in moments))
