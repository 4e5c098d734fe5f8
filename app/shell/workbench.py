"""The window's content: joins the panels to the run and its session, and decides nothing."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QEvent, QSettings, QThreadPool, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.setup.command_line import CommandLine
from app.setup.kept_form import Unreadable, form_from, text_of
from app.setup.setup_panel import SetupPanel
from app.setup.undo import FormHistory
from app.shell.all_runs import AllRuns
from app.shell.before_start import BeforeStart
from app.shell.first_steps import FirstSteps
from app.shell.panes import Panes, Sides
from app.shell.report_actions import ReportActions
from app.shell.session_commands import SessionCommands
from app.shell.step_actions import StepActions
from app.style import dialogs
from app.style.tab_order import step_focus
from app.style.tip import as_tip
from app.table.table_panel import TablePanel
from app.views.answer_card import AnswerCard
from app.views.plot_actions import PlotActions
from app.views.running_trial import PhaseStrip
from app.views.tabs import RunViews
from app.work import preload
from app.work.question import Question
from app.work.session_actions import SessionActions
from app.work.shown_run import Measuring
from core import (
    Headline,
    InvalidParameter,
    SluiceError,
    command_line,
    program_here,
    request_of,
    usable_cores,
)

if TYPE_CHECKING:
    from app.style.theme import Appearance
    from app.table.table_rows import Row
    from app.work.preparation import Opened, Prepared, Shown
    from core import (
        Event,
        Format,
        LocalServers,
        NextStep,
        RunProgress,
    )

_THREADS = 6
"""More than cores: most of them wait for a child, a server or a file."""


class Workbench(QWidget):
    """Everything in the window: one session, at most one run at a time."""

    refreshed = Signal()
    """The possible actions may have changed."""
    progressed = Signal(str)
    """How far the run is, in a few words; empty when none goes on."""
    finished = Signal(str, float)
    """How a run ended, and the seconds that it took."""

    def __init__(
        self,
        settings: QSettings,
        appearance: Appearance,
        servers: LocalServers | None = None,
    ) -> None:
        """`servers`: those of the user's own lab, if None."""
        super().__init__()
        self._settings = settings
        self.pool = QThreadPool(self, maxThreadCount=_THREADS)
        self._shown: Shown | None = None
        self._painted = self._dropped = False
        self._recovering = False
        self._answered = True
        """Whether the answer of the last run was shown."""
        self._first: Path | None = None
        self._import = Question(self.pool, self)
        self.measuring = Measuring(self.pool, self)
        self.desk = SessionActions(self.pool, settings, self)
        self.setAcceptDrops(True)
        self._make_parts(servers)
        self._lay_out()
        self.history = FormHistory(self.setup)
        self.reports = ReportActions(self.pool, self, self.measuring, self.desk.write)
        self.steps = StepActions(self.measuring, self.history, self.views, self.reports)
        self.runs = AllRuns(self.pool, self.desk, self.measuring, self.results)
        self.sessions = SessionCommands(self.pool, self, self.desk, self.measuring, self.runs)
        self._connect()
        self._follow(appearance)
        self._restore()
        self._refresh()

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
        return self._shown is not None and bool(self._shown.results)

    # What there is.

    def _make_parts(self, servers: LocalServers | None) -> None:
        self.setup = SetupPanel(self.pool, self._settings, int(usable_cores()), servers)
        self.start_button = QPushButton(self.tr("▶ Start"))
        self.start_button.setProperty("part", "start")
        self.start_button.setAccessibleName(self.tr("Start"))
        self.cancel_button = QPushButton(self.tr("■ Cancel"))
        self.cancel_button.setAccessibleName(self.tr("Cancel"))
        self.cancel_button.setToolTip(self.tr("End the run and keep what was measured (Esc)"))
        self.strip = PhaseStrip()
        self.preflight = BeforeStart(self.pool, self, self.setup, self.measuring)
        self.before = self.preflight.strip
        self.first_steps = FirstSteps()
        self.views = RunViews(self.pool)
        self.verdict = AnswerCard(self.views.numbers)
        self.plotting = PlotActions(self.views, self.desk, self.pool)
        self.results = TablePanel(self._settings)
        self.command = CommandLine()

    def _lay_out(self) -> None:
        self._panes = Panes(self.views, self.results)
        right = _column(self.first_steps, self.verdict, self._panes, margins=(12, 0, 12, 0))
        self._sides = Sides(self.setup, right)
        self.setup.setMinimumWidth(320)
        top = QHBoxLayout()
        top.addWidget(self.start_button)
        top.addWidget(self.cancel_button)
        top.addWidget(self.strip, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(10, 8, 10, 8)
        whole.addLayout(top)
        whole.addWidget(self.before)
        whole.addWidget(self._sides, 1)
        whole.addWidget(self.command)

    def _connect(self) -> None:
        self.start_button.clicked.connect(self.start)
        self.cancel_button.clicked.connect(self.cancel)
        self.setup.changed.connect(self._refresh)
        self.results.chosen.connect(self._show_chosen)
        self.results.widened.connect(self.views.unselect)
        self.views.narrowed.connect(self.results.show_within)
        self.views.widened.connect(self.results.show_all)
        self.views.decided.connect(self.results.decide)
        self.results.view.hovered.connect(self.views.point_out)
        self.first_steps.sample_wanted.connect(self.setup.dataset.make_sample)
        self.first_steps.sweep_wanted.connect(self.setup.sweep_threads)
        self.first_steps.start_wanted.connect(self.start)
        self.first_steps.closed.connect(lambda: self._keep_first_steps(shown=False))
        self.measuring.began.connect(self._show_beginning)
        self.measuring.prepared.connect(self._take_prepared)
        self.measuring.kept.connect(self.views.show_kept)
        self.measuring.happened.connect(self._take)
        self.measuring.summed_up.connect(self._show_results)
        self.measuring.unreadable.connect(
            lambda why: dialogs.complain(self, self.tr("Reading the session"), why)
        )
        self.measuring.ended.connect(self._take_end)
        self.setup.server.stopped.connect(self._say_stopped)
        self.setup.server.failed.connect(
            lambda why: dialogs.complain(self, self.tr("Stopping the servers"), why)
        )
        self.verdict.step_chosen.connect(self.steps.take)
        self.before.step_chosen.connect(self.steps.take)
        self.preflight.fitted.connect(self._take_fitting)
        self.verdict.copied.connect(lambda: self.strip.finish(self.tr("Copied"), 0.0))
        self.reports.done.connect(lambda said: self.strip.finish(said, 0.0))
        self.reports.failed.connect(lambda doing, why: dialogs.complain(self, doing, why))
        self.desk.opened.connect(self._take_opened)
        self.desk.damaged.connect(
            lambda path, why: dialogs.offer_to_salvage(self, why, lambda: self.desk.salvage(path))
        )
        self.desk.done.connect(lambda said: self.strip.finish(said, 0.0))
        self.desk.failed.connect(lambda doing, why: dialogs.complain(self, doing, why))
        self.runs.failed.connect(lambda doing, why: dialogs.complain(self, doing, why))
        self.runs.changed.connect(self.refreshed)

    def _follow(self, appearance: Appearance) -> None:
        for part in (self.views, self.results):
            part.set_theme(appearance.theme)
            appearance.changed.connect(part.set_theme)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.preflight.look_again()  # who comes back may have changed the data meanwhile

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        return step_focus(self, forward=next)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self._begin)

    def _begin(self) -> None:
        """Called once it is visible: load the slower parts, and offer an unfinished run."""
        if self._dropped:
            return  # closed before it was painted: nothing may outlive it
        self.views.bring_plots()
        self._import.ask(lambda _: preload.bring_judgement())
        self.preflight.begin()
        if self.window().focusWidget() is None:
            self.setup.dataset.setFocus()
        if self._first is not None:
            self.open_place(self._first)
        elif (path := self.desk.unfinished()) is not None:
            self._recovering = True
            self.sessions.open(path)

    def _restore(self) -> None:
        self._panes.restore(self._settings.value("panes"))
        self._sides.restore(self._settings.value("sides"))
        if (kept := self._settings.value("form")) is not None:
            self._restore_form(kept)
        self._keep_first_steps(shown=str(self._settings.value("guide", "true")) == "true")

    def _restore_form(self, kept: object) -> None:
        """Fill in the form; what cannot be read is set aside, and keeps nobody from working."""
        before = self.setup.state()
        try:
            self.history.restore(form_from(kept))
        except (Unreadable, InvalidParameter, ArithmeticError):
            self.history.restore(before)
            self._settings.setValue("form set aside", kept)
            self._settings.remove("form")
            said = self.tr("The form of last time cannot be read; it is set aside in the settings")
            self.strip.finish(said, 0.0)

    def keep_state(self) -> None:
        """Save the panes and the form for the next start."""
        if (sides := self._sides.state) is not None:
            self._settings.setValue("sides", sides)
        if (panes := self._panes.state) is not None:
            self._settings.setValue("panes", panes)
        self._settings.setValue("form", text_of(self.setup.state()))

    def show_first_steps(self) -> None:
        """Show the first steps again."""
        self._keep_first_steps(shown=True)

    def _keep_first_steps(self, *, shown: bool) -> None:
        self._settings.setValue("guide", "true" if shown else "false")
        self.first_steps.setVisible(shown)
        self.results.setVisible(not shown or self._shown is not None)

    # What is asked for.

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        place = next(url for url in event.mimeData().urls() if url.isLocalFile())
        event.acceptProposedAction()
        self.open_place(Path(place.toLocalFile()))

    def open_first(self, path: Path) -> None:
        """Open this when everything is there, in place of a run that was not finished."""
        self._first = path

    def open_place(self, path: Path) -> None:
        """Open a session, or choose a dataset."""
        if path.suffix == ".sluice":
            self.sessions.open(path)
        else:
            self.preflight.expect_dropped()
            self.setup.dataset.choose(path)

    def _refresh(self) -> None:
        """Bring the buttons, the reason and the command line up to date with the form."""
        running = self.measuring.running
        request = self.setup.request()
        refused = self.setup.form_problem(request)
        problem = refused or self.setup.data_problem(request)
        self.start_button.setEnabled(not running and not problem)
        self.start_button.setToolTip(as_tip(problem or self.tr("Measure (Ctrl+Return)")))
        self.cancel_button.setEnabled(running and not self.measuring.cancelling)
        self.first_steps.refresh(
            size=self.setup.dataset.sample_size,
            dataset=self.setup.dataset.look is not None,
            axes=bool(request.axes),
            ready=not running and not problem,
        )
        self.preflight.follow(problem)
        self.command.show_command("" if refused else command_line(request, program_here()), refused)
        self.refreshed.emit()

    def _take_fitting(self, step: NextStep, why: str) -> None:
        self.steps.take(step)
        self.strip.finish(why, 0.0)

    def _say_stopped(self, names: list[str]) -> None:
        said = self.tr("Stopped: {}").format(", ".join(names))
        self.strip.finish(said if names else self.tr("No server was running"), 0.0)

    # A run.

    def start(self) -> None:
        """Measure what the form asks for."""
        look = self.setup.dataset.look
        if self.measuring.running or look is None or self.setup.problem():
            return
        from app.work.preparation import preparation

        self.measuring.start(preparation(self.setup.request(), look.dataset, self.desk.session))

    def cancel(self) -> None:
        """End the run; what was measured is kept."""
        if self.measuring.running:
            self.measuring.cancel()
            self.strip.finish(self.tr("Cancelling…"), self.measuring.watch.elapsed)
            self._refresh()

    def _show_beginning(self) -> None:
        self._keep_first_steps(shown=False)
        self._shown = None
        self.results.clear()
        self._clear_live()
        self.views.show_live()
        self._answered = False
        self.verdict.show_running()
        self._refresh()

    def _take_prepared(self, prepared: Prepared) -> None:
        self.desk.hold(prepared.session)
        self.desk.remember(begun=True)
        self._refresh()

    def _take(self, events: tuple[Event, ...]) -> None:
        self.views.take(events, self.measuring.watch)
        if not self.measuring.cancelling:
            self.strip.show_watch(self.measuring.watch)
            self._tell_progress(self.measuring.watch)
        self._count()
        if events:
            self.preflight.say()

    def _tell_progress(self, watch: RunProgress) -> None:
        told = self.tr("{share} · {left} left")
        share = f"{math.floor(100 * watch.share)} %"
        self.progressed.emit(told.format(share=share, left=watch.left) if watch.of else "")

    def _count(self) -> None:
        self.strip.count(self.measuring.errors, self.measuring.wrong)

    def _take_end(self, reason: str) -> None:
        said = self.measuring.said or self.tr("Done")
        self.strip.finish(reason or said, self.measuring.watch.elapsed)
        self.finished.emit(reason or said, self.measuring.watch.elapsed)
        self.verdict.end_running()
        self.progressed.emit("")
        self._count()
        self.desk.remember(begun=False)
        if reason:
            self.verdict.show_headline(
                Headline(mood="bad", text=self.tr("Not measured"), detail=reason)
            )
        self._refresh()

    def _show_results(self, found: Shown) -> None:
        self._shown = found
        self.results.show()  # the first steps had its place
        self.results.show_results(found)
        self._panes.settle()
        self.views.show_results(found)
        self.verdict.show_card(found.card, found.next.steps)
        if found.next.steps:
            self.desk.keep_headline(found.headline.text)
        if found.next.steps and not self._answered:
            self._answered = True
            self.views.show_answer()
        self._refresh()

    def _show_chosen(self, rows: tuple[Row, ...]) -> None:
        self.views.show_chosen(rows, running=self.measuring.running)

    def _clear_live(self) -> None:
        self.views.clear()
        self.strip.clear()

    # Sessions.

    def new_session(self) -> None:
        """Close the session; the next run begins another."""
        self.runs.forget()
        self.desk.let_go()
        self.measuring.clear()
        self._shown = None
        self.results.clear()
        self.verdict.clear()
        self._clear_live()
        self._refresh()

    def _take_opened(self, opened: Opened) -> None:
        prepared, recovering, self._recovering = opened.prepared, self._recovering, False
        if self.measuring.running or (recovering and opened.busy):
            prepared.session.close()  # what another window measures is that window's
            return
        if recovering:
            self.desk.remember(begun=False)
        self.desk.hold(prepared.session)
        self.first_steps.hide()  # until the next start, or the menu Help
        self._clear_live()
        self.views.show_recorded(opened.seen)
        self.measuring.show(prepared)
        self._show_asked(prepared)
        name = prepared.session.path.name
        self.strip.finish(self.tr("Opened {}").format(name), 0.0)
        self._count()
        self._refresh()
        if opened.remaining:
            dialogs.offer_to_resume(
                self, self.desk.title(), opened.remaining, lambda: self._resume(prepared)
            )

    def _show_asked(self, prepared: Prepared) -> None:
        """Fill in the form with what the opened run was asked for, as far as it is known here."""
        with suppress(SluiceError):  # such as a workload or a study of another version
            self.steps.fill(request_of(prepared.run.plan))

    def _resume(self, prepared: Prepared) -> None:
        if not self.measuring.running and self.desk.session is prepared.session:
            from app.work.preparation import resumption

            self.measuring.start(resumption(prepared.session, prepared.run.id))

    def choose_export(self, form: Format) -> None:
        """Ask where to, and export."""
        if (path := dialogs.place_for_export(self, form, self.desk.stem)) is not None:
            self.export(form, path)

    def export(self, form: Format, path: Path) -> None:
        """Write the shown run's results."""
        if self._shown is not None:
            self.desk.export(self._shown.results, form, path)

    # The end.

    def say_what_is_waited_for(self) -> None:
        """The window was closed a while ago, but something does not end."""
        self.strip.finish(
            self.tr(
                "Waiting for something that does not end, such as a server of files that is gone; "
                "close the window again to end at once. What was measured is kept"
            ),
            0.0,
        )

    def drop(self) -> None:
        """The window closes: cancel, and ignore pending answers."""
        self._dropped = True
        self.measuring.drop()
        self.preflight.drop()
        self.sessions.drop()
        self.desk.drop()
        self.runs.drop()
        self.plotting.drop()
        self.reports.drop()
        self.views.drop()
        self.setup.dataset.drop_questions()
        self.setup.server.drop()


def _column(
    *parts: QWidget | QHBoxLayout, margins: tuple[int, int, int, int] = (0, 0, 0, 0)
) -> QWidget:
    widget = QWidget()
    column = QVBoxLayout(widget)
    column.setContentsMargins(*margins)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    return widget
