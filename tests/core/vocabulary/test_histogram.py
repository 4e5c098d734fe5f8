"""Histograms of latencies, and which percentiles can be told from them."""

from __future__ import annotations

import zlib
from itertools import pairwise

import building
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary import (
    BUCKETS,
    MOST_COUNTED,
    Histogram,
    Latencies,
    bucket_of,
    count_into,
    histogram,
    longest,
)
from core.vocabulary.histogram import LARGEST, bounds

durations = st.integers(min_value=0, max_value=LARGEST)


def of(values: list[int]) -> Histogram:
    return Histogram.of(np.array(counted(values), np.int64))


def counted(values: list[int]) -> list[int]:
    counts = np.zeros(BUCKETS, dtype=np.int64)
    count_into(np.array(values, dtype=np.int64), counts)
    return [int(count) for count in counts]


def test_that_buckets_follow_each_other_without_gap_or_overlap() -> None:
    edges = [bounds(index) for index in range(BUCKETS)]
    assert edges[0][0] == 0
    assert edges[-1][1] == LARGEST
    assert all(this[1] + 1 == following[0] for this, following in pairwise(edges))


@given(durations)
def test_that_a_bucket_holds_the_value_and_is_narrower_than_two_percent_of_it(value: int) -> None:
    low, high = bounds(bucket_of(value))
    assert low <= value <= high
    assert high - low <= value / 64


@given(st.lists(st.integers(min_value=0, max_value=2**50), max_size=50))
def test_that_counting_an_array_puts_every_value_where_bucket_of_puts_it(values: list[int]) -> None:
    expected = [0] * BUCKETS
    for value in values:
        expected[bucket_of(value)] += 1
    assert counted(values) == expected


def test_that_counting_an_array_is_right_at_both_sides_of_every_power_of_two() -> None:
    values = [2**power + shift for power in range(1, 53) for shift in (-1, 0, 1)]
    for value in values:
        assert counted([value])[bucket_of(value)] == 1, value


@pytest.mark.parametrize("value", [LARGEST, LARGEST + 1, 2**60])
def test_that_longer_operations_are_counted_in_the_last_bucket(value: int) -> None:
    assert bucket_of(value) == BUCKETS - 1


@pytest.mark.parametrize("hours", [1, 2, 10, 24, 300])
def test_that_operations_of_hours_are_as_long_as_they_were(hours: int) -> None:
    histogram = of([hours * 3600 * 10**9] * 30)
    latencies = Latencies(histogram=histogram, squares=30)
    assert latencies.longest == pytest.approx(3600 * hours, rel=0.008)
    assert latencies.seconds(0.5) == pytest.approx(3600 * hours, rel=0.008)


def test_that_buckets_keep_the_indexes_that_sessions_have_stored() -> None:
    assert [bucket_of(value) for value in (127, 10**3, 10**6, 10**9, 2**42 - 1)] == [
        127,
        317,
        954,
        1591,
        2367,
    ]


def test_that_a_negative_duration_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        bucket_of(-1)
    with pytest.raises(ValueError, match="negative"):
        counted([5, -1])


def test_that_counts_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="counts"):
        count_into(np.array([1]), np.zeros(7, dtype=np.int64))
    with pytest.raises(ValueError, match="counts"):
        Histogram.of(np.array([1, 2]))
    with pytest.raises(ValueError, match="bucket"):
        bounds(BUCKETS)


@given(st.lists(durations, max_size=30), st.integers(1, 4096))
def test_that_a_duration_counts_for_all_operations_that_it_stands_for(
    values: list[int], weight: int
) -> None:
    at_once = np.zeros(BUCKETS, dtype=np.int64)
    one_by_one = np.zeros(BUCKETS, dtype=np.int64)
    count_into(np.array(values, dtype=np.int64), at_once, weight)
    histogram.count_each(values, memoryview(one_by_one), weight)
    assert at_once.tolist() == one_by_one.tolist() == [weight * one for one in counted(values)]


@given(st.lists(durations, max_size=30), st.lists(durations, max_size=30))
def test_that_merging_equals_counting_everything_at_once(one: list[int], two: list[int]) -> None:
    assert histogram.merged([of(one), of(two)]) == of(one + two)


def test_that_merging_nothing_gives_an_empty_histogram() -> None:
    assert histogram.merged([]) == of([])


@given(st.lists(durations, min_size=1, max_size=200), st.floats(min_value=0, max_value=100))
def test_that_a_percentile_lies_in_the_bucket_of_the_value_at_that_rank(
    values: list[int], percent: float
) -> None:
    found = histogram.percentile(of(values), percent)
    assert found is not None
    covered = sum(value <= found.high for value in values)
    before = sum(value < found.low for value in values)
    assert covered >= len(values) * percent / 100 - 1e-6
    assert before < max(1.0, len(values) * percent / 100 + 1e-6)
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize(
    ("operations", "percent", "resolvable"),
    [
        (20, 50.0, True),
        (19, 50.0, False),
        (1_000, 99.0, True),
        (999, 99.0, False),
        (100_000, 99.99, True),
        (99_999, 99.99, False),
    ],
)
def test_that_a_percentile_is_resolvable_only_with_ten_operations_above_it(
    operations: int, percent: float, resolvable: bool
) -> None:
    found = histogram.percentile(of(list(range(10**6, 10**6 + operations))), percent)
    assert found is not None
    assert found.resolvable is resolvable


@pytest.mark.parametrize(
    ("slow", "percent", "resolvable"),
    [
        (10, 99.9, False),
        (10, 99.0, True),
        (60, 99.9, True),
        (100, 99.0, False),
        (500, 99.0, True),
        (500, 95.0, False),
        (500, 50.0, True),
    ],
)
def test_that_a_percentile_on_the_edge_between_fast_and_slow_ones_is_not_resolvable(
    slow: int, percent: float, resolvable: bool
) -> None:
    latencies = [1_600] * (10_000 - slow) + [2_000_000] * slow
    found = histogram.percentile(of(latencies), percent)
    assert found is not None
    assert found.resolvable is resolvable


def test_that_a_sample_must_resolve_a_percentile_and_not_what_it_stands_for() -> None:
    counts = of([5_000] * 100_000)
    assert [histogram.percentile(counts, 99.0, size).resolvable for size in (999, 1_000)] == [
        False,
        True,
    ]


def test_that_an_empty_histogram_has_no_percentile() -> None:
    assert histogram.percentile(of([]), 50) is None
    assert histogram.percentile(Histogram([7], [0]), 50) is None


def test_that_a_percentile_beyond_a_hundred_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 100"):
        histogram.percentile(of([]), 100.1)


@given(st.dictionaries(st.integers(0, BUCKETS - 1), st.integers(1, 2**63), max_size=40))
def test_that_a_packed_histogram_unpacks_to_itself(filled: dict[int, int]) -> None:
    buckets = sorted(filled)
    packed = histogram.to_bytes(Histogram(buckets, [filled[bucket] for bucket in buckets]))
    found = histogram.from_bytes(packed)
    assert dict(zip(found.buckets, found.counts, strict=True)) == filled


def test_that_a_histogram_is_packed_as_it_always_was() -> None:
    packed = histogram.to_bytes(of([5, 5, 1_000_000]))
    pairs = b"".join(
        bucket.to_bytes(2, "little") + count.to_bytes(8, "little")
        for bucket, count in ((5, 2), (bucket_of(1_000_000), 1))
    )
    assert zlib.decompress(packed) == pairs


@given(st.lists(durations, max_size=50))
def test_that_a_histogram_has_no_bucket_without_an_operation(values: list[int]) -> None:
    found = of(values)
    assert list(found.buckets) == sorted({bucket_of(value) for value in values})
    assert min(found.counts, default=1) > 0
    assert found.total == len(values)


def test_that_a_usual_histogram_packs_into_less_than_two_kilobytes() -> None:
    rng = np.random.default_rng(1)
    counts = of(list(rng.lognormal(12, 0.5, 10_000).astype(int)))
    assert len(histogram.to_bytes(counts)) < 2_000


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"not zlib",
        zlib.compress(b"123"),
        zlib.compress(b"\xff" * 10),
        zlib.compress((b"\x05" + bytes(9)) * 2),
    ],
)
def test_that_foreign_bytes_are_refused(packed: bytes) -> None:
    with pytest.raises(ValueError, match="not a packed histogram"):
        histogram.from_bytes(packed)


def test_that_full_buckets_of_thousands_of_trials_are_summed() -> None:
    full = Histogram([5], [MOST_COUNTED])
    assert histogram.merged([full] * 10_000).total == 10_000 * MOST_COUNTED


def test_that_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        Histogram.of(np.array([-1] + [0] * (BUCKETS - 1)))


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
