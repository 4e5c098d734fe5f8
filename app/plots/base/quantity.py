"""What one plot shows, and its data as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from app.plots.base.pyramid import Floats
from app.plots.base.scales import Fit
from core import show_clock, tr_word

NOTHING = "–"


@cache  # plots ask for it with every frame, and a window speaks one language
def translated(*texts: str) -> tuple[str, ...]:
    """Names of plots and columns in the language of the window."""
    return tuple(map(tr_word, texts))


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """What one plot shows: `columns`, `drawn` as curves or only `told` above them.

    Its own texts are in English; `title` and `names` are in the language of the window.
    """

    called: str
    metrics: tuple[str, ...]
    """Their keys."""
    columns: tuple[str, ...]
    shows: tuple[Callable[[float], str], ...]
    """One for each column, from a value on the axis."""
    units: tuple[str, ...]
    """Of the plain values, one for each column."""
    fit: Fit
    drawn: tuple[int, ...]
    told: tuple[int, ...] = ()
    workers: int = 0
    """So many columns are of single workers, behind those of all; only these are drawn while there
    are no more workers."""
    compared: int = 0
    """The column that is drawn where there is a curve for each setting."""
    plain: Callable[[float], float] = float
    """From a value on the axis to the plain value."""

    @property
    def title(self) -> str:
        """The title of the plot."""
        return translated(self.called)[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return translated(*self.columns)

    @property
    def plain_titles(self) -> tuple[str, ...]:
        """The names of the columns in English, with the units of plain values."""
        return tuple(
            f"{name} ({unit})" if unit else name
            for name, unit in zip(self.columns, self.units, strict=True)
        )

    def text(self, column: int, value: float) -> str:
        """A value for people; a dash where it is unknown."""
        return self.shows[column](value) if math.isfinite(value) else NOTHING

    def tick(self, value: float, _step: float) -> str:
        """The text of a tick of the axis."""
        return self.shows[0](value)

    def drawn_of(self, workers: int) -> tuple[int, ...]:
        """The columns to draw, where there are so many workers."""
        if not self.workers:
            return self.drawn
        few = len(self.columns) - self.workers
        return tuple(range(few, few + max(workers, 1))) if workers <= self.workers else self.drawn


class SameData:
    """The data of a plot as a table, row by row, for people who cannot see it."""

    def __init__(self, quantity: Quantity, times: Floats, values: Floats) -> None:
        self.titles = (*translated("time"), *quantity.names)
        self.plain_titles = ("time (s)", *quantity.plain_titles)
        self._quantity = quantity
        self._times = times
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def row(self, place: int) -> tuple[str, ...]:
        """The texts of one row: time, then every column."""
        values = self._values[place]
        texts = (self._quantity.text(at, float(value)) for at, value in enumerate(values))
        return (show_clock(float(self._times[place]), 0.1), *texts)

    def plain_row(self, place: int) -> tuple[float | None, ...]:
        """Seconds, then the value of every column in its unit; None where it is unknown."""
        values = (
            self._quantity.plain(float(value)) if math.isfinite(value) else None
            for value in self._values[place]
        )
        return (float(self._times[place]), *values)


class SettingsData:
    """The data of a plot of several settings, row by row in the order of time."""

    def __init__(
        self, quantity: Quantity, names: Sequence[str], parts: Sequence[tuple[Floats, Floats]]
    ) -> None:
        self.titles = (*translated("time"), tr_word("setting"), *quantity.names)
        self.plain_titles = ("time (s)", "setting", *quantity.plain_titles)
        times = np.concatenate([times for times, _ in parts])
        order = np.argsort(times, kind="stable")
        self._names = names
        self._of = np.repeat(np.arange(len(parts)), [len(times) for times, _ in parts])[order]
        self._rows = SameData(quantity, times[order], np.concatenate([v for _, v in parts])[order])

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
