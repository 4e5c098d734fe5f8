"""Painting for all plots: widgets that draw themselves, pixels instead of values, and markers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import override

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QImage,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from app.style.theme import LIGHT, Theme

MARKERS = ("circle", "square", "triangle", "diamond", "cross")
"""Shapes that look different even when they are this small, one for each colour of data."""
RADIUS = 4.0
_REACH = 1.75
"""Of a diamond, the largest marker, in radii."""
_CORNERS = {
    "square": ((-1.15, -1.15), (1.15, -1.15), (1.15, 1.15), (-1.15, 1.15)),
    "triangle": ((0, -1.25), (1.1, 0.9), (-1.1, 0.9)),
    "diamond": ((0, -_REACH), (0.85, 0), (0, _REACH), (-0.85, 0)),
}
"""Those of markers, in radii."""
_FORMAT = QImage.Format.Format_ARGB32_Premultiplied
_TILE = 6
"""Pixels of a hatching's tile."""
_TEXT = 12
"""Pixels of its letters."""


class PaintedPlot(QWidget):
    """A plot, or a part of one, that draws itself: on the screen, and in a picture in a file."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def draw(self, p: QPainter, seen: QRect) -> None:
        """Draw the plot in its own pixels, or at least the part that is seen."""
        raise NotImplementedError

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as p:
            self.draw(p, event.rect())

    def _letters(self, *, bold: bool = False) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(_TEXT)
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def _take_font(self, p: QPainter, *, bold: bool = False) -> None:
        p.setFont(self._letters(bold=bold))

    def _write(
        self,
        p: QPainter,
        area: QRectF,
        text: str,
        colour: str,
        side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        """Write a text into the middle of an area's height; what has no room is cut."""
        room = max(round(area.width()), 0)
        p.setPen(QColor(colour))
        text = p.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room)
        p.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, text)


def take_ground(widget: QWidget, theme: Theme) -> None:
    """Give a widget the background of plots."""
    palette = widget.palette()
    palette.setColor(QPalette.ColorRole.Window, QColor(theme.background))
    widget.setPalette(palette)


def filled(colour: QColor, *, hatched: bool) -> QBrush:
    """A brush of that colour; hatched is what was measured beside other programs."""
    return QBrush(colour, _hatch(colour.rgba())) if hatched else QBrush(colour)


@lru_cache
def _hatch(colour: int) -> QPixmap:
    """Thin lines, where Qt's own pattern is coarse."""
    tile = QPixmap(_TILE, _TILE)
    tile.fill(Qt.GlobalColor.transparent)
    with QPainter(tile) as p:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(QPen(QColor.fromRgba(colour), 1))
        for start in (-_TILE, 0, _TILE):
            p.drawLine(start - 1, _TILE + 1, start + _TILE + 1, -1)
    return tile


@lru_cache
def outline(marker: str) -> QPainterPath:
    """The marker's shape around 0, 0."""
    path = QPainterPath()
    if corners := _CORNERS.get(marker):
        path.addPolygon(QPolygonF([QPointF(x, y) * RADIUS for x, y in corners]))
        path.closeSubpath()
    elif marker == "cross":
        for way in (1, -1):
            path.moveTo(QPointF(-0.9, -0.9 * way) * RADIUS)
            path.lineTo(QPointF(0.9, 0.9 * way) * RADIUS)
    else:
        path.addEllipse(QPointF(), RADIUS, RADIUS)
    return path


def draw_marker(
    painter: QPainter,
    middle: QPointF,
    marker: str,
    colours: tuple[str, str],
    *,
    hollow: bool = False,
) -> None:
    """Draw the marker around a point in a colour, set off from a background; `hollow`: its edge."""
    shape, (colour, background) = outline(marker).translated(middle), map(QColor, colours)
    painter.setPen(QPen(background, 5.0 if marker == "cross" else 2.0))
    painter.setBrush(background)
    painter.drawPath(shape)
    lines = hollow or marker == "cross"
    painter.setPen(QPen(colour, 2.0) if lines else Qt.PenStyle.NoPen)
    painter.setBrush(background if hollow else colour)
    painter.drawPath(shape)


@lru_cache
def marker_image(marker: str, colour: str, background: str, ratio: float) -> QImage:
    """The marker in the middle of a square image, to be drawn many times."""
    side = 2 * math.ceil(RADIUS * _REACH + 1.5)
    image = QImage(round(side * ratio), round(side * ratio), _FORMAT)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_marker(painter, QPointF(side / 2, side / 2), marker, (colour, background))
    return image


def marker_of(rank: int) -> str:
    """The marker of the curve of that rank."""
    return MARKERS[rank % len(MARKERS)]


def colour_of(theme: Theme, rank: int | None) -> str:
    """The colour of the curve of that rank; None is a muted one."""
    return theme.roles["border"] if rank is None else theme.curves[rank % len(theme.curves)]


@contextmanager
def in_pixels(painter: QPainter) -> Iterator[QTransform]:
    """Paint in pixels within the block; gives the transform from values."""
    to = painter.transform()
    painter.save()
    painter.resetTransform()
    yield to
    painter.restore()
