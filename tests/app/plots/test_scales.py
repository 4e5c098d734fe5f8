"""Axes begin, end and have their ticks at round numbers."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from app.plots.base.axes import (
    UNKNOWN,
    binary_step,
    clock_step,
    decades,
    decimal_step,
    from_zero,
    growing_end,
    multiples,
)

pytestmark = pytest.mark.quick


@settings(deadline=None)  # a busy machine is no fault
@given(some.floats(1e-3, 1e15), some.integers(1, 12))
def test_that_an_axis_from_zero_holds_its_values_with_few_ticks(high: float, most: int) -> None:
    scale = from_zero(decimal_step, 1e-3)(0.0, high, most)
    assert scale.low == 0.0
    assert scale.high >= high * (1 - 1e-9)
    assert 2 <= len(scale.ticks) <= most + 2


@settings(deadline=None)  # a busy machine is no fault
@given(some.floats(-9, 3), some.floats(0, 8), some.integers(1, 8))
def test_that_a_logarithmic_axis_holds_its_values_with_few_ticks(
    low: float, more: float, most: int
) -> None:
    scale = decades(low, low + more, most)
    assert scale.low <= low + 1e-6
    assert scale.high >= low + more - 1e-6
    assert scale.ticks
    assert len(scale.ticks) <= most + 3
    assert all(scale.low <= tick <= scale.high for tick in scale.ticks)


def test_that_an_axis_within_a_decade_has_ticks_at_one_two_five() -> None:
    scale = decades(math.log10(2.3e-3), math.log10(9e-3), 6)
    assert [round(10**tick * 1000, 6) for tick in scale.ticks] == [2, 5, 10]


@pytest.mark.parametrize(("most", "ticks"), [(4, [1, 2, 5, 10, 20]), (3, [1, 10])])
def test_that_ticks_are_at_one_two_five_as_long_as_there_is_room(
    most: int, ticks: list[int]
) -> None:
    assert [round(10**tick) for tick in decades(0.0, math.log10(20), most).ticks] == ticks


def test_that_nothing_known_gives_no_ticks() -> None:
    assert from_zero(decimal_step, 1.0)(math.inf, -math.inf, 4) == UNKNOWN
    assert decades(math.inf, -math.inf, 4) == UNKNOWN


def test_that_sizes_have_powers_of_two() -> None:
    assert binary_step(5e7) == 64 << 20
    assert multiples(0, 128, 64) == (0, 64, 128)


@pytest.mark.parametrize(("least", "step"), [(0.3, 0.5), (7, 10), (40, 60), (4000, 7200), (1e5, 172_800)])  # fmt: skip
def test_that_time_steps_as_on_a_clock(least: float, step: float) -> None:
    assert clock_step(least) == step


@settings(deadline=None)  # a busy machine is no fault
@given(some.floats(0, 80_000_000))
def test_that_a_growing_axis_has_room_but_not_much(end: float) -> None:
    assert end <= growing_end(end) <= max(5.0, 2 * end)


def test_that_a_growing_axis_of_up_to_a_day_grows_by_half_at_most() -> None:
    steps = sorted({growing_end(end) for end in (*range(10, 4000, 5), *range(4000, 86_400, 600))})
    assert all(later <= 1.5 * sooner for sooner, later in pairwise(steps))
