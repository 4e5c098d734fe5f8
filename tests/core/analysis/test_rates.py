"""Rates between looks at a running trial: one by one, and many at once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.analysis.live_figures import TimePlot, rate_between
from core.result.moments import Moment

pytestmark = pytest.mark.quick


def moment(at: float, *operations: int, read: int = 0) -> Moment:
    return Moment(
        at=at, operations=operations, cpu=(), bytes=read,
        errors=0, wrong=0, p50=0, p99=0, reading=None,
    )  # fmt: skip


def test_that_a_rate_is_what_came_since_the_moment_before() -> None:
    before = moment(1, 100, 20, read=400)
    after = moment(3, 500, 40, read=1400)
    assert rate_between(before, after) == 210
    assert rate_between(before, after, lambda seen: seen.bytes) == 500


def test_that_without_a_moment_before_the_rate_is_that_since_the_clock_started() -> None:
    assert rate_between(None, moment(4, 100, 20)) == 30


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, moment(0, 0)),
        (None, moment(-1, 0)),
        (moment(2, 5), moment(2, 9)),
        (moment(2, 5), moment(1, 9)),
    ],
)
def test_that_there_is_no_rate_where_no_time_went_by(before: Moment | None, after: Moment) -> None:
    assert rate_between(before, after) is None


def test_that_there_is_no_rate_of_what_is_not_known() -> None:
    after = moment(3, 500)
    assert rate_between(moment(1, 100), after, lambda _: None) is None
    assert rate_between(None, after, lambda _: None) is None


seen = some.builds(
    moment,
    some.sampled_from([0.1, 0.2, 1.0, 1.5, 7.25]),
    some.integers(0, 10**12),
    some.integers(0, 10**6),
)


@given(some.lists(seen, min_size=2, max_size=6))
def test_that_many_at_once_have_the_rates_of_one_by_one(moments: list[Moment]) -> None:
    one_by_one = [rate_between(before, after) for before, after in pairwise(moments)]
    wanted = [np.nan if rate is None else rate for rate in one_by_one]
    np.testing.assert_array_equal(TimePlot.values(moments, None)[1][1:, 0], wanted)
