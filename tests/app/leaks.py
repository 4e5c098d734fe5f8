"""What Qt is still doing: what a test must not leave behind."""

from __future__ import annotations

import gc

import shiboken6
from PySide6.QtCore import QObject, QThread, QThreadPool, QTimer


def at_work() -> set[QObject]:
    """Every timer, thread and pool that is doing something."""
    found: set[QObject] = set()
    for each in gc.get_objects():
        match each:
            case QTimer() | QThread() | QThreadPool() if not shiboken6.isValid(each):
                pass
            case QTimer() if each.isActive():
                found.add(each)
            case QThread() if each.isRunning() and each is not QThread.currentThread():
                found.add(each)
            case QThreadPool() if each.activeThreadCount():
                found.add(each)
            case _:
                pass
    return found
