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
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from app.style.theme import LIGHT, Theme

LINE = "line"
"""In a read-out, a muted curve: it has no marker."""
MARKERS = ("disc", "cross", "triangle", "ring", "diamond", "plus")
"""Shapes that look different even when they are this small."""
RADIUS = 3.5
_REACH = 1.7
"""Of a diamond, the largest marker, in radii."""
_STROKES = {"cross": ((1, 1), (1, -1)), "plus": ((1.3, 0), (0, 1.3))}
"""Markers made of lines through their middle: the ends of these lines."""
_CORNERS = {
    "triangle": ((0, -1.15), (1.1, 0.9), (-1.1, 0.9)),
    "diamond": ((0, -_REACH), (0.9, 0), (0, _REACH), (-0.9, 0)),
}
"""Those of other markers, in radii."""
_FORMAT = QImage.Format.Format_ARGB32_Premultiplied
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

    def _take_font(self, p: QPainter, *, bold: bool = False) -> None:
        font = QFont(self.font())
        font.setPixelSize(_TEXT)
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        p.setFont(font)

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
    style = Qt.BrushStyle
    return QBrush(colour, style.BDiagPattern if hatched else style.SolidPattern)


@lru_cache
def outline(marker: str) -> QPainterPath:
    """The marker's shape around 0, 0."""
    path = QPainterPath()
    if marker in {"disc", "ring"}:
        path.addEllipse(QPointF(0, 0), RADIUS, RADIUS)
    for x, y in _STROKES.get(marker, ()):
        path.moveTo(-RADIUS * 0.9 * x, -RADIUS * 0.9 * y)
        path.lineTo(RADIUS * 0.9 * x, RADIUS * 0.9 * y)
    if corners := _CORNERS.get(marker):
        path.addPolygon(QPolygonF([QPointF(x, y) * RADIUS for x, y in corners]))
        path.closeSubpath()
    return path


def draw_marker(
    painter: QPainter, middle: QPointF, marker: str, colour: str, background: str
) -> None:
    """Draw the marker around a point: filled, or as a line where it is one."""
    hollow = marker == "ring" or marker in _STROKES
    painter.setPen(QPen(QColor(colour), 1.6) if hollow else Qt.PenStyle.NoPen)
    fill = QBrush(QColor(background if marker == "ring" else colour))
    painter.setBrush(Qt.BrushStyle.NoBrush if marker in _STROKES else fill)
    painter.drawPath(outline(marker).translated(middle))


@lru_cache
def marker_image(marker: str, colour: str, background: str, ratio: float) -> QImage:
    """The marker in the middle of a square image, to be drawn many times."""
    side = 2 * math.ceil(RADIUS * _REACH + 1.5)
    image = QImage(round(side * ratio), round(side * ratio), _FORMAT)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_marker(painter, QPointF(side / 2, side / 2), marker, colour, background)
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
