"""The surface of a plot: it turns mouse positions into places on an axis."""

from __future__ import annotations

from typing import override

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QGraphicsView

from app.plots.base.axes import UnitAxis

_DRAG = 4
"""Pixels that the mouse must move for a press to become a drag."""


class Sheet(pg.PlotWidget):  # type: ignore[misc] # pyqtgraph has no types
    """The drawing surface; turns the mouse into times and decides nothing."""

    hovered = Signal(float)
    left = Signal()
    dragged = Signal(float, float)
    dropped = Signal()
    clicked = Signal()
    panned = Signal(float)
    zoomed = Signal(float, float)
    double_clicked = Signal()
    resized = Signal()

    def __init__(self, axes: dict[str, UnitAxis]) -> None:
        super().__init__(axisItems=axes, enableMenu=False, useOpenGL=False)
        # Most of a plot changes, and finding the rest would cost more than drawing it.
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        for axis in axes.values():
            axis.setZValue(-1000)  # or the grid would lie above the curves
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.plotItem.setContentsMargins(0, 2, 10, 0)
        view = self.plotItem.vb
        view.setDefaultPadding(0)
        view.disableAutoRange()
        # Left to the painting, it would have all painted once more.
        view.sigResized.connect(view.updateMatrix)
        view.sigResized.connect(self.resized)  # also where an axis took more room
        self._pressed: tuple[Qt.MouseButton, float] | None = None
        self._moved = False

    def time_at(self, place: QPointF) -> float:
        """The time under a place of the widget."""
        return float(self.plotItem.vb.mapSceneToView(self.mapToScene(place.toPoint())).x())

    def x_of(self, time: float) -> float:
        """Where a time is, in pixels of the widget."""
        return float(self.mapFromScene(self.plotItem.vb.mapViewToScene(QPointF(time, 0))).x())

    @override
    def mousePressEvent(self, ev: QMouseEvent) -> None:
        pan = ev.button() == Qt.MouseButton.MiddleButton or (
            ev.modifiers() & Qt.KeyboardModifier.ShiftModifier
        )
        button = Qt.MouseButton.MiddleButton if pan else ev.button()
        self._pressed, self._moved = (button, self.time_at(ev.position())), False
        ev.accept()

    @override
    def mouseMoveEvent(self, ev: QMouseEvent) -> None:
        time = self.time_at(ev.position())
        if self._pressed is not None:
            button, start = self._pressed
            self._moved |= abs(self.x_of(start) - ev.position().x()) >= _DRAG
            if self._moved and button == Qt.MouseButton.LeftButton:
                self.dragged.emit(*sorted((start, time)))
            elif self._moved and button == Qt.MouseButton.MiddleButton:
                self.panned.emit(start - time)
        self.hovered.emit(time)
        ev.accept()

    @override
    def mouseReleaseEvent(self, ev: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is not None and pressed[0] == Qt.MouseButton.LeftButton:
            (self.dropped if self._moved else self.clicked).emit()
        ev.accept()

    @override
    def mouseDoubleClickEvent(self, ev: QMouseEvent) -> None:
        self._pressed = None
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
        self.left.emit()

    @override
    def resizeEvent(self, ev: QResizeEvent | None) -> None:
        super().resizeEvent(ev)
        if ev is not None:
            self.resized.emit()
