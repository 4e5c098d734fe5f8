"""Widgets that share a line take as many lines as they need."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.style.layouts import FlowLayout

pytestmark = pytest.mark.window

SIZES = ((100, 20), (60, 30), (80, 20))
GAP = 10


@pytest.fixture
def around(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def flow(around: QWidget) -> FlowLayout:
    made = FlowLayout(GAP)
    around.setLayout(made)
    for size in SIZES:
        part = QWidget()
        part.setFixedSize(*size)
        made.addWidget(part)
    return made


def places(flow: FlowLayout) -> list[tuple[int, int]]:
    items = [flow.itemAt(at) for at in range(flow.count())]
    return [item.geometry().topLeft().toTuple() for item in items if item is not None]


@pytest.mark.parametrize(
    ("width", "height", "expected"),
    [
        (260, 30, [(0, 0), (110, 0), (180, 0)]),  # exactly as much as all three need
        (259, 60, [(0, 0), (110, 0), (0, 40)]),
        (170, 60, [(0, 0), (110, 0), (0, 40)]),
        (169, 60, [(0, 0), (0, 30), (70, 30)]),
        (100, 90, [(0, 0), (0, 30), (0, 70)]),
        (50, 90, [(0, 0), (0, 30), (0, 70)]),  # each has a line, and is as wide as it is
    ],
)
def test_that_parts_that_have_no_room_begin_the_next_line(
    flow: FlowLayout, width: int, height: int, expected: list[tuple[int, int]]
) -> None:
    assert flow.heightForWidth(width) == height
    flow.setGeometry(QRect(0, 0, width, height))
    assert places(flow) == expected


def test_that_lines_begin_where_the_layout_does(flow: FlowLayout) -> None:
    flow.setGeometry(QRect(5, 7, 170, 60))
    assert places(flow) == [(5, 7), (115, 7), (5, 47)]


def test_that_it_is_at_least_as_large_as_its_largest_part(flow: FlowLayout) -> None:
    assert flow.minimumSize().toTuple() == (100, 30)


def test_that_there_is_nothing_beyond_the_last_part(flow: FlowLayout) -> None:
    assert flow.count() == len(SIZES)
    assert flow.itemAt(-1) is flow.itemAt(3) is flow.takeAt(-1) is flow.takeAt(3) is None
    assert flow.takeAt(2) is not None
    assert flow.count() == len(SIZES) - 1
