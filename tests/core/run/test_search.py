import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_curves import FAMILIES, tune_curve

from core.judge import Limits, Noise, Point
from core.run.axis_search import AxisState, ladder, next_round
from core.run.sample_layout import (
    Ask,
    Configuration,
    Sample,
    SearchAnswer,
    SearchAxis,
    SearchTerms,
)
from core.run.search import Searcher

THREADS = SearchAxis(name="threads", values=tuple(range(1, 33)))


def run(
    searcher: Searcher,
    measure: Callable[[Configuration], float | Sample],
    seed: int = 0,
    noise: float = 0.01,
    drift: float = 0.1,
) -> tuple[SearchAnswer, list[Ask]]:
    rng = np.random.default_rng(seed)
    asked = []
    while isinstance(step := searcher.ask(), Ask):
        asked.append(step)
        mood = float(np.exp(rng.normal(0, drift)))
        for configuration in step.configurations:
            found = measure(configuration)
            if not isinstance(found, Sample):
                found = Sample(throughput=found * mood * float(np.exp(rng.normal(0, noise))))
            searcher.add(configuration, found, len(asked))
    return step, asked


def capped(configuration: Configuration) -> float:
    return min(configuration.threads, 6.0)


def test_that_the_ladder_takes_half_octaves_and_both_ends() -> None:
    assert ladder(range(1, 33)) == (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
    assert ladder((5, 7, 100)) == (5, 7, 100)
    assert ladder((3,)) == (3,)


def test_that_of_few_values_all_are_measured_at_once() -> None:
    assert ladder(range(1, 9)) == tuple(range(1, 9))


@given(st.sets(st.integers(1, 4096), min_size=1, max_size=40))
def test_that_every_rung_is_an_allowed_value(values: set[int]) -> None:
    rungs = ladder(sorted(values))
    assert set(rungs) <= values
    assert {min(values), max(values)} <= set(rungs)


def test_that_a_plateau_is_found_at_its_corner() -> None:
    found, _ = run(Searcher(THREADS), capped)
    assert found.configuration == Configuration(threads=6)
    assert found.confident


def test_that_a_cliff_between_two_rungs_is_found_at_its_edge() -> None:
    found, _ = run(Searcher(THREADS), lambda c: float(c.threads if c.threads <= 11 else 5))
    assert found.configuration == Configuration(threads=11)


def test_that_a_peak_that_no_rung_hits_is_found_on_a_jagged_curve() -> None:
    def rounds(configuration: Configuration) -> float:
        return configuration.threads / -(-configuration.threads // 7)

    found, _ = run(Searcher(THREADS), rounds)
    assert found.configuration == Configuration(threads=7)


def test_that_every_step_says_why_and_asks_only_for_allowed_values() -> None:
    _, asked = run(Searcher(THREADS), capped)
    for step in asked:
        assert step.reason.endswith(".")
        assert step.configurations
        assert all(1 <= c.threads <= 32 for c in step.configurations)


def test_that_the_same_seed_asks_in_the_same_order_and_another_does_not() -> None:
    orders = [run(Searcher(THREADS, terms=SearchTerms(seed=s)), capped)[1][0] for s in (1, 1, 2)]
    assert orders[0] == orders[1]
    assert orders[0].configurations != orders[2].configurations


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 60), st.integers(0, 3), st.integers(0, 1000))
def test_that_the_most_trials_are_never_exceeded(most: int, family: int, seed: int) -> None:
    curve = FAMILIES[family](np.random.default_rng(seed))
    searcher = Searcher(THREADS, terms=SearchTerms(most_trials=most, seed=seed))
    found, _ = run(searcher, lambda c: float(curve[c.threads - 1]), seed)
    assert min(most, 10) <= found.trials <= most
    if most < 10:  # the ladder
        assert (found.configuration is None) == (most == 0)
        assert found.spent


def test_that_of_a_ladder_with_too_many_rungs_those_that_tell_most_are_measured() -> None:
    _, asked = run(Searcher(THREADS, terms=SearchTerms(most_trials=3)), capped)
    (only,) = asked
    assert sorted(one.threads for one in only.configurations) == [1, 6, 32]


def test_that_thread_counts_that_fail_are_not_tried_again_nor_recommended() -> None:
    def measure(configuration: Configuration) -> float | Sample:
        if configuration.threads > 8:
            return Sample(failed=True, reason="too many open files")
        return float(configuration.threads)

    found, asked = run(Searcher(THREADS), measure)
    assert found.configuration == Configuration(threads=8)
    tries = [c.threads for step in asked for c in step.configurations if c.threads > 8]
    assert len(tries) == len(set(tries))


def test_that_a_search_in_which_everything_fails_ends_without_a_recommendation() -> None:
    found, _ = run(Searcher(THREADS), lambda _: Sample(failed=True, reason="crashed"))
    assert found.configuration is None
    assert not found.confident


def test_that_limits_hold_during_the_search() -> None:
    def measure(configuration: Configuration) -> Sample:
        threads = configuration.threads
        wobble = 1 + 0.001 * (threads % 3)
        return Sample(throughput=threads * wobble, costs={"peak_rss": 100 * threads})

    found, _ = run(
        Searcher(THREADS, terms=SearchTerms(limits=Limits(most={"peak_rss": 1300}))), measure
    )
    assert found.configuration is not None
    assert 12 <= found.configuration.threads <= 13


@pytest.mark.parametrize("seed", range(10))
def test_that_a_server_that_refuses_ends_the_search_for_more_threads(seed: int) -> None:
    """200 requests a second, each takes 24.5 ms; the machine is restless."""
    rng = np.random.default_rng(seed)

    def served(threads: int) -> float:
        return min(threads / 0.0245, 200.0)

    def measure(configuration: Configuration) -> Sample:
        wanted = configuration.threads / 0.0245
        return Sample(
            throughput=served(configuration.threads) * float(np.exp(rng.normal(0, 0.08))),
            refused=max(0.0, 1.0 - 200.0 / wanted) / 2,
        )

    terms = SearchTerms(most_trials=96, seed=seed, limits=Limits(refused=0.1))
    found, asked = run(Searcher(THREADS, terms=terms), measure)
    assert found.configuration is not None
    assert served(found.configuration.threads) > 0.95 * 200
    assert found.configuration.threads <= 6
    tried = Counter(one.threads for step in asked for one in step.configurations)
    assert all(tried[threads] <= 1 for threads in range(8, 33))


def test_that_a_quiet_machine_needs_fewer_trials_than_a_noisy_one() -> None:
    quiet, noisy = (
        sum(run(Searcher(THREADS), capped, seed, noise)[0].trials for seed in range(5))
        for noise in (0.005, 0.05)
    )
    assert quiet < 0.8 * noisy
    assert quiet < 5 * 48


@pytest.mark.parametrize("values", [(), ("a",), (0, 1)])
def test_that_threads_are_whole_numbers_from_one_up(values: tuple[int | str, ...]) -> None:
    with pytest.raises(ValueError, match="threads"):
        Searcher(SearchAxis(name="threads", values=values))


@pytest.mark.parametrize("values", [(), ("lru", "none")])
def test_that_a_second_axis_needs_values_that_fit_it(values: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="cache"):
        Searcher(THREADS, SearchAxis(name="cache", values=values))


def test_that_a_choice_that_moves_the_knee_is_found_with_its_own_thread_count() -> None:
    caps = {"none": 2.0, "lru": 12.0, "pool": 4.0}
    choice = SearchAxis(name="cache", values=tuple(caps), ordered=False)

    def measure(configuration: Configuration) -> float:
        cap = caps[str(configuration.second)]
        return min(configuration.threads, cap) * (1 + cap)

    found, _ = run(Searcher(THREADS, choice), measure)
    assert found.configuration == Configuration(threads=12, second="lru")
    assert found.confident


def test_that_a_choice_that_is_better_with_more_threads_only_is_found() -> None:
    choice = SearchAxis(name="cache", values=("none", "lru"), ordered=False)

    def measure(configuration: Configuration) -> float:
        threads = configuration.threads
        return min(threads, 4.0) if configuration.second == "none" else 0.6 * min(threads, 20)

    found, _ = run(Searcher(THREADS, choice), measure)
    assert found.configuration in [Configuration(threads=n, second="lru") for n in (19, 20)]
    assert found.confident


def test_that_of_equal_choices_the_first_named_is_kept() -> None:
    choice = SearchAxis(name="cache", values=("plain", "fancy"), ordered=False)
    found, _ = run(Searcher(THREADS, choice), capped)
    assert found.configuration == Configuration(threads=6, second="plain")


def test_that_the_smallest_cache_near_the_best_is_found() -> None:
    sizes = SearchAxis(name="cache size", values=(16, 32, 64, 128, 256, 512, 1024))

    def measure(configuration: Configuration) -> float:
        assert isinstance(configuration.second, int)
        return capped(configuration) * min(configuration.second, 128)

    found, _ = run(Searcher(THREADS, sizes), measure)
    assert found.configuration == Configuration(threads=6, second=128)


def test_that_one_allowed_value_is_measured_and_returned() -> None:
    found, _ = run(Searcher(SearchAxis(name="threads", values=(4,))), capped)
    assert found.configuration == Configuration(threads=4)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 3), st.integers(0, 1000), st.floats(0.0, 0.02))
def test_that_every_block_but_the_first_has_one_of_the_best_so_far(
    family: int, seed: int, noise: float
) -> None:
    curve = FAMILIES[family](np.random.default_rng(seed))
    _, asked = run(Searcher(THREADS), lambda c: float(curve[c.threads - 1]), seed, noise)
    met = set(asked[0].configurations)
    for step in asked[1:]:
        known = met & set(step.configurations)
        best = max(curve[one.threads - 1] for one in met)
        assert any(curve[one.threads - 1] >= 0.8 * best for one in known)
        met |= set(step.configurations)


def test_that_no_block_has_one_configuration_alone_while_another_is_in_the_race() -> None:
    found, asked = run(
        Searcher(SearchAxis(name="threads", values=(1, 2))), lambda c: float(c.threads)
    )
    assert found.configuration == Configuration(threads=2)
    assert found.confident
    assert [len(step.configurations) for step in asked] == [2] * len(asked)


points = st.lists(st.tuples(st.floats(1.0, 3.0), st.integers(1, 4)), min_size=2, max_size=12).map(
    lambda drawn: tuple(
        Point(threads=threads, throughputs=(level,) * trials)
        for threads, (level, trials) in enumerate(drawn, start=1)
    )
)


@given(points, st.floats(0.001, 0.1), st.integers(1, 60), st.integers(1, 20))
def test_that_what_is_surely_worse_has_left_the_race(
    measured: tuple[Point, ...], deviation: float, freedom: int, looks: int
) -> None:
    state = AxisState(
        values=tuple(range(1, 33)),
        points=measured,
        usable=measured,
        noise=Noise(deviation=deviation, freedom=freedom),
        near=0.05,
        looks=looks,
    )
    best = state.best
    for one in state.out:
        assert state.by_value[one].level < best.level + math.log(0.95)
    asked = next_round(state, rungs=(1,))
    assert asked is None or not set(asked.values) & state.out
    assert best.threads not in state.out
    more = replace(state, looks=looks + 1)
    assert more.out <= state.out


def test_that_drift_from_block_to_block_changes_neither_answer_nor_price() -> None:
    calm, _ = run(Searcher(THREADS), capped, 5, 0.01, drift=0.0)
    wild, _ = run(Searcher(THREADS), capped, 5, 0.01, drift=0.3)
    assert calm.configuration == wild.configuration == Configuration(threads=6)
    assert calm.confident
    assert wild.confident
    assert wild.trials <= 1.5 * calm.trials


def test_that_of_equal_choices_the_one_with_the_least_memory_is_used() -> None:
    choice = SearchAxis(name="cache", values=("plain", "lean"), ordered=False)

    def measure(configuration: Configuration) -> Sample:
        memory = 200 if configuration.second == "plain" else 100
        wobble = 1 + 0.001 * (configuration.threads % 3)
        return Sample(throughput=capped(configuration) * wobble, costs={"peak_rss": memory})

    found, _ = run(Searcher(THREADS, choice), measure)
    assert found.configuration == Configuration(threads=6, second="lean")
    assert found.confident


def test_that_a_configuration_that_fails_later_gives_up_its_place() -> None:
    tries: Counter[int] = Counter()

    def measure(configuration: Configuration) -> float | Sample:
        tries[configuration.threads] += 1
        if configuration.threads == 6 and tries[6] > 1:
            return Sample(failed=True, reason="crashed")
        return capped(configuration)

    found, _ = run(Searcher(THREADS), measure)
    assert found.configuration == Configuration(threads=7)
    assert tries[6] == 2


def test_that_a_tuned_curve_is_scored_against_its_true_best() -> None:
    found = tune_curve(np.minimum(np.arange(1.0, 33.0), 10.0), np.random.default_rng(1))
    assert found.answered
    assert found.share >= 0.95
    assert found.trials <= 80


def test_that_a_search_knows_about_how_many_trials_are_to_come() -> None:
    """Once it has measured something twice; before, it does not know how trials vary."""
    drawn = random.Random(4)
    searcher = Searcher(
        SearchAxis(name="threads", values=tuple(range(1, 9))), terms=SearchTerms(most_trials=60)
    )
    told: list[int] = []
    block = 0
    while isinstance(asked := searcher.ask(), Ask):
        told.append(searcher.trials + searcher.to_come())
        block += 1
        for one in asked.configurations:
            rate = 1000 * min(one.threads, 3) * drawn.gauss(1.0, 0.04)
            searcher.add(one, Sample(throughput=rate), block)
    assert told[0] == 0
    known = [expected for expected in told if expected > 8]
    assert known
    assert all(searcher.trials / 1.5 <= expected <= 1.5 * searcher.trials for expected in known)
