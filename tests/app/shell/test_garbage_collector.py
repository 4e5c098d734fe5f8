"""Garbage is collected on the window's thread alone: Qt crashes where a widget goes on another."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from patience import MILLISECONDS
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.shell.application import GarbageCollector

pytestmark = pytest.mark.window
MANY = 200_000
"""Objects by which Python collects more than once."""


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[GarbageCollector]:
    gc.enable()
    parent = QObject()
    yield GarbageCollector(parent)
    parent.deleteLater()
    with qtbot.waitSignal(parent.destroyed):
        pass


def collected_on() -> list[int]:
    """The thread on which a widget that refers to itself is collected, once it is."""
    threads: list[int] = []
    widget = QWidget()
    cycle: list[object] = [widget]
    cycle.append(cycle)
    weakref.finalize(widget, lambda: threads.append(threading.get_ident()))
    return threads


def allocate() -> None:
    kept = [[number] for number in range(MANY)]
    assert len(kept) == MANY


def test_that_no_other_thread_collects_a_widget(collector: GarbageCollector, qtbot: QtBot) -> None:
    threads = collected_on()
    busy = threading.Thread(target=allocate)
    busy.start()
    busy.join()
    assert threads == []
    allocate_and_keep = [[number] for number in range(MANY)]
    qtbot.waitUntil(lambda: threads == [threading.get_ident()], timeout=MILLISECONDS)
    assert allocate_and_keep


def test_that_nothing_is_collected_where_little_has_come(collector: GarbageCollector) -> None:
    gc.collect()
    threads = collected_on()
    collector.look()
    assert threads == []
    gc.collect()
    assert threads == [threading.get_ident()]
