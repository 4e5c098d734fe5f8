"""What the rounds of turns say about the error of a ratio."""

from __future__ import annotations

import math
from collections.abc import Sequence

import building
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judge import metric_estimate, ratio, relative
from core.judge.estimation import log_ratio, of_common_blocks
from core.judge.statistics.intervals import Estimate, Floats
from core.judge.statistics.ratios import (
    ENOUGH_BLOCKS,
    Within,
    estimate_ratio,
    pooled,
    variance_within,
)
from core.vocabulary import Result, Slice, pack

pytestmark = pytest.mark.quick

ROUNDS = 15


def side(rates: Sequence[float]) -> Floats:
    """Rounds of a second each."""
    return np.array([(rate, 1.0) for rate in rates])


def noisy(
    seed: int, blocks: int, noise: float, rounds: int = ROUNDS
) -> list[tuple[Floats, Floats]]:
    rng = np.random.default_rng(seed)
    return [
        (
            side(1000.0 * np.exp(noise * rng.normal(size=rounds))),
            side(1000.0 * np.exp(noise * rng.normal(size=rounds))),
        )
        for _ in range(blocks)
    ]


@given(st.integers(0, 1000), st.integers(3, 7))
def test_that_rounds_explain_about_the_variance_of_blocks_that_they_cause(
    seed: int, blocks: int
) -> None:
    found = variance_within(noisy(seed, blocks, 0.1))
    assert found is not None
    truth = 2 * 0.1**2 / ROUNDS
    assert truth / 4 < found.variance < 6 * truth


def test_that_what_the_machine_does_to_both_in_a_round_is_no_variance() -> None:
    rng = np.random.default_rng(1)
    blocks = []
    for _ in range(5):
        machine = rng.uniform(0.2, 1.0, ROUNDS)
        blocks.append((side(1000 * machine), side(3000 * machine)))
    found = variance_within(blocks)
    assert found is not None
    assert found.variance == pytest.approx(0.0, abs=1e-12)


def test_that_what_every_generation_does_at_its_start_is_no_variance() -> None:
    ramp = np.linspace(0.2, 1.0, ROUNDS)
    found = variance_within([(side(1000 * ramp), side([500.0] * ROUNDS)) for _ in range(5)])
    assert found is not None
    assert found.variance == pytest.approx(0.0, abs=1e-12)


def test_that_rounds_which_resemble_their_neighbours_count_for_less() -> None:
    rng = np.random.default_rng(1)
    slow = [np.repeat(rng.normal(size=5), 3) for _ in range(6)]
    quick = [rng.permutation(one) for one in slow]
    still = side([1000.0] * ROUNDS)
    two = [
        variance_within([(still, side(1000 * np.exp(0.1 * one))) for one in series])
        for series in (slow, quick)
    ]
    assert two[0] is not None
    assert two[1] is not None
    assert two[0].variance > 1.5 * two[1].variance
    assert two[0].freedom < two[1].freedom


@pytest.mark.parametrize(("blocks", "rounds"), [(1, 50), (5, 1), (3, 3)])
def test_that_too_few_rounds_say_nothing(blocks: int, rounds: int) -> None:
    assert variance_within(noisy(1, blocks, 0.1, rounds)) is None


def of_blocks(blocks: int, deviation: float) -> Estimate:
    return Estimate(mean=0.1, error=deviation / math.sqrt(blocks), freedom=blocks - 1.0)


@given(
    st.integers(3, 12),
    st.floats(min_value=1e-4, max_value=1.0),
    st.floats(min_value=1e-4, max_value=1.0),
)
def test_that_pooling_moves_no_ratio_and_widens_only_what_is_narrow_by_luck(
    blocks: int, between: float, within: float
) -> None:
    found = of_blocks(blocks, between)
    better = pooled(found, blocks, Within(variance=within**2, freedom=40.0))
    assert better.mean == found.mean
    if between > within:
        assert better.half_width(0.95) <= found.half_width(0.95)
    elif blocks >= ENOUGH_BLOCKS:
        assert better.error == pytest.approx(within / math.sqrt(blocks))


def test_that_blocks_which_agree_by_luck_are_no_more_certain_than_their_rounds() -> None:
    for blocks in (3, 30):
        lucky = pooled(of_blocks(blocks, 1e-6), blocks, Within(variance=0.1**2, freedom=400.0))
        assert lucky.error >= 0.1 / math.sqrt(blocks) * (1.0 - 1e-9)


def test_that_blocks_that_differ_more_than_their_rounds_explain_count_alone() -> None:
    found = of_blocks(5, 0.2)
    assert pooled(found, 5, Within(variance=0.05**2, freedom=60.0)) == found


def test_that_a_few_blocks_that_agree_with_their_rounds_are_known_better() -> None:
    found = of_blocks(3, 0.1)
    better = pooled(found, 3, Within(variance=0.12**2, freedom=30.0))
    assert better.freedom > 30.0
    assert better.half_width(0.95) < found.half_width(0.95) / 1.5


def test_that_many_blocks_speak_for_themselves() -> None:
    found = of_blocks(ENOUGH_BLOCKS, 0.1)
    assert pooled(found, ENOUGH_BLOCKS, Within(variance=0.09**2, freedom=99.0)) == found


def in_turns(threads: int, *rates: float, seed: int, wobble: float = 0.0) -> Result:
    """A result whose trials took turns; rounds differ by `wobble`, which both sides of a seed share
    in nothing."""
    rng = np.random.default_rng(seed)
    result = building.good(building.spec(threads=threads), *rates)
    trials = []
    for trial, rate in zip(result.trials, rates, strict=True):
        share = np.exp(wobble * rng.normal(size=ROUNDS))
        slices = [
            Slice(round=at, began=at * 10**9, active=10**8, operations=1, bytes=0, errors=0, wrong=0,
                  items=round(1000 * rate * factor))
            for at, factor in enumerate(share)
        ]  # fmt: skip
        trials.append(msgspec.structs.replace(trial, slices=pack(slices)))
    return msgspec.structs.replace(result, trials=tuple(trials))


def test_that_the_rounds_of_two_results_make_their_ratio_better_known() -> None:
    rates = (100.0, 104.0, 98.0), (205.0, 196.0, 203.0)
    apart = [building.good(building.spec(threads=n), *side) for n, side in enumerate(rates, 1)]
    turned = [in_turns(n, *side, seed=n, wobble=0.2) for n, side in enumerate(rates, 1)]
    one, two = (relative(*sides) for sides in (apart, turned))
    assert one.value == two.value
    assert one.low is not None
    assert one.high is not None
    assert two.low is not None
    assert two.high is not None
    assert math.log(two.high / two.low) < math.log(one.high / one.low) / 1.3
    # Of memory and latency the rounds say nothing.
    assert log_ratio(*apart, "peak_rss") == log_ratio(*turned, "peak_rss")


def test_that_more_blocks_of_one_side_change_nothing_about_its_ratio_to_another() -> None:
    """One of them is needed longer, while the machine gets slower."""
    base = building.good(building.spec(threads=1), 100.0, 104.0, 98.0)
    other = building.good(building.spec(threads=2), 205.0, 196.0, 203.0)
    longer = building.good(building.spec(threads=2), 205.0, 196.0, 203.0, 50.0, 48.0, 51.0)
    assert ratio(base, longer) == ratio(base, other)
    assert relative(base, longer) == relative(base, other)
    assert metric_estimate(longer) != metric_estimate(other)


def test_that_results_in_the_same_blocks_are_taken_as_they_are() -> None:
    sides = [building.good(building.spec(threads=n), 100.0, 104.0) for n in (1, 2)]
    assert of_common_blocks(*sides) == tuple(sides)
    assert estimate_ratio({0: 0.0, 1: 0.1}, {0: 0.0, 1: 0.1}).mean == 0.0


RATES = {1: (100.0, 104.0, 98.0, 101.0), 2: (190.0, 211.0, 203.0, 199.0)}


def repeated(result: Result) -> Result:
    """Its last trial was disturbed, and repeated in a block of its own."""
    *kept, last = result.trials
    again = msgspec.structs.replace(last, index=20, block=last.block + 1)
    return msgspec.structs.replace(result, trials=(*kept, again))


def test_that_a_repeated_turn_has_nobody_to_be_held_against() -> None:
    one, two = (in_turns(n, *rates, seed=n, wobble=0.02) for n, rates in RATES.items())
    assert [len(side.trials) for side in of_common_blocks(repeated(one), two)] == [3, 3]


def test_that_a_repeated_trial_counts_where_trials_were_not_in_turns() -> None:
    one, two = (building.good(building.spec(threads=n), *rates) for n, rates in RATES.items())
    assert of_common_blocks(repeated(one), two) == (repeated(one), two)
