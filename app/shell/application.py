"""The application object, which the desktop tells what to open."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """Tells of each file that is to be opened; macOS asks so, also for the first one."""

    asked_for = Signal(str)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self.asked_for.emit(event.file())
            return True
        return super().event(event)
