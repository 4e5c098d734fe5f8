"""The samples behind curves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.plots.base.samples import Floats, Samples
from app.plots.time.timeline import Span

_BACK = 64
"""Rows in which the last known value is looked for."""


class Trace:
    """A row of all quantities for each moment; times are seconds on the axis."""

    def __init__(self, name: str = "", columns: int = 1) -> None:
        self.name = name
        self.samples = Samples(columns)
        self._broken = True
        self._seconds = 0.0
        self._operations = 0.0

    def add(self, times: Sequence[float], values: Floats) -> None:
        self.samples.extend(times, values)
        self._broken = False

    def break_at(self, time: float) -> None:
        """Break the curves at a time, unless they are broken there already."""
        if not self._broken:
            self.samples.extend([time], np.full((1, self.samples.curves), np.nan))
            self._broken = True

    def count(self, operations: float, seconds: float) -> None:
        """So many operations more were done in so much time of its own clock."""
        self._operations += operations
        self._seconds += seconds

    @property
    def rate(self) -> float:
        """Operations per second of its own clock so far; 0 while unknown."""
        return self._operations / self._seconds if self._seconds > 0 else 0.0

    def take_over(self, other: Trace, span: Span) -> None:
        """Append what another trace has in a piece of time that is later than all of this one."""
        times, values = other.known(span)
        if times.size:
            self.break_at(span.start)
            self.add(times.tolist(), values)
            rates, took = values[1:, 0], np.diff(times)  # operations/s are the first column
            finite = np.isfinite(rates)
            self.count(float(np.sum(rates[finite] * took[finite])), float(np.sum(took[finite])))

    def _rows_until(self, time: float | None) -> Floats:
        """All rows up to a time, that included, or all."""
        if time is None:
            return self.samples.values
        return self.samples.values[: np.searchsorted(self.samples.times, time, side="right")]

    def at(self, time: float | None) -> Floats:
        """The last row up to a time, or of all; NaN where nothing is known."""
        rows = self._rows_until(time)
        return rows[-1] if len(rows) else np.full(self.samples.curves, math.nan)

    def latest(self, column: int, time: float | None) -> float:
        """The last known value of a column up to a time or of all, since the curves broke."""
        rows = self._rows_until(time)[-_BACK:]
        broken = np.flatnonzero(np.isnan(rows).all(axis=1))
        rows = rows[broken[-1] + 1 :] if broken.size else rows
        values = rows[np.isfinite(rows[:, column]), column]
        return float(values[-1]) if values.size else math.nan

    def within(self, span: Span | None) -> tuple[Floats, Floats]:
        """Times and rows of a piece of time, or all; rows that only break the line included."""
        times, values = self.samples.times, self.samples.values
        if span is None:
            return times, values
        begin, end = map(int, np.searchsorted(times, span))
        return times[begin:end], values[begin:end]

    def known(self, span: Span | None) -> tuple[Floats, Floats]:
        """The same without the rows that only break the line."""
        times, values = self.within(span)
        unbroken = np.isfinite(values).any(axis=1)
        return times[unbroken], values[unbroken]
