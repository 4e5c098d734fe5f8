"""Curves on pixels: where they run, where they break, and that what is kept is what would be drawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from numpy.typing import NDArray
from PySide6.QtCore import QSize

from app.plots.pyramid import Points
from app.plots.raster import Raster, first_difference

pytestmark = pytest.mark.window

WIDTH, HEIGHT = 40, 30
COLOURS = ("#ff0000", "#00ff00")


def picture(raster: Raster) -> NDArray[np.uint32]:
    pixels = np.frombuffer(raster.image.constBits(), np.uint32)
    return pixels.reshape(raster.image.height(), raster.image.width()).copy()


def drawn(points: Points, thickness: int = 1) -> NDArray[np.bool_]:
    raster = Raster(QSize(WIDTH, HEIGHT), thickness)
    raster.draw([points], COLOURS[:1])
    return picture(raster) != 0


def curve(*places: tuple[float, float]) -> Points:
    x, y = np.array(places, float).reshape(-1, 2).T
    return Points(np.ascontiguousarray(x), np.ascontiguousarray(y))


def test_that_a_column_is_filled_from_its_lowest_to_its_highest_value() -> None:
    seen = drawn(curve((5.2, 3), (5.7, 12)))
    assert np.argwhere(seen).tolist() == [[row, 5] for row in range(3, 13)]


def test_that_neighbouring_columns_meet_halfway() -> None:
    seen = drawn(curve((5, 2), (6, 12)))
    assert np.flatnonzero(seen[:, 5]).tolist() == [2, 3, 4, 5, 6, 7]
    assert np.flatnonzero(seen[:, 6]).tolist() == [7, 8, 9, 10, 11, 12]


def test_that_distant_points_are_joined_by_a_line() -> None:
    seen = drawn(curve((5, 10), (25, 10)))
    assert np.flatnonzero(seen[10]).tolist() == list(range(5, 26))


def test_that_a_value_that_is_not_known_interrupts_the_line() -> None:
    seen = drawn(curve((5, 10), (15, np.nan), (25, 10)))
    assert np.argwhere(seen).tolist() == [[10, 5], [10, 25]]


def test_that_distant_points_are_joined_although_the_first_value_is_not_known() -> None:
    seen = drawn(curve((1, np.nan), (5, 10), (15, 10), (25, 10)))
    assert np.argwhere(seen).tolist() == [[10, column] for column in range(5, 26)]


def test_that_a_thick_line_takes_two_pixels() -> None:
    seen = drawn(curve((5, 3), (5.5, 3)), thickness=2)
    assert np.argwhere(seen).tolist() == [[3, 5], [3, 6], [4, 5], [4, 6]]


def test_that_an_image_shown_on_a_fine_screen_is_still_drawn_in_its_own_pixels() -> None:
    raster = Raster(QSize(WIDTH, HEIGHT), 2)
    line = curve((5, 10), (25, 10))
    raster.draw([line], COLOURS[:1])
    before = picture(raster)
    raster.image.setDevicePixelRatio(2)
    raster.draw([line], COLOURS[:1])
    np.testing.assert_array_equal(picture(raster), before)


def test_that_what_lies_outside_is_left_out() -> None:
    assert not drawn(curve((-9, 3), (-8, 4), (100, -1e9), (101, 1e9))).any()


@pytest.mark.parametrize("places", [((1, 10), (39, 10)), tuple((x, 10) for x in range(40))])
def test_that_equal_curves_are_both_to_be_seen(places: tuple[tuple[float, float], ...]) -> None:
    raster = Raster(QSize(WIDTH, HEIGHT), 1)
    raster.draw([curve(*places)] * 2, COLOURS)
    row = picture(raster)[10, 1:39].tolist()
    assert row.count(0xFFFF0000) == 23
    assert row.count(0xFF00FF00) == 15


steps = some.lists(
    some.tuples(some.floats(0, 6), some.one_of(some.just(np.nan), some.floats(-9, 40))),
    min_size=2,
    max_size=40,
)


@settings(deadline=None)  # a busy machine is no fault
@given(steps, steps, some.integers(1, 39), some.integers(1, 2))
def test_that_a_curve_drawn_on_is_the_one_drawn_at_once(
    one: list[tuple[float, float]],
    other: list[tuple[float, float]],
    known: int,
    thickness: int,
) -> None:
    curves = []
    for told in (one, other):
        whole = np.array(told, float)
        curves.append(Points(np.cumsum(whole[:, 0]), np.ascontiguousarray(whole[:, 1])))
    before = [Points(each.x[:known], each.y[:known]) for each in curves]
    changed = [first_difference(*pair) for pair in zip(curves, before, strict=True)]
    kept = Raster(QSize(WIDTH, HEIGHT), thickness)
    kept.draw(before, COLOURS)
    kept.draw(curves, COLOURS, min(changed))
    anew = Raster(QSize(WIDTH, HEIGHT), thickness)
    anew.draw(curves, COLOURS)
    np.testing.assert_array_equal(picture(kept), picture(anew))
