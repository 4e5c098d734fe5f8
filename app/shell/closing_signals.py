"""Ctrl+C, SIGTERM and SIGHUP close the window as its own button does.

Python calls its handlers only between two of its own instructions, and while nothing happens Qt
waits outside of Python.  So each signal is also written to a socket, which wakes Qt up.
"""

from __future__ import annotations

import signal
import socket

from PySide6.QtCore import QObject, QSocketNotifier, Signal

from core import end_signals

_MANY = 4096


class ClosingSignals(QObject):
    """Tells of each such signal from its creation on; the first one decides the exit code."""

    asked = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.code = 0
        """The exit code after the first one; 0 before."""
        self._wanted = end_signals()
        self._read, self._written = socket.socketpair()
        self._read.setblocking(False)
        self._written.setblocking(False)
        signal.set_wakeup_fd(self._written.fileno(), warn_on_full_buffer=False)
        for number in self._wanted:
            signal.signal(number, _leave_to_qt)
        notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self._take)

    def _take(self) -> None:
        came = [number for number in self._read.recv(_MANY) if number in self._wanted]
        if came:
            self.code = self.code or self._wanted[signal.Signals(came[0])]
            self.asked.emit()


def _leave_to_qt(number: int, frame: object) -> None:
    """Without a handler of Python's own, the signal would not be written to the socket."""
