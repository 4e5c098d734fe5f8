"""Colours that everybody can read."""

import pytest
from PySide6.QtGui import QColor

from app.style.theme import THEMES, Theme

pytestmark = pytest.mark.window

GROUNDS = {
    "window": ("text", "muted", "accent", "alarm", "good"),
    "panel": ("text", "muted", "accent", "alarm", "good"),
    "selection": ("text",),
    "accent": ("accent-text",),
    "alarm-panel": ("text", "muted", "alarm"),
    "good-panel": ("text", "muted", "good"),
}
PAIRS = [(ground, ink) for ground, inks in GROUNDS.items() for ink in inks]


def luminance(colour: QColor) -> float:
    """As WCAG 2 defines it."""
    parts = [colour.redF(), colour.greenF(), colour.blueF()]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, two: QColor) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


each_theme = pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)


@each_theme
@pytest.mark.parametrize("pair", PAIRS, ids=" on ".join)
def test_that_every_text_stands_out_seven_to_one(theme: Theme, pair: tuple[str, str]) -> None:
    ground, ink = (QColor(theme.roles[role]) for role in pair)
    assert contrast(ground, ink) >= 7, f"{pair}: {contrast(ground, ink):.2f}"


@each_theme
def test_that_edges_of_controls_stand_out_three_to_one(theme: Theme) -> None:
    assert contrast(QColor(theme.roles["border"]), QColor(theme.background)) >= 3
    assert "$" not in theme.style_sheet()
