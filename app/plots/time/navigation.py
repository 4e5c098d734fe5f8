"""Which piece of time the plots show and where the user points: by mouse, keys and buttons."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from app.plots.base.axes import growing_end
from app.plots.base.plot_surface import Sheet
from app.plots.time.intake import Intake
from app.plots.time.timeline import Span
from app.style.labels import as_tip

_CLOSEST = 0.5
"""Shortest piece of time that fills the plots, in seconds."""
MINUTE = 60.0


class VisibleTime:
    """A piece of the axis on which an intake puts its samples."""

    def __init__(self, intake: Intake, recorded: float | None = None) -> None:
        self._intake = intake
        self.recorded = recorded
        """Where a recording ends; None for a run that goes on."""
        self.chosen: Span | None = None
        """What the user looks at; None to follow what is measured."""
        self.whole_run = False
        """Whether all is followed, or only the last minute; a recording is always seen whole."""

    @property
    def whole(self) -> Span:
        first = self._intake.first
        if self.recorded is not None:
            return Span(first, max(self.recorded, first + _CLOSEST))
        return Span(first, first + growing_end(self._intake.last - first))

    @property
    def last(self) -> float:
        return self._intake.last

    @property
    def span(self) -> Span:
        if self.chosen is not None:
            return self.chosen
        all_of_it = self.whole_run or self.recorded is not None
        if all_of_it or self.last - self._intake.first <= MINUTE:
            return self.whole
        return Span(self.last - MINUTE, self.last)

    def within(self, time: float) -> float:
        """The nearest time on the axis."""
        whole = self.whole
        return min(max(time, whole.start), whole.end)

    def look_at(self, start: float, end: float) -> None:
        """Show a piece of at least `_CLOSEST` within the axis; the whole for one as long as it."""
        whole = self.whole
        length = max(end - start, _CLOSEST)
        if length >= whole.length:
            self.chosen = None
            self.whole_run = True
        else:
            start = min(max(start, whole.start), whole.end - length)
            self.chosen = Span(start, start + length)


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
        sheet.hovered.connect(self.point)
        sheet.exited.connect(self.unpoint)
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


class ViewButtons(QWidget):
    """`Live` is enabled wherever the plots do not follow what is measured."""

    followed = Signal(bool)
    """Whether all is to be followed, or only the last minute."""
    logarithm = Signal(bool)
    """Whether values are to be on a logarithmic axis."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._whole = False
        self.back = self._button(
            self.tr("Live"), self.tr("Back to live: follow what is measured (Home)")
        )
        self.minute = self._button(self.tr("1 min"), self.tr("The last minute"), checkable=True)
        self.all = self._button(self.tr("All"), self.tr("The whole run"), checkable=True)
        self.log = self._button(
            self.tr("Log"), self.tr("Logarithmic axis: small values are seen too"), checkable=True
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in (self.back, self.minute, self.all, self.log):
            row.addWidget(button)
        self.back.clicked.connect(lambda *_: self.followed.emit(self._whole))
        self.minute.clicked.connect(lambda *_: self.followed.emit(False))
        self.all.clicked.connect(lambda *_: self.followed.emit(True))
        self.log.clicked.connect(self.logarithm)
        self.show_view(recorded=False, whole=False, chosen=False)

    def _button(self, text: str, tip: str, *, checkable: bool = False) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(as_tip(tip))
        button.setCheckable(checkable)
        button.setAutoRaise(True)
        return button

    def show_view(self, *, recorded: bool, whole: bool, chosen: bool) -> None:
        self._whole = whole or recorded
        self.back.setEnabled(chosen)
        self.minute.setEnabled(not recorded)
        self.minute.setChecked(not self._whole and not chosen)
        self.all.setChecked(self._whole and not chosen)


_STEP = 0.1
"""Seconds that an arrow moves the crosshair, at least."""


class NavigatedPlots(QWidget):
    """Shows a piece of a time axis, which the user moves and zooms by mouse and keys."""

    def __init__(self, parent: QWidget | None, intake: Intake) -> None:
        super().__init__(parent)
        self._time = VisibleTime(intake)
        self.pointing = Pointing(self._time, self)

    def _renew(self) -> None:
        """Draw everything soon."""
        raise NotImplementedError

    def _navigate_by(self, sheet: Sheet) -> None:
        self.pointing.listen_to(sheet)
        sheet.panned.connect(self.pan)
        sheet.zoomed.connect(self.zoom)
        sheet.double_clicked.connect(self.show_all)
        sheet.resized.connect(self._renew)

    @property
    def visible(self) -> Span:
        return self._time.span

    @property
    def chosen(self) -> bool:
        """Whether the user looks at a piece of time, and what is measured is not followed."""
        return self._time.chosen is not None

    def look_at(self, start: float, end: float) -> None:
        """Show a piece of the time axis, as `VisibleTime.look_at` fits it to the data."""
        self._time.look_at(start, end)
        self._renew()

    def show_all(self) -> None:
        """Follow what is measured again; a recording is shown whole."""
        self._time.chosen = None
        self._renew()

    def _follow_time(self, whole: bool) -> None:
        """Follow all that is measured, or its last minute."""
        self._time.whole_run = whole
        self.show_all()

    def zoom(self, time: float, factor: float) -> None:
        """Make the visible piece `factor` times as long; `time` stays at its place."""
        span = self._time.span
        self.look_at(time + (span.start - time) * factor, time + (span.end - time) * factor)

    def pan(self, seconds: float) -> None:
        span = self._time.span
        self.look_at(span.start + seconds, span.end + seconds)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right as key:
                way = -1 if key == Qt.Key.Key_Left else 1
                step = way * max(_STEP, self.visible.length / 200)
                if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                    self.pan(10 * step)
                else:
                    self.pointing.step(step, event.modifiers())
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(self.pointing.at, 0.8)
            case Qt.Key.Key_Minus:
                self.zoom(self.pointing.at, 1.25)
            case Qt.Key.Key_Home:
                self.show_all()
            case Qt.Key.Key_Escape if self.pointing.anywhere:
                self.pointing.unselect()
                self.pointing.unpoint()
            case Qt.Key.Key_Escape if self.chosen:
                self.show_all()
            case _:
                super().keyPressEvent(event)
