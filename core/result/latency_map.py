"""How latencies were spread over the time of one trial: a coarse histogram for each piece of it.

The sampler makes it from what the workers' histograms have gained between two looks, so that it
costs the workers nothing.  A row is a quarter of an octave.  A column is what came between two
looks; whenever there are `MOST` of them, neighbours become one, and those that follow are made of
twice as many looks.  So a trial of a minute takes as much as one of a day: 1 to 5 kB packed.

The packed form is msgpack within zlib: for each column its end in ms since the clock started, the
first row that has any operations, and the counts from that row on.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from core.language.sanitise import Natural
from core.language.units import Seconds
from core.result.histogram import BUCKETS, MOST_COUNTED, Histogram, bounds, inflated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST = 160
"""Columns; a longer trial has between half as many and these."""
_BUCKETS_OF_ROW = 16
ROWS = BUCKETS // _BUCKETS_OF_ROW
_MOST_BYTES = MOST * (ROWS + 2) * 9 + 16
"""Of the packed form within zlib."""


class LatencyColumn(NamedTuple):
    """A piece of time: its end in seconds since the clock started, and operations by row."""

    end: Seconds
    counts: dict[int, int]


def edges(row: int) -> tuple[Seconds, Seconds]:
    """The latencies between which a row lies."""
    low, _ = bounds(row * _BUCKETS_OF_ROW)
    _, high = bounds((row + 1) * _BUCKETS_OF_ROW - 1)
    return max(low, 1) / 1e9, (high + 1) / 1e9


def in_rows(histogram: Histogram) -> dict[int, int]:
    """Operations by row."""
    found: dict[int, int] = {}
    for bucket, count in zip(histogram.buckets, histogram.counts, strict=True):
        row = bucket // _BUCKETS_OF_ROW
        found[row] = found.get(row, 0) + count
    return found


def merged(columns: Sequence[LatencyColumn], each: int) -> list[LatencyColumn]:
    """So many neighbours together."""
    found = []
    for start in range(0, len(columns), each):
        counts: dict[int, int] = {}
        for column in columns[start : start + each]:
            _add(counts, column.counts)
        found.append(LatencyColumn(columns[min(start + each, len(columns)) - 1].end, counts))
    return found


def _add(counts: dict[int, int], more: dict[int, int]) -> None:
    for row, count in more.items():
        counts[row] = counts.get(row, 0) + count


class LatencyRecorder:
    """Makes the map of a trial from look to look."""

    def __init__(self) -> None:
        self._columns: list[LatencyColumn] = []
        self._open: dict[int, int] = {}
        """What has come since the last column."""
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
