"""What one plot shows, and its data as a table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from app.plots.pyramid import Floats
from app.plots.scales import Fit
from core import show_clock

NOTHING = "–"


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """What one plot shows: `names` of its columns, `drawn` as curves or only `told` above them."""

    title: str
    names: tuple[str, ...]
    show: Callable[[float], str]
    fit: Fit
    tick: Callable[[float, float], str]
    shows: tuple[Callable[[float], str], ...] = ()
    """Where columns differ in their unit: one for each."""
    drawn: tuple[int, ...]
    told: tuple[int, ...] = ()
    unit: str = ""
    units: tuple[str, ...] = ()
    """Of the plain values, where columns differ in it: one for each."""
    plain: Callable[[float], float] = float
    """The plain value of what is on the axis."""

    def text(self, column: int, value: float) -> str:
        """A value for people; a dash where it is unknown."""
        show = self.shows[column] if self.shows else self.show
        return show(value) if math.isfinite(value) else NOTHING


class SameData:
    """The data of a plot as a table, row by row, for those who cannot see it."""

    def __init__(self, quantity: Quantity, times: Floats, values: Floats) -> None:
        names = [name or quantity.title for name in quantity.names]
        self.titles = ("time", *names)
        units = quantity.units or (quantity.unit,) * len(names)
        told = (
            f"{name} ({unit})" if unit else name for name, unit in zip(names, units, strict=True)
        )
        self.plain_titles = ("time (s)", *told)
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
