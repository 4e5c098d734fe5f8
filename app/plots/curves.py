"""Curves that are cheap to draw and told apart by their markers besides their colours.

Fast means: the raster engine, pens of width 1, solid and opaque (a dashed pen is split along the
whole path), no smoothing, no search for NaN, and the few points a pyramid leaves. So curves are not
dashed but carry a marker now and then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import override

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from app.plots.pyramid import Points
from app.theme import LIGHT, Theme

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


def marker_of(rank: int) -> str:
    """The marker of the curve at that place in its plot."""
    return MARKERS[rank % len(MARKERS)]


class Curves(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """The curves of one plot, each with the colour and the marker of its rank.

    They are put on the pixels with numpy and drawn there, which takes the raster engine half as
    long as letting the painter do it; and as their bounds are those of the view, nobody searches
    the data for them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._points: list[Points] = []
        self._marks: list[Points] = []
        self._paths: list[QPainterPath] = []
        self._placed: tuple[float, ...] = ()
        self._theme = LIGHT
        self._view = QRectF()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        self.update()

    def put(self, points: Sequence[Points], spacing: float, view: QRectF) -> None:
        """Draw these curves in that view, with a marker about every `spacing` of x."""
        if view != self._view:
            self.prepareGeometryChange()
            self._view = view
        self._points = list(points)
        self._marks = [marks(each, spacing, rank) for rank, each in enumerate(points)]
        self._placed = ()
        self.update()

    @override
    def boundingRect(self) -> QRectF:
        return self._view

    @override
    def paint(self, p: QPainter, opt: object, widget: object) -> None:
        self._place(p.transform())
        p.save()
        p.resetTransform()
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for rank, path in enumerate(self._paths):
            p.setPen(QPen(QColor(self._colour(rank)), 1))
            p.drawPath(path)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale_x, scale_y, left, top = self._placed
        for rank, found in enumerate(self._marks):
            for x, y in zip(found.x * scale_x + left, found.y * scale_y + top, strict=True):
                p.translate(x, y)
                draw_marker(p, marker_of(rank), self._colour(rank), self._theme.background)
                p.translate(-x, -y)
        p.restore()

    def _place(self, transform: QTransform) -> None:
        placed = (transform.m11(), transform.m22(), transform.dx(), transform.dy())
        if placed == self._placed:
            return
        self._placed = placed
        self._paths = [
            pg.arrayToQPath(
                points.x * placed[0] + placed[2],
                points.y * placed[1] + placed[3],
                # "all" is the cheaper way, where there is no gap.
                connect="finite" if np.isnan(points.y).any() else "all",
                finiteCheck=False,
            )
            for points in self._points
        ]

    def _colour(self, rank: int) -> str:
        return self._theme.curves[rank % len(self._theme.curves)]


def marks(points: Points, spacing: float, rank: int) -> Points:
    """Points of the curve at multiples of the spacing, shifted by rank so that curves alternate.

    A curve too short to meet a multiple is marked at its last point.
    """
    if not points.x.size or not spacing > 0:
        return Points(_NONE, _NONE)
    shift = (rank + 0.5) / len(MARKERS) * spacing
    first = math.ceil((points.x[0] - shift) / spacing)
    last = math.floor((points.x[-1] - shift) / spacing)
    places = np.searchsorted(points.x, np.arange(first, last + 1) * spacing + shift)
    places = places[np.isfinite(points.y[places])]
    if not places.size:
        places = np.flatnonzero(np.isfinite(points.y))[-1:]
    return Points(points.x[places], points.y[places])
