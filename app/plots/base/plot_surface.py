"""The surface of a plot: it turns mouse positions into places on an axis."""

from __future__ import annotations

from typing import override

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsView, QSizePolicy

from app.plots.base.axes import Ticks, UnitAxis
from app.plots.base.end_labels import CurveLabels, Labels
from app.style.theme import Theme

_DRAG = 4
"""Pixels that the mouse must move for a press to become a drag."""


class Sheet(pg.PlotWidget):  # type: ignore[misc] # pyqtgraph has no types
    """The drawing surface; turns the mouse into times and decides nothing."""

    hovered = Signal(float)
    exited = Signal()
    dragged = Signal(float, float)
    dropped = Signal()
    clicked = Signal()
    panned = Signal(float)
    zoomed = Signal(float, float)
    double_clicked = Signal()
    named = Signal(str)
    """The key of a label that was clicked."""
    resized = Signal()

    def __init__(self, values: UnitAxis, across: UnitAxis) -> None:
        """`values`, `across`: the axis at the left and the one below."""
        axes = {"left": values, "bottom": across}
        super().__init__(axisItems=axes, enableMenu=False, useOpenGL=False)
        self._axes = (values, across)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._crosshair = pg.InfiniteLine(angle=90, movable=False)
        self._crosshair.setZValue(10)
        self._crosshair.hide()
        self.addItem(self._crosshair, ignoreBounds=True)
        # Most of a plot changes, and finding the rest would cost more than drawing it.
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        for axis in self._axes:
            axis.setZValue(-1000)  # or the grid would lie above the curves
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.labels = CurveLabels(self.plotItem)
        self._margins = (0, 0, 0, 0)
        self.keep_room(10)
        view = self.plotItem.vb
        view.setDefaultPadding(0)
        view.disableAutoRange()
        # Left to the painting, it would have all painted once more.
        view.sigResized.connect(view.updateMatrix)
        view.sigResized.connect(self.resized)  # also where an axis took more room
        self._button = Qt.MouseButton.NoButton
        """The one that is pressed; Shift makes any of them the middle one."""
        self._start, self._moved = 0.0, False
        self._focused = False

    def paint_with(self, theme: Theme, font: QFont) -> None:
        self.setBackground(theme.background)
        self._crosshair.setPen(pg.mkPen(theme.muted, width=1))
        for axis in self._axes:
            axis.paint_with(theme, font)
        self.labels.paint_with(theme, font)

    def keep_room(self, right: int, above: int = 2, below: int = 0) -> None:
        """Leave so many pixels beside the axes to what is written there."""
        if self._margins != (margins := (0, above, right, below)):
            self._margins = margins
            self.plotItem.setContentsMargins(*margins)
            self.plotItem.layout.activate()

    def put_labels(self, labels: Labels, above: int = 2, below: int = 0) -> None:
        """Write these at the curves, and leave room for the longest."""
        self.keep_room(self.labels.room_for(labels, self.width()), above, below)
        self.labels.put(labels)

    def put_crosshair(self, place: float | None) -> None:
        self._crosshair.setVisible(place is not None)
        if place is not None:
            self._crosshair.setPos(place)

    def with_margins(self, scale: Ticks, below: int, above: int) -> tuple[float, float]:
        """The lowest and the highest value in sight, so many pixels beyond the ends of a scale."""
        height = self.plotItem.vb.height()
        pixel = (scale.high - scale.low) / max(height - below - above, 1)
        return scale.low - below * pixel, scale.high + above * pixel

    def time_at(self, place: QPointF) -> float:
        """The time under a place of the widget."""
        return float(self.plotItem.vb.mapSceneToView(self.mapToScene(place.toPoint())).x())

    def x_of(self, time: float) -> float:
        """Where a time is, in pixels of the widget."""
        return float(self.mapFromScene(self.plotItem.vb.mapViewToScene(QPointF(time, 0))).x())

    def mark_focus(self, event: QFocusEvent) -> None:
        """Have a frame while the owner of the plot has the focus of the keys."""
        by_mouse = event.reason() == Qt.FocusReason.MouseFocusReason
        self._focused = event.gotFocus() and not by_mouse
        self.viewport().update()

    @override
    def paintEvent(self, ev: QPaintEvent) -> None:
        super().paintEvent(ev)
        if self._focused:
            with QPainter(self.viewport()) as p:
                p.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 2))
                p.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    @override
    def mousePressEvent(self, ev: QMouseEvent) -> None:
        if key := self.labels.key_at(self.mapToScene(ev.position().toPoint())):
            self.named.emit(key)
            return
        shifted = ev.modifiers() & Qt.KeyboardModifier.ShiftModifier
        self._button = Qt.MouseButton.MiddleButton if shifted else ev.button()
        self._start, self._moved = self.time_at(ev.position()), False
        ev.accept()

    @override
    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        time = self.time_at(ev.position())
        if self._button != Qt.MouseButton.NoButton:
            self._moved |= abs(self.x_of(self._start) - ev.position().x()) >= _DRAG
            if self._moved and self._button == Qt.MouseButton.LeftButton:
                self.dragged.emit(*sorted((self._start, time)))
            elif self._moved and self._button == Qt.MouseButton.MiddleButton:
                self.panned.emit(self._start - time)
        self.hovered.emit(time)
        ev.accept()

    @override
    def mouseReleaseEvent(self, ev: QMouseEvent) -> None:
        button, self._button = self._button, Qt.MouseButton.NoButton
        if button == Qt.MouseButton.LeftButton:
            (self.dropped if self._moved else self.clicked).emit()
        ev.accept()

    @override
    def mouseDoubleClickEvent(self, ev: QMouseEvent) -> None:
        self._button = Qt.MouseButton.NoButton
        self.double_clicked.emit()
        ev.accept()

    @override
    def wheelEvent(self, ev: QWheelEvent) -> None:
        turned = ev.angleDelta().y() or ev.angleDelta().x()
        self.zoomed.emit(self.time_at(ev.position()), 0.8 ** (turned / 120))
        ev.accept()

    @override
    def contextMenuEvent(self, ev: QContextMenuEvent) -> None:
        ev.ignore()  # the owner of the plots knows the actions

    @override
    def leaveEvent(self, ev: object) -> None:
        self.exited.emit()

    @override
    def resizeEvent(self, ev: QResizeEvent | None) -> None:
        super().resizeEvent(ev)
        if ev is not None:
            self.resized.emit()
