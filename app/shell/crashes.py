"""Faults of Sluice's own: what catches them, what a killed process leaves, and the report.

It reports faults in any module, so it imports hardly more than Qt.
"""

from __future__ import annotations

import faulthandler
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from shiboken6 import isValid

from core import make_private


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

            text = "".join(traceback.format_exception(kind, error, trace))
            try:
                self.caught.emit(crash_report(text, os.environ))
            except RuntimeError:
                if isValid(self):
                    raise
                # The window is gone: standard error has it.


class CrashTraces:
    """One file for each running window; it stays empty unless the process is killed by a fault."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: IO[str] | None = None

    def begin(self) -> str:
        """Have faults written from now on; returns the traces of processes that are gone."""
        earlier = ""
        with suppress(OSError):  # without a place for the file the window works all the same
            make_private(self._folder)
            earlier = self._take_earlier()
            place = self._folder / f"{os.getpid()}.txt"
            place.touch(0o600)
            self._file = place.open("w", encoding="utf-8")
            faulthandler.enable(self._file)
        return earlier

    def _take_earlier(self) -> str:
        """The traces of processes that are gone; they are removed, and so reported once."""
        traces = []
        for path in sorted(self._folder.glob("*.txt")):
            with suppress(OSError):
                text = path.read_text("utf-8", "replace")
                if text or not _is_alive(path.stem):
                    path.unlink()
                traces.append(text)
        return "\n".join(filter(None, traces))

    def end(self) -> None:
        if self._file is not None:
            faulthandler.disable()
            self._file.close()
            with suppress(OSError):
                Path(self._file.name).unlink()


def _is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except OSError:
        pass  # it is another user's
    return True


class CrashDialog(QDialog):
    """Says that Sluice has a bug, and offers the report."""

    def __init__(
        self, report: str, parent: QWidget | None, *, goes_on: bool = True, before: bool = False
    ) -> None:
        """`before`: an earlier window was ended by it."""
        # Not before the first paint.
        from app.style.dialogs import sheet
        from app.style.labels import label

        super().__init__(parent)
        title = self.tr("There is a bug in Sluice")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 420)
        text = QPlainTextEdit(report)
        text.setReadOnly(True)
        text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        text.setAccessibleName(self.tr("Report"))
        copy = QPushButton(self.tr("Copy the report"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column = sheet(self, title)
        column.addWidget(label(self._advice(goes_on=goes_on, before=before), wraps=True))
        column.addWidget(text, 1)
        column.addWidget(buttons)

    def _advice(self, *, goes_on: bool, before: bool) -> str:
        if before:
            return self.tr(
                "Sluice was ended by a fault the last time. What was measured until then is in the "
                "session file; a report like this one helps to fix the bug. It contains no secrets."
            )
        if goes_on:
            return self.tr(
                "What was measured is in the session file. The window stays open; a report "
                "like this one helps to fix the bug. It contains no secrets."
            )
        return self.tr(
            "The window could not be filled and closes with this dialog; a report like this one "
            "helps to fix the bug. It contains no secrets."
        )
