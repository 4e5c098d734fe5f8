"""The application object: what the desktop asks it to open, and what asks it to end."""

from __future__ import annotations

import builtins
import gc
import signal
import socket
from typing import override

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from core import end_signals

_MANY = 4096
_LOOK_EVERY = 1000
"""Milliseconds between two looks at how much garbage there is."""


class Application(QApplication):
    """Emits each file that the desktop opens; macOS asks in this way, also for the first one."""

    asked_for = Signal(str)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self.asked_for.emit(event.file())
            return True
        return super().event(event)


class GarbageCollector(QObject):
    """Collects garbage on the window's thread alone, between two of its events.

    Python would do it on any thread, in the midst of anything.  Qt crashes where a widget is
    deleted on another thread, or while it goes through all widgets, as when the theme changes.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        timer = QTimer(self)
        timer.timeout.connect(self.look)
        timer.start(_LOOK_EVERY)

    def look(self) -> None:
        """Collect by the thresholds by which Python would have done it."""
        counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [generation for generation, (count, limit) in enumerate(counts) if count > limit]
        if due:
            gc.collect(max(due))


class ClosingSignals(QObject):
    """Ctrl+C, SIGTERM and SIGHUP close the window as its own button does.

    The first one decides the exit code.  Python calls its handlers only between two of its own
    instructions, and while nothing happens Qt waits outside of Python.  So each signal is also
    written to a socket, which wakes Qt up.
    """

    received = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.code = 0
        """The exit code after the first one; 0 before."""
        self._codes = end_signals()
        self._read, self._written = socket.socketpair()
        self._read.setblocking(False)
        self._written.setblocking(False)
        signal.set_wakeup_fd(self._written.fileno(), warn_on_full_buffer=False)
        for number in self._codes:
            # Without a handler of Python's own, the signal would not be written to the socket.
            signal.signal(number, lambda *_: None)
        notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self._take)

    def _take(self) -> None:
        numbers = [number for number in self._read.recv(_MANY) if number in self._codes]
        if numbers:
            self.code = self.code or self._codes[signal.Signals(numbers[0])]
            self.received.emit()


def import_plainly() -> None:
    """Take PySide out of the imports of modules that ask it for nothing.

    It replaces `__import__`, so that a module can ask for another spelling of Qt's names with `from
    __feature__ import snake_case`.  To know which modules name PySide at all it reads the source of
    each that is imported, which the window waits for.  Nothing here, and nothing that is used here,
    asks for that.
    """
    before = getattr(builtins, "__orig_import__", None)  # which it keeps for everybody to see
    if before is not None:
        builtins.__import__ = before
