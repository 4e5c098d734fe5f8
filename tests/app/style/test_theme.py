"""Themes can be read by everybody."""

from __future__ import annotations

from itertools import combinations, pairwise
from types import SimpleNamespace
from typing import cast

import pytest
from colour import DEFICIENCIES, contrast, difference, linear, seen
from PySide6.QtCore import Qt
from PySide6.QtGui import QStyleHints
from PySide6.QtWidgets import QApplication

from app.style.theme import DARK, HIGH_CONTRAST, LIGHT, THEMES, Theme, points, wished

pytestmark = pytest.mark.quick
INKS = ("ink", "ink2", "ink3", "act", "sure", "warn", "bad")
GROUNDS = {
    "paper": INKS,
    "inset": INKS,
    "hover": ("ink",),
    "act": ("on-act",),
    "act-tint": ("ink", "ink2", "act"),
    "sure-tint": ("ink", "sure"),
    "warn-tint": ("ink", "warn"),
    "bad-tint": ("ink", "bad"),
}
PAIRS = [(ground, ink) for ground, inks in GROUNDS.items() for ink in inks]
each_theme = pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)


@each_theme
@pytest.mark.parametrize("pair", PAIRS, ids=" on ".join)
def test_that_every_text_keeps_a_contrast_of_seven(theme: Theme, pair: tuple[str, str]) -> None:
    assert contrast(*(theme.roles[role] for role in pair)) >= 7


@each_theme
def test_that_edges_of_controls_keep_a_contrast_of_three(theme: Theme) -> None:
    assert contrast(theme.roles["border"], theme.background) >= 3
    assert "$" not in theme.style_sheet()


@each_theme
def test_that_data_have_five_colours_that_are_no_verdicts(theme: Theme) -> None:
    data = [theme.roles[f"data{rank}"] for rank in range(1, 6)]
    verdicts = [theme.roles[name] for name in ("act", "sure", "warn", "bad")]
    assert min(contrast(one, theme.background) for one in data) >= 3
    assert min(difference(linear(a), linear(b)) for a in data for b in verdicts) > 0.06


@each_theme
def test_that_every_curve_keeps_a_contrast_of_three(theme: Theme) -> None:
    assert min(contrast(curve, theme.background) for curve in theme.curves) >= 3


@each_theme
def test_that_any_two_curves_differ_in_colour(theme: Theme) -> None:
    assert min(difference(linear(a), linear(b)) for a, b in combinations(theme.curves, 2)) > 0.06


@each_theme
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_that_the_curves_of_one_plot_differ_for_every_kind_of_eye(
    theme: Theme, deficiency: str
) -> None:
    first, second = (seen(colour, deficiency) for colour in theme.curves[:2])
    assert difference(first, second) > 0.12


@pytest.mark.parametrize("scheme", Qt.ColorScheme)
@pytest.mark.parametrize("contrast", Qt.ContrastPreference)
def test_that_who_asks_for_contrast_gets_it_and_else_dark_or_light(
    scheme: Qt.ColorScheme, contrast: Qt.ContrastPreference
) -> None:
    accessibility = SimpleNamespace(contrastPreference=lambda: contrast)
    system = SimpleNamespace(colorScheme=lambda: scheme, accessibility=lambda: accessibility)
    usual = DARK if scheme == Qt.ColorScheme.Dark else LIGHT
    expected = HIGH_CONTRAST if contrast == Qt.ContrastPreference.HighContrast else usual
    assert wished(cast("QStyleHints", system)) is expected


def test_that_texts_are_whole_pixels_high_on_a_usual_screen(qapp: QApplication) -> None:
    inch = qapp.primaryScreen().logicalDotsPerInchY()
    heights = [points(size) / 72 * inch for size in ("small", "plain", "title", "hero")]
    assert heights == pytest.approx([round(one) for one in heights])
    assert all(smaller < larger for smaller, larger in pairwise(heights))
