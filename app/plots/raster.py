"""Curves put on an image's pixels with numpy.

The pyramid leaves at most two points in a pixel column, so that a curve over a long history is one
upright run of pixels in each column. Filling such runs takes a tenth of the time that the painter
takes to draw the same zigzag line by line. Where a curve has fewer points than pixels the painter
draws its lines, of which there are few.

Curves of equal values would hide each other. So they take turns: in every stripe of the image
another one lies on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRect, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QRegion

from app.plots.pyramid import Floats, Points

type Rows = NDArray[np.int16]
type Flags = NDArray[np.bool_]
type Pixels = NDArray[np.uint32]

_FARTHEST = 16_000
"""Pixels beyond which a place is out of sight anyway, and which 16 bits hold."""
_STRIPE = 12
"""Pixels for which one curve lies on top."""


class _Trace(NamedTuple):
    """A curve on the pixels: first and last row in each column, and lines over empty columns."""

    columns: slice
    top: Rows
    bottom: Rows
    lines: list[QLineF]


class Raster:
    """A transparent image of one size that curves are drawn on, again and again.

    What has not changed since the last drawing stays: as a run goes on, that is all but the end.
    """

    def __init__(self, size: QSize, thickness: int) -> None:
        self.image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        self.thickness = thickness
        self._rows = np.arange(size.height(), dtype=np.int16)[:, None]
        self._curves: Sequence[Points] = ()
        self._colours: Sequence[str] = ()

    def draw(self, curves: Sequence[Points], colours: Sequence[str]) -> None:
        """Draw these curves, in pixels of the image, and nothing else."""
        first = self._first_changed(curves, colours)
        self._curves, self._colours = curves, colours
        if first >= self.image.width():
            return
        first = max(first - self.thickness + 1, 0)  # where a thick line that begins there reaches
        flat = np.frombuffer(self.image.bits(), np.uint32)
        pixels = flat.reshape(self.image.height(), self.image.width())
        pixels[:, first:] = 0
        inks = [QColor(name) for name in colours]
        # A column's pixels reach into the next ones where lines are thick.
        begin = max(first - self.thickness + 1, 0)
        traces = [self._trace(points, begin) for points in curves]
        for trace, ink in zip(traces, inks, strict=True):
            self._fill(pixels, first, trace, np.uint32(ink.rgba()))
        right = QRegion(first, 0, self.image.width() - first, self.image.height())
        self._draw_lines(traces, inks, [right] * len(traces))
        if len(traces) > 1:
            self._fill(pixels, first, *self._in_turns(traces, inks, begin))
            size, stripe = self.image.size(), _STRIPE * self.thickness
            stripes = _stripes(size.width(), size.height(), stripe, len(traces))
            self._draw_lines(traces, inks, [right & each for each in stripes])

    def _first_changed(self, curves: Sequence[Points], colours: Sequence[str]) -> int:
        """The first column that does not look as it did; the width where all do."""
        if colours != self._colours:
            return 0
        changed = self.image.width()
        for now, before in zip(curves, self._curves, strict=True):
            if (column := _first_difference(now, before)) is not None:
                changed = min(changed, column)
        return max(changed, 0)

    def _trace(self, points: Points, first: int) -> _Trace:
        """Where a curve runs from that column on."""
        begin = max(int(np.searchsorted(points.x, first)) - 2, 0)
        x, y = points.x[begin:], points.y[begin:]
        columns, top, bottom, far = runs(x, y, self.image.width())
        columns = slice(min(max(columns.start, first), columns.stop), columns.stop)
        at = np.flatnonzero(far)
        # Line by line: how Qt draws a thick one depends on what else there is in its path.
        ends = np.column_stack((x[at], y[at], x[at + 1], y[at + 1])).tolist()
        return _Trace(columns, top, bottom, [QLineF(*each) for each in ends])

    def _fill(self, pixels: Pixels, first: int, trace: _Trace, ink: np.uint32 | Pixels) -> None:
        """Colour the trace's pixels from that column on, all alike or each column in its ink."""
        columns, thickness = trace.columns, self.thickness
        within = self._rows >= trace.top[columns]
        within &= self._rows < trace.bottom[columns] + thickness
        inks = np.broadcast_to(ink, self.image.width())[columns]
        for shift in range(thickness):
            left = max(columns.start + shift, first)
            reach = pixels[:, left : columns.stop + shift]
            skipped = left - shift - columns.start
            taken = slice(skipped, skipped + reach.shape[1])
            np.copyto(reach, inks[taken], where=within[:, taken])

    def _draw_lines(
        self, traces: Sequence[_Trace], inks: Sequence[QColor], areas: Sequence[QRegion]
    ) -> None:
        """Draw what leads over empty columns, of each trace what lies within its area."""
        if not any(trace.lines for trace in traces):
            return
        with QPainter(self.image) as painter:
            for trace, ink, area in zip(traces, inks, areas, strict=True):
                if trace.lines:
                    painter.setClipRegion(area)
                    painter.setPen(QPen(ink, self.thickness))
                    painter.drawLines(trace.lines)

    def _in_turns(
        self, traces: Sequence[_Trace], inks: Sequence[QColor], first: int
    ) -> tuple[_Trace, Pixels]:
        """In each column the trace and the ink of the curve that lies on top there."""
        columns = np.arange(self.image.width())
        turn = columns // (_STRIPE * self.thickness) % len(traces)
        top = np.stack([trace.top for trace in traces])[turn, columns]
        bottom = np.stack([trace.bottom for trace in traces])[turn, columns]
        ink = np.array([ink.rgba() for ink in inks], np.uint32)[turn]
        return _Trace(slice(first, columns.size), top, bottom, []), ink


@lru_cache
def _stripes(width: int, height: int, stripe: int, curves: int) -> tuple[QRegion, ...]:
    """For each curve the part of an image in which it lies on top."""
    regions = [QRegion() for _ in range(curves)]
    for place, left in enumerate(range(0, width, stripe)):
        regions[place % curves] += QRect(left, 0, stripe, height)
    return tuple(regions)


def _first_difference(now: Points, before: Points) -> int | None:
    """The column of the last point that two curves have in common; None where they are equal."""
    common = min(now.x.size, before.x.size)
    # As integers, for NaN to equal itself.
    same = np.ones(common, bool)
    for one, other in zip(now, before, strict=True):
        same &= one[:common].view(np.int64) == other[:common].view(np.int64)
    if same.all() and now.x.size == before.x.size:
        return None
    place = common if same.all() else int(same.argmin())
    return int(now.x[place - 1]) if place else 0


def runs(x: Floats, y: Floats, width: int) -> tuple[slice, Rows, Rows, Flags]:
    """Which columns a curve of pixels reaches, and the first and last row it takes in each.

    An empty column's first row lies below its last one. The line from one point to the next is
    shared by their columns; where there is a column between them it is not drawn at all, and the
    flag of the point is set. NaN in y interrupts the line.
    """
    top = np.full(width, _FARTHEST, np.int16)
    bottom = np.full(width, -_FARTHEST, np.int16)
    known = np.isfinite(y)
    column = np.floor(x).astype(np.intp)
    row = np.clip(np.where(known, np.floor(y), 0), -_FARTHEST, _FARTHEST).astype(np.int16)
    step = np.diff(column)
    joined = known[:-1] & known[1:]
    far = np.append(joined & (step > 1), False)
    near = np.flatnonzero(joined & (step <= 1))
    middle = (row[near] + row[near + 1]) >> 1
    places = np.concatenate((np.flatnonzero(known), near, near + 1))
    rows = np.concatenate((row[known], middle, middle))
    inside = (column[places] >= 0) & (column[places] < width)
    places, rows = column[places[inside]], rows[inside]
    np.minimum.at(top, places, rows)
    np.maximum.at(bottom, places, rows)
    reach = slice(int(places.min()), int(places.max()) + 1) if places.size else slice(0, 0)
    return reach, top, bottom, far
