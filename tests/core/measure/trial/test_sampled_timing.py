"""Which short operations are timed on their own, and what those count for."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measure import Count
from core.measure.trial.counters import COUNTS, SLOT
from core.measure.trial.sampled_timing import SHARE, Singles, costs
from core.vocabulary import BUCKETS, Histogram, Latencies, Step, bucket_of

pytestmark = pytest.mark.quick

STEP = Step("call", lambda item: item)


def singles(seed: int = 0, every: int = 1) -> tuple[Singles, memoryview]:
    words = memoryview(bytearray(8 * SLOT)).cast("q")
    found = Singles(words, (STEP,), Random(seed))
    found.time_one_in(every)
    return found, words


def told(words: memoryview) -> Latencies:
    counts = np.frombuffer(words[COUNTS : COUNTS + BUCKETS], np.int64)
    return Latencies(histogram=Histogram.of(counts), squares=words[Count.TIMED_SQUARES])


def drawn(found: Singles, sizes: Iterator[int], total: int) -> Iterator[int]:
    """The places, over all pieces of those sizes, of what is timed."""
    first = 0
    while first < total:
        items = range(first, first + next(sizes))
        yield from (near[-1] for _, near, _ in found.draw(items).stretches)
        first += len(items)


@given(
    size=st.integers(0, 500),
    every=st.sampled_from([1, 2, 3, 8, 64, 1024]),
    seed=st.integers(0, 2**32),
)
def test_that_all_items_are_performed_in_their_order_whichever_are_timed(
    size: int, every: int, seed: int
) -> None:
    draw = singles(seed, every)[0].draw(list(range(size)))
    order: list[int] = []
    for before, near, place in draw.stretches:
        order += before
        assert len(order) == place
        order += near
        assert near
        assert len(near) > 1 or not before
    assert [*order, *draw.tail] == list(range(size))
    assert every > 1 or [near for _, near, _ in draw.stretches] == [[item] for item in range(size)]


@pytest.mark.parametrize("every", [2, 16, 256])
@pytest.mark.parametrize("sizes", [[1], [7], [100, 1, 30], [2048]])
def test_that_a_reader_with_a_period_is_timed_at_every_part_of_it_alike(
    every: int, sizes: Sequence[int]
) -> None:
    total, period = 300_000, 16
    found, _ = singles(every=every)
    places = Counter(place % period for place in drawn(found, itertools.cycle(sizes), total))
    due = total / every / period
    for part in range(period):
        assert abs(places[part] - due) < 5 * due**0.5, (part, places)


def test_that_neighbours_are_timed_as_often_as_any_two() -> None:
    found, _ = singles(every=4)
    places = list(drawn(found, itertools.cycle([500]), 200_000))
    gaps = Counter(two - one for one, two in itertools.pairwise(places))
    for gap in range(1, 6):  # the gaps of a coin that is thrown for each
        due = len(places) * 0.25 * 0.75 ** (gap - 1)
        assert abs(gaps[gap] - due) < 5 * due**0.5, gaps


def test_that_an_operation_counts_for_those_that_were_not_timed() -> None:
    found, words = singles()
    for every, took, times in ((1, 1_000_000, 500), (64, 2_000, 1_000), (8, 30_000, 20)):
        found.time_one_in(every)
        found.waiting += [took] * times
        found.settle_waiting(single=True)
    found.count_kept()
    reading = costs(spread=False).reading
    for took, due in ((1_000_000, 500), (2_000, 64_000), (30_000, 160)):
        assert words[COUNTS + bucket_of(took - reading)] == due
    assert words[Count.TIMED] == 1_520
    assert words[Count.TIMED_SQUARES] == 500 + 64 * 64_000 + 8 * 160


def test_that_a_change_of_pace_skews_no_percentile() -> None:
    # Slow operations are all timed and fast ones are not: by number, the slow would be the most.
    found, words = singles()
    chance = Random(1)
    truth: list[int] = []
    for _ in range(60):
        for every, took, count in ((1, 1_000_000, 40), (32, 5_000, 900)):
            found.time_one_in(every)
            items = [round(took * chance.uniform(0.98, 1.02)) for _ in range(count)]
            truth += items
            found.waiting += [near[-1] for _, near, _ in found.draw(items).stretches]
            found.settle_waiting(single=True)
    found.count_kept()
    truth.sort()
    latencies = told(words)
    p50, p99 = latencies.seconds(0.5), latencies.seconds(0.99)
    assert p50 == pytest.approx(truth[len(truth) // 2] / 1e9, rel=0.04)
    assert p99 == pytest.approx(truth[len(truth) * 99 // 100] / 1e9, rel=0.02)


def test_that_where_items_are_several_operations_not_even_those_are_timed_that_are_one() -> None:
    found, words = singles()
    for single in (True, True, False, True):
        found.waiting += [1_000] * 5
        found.settle_waiting(single=single)
        found.count_kept()
        assert not found.waiting
        assert any(words) is (single and words[Count.TIMED] > 0)
    assert not any(words)


@given(st.integers(1, 10**9))
def test_that_timing_takes_no_more_than_its_share(each: int) -> None:
    found, _ = singles()
    found.adapt_to_pace(each)
    cost = costs(spread=False).timing
    assert cost / found.every <= SHARE * each
    assert found.every == 1 or 2 * cost / found.every > SHARE * each  # and makes use of it


def test_that_a_chunk_that_was_disturbed_does_not_have_the_next_timed_through_and_through() -> None:
    found, _ = singles()
    for _ in range(20):
        found.adapt_to_pace(2_000)
    usual = found.every
    found.adapt_to_pace(20_000)
    assert found.every >= usual / 4
    for _ in range(20):
        found.adapt_to_pace(2_000)
    assert found.every == usual


def test_that_operations_that_become_fast_are_soon_timed_less_often() -> None:
    found, _ = singles()
    for each in (40_000, 40_000, 1_000):
        found.adapt_to_pace(each)
    assert costs(spread=False).timing / found.every <= SHARE * 1_000


def test_that_nothing_is_timed_before_anything_was_done() -> None:
    found, words = singles()
    found.count_kept()
    found.reset()
    assert not any(words)
