"""The one place that decides whether a percentile can be told."""

from __future__ import annotations

import building
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.result.histogram import BUCKETS, Histogram, Latencies, count_into, longest

pytestmark = pytest.mark.quick


def timed(latencies: object, weight: int = 1) -> Latencies:
    counts = np.zeros(BUCKETS, np.int64)
    values = np.asarray(latencies, np.int64)
    count_into(values, counts, weight)
    return Latencies(histogram=Histogram.of(counts), squares=weight * weight * len(values))


def exponential(count: int, mean: float, seed: int = 1) -> object:
    return np.random.default_rng(seed).exponential(mean, count).astype(np.int64)


@given(st.lists(st.tuples(st.integers(1, 500), st.integers(1, 1024)), min_size=1, max_size=5))
def test_that_a_sample_says_no_more_than_what_was_timed(parts: list[tuple[int, int]]) -> None:
    together = Latencies.together(timed([1_000] * count, weight) for count, weight in parts)
    count = sum(count for count, _ in parts)
    assert together.sample <= count * (1 + 1e-9)
    if len({weight for _, weight in parts}) == 1:
        assert together.sample == pytest.approx(count)


def test_that_a_few_that_stand_for_many_do_not_pass_for_many() -> None:
    together = Latencies.together([timed([1_000] * 5_000), timed([9_000_000] * 5, 1_000)])
    assert together.sample < 25
    assert together.seconds(0.99) is None


@pytest.mark.parametrize(
    ("count", "known"), [(19, []), (30, [50]), (1_500, [50, 90, 95, 99]), (15_000, None)]
)
def test_that_percentiles_that_are_not_known_are_not_told(
    count: int, known: list[float] | None
) -> None:
    # Of a thousand times as many operations each.
    found = timed([20_000 + place % 7 for place in range(count)], weight=1_000)
    told = [one.percent for one in found.percentiles()]
    assert told == (known if known is not None else [50, 90, 95, 99, 99.9])
    assert [found.seconds(q) is not None for q in (0.5, 0.99, 0.999)] == [
        50 in told,
        99 in told,
        99.9 in told,
    ]


def test_that_one_stall_in_a_thousand_has_no_p999_because_chance_decides_it() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        stalls = rng.random(12_000) < 0.001
        found = timed(np.where(stalls, 2_000_000, 1_600), weight=32)
        assert found.seconds(0.5) == pytest.approx(1.6e-6, rel=0.01)
        assert found.seconds(0.99) == pytest.approx(1.6e-6, rel=0.01)
        assert found.seconds(0.999) is None or found.seconds(0.999) == pytest.approx(2e-3, rel=0.02)


def test_that_a_percentile_that_is_told_is_near_the_true_one() -> None:
    for seed in range(40):
        found = timed(exponential(2_000, 1e6, seed), weight=8)
        for quantile in (0.5, 0.9, 0.99, 0.999):
            value = found.seconds(quantile)
            assert value is None or value == pytest.approx(-1e-3 * np.log(1 - quantile), rel=0.25)


def test_that_the_longest_of_several_trials_is_that_of_the_worst() -> None:
    parts = [timed([place] * 2_000) for place in (1_000_000, 3_000_000, 2_000_000)]
    assert longest(parts, 0.99) == pytest.approx(3e-3, rel=0.01)


def test_that_trials_with_too_few_operations_are_taken_together() -> None:
    parts = [timed([place] * 400) for place in (1_000_000, 1_020_000, 1_010_000)]
    assert [part.seconds(0.99) for part in parts] == [None] * 3
    assert longest(parts, 0.99) == pytest.approx(1.02e-3, rel=0.01)


def test_that_nothing_is_the_longest_where_a_trial_timed_nothing() -> None:
    assert longest([], 0.99) is None
    assert longest([timed([1_000] * 5_000), None], 0.99) is None
    assert longest([timed([1_000] * 50)] * 3, 0.99) is None


def test_that_a_trial_is_unpacked_once_for_all_its_percentiles() -> None:
    trial = building.trial(building.spec())
    first, again = trial.latencies, trial.latencies
    assert first is not None
    assert again is not None
    assert first.histogram is again.histogram


def test_that_the_trials_of_a_result_are_summed_once() -> None:
    result = building.good(building.spec(), 1000.0, 1100.0)
    assert result.latencies is not None
    assert result.latencies is result.latencies


def test_that_a_result_is_the_same_whether_or_not_it_was_asked_for_its_latencies() -> None:
    asked, other = (building.good(building.spec(), 1000.0, 1100.0) for _ in range(2))
    assert asked.latencies is not None
    assert asked == other
    changed = msgspec.structs.replace(asked, trials=asked.trials[:1])
    assert changed.latencies == asked.trials[0].latencies
