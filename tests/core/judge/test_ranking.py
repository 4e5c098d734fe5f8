"""Which settings are the best as far as trials can tell, and which of them is recommended."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import building
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.judge import (
    BestSettings,
    Candidate,
    Ranking,
    best_settings,
)
from core.judge.comparison import compare
from core.vocabulary import Grade, Result, Verdict, VerdictKind

pytestmark = pytest.mark.quick


def candidate(rates: Sequence[float], threads: int = 1, **costs: float) -> Candidate:
    logs = [(block, math.log(rate)) for block, rate in enumerate(rates)]
    return Candidate(logs=logs, threads=threads, **costs)


def around(rate: float, seed: int, noise: float = 0.01, trials: int = 3) -> list[float]:
    drawn = np.random.default_rng(seed)
    return [float(rate * math.exp(one)) for one in drawn.normal(scale=noise, size=trials)]


def chosen(*candidates: Candidate) -> BestSettings:
    return best_settings(candidates)


def test_that_a_plainly_best_setting_stands_alone() -> None:
    found = chosen(candidate(around(100, 1)), candidate(around(200, 2)), candidate(around(50, 3)))
    assert (found.chosen, found.equals, found.confident) == (1, (), True)
    assert 0.95 < found.at_least <= 1.0


def test_that_of_equals_with_as_few_threads_the_one_with_the_least_memory_is_chosen() -> None:
    same = [around(100, seed) for seed in range(4)]
    found = chosen(
        candidate(same[0], threads=2, memory=257.0, files=5.0),
        candidate(same[1], threads=2, memory=128.0, files=9.0),
        candidate(same[2], threads=2, memory=130.0, files=5.0),
        candidate(same[3], threads=4, memory=1.0, files=1.0),
    )
    # 128 and 130 are the same memory; of these the third has fewer files open.
    assert found.chosen == 2
    assert found.equals == (0, 1, 3)


def test_that_without_costs_the_fewest_threads_are_chosen() -> None:
    found = chosen(candidate(around(100, 1), threads=8), candidate(around(100, 2), threads=2))
    assert found.chosen == 1


def test_that_fewer_threads_are_preferred_until_they_are_measurably_slower() -> None:
    """More threads are surely within 5 % of the best, the fewer are only not told from it."""
    best, more = (candidate(around(100, seed, 0.03, 20), threads=8 * seed) for seed in (2, 1))
    even = chosen(best, more, candidate([97.5, 100.5], threads=1))
    assert (even.chosen, even.equals) == (2, (0, 1))
    assert even.at_least < 0.95 < chosen(best, more).at_least
    slower = chosen(best, more, candidate(around(95.6, 3, 0.001, 20), threads=1))
    assert (slower.chosen, slower.equals) == (1, (0,))


def test_that_equals_are_no_reason_to_doubt_where_all_else_is_worse() -> None:
    """No number of trials shows one of two equal settings ahead of the other."""
    noisy = [around(rate, seed, noise=0.025) for seed, rate in enumerate((100, 101, 99, 20, 30))]
    found = chosen(*map(candidate, noisy))
    assert found.confident
    assert {found.chosen, *found.equals} <= {0, 1, 2}
    assert 0.9 <= found.at_least < 1.0


def test_that_plainly_different_settings_that_cannot_be_told_apart_leave_it_open() -> None:
    found = chosen(candidate(around(100, 1, noise=0.5)), candidate(around(70, 2, noise=0.5)))
    assert not found.confident
    assert found.enough > 3


@given(seed=some.integers(0, 2**32 - 1), noise=some.floats(0.02, 0.1))
def test_that_as_many_trials_as_were_said_to_tell_do_tell(seed: int, noise: float) -> None:
    drawn = np.random.default_rng(seed).normal(scale=noise, size=(2, 2))
    found = chosen(*(candidate(np.exp(row).tolist()) for row in drawn))
    # Enough is little more than if the noise were known, however little two trials say about it.
    known = 2.0 * (2.33 * found.deviation / -math.log(0.95)) ** 2
    assert found.enough >= max(2, math.floor(known))
    assert found.enough <= math.ceil(1.5 * known) + 6


def test_that_what_is_plainly_worse_is_ruled_out_however_unsure_the_best_is() -> None:
    noisy = [around(rate, seed, noise=0.2) for seed, rate in enumerate((100, 90, 110, 2, 3))]
    found = chosen(*map(candidate, noisy))
    assert not found.confident
    assert found.possible == (0, 1, 2)


def test_that_single_trials_tell_nothing() -> None:
    found = chosen(candidate([100.0]), candidate([200.0]))
    assert (found.repeated, found.confident, found.at_least) == (False, False, 0.0)


def test_that_a_single_trial_of_the_only_setting_is_no_evidence_either() -> None:
    assert not chosen(candidate([100.0])).confident


def test_that_one_setting_alone_is_the_best() -> None:
    found = chosen(candidate(around(100, 1)))
    assert (found.chosen, found.confident, found.at_least) == (0, True, 1.0)


def test_that_drift_between_blocks_is_noise_where_blocks_were_not_interleaved() -> None:
    moods = (0.5, 1.0, 2.0)
    pair = [candidate([rate * mood for mood in moods]) for rate in (100.0, 110.0)]
    assert best_settings(pair).deviation == pytest.approx(0.0, abs=1e-9)
    assert best_settings(pair, interleaved=False).deviation > 0.5


@given(
    factor=some.floats(1e-6, 1e6),
    seed=some.integers(0, 2**32 - 1),
    trials=some.integers(1, 6),
    settings=some.integers(1, 8),
)
def test_that_the_unit_of_throughput_changes_nothing(
    factor: float, seed: int, trials: int, settings: int
) -> None:
    drawn = np.random.default_rng(seed)
    rates = drawn.uniform(1, 100, size=(settings, trials))
    one = best_settings([candidate(list(row)) for row in rates])
    two = best_settings([candidate(list(factor * row)) for row in rates])
    assert (one.chosen, one.equals, one.confident) == (two.chosen, two.equals, two.confident)
    assert one.at_least == pytest.approx(two.at_least, rel=1e-6)


def test_that_settings_that_met_only_by_way_of_another_are_less_sure() -> None:
    """As where a sweep is stopped within a block, or where a search measures one by one."""
    wave = (0.0, 0.02, -0.01, 0.01)
    anchor = [(block, wave[block % 4] - 0.5) for block in range(8)]
    early = [(block, wave[(block + 1) % 4]) for block in range(4)]
    late = [(block, wave[(block + 2) % 4]) for block in range(4, 8)]
    beside = [(block, log) for (block, _), (_, log) in zip(early, late, strict=True)]
    met, apart = (
        best_settings([Candidate(logs=logs, threads=1) for logs in (early, other, anchor)])
        for other in (beside, late)
    )
    assert apart.deviation <= 1.1 * met.deviation
    assert met.at_least > apart.at_least


@pytest.mark.benchmark
def test_that_the_best_of_thousands_of_alike_settings_is_found_at_once() -> None:
    alike = [
        candidate([100 + (at * 7 + block) % 11 / 100 for block in range(3)]) for at in range(2000)
    ]
    started = time.perf_counter()
    best_settings(alike)
    assert time.perf_counter() - started < 5


def settings(seed: int, count: int, noise: float) -> list[Result]:
    """Settings that were measured in the same blocks, of which some lack one."""
    drawn = np.random.default_rng(seed)
    found = []
    for at in range(count):
        of = building.spec(parameters={"cache": "lru", "cache_size": at + 1})
        level, blocks = 100.0 + at, range(int(drawn.integers(0, 2)), 5)
        rates = level * np.exp(drawn.normal(scale=noise, size=5))
        trials = [
            building.trial(of, index=count * block + at, block=block, rate=float(rates[block]))
            for block in blocks
        ]
        found.append(building.result(of, trials))
    return found


def test_that_of_many_settings_only_pairs_are_judged_whose_figures_say_that_one_is_faster(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[Result, ...]] = []

    def noted(*pair: Result) -> Verdict:
        asked.append(pair)
        return compare(*pair)

    monkeypatch.setattr("core.judge.ranking.compare", noted)
    results = settings(1, count=40, noise=0.001)
    ranking = Ranking(results)
    assert ranking.leader is results[-1]
    assert ranking.grade is Grade.SURE
    # The others within 5 % of the best are ahead of the cheapest of them, and none of the best.
    assert len(asked) < 10


@pytest.mark.parametrize("seed", range(5))
def test_that_the_leader_and_its_grade_are_as_if_all_pairs_were_judged(seed: int) -> None:
    results = settings(seed, count=8, noise=0.02)
    ranking, leader = Ranking(results), results[Ranking(results).selection.best]
    for one in results:
        if compare(leader, one).kind is VerdictKind.FASTER:
            leader = one
    assert ranking.leader is leader
    chosen = results[ranking.selection.chosen]
    ahead = [one for one in results if compare(chosen, one).kind is VerdictKind.FASTER]
    reached = 1.0 / max((compare(chosen, one).low or 1.0 for one in ahead), default=1.0)
    sure = ranking.selection.confident and reached >= 1.0 - ranking.near
    assert (ranking.grade is Grade.SURE) == sure
