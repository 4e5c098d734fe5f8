"""A min/max pyramid: curves of any length, drawn with at most two points in a pixel column.

Level 0 holds the samples, each level above the lowest and highest value of four rows below it. A
query walks up as in a segment tree, so its cost grows with the pixels and hardly with the history.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

type Floats = NDArray[np.float64]
type Places = NDArray[np.intp]

_FAN = 4
_FIRST_ROOM = 1024


class Points(NamedTuple):
    """One curve as it is to be drawn; y is NaN where the line is interrupted."""

    x: Floats
    y: Floats


class _Memory(NamedTuple):
    """Columns of one query, by their first and one-past-last samples, and their extremes."""

    firsts: Places
    ends: Places
    low: Floats
    high: Floats


class _Rows:
    """Rows that are only ever appended; room is doubled, so appending is cheap on average."""

    def __init__(self, width: int) -> None:
        self._room = np.empty((_FIRST_ROOM, width))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def all(self) -> Floats:
        return self._room[: self._count]

    def extend(self, rows: Floats) -> None:
        count = self._count + len(rows)
        if count > len(self._room):
            room = np.empty((max(count, 2 * len(self._room)), self._room.shape[1]))
            room[: self._count] = self.all
            self._room = room
        self._room[self._count : count] = rows
        self._count = count


class Pyramid:
    """Samples of several curves at common times, which never decrease; NaN = no value."""

    def __init__(self, curves: int) -> None:
        self.curves = curves
        self._times = _Rows(1)
        samples = _Rows(curves)
        self._lows, self._highs = [samples], [samples]
        nothing = np.full((1, curves), np.nan)
        none = np.full(1, -1, np.intp)
        self._memory = _Memory(none, none, nothing, nothing)

    def __len__(self) -> int:
        return len(self._times)

    @property
    def times(self) -> Floats:
        """Times of all samples; a view that the next `extend` may leave behind."""
        return self._times.all[:, 0]

    @property
    def values(self) -> Floats:
        """All samples, one column for each curve; a view as `times` is."""
        return self._lows[0].all

    def extend(self, times: ArrayLike, values: ArrayLike) -> None:
        """Append n samples: times (n), values (n, curves). ValueError where times decrease."""
        more = np.asarray(times, np.float64).reshape(-1, 1)
        if not len(more):
            return
        before = self.times[-1] if len(self) else -np.inf
        if not (more[0, 0] >= before and np.all(np.diff(more[:, 0]) >= 0)):
            raise ValueError("times must not decrease")
        self._lows[0].extend(np.asarray(values, np.float64).reshape(len(more), self.curves))
        self._times.extend(more)
        self._build()

    def _build(self) -> None:
        """Add the blocks that have become complete, level by level."""
        level = 0
        while whole := len(self._lows[level]) // _FAN:
            if level + 1 == len(self._lows):
                self._lows.append(_Rows(self.curves))
                self._highs.append(_Rows(self.curves))
            for levels, extreme in ((self._lows, np.fmin), (self._highs, np.fmax)):
                fresh = levels[level].all[len(levels[level + 1]) * _FAN : whole * _FAN]
                blocks = fresh.reshape(-1, _FAN, self.curves)
                levels[level + 1].extend(extreme.reduce(blocks, axis=1))
            level += 1

    def query(self, start: float, end: float, pixels: int) -> list[Points]:
        """What to draw of every curve between two times on so many pixels.

        Columns are multiples of their own width, so that they stay put while the view moves on.
        One sample on either side is added, for the line to run over the edges. A column holds
        at most two points, and between them lies every value that it has.
        """
        firsts, ends = self._columns(start, end, pixels)
        lasts = ends - 1
        x = np.column_stack((self.times[firsts], self.times[lasts]))
        y = np.stack((self.values[firsts], self.values[lasts]), axis=1)
        dense = np.flatnonzero(ends - firsts > 2)
        breaks = self._fill_dense(y, dense, firsts, ends)
        drawn = np.column_stack((np.ones(len(firsts), bool), ends - firsts > 1))
        place = np.cumsum(drawn.sum(axis=1))  # of the point behind each column
        flat_x, flat_y = x[drawn], y[drawn]
        found = []
        for curve in range(self.curves):
            curve_x, curve_y = flat_x, np.ascontiguousarray(flat_y[:, curve])
            if breaks is not None and (at := place[:-1][breaks[:, curve]]).size:
                curve_x = np.insert(curve_x, at, curve_x[at])
                curve_y = np.insert(curve_y, at, np.nan)
            found.append(Points(curve_x, curve_y))
        return found

    def _columns(self, start: float, end: float, pixels: int) -> tuple[Places, Places]:
        """First and one-past-last sample of every pixel column that has any."""
        width = (end - start) / max(pixels, 1)
        if not len(self) or not width > 0:
            return np.empty(0, np.intp), np.empty(0, np.intp)
        edges = (np.floor(start / width) + np.arange(pixels + 2)) * width
        cuts = np.searchsorted(self.times, edges)
        left, right = max(int(cuts[0]) - 1, 0), min(int(cuts[-1]) + 1, len(self))
        cuts = np.unique(np.concatenate(([left], cuts, [right])))
        return cuts[:-1], cuts[1:]

    def _fill_dense(
        self, y: Floats, dense: Places, firsts: Places, ends: Places
    ) -> NDArray[np.bool_] | None:
        """Put the extremes of columns with more than two samples into y (columns, 2, curves).

        Gives where the line breaks between a column and the next, because one of them is dense
        and has no value at that side; None where there is nothing dense.
        """
        if not dense.size:
            return None
        begin, finish = y[dense, 0].copy(), y[dense, 1].copy()
        lows, highs = self._remembered(firsts[dense], ends[dense])
        rising = begin <= finish
        y[dense, 0] = np.where(rising, lows, highs)
        y[dense, 1] = np.where(rising, highs, lows)
        breaks = np.zeros((len(firsts) - 1, self.curves), bool)
        before, after = dense > 0, dense < len(firsts) - 1
        breaks[dense[before] - 1] |= np.isnan(begin[before])
        breaks[dense[after]] |= np.isnan(finish[after])
        return breaks

    def _remembered(self, firsts: Places, ends: Places) -> tuple[Floats, Floats]:
        """As `_extremes`, but only columns that the query before did not have are worked out.

        Samples never change, and columns stay put: from one drawing to the next few are new.
        """
        before = self._memory
        place = np.searchsorted(before.firsts, firsts).clip(max=len(before.firsts) - 1)
        known = (before.firsts[place] == firsts) & (before.ends[place] == ends)
        low, high = before.low[place], before.high[place]
        if (fresh := np.flatnonzero(~known)).size:
            low[fresh], high[fresh] = self._extremes(firsts[fresh], ends[fresh])
        self._memory = _Memory(firsts, ends, low, high)
        return low, high

    def _extremes(self, firsts: Places, ends: Places) -> tuple[Floats, Floats]:
        """Lowest and highest values of the rows first…end-1, one row of curves for each pair."""
        low = np.full((len(firsts), self.curves), np.nan)
        high = low.copy()
        first, end = firsts.copy(), ends.copy()

        def fold(level: int, which: Places, rows: Places) -> None:
            low[which] = np.fmin(low[which], self._lows[level].all[rows])
            high[which] = np.fmax(high[which], self._highs[level].all[rows])

        for level in range(len(self._lows)):
            top = level == len(self._lows) - 1
            for _ in range(_FAN - 1):
                which = np.flatnonzero((first < end) & ((first % _FAN != 0) | top))
                fold(level, which, first[which])
                first[which] += 1
                which = np.flatnonzero((first < end) & (end % _FAN != 0) & (not top))
                end[which] -= 1
                fold(level, which, end[which])
            if not np.any(first < end):
                break
            first //= _FAN
            end //= _FAN
        return low, high
