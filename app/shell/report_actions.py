"""The report of the session that is shown: made in the background, then shown in a window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QThreadPool, Signal
from PySide6.QtWidgets import QWidget

from app.work.question import Question

if TYPE_CHECKING:
    from app.shell.report_window import ReportWindow
    from app.work.shown_run import Measuring
    from core import Paper, Session


class _Made(NamedTuple):
    paper: Paper
    place: Path
    """Where the report for a browser is."""


class ReportActions(QObject):
    """Makes reports, one after the other, and shows each in a window of its own."""

    failed = Signal(str, str)
    """What was being done, and why it failed."""
    done = Signal(str)
    """What was done, in one sentence."""

    def __init__(
        self,
        pool: QThreadPool,
        window: QWidget,
        measuring: Measuring,
        write: Callable[[Path, bytes], None],
    ) -> None:
        super().__init__(window)
        self._window, self._measuring, self._write = window, measuring, write
        self.shown: ReportWindow | None = None
        """The window that was opened last, as long as it is open."""
        self._making = Question(pool, self)
        self._making.answered.connect(self._show)
        self._making.refused.connect(
            lambda why: self.failed.emit(self.tr("Writing the report"), why)
        )

    def show_report(self) -> None:
        """Show the report of the session as soon as it is made."""
        if (now := self._measuring.now) is not None:
            self.done.emit(self.tr("Writing the report…"))
            self._making.ask(lambda _: _made(now.session))

    def _show(self, made: _Made) -> None:
        from app.shell.report_window import ReportWindow  # few need it at once

        self.done.emit(self.tr("The report: {}").format(made.place))
        window = ReportWindow(self._window.window(), made.paper, made.place, self._write)
        self.shown = window
        window.destroyed.connect(lambda: self._forget(window))
        window.show()

    def _forget(self, window: ReportWindow) -> None:
        if self.shown is window:
            self.shown = None

    def drop(self) -> None:
        """The window closes: ignore pending answers."""
        self._making.drop()


def _made(session: Session) -> _Made:
    from core import Paper

    return _Made(*Paper.in_cache(session))
