"""The sessions of the window: the one that is held, its runs, and all there are."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

import core
from app.style import dialogs
from app.table.table_rows import NO_ROWS, rows_of_runs
from app.work.question import Question

if TYPE_CHECKING:
    from app.shell.plan_consent import PlanConsent
    from app.shell.run import RunActions, StepActions
    from app.shell.window_parts import WindowParts
    from app.views.sessions_page import SessionsPage
    from core import Opened, Origin, Prepared, RunsBeside


class Sessions(QObject):
    """Asks the user which session, and what for, and has it done."""

    compared = Signal(object, object)
    """The answers of two runs (Origin) are to be compared."""

    def __init__(
        self,
        parts: WindowParts,
        run: RunActions,
        steps: StepActions,
        consent: PlanConsent,
    ) -> None:
        super().__init__(parts)
        self._parts, self._held, self._measuring = parts, parts.held, parts.measuring
        self._run, self._steps, self._consent = run, steps, consent
        self._recovering = False
        self.browser: SessionsPage | None = None
        """The list of all sessions, once it was asked for."""
        self._held.opened.connect(self._take_opened)
        self._held.damaged.connect(
            lambda path, why: dialogs.offer_to_salvage(parts, why, lambda: self._held.salvage(path))
        )
        run.changed.connect(self._show_runs)
        parts.verdict.run_wanted.connect(self._show_run)

    def open(self, path: Path, run: int = 0) -> None:
        """Show a run of a session, or its last one; the next run is added to it."""
        self._held.open(path, run or None)

    def choose(self) -> None:
        if (path := dialogs.session_to_open(self._parts)) is not None:
            self.open(path)

    def recover(self, path: Path) -> None:
        """Open the session of a run that was not finished."""
        self._recovering = True
        self.open(path)

    def new(self) -> None:
        """Close the session; the next run begins another."""
        self._held.let_go()
        self._measuring.clear()
        self._run.clear()
        self._parts.verdict.clear()
        self._run.changed.emit()

    def page(self) -> SessionsPage:
        """Every run in the sessions of the folder, to open, to compare or to tidy them."""
        if self.browser is None:
            from app.views.sessions_page import SessionsPage

            answers = self._parts.start.runs.answers
            self.browser = SessionsPage(self._parts.pool, lambda: self._held.place, answers)
            self.browser.chosen.connect(self.open)
            self.browser.compared.connect(self.compared)
        return self.browser

    def _show_runs(self) -> None:
        now = self._measuring.now
        runs = self._held.run_titles()
        self._parts.verdict.show_runs(runs, now.run.id if now is not None else None)

    def _show_run(self, number: int) -> None:
        """Show another run of the session; what is measured now is not left."""
        if not self._measuring.running and self._held.place is not None:
            self._held.open(self._held.place, number)

    def rename(self) -> None:
        self._held.rename(dialogs.new_title(self._parts, self._held.title()))

    def show_notes(self) -> None:
        now = self._measuring.now
        run = now.run.id if now is not None else None
        dialogs.NotesDialog(
            self._held.notes(), lambda text: self._held.note(text, run), self._parts
        ).open()

    def save_copy(self) -> None:
        title = self.tr("Save a copy of the session")
        path = dialogs.place_for(self._parts, title, self._held.stem, ".sluice")
        if path is not None:
            self._held.copy_to(path)

    def _take_opened(self, opened: Opened) -> None:
        """Show the run of an opened session, and offer to measure what is left of it."""
        prepared, recovering, self._recovering = opened.prepared, self._recovering, False
        if self._measuring.running or (recovering and opened.busy):
            prepared.session.close()  # what another window measures is that window's
            return
        if recovering:
            self._held.remember(begun=False)
        if self._held.place != prepared.session.path:
            self._run.show_answer_first()
        self._held.hold(prepared.session, opened.title)
        self._run.clear_live()
        self._parts.views.show_recorded(opened.labelled)
        self._measuring.show(prepared)
        if opened.request is not None:
            self._steps.fill(opened.request)
        opened_it = self.tr("Opened {}")
        if not prepared.trusted:
            opened_it = self.tr("Opened {}; somebody else has begun it, so it stays as it is")
        opened_it = opened_it.format(prepared.session.path.name)
        self._run.say_remarks(prepared, otherwise=opened_it)
        self._run.changed.emit()
        if opened.remaining:
            resume = partial(self._resume, prepared)
            title = self._held.title()
            self._consent.ask_about_remaining(prepared, title, opened.remaining, resume)

    def _resume(self, prepared: Prepared) -> None:
        if not self._measuring.running and self._held.session is prepared.session:
            self._measuring.start(prepared.rest_of(prepared.session, prepared.run.id))


class AllRuns(QObject):
    """Fills the table of all runs while it is looked at; else it only counts the runs."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._parts = parts
        self._held, self._measuring, self._table = parts.held, parts.measuring, parts.results
        self._table_visible = False
        self._last: RunsBeside | None = None
        """The runs that were read last, and need not be read again."""
        self._reading = Question(parts.pool, self)
        self._reading.answered.connect(self._show)
        self._reading.refused.connect(partial(parts.complain, self.tr("Reading the runs")))
        self._held.renamed.connect(lambda _: self.refresh())
        self._measuring.summed_up.connect(lambda _: self.refresh() if self._table_visible else None)
        self._measuring.ended.connect(lambda _: self.refresh())
        self._table.runs_wanted.connect(self._take_kind)
        self._table.run_wanted.connect(self._show_run)

    def refresh(self) -> None:
        """Count the runs, and read them again where the table shows them."""
        own, before = self._held.place, self._last
        self._table.count_runs(len(self._held.run_titles()))
        if own is None or not self._table_visible:
            self._table.show_runs(NO_ROWS)
        else:
            # The pool's thread imports the module of `core.RunsBeside`.
            self._reading.ask(lambda _: core.RunsBeside.of([own], before, whole=True))

    def _take_kind(self, visible: bool) -> None:
        self._table_visible = visible
        if visible:
            self.refresh()

    def _show(self, runs: RunsBeside) -> None:
        self._last = runs
        if runs.table is not None:
            now = self._measuring.now
            here = None if now is None else core.Origin(now.session.path, now.run.id)
            self._table.show_runs(rows_of_runs(runs.table, runs.runs, here))

    def _show_run(self, origin: Origin) -> None:
        if not self._measuring.running:
            self._held.open(origin.session, origin.run)
