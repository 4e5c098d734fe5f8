"""A run of the engine on a pool's thread, heard by the window at most ten times a second."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from core import Cancel, Event, Plan, Run, Session, SluiceError

_INTERVAL_MS = 100

type Measure = Callable[[Plan, Cancel], Iterator[Event]]


class Job(QObject):
    """Carries out one plan into a session.

    The window owns it and calls `start`; the pool's thread runs `execute`, which touches no
    signal.  The window's thread collects what has happened ten times a second.
    """

    happened = Signal(object)
    """A tuple of events, empty where only time went by."""
    ended = Signal(str)
    """Why it could not be carried out; empty where it was, to its end or until cancelled."""

    def __init__(self, prepare: Callable[[], Prepared], measure: Measure, parent: QObject) -> None:
        super().__init__(parent)
        self._prepare = prepare
        self._measure = measure
        self._events: deque[Event] = deque()
        self._over = False
        self._reason = ""
        self._cancel = Cancel()
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        self.prepared: Prepared | None = None
        """Set before the first event is heard."""

    def start(self, pool: QThreadPool) -> None:
        """Begin, and report from now on."""
        self._timer.start()
        pool.start(self.execute)

    def cancel(self) -> None:
        """Ask for the end; acts at once, and what was measured is kept."""
        self._cancel.request()

    def execute(self) -> None:
        """The work itself, on the pool's thread."""
        from core import recorded

        try:
            self.prepared = self._prepare()
            events = self._measure(self.prepared.run.plan, self._cancel)
            for event in recorded(events, self.prepared.session, self.prepared.run.id):
                self._events.append(event)
        except SluiceError as error:
            self._reason = str(error)
        finally:
            self._over = True

    def _collect(self) -> None:
        over = self._over  # before the events, so that none is left behind
        self.happened.emit(tuple(self._events.popleft() for _ in range(len(self._events))))
        if over:
            self._timer.stop()
            self._cancel.close()
            self.ended.emit(self._reason)


class Prepared:
    """A session and the run in it that is about to be measured."""

    def __init__(self, session: Session, run: Run, left_out: tuple[str, ...] = ()) -> None:
        self.session = session
        self.run = run
        self.left_out = left_out
        """Why combinations of a sweep cannot be run."""
