"""What the menu asks of sessions: to open, list, add, rename, annotate or copy one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, Signal
from PySide6.QtWidgets import QWidget

from app.style import dialogs

if TYPE_CHECKING:
    from app.shell.all_runs import AllRuns
    from app.views.sessions_page import SessionsPage
    from app.work.session_actions import SessionActions
    from app.work.shown_run import Measuring


class SessionCommands(QObject):
    """Asks the user which session, and what for, and has it done."""

    compared = Signal(object, object)
    """The answers of two runs (Origin) are to be compared."""

    def __init__(
        self,
        pool: QThreadPool,
        window: QWidget,
        desk: SessionActions,
        measuring: Measuring,
        runs: AllRuns,
    ) -> None:
        """`window`: dialogs open over it."""
        super().__init__(window)
        self._pool, self._window = pool, window
        self._desk, self._measuring, self._runs = desk, measuring, runs
        self.browser: SessionsPage | None = None
        """The list of all sessions, once it was asked for."""

    def open(self, path: Path) -> None:
        """Show the last run of a session; the next run is added to it."""
        self._runs.forget()
        self._desk.open(path)

    def choose(self) -> None:
        """Open a session of the user's choice."""
        if (path := dialogs.session_to_open(self._window)) is not None:
            self.open(path)

    def page(self) -> SessionsPage:
        """Every run in the sessions of the folder, to open, to compare or to tidy them."""
        if self.browser is None:
            from app.views.sessions_page import SessionsPage

            self.browser = SessionsPage(self._pool, lambda: self._desk.place)
            self.browser.chosen.connect(self._show_run)
            self.browser.compared.connect(self.compared)
        return self.browser

    def _show_run(self, path: Path, run: int) -> None:
        self._runs.forget()
        self._desk.open(path, run or None)

    def add(self) -> None:
        """Show the runs of a session of the user's choice beside those that are here."""
        title = self.tr("Add a session")
        if (path := dialogs.session_to_open(self._window, title)) is not None:
            self._runs.add(path)

    def rename(self) -> None:
        """Ask for another title."""
        self._desk.rename(dialogs.new_title(self._window, self._desk.title()))

    def show_notes(self) -> None:
        """Show the session's notes, and add one."""
        now = self._measuring.now
        run = now.run.id if now is not None else None
        dialogs.NotesDialog(
            self._desk.notes(), lambda text: self._desk.note(text, run), self._window
        ).open()

    def save_copy(self) -> None:
        """Ask where to, and copy the session."""
        title = self.tr("Save a copy of the session")
        path = dialogs.place_for(self._window, title, self._desk.stem, ".sluice")
        if path is not None:
            self._desk.copy_to(path)

    def drop(self) -> None:
        """The window closes: ignore pending answers."""
        if self.browser is not None:
            self.browser.drop()
