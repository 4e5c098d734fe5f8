"""A long run that ends while nobody looks is told outside the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from app.shell.notification import LONG, Notification
from app.shell.window import MainWindow

pytestmark = pytest.mark.window


@pytest.fixture
def empty(qtbot: QtBot) -> QMainWindow:
    one = QMainWindow()
    qtbot.addWidget(one)
    return one


def test_that_a_long_run_is_told_until_somebody_looks(empty: QMainWindow) -> None:
    notification = Notification(empty)
    notification.tell("Done: 24 trials", LONG)
    assert notification.text == "Done: 24 trials"
    QApplication.sendEvent(empty, QEvent(QEvent.Type.WindowActivate))
    assert not notification.text


def test_that_a_short_run_is_not_told(empty: QMainWindow) -> None:
    notification = Notification(empty)
    notification.tell("Done: 24 trials", LONG / 2)
    assert not notification.text


def test_that_whoever_looks_is_not_told(qtbot: QtBot, empty: QMainWindow) -> None:
    with qtbot.waitActive(empty):
        empty.show()
        empty.activateWindow()
    notification = Notification(empty)
    notification.tell("Done: 24 trials", LONG)
    assert not notification.text


def test_that_a_desktop_with_messages_shows_one(
    empty: QMainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No desktop runs here: it is said to have messages, and what reaches it is looked at."""
    told: list[str] = []
    for name in ("isSystemTrayAvailable", "supportsMessages"):
        monkeypatch.setattr(QSystemTrayIcon, name, staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda *args: told.append(args[2]))
    notification = Notification(empty)
    notification.tell("Done: 24 trials", LONG)
    assert told == ["Done: 24 trials"]
    empty.showMinimized()
    (icon,) = notification.findChildren(QSystemTrayIcon)
    icon.messageClicked.emit()
    assert not empty.isMinimized()


def test_that_the_end_of_a_run_in_the_window_is_told(qtbot: QtBot, window: MainWindow) -> None:
    workbench = window.workbench
    assert workbench is not None
    with qtbot.waitSignal(workbench.run.finished) as ended:
        workbench.measuring.ended.emit("the disk is full")
    assert ended.args is not None
    reason, took = ended.args
    assert reason == "the disk is full"
    assert 0 <= took <= workbench.measuring.watch.elapsed
    (notification,) = window.findChildren(Notification)
    assert not notification.text
    window.hide()  # nobody looks
    workbench.run.finished.emit("Done: 24 trials", LONG)
    assert notification.text == "Done: 24 trials"
