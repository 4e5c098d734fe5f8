"""A long run that ends while nobody looks is told outside the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from app.shell.notification import LONG, Notification

pytestmark = pytest.mark.window


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    one = QMainWindow()
    qtbot.addWidget(one)
    return one


def test_that_a_long_run_is_told_until_somebody_looks(window: QMainWindow) -> None:
    notification = Notification(window)
    notification.tell("Done: 24 trials", LONG)
    assert notification.text == "Done: 24 trials"
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
    assert not notification.text


def test_that_a_short_run_is_not_told(window: QMainWindow) -> None:
    notification = Notification(window)
    notification.tell("Done: 24 trials", LONG / 2)
    assert not notification.text


def test_that_whoever_looks_is_not_told(qtbot: QtBot, window: QMainWindow) -> None:
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    notification = Notification(window)
    notification.tell("Done: 24 trials", LONG)
    assert not notification.text


def test_that_a_desktop_with_messages_shows_one(
    window: QMainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No desktop runs here: it is said to have messages, and what reaches it is looked at."""
    told: list[str] = []
    for name in ("isSystemTrayAvailable", "supportsMessages"):
        monkeypatch.setattr(QSystemTrayIcon, name, staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda *args: told.append(args[2]))
    notification = Notification(window)
    notification.tell("Done: 24 trials", LONG)
    assert told == ["Done: 24 trials"]
