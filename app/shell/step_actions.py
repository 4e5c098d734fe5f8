"""What the buttons of the card do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app.setup.asked_form import form_of
from app.work.preparation import compared_with_last, repetition
from app.work.question import Question
from core import (
    Act,
    NextStep,
    Request,
    Session,
    cache_folder,
    study_names,
    workloads,
    write_whole,
)

if TYPE_CHECKING:
    from app.setup.undo import FormHistory
    from app.views.tabs import RunViews
    from app.work.shown_run import Measuring


class StepActions(QObject):
    """Carries out a step on the run that is shown."""

    failed = Signal(str, str)
    """What was being done, and why it failed."""
    done = Signal(str)
    """What was done, in one sentence."""

    def __init__(
        self, pool: QThreadPool, measuring: Measuring, history: FormHistory, views: RunViews
    ) -> None:
        super().__init__(views)
        self._measuring, self._history, self._views = measuring, history, views
        self._reporting = Question(pool, self)
        self._reporting.answered.connect(self._show_report)
        self._reporting.refused.connect(
            lambda why: self.failed.emit(self.tr("Writing the report"), why)
        )

    def take(self, step: NextStep) -> None:
        """Do what a step says."""
        match step.act:
            case Act.MEASURE if step.request is not None:
                self._measure(step.request)
            case Act.FILL if step.request is not None:
                self.fill(step.request)
            case Act.EXPLAIN:
                self._views.show_why()
            case Act.COMPARE:
                self._compare()
            case Act.REPORT:
                self._report()
            case _:
                pass

    def fill(self, request: Request) -> None:
        """Show a request in the form, if that knows it; Undo brings back what was there."""
        known = request.study in study_names() if request.study else request.workload in workloads()
        if not known:
            return
        self._history.fill(form_of(request, self._history.form.state()))

    def _measure(self, request: Request) -> None:
        """Measure on the data of the shown run, whatever the form has chosen meanwhile."""
        now = self._measuring.now
        if now is None or self._measuring.running:
            return
        self.fill(request)
        self._measuring.start(repetition(request, now))

    def _compare(self) -> None:
        if (now := self._measuring.now) is not None:
            trials = tuple(self._measuring.trials)
            self._views.compare_with_last(lambda: compared_with_last(now, trials))

    def _report(self) -> None:
        if (now := self._measuring.now) is not None:
            self.done.emit(self.tr("Writing the report…"))
            self._reporting.ask(lambda _: _written(now.session))

    def _show_report(self, path: Path) -> None:
        self.done.emit(self.tr("The report: {}").format(path))
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def drop(self) -> None:
        """The window closes: ignore pending answers."""
        self._reporting.drop()


def _written(session: Session) -> Path:
    """The report of a session, in the cache: it can be made again at any time."""
    from core import render_report, report_of

    folder = cache_folder() / "reports"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session.path.stem}.html"
    page = render_report(report_of(session)).encode()
    write_whole(path, lambda stream: stream.write(page))
    return path
