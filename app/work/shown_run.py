"""The run that the window shows: the one in progress, or one that was opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, Signal

from app.work.job import Job
from app.work.question import Question

if TYPE_CHECKING:
    from core import (
        Advice,
        Event,
        Prepare,
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
    kept = Signal(object)
    """Trials that were measured before, each with its name; emitted when a run is resumed."""
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
        self._advice: Advice | None = None
        self._summary = Question(pool, self)
        self._summary.answered.connect(self.summed_up)
        self._summary.refused.connect(self.unreadable)
        self._watch: RunProgress | None = None
        self.now: Prepared | None = None
        """The run that the window shows."""
        self.trials: list[Trial] = []
        self.cancelling = False
        self.said = ""
        """How it ended, or what a search is about to do."""

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
    def errors(self) -> int:
        """Failed operations so far, including those of the current trial."""
        live = self.watch.errors if self.running else 0
        return live + sum(trial.errors for trial in self.trials)

    @property
    def wrong(self) -> int:
        """Operations with wrong data so far, including those of the current trial."""
        live = self.watch.wrong if self.running else 0
        return live + sum(trial.wrong for trial in self.trials)

    def start(self, prepare: Prepare) -> None:
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
        self.now, self.trials = opened, list(opened.trials)
        self._sum_up(over=True)

    def clear(self) -> None:
        """Show no run."""
        self._summary.drop()
        self.now, self.trials, self._advice = None, [], None
        self.cancelling, self.said = False, ""
        self._watch = None

    def drop(self) -> None:
        """Cancel the run and stop waiting for answers, because the window closes."""
        self.cancel()
        self._summary.drop()

    def _take(self, events: tuple[Event, ...]) -> None:
        assert self._job is not None
        if self.now is None and self._job.prepared is not None:
            self.now = self._job.prepared
            self.trials = list(self.now.trials)
            self.prepared.emit(self.now)
        ended = len(self.trials)
        for event in events:
            self.watch.take(event)
            self._take_one(event)
        self.happened.emit(events)
        if len(self.trials) > ended:
            self._sum_up()

    def _take_one(self, event: Event) -> None:
        from core import Advised, Explained, RunEnded, RunPlanned, TrialEnded, without_bare_files

        match event:
            case RunPlanned(plan=plan) if self.trials:
                names = {
                    spec.digest: self.watch.name_of(spec) for spec in without_bare_files(plan.specs)
                }
                kept = [trial for trial in self.trials if trial.spec_digest in names]
                self.kept.emit([(trial, names[trial.spec_digest]) for trial in kept])
                self._sum_up()
            case TrialEnded(trial=trial):
                self.trials.append(trial)
            case Explained(text=text):
                self.said = text
            case Advised(advice=advice):
                self._advice = advice
                self._sum_up()
            case RunEnded(cancelled=cancelled, trials=trials, of=of):
                self.said = (
                    self.tr("Cancelled after {trials} of {of} trials; what was measured is kept")
                    if cancelled
                    else self.tr("Done: {trials} trials")
                ).format(trials=trials, of=of)
            case _:
                pass

    def _take_end(self, reason: str) -> None:
        assert self._job is not None
        self._job.deleteLater()
        self._job = None
        self.cancelling = False
        self.ended.emit(reason)
        if not reason:
            self._sum_up(over=True)  # it says more, now that nothing follows

    def _sum_up(self, *, over: bool = False) -> None:
        prepared, trials, advice = self.now, tuple(self.trials), self._advice
        if prepared is not None:
            self._summary.ask(lambda _: _shown(prepared, trials, advice, over=over))


def _shown(
    prepared: Prepared, trials: tuple[Trial, ...], advice: Advice | None, *, over: bool
) -> Shown:
    from core import shown  # on the pool's thread

    return shown(prepared, trials, advice, over=over)
