"""A run of the engine on a pool's thread; the window hears it at most ten times a second."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from app.work.question import fault
from core import Cancel, SluiceError

if TYPE_CHECKING:
    from core import Event, Prepared

_INTERVAL_MS = 100


class Job(QObject):
    """Carries out one plan into a session.

    Its owner keeps it and calls `start`; the pool's thread runs `execute`, which touches no
    signal.  The window's thread collects the events ten times a second.
    """

    happened = Signal(object)
    """A tuple of events; empty if only time has passed."""
    ended = Signal(str)
    """Why it could not be carried out; empty if it ended normally or was cancelled."""

    def __init__(self, prepare: Callable[[], Prepared], parent: QObject) -> None:
        super().__init__(parent)
        self._prepare = prepare
        self._events: deque[Event] = deque()
        self._over = False
        self._reason = ""
        self._cancel = Cancel()
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        self.prepared: Prepared | None = None
        """Set before the first event arrives."""

    def start(self, pool: QThreadPool) -> None:
        """Begin, and report from now on."""
        self._timer.start()
        pool.start(partial(copy_context().run, self.execute))

    def cancel(self) -> None:
        """Ask the run to end; acts at once and keeps what was measured."""
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
