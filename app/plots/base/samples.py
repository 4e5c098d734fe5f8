"""Samples of several curves, of which any number is drawn with two points in a pixel column.

A column of pixels shows its lowest and its highest value, so no peak is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

type Floats = NDArray[np.float64]

_FIRST_ROOM = 64  # rows: there can be a thousand settings


class Points(NamedTuple):
    """One curve ready to draw; y is NaN where the line is interrupted."""

    x: Floats
    y: Floats


NO_POINTS = Points(np.empty(0), np.empty(0))


class Samples:
    """Samples of several curves at common times, which never decrease; NaN = no value."""

    def __init__(self, curves: int) -> None:
        self.curves = curves
        self._times, self._values = np.empty(_FIRST_ROOM), _columns(_FIRST_ROOM, curves)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def times(self) -> Floats:
        """Times of all samples; a view that the next `extend` may leave behind."""
        return self._times[: self._count]

    @property
    def values(self) -> Floats:
        """All samples, one column for each curve; a view as `times` is."""
        return self._values[: self._count]

    def widen(self, curves: int) -> None:
        """Make room for so many curves; the new ones have no values so far."""
        wider = _columns(len(self._values), curves)
        wider[:, : self.curves], wider[:, self.curves :] = self._values, np.nan
        self._values, self.curves = wider, curves

    def extend(self, times: ArrayLike, values: ArrayLike) -> None:
        """Append n samples: times (n), values (n, curves). ValueError where times decrease."""
        more = np.asarray(times, np.float64)
        if not more.size:
            return
        latest = self.times[-1] if len(self) else -np.inf
        if not (more[0] >= latest and np.all(np.diff(more) >= 0)):
            raise ValueError("times must not decrease")
        begin, self._count = self._count, self._count + more.size
        if self._count > len(self._times):  # room is doubled, so appending is cheap on average
            room = max(self._count, 2 * len(self._times))
            self._times = np.resize(self._times, room)
            before, self._values = self._values[:begin], _columns(room, self.curves)
            self._values[:begin] = before
        self._times[begin : self._count] = more
        self._values[begin : self._count] = np.asarray(values).reshape(more.size, self.curves)

    def query(
        self, start: float, end: float, pixels: int, curves: Sequence[int] | None = None
    ) -> list[Points]:
        """What to draw of some curves, or all, between two times on so many pixels.

        Columns are multiples of their own width, so that they stay put while the view moves on.
        One sample on either side is added, for the line to run over the edges. A column holds
        at most two points, and between them lies every value that it has.
        """
        bounds = _bounds(self.times, start, end, pixels)
        columns = range(self.curves) if curves is None else curves
        if len(bounds) < 2:
            return [NO_POINTS for _ in columns]
        part = slice(bounds[0], bounds[-1])
        values = np.ascontiguousarray(self.values[part].T[list(columns)])
        return _drawn(self.times[part], values, bounds - bounds[0])


def _columns(rows: int, curves: int) -> Floats:
    """Room for samples, of which each curve's lie together: they are read curve by curve."""
    return np.empty((rows, curves), order="F")


def _bounds(times: Floats, start: float, end: float, pixels: int) -> NDArray[np.intp]:
    """Where the pixel columns that have samples begin and end; the outer ones hold one each."""
    width = (end - start) / max(pixels, 1)
    edges = (np.floor(start / width) + np.arange(pixels + 2)) * width if width > 0 else np.empty(0)
    places = np.searchsorted(times, edges)
    begin, finish = np.maximum(places[:1] - 1, 0), np.minimum(places[-1:] + 1, len(times))
    bounds = np.concatenate((begin, places, finish))
    return bounds[np.diff(bounds, prepend=-1) > 0]


def _drawn(times: Floats, values: Floats, bounds: NDArray[np.intp]) -> list[Points]:
    """The curves to draw of values (curves, samples), with four slots for each pixel column.

    They are a gap, two points and a gap.  One or two samples are points as they are.  Of more, the
    points are the lowest and the highest, in the order that fits the first and the last, and a gap
    (NaN) breaks the line at an edge whose sample is NaN.
    """
    firsts, lasts, counts = bounds[:-1], bounds[1:] - 1, np.diff(bounds)
    begin, finish, dense = values[:, firsts], values[:, lasts], counts > 2
    low, high = (fold.reduceat(values, firsts, axis=1) for fold in (np.fmin, np.fmax))
    rising = begin <= finish
    one, other = np.where(rising, low, high), np.where(rising, high, low)
    gap = np.full_like(begin, np.nan)
    y = np.stack((gap, np.where(dense, one, begin), np.where(dense, other, finish), gap), axis=2)
    x = np.repeat(np.column_stack((times[firsts], times[lasts])), 2, axis=1)
    used = np.broadcast_to(np.column_stack((dense, counts > 0, counts > 1, dense)), y.shape).copy()
    used[:, :, 0] &= np.isnan(begin)
    used[:, :, 3] &= np.isnan(finish)
    return [Points(x[where], curve[where]) for curve, where in zip(y, used, strict=True)]
