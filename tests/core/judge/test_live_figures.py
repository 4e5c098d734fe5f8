"""What is shown of moments while a trial runs: plots over time, and rates from one to the next."""

from __future__ import annotations

from itertools import pairwise

import building
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.judge import TimePlot
from core.judge.live_figures import WORKERS, rate_between
from core.vocabulary import Moment

pytestmark = pytest.mark.quick


def moment(at: float, *operations: int, read: int = 0, p50: int = 1000) -> Moment:
    return Moment(
        at=at, operations=operations, cpu=tuple(round(at * 5e8) for _ in operations), bytes=read,
        errors=0, wrong=0, p50=p50, p99=3 * p50, reading=building.reading(at),
    )  # fmt: skip


def test_that_rates_are_differences_of_neighbouring_moments() -> None:
    times, values = TimePlot.values([moment(1, 100, read=400), moment(3, 500, read=1400)], None)
    assert times.tolist() == [1, 3]
    assert np.isnan(values[0, :2]).all()
    assert values[1, :2].tolist() == [200, 500]


def test_that_moments_one_by_one_give_the_same_as_all_at_once() -> None:
    moments = [moment(at / 10, at * 7, at * 9, read=at) for at in range(1, 8)]
    _, whole = TimePlot.values(moments, None)
    pieces = [TimePlot.values([one], before)[1] for one, before in zip(moments, [None, *moments])]  # noqa: B905
    np.testing.assert_array_equal(whole, np.vstack(pieces))


def test_that_a_worker_that_begins_late_disturbs_no_throughput() -> None:
    _, values = TimePlot.values([moment(1, 10), moment(2, 20, 5)], None)
    assert values[1, 0] == 15


def test_that_no_operation_means_no_latency() -> None:
    _, values = TimePlot.values([moment(1, 10, p50=0)], None)
    assert np.isnan(values[0, 2:4]).all()


def test_that_two_looks_at_one_time_have_no_rate_between_them() -> None:
    _, values = TimePlot.values([moment(1, 10), moment(1, 20)], None)
    assert np.isnan(values[1, 0])


def test_that_many_workers_are_told_from_busiest_to_idlest() -> None:
    many = WORKERS + 3
    one = moment(1, *[1] * many)
    two = Moment(
        at=2, operations=one.operations, cpu=tuple(c + n * 10**8 for n, c in enumerate(one.cpu)),
        bytes=0, errors=0, wrong=0, p50=0, p99=0, reading=None,
    )  # fmt: skip
    _, values = TimePlot.values([two], one)
    busiest, median, idlest = values[0, 9:12]
    assert (busiest, median, idlest) == pytest.approx((0.7, 0.4, 0.0))
    assert np.isnan(values[0, 4:9]).all()


def test_that_a_look_before_any_worker_has_begun_is_measured_as_nothing() -> None:
    _, values = TimePlot.values([moment(0), moment(1)], None)
    assert values.shape[0] == 2
    assert values[1, 0] == 0
    assert np.isnan(values[:, 9:]).all()


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
