"""The line above a plot loses numbers before names, and says in its tooltip what it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from app.plots.base.readout import LegendEntry, Readout

pytestmark = pytest.mark.window
NAMES = ("all", "dataset")


@pytest.fixture
def readout(qtbot: QtBot) -> Readout:
    made = Readout("Open files")
    qtbot.addWidget(made)
    made.show_entries(
        [
            LegendEntry(rank=0, marker="disc", name="all", value="141"),
            LegendEntry(rank=1, marker="cross", name="dataset", value="132"),
            LegendEntry(name="limit", value="20,000"),
        ]
    )
    with qtbot.waitExposed(made):
        made.show()
    return made


def seen_at_widths(readout: Readout) -> Iterator[tuple[str, ...]]:
    """What is seen as the line becomes narrower."""
    for width in range(600, 60, -2):
        readout.resize(width, readout.height())
        yield readout.seen


def test_that_numbers_are_left_out_before_names(readout: Readout) -> None:
    ways = list(dict.fromkeys(seen_at_widths(readout)))
    assert ways[:3] == [
        ("Open files", "all", "141", "dataset", "132", "limit", "20,000"),
        ("Open files", "all", "141", "dataset", "132"),
        ("Open files", "all", "dataset"),
    ]


def drawn(readout: Readout) -> QImage:
    """As a picture that is written to a file has it."""
    picture = QImage(readout.size(), QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        readout.draw(painter, readout.rect())
    return picture


@pytest.mark.parametrize("picture", [drawn, lambda readout: readout.grab().toImage()])
def test_that_names_values_and_titles_are_drawn(
    readout: Readout, picture: Callable[[Readout], QImage]
) -> None:
    seen = []
    for title, name, value in product(("Open files", "Memory"), ("all", "few"), ("141", "777")):
        readout.set_title(title)
        readout.show_entries([LegendEntry(rank=0, marker="disc", name=name, value=value)])
        readout.resize(600, readout.height())
        seen.append(picture(readout))
    assert all(one != other for one, other in combinations(seen, 2))


def test_that_names_without_room_beside_the_title_are_below_it(readout: Readout) -> None:
    readout.resize(600, readout.height())
    line = readout.height()
    readout.resize(150, line)
    assert readout.height() == 2 * line
    assert {"Open files", *NAMES} <= set(readout.seen)


def test_that_the_title_is_whole_while_it_has_room(readout: Readout) -> None:
    needed = readout.fontMetrics().horizontalAdvance("Open files") + 30
    for width in range(600, needed, -2):
        readout.resize(width, readout.height())
        assert readout.seen[0] == "Open files"


def test_that_names_beyond_all_room_are_counted(readout: Readout) -> None:
    workers = [
        LegendEntry(rank=at, marker="disc", name=f"#{at + 1}", value="25 %", key=str(at))
        for at in range(8)
    ]
    readout.show_entries(workers)
    readout.resize(200, readout.height())
    title, *seen = readout.seen
    assert title == "Open files"
    assert seen[:-1] == [f"#{at + 1}" for at in range(len(seen) - 1)]
    assert seen[-1] == f"+{8 - len(seen) + 1}"
