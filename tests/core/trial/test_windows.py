"""How long workers measure together, and how long they work before that."""

from __future__ import annotations

from typing import Any

import pytest

from core.catalog.load import Load
from core.host.processor import usable_cores
from core.trial.windows import RUN_IN, WINDOW, run_in_for, several_rounds, window_for

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
