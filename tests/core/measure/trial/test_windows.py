"""How long workers measure together and work before that, and when a turn is looked at."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measure import usable_cores
from core.measure.trial.live_trial import first_sample_due
from core.measure.trial.windows import RUN_IN, WINDOW, run_in_for, several_rounds, window_for
from core.vocabulary import Load

pytestmark = pytest.mark.quick

MANY = 64 * round(usable_cores())


@pytest.mark.parametrize(
    ("wishes", "workers", "operation", "run_in"),
    [
        ({"duration": 3.0}, 2, 1e-4, RUN_IN),
        ({"duration": 3.0}, 1, 1e-4, 0.0),
        ({"duration": 3.0}, 2, 0.2, 0.4),
        ({"duration": 3.0}, 2, 1.0, 0.0),
        ({"operations": 100}, 2, 1e-4, 0.0),
        ({"duration": 3.0, "operations": 100}, 2, 1e-4, 0.0),
    ],
)
def test_that_several_workers_of_short_operations_have_a_run_in(
    wishes: dict[str, Any], workers: int, operation: float, run_in: float
) -> None:
    assert run_in_for(Load(**({"duration": 0.0} | wishes)), operation, workers) == run_in


def test_that_a_window_outlasts_the_turns_that_threads_take_on_the_cores() -> None:
    load = Load(duration=10.0, threads=MANY)
    window = window_for(load, 1e-6, MANY)
    assert window is not None
    assert window >= several_rounds(MANY) > 2 * run_in_for(load, 1e-6, MANY)
    assert several_rounds(1) == 0.0


def test_that_a_trial_is_one_window_where_its_operations_are_long() -> None:
    load = Load(duration=2.0)
    assert window_for(load, 1e-6, 1) == WINDOW
    assert window_for(load, 0.1, 1) is None
    assert window_for(Load(duration=0.0), 0.1, 1) == pytest.approx(2.0)


TICK = 0.1
ACROSS = 0.02
"""Seconds between two counts of a worker's work."""


@given(st.floats(min_value=0.01, max_value=60.0))
def test_that_the_last_look_in_a_turn_is_far_from_the_one_at_its_end(turn: float) -> None:
    first = first_sample_due(turn)
    assert first >= TICK
    if first < turn:
        last = first + math.floor((turn - first) / TICK) * TICK
        apart = min(turn - last, abs(turn - last - TICK))
        assert apart > 2 * ACROSS


@pytest.mark.parametrize("turn", [0.05, 0.1, 0.15, 0.2])
def test_that_a_short_turn_is_looked_at_only_at_its_end_or_where_it_hangs(turn: float) -> None:
    assert turn + 0.25 < first_sample_due(turn) < 1.0


@given(st.floats(min_value=0.3, max_value=60.0))
def test_that_a_long_turn_is_looked_at_soon(turn: float) -> None:
    assert first_sample_due(turn) <= 2 * TICK


def test_that_a_turn_without_an_end_is_looked_at_from_the_first_tick_on() -> None:
    assert first_sample_due(math.inf) == TICK
