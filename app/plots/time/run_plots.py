"""A run as it goes on: five plots over one time axis.

Trials follow each other on that axis. Moments are kept as they come and shown at most ten times a
second, by one timer that runs only while there is something new to draw and the plots are visible.
`redraw_turns` decides when curves are drawn: all at once when the view changes, and rarely on a
long axis, where a tenth of a second shows nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import override

from PySide6.QtCore import QElapsedTimer, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QShowEvent,
)
from PySide6.QtWidgets import QGridLayout, QWidget

from app.plots.base.figure import Figure
from app.plots.base.quantity import SameData
from app.plots.base.readout import Entry, Readout
from app.plots.base.scales import growing_end
from app.plots.time.intake import Intake
from app.plots.time.live_quantities import QUANTITIES, cpu_columns
from app.plots.time.redraw_turns import Turns
from app.plots.time.time_plot import Panel, Source, Span
from app.style.theme import LIGHT, Theme
from core import Moment, Trial, show_clock, show_seconds

PERIOD = 100
"""Shortest time between two drawings, in milliseconds."""
_CLOSEST = 0.5
"""Shortest piece of time that fills the plots, in seconds."""
_STEP = 0.1


class RunPlots(QWidget):
    """The plots of a run, live or recorded.

    Wheel: zoom. Drag: select. Click: select nothing. Shift-drag or middle button: move. Double
    click: all. Keys: arrows move the crosshair, with Shift select, with Ctrl move the view; + and -
    zoom; Home all; Esc none.
    """

    selected = Signal(float, float)
    """Seconds on the time axis; `trials_between` gives the trials there."""
    unselected = Signal()
    menu_wanted = Signal(object, QPoint)
    """For one plot (Figure), or None for all; where on the screen."""

    def __init__(self, parent: QWidget | None = None, *, period: int = PERIOD) -> None:
        super().__init__(parent)
        self._period = period
        self._intake = Intake()
        self.panels = tuple(
            Panel(each, source, clock=at in {0, 3, 4})
            for at, (each, source) in enumerate(zip(QUANTITIES, self._sources, strict=True))
        )
        self._turns = Turns(self.panels, period / 1000)
        self._caption = Readout("")
        self._theme = LIGHT
        self._recorded: float | None = None
        self._view: Span | None = None
        self._crosshair: float | None = None
        self._selection: Span | None = None
        self._dragging = False
        self._highlighted_view: Span | None = None
        self._anchor = 0.0
        self._since_drawn = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.turn)
        self._lay_out()
        self._connect()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAutoFillBackground(True)
        self.setAccessibleName(self.tr("Live plots"))
        self.set_theme(LIGHT)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 4, 4, 6)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.addWidget(self._caption, 0, 0, 1, 2)
        grid.addWidget(self.panels[0], 1, 0, 1, 2)
        for place, panel in enumerate(self.panels[1:]):
            grid.addWidget(panel, 2 + place // 2, place % 2)
        for row in (1, 2, 3):
            grid.setRowStretch(row, 1)
        for column in (0, 1):
            grid.setColumnStretch(column, 1)

    def _connect(self) -> None:
        for panel in self.panels:
            sheet = panel.sheet
            sheet.hovered.connect(self._point)
            sheet.left.connect(self._unpoint)
            sheet.dragged.connect(self._drag)
            sheet.dropped.connect(self._announce)
            sheet.clicked.connect(self.unselect)
            sheet.panned.connect(self.pan)
            sheet.zoomed.connect(self.zoom)
            sheet.double_clicked.connect(self.show_all)
            sheet.resized.connect(self._renew)

    # What is shown

    def clear(self) -> None:
        """Forget everything."""
        self._timer.stop()
        self._recorded, self._view, self._crosshair = None, None, None
        self.unselect()
        self._intake = Intake()
        for panel, source in zip(self.panels, self._sources, strict=True):
            panel.begin(source)
        self._since_drawn.invalidate()
        self._renew()

    @property
    def _sources(self) -> list[Source]:
        widths = [len(each.names) for each in QUANTITIES]
        places = (sum(widths[:place]) for place in range(len(widths)))
        return [Source(self._intake.samples, first, self._intake.boundaries) for first in places]

    def begin_trial(self, index: int, label: str) -> None:
        """Begin a trial: what is added from now on belongs to it."""
        self._intake.begin(index, label)
        self._renew()

    def add(self, index: int, moment: Moment) -> None:
        """Add a moment of the trial of that index; begins the trial if necessary."""
        timeline = self._intake.timeline
        if not len(timeline) or timeline.newest.index != index:
            self.begin_trial(index, self.tr("Trial {}").format(index + 1))
        self._intake.add(moment)
        self._wake()

    def show_trials(self, trials: Sequence[tuple[Trial, str]]) -> None:
        """Show recorded trials and their labels instead, one after the other.

        Long ones are taken in little by little.
        """
        self.clear()
        self._recorded = self._intake.record(trials)
        self._wake()

    @property
    def empty(self) -> bool:
        """Whether no trial is shown."""
        return not len(self._intake.timeline)

    def holds(self, trials: Collection[int]) -> bool:
        """Whether the trials of these indexes are shown."""
        return self._intake.timeline.holds(trials)

    def highlight(self, trials: Collection[int], *, look: bool) -> None:
        """Mark the trials of these indexes, and with `look` scroll to them."""
        spans = self._intake.timeline.spans(trials, self._intake.last)
        for panel in self.panels:
            panel.highlight(spans)
        if look and spans:
            margin = 0.02 * (spans[-1].end - spans[0].start)
            self.look_at(spans[0].start - margin, spans[-1].end + margin)
            self._highlighted_view = self._view
        elif look and self._view is not None and self._view == self._highlighted_view:
            self.show_all()

    def set_open_files_limit(self, limit: int | None) -> None:
        """The most files that the measured process can open."""
        self.panels[2].set_limit(limit)
        self._renew()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.background))
        self.setPalette(palette)
        self._caption.set_theme(theme)
        for panel in self.panels:
            panel.set_theme(theme)
        self._renew()

    def summary(self) -> str:
        """What the plots show, of the selection if there is one, a line for each plot."""
        self._take_in()
        return "\n".join(panel.summary(self._selection) for panel in self.panels)

    def tables(self) -> dict[str, SameData]:
        """The same data as tables, by the titles of the plots."""
        self._take_in()
        return {panel.quantity.title: panel.table() for panel in self.panels}

    def figures(self) -> tuple[Figure, ...]:
        """The plots one by one, of the selection if there is one."""
        if self.busy:
            self.redraw()
        return tuple(panel.figure(self._selection) for panel in self.panels)

    def trials_between(self, start: float, end: float) -> tuple[int, ...]:
        """Indexes of the trials that have any part between two times."""
        return self._intake.timeline.between(Span(start, end), self._intake.last)

    # Taking in and drawing

    def _wake(self) -> None:
        """Draw what is new soon."""
        if self.isVisible() and not self._timer.isActive():
            waited = self._since_drawn.elapsed() if self._since_drawn.isValid() else self._period
            self._timer.start(max(self._period - waited, 0))

    def _renew(self) -> None:
        """Draw everything soon."""
        self._turns.all()
        self._wake()

    def turn(self) -> None:
        """Take in, show and draw what is due: the timer's turn, ten times a second at most."""
        self._timer.stop()
        loading = self._intake.pending
        if loading:
            self._intake.take_slice()
            if not self._intake.pending:
                self._turns.all()
            if self.isVisible():  # else it goes on when it is shown
                self._timer.start(0)
            if self._since_drawn.isValid() and self._since_drawn.elapsed() < self._period:
                return
        self._take_in()
        whole = self._turns.draw(self._span, len(self._intake.samples))
        self._tell()
        self._since_drawn.start()
        if not whole:
            self._wake()

    def _take_in(self) -> None:
        self._intake.take_in()
        self.panels[4].show_columns(cpu_columns(self._intake.workers))

    @property
    def busy(self) -> bool:
        """Whether something is waiting to be drawn."""
        return self._timer.isActive()

    def redraw(self) -> None:
        """Draw all that is known now, not at the timer's next turn."""
        self._turns.all()
        self.turn()

    def show_now(self) -> None:
        """Draw everything, and bring it to the screen before returning."""
        self.redraw()
        for panel in self.panels:
            panel.sheet.viewport().repaint()

    def _tell(self) -> None:
        at = self._crosshair
        # While it is being dragged the medians would be late for the mouse.
        span = self._selection if at is None and not self._dragging else None
        for panel in self.panels:
            panel.tell(at, span)
        entries = []
        if (chosen := self._selection) is not None:
            reach = f"{show_clock(chosen.start, 0.1)} – {show_clock(chosen.end, 0.1)}"
            name = self.tr("medians of {}") if span is not None else self.tr("selected {}")
            name = name.format(show_seconds(chosen.length))
            entries.append(Entry(rank=None, marker="", name=name, value=reach))
        now = at if at is not None else self._intake.last
        begun = self._intake.timeline.at(now)
        if begun is not None and span is None:
            name = self.tr("at") if at is not None else self.tr("now")
            if self._recorded is not None and at is None:
                name = self.tr("end")
            entries.append(Entry(rank=None, marker="", name=name, value=show_clock(now, 0.1)))
        self._caption.show_entries(entries)
        title = begun.label if begun else self.tr("Nothing measured yet")
        if span is not None and len(trials := self.trials_between(*span)) != 1:
            title = self.tr("{} trials").format(len(trials))
        elif span is not None:
            title = self._intake.timeline.label_of(trials[0])
        self._caption.set_title(title)

    # The visible piece of time

    @property
    def _whole(self) -> Span:
        if self._recorded is not None:
            return Span(self._intake.first, max(self._recorded, self._intake.first + _CLOSEST))
        return Span(
            self._intake.first,
            self._intake.first + growing_end(self._intake.last - self._intake.first),
        )

    @property
    def _span(self) -> Span:
        return self._view or self._whole

    def look_at(self, start: float, end: float) -> None:
        """Show a piece of the time axis, clipped to the data; all of it for an empty piece."""
        whole = self._whole
        length = max(end - start, _CLOSEST)
        if length >= whole.length:
            self._view = None
        else:
            start = min(max(start, whole.start), whole.end - length)
            self._view = Span(start, start + length)
        self._wake()

    def show_all(self) -> None:
        """Show the whole time axis, and follow it as it grows."""
        self._view = None
        self._wake()

    def zoom(self, time: float, factor: float) -> None:
        """Make the visible piece `factor` times as long; `time` stays at its place."""
        span = self._span
        self.look_at(time + (span.start - time) * factor, time + (span.end - time) * factor)

    def pan(self, seconds: float) -> None:
        """Move the visible piece."""
        span = self._span
        self.look_at(span.start + seconds, span.end + seconds)

    # Crosshair and selection

    def _point(self, time: float) -> None:
        whole = self._whole
        self._crosshair = min(max(time, whole.start), whole.end)
        self._tell()

    def _unpoint(self) -> None:
        self._crosshair = None
        self._tell()

    def select(self, start: float, end: float) -> None:
        """Select a piece of the time axis and say so."""
        self._mark(start, end)
        self._announce()

    def unselect(self) -> None:
        """Select nothing."""
        if self._selection is not None:
            self._selection = None
            self._show_selection()
            self.unselected.emit()

    def _drag(self, start: float, end: float) -> None:
        self._dragging = True
        self._mark(start, end)

    def _mark(self, start: float, end: float) -> None:
        whole = self._whole
        self._selection = Span(max(start, whole.start), min(end, whole.end))
        self._show_selection()

    def _show_selection(self) -> None:
        for panel in self.panels:
            panel.select(self._selection)
        self._tell()
        self._renew()

    def _announce(self) -> None:
        self._dragging = False
        self._tell()
        if self._selection is not None:
            self.selected.emit(*self._selection)

    # Qt

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        found = next((f for f in self.figures() if f.widget.geometry().contains(event.pos())), None)
        self.menu_wanted.emit(found if by_mouse else None, event.globalPos())
        event.accept()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        span = self._span
        at = self._crosshair if self._crosshair is not None else self._intake.last
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right as key:
                way = -1 if key == Qt.Key.Key_Left else 1
                self._arrow(way * max(_STEP, span.length / 200), event.modifiers())
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(at, 0.8)
            case Qt.Key.Key_Minus:
                self.zoom(at, 1.25)
            case Qt.Key.Key_Home:
                self.show_all()
            case Qt.Key.Key_Escape if self._selection or self._crosshair is not None:
                self.unselect()
                self._unpoint()
            case _:
                super().keyPressEvent(event)

    def _arrow(self, seconds: float, modifiers: Qt.KeyboardModifier) -> None:
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.pan(10 * seconds)
            return
        before = self._crosshair if self._crosshair is not None else self._intake.last
        self._point(before + seconds)
        if not modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._anchor = self._crosshair or 0.0
            return
        if self._selection is None:
            self._anchor = before
        self.select(*sorted((self._anchor, self._crosshair or 0.0)))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._renew()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self.setAccessibleDescription(self.summary())
        super().focusInEvent(event)
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            with QPainter(self) as painter:
                painter.setPen(QColor(self._theme.curves[0]))
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
