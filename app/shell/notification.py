"""Tells someone who looks elsewhere meanwhile that a long run is over."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

LONG = 60.0
"""Seconds.  Nobody waits before a window for longer; after less, it would only be in the way."""


class Notification(QObject):
    """The mark in the taskbar and, where the desktop shows them, a message; gone with a look."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._icon: QSystemTrayIcon | None = None
        self.text = ""
        """What it says now; empty while there is nothing to say."""
        window.installEventFilter(self)

    def tell(self, said: str, took: float) -> None:
        """Say how a run ended that took so many seconds, unless its window is being looked at."""
        if took < LONG or self._window.isActiveWindow():
            return
        self.text = said
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            self._show_message(said)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take it away when the window is looked at, or closes."""
        if event.type() in (QEvent.Type.WindowActivate, QEvent.Type.Close):
            self.text = ""
            if self._icon is not None:
                self._icon.hide()
        return super().eventFilter(watched, event)

    def _show_message(self, said: str) -> None:
        if self._icon is None:
            self._icon = QSystemTrayIcon(self._window.windowIcon(), self)
            self._icon.messageClicked.connect(self._bring_window)
            self._icon.activated.connect(self._bring_window)
        self._icon.show()
        self._icon.showMessage("Sluice", said, self._window.windowIcon())

    def _bring_window(self) -> None:
        self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowMinimized)
        self._window.raise_()
        self._window.activateWindow()
