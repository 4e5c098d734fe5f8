"""A run as it goes on: throughput, open files and memory of its settings over time.

Trials follow each other on the time axis; those that take turns share a piece of it, and each
setting has a curve of its own in every plot.  There is a plot for each quantity, and three are
seen.  Moments are kept as they come and shown at most once a second, by one timer that runs
only while there is something new to draw and the plots are visible.  On a day's axis a column of
pixels is a minute wide: a plot is drawn when an eighth of a pixel's time has passed, at least every
four seconds, since drawing takes CPU from the measured workers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import override

from PySide6.QtCore import QElapsedTimer, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.plots.base.figure import Figure
from app.plots.base.painting import take_ground
from app.plots.time.emphasis import Emphasis, Emphasised
from app.plots.time.intake import Intake
from app.plots.time.navigation import NavigatedPlots, ViewButtons, VisibleTime
from app.plots.time.time_plot import Panel, PlotStack
from app.plots.time.timeline import Span
from app.style.layouts import spaced
from app.style.theme import LIGHT, Theme
from core import Moment, Trial, show_clock

PERIOD = 1000
"""Shortest time between two drawings, in milliseconds."""
_PARTS = 8
"""Largest number of drawings for each pixel."""
_LONGEST = 4.0
"""Longest time until a sample is drawn, in seconds."""


class RunPlots(NavigatedPlots):
    """The plots of a run, live or recorded.

    Wheel: zoom. Drag: select. Click: select nothing. Shift-drag or middle button: move. Double
    click: back to what is measured. Click on a name: hide its curve. Keys: arrows move the
    crosshair, with Shift select, with Ctrl move the view; + and - zoom; Home: back to what is
    measured; Esc none; 1 to 6 another plot.
    """

    menu_wanted = Signal(object, QPoint)
    """For one plot (Figure), or None for all; where on the screen."""

    def __init__(self, parent: QWidget | None = None, *, period: int = PERIOD) -> None:
        intake = Intake()
        super().__init__(parent, intake)
        self._intake = intake
        self._period = period
        self.buttons, self._stack = ViewButtons(self), PlotStack(self._listen_to)
        self.counts = ""
        """How many settings have no label."""
        self._highlighted: tuple[int, ...] = ()
        self._highlighted_view: Span | None = None
        self._emphasis = Emphasis()
        self._tick, self._drawn = 0, -1
        """Turns of the timer, and samples that the plot shows."""
        self._anew = True
        self._since_drawn = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.turn)
        self.pointing.moved.connect(self._show_values)
        self.pointing.marked.connect(self._show_selection)
        self.buttons.followed.connect(self._follow_time)
        self.buttons.logarithm.connect(self._take_logarithms)
        column = spaced(QVBoxLayout(self), 0, 0, 4, 0, 0)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        column.addWidget(self._stack)
        self.buttons.raise_()  # beside the title of the first plot
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAutoFillBackground(True)
        self.setAccessibleName(self.tr("Live plots"))
        self._stack.begin(intake.boundaries)
        self._follow()
        self.set_theme(LIGHT)

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The plots; `shown` is the one that is seen."""
        return self._stack.panels

    @property
    def shown(self) -> Panel:
        return self._stack.shown

    def _listen_to(self, panel: Panel) -> None:
        self._navigate_by(panel.sheet)
        panel.sheet.named.connect(partial(self._toggle, panel))

    def clear(self) -> None:
        self._timer.stop()
        intake = Intake()
        time = VisibleTime(intake)
        time.whole_run = self._time.whole_run
        self.pointing.begin(time)
        colours = self._emphasis.colours
        self._intake, self._time, self._emphasis = intake, time, Emphasis()
        self._emphasis.colours, self._highlighted = colours, ()
        self._since_drawn.invalidate()
        self._stack.begin(intake.boundaries)
        self._follow()
        self._renew()

    def begin_trial(self, index: int, label: str, setting: str = "") -> None:
        """Begin a trial of a setting, which its label tells apart unless it is given."""
        self._intake.begin(index, label, setting)
        self._renew()

    def has_begun(self, index: int) -> bool:
        """Whether the trial of that index is, or will be, among the curves."""
        return index in self._intake.labels

    def begin_round(self, trials: Sequence[int]) -> None:
        self._intake.begin_round(trials)

    def prepare(self, index: int, moment: Moment) -> None:
        self._intake.prepare(index, moment)
        self._wake()

    def add(self, index: int, moment: Moment) -> None:
        """Add a moment of the trial of that index; begins the trial if necessary."""
        if not self.has_begun(index):
            self.begin_trial(index, self.tr("Trial {}").format(index + 1))
        self._intake.add(index, moment)
        self._wake()

    def end_trial(self, trial: Trial) -> None:
        self._intake.end(trial)
        self._wake()

    def decide(self, settings: Collection[str]) -> None:
        """These settings, and no others, are not measured any more."""
        self._emphasis.decided = frozenset(settings)
        self._renew()

    def colour(self, colours: Mapping[str, int]) -> None:
        """The places of the colours that settings have in the plot of the answer."""
        self._emphasis.colours = colours
        self._renew()

    def _toggle(self, panel: Panel, key: str) -> None:
        """Hide the curve of a setting in every plot, or of a column in its own."""
        if panel.content.several:
            self._emphasis.toggle(key)
        else:
            panel.content.toggle(key)
        self._renew()

    def show_plot(self, panel: Panel) -> None:
        """Show that plot, in place of the one that is seen."""
        self._stack.choose(panel)
        self.buttons.log.setChecked(panel.content.logarithmic)
        self._renew()

    def show_metric(self, metric: str) -> None:
        self.show_plot(self._stack.panel_of(metric))

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
        self._stack.highlight(() if everywhere else spans)
        return spans

    def set_theme(self, theme: Theme) -> None:
        take_ground(self, theme)
        self._stack.set_theme(theme)
        self._renew()

    def summary(self) -> str:
        """What the plots show, of the selection if there is one, a line for each plot."""
        self._take_in()
        return "\n".join(panel.content.summary(self.pointing.selection) for panel in self.panels)

    def figures(self) -> tuple[Figure, ...]:
        """The plots one by one, the one that is seen first, of the selection if there is one."""
        if self.busy:
            self.redraw()
        return self._stack.figures(self.pointing.selection)

    def trials_between(self, start: float, end: float) -> tuple[int, ...]:
        """Indexes of the trials that have any part between two times."""
        return self._intake.timeline.between(Span(start, end), self._intake.last)

    def _wake(self) -> None:
        """Draw what is new soon."""
        if self.isVisible() and not self._timer.isActive():
            waited = self._since_drawn.elapsed() if self._since_drawn.isValid() else self._period
            self._timer.start(max(self._period - waited, 0))

    def _renew(self) -> None:
        """Draw everything soon."""
        self._anew = True
        self._wake()

    def turn(self) -> None:
        """Take in, show and draw what is due: the timer's turn, four times a second at most."""
        self._timer.stop()
        if self._intake.pending:
            self._intake.take_slice()
            self._anew |= not self._intake.pending
            if self.isVisible():  # else it goes on when it is shown
                self._timer.start(0)
            if self._since_drawn.isValid() and self._since_drawn.elapsed() < self._period:
                return
        self._take_in()
        self._since_drawn.start()
        self._tick += 1
        self._show_values()  # first, since labels take room from curves
        if self._is_due():
            for panel in self._stack.seen:
                panel.draw(self._time.span)
            self._drawn, self._anew = self._intake.count, False
        if self._drawn != self._intake.count:
            self._wake()

    def _is_due(self) -> bool:
        if self._anew or any(panel.changed for panel in self._stack.seen):
            return True
        pixel = self._time.span.length / self.shown.dots
        period = self._period / 1000
        most = max(int(_LONGEST / period), 1)
        return self._tick % min(max(math.ceil(pixel / _PARTS / period), 1), most) == 0

    def _take_in(self) -> None:
        if not self._intake.pending:  # a recording comes little by little
            self._intake.take_in()
        self._follow()

    def _follow(self) -> None:
        """Let every plot show what there is now, in colours that tell it apart."""
        intake = self._intake
        emphasised = self._emphasis.choose(intake.traces)
        others = self._stack.follow(intake, emphasised)
        if others:
            self.show_plot(self.shown)
        self.counts = self._counted(emphasised)
        if self._highlighted and (others or intake.several):  # those that go on grow
            self._mark_trials()

    @property
    def busy(self) -> bool:
        """Whether something is waiting to be drawn."""
        return self._timer.isActive()

    def redraw(self) -> None:
        """Draw all that is known now, not at the timer's next turn."""
        self._anew = True
        self.turn()

    def _show_values(self) -> None:
        at, selection = self.pointing.crosshair, self.pointing.selection
        # While it is being dragged the medians would be late for the mouse.
        span = selection if at is None and not self.pointing.dragging else None
        for panel in self._stack.seen:
            first = panel is self.shown
            room = self.buttons.sizeHint().width() if first else 0
            panel.show_values(at, span, self._note(at, span) if first else "", room)
        recorded = self._time.recorded is not None
        self.buttons.show_view(recorded=recorded, whole=self._time.whole_run, chosen=self.chosen)

    def _note(self, at: float | None, span: Span | None) -> str:
        """The trial that is seen, how many have no label, and the time that is told."""
        intake = self._intake
        piece = intake.timeline.at(at if at is not None else intake.last)
        alone = [*piece.parts] if piece is not None and len(piece.parts) == 1 else []
        parts = [*(intake.labels[trial] for trial in alone), self.counts]
        if span is not None:
            reach = f"{show_clock(span.start, 0.1)} – {show_clock(span.end, 0.1)}"
            parts.append(self.tr("medians of {}").format(reach))
        elif at is not None:
            parts.append(self.tr("at {}").format(show_clock(at, 0.1)))
        return " · ".join(filter(None, parts))

    def _counted(self, emphasised: Emphasised) -> str:
        """How many settings have no label, those apart that are not measured any more."""
        traces = self._intake.traces if self._intake.several else {}
        muted = [key not in emphasised.decided for key in traces if key not in emphasised.ranks]
        more, over = sum(muted), len(muted) - sum(muted)
        counts = (
            self.tr("{} more").format(more) if more else "",
            self.tr("✓ {} not measured any more").format(over) if over else "",
        )
        return " · ".join(filter(None, counts))

    def _take_logarithms(self, taken: bool) -> None:
        self.shown.take_logarithms(taken)
        self._renew()

    def _show_selection(self) -> None:
        self._stack.select(self.pointing.selection)
        self._show_values()
        self._renew()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(self.figures()[0], event.globalPos())
        event.accept()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        place = event.key() - Qt.Key.Key_1
        if 0 <= place < len(self.panels):
            self.show_plot(self.panels[place])
        else:
            super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.buttons.adjustSize()
        self.buttons.move(self.width() - self.buttons.width(), 2)
        self._renew()

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
        self.shown.sheet.mark_focus(event)
        super().focusInEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.shown.sheet.mark_focus(event)
        super().focusOutEvent(event)
