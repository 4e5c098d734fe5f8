"""Curves that are cheap to draw and told apart by their markers besides their colours.

Fast means: the raster engine, pens of width 1, solid and opaque (a dashed pen is split along the
whole path), no smoothing, no search for NaN, and the few points a pyramid leaves. So curves are not
dashed but carry a marker now and then.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import override

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.plots.pyramid import Floats, Points

MARKERS = ("disc", "square", "triangle", "diamond", "cross", "ring")
RADIUS = 3.5
_NONE = np.empty(0)


@lru_cache
def outline(marker: str, radius: float = RADIUS) -> QPainterPath:
    """The marker's shape around 0, 0."""
    path = QPainterPath()
    if marker in {"disc", "ring"}:
        path.addEllipse(QPointF(0, 0), radius, radius)
        return path
    half = radius * 0.9
    corners = {
        "square": ((-half, -half), (half, -half), (half, half), (-half, half)),
        "triangle": ((0, -radius * 1.15), (radius * 1.1, half), (-radius * 1.1, half)),
        "diamond": ((0, -radius * 1.3), (radius * 1.3, 0), (0, radius * 1.3), (-radius * 1.3, 0)),
    }
    if marker == "cross":
        for sign in (1, -1):
            path.moveTo(-half, -half * sign)
            path.lineTo(half, half * sign)
        return path
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners[marker]]))
    path.closeSubpath()
    return path


def draw_marker(painter: QPainter, marker: str, colour: str, background: str) -> None:
    """Draw the marker around the painter's origin: filled, or as a line where it is one."""
    hollow = marker in {"ring", "cross"}
    painter.setPen(QPen(QColor(colour), 1.6) if hollow else Qt.PenStyle.NoPen)
    painter.setBrush(
        QBrush(QColor(background if marker == "ring" else colour))
        if marker != "cross"
        else Qt.BrushStyle.NoBrush
    )
    painter.drawPath(outline(marker))


class Curve(pg.PlotCurveItem):  # type: ignore[misc] # pyqtgraph has no types
    """One curve; `rank` is its place in its plot and gives colour and marker."""

    def __init__(self, rank: int) -> None:
        super().__init__(skipFiniteCheck=True, antialias=False, connect="finite")
        self.rank = rank
        self.marker = MARKERS[rank % len(MARKERS)]
        self._marks: list[QPointF] = []
        self._colour = self._background = "#000000"

    def set_colours(self, colour: str, background: str) -> None:
        """Take colours, as #rrggbb."""
        self._colour, self._background = colour, background
        self.setPen(pg.mkPen(colour, width=1))

    def put(self, points: Points, spacing: float) -> None:
        """Draw these points, with a marker about every `spacing` of x."""
        # "all" is the cheaper way of drawing, where there is no gap.
        gaps = bool(np.isnan(points.y).any())
        self._marks = marks(points, spacing, self.rank)
        self.setData(points.x, points.y, connect="finite" if gaps else "all")

    def wipe(self) -> None:
        """Draw nothing."""
        self.put(Points(_NONE, _NONE), 1.0)

    @override
    def paint(self, p: QPainter, opt: object, widget: object) -> None:
        super().paint(p, opt, widget)
        if not self._marks:
            return
        transform = p.transform()
        p.save()
        p.resetTransform()
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for mark in self._marks:
            place = transform.map(mark)
            p.translate(place)
            draw_marker(p, self.marker, self._colour, self._background)
            p.translate(-place)
        p.restore()

    @override
    def pixelPadding(self) -> float:
        return 2 * RADIUS


def marks(points: Points, spacing: float, rank: int) -> list[QPointF]:
    """Points of the curve at multiples of the spacing, shifted by rank so that curves alternate.

    A curve too short to meet a multiple is marked at its last point.
    """
    if not points.x.size or not spacing > 0:
        return []
    shift = (rank + 0.5) / len(MARKERS) * spacing
    first = math.ceil((points.x[0] - shift) / spacing)
    last = math.floor((points.x[-1] - shift) / spacing)
    wanted: Floats = np.arange(first, last + 1) * spacing + shift
    places = np.unique(np.searchsorted(points.x, wanted).clip(max=points.x.size - 1))
    places = places[np.isfinite(points.y[places])]
    if not places.size:
        places = np.flatnonzero(np.isfinite(points.y))[-1:]
    return [QPointF(points.x[at], points.y[at]) for at in places]
