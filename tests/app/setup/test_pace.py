"""What is told while something is made or fetched."""

from __future__ import annotations

import pytest

from app.work.question import time_left

pytestmark = pytest.mark.window


@pytest.mark.parametrize(
    ("gone", "done", "total", "left"),
    [
        (3.0, 250, 1000, 9.0),
        (10.0, 999, 1000, pytest.approx(0.01, abs=1e-3)),
        (1.0, 250, 1000, None),  # too early to say
        (5.0, 0, 1000, None),
        (5.0, 1000, 1000, None),
        (5.0, 0, 0, None),  # nobody knows how much there is
    ],
)
def test_that_the_rest_takes_as_long_as_the_pace_so_far_says(
    gone: float, done: int, total: int, left: float | None
) -> None:
    assert time_left(gone, done, total) == left
