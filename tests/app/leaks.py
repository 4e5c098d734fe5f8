"""What Qt is still doing: what a test must not leave behind."""

from __future__ import annotations

import gc

import shiboken6
from PySide6.QtCore import QObject, QThread, QThreadPool, QTimer


def at_work() -> set[QObject]:
    """Every timer, thread and pool that is doing something."""
    # By their exact type: matching every object there is takes ten times longer.
    kinds = with_subclasses(QTimer) | with_subclasses(QThread) | with_subclasses(QThreadPool)
    living = (each for each in gc.get_objects() if type(each) in kinds and shiboken6.isValid(each))
    return {each for each in living if works(each)}


def with_subclasses(kind: type) -> set[type]:
    return {kind}.union(*(with_subclasses(each) for each in kind.__subclasses__()))


def works(each: QObject) -> bool:
    match each:
        case QTimer():
            return each.isActive()
        case QThread():
            return each.isRunning() and each is not QThread.currentThread()
        case QThreadPool():
            return each.activeThreadCount() > 0
        case _:
            return False
