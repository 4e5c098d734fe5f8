"""A plot for each quantity on the same time axis, of which one is seen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import accumulate

from PySide6.QtWidgets import QStackedWidget

from app.plots.base.figure import Figure
from app.plots.time.intake import Intake
from app.plots.time.time_plot import Panel
from app.plots.time.timeline import Span
from app.plots.time.trace import Emphasised
from app.style.theme import LIGHT, Theme
from core import TimePlot


class PlotStack(QStackedWidget):
    """The plots that every run has, and one more for what a workload counts live."""

    def __init__(self, listen: Callable[[Panel], object]) -> None:
        """`listen` hears of every plot that is made."""
        super().__init__()
        self._listen = listen
        self._theme = LIGHT
        self._selected: Span | None = None
        self._boundaries: Sequence[float] = ()
        plots = TimePlot.all()
        sizes = [len(each.columns) for each in plots]
        self._usual, self._columns = len(plots), sum(sizes)
        self._tallies: tuple[str, ...] = ()
        """What the last plot shows; without any there is no such plot."""
        firsts = accumulate(sizes[:-1], initial=0)
        self.panels = tuple(map(self._made, plots, firsts))

    def _made(self, plot: TimePlot, first: int) -> Panel:
        panel = Panel(plot, first)
        self.addWidget(panel)
        self._listen(panel)
        return panel

    @property
    def shown(self) -> Panel:
        """The plot that is seen."""
        return self.panels[self.currentIndex()]

    def panel_of(self, metric: str) -> Panel:
        """The plot of that metric, or the first."""
        known = (panel for panel in self.panels if metric in panel.plot.metrics)
        return next(known, self.panels[0])

    def begin(self, boundaries: Sequence[float]) -> None:
        """Nothing is drawn yet; `boundaries`: where the curves will break."""
        self._boundaries = boundaries
        self._count(())
        for panel in self.panels:
            panel.begin(boundaries)

    def follow(self, intake: Intake, emphasised: Emphasised) -> bool:
        """Show what there is now, in these colours; whether there are other plots than before."""
        others = self._count(intake.tallies)
        for panel in self.panels:
            panel.follow(intake.traces, panel.plot.drawn_of(intake.workers), emphasised)
        return others

    def _count(self, tallies: tuple[str, ...]) -> bool:
        """Have one more plot for what the workload counts live, if it does."""
        if tallies == self._tallies:
            return False
        self._tallies = tallies
        counted = self.currentIndex() >= self._usual
        for panel in self.panels[self._usual :]:
            self.removeWidget(panel)
            panel.deleteLater()
        self.panels = self.panels[: self._usual]
        if tallies:
            panel = self._made(TimePlot.all(tallies)[-1], self._columns)
            self.panels = (*self.panels, panel)
            panel.begin(self._boundaries)
            panel.set_theme(self._theme)
            panel.select(self._selected)
        if counted:
            self.setCurrentIndex(self._usual if tallies else 0)
        return True

    def highlight(self, spans: Collection[Span]) -> None:
        """Mark these pieces of the time axis, in order, and no others."""
        for panel in self.panels:
            panel.highlight([*spans])

    def select(self, span: Span | None) -> None:
        """Shade a piece of the time axis, or none."""
        self._selected = span
        for panel in self.panels:
            panel.select(span)

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        for panel in self.panels:
            panel.set_theme(theme)

    def figures(self, span: Span | None) -> tuple[Figure, ...]:
        """The plots one by one, the one that is seen first, of a piece of time or all of it."""
        others = (panel for panel in self.panels if panel is not self.shown)
        return tuple(panel.figure(span) for panel in (self.shown, *others))
