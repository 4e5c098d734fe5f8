"""What is drawn of samples loses nothing, against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from app.plots.base.samples import Floats, Points, Samples

pytestmark = pytest.mark.quick


def samples_of(told: bytes) -> tuple[Floats, Floats]:
    """Three bytes a sample: the step in time (0, 0.1 or 5) and the values of two curves."""
    rows = np.frombuffer(told[: len(told) // 3 * 3], np.uint8).reshape(-1, 3).astype(float)
    times = np.cumsum(np.select([rows[:, 0] < 40, rows[:, 0] > 230], [0.0, 5.0], 0.1))
    return times, np.where(rows[:, 1:] < 50, np.nan, rows[:, 1:])


# Fewer draws than one for each number, which is what takes the time.
samples = some.binary(max_size=900).map(samples_of)
windows = some.tuples(some.floats(-5, 60), some.floats(0.01, 100), some.integers(5, 60))
"""With fewer pixels than five, columns hold hundreds of samples."""


def filled(times: Floats, rows: Floats, *, pieces: int = 1) -> Samples:
    made = Samples(rows.shape[1])
    for part in np.array_split(np.arange(len(times)), pieces):
        made.extend(times[part], rows[part])
    return made


def column_of(x: Floats, start: float, end: float, pixels: int) -> Floats:
    width = (end - start) / pixels
    edges = (np.floor(start / width) + np.arange(pixels + 2)) * width
    return np.searchsorted(edges, x, side="right").astype(float)


def drawn(points: Points) -> Points:
    kept = np.isfinite(points.y)
    return Points(points.x[kept], points.y[kept])


@settings(deadline=None)  # a busy machine is no fault
@given(samples, windows)
def test_that_every_column_has_the_extremes_that_brute_force_finds(
    data: tuple[Floats, Floats], window: tuple[float, float, int]
) -> None:
    times, rows = data
    start, end, pixels = window[0], window[0] + window[1], window[2]
    for curve, found in enumerate(filled(times, rows).query(start, end, pixels)):
        columns = column_of(times, start, end, pixels)
        shown = drawn(found)
        shown_columns = column_of(shown.x, start, end, pixels)
        for column in range(1, pixels + 2):
            inside = rows[columns == column, curve]
            inside = inside[np.isfinite(inside)]
            points = shown.y[shown_columns == column]
            assert (points.size > 0) == (inside.size > 0)
            if inside.size:
                assert (points.min(), points.max()) == (inside.min(), inside.max())


@settings(deadline=None)  # a busy machine is no fault
@given(samples, windows)
def test_that_no_column_has_more_than_two_points(
    data: tuple[Floats, Floats], window: tuple[float, float, int]
) -> None:
    start, end, pixels = window[0], window[0] + window[1], window[2]
    for found in filled(*data).query(start, end, pixels):
        shown = drawn(found)
        columns = column_of(shown.x, start, end, pixels)
        _, counts = np.unique(columns[(columns > 0) & (columns < pixels + 2)], return_counts=True)
        assert counts.max(initial=0) <= 2
        assert len(shown.x) <= 2 * (pixels + 1) + 2
        assert np.all(np.diff(found.x) >= 0)


@settings(deadline=None)  # a busy machine is no fault
@given(samples, windows)
def test_that_a_gap_wider_than_a_pixel_stays_a_gap(
    data: tuple[Floats, Floats], window: tuple[float, float, int]
) -> None:
    times, rows = data
    start, end, pixels = window[0], window[0] + window[1], window[2]
    for curve, found in enumerate(filled(times, rows).query(start, end, pixels)):
        whole = np.isfinite(rows[:, curve])
        for place in np.flatnonzero(np.isfinite(found.y[:-1]) & np.isfinite(found.y[1:])):
            left, right = found.x[place], found.x[place + 1]
            between = (times > left) & (times < right)
            columns = column_of(found.x[place : place + 2], start, end, pixels)
            if columns[0] != columns[1]:
                assert whole[between].all()


@settings(deadline=None)  # a busy machine is no fault
@given(samples, windows, some.integers(1, 40))
def test_that_samples_in_pieces_make_the_same_picture_as_all_at_once(
    data: tuple[Floats, Floats], window: tuple[float, float, int], pieces: int
) -> None:
    view = (window[0], window[0] + window[1], window[2])
    whole, built = filled(*data).query(*view), filled(*data, pieces=pieces).query(*view)
    for one, two in zip(whole, built, strict=True):
        np.testing.assert_array_equal(one.x, two.x)
        np.testing.assert_array_equal(one.y, two.y)


def test_that_columns_stay_put_while_the_view_moves_by_less_than_one() -> None:
    times = np.arange(100_000) / 10
    made = filled(times, np.sin(times)[:, None])
    (one,), (two,) = made.query(0, 8000, 1000), made.query(4, 8004, 1000)
    np.testing.assert_array_equal(one.y[2:1500], two.y[2:1500])


def test_that_a_single_spike_in_a_day_is_seen() -> None:
    spiky = np.zeros((864_000, 1))
    spiky[543_210] = 7.0
    (found,) = filled(np.arange(864_000) / 10, spiky).query(0, 86_400, 800)
    assert found.y.max() == 7.0
    assert len(found.x) <= 1604


def test_that_times_that_go_back_are_refused() -> None:
    made = filled(np.array([1.0, 2.0]), np.zeros((2, 1)))
    with pytest.raises(ValueError, match="must not decrease"):
        made.extend([1.5], [[0.0]])
