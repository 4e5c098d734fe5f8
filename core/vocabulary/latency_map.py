"""How latencies were spread over the time of one trial: a coarse histogram for each piece of it.

The sampler makes it from the gains of the workers' histograms between two looks, so that it
costs the workers nothing.  A row is a quarter of an octave.  A column holds the operations between
two looks; at `MOST` columns, neighbours are merged, and later columns cover twice as many looks.
So a trial of a minute takes as much room as one of a day: 1 to 5 kB packed.

The packed form is msgpack within zlib: for each column its end in ms since the clock started, the
first row that has any operations, and the counts from that row on.

As a heat map, which window and report draw alike, it is made of cells: rectangles of time and
latency in the units of the measurements, and how much ink they have.  Neighbours in time of equal
ink are one cell, so an even trial has few cells.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from core.language import Natural, Seconds, scale_of_time
from core.vocabulary.histogram import BUCKETS, MOST_COUNTED, Histogram, bounds, inflated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.vocabulary.trial import Trial

MOST = 160
"""Columns; a longer trial has between half as many and these."""
_BUCKETS_OF_ROW = 16
ROWS = BUCKETS // _BUCKETS_OF_ROW
_MOST_BYTES = MOST * (ROWS + 2) * 9 + 16
"""Most bytes of the packed form within zlib."""


class LatencyColumn(NamedTuple):
    """A piece of time: its end in seconds since the clock started, and operations by row."""

    end: Seconds
    counts: dict[int, int]


def edges(row: int) -> tuple[Seconds, Seconds]:
    low, _ = bounds(row * _BUCKETS_OF_ROW)
    _, high = bounds((row + 1) * _BUCKETS_OF_ROW - 1)
    return max(low, 1) / 1e9, (high + 1) / 1e9


def in_rows(histogram: Histogram) -> dict[int, int]:
    counts: dict[int, int] = {}
    for bucket, count in zip(histogram.buckets, histogram.counts, strict=True):
        row = bucket // _BUCKETS_OF_ROW
        counts[row] = counts.get(row, 0) + count
    return counts


def merged(columns: Sequence[LatencyColumn], each: int) -> list[LatencyColumn]:
    """Columns that each hold `each` neighbours."""
    groups = []
    for start in range(0, len(columns), each):
        counts: dict[int, int] = {}
        for column in columns[start : start + each]:
            _add(counts, column.counts)
        groups.append(LatencyColumn(columns[min(start + each, len(columns)) - 1].end, counts))
    return groups


def _add(counts: dict[int, int], more: dict[int, int]) -> None:
    for row, count in more.items():
        counts[row] = counts.get(row, 0) + count


class LatencyRecorder:
    """Makes the map of a trial from look to look."""

    def __init__(self) -> None:
        self._columns: list[LatencyColumn] = []
        self._open: dict[int, int] = {}
        """Operations since the last column."""
        self._looks = 0
        self._each = 1
        self._at = 0.0
        self._seen: NDArray[np.int64] | int = 0

    def take(self, at: Seconds, counts: NDArray[np.int64]) -> None:
        """One look at all buckets (BUCKETS long); a clock that stands still makes no column."""
        rows = counts.reshape(ROWS, _BUCKETS_OF_ROW).sum(axis=1)
        gained = (rows - self._seen).clip(min=0)
        self._seen = rows
        (filled,) = gained.nonzero()
        _add(self._open, dict(zip(filled.tolist(), gained[filled].tolist(), strict=True)))
        self._looks += 1
        self._at = max(self._at, round(at, 3))
        if self._looks >= self._each and self._at > self._end:
            self._close()

    @property
    def _end(self) -> Seconds:
        return self._columns[-1].end if self._columns else 0.0

    def _close(self) -> None:
        self._columns.append(LatencyColumn(self._at, self._open))
        self._open, self._looks = {}, 0
        if len(self._columns) == MOST:
            self._columns = merged(self._columns, 2)
            self._each *= 2

    @property
    def packed(self) -> bytes:
        """All so far, as bytes; empty where no operation was timed."""
        columns = list(self._columns)
        if self._open and (self._at > self._end or not columns):
            columns.append(LatencyColumn(max(self._at, 0.001), self._open))
        elif self._open:  # they ended as the clock stood already
            last = LatencyColumn(columns[-1].end, dict(columns[-1].counts))
            _add(last.counts, self._open)
            columns[-1] = last
        return pack(columns)


def pack(columns: Sequence[LatencyColumn]) -> bytes:
    """Columns as bytes; empty where none has an operation."""
    if not any(column.counts for column in columns):
        return b""
    rows = []
    for column in columns:
        filled = range(min(column.counts, default=0), max(column.counts, default=-1) + 1)
        counts = [column.counts.get(row, 0) for row in filled]
        rows.append([round(1000 * column.end), filled.start, *counts])
    return zlib.compress(msgspec.msgpack.encode(rows))


_PACKED = msgspec.msgpack.Decoder(
    Annotated[
        list[Annotated[list[Natural], msgspec.Meta(min_length=2, max_length=ROWS + 2)]],
        msgspec.Meta(max_length=MOST),
    ]
)


def unpack(packed: bytes) -> tuple[LatencyColumn, ...]:
    """The columns that `pack` received; raises ValueError."""
    if not packed:
        return ()
    try:
        rows = _PACKED.decode(inflated(packed, _MOST_BYTES))
    except (zlib.error, msgspec.MsgspecError, MemoryError) as error:
        raise ValueError(f"latencies over time cannot be read: {error}") from error
    ends = [end for end, *_ in rows]
    if any(later <= end for end, later in pairwise([0, *ends])):
        raise ValueError("latencies over time do not follow each other")
    if any(first + len(counts) > ROWS for _, first, *counts in rows):
        raise ValueError("latencies over time are longer than any")
    if any(max(counts, default=0) > MOST_COUNTED for _, _, *counts in rows):
        raise ValueError("latencies over time have more operations than can be counted")
    return tuple(
        LatencyColumn(end / 1000, {row: n for row, n in enumerate(counts, first) if n})
        for end, first, *counts in rows
    )


COLUMNS = 160
"""Columns of all trials together."""
_LEAST_COLUMNS = 8
"""Columns of one trial."""
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
    """From 0 to 1: the cube root of its operations per second, as a share of the most, since
    such a map has to show one slow operation in a thousand."""


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
        parts = [part for trial in trials if (part := _columns(trial))]
        each = max(columns // max(len(parts), 1), _LEAST_COLUMNS)
        parts = [merged(part, -(-len(part) // each)) for part in parts]
        rates = [
            count / (end - start)
            for part in parts
            for start, end, counts in _pieces(part)
            for count in counts.values()
        ]
        if not rates or sum(map(len, parts)) < 2:
            return None
        ends = list(accumulate(part[-1].end for part in parts))
        rows = sorted({row for part in parts for column in part for row in column.counts})
        cells = [
            HeatCell(start + begin, start + end, *edges(row), ink)
            for start, part in zip([0.0, *ends], parts, strict=False)
            for row in rows
            for begin, end, ink in _runs(part, row, max(rates))
        ]
        low, high = edges(rows[0])[0], edges(rows[-1])[1]
        return LatencyFigure(
            cells=tuple(cells), ends=tuple(ends), low=low, high=max(high, _NARROWEST * low)
        )

    @property
    def length(self) -> Seconds:
        """Length of the time axis."""
        return self.ends[-1]

    @property
    def ticks(self) -> tuple[tuple[Seconds, str], ...]:
        """Latencies, and how they are written: 1, 2 and 5 times a power of ten, or only powers."""
        powers = [10.0**power for power in range(-9, 6)]
        every = [step * power for power in powers for step in _STEPS]
        inside = [one for one in every if self.low <= one <= self.high]
        few = len(inside) <= _MOST_TICKS
        return tuple((one, _written(one)) for one in inside if few or one in powers)


def _written(tick: Seconds) -> str:
    factor, unit = scale_of_time(tick)
    return f"{tick * factor:g} {unit}"


def _columns(trial: Trial) -> Sequence[LatencyColumn]:
    """The columns of a trial; one for its whole time where none were recorded."""
    whole, elapsed = trial.latencies, trial.elapsed
    if whole is None or not elapsed:
        return ()
    return unpack(trial.latency_map) or [LatencyColumn(elapsed, in_rows(whole.histogram))]


def _pieces(columns: Sequence[LatencyColumn]) -> Iterator[tuple[Seconds, Seconds, dict[int, int]]]:
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
