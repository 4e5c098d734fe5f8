"""Curves that are cheap to draw, and differ in markers as well as colours.

pyqtgraph's own curves draw the few points that samples leave.  Where these are fewer than the
pixels across, lines are smooth and two pixels wide, unless they go up and down so much that they
fill the plot.  Such lines and dense ones are one pixel wide and not smooth, because Qt draws a
wide, smooth line pixel by pixel: 12 curves of 300 random points took 85 ms, and 14 ms as thin
ones; `tests/benchmarks/bench_plots.py` measures the present cost.
Curves of equal values would hide each other, so their markers alternate along the line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, override

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPaintEngine, QPainter, QTransform

from app.plots.base.painting import (
    MARKERS,
    colour_of,
    draw_marker,
    in_pixels,
    marker_image,
    marker_of,
)
from app.plots.base.samples import NO_POINTS, Points
from app.style.theme import LIGHT, Theme

_WIDE, _NARROW = 2, 1
"""Pixels."""
_LONGEST_SMOOTH = 3
"""Lengths of a line, in widths of its plot, up to which it is drawn smooth."""


class _Drawing(NamedTuple):
    """All that decides how points become lines and marks, but their colours."""

    view: QRectF
    size: QSize
    spacing: float
    ranks: list[int | None]


class Curves(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """The curves of one plot, each with the colour and the marker of its rank, or muted.

    Their bounds are those of the view, so that pyqtgraph does not search the data for bounds.
    """

    def __init__(self) -> None:
        super().__init__()
        self._points: list[Points] = []
        self._marks: list[Points] = []
        self._drawing = _Drawing(QRectF(), QSize(), 0.0, [])
        self._lines: list[pg.PlotCurveItem] = []
        self._theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for rank, line in zip(self._drawing.ranks, self._lines, strict=False):
            line.setPen(self._colour(rank), width=line.opts["pen"].width())
        self.update()

    def put(
        self,
        points: Sequence[Points],
        spacing: float,
        view: QRectF,
        size: QSize,
        ranks: Sequence[int | None] | None = None,
    ) -> None:
        """Draw these curves in a view of so many pixels.

        Each has a marker about every `spacing` of x.  `ranks`: the places of their colours, None
        for a muted one, which is thin and has no markers; by default the curves' own places.
        """
        if view != self._drawing.view:
            self.prepareGeometryChange()
        while len(self._lines) < len(points):
            line = pg.PlotCurveItem(connect="finite")
            line.setSegmentedLineMode("on")
            self._lines.append(line)
        ranks = list(range(len(points)) if ranks is None else ranks)
        drawing = _Drawing(QRectF(view), QSize(size), spacing, ranks)
        before = self._points if drawing == self._drawing else []
        self._drawing, self._points = drawing, list(points)
        for place, each in enumerate(points):
            if place >= len(before) or each is not before[place]:
                self._put_one(place, each)
        del self._marks[len(points) :]
        self.update()

    def _put_one(self, place: int, points: Points) -> None:
        view, size, spacing, ranks = self._drawing
        rank, line = ranks[place], self._lines[place]
        smooth = rank is not None and is_smooth(points, view, size)
        pen = pg.mkPen(self._colour(rank), width=_WIDE if smooth else _NARROW)
        line.setData(points.x, points.y, pen=pen, antialias=smooth)
        marked = NO_POINTS if rank is None else marks(points, spacing, rank)
        self._marks[place : place + 1] = [marked]

    @override
    def boundingRect(self) -> QRectF:
        return self._drawing.view

    @override
    def paint(self, p: QPainter, opt: object, widget: object) -> None:
        for line in self._lines[: len(self._points)]:
            p.save()
            line.paint(p, opt, widget)
            p.restore()
        with in_pixels(p) as to:
            for rank, points in zip(self._drawing.ranks, self._marks, strict=True):
                if rank is not None:
                    self._paint_marks(p, to, rank, points)

    def _paint_marks(self, p: QPainter, to: QTransform, rank: int, points: Points) -> None:
        colour, background = self._colour(rank), self._theme.background
        x, y = points.x * to.m11() + to.dx(), points.y * to.m22() + to.dy()
        if p.paintEngine().type() != QPaintEngine.Type.Raster:  # lines and texts, such as SVG
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            for middle in map(QPointF, x.tolist(), y.tolist()):
                draw_marker(p, middle, marker_of(rank), (colour, background))
            return
        image = marker_image(marker_of(rank), colour, background, p.device().devicePixelRatioF())
        half = image.deviceIndependentSize().width() / 2
        for corner in map(QPointF, (np.rint(x) - half).tolist(), (np.rint(y) - half).tolist()):
            p.drawImage(corner, image)

    def _colour(self, rank: int | None) -> str:
        return colour_of(self._theme, rank)


def is_smooth(points: Points, view: QRectF, size: QSize) -> bool:
    """Whether a curve has few points for its pixels, and is short enough to be drawn smooth."""
    if points.x.size >= size.width():
        return False
    across, down = size.width() / view.width(), size.height() / view.height()
    lengths = np.hypot(np.diff(points.x) * across, np.diff(points.y) * down)
    return float(np.nansum(lengths)) <= _LONGEST_SMOOTH * size.width()


def equal(one: Sequence[Points], other: Sequence[Points]) -> bool:
    """Whether curves are the same; NaN equals NaN."""
    if len(one) != len(other):
        return False
    # As integers, for NaN to equal itself.
    pairs = zip((a for p in one for a in p), (a for p in other for a in p), strict=True)
    return all(a is b or np.array_equal(a.view(np.int64), b.view(np.int64)) for a, b in pairs)


def marks(points: Points, spacing: float, rank: int) -> Points:
    """Points of the curve at multiples of the spacing, shifted by rank so that curves alternate.

    A curve too short to meet a multiple is marked at its last point.
    """
    if not points.x.size or not spacing > 0:
        return NO_POINTS
    shift = (rank + 0.5) / len(MARKERS) * spacing
    first = math.ceil((points.x[0] - shift) / spacing)
    last = math.floor((points.x[-1] - shift) / spacing)
    places = np.searchsorted(points.x, np.arange(first, last + 1) * spacing + shift)
    places = places[np.isfinite(points.y[places])]
    if not places.size:
        places = np.flatnonzero(np.isfinite(points.y))[-1:]
    return Points(points.x[places], points.y[places])
