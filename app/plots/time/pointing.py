"""Where the user points on the time axis: a crosshair, and the piece that is selected."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal

from app.plots.base.sheet import Sheet
from app.plots.time.span import Span
from app.plots.time.visible_time import VisibleTime


class Pointing(QObject):
    """One crosshair and one selection for all plots, moved by mouse and keys."""

    selected = Signal(float, float)
    """The user has selected a piece of the time axis, in seconds."""
    unselected = Signal()
    moved = Signal()
    """The crosshair or the selection is elsewhere, or is no longer being dragged."""
    marked = Signal()
    """Another piece is selected, or none."""

    def __init__(self, time: VisibleTime, parent: QObject) -> None:
        super().__init__(parent)
        self._time = time
        self.crosshair: float | None = None
        self.selection: Span | None = None
        self.dragging = False
        self._anchor = 0.0

    def listen_to(self, sheet: Sheet) -> None:
        """Follow the mouse over a plot."""
        sheet.hovered.connect(self.point)
        sheet.left.connect(self.unpoint)
        sheet.dragged.connect(self._drag)
        sheet.dropped.connect(self._announce)
        sheet.clicked.connect(self.unselect)

    def begin(self, time: VisibleTime) -> None:
        """Point at nothing, on another time axis."""
        self.crosshair = None
        self.unselect()
        self._time = time

    @property
    def anywhere(self) -> bool:
        """Whether there is a crosshair or a selection."""
        return self.selection is not None or self.crosshair is not None

    @property
    def at(self) -> float:
        """The crosshair's time, or without one the last sample's."""
        return self.crosshair if self.crosshair is not None else self._time.last

    def point(self, time: float) -> None:
        """Put the crosshair at a time, or as near to it as the axis allows."""
        self.crosshair = self._time.within(time)
        self.moved.emit()

    def unpoint(self) -> None:
        """Have no crosshair."""
        self.crosshair = None
        self.moved.emit()

    def step(self, seconds: float, modifiers: Qt.KeyboardModifier) -> None:
        """Move the crosshair; with Shift select what it passes."""
        before = self.at
        self.point(before + seconds)
        if not modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._anchor = self.crosshair or 0.0
            return
        if self.selection is None:
            self._anchor = before
        self.select(*sorted((self._anchor, self.crosshair or 0.0)))

    def select(self, start: float, end: float) -> None:
        """Select a piece of the time axis and say so."""
        self._mark(start, end)
        self._announce()

    def unselect(self) -> None:
        """Select nothing."""
        if self.selection is not None:
            self.selection = None
            self.marked.emit()
            self.unselected.emit()

    def _drag(self, start: float, end: float) -> None:
        self.dragging = True
        self._mark(start, end)

    def _mark(self, start: float, end: float) -> None:
        whole = self._time.whole
        self.selection = Span(max(start, whole.start), min(end, whole.end))
        self.marked.emit()

    def _announce(self) -> None:
        self.dragging = False
        self.moved.emit()
        if self.selection is not None:
            self.selected.emit(*self.selection)
