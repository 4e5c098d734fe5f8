"""A plot over time as a table, row by row, for people who cannot see it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.plots.base.pyramid import Floats
from core import TimePlot, show_clock, tr_word


class SameData:
    """The rows of one trace."""

    def __init__(self, plot: TimePlot, times: Floats, values: Floats) -> None:
        self.titles = (tr_word("time"), *plot.names)
        self.plain_titles = ("time (s)", *plot.plain_titles)
        self._plot = plot
        self._times = times
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def row(self, place: int) -> tuple[str, ...]:
        """The texts of one row: time, then every column."""
        values = self._values[place]
        texts = (self._plot.text(at, float(value)) for at, value in enumerate(values))
        return (show_clock(float(self._times[place]), 0.1), *texts)

    def plain_row(self, place: int) -> tuple[float | None, ...]:
        """Seconds, then the value of every column in its unit; None where it is unknown."""
        values = map(float, self._values[place])
        return (float(self._times[place]), *(one if math.isfinite(one) else None for one in values))


class SettingsData:
    """The rows of several settings, in the order of time."""

    def __init__(
        self, plot: TimePlot, names: Sequence[str], parts: Sequence[tuple[Floats, Floats]]
    ) -> None:
        self.titles = (tr_word("time"), tr_word("setting"), *plot.names)
        self.plain_titles = ("time (s)", "setting", *plot.plain_titles)
        times = np.concatenate([times for times, _ in parts])
        order = np.argsort(times, kind="stable")
        self._names = names
        self._of = np.repeat(np.arange(len(parts)), [len(times) for times, _ in parts])[order]
        self._rows = SameData(plot, times[order], np.concatenate([v for _, v in parts])[order])

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, place: int) -> tuple[str, ...]:
        """The texts of one row: time, setting, then every column."""
        time, *texts = self._rows.row(place)
        return (time, self._names[self._of[place]], *texts)

    def plain_row(self, place: int) -> tuple[float | str | None, ...]:
        """Seconds, setting, then the value of every column in its unit; None where unknown."""
        time, *values = self._rows.plain_row(place)
        return (time, self._names[self._of[place]], *values)
