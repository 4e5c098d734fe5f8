"""A run as it goes on: the race of its settings, and one large plot over time.

Trials follow each other on the time axis; those that take turns share a piece of it, and each
setting has a curve of its own in every plot.  There is a plot for each quantity, and one of them is
seen.  Moments are kept as they come and shown at most ten times a second, by one timer that runs
only while there is something new to draw and the plots are visible.  On a day's axis a column of
pixels is a minute wide: a plot is drawn when an eighth of a pixel's time has passed, at least once
a second, since drawing takes CPU from the measured workers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QElapsedTimer, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.plots.base.figure import Data, Figure
from app.plots.base.race import Bar, Race
from app.plots.time.caption import Caption
from app.plots.time.emphasis import Emphasis
from app.plots.time.intake import Intake
from app.plots.time.plot_keys import press
from app.plots.time.pointing import Pointing
from app.plots.time.span import Span
from app.plots.time.time_plot import Panel
from app.plots.time.view_buttons import ViewButtons
from app.plots.time.visible_time import VisibleTime
from app.style.theme import LIGHT, Theme
from core import Moment, TimePlot, Trial, show

if TYPE_CHECKING:
    from core import Standing

PERIOD = 100
"""Shortest time between two drawings, in milliseconds."""
PLOT_HEIGHT = 214
"""Pixels that the plot has with its title, before the race has any."""
_PARTS = 8
"""Largest number of drawings for each pixel."""
_LONGEST = 1.0
"""Longest time until a sample is drawn, in seconds."""


class RunPlots(QWidget):
    """The plots of a run, live or recorded.

    Wheel: zoom. Drag: select. Click: select nothing. Shift-drag or middle button: move. Double
    click: back to what is measured. Click on a name: hide its curve. Keys: arrows move the
    crosshair, with Shift select, with Ctrl move the view; + and - zoom; Home: back to what is
    measured; Esc none; 1 to 6 another plot.
    """

    menu_wanted = Signal(object, QPoint)
    """For one plot (Figure), or None for all; where on the screen."""

    def __init__(self, parent: QWidget | None = None, *, period: int = PERIOD) -> None:
        super().__init__(parent)
        self._period = period
        self._intake = Intake()
        self.caption, self.race, self.buttons = Caption(), Race(), ViewButtons()
        plots = TimePlot.all()
        sizes = [len(each.columns) for each in plots]
        self._usual, self._columns = len(plots), sum(sizes)
        self.panels: tuple[Panel, ...] = tuple(map(Panel, plots, accumulate(sizes[:-1], initial=0)))
        """The plots; `shown` is the one that is seen."""
        self.shown = self.panels[0]
        self._lay_out()
        self._tallies: tuple[str, ...] = ()
        """What the last plot shows; without any there is no such plot."""
        self._theme = LIGHT
        self._time = VisibleTime(self._intake)
        self.pointing = Pointing(self._time, self)
        """`trials_between` gives the trials of what is selected there."""
        self._highlighted: tuple[int, ...] = ()
        self._highlighted_view: Span | None = None
        self._emphasis = Emphasis()
        self._standings: tuple[Standing, ...] = ()
        self._hatched = False
        self._tick, self._drawn = 0, -1
        """Turns of the timer, and samples that the plot shows."""
        self._anew = True
        self._since_drawn = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.turn)
        self._connect()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAutoFillBackground(True)
        self.setAccessibleName(self.tr("Live plots"))
        self._begin()
        self.set_theme(LIGHT)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.caption.head, 1)
        head.addWidget(self.buttons)
        self._column = QVBoxLayout(self)
        self._column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        self._column.setContentsMargins(12, 4, 8, 4)
        self._column.setSpacing(2)
        self._column.addLayout(head)  # first, so that no button moves as the race gets bars
        self._column.addWidget(self.race)
        self._column.addWidget(self.caption.legend)
        for panel in self.panels:
            self._column.addWidget(panel, 1)
            panel.setVisible(panel is self.shown)

    def _connect(self) -> None:
        self.pointing.moved.connect(self._tell)
        self.pointing.marked.connect(self._show_selection)
        self.caption.legend.chosen.connect(self._toggle_setting)
        self.race.chosen.connect(self._toggle_setting)
        self.buttons.followed.connect(self._follow_time)
        self.buttons.logarithm.connect(self._take_logarithms)
        for panel in self.panels:
            self._listen_to(panel)

    def _listen_to(self, panel: Panel) -> None:
        sheet = panel.sheet
        self.pointing.listen_to(sheet)
        sheet.panned.connect(self.pan)
        sheet.zoomed.connect(self.zoom)
        sheet.double_clicked.connect(self.show_all)
        sheet.resized.connect(self._renew)
        panel.readout.chosen.connect(lambda column: self._toggle(panel, column))

    # What is shown

    def clear(self) -> None:
        """Forget everything."""
        self._timer.stop()
        intake = Intake()
        time = VisibleTime(intake)
        time.whole_run = self._time.whole_run
        self.pointing.begin(time)
        self._intake, self._time, self._emphasis = intake, time, Emphasis()
        self._show_tallies()
        self._highlighted, self._standings, self._hatched = (), (), False
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

    def rank(self, standings: Sequence[Standing], *, hatched: bool = False) -> None:
        """What is known of the settings by now, for the race; beside other programs `hatched`."""
        self._standings, self._hatched = tuple(standings), hatched
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

    def show_plot(self, panel: Panel) -> None:
        """Show that plot, in place of the one that is seen."""
        self.shown = panel
        for each in self.panels:
            each.setVisible(each is panel)
        self.buttons.show_logarithm(panel.logarithmic)
        self._renew()

    def show_metric(self, metric: str) -> None:
        """Show the plot of that metric."""
        known = (panel for panel in self.panels if metric in panel.plot.metrics)
        self.show_plot(next(known, self.panels[0]))

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
        self.race.set_theme(theme)
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
        """The plots one by one, the one that is seen first, of the selection if there is one."""
        if self.busy:
            self.redraw()
        every = (self.shown, *(panel for panel in self.panels if panel is not self.shown))
        return tuple(panel.figure(self.pointing.selection) for panel in every)

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
        self._anew = True
        self._wake()

    def turn(self) -> None:
        """Take in, show and draw what is due: the timer's turn, ten times a second at most."""
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
        if self._is_due():
            self.shown.draw(self._time.span)
            self._drawn, self._anew = self._intake.count, False
        self._tell()
        if self._drawn != self._intake.count:
            self._wake()

    def _is_due(self) -> bool:
        """Whether the plot is to be drawn at this turn."""
        if self._anew or self.shown.changed or self.shown.blank:
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
        if intake.tallies != self._tallies:
            self._show_tallies()
        emphasised = self._emphasis.among(intake.traces)
        for panel in self.panels:
            panel.follow(intake.traces, panel.plot.drawn_of(intake.workers), emphasised)
        self.caption.show_settings(intake.traces, emphasised)
        self._show_race(emphasised.ranks)
        if self._highlighted and intake.several:  # those that go on grow
            self._mark_trials()

    def _show_race(self, ranks: Mapping[str, int]) -> None:
        """Every setting with its estimate, or until it has one, with its rate so far."""
        known = {one.setting: one for one in self._standings}
        bars = [
            Bar(
                setting=one.setting,
                name=one.name,
                value=one.found.value or 0.0,
                text=one.figure,
                reach=one.reach,
                rank=ranks.get(one.setting) if ranks else 0,
                out=one.place == "behind" or one.setting in self._emphasis.decided,
                fault=one.text if one.place == "failed" else "",
            )
            for one in self._standings
        ]
        rates = {key: one.rate for key, one in self._intake.traces.items() if key not in known}
        for key in sorted(filter(None, rates), key=rates.__getitem__, reverse=True):
            rate, name = rates[key], self._intake.traces[key].name
            text = show(rate, "rate")
            bars.append(
                Bar(setting=key, name=name, value=rate, text=text, reach=(rate, rate),
                    rank=ranks.get(key))
            )  # fmt: skip
        before = len(self.race.bars)
        self.race.show_bars(bars, hatched=self._hatched)
        if before != len(bars):
            self._share()

    def _share(self) -> None:
        """The race gets what the plot does not need."""
        self.race.take_room(self.height() - PLOT_HEIGHT - 2 * self.caption.head.height())
        # The bars name the settings in the same colours and with the same marks.
        self.caption.be_brief(self.race.height() > 0)

    @override
    def minimumSizeHint(self) -> QSize:
        # The race takes what is there, and must not keep it.
        return QSize(240, PLOT_HEIGHT)

    def _show_tallies(self) -> None:
        """Have one more plot for what the workload counts live, if it does."""
        self._tallies = self._intake.tallies
        for panel in self.panels[self._usual :]:
            self._column.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
        self.panels = self.panels[: self._usual]
        if self._tallies:
            panel = Panel(TimePlot.all(self._tallies)[-1], self._columns)
            panel.hide()
            self._column.addWidget(panel, 1)
            self.panels = (*self.panels, panel)
            self._listen_to(panel)
            panel.begin(self._intake.boundaries)
            panel.set_theme(self._theme)
            panel.select(self.pointing.selection)
        if self.shown not in self.panels:
            self.show_plot(self.panels[-1 if self._tallies else 0])
        if self._highlighted:
            self._mark_trials()

    @property
    def busy(self) -> bool:
        """Whether something is waiting to be drawn."""
        return self._timer.isActive()

    def redraw(self) -> None:
        """Draw all that is known now, not at the timer's next turn."""
        self._anew = True
        self.turn()

    def _tell(self) -> None:
        at, selection = self.pointing.crosshair, self.pointing.selection
        # While it is being dragged the medians would be late for the mouse.
        span = selection if at is None and not self.pointing.dragging else None
        self.shown.tell(at, span)
        recorded = self._time.recorded is not None
        self.caption.tell(self._intake, at, selection, medians=bool(span), recorded=recorded)
        self.buttons.show_view(recorded=recorded, whole=self._time.whole_run, chosen=self.chosen)

    # The visible piece of time

    @property
    def visible(self) -> Span:
        """The piece of the time axis that is shown."""
        return self._time.span

    @property
    def chosen(self) -> bool:
        """Whether the user looks at a piece of time, and what is measured is not followed."""
        return self._time.chosen is not None

    def look_at(self, start: float, end: float) -> None:
        """Show a piece of the time axis, clipped to the data; all of it for an empty piece."""
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

    def _take_logarithms(self, taken: bool) -> None:
        self.shown.take_logarithms(taken)
        self._renew()

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
        self.menu_wanted.emit(self.figures()[0], event.globalPos())
        event.accept()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press(event, self):
            super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

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
