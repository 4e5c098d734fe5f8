"""Starting and ending runs, what the window shows of one, and what the buttons of its card do."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

import core
from app.style import dialogs
from core import Headline, show

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.setup.form_history import FormHistory
    from app.shell.plan_consent import PlanConsent
    from app.shell.report_window import Reports
    from app.shell.window_parts import WindowParts
    from app.table.table_rows import Row
    from core import Format, NextStep, Prepared, Request, Result, Shown, events

PAIR = "pair"
"""The name of the step that compares two selected rows."""
_AT_ONCE = 200
"""Settings whose results are shown at once; of more, the window has its events in between."""


class RunActions(QObject):
    """Brings what a run reports into the bars, the card, the views and the table."""

    changed = Signal()
    """Other actions may be possible now."""
    progressed = Signal(str)
    """How far the run is, in a few words; empty when none goes on."""
    finished = Signal(str, float)
    """How a run ended, and the seconds that it took."""

    def __init__(self, parts: WindowParts, consent: PlanConsent) -> None:
        super().__init__(parts)
        self._parts, self._held, self._consent = parts, parts.held, consent
        measuring = self._measuring = parts.measuring
        self.shown: Shown | None = None
        """The results of the run that the window shows."""
        self._answered = True
        """Whether the answer of the last run was shown."""
        self._waiting: list[Callable[[Shown], None]] = []
        """What shows the parts of the results that are not shown yet."""
        self._next = QTimer(self, singleShot=True, interval=1)
        self._next.timeout.connect(self._show_next)
        measuring.began.connect(self._show_beginning)
        measuring.prepared.connect(self._take_prepared)
        measuring.happened.connect(self._take)
        measuring.summed_up.connect(self._take_results)
        measuring.unreadable.connect(partial(parts.complain, self.tr("Reading the session")))
        measuring.ended.connect(self._take_end)
        self._pair: tuple[NextStep, ...] = ()
        """The step that compares two selected results, where two are selected."""
        parts.results.chosen.connect(self._take_chosen)

    def start(self) -> None:
        """Measure what the form asks for."""
        setup = self._parts.setup
        look = setup.dataset.look
        if not self._measuring.running and look is not None and not setup.problem():
            request, dataset = setup.chosen(), look.dataset
            self._consent.ask_about_requests(
                request,
                dataset,
                lambda: self._measuring.start(
                    core.Prepared.for_request(request, dataset, self._held.session)
                ),
            )

    def cancel(self) -> None:
        if self._measuring.running:
            self._measuring.cancel()
            self._parts.say(self.tr("Cancelling…"))
            self.changed.emit()

    def clear(self) -> None:
        self.shown = None
        self._parts.results.clear()
        self.clear_live()

    def show_answer_first(self) -> None:
        """Turn to the answer of what is opened, whatever was looked at before."""
        self._parts.views.setCurrentIndex(0)
        self._answered = False

    def clear_live(self) -> None:
        """Show nothing that a run reports as it goes on."""
        self._parts.views.clear()
        self._parts.say("")
        self._parts.bar.show_share(0.0)

    def _show_beginning(self) -> None:
        self.clear()
        self._parts.views.begin()
        self._answered = False
        self._parts.verdict.show_running()
        self.changed.emit()

    def _take_prepared(self, prepared: Prepared) -> None:
        self._held.hold(prepared.session)
        self._parts.views.show_plan(prepared.planned)
        if len(prepared.run.plan.specs) == 1:
            self._parts.views.show_live()
        self._held.remember(begun=True)
        self.say_remarks(prepared)
        self.changed.emit()

    def say_remarks(self, run: Prepared, otherwise: str = "") -> None:
        """Say what to know of a run: what it leaves out, and what it will lack."""
        parts = (
            (self.tr("Look out: {}"), (*filter(None, (run.newer,)), *run.shortages)),
            (self.tr("Left out: {}"), run.left_out),
        )
        said = (text.format(" · ".join(remarks)) for text, remarks in parts if remarks)
        self._parts.say(" ".join(said) or otherwise)

    def _take(self, happened: tuple[events.Event, ...]) -> None:
        watch = self._measuring.watch
        self._parts.views.take(happened, watch)
        if not self._measuring.cancelling:
            self._parts.bar.show_share(watch.share)
            left = self.tr("{left} left").format(left=watch.left)
            self._parts.line.show_left(left if watch.of else "")
            self._parts.verdict.show_stage(watch)
            text = self.tr("{share} · {left} left")
            share = f"{math.floor(100 * watch.share)} %"
            self.progressed.emit(text.format(share=share, left=watch.left) if watch.of else "")
        self._parts.top.message.count(watch.errors, watch.wrong)

    def _take_end(self, reason: str) -> None:
        outcome = reason or self._measuring.outcome or self.tr("Done")
        elapsed = self._measuring.watch.elapsed
        took = self.tr("took {}").format(show(elapsed, "seconds"))
        self._parts.say(" · ".join((outcome, took)))
        self._parts.bar.show_share(0.0)
        self.finished.emit(outcome, elapsed)
        self._parts.verdict.end_running()
        self.progressed.emit("")
        self._parts.line.show_left("")
        self._parts.top.message.count(0, 0)  # the verdict says it now
        self._held.remember(begun=False)
        if self.shown is None:
            self._parts.views.tiles.clear()
        if reason:
            self._parts.verdict.show_headline(
                Headline(mood="bad", text=self.tr("Not measured"), detail=reason)
            )
        self.changed.emit()

    def _take_results(self, results: Shown) -> None:
        self.shown = results
        self._waiting = [self._show_table, self._parts.views.show_results, self._show_answer]
        self._show_next()

    def _show_next(self) -> None:
        while self.shown is not None and self._waiting:
            self._waiting.pop(0)(self.shown)
            if len(self.shown.in_table) > _AT_ONCE:
                self._next.start()
                break

    def _show_table(self, results: Shown) -> None:
        self._parts.results.show_results(results)

    def _take_chosen(self, rows: tuple[Row, ...]) -> None:
        running = self._measuring.running
        self._parts.views.show_chosen(rows, running=running)
        two = len({(row.origin, row.result.spec.digest) for row in rows}) == 2
        self._pair = (self._comparison(),) if two else ()
        if self.shown is not None and not running:
            self._parts.verdict.show_card(self.shown.card, self._steps(self.shown))

    def _comparison(self) -> NextStep:
        why = self.tr("The two selected rows beside each other")
        text = self.tr("Compare the two")
        return core.NextStep(act=core.Act.COMPARE, text=text, why=why, name=PAIR)

    def _steps(self, results: Shown) -> tuple[NextStep, ...]:
        return (*self._pair, *results.next.steps) if results.next.steps else ()

    def _show_answer(self, results: Shown) -> None:
        self._parts.verdict.show_card(results.card, self._steps(results))
        if results.next.steps and not self._answered:
            self._answered = True
            self._parts.views.show_answer()
        self.changed.emit()

    def choose_export(self, form: Format) -> None:
        path = dialogs.place_for_export(self._parts, form, self._held.stem)
        if path is not None:
            self.export(form, path)

    def export(self, form: Format, path: Path) -> None:
        if self.shown is not None:
            self._held.export(self.shown.results, form, path)


class StepActions(QObject):
    """Carries out a step on the run that is shown."""

    wait_wanted = Signal()
    """The user wants to wait until other programs leave the cores alone, or no longer."""
    start_wanted = Signal()
    """What the form asks for is to be measured."""
    data_wanted = Signal()
    """The user wants to choose other data."""

    def __init__(
        self, parts: WindowParts, history: FormHistory, reports: Reports, consent: PlanConsent
    ) -> None:
        super().__init__(parts)
        self._measuring, self._views = parts.measuring, parts.views
        self._history, self._reports, self._consent = history, reports, consent
        parts.views.comparison.in_turn_wanted.connect(self._measure_in_turn)

    def take_of_run(self, step: NextStep) -> None:
        """Take a step of the shown run; ask first where others chose what it would run."""
        now = self._measuring.now
        if step.name == "in turn":
            self._views.comparison.measure_in_turn()
        elif step.request is None:
            self.take(step)
        elif now is not None:
            self._consent.ask_about_run(now, lambda: self.take(step))

    def take(self, step: NextStep) -> None:
        from core import Act

        match step.act:
            case Act.MEASURE:
                self._measure(step.request)
            case Act.FILL:
                assert step.request is not None
                self.fill(step.request)
            case Act.EXPLAIN:
                self._views.show_why()
            case Act.COMPARE:
                self._compare(selected=step.name == PAIR)
            case Act.REPORT:
                self._reports.show_report()
            case Act.WAIT:
                self._wait(step.request)
            case Act.DATA | Act.SAMPLE:
                self._have_data(make=step.act is Act.SAMPLE)

    def _have_data(self, *, make: bool) -> None:
        if make:
            self._history.form.dataset.make_sample()
        else:
            self.data_wanted.emit()

    def _wait(self, request: Request | None) -> None:
        if request is not None:
            self.fill(request)
        self.wait_wanted.emit()

    def fill(self, request: Request) -> None:
        """Show a request in the form, if that knows it; Undo brings back what was there."""
        from core import study_names, workloads

        name, names = request.workload, [*workloads()]
        if request.study:
            name, names = request.study, [*study_names()]
        if name in names:
            self._history.ask(request)

    def _measure(self, request: Request | None) -> None:
        """Measure on the data of the shown run, whatever the form has chosen meanwhile."""
        now = self._measuring.now
        if request is None:
            self.start_wanted.emit()
        elif now is not None and not self._measuring.running:
            self.fill(request)
            self._consent.ask_about_requests(
                request,
                now.run.plan.specs[0].dataset,
                lambda: self._measuring.start(now.with_request(request)),
            )

    def _measure_in_turn(self, baseline: Result, candidate: Result) -> None:
        """Measure both again into the session of the window; the form stays as it is."""
        if self._measuring.running:
            return
        now, pair = self._measuring.now, (baseline, candidate)
        session, cluster = (now.session, now.cluster) if now is not None else (None, "")
        self._consent.ask_about_pair(
            pair,
            cluster,
            lambda: self._measuring.start(core.Prepared.in_turn(*pair, session, cluster)),
        )

    def _compare(self, *, selected: bool) -> None:
        """Show how two selected rows differ, or the last run and this one."""
        if selected:
            self._views.setCurrentWidget(self._views.comparison)
        elif (now := self._measuring.now) is not None:
            trials = tuple(self._measuring.trials)
            self._views.compare_with_last(lambda: core.Shown.beside_last(now, trials))
