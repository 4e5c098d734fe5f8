"""A min/max pyramid: curves of any length, drawn with at most two points in a pixel column.

Level 0 holds the samples, each level above the lowest and highest value of four rows below it. A
query walks up as in a segment tree, so its cost grows with the pixels and hardly with the history.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

type Floats = NDArray[np.float64]
type Places = NDArray[np.intp]
type Flags = NDArray[np.bool_]

_FAN = 4
_FIRST_ROOM = 64  # rows: there can be a thousand settings
_WIDTHS = 4
"""Number of widths in pixels whose last picture is kept."""
# Few columns with few rows are folded faster directly than through the levels.
_FEW, _FEW_ROWS = 8, 20_000


class Points(NamedTuple):
    """One curve ready to draw; y is NaN where the line is interrupted."""

    x: Floats
    y: Floats


class _Cuts(NamedTuple):
    """A piece of time, cut into pixel columns.

    `edges`: where they begin, and where the last one ends.  `places`: the first sample at or behind
    each edge.
    """

    edges: Floats
    places: Places

    def bounds(self, samples: int) -> Places:
        """Where the columns that have samples begin and end; the outer ones hold one each."""
        left, right = np.maximum(self.places[:1] - 1, 0), np.minimum(self.places[-1:] + 1, samples)
        bounds = np.concatenate((left, self.places, right))
        return bounds[np.diff(bounds, prepend=-1) > 0]


class _Drawn(NamedTuple):
    """Columns of all curves, ready to draw, at common x (points); y (curves, points).

    `behind`: points up to each column's end.  `breaks` (columns - 1, curves): whether a curve's
    line breaks between a column and the next; None: nowhere.
    """

    x: Floats
    y: Floats
    behind: Places
    breaks: Flags | None

    def points(self, curve: int) -> Points:
        """One curve, with a NaN where its line breaks between columns."""
        x, y = self.x, self.y[curve]
        if self.breaks is None or not (gaps := self.breaks[:, curve]).any():
            return Points(x, y)
        at = self.behind[:-1][gaps]
        return Points(np.insert(x, at, x[at]), np.insert(y, at, np.nan))

    def joined(self, columns: int, rest: _Drawn) -> _Drawn:
        """The first `columns` of these, followed by another piece."""
        points = int(self.behind[columns - 1])
        breaks = None
        if self.breaks is not None or rest.breaks is not None:
            breaks = np.concatenate((self._all_breaks()[:columns], rest._all_breaks()))
        return _Drawn(
            np.concatenate((self.x[:points], rest.x)),
            np.concatenate((self.y[:, :points], rest.y), axis=1),
            np.concatenate((self.behind[:columns], rest.behind + points)),
            breaks,
        )

    def _all_breaks(self) -> Flags:
        if self.breaks is not None:
            return self.breaks
        return np.zeros((max(len(self.behind) - 1, 0), len(self.y)), bool)


@dataclass(frozen=True, kw_only=True)
class _Picture:
    """What was drawn of so many samples; `bounds`: where its columns begin and end among them."""

    view: tuple[float, float]
    samples: int
    cuts: _Cuts
    bounds: Places
    drawn: _Drawn

    def settled(self, samples: int) -> int:
        """How many columns are unchanged since there were so many samples.

        What ended with the last of these may have gone on, and whether the line breaks behind the
        column before depends on how it did.
        """
        if (self.cuts.places[-1:] < samples).any():
            return len(self.drawn.behind)
        return max(int(np.searchsorted(self.bounds[1:], samples)) - 1, 0)


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

    def widen(self, width: int) -> None:
        """Have so many columns from now on; nothing is known in the new ones."""
        room = np.full((len(self._room), width), np.nan)
        room[:, : self._room.shape[1]] = self._room
        self._room = room


class Pyramid:
    """Samples of several curves at common times, which never decrease; NaN = no value."""

    def __init__(self, curves: int) -> None:
        self.curves = curves
        self._times = _Rows(1)
        samples = _Rows(curves)
        self._lows, self._highs = [samples], [samples]
        self._pictures: dict[int, _Picture] = {}

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

    def widen(self, curves: int) -> None:
        """Have so many curves from now on; the new ones have no values so far."""
        for rows in (*self._lows, *self._highs[1:]):  # the first of both is the same
            rows.widen(curves)
        self.curves = curves
        self._pictures.clear()

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

    def query(
        self, start: float, end: float, pixels: int, curves: Sequence[int] | None = None
    ) -> list[Points]:
        """What to draw of some curves, or all, between two times on so many pixels.

        Columns are multiples of their own width, so that they stay put while the view moves on.
        One sample on either side is added, for the line to run over the edges. A column holds
        at most two points, and between them lies every value that it has.
        """
        drawn = self._picture(start, end, pixels).drawn
        return [drawn.points(curve) for curve in curves or range(self.curves)]

    def _picture(self, start: float, end: float, pixels: int) -> _Picture:
        """All curves; kept for each of the last widths, because several plots show one piece."""
        picture = self._pictures.pop(pixels, None)
        if picture is None or picture.view != (start, end):
            picture = self._drawn_anew(start, end, pixels, picture)
        elif picture.samples < len(self):
            picture = self._drawn_on(picture)
        self._pictures[pixels] = picture
        if len(self._pictures) > _WIDTHS:
            del self._pictures[next(iter(self._pictures))]
        return picture

    def _drawn_anew(
        self, start: float, end: float, pixels: int, before: _Picture | None
    ) -> _Picture:
        """Draw a piece of time; known columns of the picture before are taken over."""
        width = (end - start) / max(pixels, 1)
        edges = np.empty(0)
        if width > 0:
            edges = (np.floor(start / width) + np.arange(pixels + 2)) * width
        cuts = _Cuts(edges, np.searchsorted(self.times, edges))
        bounds = cuts.bounds(len(self))
        return _Picture(
            view=(start, end),
            samples=len(self),
            cuts=cuts,
            bounds=bounds,
            drawn=self._draw(bounds, before),
        )

    def _drawn_on(self, before: _Picture) -> _Picture:
        """The same piece of time with the samples that came since.

        During a run it is drawn again and again, and only its end is new.
        """
        kept = before.settled(before.samples)
        if kept and kept == len(before.drawn.behind):
            return replace(before, samples=len(self))
        edges, places = before.cuts
        beyond = int(np.searchsorted(places, before.samples))
        fresh = np.searchsorted(self.times[before.samples :], edges[beyond:]) + before.samples
        cuts = _Cuts(edges, np.concatenate((places[:beyond], fresh)))
        bounds = cuts.bounds(len(self))
        drawn = self._draw(bounds[kept:], before)
        return _Picture(
            view=before.view,
            samples=len(self),
            cuts=cuts,
            bounds=bounds,
            drawn=before.drawn.joined(kept, drawn) if kept else drawn,
        )

    def _draw(self, bounds: Places, before: _Picture | None) -> _Drawn:
        """Draw the columns between these bounds."""
        firsts, ends = bounds[:-1], bounds[1:]
        lasts = ends - 1
        y = self.values.take(np.column_stack((firsts, lasts)), axis=0)
        counts = ends - firsts
        dense = np.flatnonzero(counts > 2)
        breaks = None
        if dense.size:
            low, high = self._known_extremes(firsts[dense], ends[dense], before)
            breaks = _put_extremes(y, dense, low, high)
        shown = np.column_stack((np.ones(len(firsts), bool), counts > 1))
        x = np.column_stack((self.times[firsts], self.times[lasts]))[shown]
        return _Drawn(x, np.ascontiguousarray(y[shown].T), np.cumsum(shown.sum(axis=1)), breaks)

    def _known_extremes(
        self, firsts: Places, ends: Places, before: _Picture | None
    ) -> tuple[Floats, Floats]:
        """Extremes of columns; only samples since the picture before are computed.

        Samples never change, and columns stay put: when a view moves, few of them are new.
        """
        if before is None or len(before.bounds) < 2:
            return self._extremes(firsts, ends)
        place = np.searchsorted(before.bounds[:-1], firsts)
        place[place == len(before.bounds) - 1] = 0
        first, end = before.bounds[place], before.bounds[place + 1]
        known = (first == firsts) & (end <= ends)
        last = before.drawn.behind[place] - 1
        # The first one is the last one where a column has one sample.
        one, other = before.drawn.y[:, last - (end - first > 1)], before.drawn.y[:, last]
        low = np.where(known, np.fmin(one, other), np.nan).T
        high = np.where(known, np.fmax(one, other), np.nan).T
        begins = np.where(known, end, firsts)
        if (fresh := np.flatnonzero(begins < ends)).size:
            lowest, highest = self._extremes(begins[fresh], ends[fresh])
            low[fresh] = np.fmin(low[fresh], lowest)
            high[fresh] = np.fmax(high[fresh], highest)
        return low, high

    def _extremes(self, firsts: Places, ends: Places) -> tuple[Floats, Floats]:
        """Lowest and highest values of the rows first…end-1, one row of curves for each pair."""
        if len(firsts) <= _FEW and int((ends - firsts).sum()) <= _FEW_ROWS:
            rows = [self.values[first:end] for first, end in zip(firsts, ends, strict=True)]
            low, high = (
                np.stack([fold.reduce(each) for each in rows]) for fold in (np.fmin, np.fmax)
            )
            return low, high
        return self._folded(firsts, ends)

    def _folded(self, firsts: Places, ends: Places) -> tuple[Floats, Floats]:
        """The same, walking up the levels.

        On each level up to three rows at either end are not in a whole block of the next one. Rows
        between them may be folded along, as that changes nothing.
        """
        low = high = np.full((len(firsts), self.curves), np.nan)
        whole_low, whole_high, which = low.copy(), low.copy(), np.arange(len(firsts))
        for lows, highs in zip(self._lows, self._highs, strict=True):
            rows = np.stack(
                [np.minimum(firsts + step, ends - 1) for step in range(_FAN - 1)]
                + [np.maximum(ends - 1 - step, firsts) for step in range(_FAN - 1)]
            )
            # `take` is three times as fast as brackets here.
            lowest = lows.all.take(rows, axis=0)
            highest = lowest if highs is lows else highs.all.take(rows, axis=0)
            low = np.fmin(low, np.fmin.reduce(lowest))
            high = np.fmax(high, np.fmax.reduce(highest))
            firsts, ends = -(-firsts // _FAN), ends // _FAN
            left = firsts < ends
            if left.all():
                continue
            done = which[~left]
            whole_low[done], whole_high[done] = low[~left], high[~left]
            which, firsts, ends, low, high = (
                each[left] for each in (which, firsts, ends, low, high)
            )
            if not which.size:
                break
        return whole_low, whole_high


def _put_extremes(y: Floats, dense: Places, low: Floats, high: Floats) -> Flags:
    """Put extremes of the dense columns into y (columns, 2, curves), in the order of their ends.

    Gives where a line breaks between a column and the next, because one of them is dense and has
    no value at that side.
    """
    begin, finish = y[dense, 0], y[dense, 1]
    rising = begin <= finish
    y[dense, 0] = np.where(rising, low, high)
    y[dense, 1] = np.where(rising, high, low)
    breaks = np.zeros((len(y) - 1, y.shape[2]), bool)
    before, after = dense > 0, dense < len(y) - 1
    breaks[dense[before] - 1] |= np.isnan(begin[before])
    breaks[dense[after]] |= np.isnan(finish[after])
    return breaks
