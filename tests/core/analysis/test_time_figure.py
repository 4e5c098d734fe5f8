"""What is plotted of moments."""

from __future__ import annotations

import building
import numpy as np
import pytest

from core.analysis.live_figures import WORKERS, TimePlot
from core.result.moments import Moment

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
