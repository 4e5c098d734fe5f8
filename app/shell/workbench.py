"""The window's content: joins the panels to the run and its session, and chooses the page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QEvent, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton

import core
from app.setup.form_history import FormHistory, form_of
from app.shell.before_start import BeforeStart
from app.shell.drops import Drops, is_session, places_of
from app.shell.plan_consent import PlanConsent
from app.shell.report_window import Reports
from app.shell.run import RunActions, StepActions
from app.shell.sessions import AllRuns, Sessions
from app.shell.window_parts import WindowParts
from app.style.labels import as_tip
from app.style.tab_order import step_focus
from app.views.plot_actions import PlotActions
from app.work import preload
from app.work.question import Question, drop_questions
from core import Request

if TYPE_CHECKING:
    from app.setup.setup_panel import FormState
    from app.shell.drops import Place
    from app.style.theme import Appearance
    from app.views.sessions_page import SessionsPage
    from app.views.studies_page import StudiesPage
    from core import LocalServers, Opened, Preflight


_RETURN = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_NO_MODIFIER = Qt.KeyboardModifier.NoModifier


class Workbench(WindowParts):
    """Everything in the window: one session, at most one run at a time."""

    refreshed = Signal()
    """Other actions may be possible now."""
    dropped = Signal(object)
    """Places are to be opened that were dropped onto it, or that it was started with (list)."""

    def __init__(
        self,
        settings: QSettings,
        appearance: Appearance,
        servers: LocalServers | None = None,
        first: Sequence[Place] = (),
    ) -> None:
        """`servers`: those of the user's own lab, if None; `first` are opened once all is there."""
        super().__init__(settings, servers)
        self._settings, self._appearance = settings, appearance
        self._painted = self._closing = self._sampling = False
        self._opened: tuple[FormState, str] | None = None
        """The form that an opened run has filled in, and the command that asks for that run."""
        self._problem = ""
        """Why nothing could be measured, the last time that was looked at."""
        self._sample: list[FormState] = []
        """The form as it was before a sample, and that of the sample."""
        self._first = first
        self.studies: StudiesPage | None = None
        """Once it was asked for."""
        self._preloading = Question(self.pool, self)
        self.setAcceptDrops(True)
        self.before_start = BeforeStart(self, settings)
        self.plotting = PlotActions(self.views, self.held, self.pool)
        self.history = FormHistory(self.setup)
        self.reports = Reports(self)
        self.drops = Drops(self, self.history)
        self.runs = AllRuns(self)
        self.consent = PlanConsent(self)
        self.run = RunActions(self, self.consent)
        self.steps = StepActions(self, self.history, self.reports, self.consent)
        self.sessions = Sessions(self, self.run, self.steps, self.consent)
        self._connect_run()
        self._connect_results()
        self._connect_pages()
        self._connect_messages()
        for part in (
            self.top.machine,
            self.start,
            self.verdict,
            self.views,
            self.results,
            self.line,
        ):
            part.set_theme(appearance.theme)
            appearance.changed.connect(part.set_theme)
        self._restore_state()
        self.show_page("start")
        self._refresh()

    def _restore_state(self) -> None:
        """Have the form as it was last time."""
        if not self.history.restore_from(self._settings):
            self.say(
                self.tr("The form of last time cannot be read; it is set aside in the settings")
            )

    def keep_state(self) -> None:
        """Keep the form for the next start."""
        state = self.setup.state()
        self.history.keep_in(
            self._settings, self._sample[0] if state in self._sample[1:] else state
        )

    @property
    def busy(self) -> bool:
        """Whether a run or a question is going on."""
        return self.measuring.running or self.pool.activeThreadCount() > 0

    @property
    def ready(self) -> bool:
        """Whether a run can be started."""
        return self.start_button.isEnabled()

    @property
    def has_results(self) -> bool:
        """Whether there is anything to export or copy."""
        return self.run.shown is not None and bool(self.run.shown.results)

    @property
    def _answered(self) -> bool:
        """Whether anything was measured that can be shown."""
        return self.has_results or (self.measuring.now is not None and bool(self.measuring.trials))

    def _connect_run(self) -> None:
        self.start_button.clicked.connect(self.run.start)
        self.cancel_button.clicked.connect(self.run.cancel)
        self.setup.changed.connect(self._refresh)
        self.setup.dataset.changed.connect(self._measure_if_sampled)
        self.before_start.machine_seen.connect(self.top.machine.show_machine)
        self.before_start.quiet.connect(self.run.start)
        self.before_start.answered.connect(self._show_expected)
        self.preflight_strip.step_chosen.connect(self.steps.take)
        self.verdict.step_chosen.connect(self.steps.take_of_run)
        self.verdict.trials_wanted.connect(self._show_trials)
        self.steps.wait_wanted.connect(self.before_start.wait)
        self.steps.start_wanted.connect(self.run.start)
        self.steps.data_wanted.connect(self.line.fields["data"].click)
        self.before_start.waits.connect(self.verdict.show_waiting)
        self.run.changed.connect(self._refresh)

    def _connect_results(self) -> None:
        self.results.widened.connect(self.views.unselect)
        self.views.narrowed.connect(self.results.show_within)
        self.views.widened.connect(self.results.show_all)
        self.views.decided.connect(self.results.decide)
        self.views.said.connect(self.verdict.show_page)

    def _connect_pages(self) -> None:
        self.top.page_chosen.connect(self.show_page)
        self.start.place_wanted.connect(self.open_place)
        self.start.run_wanted.connect(self.sessions.open)
        self.start.asked.connect(self._ask_typed)
        self.setup.asked.connect(self._fill)
        self.start.page_wanted.connect(self.show_page)
        self.start.sample_wanted.connect(self.measure_sample)
        self.start.work_wanted.connect(self._ask_about)
        self.measuring.began.connect(self._show_run)
        self.held.opened.connect(self._take_opened)
        self.held.opened.connect(lambda _: self.show_page("question"))
        self.sessions.compared.connect(lambda *_: self.show_page("question"))
        self.sessions.compared.connect(self.views.compare_runs)

    def _connect_messages(self) -> None:
        self.held.done.connect(self.say)
        self.held.failed.connect(self.complain)
        self.setup.server.stopped.connect(self._say_stopped)
        self.setup.server.failed.connect(partial(self.complain, self.tr("Stopping the servers")))

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            # Who comes back may have started a server, or changed the data meanwhile.
            self.setup.look_again()
            self.before_start.look_again()

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        return step_focus(self, forward=next)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses the button that has the focus, as in a dialog."""
        button = self.focusWidget()
        plain = event.modifiers() in {_NO_MODIFIER, Qt.KeyboardModifier.KeypadModifier}
        if event.key() in _RETURN and plain and isinstance(button, QAbstractButton):
            button.click()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self._begin)

    def _begin(self) -> None:
        """Load the slower parts once it is visible, and open the place that it was started with.

        Without one, a run that was not finished is offered.
        """
        if self._closing:
            return  # closed before it was painted: nothing may outlive it
        self.views.bring_plots()
        self._preloading.ask(lambda _: preload.bring_judgement())
        self.before_start.begin()
        self.start.look()
        if self.pages.currentWidget() is self.start:
            self.start.field.setFocus()  # a window that became active before has it elsewhere
        if self._first:
            self.dropped.emit(self._first)
        elif (path := self.held.unfinished()) is not None:
            self.show_page("question")
            self.sessions.recover(path)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if places := places_of(event):
            event.acceptProposedAction()
            self.drops.hover(places)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drops.target.hide()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.drops.target.hide()
        self.dropped.emit(places_of(event))

    def open_place(self, place: Place, *others: Place) -> None:
        """Open a session, or ask a first question about data, with what is used beside it."""
        self.show_page("question")
        if isinstance(place, Path) and is_session(place):
            self.sessions.open(place)
        else:
            self.drops.open([place, *others])

    def show_page(self, name: str) -> None:
        match name:
            case "studies":
                self.show_list(self._studies_page())
            case "sessions":
                self.show_list(self.sessions.page())
            case "start":
                self.pages.setCurrentWidget(self.start)
                self.start.field.setFocus()
                if self._painted:
                    self.start.look()
            case _:
                name = "question"
                self.pages.setCurrentWidget(self.question)
                self.line.fields["data"].setFocus()
        self.top.show_page(name)

    @override
    def show_list(self, page: SessionsPage | StudiesPage) -> None:
        if self.pages.indexOf(page) < 0:
            page.set_theme(self._appearance.theme)
            self._appearance.changed.connect(page.set_theme)
        super().show_list(page)

    def _studies_page(self) -> StudiesPage:
        """The published studies, those first that fit the chosen data."""
        if self.studies is None:
            from app.views.studies_page import StudiesPage

            self.studies = StudiesPage()
            self.studies.repeated.connect(self.setup.choose_study)
            self.studies.repeated.connect(lambda _: self.show_page("question"))
        look, results = self.setup.dataset.look, self.run.shown
        kind = look.dataset.kind if look is not None else ""
        self.studies.show_studies(kind, results.study if results is not None else None)
        return self.studies

    def _ask_about(self, workload: str) -> None:
        self._ask_typed(Request.first(workload))

    def _fill(self, request: Request, remark: str) -> None:
        self.steps.fill(request)
        self.say(remark)

    def _ask_typed(self, request: Request) -> None:
        self.show_page("question")
        self._fill(request, "")

    def measure_sample(self) -> None:
        """Make a sample, and measure how many threads suit it."""
        self.show_page("question")
        self._sample = [self.setup.state()]
        first = form_of(Request.first(self.setup.workload), self.setup.state())
        self.history.fill(first, more=True)
        self._sampling = True
        self.setup.dataset.make_sample()

    def _measure_if_sampled(self) -> None:
        if self._sampling and self.setup.dataset.look is not None:
            self._sampling = False
            self._sample = [*self._sample[:1], self.setup.state()]
            self.run.start()

    def _refresh(self) -> None:
        """Bring the buttons, the reason and the command line up to date with the form."""
        running = self.measuring.running
        request = self.setup.request()
        form_problem = self.setup.form_problem()
        problem = form_problem or self.setup.data_problem(request)
        self.start_button.setEnabled(not running and not problem)
        self.start_button.setToolTip(as_tip(problem or self.tr("Measure (Ctrl+Return)")))
        self.cancel_button.setEnabled(running and not self.measuring.cancelling)
        self.line.go.setCurrentIndex(int(running))
        self.ask(asks=not running and not self._answered)
        self.before_start.follow(problem)
        self.verdict.ask(request.question)
        self.top.machine.say_distance(request.distance)
        if problem or self._problem:  # whose reason goes with it
            steps = (core.NextStep.choosing_data(problem),) if problem and not form_problem else ()
            self.verdict.show_plan(problem, steps=steps)
        if self._answered and problem != self._problem:  # the settings that say why are closed
            self.say(self.tr("Measure waits: {}").format(problem) if problem else "")
        self._problem = problem
        self.command.show_command(*self._command_for(request, form_problem))
        self.refreshed.emit()

    def _show_expected(self, look: Preflight) -> None:
        """Say what would be measured; where nothing can be, the reason why stays."""
        self.views.show_plan(look.planned)
        if look.expected:
            self.verdict.show_plan(look.expected, look.compared)

    def _show_trials(self) -> None:
        self.results.choose_kind("trials")
        self.views.setCurrentWidget(self.results)

    def _command_for(self, request: Request, problem: str) -> tuple[str, str]:
        """The line at the foot, or why there is none: of an opened run while nothing is changed."""
        if self._opened is not None and self._opened[0] == self.setup.state():
            return self._opened[1], self.tr(
                "What this run was asked is not known here, or is somebody else's"
            )
        return "" if problem else request.as_measured().command_line(), problem

    def _take_opened(self, opened: Opened) -> None:
        self._opened = self.setup.state(), opened.command
        self._refresh()

    def _show_run(self) -> None:
        self._opened = None
        if self.pages.currentWidget() is not self.question:
            self.show_page("question")

    def _say_stopped(self, names: list[str]) -> None:
        stopped = self.tr("Stopped: {}").format(", ".join(names))
        self.say(stopped if names else self.tr("No server was running"))

    def say_what_is_waited_for(self) -> None:
        """The window was closed a while ago, but something does not end."""
        self.say(
            self.tr(
                "Waiting for something that does not end, such as a server of files that is gone; "
                "close the window again to end at once. What was measured is kept"
            )
        )

    def close_down(self) -> None:
        """Cancel, and ignore pending answers, because the window closes."""
        self._closing = True
        self.measuring.cancel()
        self.before_start.close_down()
        drop_questions(self)
