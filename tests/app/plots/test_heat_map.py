"""The map of two axes: what is told of a cell, by the mouse and by the keys, and choosing one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from showing import exposed

from app.plots.base.figure import png
from app.plots.counts.heat_map import HeatMap
from core import GridCell, GridFigure

pytestmark = pytest.mark.window
CELLS = (
    GridCell(row=0, column=0, text="50", share=0.5, setting="a", told="2 × 1: 50"),
    GridCell(row=0, column=1, text="99", share=1.0, ring="best", setting="b", told="2 × 2: 99"),
    GridCell(row=1, column=0, text="~30", kind="between", share=0.3, told="1 × 1: ~30"),
    GridCell(row=1, column=1, kind="unfit", told="1 × 2: more threads than 1 core"),
)
FIGURE = GridFigure(
    rows=("2", "1"), columns=("1", "2"), axes=("files at once", "threads each"), cells=CELLS,
    reasons=((1, 1, 1, "more threads than 1 core"),), reach="30 to 99 files an hour",
)  # fmt: skip


@pytest.fixture
def shown(qtbot: QtBot) -> HeatMap:
    heat = exposed(qtbot, HeatMap(), 500, 200)
    heat.show_figure(FIGURE)
    return heat


def places(heat: HeatMap) -> dict[str, QPoint]:
    """Where cells are, found by pointing."""
    found: dict[str, list[QPoint]] = {}
    for x in range(2, heat.width(), 8):
        for y in range(2, heat.height(), 8):
            row_and_column = heat._cell_at(QPoint(x, y).toPointF())
            for one in heat.figure.cells:
                if (one.row, one.column) == row_and_column:
                    found.setdefault(one.told, []).append(QPoint(x, y))
    return {told: points[len(points) // 2] for told, points in found.items()}


def test_that_the_mouse_tells_every_cell_and_nothing_outside(qtbot: QtBot, shown: HeatMap) -> None:
    at = places(shown)
    assert set(at) == {one.told for one in CELLS}
    for told, place in at.items():
        qtbot.mouseMove(shown, place)
        assert shown.told == told == shown.accessibleDescription()
    qtbot.mouseMove(shown, QPoint(2, 2))
    assert shown.told == ""


def test_that_arrow_keys_reach_cells_and_enter_chooses(qtbot: QtBot, shown: HeatMap) -> None:
    chosen: list[str] = []
    shown.chosen.connect(chosen.append)
    seen = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        qtbot.keyClick(shown, key)
        seen.append(shown.told)
    assert seen == [CELLS[0].told, CELLS[1].told, CELLS[3].told, CELLS[2].told]
    qtbot.keyClick(shown, Qt.Key.Key_Return)
    assert chosen == []  # nothing was measured there
    qtbot.keyClick(shown, Qt.Key.Key_Up)
    qtbot.keyClick(shown, Qt.Key.Key_Return)
    assert chosen == ["a"]
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    assert shown.told == ""


def test_that_a_click_chooses_what_was_measured_and_nothing_else(
    qtbot: QtBot, shown: HeatMap
) -> None:
    chosen: list[str] = []
    shown.chosen.connect(chosen.append)
    for place in places(shown).values():
        qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=place)
    assert sorted(chosen) == ["a", "b"]


def test_that_a_cell_that_was_measured_fills(shown: HeatMap) -> None:
    before = png(shown)
    more = GridCell(row=1, column=0, text="31", share=0.31, setting="c", told="1 × 1: 31")
    shown.show_figure(
        GridFigure(rows=FIGURE.rows, columns=FIGURE.columns, cells=(more, *CELLS[:2]))
    )
    assert png(shown) != before
