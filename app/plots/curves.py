"""Curves that are cheap to draw and told apart by their markers besides their colours.

Fast means: the few points that a pyramid leaves, put on pixels without smoothing, and nothing drawn
anew that has not changed. So curves are not dashed but carry a marker now and then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import override

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QTransform

from app.plots.painting import MARKERS, draw_marker, in_pixels, is_raster, marker_image, marker_of
from app.plots.pyramid import Floats, Points
from app.plots.raster import Raster, first_difference
from app.theme import LIGHT, Theme

_NONE = np.empty(0)


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
        self._size = QSize()
        self._done: float = 0
        """Columns of the image that show what they should."""
        self._theme = LIGHT
        self._view = QRectF()
        self._dots: list[Points] = []

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        self._done = 0
        self.update()

    def put(
        self,
        points: Sequence[Points],
        spacing: float,
        view: QRectF,
        size: QSize,
        since: float = -math.inf,
    ) -> None:
        """Draw these curves in that view of so many pixels, with a marker about every `spacing` of x.

        Points before `since` are those that were put last. Nothing is drawn anew where no point has
        come to another pixel.
        """
        if view != self._view or size != self._size or len(points) != len(self._dots):
            dots, drawn = [on_pixels(each, view, size) for each in points], 0.0
        else:
            dots, drawn = self._dots_since(points, since)
        if drawn == math.inf:
            return
        if view != self._view:
            self.prepareGeometryChange()
            self._view = view
        self._points, self._dots, self._size = list(points), dots, size
        self._marks = [marks(each, spacing, rank) for rank, each in enumerate(points)]
        self._done = min(self._done, drawn)
        self.update()

    def _dots_since(self, points: Sequence[Points], since: float) -> tuple[list[Points], float]:
        """In which pixels they are, and before which column nothing changed."""
        dots, drawn = [], math.inf
        for (x, y), before in zip(points, self._dots, strict=True):
            kept = max(int(np.searchsorted(x, since)) - 1, 0)
            rest = on_pixels(Points(x[kept:], y[kept:]), self._view, self._size)
            column = first_difference(rest, Points(before.x[kept:], before.y[kept:]))
            drawn = min(drawn, column)
            pairs = zip(before, rest, strict=True)
            dots.append(Points(*(np.concatenate((one[:kept], other)) for one, other in pairs)))
        return dots, drawn

    @override
    def boundingRect(self) -> QRectF:
        return self._view

    @override
    def paint(self, p: QPainter, opt: object, widget: object) -> None:
        with in_pixels(p) as to:
            if is_raster(p):
                self._paint_image(p, to)
            else:
                self._paint_lines(p, to)
            for rank, found in enumerate(self._marks):
                self._paint_marks(p, to, rank, found)

    def _paint_image(self, p: QPainter, to: QTransform) -> None:
        ratio = p.device().devicePixelRatioF()
        if (image := self._rasterised(to, ratio)) is not None:
            image.setDevicePixelRatio(ratio)
            p.drawImage(self._corner, image)

    def _rasterised(self, to: QTransform, ratio: float) -> QImage | None:
        """The image of the curves, up to date; None where there is no room for any."""
        area = to.mapRect(self._view)
        left, top = math.floor(area.left() * ratio), math.floor(area.top() * ratio)
        size = QSize(round(area.width() * ratio), round(area.height() * ratio))
        self._corner = QPointF(left / ratio, top / ratio)
        thickness = max(1, round(ratio))
        raster = self._raster
        if size.isEmpty():
            self._raster = None
            return None
        if raster is None or raster.image.size() != size or raster.thickness != thickness:
            raster = self._raster = Raster(size, thickness)
            self._done = 0
        if self._done >= size.width():
            return raster.image
        if size != self._size:  # drawn on something else than what it was made for
            self._size = size
            self._dots = [on_pixels(each, self._view, size) for each in self._points]
        colours = [self._colour(rank) for rank in range(len(self._points))]
        raster.draw(self._dots, colours, self._done)
        self._done = math.inf
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
        if not is_raster(p):
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


def on_pixels(points: Points, view: QRectF, size: QSize) -> Points:
    """In which pixels of the view the points are, from its upper left corner."""
    across = size.width() / view.width()
    down = size.height() / view.height()
    return Points(
        np.floor((points.x - view.left()) * across),
        np.floor((view.bottom() - points.y) * down),
    )


def equal(one: Sequence[Floats], other: Sequence[Floats]) -> bool:
    """Whether arrays hold the same numbers; NaN equals NaN."""
    if len(one) != len(other):
        return False
    # As integers, for NaN to equal itself.
    pairs = zip(one, other, strict=True)
    return all(np.array_equal(a.view(np.int64), b.view(np.int64)) for a, b in pairs)


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
