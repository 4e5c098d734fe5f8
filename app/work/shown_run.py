"""The run that the window shows: the one in progress, or one that was opened."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

import core
from app.work.question import Question, fault
from core import Cancel, SluiceError

if TYPE_CHECKING:
    from core import Prepared, RunProgress, Trial, events

_INTERVAL_MS = 250


class RunJob(QObject):
    """Carries out one plan into a session.

    Its owner keeps it and calls `start`; the pool's thread runs `execute`, which touches no
    signal.  The window's thread collects the events four times a second.
    """

    happened = Signal(object)
    """A tuple of events; empty if only time has passed."""
    ended = Signal(str)
    """Why it could not be carried out; empty if it ended normally or was cancelled."""

    def __init__(self, prepare: Callable[[], Prepared], parent: QObject) -> None:
        super().__init__(parent)
        self._prepare = prepare
        self._events: deque[events.Event] = deque()
        self._over = False
        self._reason = ""
        self._cancel = Cancel()
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        self.prepared: Prepared | None = None
        """Set before the first event arrives."""

    def start(self, pool: QThreadPool) -> None:
        self._timer.start()
        pool.start(partial(copy_context().run, self.execute))

    def cancel(self) -> None:
        """Ask the run to end: it does so at once, and keeps what was measured."""
        self._cancel.request()

    def execute(self) -> None:
        """The work itself, on the pool's thread."""
        try:
            self.prepared = prepared = self._prepare()
            for event in prepared.measure(self._cancel):
                self._events.append(event)
        except SluiceError as error:
            self._reason = str(error)
        except BaseException as error:
            self._reason = fault(error)
            raise
        finally:
            self._over = True

    def _collect(self) -> None:
        over = self._over  # read before the events, so that none is left behind
        self.happened.emit(tuple(self._events.popleft() for _ in range(len(self._events))))
        if over:
            self._timer.stop()
            self._cancel.close()
            self.ended.emit(self._reason)


class Measuring(QObject):
    """At most one run at a time; reports its events and a summary of its results so far."""

    began = Signal()
    prepared = Signal(object)
    """The run has a session now (Prepared)."""
    happened = Signal(object)
    """A tuple of events, four times a second; empty if only time has passed."""
    summed_up = Signal(object)
    """The summary of the trials so far (Shown)."""
    unreadable = Signal(str)
    """Why the trials cannot be summed up."""
    ended = Signal(str)
    """Why it could not be carried out; empty if it was."""

    def __init__(self, pool: QThreadPool, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = pool
        self._job: RunJob | None = None
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
            self._watch = core.RunProgress()
        return self._watch

    @property
    def running(self) -> bool:
        return self._job is not None

    @property
    def trials(self) -> list[Trial]:
        return self.watch.trials

    @property
    def outcome(self) -> str:
        """How it ended."""
        over = self.watch.over
        if over is None:
            return ""
        sentence = (
            self.tr("Cancelled; trials measured and kept: {trials} of {of}")
            if over.cancelled
            else self.tr("Done; trials: {trials}")
        )
        return sentence.format(trials=self.watch.kept, of=over.of)

    def start(self, prepare: Callable[[], Prepared]) -> None:
        """Measure what `prepare` returns; the pool's thread calls it."""
        assert self._job is None
        self.clear()
        self._watch = self.watch  # its clock begins now
        self._job = RunJob(prepare, self)
        self._job.happened.connect(self._take)
        self._job.ended.connect(self._take_end)
        self.began.emit()
        self._job.start(self._pool)

    def cancel(self) -> None:
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
        self._summary.drop()
        self.now = self._watch = None
        self.cancelling = False

    def _take(self, happened: tuple[events.Event, ...]) -> None:
        assert self._job is not None
        if self.now is None and self._job.prepared is not None:
            self.now = self._job.prepared
            self.trials.extend(self.now.trials)
            self.prepared.emit(self.now)
        before = self._basis()
        for event in happened:
            self.watch.take(event)
        self.happened.emit(happened)
        if self.trials and self._basis() != before:
            self._sum_up()

    def _basis(self) -> object:
        """What the summary is made from, as far as it changes while the run goes on."""
        watch = self.watch
        return len(watch.trials), bool(watch.earlier), watch.advice

    def _take_end(self, reason: str) -> None:
        assert self._job is not None
        self._job.deleteLater()
        self._job = None
        self.cancelling = False
        self.ended.emit(reason)
        if not reason:
            self._sum_up(over=True)  # it says more, now that nothing follows

    def _sum_up(self, *, over: bool = False) -> None:
        if (prepared := self.now) is not None:
            trials, advice = tuple(self.trials), self.watch.advice
            # The module of `core.Shown` is imported on the pool's thread.
            self._summary.ask(lambda _: core.Shown.of(prepared, trials, advice, over=over))
