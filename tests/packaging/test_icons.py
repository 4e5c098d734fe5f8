"""The icon: one drawing, in every size, seen on light and on dark."""

from __future__ import annotations

import pytest
from loading import packaging_module
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.window

draw_pictures = packaging_module("draw_pictures")
ICONS = draw_pictures.ICONS


def luminance(colour: QColor) -> float:
    """Relative luminance as WCAG 2 defines it."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (colour.redF(), colour.greenF(), colour.blueF())
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, two: QColor) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("size", draw_pictures.ICON_SIZES)
def test_that_each_size_is_drawn_from_the_drawing(qtbot: QtBot, size: int) -> None:
    kept = QImage(str(ICONS / f"sluice-{size}.png")).convertToFormat(QImage.Format.Format_ARGB32)
    drawn = draw_pictures.icon(size)
    assert (kept.width(), kept.height()) == (size, size)
    # Versions of Qt smooth edges a little differently.
    apart = sum(
        abs(kept.pixelColor(x, y).alpha() - drawn.pixelColor(x, y).alpha()) > 40
        or abs(kept.pixelColor(x, y).lightness() - drawn.pixelColor(x, y).lightness()) > 40
        for x in range(0, size, max(1, size // 64))
        for y in range(0, size, max(1, size // 64))
    )
    assert apart <= 20


def test_that_nothing_of_it_is_lost_at_16_pixels(qtbot: QtBot) -> None:
    icon = QImage(str(ICONS / "sluice-16.png"))
    ground = icon.pixelColor(8, 8)
    for x, y in ((3, 4), (12, 4), (7, 2), (5, 9), (9, 11), (4, 13)):
        assert contrast(icon.pixelColor(x, y), ground) > 4, (x, y)


@pytest.mark.parametrize("desktop", ["#ffffff", "#202124", "#000000"])
def test_that_its_outline_is_seen_on_light_and_on_dark(qtbot: QtBot, desktop: str) -> None:
    icon = QImage(str(ICONS / "sluice-48.png"))
    edge = max(contrast(icon.pixelColor(x, 24), QColor(desktop)) for x in range(4))
    assert edge > 3
