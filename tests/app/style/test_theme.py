"""Themes can be read by everybody."""

from __future__ import annotations

from itertools import combinations

import pytest
from colour import DEFICIENCIES, contrast, difference, linear, seen

from app.style.theme import THEMES, Theme

pytestmark = pytest.mark.quick
each_theme = pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)


@each_theme
def test_that_every_text_keeps_a_contrast_of_seven(theme: Theme) -> None:
    assert contrast(theme.text, theme.background) >= 7
    assert contrast(theme.muted, theme.background) >= 7


@each_theme
def test_that_every_curve_keeps_a_contrast_of_three(theme: Theme) -> None:
    assert min(contrast(curve, theme.background) for curve in theme.curves) >= 3


@each_theme
def test_that_any_two_curves_differ_in_colour(theme: Theme) -> None:
    assert min(difference(linear(a), linear(b)) for a, b in combinations(theme.curves, 2)) > 0.08


@each_theme
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_that_the_curves_of_one_plot_differ_for_every_kind_of_eye(
    theme: Theme, deficiency: str
) -> None:
    first, second = (seen(colour, deficiency) for colour in theme.curves[:2])
    assert difference(first, second) > 0.12
