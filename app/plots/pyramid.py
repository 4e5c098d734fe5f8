"""A min/max pyramid: curves of any length, drawn with at most two points in a pixel column.

Level 0 holds the samples, each level above the lowest and highest value of four rows below it. A
query walks up as in a segment tree, so its cost grows with the pixels and hardly with the history.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

type Floats = NDArray[np.float64]
type Places = NDArray[np.intp]

_FAN = 4
_FIRST_ROOM = 1024
_WIDTHS = 4
"""Widths in pixels whose last picture is kept."""
# So few columns with so few rows are folded faster as they are than through the levels.
_FEW, _FEW_ROWS = 8, 20_000


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


@dataclass(frozen=True, kw_only=True)
class _Picture:
    """All curves as they are to be drawn, at common x; `behind`: points up to each column's end.

    `firsts` and `ends`: first and one-past-last sample of each column.  `breaks`: whether a curve's line breaks between a column and the next; None: nowhere.
    """

    asked: tuple[float, float, int]
    firsts: Places
    ends: Places
    x: Floats
    y: Floats
    behind: Places
    breaks: NDArray[np.bool_] | None
    memory: _Memory | None

    def points(self, curve: int) -> Points:
        """One curve, with a NaN where its line breaks between columns."""
        x, y = self.x, self.y[curve]
        if self.breaks is None or not (gaps := self.breaks[:, curve]).any():
            return Points(x, y)
        at = self.behind[:-1][gaps]
        return Points(np.insert(x, at, x[at]), np.insert(y, at, np.nan))


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
        picture = self._picture(start, end, pixels)
        return [picture.points(curve) for curve in curves or range(self.curves)]

    def _picture(self, start: float, end: float, pixels: int) -> _Picture:
        """All curves; kept for each of the last widths, because several plots show one piece."""
        asked = (start, end, len(self))
        before = self._pictures.pop(pixels, None)
        if before is None or before.asked != asked:
            firsts, ends = self._columns(start, end, pixels)
            before = self._drawn_on(asked, firsts, ends, before)
        self._pictures[pixels] = before
        if len(self._pictures) > _WIDTHS:
            del self._pictures[next(iter(self._pictures))]
        return before

    def _drawn_on(
        self, asked: tuple[float, float, int], firsts: Places, ends: Places, before: _Picture | None
    ) -> _Picture:
        """Draw the columns; the first ones are taken over where they are those of the picture before.

        While a run goes on the same piece of time is drawn again and again, and only its end is new.
        """
        same = 0
        if before is not None:
            common = min(len(before.firsts), len(firsts))
            differs = before.firsts[:common] != firsts[:common]
            differs |= before.ends[:common] != ends[:common]
            same = int(differs.argmax()) if differs.any() else common
        memory = before.memory if before else None
        if before is None or same < 2:
            return self._draw(asked, firsts, ends, memory)
        # Whether a line breaks behind the last common column depends on the one after it.
        same -= 1
        return _joined(before, same, self._draw(asked, firsts[same:], ends[same:], memory))

    def _draw(
        self, asked: tuple[float, float, int], firsts: Places, ends: Places, known: _Memory | None
    ) -> _Picture:
        lasts = ends - 1
        y = np.stack((self.values[firsts], self.values[lasts]), axis=1)
        counts = ends - firsts
        dense = np.flatnonzero(counts > 2)
        breaks = None
        memory = known
        if dense.size:
            memory = self._remembered(firsts[dense], ends[dense], known)
            breaks = _put_extremes(y, dense, memory)
        drawn = np.column_stack((np.ones(len(firsts), bool), counts > 1))
        return _Picture(
            asked=asked,
            firsts=firsts,
            ends=ends,
            x=np.column_stack((self.times[firsts], self.times[lasts]))[drawn],
            y=np.ascontiguousarray(y[drawn].T),
            behind=np.cumsum(np.minimum(counts, 2)),
            breaks=breaks,
            memory=memory,
        )

    def _columns(self, start: float, end: float, pixels: int) -> tuple[Places, Places]:
        """First and one-past-last sample of every pixel column that has any."""
        width = (end - start) / max(pixels, 1)
        if not len(self) or not width > 0:
            return np.empty(0, np.intp), np.empty(0, np.intp)
        edges = (np.floor(start / width) + np.arange(pixels + 2)) * width
        cuts = np.searchsorted(self.times, edges)
        left, right = max(int(cuts[0]) - 1, 0), min(int(cuts[-1]) + 1, len(self))
        cuts = np.concatenate(([left], cuts, [right]))
        cuts = cuts[np.diff(cuts, prepend=-1) > 0]
        return cuts[:-1], cuts[1:]

    def _remembered(self, firsts: Places, ends: Places, before: _Memory | None) -> _Memory:
        """Extremes of columns; only those that were not known before are worked out.

        Samples never change, and columns stay put: from one drawing to the next few are new.
        """
        if before is None:
            return _Memory(firsts, ends, *self._extremes(firsts, ends))
        place = np.searchsorted(before.firsts, firsts)
        place[place == len(before.firsts)] = 0
        fresh = np.flatnonzero((before.firsts[place] != firsts) | (before.ends[place] != ends))
        low, high = before.low[place], before.high[place]
        if 0 < fresh.size <= _FEW and int((ends - firsts)[fresh].sum()) <= _FEW_ROWS:
            for at in fresh:
                rows = self.values[firsts[at] : ends[at]]
                low[at], high[at] = np.fmin.reduce(rows), np.fmax.reduce(rows)
        elif fresh.size:
            low[fresh], high[fresh] = self._extremes(firsts[fresh], ends[fresh])
        return _Memory(firsts, ends, low, high)

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


def _put_extremes(y: Floats, dense: Places, memory: _Memory) -> NDArray[np.bool_]:
    """Put the extremes of the dense columns into y (columns, 2, curves), in the order of their ends.

    Gives where a line breaks between a column and the next, because one of them is dense and has
    no value at that side.
    """
    begin, finish = y[dense, 0], y[dense, 1]
    rising = begin <= finish
    y[dense, 0] = np.where(rising, memory.low, memory.high)
    y[dense, 1] = np.where(rising, memory.high, memory.low)
    breaks = np.zeros((len(y) - 1, y.shape[2]), bool)
    before, after = dense > 0, dense < len(y) - 1
    breaks[dense[before] - 1] |= np.isnan(begin[before])
    breaks[dense[after]] |= np.isnan(finish[after])
    return breaks


def _joined(before: _Picture, columns: int, rest: _Picture) -> _Picture:
    """So many columns of a picture, and all of another one that goes on there."""
    points = int(before.behind[columns - 1])
    breaks = None
    if before.breaks is not None or rest.breaks is not None:
        breaks = np.concatenate((_breaks_of(before)[:columns], _breaks_of(rest)))
    return _Picture(
        asked=rest.asked,
        firsts=np.concatenate((before.firsts[:columns], rest.firsts)),
        ends=np.concatenate((before.ends[:columns], rest.ends)),
        x=np.concatenate((before.x[:points], rest.x)),
        y=np.concatenate((before.y[:, :points], rest.y), axis=1),
        behind=np.concatenate((before.behind[:columns], rest.behind + points)),
        breaks=breaks,
        memory=_memory_of(before, columns, rest),
    )


def _memory_of(before: _Picture, columns: int, rest: _Picture) -> _Memory | None:
    if before.memory is None or rest.memory is None or rest.memory is before.memory:
        return rest.memory or before.memory
    known = int(np.searchsorted(before.memory.firsts, before.ends[columns - 1]))
    both = zip(before.memory, rest.memory, strict=True)
    return _Memory(*(np.concatenate((one[:known], other)) for one, other in both))


def _breaks_of(picture: _Picture) -> NDArray[np.bool_]:
    if picture.breaks is not None:
        return picture.breaks
    return np.zeros((max(len(picture.firsts) - 1, 0), len(picture.y)), bool)
