"""What the tests of the window are held to does hold them."""

import threading

import pytest
from leaks import at_work
from PySide6.QtCore import QThread, QThreadPool, QTimer
from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.window


def test_that_a_timer_left_running_is_noticed(qtbot: QtBot) -> None:
    timer = QTimer()
    timer.start(1000)
    assert timer in at_work()
    timer.stop()
    assert timer not in at_work()


def test_that_a_timer_of_a_kind_of_its_own_is_noticed(qtbot: QtBot) -> None:
    class Own(QTimer):
        pass

    timer = Own()
    timer.start(1000)
    assert timer in at_work()
    timer.stop()


def test_that_a_thread_left_running_is_noticed(qtbot: QtBot) -> None:
    thread = QThread()
    thread.start()
    assert thread in at_work()
    thread.quit()
    thread.wait()
    assert thread not in at_work()


def test_that_a_pool_at_work_is_noticed(qtbot: QtBot) -> None:
    pool, gate = QThreadPool(), threading.Event()
    pool.start(gate.wait)
    qtbot.waitUntil(lambda: pool in at_work())
    gate.set()
    pool.waitForDone()
    assert pool not in at_work()
