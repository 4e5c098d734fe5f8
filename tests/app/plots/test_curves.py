"""Curves in a plot: how wide and smooth they are, where they break, and that none hides another."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from pixels import inks
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.plots.base.curves import Curves
from app.plots.base.samples import Points
from app.style.theme import LIGHT

pytestmark = pytest.mark.window

WIDTH, HEIGHT = 200, 60
VIEW = QRectF(0, 0, WIDTH, HEIGHT)
NO_MARKERS = 1e9
"""A spacing of markers that only the last point of a curve meets."""


def curve(*places: tuple[float, float]) -> Points:
    x, y = np.array(places, float).reshape(-1, 2).T
    return Points(np.ascontiguousarray(x), np.ascontiguousarray(y))


def drawn(*points: Points, spacing: float = NO_MARKERS) -> QImage:
    """The curves in a view where a unit is a pixel, from the upper left corner."""
    curves = Curves()
    curves.put(points, spacing, VIEW, VIEW.size().toSize())
    return picture(curves)


def picture(curves: Curves) -> QImage:
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("white"))
    with QPainter(image) as painter:
        curves.paint(painter, None, None)
    return image


def inked(image: QImage) -> NDArray[np.bool_]:
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(HEIGHT, WIDTH)
    return pixels != 0xFFFFFFFF


def test_that_a_curve_of_few_points_is_two_pixels_wide() -> None:
    seen = inked(drawn(curve((10, 30), (100, 30), (190, 30))))
    assert set(seen[:, 20:180].sum(axis=0).tolist()) == {2}


def test_that_a_curve_of_few_points_is_smooth() -> None:
    shades = inks(drawn(curve((10, 10), (100, 37), (190, 50))))
    assert len(shades) > 10


def test_that_a_curve_denser_than_the_pixels_is_one_pixel_wide_and_of_its_colour_alone() -> None:
    dense = np.linspace(10, 190, 2 * WIDTH)
    image = drawn(Points(dense, np.full(dense.size, 30.5)))
    seen = inked(image)
    assert set(seen[:, 20:180].sum(axis=0).tolist()) == {1}
    assert image.pixelColor(100, 30).name().lower() == LIGHT.curves[0].lower()


def test_that_a_curve_that_goes_up_and_down_all_over_the_plot_is_thin() -> None:
    image = drawn(curve(*((4.0 * at, 50.0 * (at % 2) + 5) for at in range(50))))
    left = image.copy(0, 0, WIDTH // 2, HEIGHT)  # without the marker at its end
    assert inks(left) == {"#ffffff", LIGHT.curves[0].lower()}


@pytest.mark.parametrize("count", [3, 3 * WIDTH])
def test_that_a_value_that_is_not_known_interrupts_the_line(count: int) -> None:
    left, right = np.linspace(10, 80, count), np.linspace(120, 180, count)
    x = np.concatenate((left, [100.0], right))
    y = np.full(x.size, 30.5)
    y[count] = np.nan
    seen = inked(drawn(Points(x, y)))
    assert seen[:, 20:70].any(axis=0).all()
    assert not seen[:, 85:115].any()
    assert seen[:, 125:165].any(axis=0).all()


def test_that_both_of_two_equal_curves_are_seen_by_their_markers() -> None:
    line = curve(*((float(x), 30.0) for x in range(WIDTH)))
    seen = inks(drawn(line, line, spacing=40))
    assert {LIGHT.curves[0].lower(), LIGHT.curves[1].lower()} <= seen


def test_that_a_curve_that_was_taken_away_is_not_drawn_again() -> None:
    curves = Curves()
    curves.put([curve((10, 30), (190, 30))] * 2, NO_MARKERS, VIEW, VIEW.size().toSize())
    curves.put([], NO_MARKERS, VIEW, VIEW.size().toSize())
    assert not inked(picture(curves)).any()


def test_that_a_muted_curve_is_thin_and_has_no_marker() -> None:
    line = curve((10, 30), (100, 30), (190, 30))
    curves = Curves()
    curves.put([line], 40.0, VIEW, VIEW.size().toSize(), [None])
    image = picture(curves)
    assert set(inked(image)[:, 20:180].sum(axis=0).tolist()) == {1}
    assert inks(image) == {"#ffffff", LIGHT.roles["border"]}


def test_that_curves_that_are_put_again_take_the_changes_of_one_of_them() -> None:
    flat, steep = curve((10, 30), (190, 30)), curve((10, 50), (190, 10))
    size = VIEW.size().toSize()
    again = Curves()
    again.put([flat, flat], NO_MARKERS, VIEW, size)
    again.put([flat, steep], NO_MARKERS, VIEW, size)
    assert picture(again) == drawn(flat, steep)
    again.put([steep], NO_MARKERS, VIEW, size)
    assert picture(again) == drawn(steep)
