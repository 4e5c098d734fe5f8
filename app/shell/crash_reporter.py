"""Hears of the exceptions that nobody caught; is there from the window's first moment on."""

from __future__ import annotations

import os
import sys
from types import TracebackType

from PySide6.QtCore import QObject, Signal


class CrashReporter(QObject):
    """Takes exceptions that nobody caught, on whatever thread, to the window's thread."""

    caught = Signal(str)

    def hook(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        """What `sys.excepthook` is to be."""
        sys.__excepthook__(kind, error, trace)
        if not issubclass(kind, KeyboardInterrupt):
            import traceback

            from app.shell.crash_dialog import report

            told = "".join(traceback.format_exception(kind, error, trace))
            self.caught.emit(report(told, os.environ))
