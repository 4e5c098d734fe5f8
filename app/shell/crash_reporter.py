"""Receives uncaught exceptions, from the window's first moment on."""

from __future__ import annotations

import os
import sys
from types import TracebackType

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid


class CrashReporter(QObject):
    """Passes uncaught exceptions of any thread to the window's thread."""

    caught = Signal(str)

    def hook(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        """The function to set as `sys.excepthook`."""
        sys.__excepthook__(kind, error, trace)
        if not issubclass(kind, KeyboardInterrupt):
            import traceback

            from core import crash_report

            told = "".join(traceback.format_exception(kind, error, trace))
            try:
                self.caught.emit(crash_report(told, os.environ))
            except RuntimeError:
                if isValid(self):
                    raise
                # The window is gone: standard error has it.
