"""A run as it goes on: plots over one time axis.

Trials follow each other on that axis; those that take turns share a piece of it, and each setting
has a curve of its own in every plot. Moments are kept as they come and shown at most ten times a
second, by one timer that runs only while there is something new to draw and the plots are visible.
`redraw_turns` decides when curves are drawn: one plot after the other when the view changes, and
rarely on a long axis, where a tenth of a second shows nothing.
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
from PySide6.QtWidgets import QWidget

from app.plots.base.figure import Data, Figure
from app.plots.time.caption import Caption
from app.plots.time.emphasis import Emphasis
from app.plots.time.intake import Intake
from app.plots.time.panel_grid import PanelGrid
from app.plots.time.plot_keys import press
from app.plots.time.pointing import Pointing
from app.plots.time.redraw_turns import Turns
from app.plots.time.span import Span
from app.plots.time.time_plot import Panel
from app.plots.time.visible_time import VisibleTime
from app.style.theme import LIGHT, Theme
from core import Moment, Trial

PERIOD = 100
"""Shortest time between two drawings, in milliseconds."""


class RunPlots(QWidget):
    """The plots of a run, live or recorded.

    Wheel: zoom. Drag: select. Click: select nothing. Shift-drag or middle button: move. Double
    click: all; on a title: that plot alone. Click on a name: hide its curve. Keys: arrows move the
    crosshair, with Shift select, with Ctrl move the view; + and - zoom; Home all; Esc none; 1 to 6
    that plot alone, or all again.
    """

    menu_wanted = Signal(object, QPoint)
    """For one plot (Figure), or None for all; where on the screen."""

    def __init__(self, parent: QWidget | None = None, *, period: int = PERIOD) -> None:
        super().__init__(parent)
        self._period = period
        self._intake = Intake()
        self.caption = Caption()
        self._grid = PanelGrid(self.caption)
        self.setLayout(self._grid)
        self._tallies: tuple[str, ...] = ()
        """What the last plot shows; without any there is no such plot."""
        self._turns = Turns(self.panels, period / 1000)
        self._theme = LIGHT
        self._time = VisibleTime(self._intake)
        self.pointing = Pointing(self._time, self)
        """`trials_between` gives the trials of what is selected there."""
        self._highlighted: tuple[int, ...] = ()
        self._highlighted_view: Span | None = None
        self._emphasis = Emphasis()
        self._since_drawn = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.turn)
        self._connect()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAutoFillBackground(True)
        self.setAccessibleName(self.tr("Live plots"))
        self._begin()
        self.set_theme(LIGHT)

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The plots, from the top down."""
        return self._grid.panels

    def _connect(self) -> None:
        self.pointing.moved.connect(self._tell)
        self.pointing.marked.connect(self._show_selection)
        self.caption.legend.chosen.connect(self._toggle_setting)
        for panel in self.panels:
            self._listen_to(panel)

    def _listen_to(self, panel: Panel) -> None:
        sheet = panel.sheet
        self.pointing.listen_to(sheet)
        sheet.panned.connect(self.pan)
        sheet.zoomed.connect(self.zoom)
        sheet.double_clicked.connect(self.show_all)
        sheet.resized.connect(self._renew)
        panel.readout.title_double_clicked.connect(lambda: self.enlarge(panel))
        panel.readout.chosen.connect(lambda column: self._toggle(panel, column))

    # What is shown

    def clear(self) -> None:
        """Forget everything."""
        self._timer.stop()
        intake = Intake()
        time = VisibleTime(intake)
        self.pointing.begin(time)
        self._intake, self._time, self._emphasis = intake, time, Emphasis()
        self._show_tallies()
        self._highlighted = ()
        self._since_drawn.invalidate()
        self._begin()
        self._renew()

    def _begin(self) -> None:
        """Let every plot follow an intake that has nothing yet."""
        for panel in self.panels:
            panel.begin(self._intake.boundaries)
        self._follow()

    def begin_trial(self, index: int, label: str, setting: str = "") -> None:
        """Begin a trial of a setting, which its label tells apart unless it is given."""
        self._intake.begin(index, label, setting)
        self._renew()

    def has_begun(self, index: int) -> bool:
        """Whether the trial of that index is, or will be, among the curves."""
        return index in self._intake.labels

    def begin_round(self, trials: Sequence[int]) -> None:
        """The trials of these indexes take turns."""
        self._intake.round(trials)

    def add(self, index: int, moment: Moment) -> None:
        """Add a moment of the trial of that index; begins the trial if necessary."""
        if not self.has_begun(index):
            self.begin_trial(index, self.tr("Trial {}").format(index + 1))
        self._intake.add(index, moment)
        self._wake()

    def end_trial(self, trial: Trial) -> None:
        """A trial is over."""
        self._intake.end(trial)
        self._wake()

    def decide(self, settings: Collection[str]) -> None:
        """These settings, and no others, are not measured any more."""
        self._emphasis.decided = frozenset(settings)
        self._renew()

    def point_out(self, setting: str) -> None:
        """Draw this setting in full colour beside the others, or with '' no other one."""
        if setting != self._emphasis.hovered:
            self._emphasis.hovered = setting
            self._renew()

    def _toggle(self, panel: Panel, column: str) -> None:
        panel.toggle(column)
        self._renew()

    def _toggle_setting(self, setting: str) -> None:
        self._emphasis.toggle(setting)
        self._renew()

    def enlarge(self, panel: Panel | None) -> None:
        """Show one plot alone, and where it is alone or None, all again."""
        self._grid.enlarge(None if panel is self._grid.enlarged else panel)
        self._renew()

    @property
    def enlarged(self) -> Panel | None:
        """The plot that is seen alone."""
        return self._grid.enlarged

    def show_trials(self, trials: Sequence[tuple[Trial, str]]) -> None:
        """Show recorded trials and their labels instead, as they were measured.

        Long ones are taken in little by little.
        """
        self.clear()
        self._time.recorded = self._intake.record(trials)
        self._wake()

    def go_on_from(self, trials: Sequence[tuple[Trial, str]]) -> None:
        """Show recorded trials and their labels; those that begin from now on follow them."""
        self.clear()
        self._intake.record(trials)
        while self._intake.pending:
            self._intake.take_slice()
        self._renew()

    @property
    def empty(self) -> bool:
        """Whether no trial is shown, or about to be."""
        return not self._intake.labels

    def holds(self, trials: Collection[int]) -> bool:
        """Whether the trials of these indexes are shown."""
        return self._intake.timeline.holds(trials)

    def highlight(self, trials: Collection[int], *, look: bool) -> None:
        """Mark the trials of these indexes and their settings; with `look` scroll to them."""
        self._highlighted = tuple(trials)
        self._emphasis.picked = self._intake.settings_of(self._highlighted)
        spans = self._mark_trials()
        self._renew()
        if look and spans:
            margin = 0.02 * (spans[-1].end - spans[0].start)
            self.look_at(spans[0].start - margin, spans[-1].end + margin)
            self._highlighted_view = self._time.chosen
        elif look and self._time.chosen and self._time.chosen == self._highlighted_view:
            self.show_all()

    def _mark_trials(self) -> list[Span]:
        timeline = self._intake.timeline
        spans = timeline.spans(self._highlighted, self._intake.last)
        # Colours tell settings apart, so marks over the whole axis would say nothing.
        everywhere = self._intake.several and timeline.covered_by(self._highlighted)
        for panel in self.panels:
            panel.highlight(() if everywhere else spans)
        return spans

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.background))
        self.setPalette(palette)
        self.caption.set_theme(theme)
        for panel in self.panels:
            panel.set_theme(theme)
        self._renew()

    def summary(self) -> str:
        """What the plots show, of the selection if there is one, a line for each plot."""
        self._take_in()
        return "\n".join(panel.summary(self.pointing.selection) for panel in self.panels)

    def tables(self) -> dict[str, Data]:
        """The same data as tables, by the titles of the plots."""
        self._take_in()
        return {panel.plot.title: panel.table() for panel in self.panels}

    def figures(self) -> tuple[Figure, ...]:
        """The plots one by one, of the selection if there is one."""
        if self.busy:
            self.redraw()
        shown = [panel for panel in self.panels if self.enlarged in {None, panel}]
        return tuple(panel.figure(self.pointing.selection) for panel in shown)

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
                self._turns.owe()
            if self.isVisible():  # else it goes on when it is shown
                self._timer.start(0)
        lately = self._since_drawn.isValid() and self._since_drawn.elapsed() < self._period
        if loading and lately and not self._turns.owing:
            return
        if not (self._turns.owing and lately):  # the other plots of a view need no more than that
            self._take_in()
            self._since_drawn.start()
        whole = self._turns.draw(self._time.span, self._intake.count)
        if self._turns.owing and self.isVisible():
            self._timer.start(0)
            return
        self._tell()
        if not whole:
            self._wake()

    def _take_in(self) -> None:
        if not self._intake.pending:  # a recording comes little by little
            self._intake.take_in()
        self._follow()

    def _follow(self) -> None:
        """Let every plot show what there is now, in colours that tell it apart."""
        intake = self._intake
        if intake.tallies != self._tallies:
            self._show_tallies()
        emphasised = self._emphasis.among(intake.traces)
        for panel in self.panels:
            panel.follow(intake.traces, panel.plot.drawn_of(intake.workers), emphasised)
        self.caption.show_settings(intake.traces, emphasised)
        self._grid.stress_throughput(intake.several)  # where settings are compared, it decides
        if self._highlighted and intake.several:  # those that go on grow
            self._mark_trials()

    def _show_tallies(self) -> None:
        """Have one more plot for what the workload counts live, if it does."""
        self._tallies = self._intake.tallies
        if (panel := self._grid.count_live(self._tallies)) is not None:
            self._listen_to(panel)
            panel.begin(self._intake.boundaries)
            panel.set_theme(self._theme)
            panel.select(self.pointing.selection)
        self._turns = Turns(self.panels, self._period / 1000)
        if self._highlighted:
            self._mark_trials()

    @property
    def busy(self) -> bool:
        """Whether something is waiting to be drawn."""
        return self._timer.isActive()

    @property
    def owing(self) -> bool:
        """Whether a plot still shows another piece of time than it should."""
        return self._turns.owing

    def redraw(self) -> None:
        """Draw all that is known now, not at the timer's next turn."""
        self._turns.all(now=True)
        self.turn()

    def _tell(self) -> None:
        at, selection = self.pointing.crosshair, self.pointing.selection
        # While it is being dragged the medians would be late for the mouse.
        span = selection if at is None and not self.pointing.dragging else None
        for panel in self.panels:
            panel.tell(at, span)
        recorded = self._time.recorded is not None
        self.caption.tell(self._intake, at, selection, medians=bool(span), recorded=recorded)

    # The visible piece of time

    @property
    def visible(self) -> Span:
        """The piece of the time axis that is shown."""
        return self._time.span

    def look_at(self, start: float, end: float) -> None:
        """Show a piece of the time axis, clipped to the data; all of it for an empty piece."""
        self._time.look_at(start, end)
        self._wake()

    def show_all(self) -> None:
        """Show the whole time axis, and follow it as it grows."""
        self._time.chosen = None
        self._wake()

    def zoom(self, time: float, factor: float) -> None:
        """Make the visible piece `factor` times as long; `time` stays at its place."""
        span = self._time.span
        self.look_at(time + (span.start - time) * factor, time + (span.end - time) * factor)

    def pan(self, seconds: float) -> None:
        """Move the visible piece."""
        span = self._time.span
        self.look_at(span.start + seconds, span.end + seconds)

    def _show_selection(self) -> None:
        for panel in self.panels:
            panel.select(self.pointing.selection)
        self._tell()
        self._renew()

    # Qt

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        found = next((f for f in self.figures() if f.widget.geometry().contains(event.pos())), None)
        self.menu_wanted.emit(found if by_mouse else None, event.globalPos())
        event.accept()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press(event, self):
            super().keyPressEvent(event)

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
