"""When a trial in turns is looked at: often enough to be live, never twice within milliseconds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.trial.live_trial import first_look

TICK = 0.1
ACROSS = 0.02
"""Seconds between two counts of a worker's work."""


@given(st.floats(min_value=0.01, max_value=60.0))
def test_that_the_last_look_in_a_turn_is_far_from_the_one_at_its_end(turn: float) -> None:
    first = first_look(turn)
    assert first >= TICK
    if first < turn:
        last = first + math.floor((turn - first) / TICK) * TICK
        apart = min(turn - last, abs(turn - last - TICK))
        assert apart > 2 * ACROSS


@pytest.mark.parametrize("turn", [0.05, 0.1, 0.15, 0.2])
def test_that_a_short_turn_is_looked_at_only_at_its_end_or_where_it_hangs(turn: float) -> None:
    assert turn + 0.25 < first_look(turn) < 1.0


@given(st.floats(min_value=0.3, max_value=60.0))
def test_that_a_long_turn_is_looked_at_soon(turn: float) -> None:
    assert first_look(turn) <= 2 * TICK


def test_that_a_turn_without_an_end_is_looked_at_from_the_first_tick_on() -> None:
    assert first_look(math.inf) == TICK
