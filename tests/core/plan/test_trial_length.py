"""Trials are as long as a budget allows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog.declarations import declared
from core.catalog.load import Load
from core.plan.foreseen import Timing
from core.plan.schedule import BLOCKS, shortened

pytestmark = pytest.mark.quick

AROUND = Timing().ready + Timing().ending
USUAL = {kind.name: kind.default for kind in declared(Load)}


@given(st.floats(min_value=1.0, max_value=10_000.0), st.integers(1, 500))
def test_that_trials_get_shorter_where_a_budget_cannot_pay_for_several_blocks(
    budget: float, specs: int
) -> None:
    found = shortened({}, (), budget, specs * [Timing()])
    block = specs * (AROUND + float(USUAL["duration"]) + float(USUAL["warm_up"]))
    assert (found == {}) == (budget >= BLOCKS * block - 1e-9) or BLOCKS * block == pytest.approx(
        budget
    )
    if found:
        assert 0.3 <= float(found["duration"]) <= float(USUAL["duration"])
        assert 0.2 <= float(found["warm_up"]) <= float(USUAL["warm_up"])


def test_that_sixteen_settings_fit_into_ninety_seconds_three_times() -> None:
    found = shortened({}, (), 90.0, 16 * [Timing()])
    assert 3 * 16 * (AROUND + float(found["duration"]) + float(found["warm_up"])) < 90.0


@pytest.mark.parametrize("name", ["duration", "warm_up", "operations"])
def test_that_a_length_which_somebody_chose_is_kept(name: str) -> None:
    assert shortened({name: 7}, (), 10.0, 50 * [Timing()]) == {}
    assert shortened({}, {name}, 10.0, 50 * [Timing()]) == {}


def test_that_operations_that_are_too_long_have_no_warm_up() -> None:
    assert shortened({}, (), 40.0, 4 * [Timing(operation=1.0)])["warm_up"] == 0.3
    assert shortened({}, (), 40.0, 4 * [Timing(operation=20.0)])["warm_up"] == 0.0


def test_that_nothing_is_shortened_without_a_budget() -> None:
    assert shortened({}, (), 0.0, 50 * [Timing()]) == {}
