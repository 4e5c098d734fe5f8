"""The common base of plots over counts: one place after the other, on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import override

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPalette,
    QPen,
    QPolygonF,
    QShowEvent,
    QTransform,
)
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.plots.base.painting import draw_marker, filled, in_pixels, marker_of, outline
from app.plots.base.plot_axes import UnitAxis
from app.plots.base.readout import Readout
from app.plots.base.sheet import Sheet
from app.style.theme import LIGHT, Theme
from core import CurvesFigure, FigureCurve

_PALE, _HATCHED = 36, 150
"""Of 255: how strong the tint over intervals is, and that of its hatching."""
_BESIDE = 10.0
"""Pixels between the marks of two curves that failed at the same place."""


class Drawing(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """Draws curves in pixels; few enough points for smooth lines."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._view = QRectF()

    def redraw(self, theme: Theme, view: QRectF) -> None:
        """Draw anew, in these colours, over this part of the plot."""
        self.prepareGeometryChange()
        self._theme, self._view = theme, view
        self.update()

    def draw(self, p: QPainter, to: QTransform) -> None:
        """Draw all; `to` takes values to pixels."""
        raise NotImplementedError

    @override
    def boundingRect(self) -> QRectF:
        return self._view

    @override
    def paint(self, p: QPainter, opt: object, widget: object) -> None:
        with in_pixels(p) as to:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.draw(p, to)

    def _colour(self, rank: int) -> str:
        return self._theme.curves[rank % len(self._theme.curves)]

    def _line(self, p: QPainter, points: list[QPointF], pen: QPen) -> None:
        p.setPen(pen)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawPolyline(QPolygonF(points))

    def _marker(self, p: QPainter, point: QPointF, marker: str, rank: int) -> None:
        p.translate(point)
        draw_marker(p, marker, self._colour(rank), self._theme.background)
        p.translate(-point)

    def _point(self, p: QPainter, point: QPointF, rank: int) -> None:
        self._marker(p, point, marker_of(rank), rank)

    def _failure(self, p: QPainter, foot: QPointF, rank: int, of: int) -> None:
        """A crossed ring on the axis, as crosses and rings alone mark points of some curves.

        Those of several curves stand beside each other.
        """
        place = foot + QPointF(_BESIDE * (rank - (of - 1) / 2), -6)
        for marker in ("ring", "cross"):
            self._marker(p, place, marker, rank)


class CurvesDrawing(Drawing):
    """Draws the curves of a figure; those that were published hollow and dashed."""

    def __init__(self) -> None:
        super().__init__()
        self._figure = CurvesFigure()
        self._hidden: frozenset[str] = frozenset()
        self.hatched = False
        """Whether it was measured beside other programs, and so is provisional."""

    def put(self, figure: CurvesFigure, hidden: frozenset[str], theme: Theme, view: QRectF) -> None:
        """Draw a figure without the curves of these names."""
        self._figure, self._hidden = figure, hidden
        self.redraw(theme, view)

    @override
    def draw(self, p: QPainter, to: QTransform) -> None:
        visible = self._figure.visible(self._hidden)
        for rank, curve in visible:
            self._paint_published(p, to, rank, curve)
        for rank, curve in visible:
            self._paint_curve(p, to, rank, curve)

    def _paint_published(self, p: QPainter, to: QTransform, rank: int, curve: FigureCurve) -> None:
        colour = QColor(self._colour(rank))
        if curve.charted:
            charted = self._on(to, curve.charted)
            self._line(p, charted, QPen(colour, 1.2, Qt.PenStyle.DotLine))
        points = self._on(to, curve.published)
        self._line(p, points, QPen(colour, 1.2, Qt.PenStyle.DashLine))
        p.setPen(QPen(colour, 1.4))
        p.setBrush(QColor(self._theme.background))
        for point in points:
            p.drawPath(outline(marker_of(rank)).translated(point))

    def _paint_curve(self, p: QPainter, to: QTransform, rank: int, curve: FigureCurve) -> None:
        colour = QColor(self._colour(rank))
        self._paint_band(p, to, curve, colour)
        good = [(one.at, one.value) for one in curve.points if not one.failed]
        self._line(p, self._on(to, good), QPen(colour, 2))
        for one in curve.points:
            if one.failed:
                # A view's top is its lowest value: its coordinates grow upwards.
                foot = self._view.top() if self._figure.logarithmic else 0.0
                where = to.map(QPointF(math.log2(one.at), foot))
                self._failure(p, where, rank, len(self._figure.drawn))
            else:
                self._point(p, self._on(to, [(one.at, one.value)])[0], rank)

    def _paint_band(self, p: QPainter, to: QTransform, curve: FigureCurve, colour: QColor) -> None:
        """Tint what lies within the intervals."""
        good = [one for one in curve.points if not one.failed]
        ends = [one.ends if self._figure.logarithmic else (one.low, one.high) for one in good]
        low = [(one.at, each[0]) for one, each in zip(good, ends, strict=True)]
        high = [(one.at, each[1]) for one, each in zip(good, ends, strict=True)]
        pale = QColor(colour)
        pale.setAlpha(_HATCHED if self.hatched else _PALE)
        p.setPen(QPen(pale, 3) if len(good) == 1 else Qt.PenStyle.NoPen)
        p.setBrush(filled(pale, hatched=self.hatched))
        p.drawPolygon(QPolygonF(self._on(to, [*high, *reversed(low)])))

    def _on(self, to: QTransform, values: Iterable[tuple[float, float]]) -> list[QPointF]:
        """Where values at places are, in pixels."""
        up = math.log10 if self._figure.logarithmic else float
        return [to.map(QPointF(math.log2(at), up(value))) for at, value in values]


class CountsPlot(QWidget):
    """A plot over counts. Hover, or use the arrow keys, for the values at one of them."""

    def __init__(self, values: UnitAxis, across: UnitAxis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._at: float | None = None
        self._values, self._across = values, across
        self.readout = Readout("", wraps=True)
        self.sheet = Sheet({"left": values, "bottom": across})
        self.sheet.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.sheet.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._crosshair = pg.InfiniteLine(angle=90, movable=False)
        self._crosshair.hide()
        self.sheet.addItem(self._crosshair, ignoreBounds=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 4, 6)
        layout.setSpacing(4)
        layout.addWidget(self.readout)
        layout.addWidget(self.sheet, 1)
        self._hidden: frozenset[str] = frozenset()
        """Names of the curves that the user has hidden."""
        self.readout.chosen.connect(self._toggle)
        self.sheet.hovered.connect(self._point)
        self.sheet.left.connect(self._unpoint)
        self.sheet.resized.connect(self._draw)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAutoFillBackground(True)

    def _draws[D: Drawing](self, drawing: D) -> D:
        """Take the item that draws the curves, below the crosshair."""
        drawing.setZValue(-1)
        self.sheet.addItem(drawing, ignoreBounds=True)
        return drawing

    def summary(self) -> str:
        """What is shown, in words."""
        raise NotImplementedError

    @property
    def _counts(self) -> list[float]:
        """The places, in order."""
        raise NotImplementedError

    def _draw(self) -> None:
        """Bring axes and curves up to date."""
        raise NotImplementedError

    def _tell(self) -> None:
        """Bring the values at the chosen place up to date."""
        raise NotImplementedError

    def _toggle(self, curve: str) -> None:
        """Hide a curve, or show it again."""
        self._hidden ^= {curve}
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.background))
        self.setPalette(palette)
        self.sheet.setBackground(theme.background)
        self.readout.set_theme(theme)
        for axis in (self._values, self._across):
            axis.paint_with(theme, self.font())
        self._crosshair.setPen(pg.mkPen(theme.muted, width=1))
        self._draw()

    def _point(self, logarithm: float) -> None:
        counts = self._counts
        if not counts:
            return
        self._at = min(counts, key=lambda count: abs(math.log2(count) - logarithm))
        self._crosshair.setPos(math.log2(self._at))
        self._crosshair.show()
        self._tell()

    def _unpoint(self) -> None:
        self._at = None
        self._crosshair.hide()
        self._tell()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        counts = self._counts
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right as key if counts:
                step = -1 if key == Qt.Key.Key_Left else 1
                place = counts.index(self._at) + step if self._at in counts else 0
                self._point(math.log2(counts[min(max(place, 0), len(counts) - 1)]))
            case Qt.Key.Key_Escape if self._at is not None:
                self._unpoint()
            case _:
                super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self.setAccessibleDescription(self.summary())
        super().focusInEvent(event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()
