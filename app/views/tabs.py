"""The views of a run in tabs: the answer, the race, one setting from the inside, a comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QThreadPool, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QTabWidget, QWidget

from app.style.theme import LIGHT
from app.views.answer_page import AnswerPage
from app.views.comparison_view import CompareView
from app.views.inside_view import InsideView
from app.views.tiles import LARGE_FIRST, Tiles
from app.work import preload
from app.work.question import Question
from core import CurvesFigure, Moment, show_clock

if TYPE_CHECKING:
    from app.plots.base.figure import Figure
    from app.plots.counts.answer_view import AnswerView
    from app.plots.time.run_plots import RunPlots
    from app.style.theme import Theme
    from app.table.table_rows import Row
    from app.views.comparison_view import ReadRuns
    from app.views.study_view import StudyView
    from core import Origin, Reproduction, RunProgress, Shown, Trial, events

type Drawing = Callable[[RunPlots], None]


class RunViews(QTabWidget):
    """Everything that draws a run; `answer`, `plots` and `study` are None until loaded."""

    narrowed = Signal(str, object)
    """A piece of time was selected: its ends, and the indexes of its trials."""
    menu_wanted = Signal(object, QPoint)
    """A menu for one plot (Figure), or None for all visible ones; where on the screen."""
    decided = Signal(object)
    """The digests of the settings that are not measured any more."""
    said = Signal(object)
    """The visible tab has words of its own (Words); None where the verdict is about it."""
    widened = Signal()
    """No piece of time is selected any more."""

    def __init__(self, pool: QThreadPool) -> None:
        super().__init__()
        for named in (self, self.tabBar()):
            named.setAccessibleName(self.tr("Views of the run"))
        self.tiles = Tiles()
        self.tiles.exchanged.connect(self._show_metric)
        self.plots: RunPlots | None = None
        self.answer: AnswerView | None = None
        self.study: StudyView | None = None
        self._shown: Shown | None = None
        self._theme = LIGHT
        self._waiting: list[Drawing] = []
        """What is drawn once there are plots."""
        self._planned = CurvesFigure()
        self._watch: RunProgress | None = None
        self._decided: tuple[str, ...] = ()
        """Digests of the settings that are not measured any more."""
        self._import = Question(pool, self)
        self._import.answered.connect(self.add_plots)
        self.comparison = CompareView(pool)
        self.inside = InsideView(pool)
        self.answer_page = AnswerPage(self.tiles)
        self.addTab(self.answer_page, self.tr("Answer"))
        self.addTab(_blank(), self.tr("Live"))
        self.addTab(self.inside, self.tr("Inside"))
        self.addTab(self.comparison, self.tr("Compare"))
        for said in (self.currentChanged, self.inside.said, self.comparison.said):
            said.connect(self._say)

    def _say(self) -> None:
        views, current = (self.inside, self.comparison), self.currentWidget()
        words = next((view.words for view in views if view is current), None)
        self.said.emit(words if words and words[0] else None)

    def add_table(self, table: QWidget) -> None:
        """Have a tab for the table of all settings."""
        self.addTab(table, self.tr("Table"))

    def bring_plots(self) -> None:
        """Add the plots as soon as a thread of the pool has imported their modules.

        The import takes longer than all the others, and would block the window.
        """
        self._import.ask(lambda _: preload.bring_plots())

    def add_plots(self) -> None:
        from app.plots.counts.answer_view import AnswerView
        from app.plots.counts.log_chart import LogChart
        from app.plots.counts.scaling_view import ScalingView
        from app.plots.time.run_plots import RunPlots
        from app.plots.time.trial_plot import TrialPlot
        from app.views.study_view import StudyView

        self.plots = RunPlots()
        self.plots.show_metric(self.tiles.large)
        self.plots.pointing.selected.connect(partial(self._narrow, self.plots))
        self.plots.pointing.unselected.connect(self.widened)
        self.answer = AnswerView()
        self.answer.map.chosen.connect(self._show_inside)
        self.study = StudyView()
        self.study.setParent(self)
        self.study.hide()
        percentiles, *over_time = LogChart(), TrialPlot("peak_rss"), TrialPlot("fds")
        self.inside.add_plots(percentiles, *over_time)
        curves = ScalingView()
        self.comparison.add_plot(curves)
        self.set_theme(self._theme)
        for view in (self.plots, self.answer, self.study, percentiles, curves):
            view.menu_wanted.connect(self.menu_wanted)
        # Which plots are seen changes with the parts of a study too.
        self.study.currentChanged.connect(lambda: self.currentChanged.emit(self.currentIndex()))
        self.answer_page.show_plot(self.answer, self.answer.wire)
        self._replace(1, self.plots)
        for drawing in self._waiting:
            drawing(self.plots)
        self._waiting.clear()
        self._decide(self._decided)
        self.show_plan(self._planned)
        if self._watch is not None:
            self.answer.follow(self._watch)
        if self._shown is not None:
            self.show_results(self._shown)

    def show_answer(self) -> None:
        """Show the view that answers best, unless the user has turned to another one meanwhile."""
        results = self._shown
        if results is None or self.currentWidget() is not self.answer_page:
            return
        if results.study is not None and self.study is not None:
            self.setCurrentWidget(self.study)
        elif results.pair is not None:
            self.setCurrentWidget(self.comparison)

    def show_live(self) -> None:
        """Show the plots of the trials that run."""
        self.setCurrentIndex(1)

    def begin(self) -> None:
        """A run begins: its answer grows in sight, unless the user watches it live."""
        if self.currentIndex() != 1:
            self.setCurrentIndex(0)

    def show_why(self) -> None:
        """Show what limits the throughput of the setting that the verdict is about."""
        self.inside.show_best()
        self.setCurrentWidget(self.inside)

    def _show_inside(self, setting: str) -> None:
        self.inside.show_setting(setting)
        self.setCurrentWidget(self.inside)

    def compare_runs(self, one: Origin, other: Origin) -> None:
        from core import Shown

        self.compare_with_last(lambda: Shown.of_runs(one, other))

    def compare_with_last(self, runs: ReadRuns) -> None:
        """Compare the answers of two runs; a thread of the pool reads the first one."""
        self.comparison.show_last_run(runs)
        self.setCurrentWidget(self.comparison)

    def _replace(self, place: int, view: QWidget) -> None:
        """Replace the page of a tab; a visible tab stays visible."""
        current, title, before = self.currentIndex(), self.tabText(place), self.widget(place)
        assert before is not None
        self.removeTab(place)
        before.deleteLater()
        self.insertTab(place, view, title)
        if current == place:
            self.setCurrentIndex(place)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.tiles.set_theme(theme)
        self.inside.set_theme(theme)
        self.comparison.set_theme(theme)
        self.answer_page.idle.set_theme(theme)
        self.answer_page.pairs.set_theme(theme)
        for view in (self.plots, self.answer, self.study):
            if view is not None:
                view.set_theme(theme)

    def clear(self) -> None:
        """Nothing is measured."""
        self._shown = self._watch = None
        self._waiting.clear()
        self._decide(())
        self.tiles.clear()
        self.answer_page.show_card(None)
        self.answer_page.show_facts(())
        self.comparison.clear()
        self.inside.clear()
        for view in (self.plots, self.answer):
            if view is not None:
                view.clear()
        self._show_study(None)

    def take(self, happened: tuple[events.Event, ...], watch: RunProgress) -> None:
        """Show what has happened since the last time; `watch` has taken it before."""
        if happened:
            self._draw(lambda plots: _draw_events(plots, happened, watch))
        self._watch = watch
        if self.answer is not None:
            self.answer.follow(watch)
        self.tiles.show_newest(watch)
        if watch.decided != set(self._decided):
            self._decide(tuple(sorted(watch.decided)))

    def _decide(self, specs: tuple[str, ...]) -> None:
        """Mark these settings as decided, and no others."""
        self._decided = specs
        if self.plots is not None:
            self.plots.decide(specs)
        self.decided.emit(specs)

    def _draw(self, drawing: Drawing) -> None:
        """Now, or as soon as there are plots."""
        if self.plots is not None:
            drawing(self.plots)
        else:
            self._waiting.append(drawing)

    def show_plan(self, planned: CurvesFigure) -> None:
        """Draw where the settings of a plan will lie."""
        self._planned = planned
        if self.answer is not None and self.plots is not None:
            self.answer.show_plan(planned)
            self.plots.colour(planned.colours)

    def show_recorded(self, trials: Sequence[tuple[Trial, str]]) -> None:
        """Draw the trials of an opened run; its results take seconds longer where they are many."""
        self._draw(lambda plots: plots.show_trials(trials))

    def show_results(self, shown: Shown) -> None:
        """Show the results of the trials so far."""
        self._shown = shown
        if shown.next.steps:  # nothing is measured any more
            self._decide(())
            self._watch = None
            if self.answer is not None:
                self.answer.end_growth()
        if self.plots is not None and self.plots.empty:  # opened before there were plots
            self.plots.show_trials(shown.labelled())
        if self._watch is None or self._watch.over is not None:
            self.tiles.show_results(shown)
        self._show_answer(shown)
        self.answer_page.show_card(shown.card)
        self.inside.show_results(shown)
        self._show_study(shown.study)
        self._compare_leading()

    def _compare_leading(self) -> None:
        """Compare what was to be compared, or the best of a run that is over with the next one."""
        shown = self._shown
        if shown is None or not shown.next.steps or self.comparison.has_pair:
            return
        results = {one.spec.digest: one for one in shown.in_table if one.valid}
        leading = [results[one.setting] for one in shown.standings if one.setting in results][:2]
        if shown.pair is not None or len(leading) == 2:
            self.comparison.show_pair(*(shown.pair or reversed(leading)))

    def _show_answer(self, shown: Shown) -> None:
        """Show the settings by the metric that is large."""
        if self.answer is not None:
            by = shown.by(self.tiles.large)
            unit = next((one.unit for one in shown.in_table if one.finished_trials), "")
            hatched = bool(shown.card.beside)
            grid = shown.grid if self.tiles.large == LARGE_FIRST else None
            wire = shown.wire if grid is None and shown.next.steps else ()
            self.answer.show_wire(wire, hatched=hatched)
            self.answer.show_answer(by, shown.standings, unit, hatched=hatched, grid=grid)
            facts = grid.facts if grid is not None else ()
            self.answer_page.show_facts(facts, counted=bool(wire))

    def _show_study(self, reproduction: Reproduction | None) -> None:
        """Show a study in its own tab, which exists only for studies."""
        if self.study is None:
            return
        if reproduction is None:
            self.removeTab(self.indexOf(self.study))  # nothing where it has none
            return
        self.study.show_study(reproduction)
        if self.indexOf(self.study) < 0:
            self.addTab(self.study, self.tr("Study"))

    def show_chosen(self, rows: tuple[Row, ...], *, running: bool) -> None:
        """Mark the trials of these rows in the plots; two results are compared, too.

        While a run goes on the plots follow it, else they show the trials.
        """
        results = {(row.origin, row.result.spec.digest): row.result for row in rows}
        if len(results) == 2:
            self.comparison.show_pair(*results.values())
        else:
            self.comparison.clear()
            self._compare_leading()
        if len(results) == 1:
            self.inside.show_setting(next(iter(results.values())).spec.digest)
        if self.plots is None:
            return
        here = [row for row in rows if row.origin is None]
        trials = {trial.index for row in here for trial in row.trials if trial.moments}
        if not running and not self.plots.holds(trials) and self._shown is not None:
            self.plots.show_trials(self._shown.labelled())
        self.plots.highlight(trials, look=not running)

    def _show_metric(self, metric: str) -> None:
        self.setCurrentIndex(0)
        if self.plots is not None:
            self.plots.show_metric(metric)
        if self._shown is not None:
            self._show_answer(self._shown)

    def figures(self) -> tuple[Figure, ...]:
        """The plots of the visible tab; none where it has no plots."""
        current, views = (
            self.currentWidget(),
            (self.plots, self.study, self.inside, self.comparison),
        )
        if current is self.answer_page and self.answer is not None:
            return self.answer.figures()
        return next((view.figures() for view in views if view and view is current), ())

    def title(self) -> str:
        return self.tabText(self.currentIndex())

    def unselect(self) -> None:
        if self.plots is not None:
            self.plots.pointing.unselect()

    def _narrow(self, plots: RunPlots, start: float, end: float) -> None:
        reach = f"{show_clock(start, 0.1)} – {show_clock(end, 0.1)}"
        self.narrowed.emit(reach, plots.trials_between(start, end))


def _draw_events(plots: RunPlots, happened: Sequence[events.Event], watch: RunProgress) -> None:
    for event in happened:
        _draw_event(plots, event, watch)


def _draw_event(plots: RunPlots, event: events.Event, watch: RunProgress) -> None:
    """Draw what happened to a trial of the settings; no other is begun."""
    from core import events

    match event:
        case events.RunPlanned() if watch.earlier:
            plots.go_on_from(watch.earlier)
        case events.TrialStarted(index=index, spec=spec) if watch.counts(spec):
            plots.begin_trial(index, watch.name_of(spec), spec.digest)
        case events.RoundBegun(trials=trials):
            plots.begin_round(trials)
        case events.ReadingTaken(index=index, reading=reading) if plots.has_begun(index):
            plots.prepare(index, Moment.before_clock(reading))
        case events.MomentTaken(index=index, moment=moment) if plots.has_begun(index):
            plots.add(index, moment)
        case events.TrialEnded(trial=trial) if plots.has_begun(trial.index):
            plots.end_trial(trial)


def _blank() -> QWidget:
    """An empty page in the colour of the plots that follow."""
    page = QWidget()
    page.setBackgroundRole(QPalette.ColorRole.Base)
    page.setAutoFillBackground(True)
    return page
