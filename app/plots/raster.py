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
    """A curve on a piece of the image: first and last row in each column of it.

    In a column that is empty the first row lies below the last one; `lines` lead over such columns.
    """

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

    def draw(self, curves: Sequence[Points], colours: Sequence[str], drawn: float = 0) -> None:
        """Draw these curves, in pixels of the image, and nothing else.

        Before the column `drawn` there is nothing to do: it shows what was drawn there the last time.
        """
        width, thickness = self.image.width(), self.thickness
        # Where a thick line that begins there reaches.
        first = int(min(max(drawn - thickness + 1, 0), width))
        if first >= width:
            return
        flat = np.frombuffer(self.image.bits(), np.uint32)
        pixels = flat.reshape(self.image.height(), width)[:, first:]
        pixels[:] = 0
        # A column's pixels reach into the next ones where lines are thick.
        begin = max(first - thickness + 1, 0)
        ends = [points.x[-1] for points in curves if points.x.size]
        columns = slice(begin, int(min(max(ends, default=0) + 1, width)))
        if columns.stop <= begin:
            return
        traces = [self._trace(points, columns) for points in curves]
        inks = [QColor(name) for name in colours]
        for trace, ink in zip(traces, inks, strict=True):
            self._fill(pixels, first - begin, trace, np.uint32(ink.rgba()))
        lines = any(trace.lines for trace in traces)
        right = QRegion(first, 0, width - first, self.image.height())
        if lines:
            self._draw_lines(traces, inks, [right] * len(traces))
        if len(traces) > 1:
            self._fill(pixels, first - begin, *self._in_turns(traces, inks, columns))
        if len(traces) > 1 and lines:
            stripe = _STRIPE * thickness
            stripes = _stripes(width, self.image.height(), stripe, len(traces))
            self._draw_lines(traces, inks, [right & each for each in stripes])

    def _trace(self, points: Points, columns: slice) -> _Trace:
        """Where a curve runs on those columns."""
        begin = max(int(np.searchsorted(points.x, columns.start)) - 2, 0)
        x, y = points.x[begin:], points.y[begin:]
        top, bottom, far = runs(x, y, columns)
        lines = []
        if far.any():
            at = np.flatnonzero(far)
            # Line by line: how Qt draws a thick one depends on what else there is in its path.
            ends = np.column_stack((x[at], y[at], x[at + 1], y[at + 1])).tolist()
            lines = [QLineF(*each) for each in ends]
        return _Trace(top, bottom, lines)

    def _fill(self, pixels: Pixels, skipped: int, trace: _Trace, ink: np.uint32 | Pixels) -> None:
        """Colour the trace's pixels, all alike or each column in its ink.

        The trace begins so many columns before the pixels.
        """
        # Rows that no column reaches are most of some plots.
        first = min(max(int(trace.top.min()), 0), len(pixels))
        last = min(max(int(trace.bottom.max()) + self.thickness, first), len(pixels))
        pixels, rows = pixels[first:last], self._rows[first:last]
        within = rows >= trace.top
        within &= rows < trace.bottom + self.thickness
        inks = np.full(trace.top.size, ink)
        for shift in range(self.thickness):
            from_column = max(skipped - shift, 0)
            reach = pixels[:, from_column + shift - skipped :][:, : trace.top.size - from_column]
            taken = slice(from_column, from_column + reach.shape[1])
            np.copyto(reach, inks[taken], where=within[:, taken])

    def _draw_lines(
        self, traces: Sequence[_Trace], inks: Sequence[QColor], areas: Sequence[QRegion]
    ) -> None:
        """Draw what leads over empty columns, of each trace what lies within its area."""
        self.image.setDevicePixelRatio(1)  # whoever shows the image sets another one
        with QPainter(self.image) as painter:
            for trace, ink, area in zip(traces, inks, areas, strict=True):
                if trace.lines:
                    painter.setClipRegion(area)
                    painter.setPen(QPen(ink, self.thickness))
                    painter.drawLines(trace.lines)

    def _in_turns(
        self, traces: Sequence[_Trace], inks: Sequence[QColor], columns: slice
    ) -> tuple[_Trace, Pixels]:
        """In each column the trace and the ink of the curve that lies on top there."""
        places = np.arange(columns.stop - columns.start)
        turn = (places + columns.start) // (_STRIPE * self.thickness) % len(traces)
        top = np.stack([trace.top for trace in traces])[turn, places]
        bottom = np.stack([trace.bottom for trace in traces])[turn, places]
        ink = np.array([ink.rgba() for ink in inks], np.uint32)[turn]
        return _Trace(top, bottom, []), ink


@lru_cache
def _stripes(width: int, height: int, stripe: int, curves: int) -> tuple[QRegion, ...]:
    """For each curve the part of an image in which it lies on top."""
    regions = [QRegion() for _ in range(curves)]
    for place, left in enumerate(range(0, width, stripe)):
        regions[place % curves] += QRect(left, 0, stripe, height)
    return tuple(regions)


def first_difference(now: Points, before: Points) -> float:
    """The column of the last point that two curves have in common; infinite where they are equal."""
    common = min(now.x.size, before.x.size)
    # As integers, for NaN to equal itself.
    same = np.ones(common, bool)
    for one, other in zip(now, before, strict=True):
        same &= one[:common].view(np.int64) == other[:common].view(np.int64)
    if same.all() and now.x.size == before.x.size:
        return np.inf
    place = common if same.all() else int(same.argmin())
    return float(now.x[place - 1]) if place else 0.0


def runs(x: Floats, y: Floats, columns: slice) -> tuple[Rows, Rows, Flags]:
    """The first and last row that a curve of pixels takes in each of these columns.

    An empty column's first row lies below its last one. The line from one point to the next is
    shared by their columns; where there is a column between them it is not drawn at all, and the
    flag of the point is set. NaN in y interrupts the line.
    """
    width = columns.stop - columns.start
    top = np.full(width, _FARTHEST, np.int16)
    bottom = np.full(width, -_FARTHEST, np.int16)
    known = np.isfinite(y)
    column = np.floor(x).astype(np.intp) - columns.start
    row = np.where(known, np.floor(y), 0)
    row = np.minimum(np.maximum(row, -_FARTHEST), _FARTHEST).astype(np.int16)
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
    return top, bottom, far
