"""Every tick says what it stands for, however long that is."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QImage, QPainter
from pytestqt.qtbot import QtBot
from showing import exposed

from app.plots.base.axes import UnitAxis
from app.plots.base.plot_surface import Sheet
from app.style.theme import LIGHT

pytestmark = pytest.mark.window


@pytest.fixture
def sheet(qtbot: QtBot) -> Sheet:
    """A plot that is seen."""
    axes = [UnitAxis(side, lambda value, step: f"{value:,.0f}/s") for side in ("left", "bottom")]
    sheet = Sheet(*axes)
    sheet.paint_with(LIGHT, QFont())
    return exposed(qtbot, sheet, 400, 300)


@pytest.fixture
def axis(sheet: Sheet) -> UnitAxis:
    """Its upright axis."""
    found: UnitAxis = sheet.plotItem.getAxis("left")
    return found


def written(axis: UnitAxis) -> list[str]:
    """What is written beside the axis, from below."""
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        _, _, texts = axis.generateDrawSpecs(painter)
    return [text for _, _, text in texts]


@pytest.mark.parametrize("high", [10.0, 1e6, 1e9, 1e12])
def test_that_no_tick_goes_without_its_text(qtbot: QtBot, axis: UnitAxis, high: float) -> None:
    axis.linkedView().setRange(yRange=(-0.1 * high, 1.1 * high), padding=0)
    axis.put((0.0, high / 2, high), high / 2)
    qtbot.waitUntil(lambda: written(axis) == axis.texts())


def test_that_an_axis_keeps_the_room_it_took(qtbot: QtBot, axis: UnitAxis) -> None:
    before = axis.width()
    with qtbot.waitSignal(axis.linkedView().sigResized):
        axis.put((0.0, 1e9), 1e9)
    wide = axis.width()
    assert wide > before
    axis.put((0.0, 1.0), 1.0)
    assert axis.width() == wide
