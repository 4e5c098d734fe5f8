"""The base of plots over counts: a figure, whose places stand on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import override

import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPen,
    QPolygonF,
    QShowEvent,
    QTransform,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.plots.base.axes import Ticks, UnitAxis
from app.plots.base.end_labels import EndLabel, Labels
from app.plots.base.figure import Cell, Cells, Data, Figure
from app.plots.base.painting import (
    colour_of,
    draw_marker,
    filled,
    in_pixels,
    marker_of,
    take_ground,
)
from app.plots.base.plot_surface import Sheet
from app.style.theme import LIGHT, Theme
from core import CurvesFigure, FigureCurve

_PALE, _HATCHED = 26, 90
"""Of 255: how strong the tint over intervals is, and that of its hatching."""
_BESIDE = 10.0
"""Pixels between the marks of two curves that failed at the same place."""
_GAP = 14
"""Pixels between the texts of two places."""
_LOW = 320
"""Pixels below which a plot is low."""
BORDER = 4
"""The place of the colour of what stores give at most."""
_BESIDE_ENDS = 20
"""Pixels beside the first and the last place."""


class CurvesDrawing(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """Draws the curves of a figure in pixels; those that were published hollow and dashed."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._view = QRectF()
        self._figure = CurvesFigure()
        self._hidden: frozenset[str] = frozenset()
        self.hatched = False
        """Whether it was measured beside other programs, and so is provisional."""

    def put(self, figure: CurvesFigure, hidden: frozenset[str], theme: Theme, view: QRectF) -> None:
        """Draw a figure without the curves of these names, over this part of the plot."""
        self.prepareGeometryChange()
        self._figure, self._hidden, self._theme, self._view = figure, hidden, theme, view
        self.update()

    @override
    def boundingRect(self) -> QRectF:
        return self._view

    @override
    def paint(self, p: QPainter, opt: object, widget: object) -> None:
        with in_pixels(p) as to:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.draw(p, to)

    def draw(self, p: QPainter, to: QTransform) -> None:
        """Draw all; `to` takes values to pixels."""
        visible = self._figure.visible(self._hidden)
        if (border := self._figure.border) is not None:
            self._paint_border(p, to, border)
        for rank, curve in visible:
            self._paint_published(p, to, rank, curve)
            self._paint_quiet(p, to, rank, curve)
        for rank, curve in visible:
            self._paint_curve(p, to, rank, curve)

    def _colour(self, rank: int) -> str:
        return colour_of(self._theme, rank)

    def _line(self, p: QPainter, points: list[QPointF], pen: QPen) -> None:
        p.setPen(pen)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawPolyline(QPolygonF(points))

    def _marker(self, p: QPainter, point: QPointF, rank: int, *, hollow: bool = False) -> None:
        colours = (self._colour(rank), self._theme.background)
        draw_marker(p, point, marker_of(rank), colours, hollow=hollow)

    def _failure(self, p: QPainter, edge: QPointF, rank: int) -> None:
        """A red cross at the end of the axis where nothing is done.

        Those of several curves stand beside each other.
        """
        place = edge + QPointF(_BESIDE * (rank - (len(self._figure.drawn) - 1) / 2), 0)
        draw_marker(p, place, "cross", (self._theme.roles["bad"], self._theme.background))

    def _paint_border(self, p: QPainter, to: QTransform, border: FigureCurve) -> None:
        """The curve of the leanest client; of rates, what lies above it is more than can be."""
        points = self._on(to, border.line)
        if self._figure.unit == "rate" and len(points) > 1:
            top = to.mapRect(self._view).top()
            ends = (QPointF(points[-1].x(), top), QPointF(points[0].x(), top))
            p.setPen(Qt.PenStyle.NoPen)
            for role, hatched in (("inset", False), ("edge", True)):
                p.setBrush(filled(QColor(self._theme.roles[role]), hatched=hatched))
                p.drawPolygon(QPolygonF([*points, *ends]))
        self._line(p, points, QPen(QColor(self._colour(BORDER)), 2, Qt.PenStyle.DashLine))

    def _paint_published(self, p: QPainter, to: QTransform, rank: int, curve: FigureCurve) -> None:
        colour = QColor(self._colour(rank))
        if curve.charted:
            self._line(p, self._on(to, curve.charted), QPen(colour, 1.2, Qt.PenStyle.DotLine))
        points = self._on(to, curve.published)
        self._line(p, points, QPen(colour, 1.2, Qt.PenStyle.DashLine))
        for point in points:
            self._marker(p, point, rank, hollow=True)

    def _paint_quiet(self, p: QPainter, to: QTransform, rank: int, curve: FigureCurve) -> None:
        """Dotted and hollow, as it is computed, in a colour that no curve has."""
        rank += len(self._figure.drawn)
        points = self._on(to, curve.quiet)
        self._line(p, points, QPen(QColor(self._colour(rank)), 2, Qt.PenStyle.DotLine))
        for point in points:
            self._marker(p, point, rank, hollow=True)

    def _paint_curve(self, p: QPainter, to: QTransform, rank: int, curve: FigureCurve) -> None:
        colour = QColor(self._colour(rank))
        self._paint_band(p, to, curve, colour)
        points = self._on(to, [(one.at, one.value) for one in curve.points if not one.failed])
        self._line(p, points, QPen(colour, 2.5))
        for point in points:
            self._marker(p, point, rank)
        for one in curve.points:
            if one.failed:
                self._failure(p, self._edge(to, one.at), rank)

    def _edge(self, to: QTransform, at: float) -> QPointF:
        """The end of the axis of values at which nothing is done: that of the largest times."""
        area = to.mapRect(self._view)
        up = area.top() + 6 if self._figure.metric.better == "less" else area.bottom() - 6
        return QPointF(self._x(to, at), up)

    def _paint_band(self, p: QPainter, to: QTransform, curve: FigureCurve, colour: QColor) -> None:
        """Tint what lies within the intervals."""
        pale = QColor(colour)
        pale.setAlpha(_HATCHED if self.hatched else _PALE)
        p.setBrush(filled(pale, hatched=self.hatched))
        for band in curve.bands(cut=self._figure.logarithmic):
            high = [(at, high) for at, _, high in band]
            low = [(at, low) for at, low, _ in reversed(band)]
            p.setPen(QPen(pale, 3) if len(band) == 1 else Qt.PenStyle.NoPen)
            p.drawPolygon(QPolygonF(self._on(to, [*high, *low])))

    def _x(self, to: QTransform, at: float) -> float:
        """Where a place is, in pixels from the left."""
        return to.map(QPointF(self._figure.position(at), 0.0)).x()

    def _on(self, to: QTransform, values: Iterable[tuple[float, float]]) -> list[QPointF]:
        """Where values at places are, in pixels."""
        figure = self._figure
        up = math.log10 if figure.logarithmic else float
        return [to.map(QPointF(figure.position(at), up(value))) for at, value in values]


class CountsPlot(QWidget):
    """A figure over counts. Hover, or use the arrow keys, for the values at one of them."""

    menu_wanted = Signal(object, QPoint)
    """A menu for this plot (Figure); where on the screen."""
    _MARGINS = (0, 0)
    """Pixels below the first tick and above the last."""
    _WIDEST = "1,000 MiB"
    """A text at the axis of values that has room from the start."""
    _ROOM = _LOW_ROOM = (24, 0)
    """Pixels above the plot and below its axis for what is written there, and in a low plot."""

    def __init__(self, drawing: CurvesDrawing, parent: QWidget | None = None) -> None:
        """`drawing` draws the curves, below the crosshair."""
        super().__init__(parent)
        self._theme = LIGHT
        self._figure = CurvesFigure()
        self._at: float | None = None
        self._values = UnitAxis("left", lambda value, _step: self._value_text(value), self._WIDEST)
        self._across = UnitAxis("bottom", self._near)
        self.sheet = Sheet(self._values, self._across)
        self._drawing = drawing
        drawing.setZValue(-1)
        self.sheet.addItem(drawing, ignoreBounds=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.sheet)
        self._hidden: frozenset[str] = frozenset()
        """Names of the curves that the user has hidden."""
        self.sheet.named.connect(self._toggle)
        self.sheet.hovered.connect(self._point)
        self.sheet.exited.connect(self._unpoint)
        self.sheet.resized.connect(self._draw)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAutoFillBackground(True)
        self.set_theme(LIGHT)

    # What each plot defines.

    def _value_text(self, value: float) -> str:
        """A value as it stands on its axis, where that is linear, or its base-10 logarithm."""
        raise NotImplementedError

    def _scale(self, height: float) -> Ticks:
        """The axis of values on so many pixels."""
        raise NotImplementedError

    def _heading(self) -> str:
        """What the axis of values shows, and what is known of the chosen place."""
        raise NotImplementedError

    def _note(self, curve: FigureCurve, at: float) -> str:
        """The value of a curve at the chosen place."""
        raise NotImplementedError

    def _columns(self) -> list[tuple[str, str]]:
        """Titles of the columns of the table, as they are shown and plain."""
        raise NotImplementedError

    def _row(self, curve: FigureCurve, at: float) -> list[Cell]:
        """The row of the table for a curve at a place."""
        raise NotImplementedError

    @property
    def _title(self) -> str:
        raise NotImplementedError

    def summary(self) -> str:
        """What is shown, in words."""
        raise NotImplementedError

    # What all of them share.

    def _data(self) -> Data:
        titles, plain_titles = zip(*self._columns(), strict=True)
        places = [(curve, at) for curve in self._figure.curves for at in sorted(curve.places)]
        return Cells(titles, plain_titles, [self._row(curve, at) for curve, at in places])

    def table(self) -> tuple[tuple[str, ...], ...]:
        """The same data as rows of texts, titles first."""
        data = self._data()
        return (tuple(data.titles), *(tuple(data.row(place)) for place in range(len(data))))

    def figure(self) -> Figure:
        return Figure(title=self._title, widget=self, summary=self.summary, data=self._data)

    def _labels(self) -> Labels:
        """What is written on the curves."""
        several = len(self._figure.drawn) > 1
        ends = (
            EndLabel(
                name=curve.name,
                at=self._end_of(curve, rank),
                rank=rank,
                note=self._note(curve, self._at) if self._at is not None else "",
                key=curve.name if several else "",
                hidden=curve.name in self._hidden,
            )
            for rank, curve in enumerate(self._figure.drawn)
        )
        return Labels(heading=self._heading(), ends=tuple(one for one in ends if one.name))

    def _end_of(self, curve: FigureCurve, rank: int) -> float:
        """The value at which a curve ends, on the axis."""
        good = [(one.at, one.value) for one in curve.points if not one.failed]
        _, value = max((*good, *curve.published), default=(0.0, 0.0))
        return math.log10(value) if self._figure.logarithmic and value > 0 else value

    def labels(self) -> dict[str, str]:
        """The labels at the curves' ends with their notes."""
        return {one.name: one.note for one in self.sheet.labels.shown.ends}

    def _draw(self) -> None:
        """Bring axes and curves up to date."""
        view, figure = self.sheet.plotItem.vb, self._figure
        room = self._ROOM if self.height() >= _LOW else self._LOW_ROOM
        self.sheet.put_labels(self._labels(), *room)
        places = figure.places
        up = self._scale(view.height())
        first, last = (figure.position(places[end]) for end in (0, -1)) if places else (0.0, 1.0)
        if first == last:
            first, last = first - 0.5, last + 0.5
        per_pixel = (last - first) / max(view.width() - 2 * _BESIDE_ENDS, 1)
        start, end = first - _BESIDE_ENDS * per_pixel, last + _BESIDE_ENDS * per_pixel
        low, high = self.sheet.with_margins(up, *self._MARGINS)
        view.setRange(xRange=(start, end), yRange=(low, high), padding=0)
        view.updateMatrix()
        self._values.put(up.ticks, up.step)
        self._across.put(self._apart(places, per_pixel), 1.0)
        area = QRectF(QPointF(start, low), QPointF(end, high))
        self._drawing.put(figure, self._hidden, self._theme, area)

    def _apart(self, places: Sequence[float], per_pixel: float) -> tuple[float, ...]:
        """Where places are whose texts have room, powers of two or of ten before others."""
        width = QFontMetrics(self.font()).horizontalAdvance
        texts: list[tuple[float, float]] = []
        figure = self._figure
        for place in sorted(places, key=lambda one: (not figure.position(one).is_integer(), one)):
            at = figure.position(place)
            half = (width(figure.place_text(place)) + _GAP) / 2 * per_pixel
            if all(abs(at - other) >= half + room for other, room in texts):
                texts.append((at, half))
        return tuple(sorted(at for at, _ in texts))

    def _show_values(self) -> None:
        """Bring the values at the chosen place up to date."""
        self.sheet.labels.put(self._labels())

    def _toggle(self, curve: str) -> None:
        self._hidden ^= {curve}
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        take_ground(self, theme)
        self.sheet.paint_with(theme, self.font())
        self._draw()

    def _nearest(self, position: float) -> float | None:
        """The place that is nearest to a point of the axis; None if there is none."""
        figure = self._figure
        return min(
            figure.places, key=lambda place: abs(figure.position(place) - position), default=None
        )

    def _near(self, position: float, _step: float) -> str:
        """The text of the place there."""
        place = self._nearest(position)
        return "" if place is None else self._figure.place_text(place)

    def _point(self, position: float) -> None:
        place = self._nearest(position)
        if place is None:
            return
        self._at = place
        self.sheet.put_crosshair(self._figure.position(place))
        self._show_values()

    def _unpoint(self) -> None:
        self._at = None
        self.sheet.put_crosshair(None)
        self._show_values()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        places = self._figure.places
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right as key if places:
                step = -1 if key == Qt.Key.Key_Left else 1
                at = places.index(self._at) + step if self._at in places else 0
                self._point(self._figure.position(places[min(max(at, 0), len(places) - 1)]))
            case Qt.Key.Key_Escape if self._at is not None:
                self._unpoint()
            case _:
                super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(self.figure(), event.globalPos())
        event.accept()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self.setAccessibleDescription(self.summary())
        self.sheet.mark_focus(event)
        super().focusInEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.sheet.mark_focus(event)
        super().focusOutEvent(event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()
