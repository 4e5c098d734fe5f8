"""The strict figures of `python -m core selfcheck`, one test each.

    python -m pytest -m benchmark tests/benchmarks/bench_speed.py

They need a machine with nothing else to do, and are not collected with the other tests.
"""

from __future__ import annotations

import pytest

from core.selfcheck.cost import GOALS as LOOP_GOALS
from core.selfcheck.cost import check_watching, loop_row, measure_in_child
from core.selfcheck.loop_in_child import LoopCase
from core.selfcheck.truth import check_truth

pytestmark = pytest.mark.benchmark


@pytest.mark.parametrize("case", LOOP_GOALS, ids=repr)
def test_that_the_loop_gets_out_of_the_way(case: LoopCase) -> None:
    row = loop_row(case, LOOP_GOALS[case], measure_in_child(case, 8.0))
    assert row.passed, row.measured


def test_that_trials_report_what_others_reach() -> None:
    assert [row for row in check_truth().rows if not row.passed] == []


def test_that_looking_costs_half_a_percent_of_a_core() -> None:
    row = check_watching(20.0)
    assert row.passed, row.measured
