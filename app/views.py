"""The views of a run, side by side in tabs: plots once they are there, and the newest figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QThreadPool
from PySide6.QtWidgets import QTabWidget

from app.comparing import CompareView
from app.live import LiveNumbers
from app.theme import LIGHT, Theme
from core import Event, MomentTaken, TrialStarted, Watch, describe_limits, unit_of

if TYPE_CHECKING:
    from app.plots.live import LivePlots
    from app.plots.scaling_view import ScalingView
    from app.preparing import Shown
    from app.table.rows import Row


class RunViews(QTabWidget):
    """Everything that draws a run; `plots` and `scaling` are None until the window is there."""

    def __init__(self, pool: QThreadPool) -> None:
        super().__init__()
        for named in (self, self.tabBar()):
            named.setAccessibleName(self.tr("Views of the run"))
        self.numbers = LiveNumbers()
        self.plots: LivePlots | None = None
        self.scaling: ScalingView | None = None
        self._shown: Shown | None = None
        self._theme = LIGHT
        self.comparison = CompareView(pool)
        self.addTab(self.comparison, self.tr("Compare"))
        self.addTab(self.numbers, self.tr("Figures"))

    def add_plots(self) -> None:
        """Importing pyqtgraph takes longer than all before: nobody shall wait for it."""
        from app.plots.live import LivePlots
        from app.plots.scaling_view import ScalingView

        self.plots = LivePlots()
        self.plots.set_open_files_limit(describe_limits().open_files_soft)
        self.plots.set_theme(self._theme)
        self.insertTab(0, self.plots, self.tr("Live"))
        self.scaling = ScalingView()
        self.scaling.set_theme(self._theme)
        self.insertTab(1, self.scaling, self.tr("Scaling"))
        if self._shown is not None:
            self.show_results(self._shown)
        self.setCurrentIndex(0)

    def set_theme(self, theme: Theme) -> None:
        """Draw in these colours."""
        self._theme = theme
        for view in (self.plots, self.scaling):
            if view is not None:
                view.set_theme(theme)

    def clear(self) -> None:
        """Nothing is measured."""
        self._shown = None
        self.numbers.clear()
        self.comparison.clear()
        for view in (self.plots, self.scaling):
            if view is not None:
                view.clear()

    def take(self, events: tuple[Event, ...], watch: Watch) -> None:
        """Show what has happened in the last tenth of a second."""
        for event in events:
            match event:
                case TrialStarted(index=index):
                    self.numbers.next_trial()
                    if self.plots is not None:
                        self.plots.begin_trial(index, watch.what)
                case MomentTaken(index=index, moment=moment):
                    self.numbers.add(moment)
                    if self.plots is not None:
                        self.plots.add(index, moment)
                case _:
                    pass

    def show_results(self, shown: Shown) -> None:
        """Show what the trials so far come to."""
        self._shown = shown
        if self.scaling is not None:
            unit = unit_of(shown.in_table[0]) if shown.in_table else ""
            self.scaling.show_series(shown.scaling, unit)

    def show_chosen(self, rows: tuple[Row, ...]) -> None:
        """Plot the last trial of the first of these rows; two results are compared, too."""
        results = {row.result.spec.digest: row.result for row in rows}
        if len(results) == 2:
            self.comparison.show_pair(*results.values())
        else:
            self.comparison.clear()
        trials = [trial for row in rows[:1] for trial in row.trials if trial.moments]
        if self.plots is not None and trials:
            self.plots.show_trial(trials[-1])
