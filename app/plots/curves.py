"""Curves that are cheap to draw and told apart by their markers besides their colours.

Fast means: the few points that a pyramid leaves, put on pixels without smoothing, and nothing drawn
anew that has not changed. So curves are not dashed but carry a marker now and then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import override

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QImage,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTransform,
)

from app.plots.pyramid import Points
from app.plots.raster import Raster
from app.theme import LIGHT, Theme

MARKERS = ("disc", "cross", "triangle", "ring", "diamond", "plus")
"""Shapes that stay different when they are as small as this."""
RADIUS = 3.5
_STROKES = {"cross": ((1, 1), (1, -1)), "plus": ((1.3, 0), (0, 1.3))}
"""Markers that are lines through their middle: where these end."""
_NONE = np.empty(0)
_FORMAT = QImage.Format.Format_ARGB32_Premultiplied


@lru_cache
def outline(marker: str, radius: float = RADIUS) -> QPainterPath:
    """The marker's shape around 0, 0."""
    path = QPainterPath()
    if marker in {"disc", "ring"}:
        path.addEllipse(QPointF(0, 0), radius, radius)
        return path
    half = radius * 0.9
    corners = {
        "triangle": ((0, -radius * 1.15), (radius * 1.1, half), (-radius * 1.1, half)),
        "diamond": ((0, -radius * 1.7), (radius * 0.9, 0), (0, radius * 1.7), (-radius * 0.9, 0)),
    }
    if marker in _STROKES:
        for x, y in _STROKES[marker]:
            path.moveTo(-half * x, -half * y)
            path.lineTo(half * x, half * y)
        return path
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners[marker]]))
    path.closeSubpath()
    return path


def draw_marker(painter: QPainter, marker: str, colour: str, background: str) -> None:
    """Draw the marker around the painter's origin: filled, or as a line where it is one."""
    hollow = marker == "ring" or marker in _STROKES
    painter.setPen(QPen(QColor(colour), 1.6) if hollow else Qt.PenStyle.NoPen)
    painter.setBrush(
        QBrush(QColor(background if marker == "ring" else colour))
        if marker not in _STROKES
        else Qt.BrushStyle.NoBrush
    )
    painter.drawPath(outline(marker))


@lru_cache
def marker_image(marker: str, colour: str, background: str, ratio: float) -> QImage:
    """The marker in the middle of a square image, to be drawn many times."""
    side = 2 * math.ceil(RADIUS * 1.7 + 1.5)
    image = QImage(round(side * ratio), round(side * ratio), _FORMAT)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(side / 2, side / 2)
        draw_marker(painter, marker, colour, background)
    return image


def marker_of(rank: int) -> str:
    """The marker of the curve at that place in its plot."""
    return MARKERS[rank % len(MARKERS)]


class Curves(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """The curves of one plot, each with the colour and the marker of its rank.

    They are put on the pixels of an image with numpy, and the image is kept until they change. As
    their bounds are those of the view, nobody searches the data for them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._points: list[Points] = []
        self._marks: list[Points] = []
        self._raster: Raster | None = None
        self._corner = QPointF()
        self._placed: tuple[float, ...] = ()
        self._theme = LIGHT
        self._view = QRectF()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        self._placed = ()
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
        to = p.transform()
        p.save()
        p.resetTransform()
        if p.paintEngine().type() == QPaintEngine.Type.Raster:
            ratio = p.device().devicePixelRatioF()
            if (image := self._rasterised(to, ratio)) is not None:
                image.setDevicePixelRatio(ratio)
                p.drawImage(self._corner, image)
        else:
            self._paint_lines(p, to)
        for rank, found in enumerate(self._marks):
            self._paint_marks(p, to, rank, found)
        p.restore()

    def _rasterised(self, to: QTransform, ratio: float) -> QImage | None:
        """The image of the curves, up to date; None where there is no room for any."""
        area = to.mapRect(self._view)
        left, top = math.floor(area.left() * ratio), math.floor(area.top() * ratio)
        size = QSize(math.ceil(area.right() * ratio) - left, math.ceil(area.bottom() * ratio) - top)
        scale = (to.m11() * ratio, to.m22() * ratio)
        shift = (to.dx() * ratio - left, to.dy() * ratio - top)
        placed: tuple[float, ...] = (*scale, *shift, size.width(), size.height())
        if placed == self._placed:
            return self._raster.image if self._raster else None
        self._placed, self._corner = placed, QPointF(left / ratio, top / ratio)
        if size.isEmpty():
            self._raster = None
            return None
        thickness = max(1, round(ratio))
        raster = self._raster
        if raster is None or raster.image.size() != size or raster.thickness != thickness:
            raster = self._raster = Raster(size, thickness)
        raster.draw(
            [Points(x * scale[0] + shift[0], y * scale[1] + shift[1]) for x, y in self._points],
            [self._colour(rank) for rank in range(len(self._points))],
        )
        return raster.image

    def _paint_lines(self, p: QPainter, to: QTransform) -> None:
        """As lines, for a drawing that is not made of pixels."""
        for rank, (x, y) in enumerate(self._points):
            placed = (x * to.m11() + to.dx(), y * to.m22() + to.dy())
            p.setPen(QPen(QColor(self._colour(rank)), 1))
            p.drawPath(pg.arrayToQPath(*placed, connect="finite"))

    def _paint_marks(self, p: QPainter, to: QTransform, rank: int, found: Points) -> None:
        colour, background = self._colour(rank), self._theme.background
        x_on, y_on = found.x * to.m11() + to.dx(), found.y * to.m22() + to.dy()
        if p.paintEngine().type() != QPaintEngine.Type.Raster:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            for x, y in zip(x_on, y_on, strict=True):
                p.translate(x, y)
                draw_marker(p, marker_of(rank), colour, background)
                p.translate(-x, -y)
            return
        image = marker_image(marker_of(rank), colour, background, p.device().devicePixelRatioF())
        half = image.deviceIndependentSize().width() / 2
        left, top = (np.rint(x_on) - half).tolist(), (np.rint(y_on) - half).tolist()
        for place in map(QPointF, left, top):
            p.drawImage(place, image)

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
