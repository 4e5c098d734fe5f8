"""The run that the window shows: the one in progress, or one that was opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, Signal

from app.work.job import Job
from app.work.question import Question

if TYPE_CHECKING:
    from core import (
        Event,
        Prepared,
        RunProgress,
        Shown,
        Trial,
    )


class Measuring(QObject):
    """At most one run at a time; reports its events and a summary of its results so far."""

    began = Signal()
    prepared = Signal(object)
    """The run has a session now (Prepared)."""
    happened = Signal(object)
    """A tuple of events, ten times a second; empty if only time has passed."""
    summed_up = Signal(object)
    """The summary of the trials so far (Shown)."""
    unreadable = Signal(str)
    """Why the trials cannot be summed up."""
    ended = Signal(str)
    """Why it could not be carried out; empty if it was."""

    def __init__(self, pool: QThreadPool, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = pool
        self._job: Job | None = None
        self._summary = Question(pool, self)
        self._summary.answered.connect(self.summed_up)
        self._summary.refused.connect(self.unreadable)
        self._watch: RunProgress | None = None
        self.now: Prepared | None = None
        """The run that the window shows."""
        self.cancelling = False

    @property
    def watch(self) -> RunProgress:
        """How far the run is, from its start on."""
        if self._watch is None:
            from core import RunProgress

            self._watch = RunProgress()
        return self._watch

    @property
    def running(self) -> bool:
        """Whether a run is in progress."""
        return self._job is not None

    @property
    def trials(self) -> list[Trial]:
        """All trials of the run so far."""
        return self.watch.trials

    @property
    def said(self) -> str:
        """How it ended, or what a search is about to do."""
        over = self.watch.over
        if over is None:
            return self.watch.said
        said = (
            self.tr("Cancelled; trials measured and kept: {trials} of {of}")
            if over.cancelled
            else self.tr("Done; trials: {trials}")
        )
        return said.format(trials=over.trials, of=over.of)

    def start(self, prepare: Callable[[], Prepared]) -> None:
        """Measure what `prepare` returns; the pool's thread calls it."""
        assert self._job is None
        self.clear()
        self._watch = self.watch  # its clock begins now
        self._job = Job(prepare, self)
        self._job.happened.connect(self._take)
        self._job.ended.connect(self._take_end)
        self.began.emit()
        self._job.start(self._pool)

    def cancel(self) -> None:
        """End the run; what was measured is kept."""
        if self._job is not None:
            self.cancelling = True
            self._job.cancel()

    def show(self, opened: Prepared) -> None:
        """Show a run that was measured before."""
        self.clear()
        self.now = opened
        self.trials.extend(opened.trials)
        self._sum_up(over=True)

    def clear(self) -> None:
        """Show no run."""
        self._summary.drop()
        self.now = self._watch = None
        self.cancelling = False

    def drop(self) -> None:
        """Cancel the run and stop waiting for answers, because the window closes."""
        self.cancel()
        self._summary.drop()

    def _take(self, events: tuple[Event, ...]) -> None:
        assert self._job is not None
        if self.now is None and self._job.prepared is not None:
            self.now = self._job.prepared
            self.trials.extend(self.now.trials)
            self.prepared.emit(self.now)
        known = self._known()
        for event in events:
            self.watch.take(event)
        self.happened.emit(events)
        if self.trials and self._known() != known:
            self._sum_up()

    def _known(self) -> object:
        """What the summary is made from, as far as it changes while the run goes on."""
        watch = self.watch
        return len(watch.trials), bool(watch.kept), watch.advice

    def _take_end(self, reason: str) -> None:
        assert self._job is not None
        self._job.deleteLater()
        self._job = None
        self.cancelling = False
        self.ended.emit(reason)
        if not reason:
            self._sum_up(over=True)  # it says more, now that nothing follows

    def _sum_up(self, *, over: bool = False) -> None:
        prepared, trials, advice = self.now, tuple(self.trials), self.watch.advice
        if prepared is None:
            return

        def summary(_: object) -> Shown:
            from core import Shown  # on the pool's thread

            return Shown.of(prepared, trials, advice, over=over)

        self._summary.ask(summary)
