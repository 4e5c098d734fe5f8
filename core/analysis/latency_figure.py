"""Latencies over time as a heat map, made once: the window and the report draw the same.

Cells are rectangles of time and latency in the units of the measurements, and how much ink they
have.  Neighbours in time of equal ink are one cell: what goes on evenly has few.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from core.language.translation import tr
from core.language.units import Seconds, scale_of_time, show_seconds
from core.result.latency_map import LatencyColumn, edges, in_rows, merged, unpack

if TYPE_CHECKING:
    from core.result.result import Trial

COLUMNS = 160
"""Of all trials together."""
_LEAST_COLUMNS = 8
"""Of one trial."""
_INKS = 8
_STEPS = (1, 2, 5)
_MOST_TICKS = 6
_NARROWEST = 4.0
"""The highest latency is so many times the lowest, at least."""


@dataclass(frozen=True)
class HeatCell:
    """A rectangle from `start` to `end` and from `low` to `high`, all in seconds."""

    start: Seconds
    end: Seconds
    low: Seconds
    high: Seconds
    ink: float
    """From 0 to 1: the cube root of its operations per second, as a share of the most, because one
    in a thousand is what such a map is looked at for."""


@dataclass(frozen=True, kw_only=True)
class LatencyFigure:
    """Latencies, on a logarithmic axis from `low` to `high`, over the time of trials."""

    cells: tuple[HeatCell, ...]
    ends: tuple[Seconds, ...]
    """Where each trial ends: they follow each other, by their own clocks."""
    low: Seconds
    high: Seconds

    @staticmethod
    def of(trials: Sequence[Trial], columns: int = COLUMNS) -> LatencyFigure | None:
        """Of these trials in their order, with so many columns; None with fewer than two."""
        told = [known for trial in trials if (known := _columns(trial))]
        each = max(columns // max(len(told), 1), _LEAST_COLUMNS)
        told = [merged(known, -(-len(known) // each)) for known in told]
        rates = [
            count / (end - start)
            for known in told
            for start, end, counts in _pieces(known)
            for count in counts.values()
        ]
        if not rates or sum(map(len, told)) < 2:
            return None
        ends = list(accumulate(known[-1].end for known in told))
        rows = sorted({row for known in told for one in known for row in one.counts})
        cells = [
            HeatCell(start + begin, start + end, *edges(row), ink)
            for start, known in zip([0.0, *ends], told, strict=False)
            for row in rows
            for begin, end, ink in _runs(known, row, max(rates))
        ]
        low, high = edges(rows[0])[0], edges(rows[-1])[1]
        return LatencyFigure(
            cells=tuple(cells), ends=tuple(ends), low=low, high=max(high, _NARROWEST * low)
        )

    @property
    def length(self) -> Seconds:
        """Of the time axis."""
        return self.ends[-1]

    @property
    def title(self) -> str:
        """In the language of the window."""
        return tr("Latency over time")

    @property
    def text(self) -> str:
        """What it shows, for people who cannot see it."""
        return tr(
            "{low} to {high} over {time}",
            low=show_seconds(self.low),
            high=show_seconds(self.high),
            time=show_seconds(self.length),
        )

    @property
    def ticks(self) -> tuple[tuple[Seconds, str], ...]:
        """Latencies, and how they are written: 1, 2 and 5 times a power of ten, or only powers."""
        powers = [10.0**power for power in range(-9, 5)]
        every = [step * power for power in powers for step in _STEPS]
        inside = [one for one in every if self.low <= one <= self.high]
        few = len(inside) <= _MOST_TICKS
        return tuple((one, _written(one)) for one in inside if few or one in powers)


def _written(tick: Seconds) -> str:
    factor, unit = scale_of_time(tick)
    return f"{tick * factor:g} {unit}"


def _columns(trial: Trial) -> Sequence[LatencyColumn]:
    """Those of a trial; one for all of its time where they were not recorded."""
    whole, elapsed = trial.latencies, trial.elapsed
    if whole is None or not elapsed:
        return ()
    return unpack(trial.latency_map) or [LatencyColumn(elapsed, in_rows(whole.histogram))]


def _pieces(
    columns: Sequence[LatencyColumn],
) -> Iterator[tuple[Seconds, Seconds, dict[int, int]]]:
    """Start, end and operations by row of each column."""
    start = 0.0
    for end, counts in columns:
        yield start, end, counts
        start = end


def _runs(
    columns: Sequence[LatencyColumn], row: int, most: float
) -> Iterator[tuple[Seconds, Seconds, float]]:
    """Pieces of time for which a row has the same ink: start, end, ink."""
    begun, before = 0.0, 0
    for start, end, counts in _pieces(columns):
        rate = counts.get(row, 0) / (end - start)
        ink = math.ceil(_INKS * (rate / most) ** (1 / 3))
        if ink != before:
            if before:
                yield begun, start, before / _INKS
            begun, before = start, ink
    if before:
        yield begun, columns[-1].end, before / _INKS
