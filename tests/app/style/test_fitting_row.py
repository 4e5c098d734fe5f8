"""A row shows what there is room for, whole, and names the rest in a tooltip."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.style.fitting_row import FittingRow, Part
from core import Badge, CardFigure

pytestmark = pytest.mark.window


def row_of(qtbot: QtBot, *weights: int) -> tuple[FittingRow, list[QLabel]]:
    row, labels = FittingRow(spacing=6), [QLabel(f"a reason {at}") for at in range(len(weights))]
    row.show_parts(
        [
            Part(widget=one, told=one.text(), weight=weight)
            for one, weight in zip(labels, weights, strict=True)
        ]
    )
    qtbot.addWidget(row)
    row.resize(row.sizeHint())
    with qtbot.waitExposed(row):
        row.show()
    return row, labels


def rest_of(row: FittingRow) -> QLabel:
    return next(one for one in row.findChildren(QLabel) if one.text().startswith("+"))


def test_that_all_is_seen_where_there_is_room(qtbot: QtBot) -> None:
    row, labels = row_of(qtbot, 0, 0, 0)
    assert all(one.isVisible() for one in labels)
    assert not rest_of(row).isVisible()


def test_that_the_last_of_the_least_weight_is_left_out_first_and_told_in_a_tooltip(
    qtbot: QtBot,
) -> None:
    row, labels = row_of(qtbot, 1, 2, 1)
    row.resize(row.width() - 30, row.height())
    assert [one.isVisible() for one in labels] == [True, True, False]
    assert rest_of(row).text() == "+1"
    assert rest_of(row).toolTip() == "a reason 2"
    row.resize(labels[1].sizeHint().width() + 60, row.height())
    assert [one.isVisible() for one in labels] == [False, True, False]
    assert rest_of(row).toolTip() == "a reason 0\na reason 2"


def test_that_a_figure_is_brief_before_one_is_left_out(qtbot: QtBot) -> None:
    from app.views.card_parts import FigureRow

    row = FigureRow()
    qtbot.addWidget(row)
    files = CardFigure(title="Open files", text="145 of 1,048,576", brief="145", help="Most.")
    row.show_figures([CardFigure(title="p99", text="3 ms", help="99 %."), files])
    row.resize(row.sizeHint())
    with qtbot.waitExposed(row):
        row.show()
    assert row.texts() == {"p99": "3 ms", "Open files": "145 of 1,048,576"}
    row.resize(row.width() - 20, row.height())
    assert row.texts() == {"p99": "3 ms", "Open files": "145"}
    assert not rest_of(row).isVisible()


def test_that_a_doubt_is_seen_longer_than_a_reason_to_trust(qtbot: QtBot) -> None:
    from app.views.card_parts import BadgeRow

    row = BadgeRow()
    qtbot.addWidget(row)
    row.show_badges(
        [Badge(trust="open", name="machine busy"), Badge(trust="holds", name="all verified")]
    )
    row.resize(row.sizeHint().width() - 20, 30)
    with qtbot.waitExposed(row):
        row.show()
    seen = {one.text() for one in row.findChildren(QLabel) if one.isVisible()}
    assert seen == {"! machine busy", "+1"}
