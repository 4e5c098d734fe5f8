"""The search over programs at once and their threads, on surfaces whose best cell is known."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from core.run.jobs_search import JobsSearcher
from core.run.sample_layout import Ask, Configuration, Sample, SearchTerms

pytestmark = pytest.mark.quick
CORES = 32
CELLS = [
    Configuration(threads=threads, second=jobs)
    for jobs in range(1, 17)
    for threads in range(1, 17)
    if jobs * threads <= CORES
]


def scales(jobs: int, threads: int) -> float:
    """Some of it is serial, and several at once disturb each other."""
    return jobs / (0.05 + 0.95 / threads) * (1.0 - 0.01 * (jobs - 1))


def never_scales(jobs: int, threads: int) -> float:
    return float(jobs)


def turns_over(jobs: int, threads: int) -> float:
    """Many threads are slower than some."""
    return jobs**0.9 * (1.0 / (0.15 + 0.85 / threads) - 0.02 * threads**1.5)


def searched(
    surface: Callable[[int, int], float], seed: int, most_jobs: int = 99
) -> tuple[JobsSearcher, Configuration | None]:
    """What it measured, and its answer; more at once than `most_jobs` fail."""
    drawn = random.Random(seed)
    searcher = JobsSearcher(CELLS, CORES, SearchTerms(most_trials=35, seed=seed))
    block = 0
    while isinstance(ask := searcher.ask(), Ask):
        block += 1
        for one in ask.configurations:
            jobs = int(one.second or 0)
            rate = surface(jobs, one.threads) * math.exp(drawn.gauss(0.0, 0.02))
            failed = Sample(failed=True, reason="killed")
            searcher.add(one, failed if jobs > most_jobs else Sample(throughput=rate), block)
    return searcher, searcher.answer().configuration


@pytest.mark.parametrize("surface", [scales, never_scales, turns_over])
@pytest.mark.parametrize("most_jobs", [99, 5])
def test_that_it_comes_within_five_per_cent_of_the_best_in_four_tenths_of_all_cells(
    surface: Callable[[int, int], float], most_jobs: int
) -> None:
    usable = [one for one in CELLS if int(one.second or 0) <= most_jobs]
    best = max(surface(int(one.second or 0), one.threads) for one in usable)
    for seed in range(5):
        searcher, answer = searched(surface, seed, most_jobs)
        assert answer is not None
        assert surface(int(answer.second or 0), answer.threads) >= 0.95 * best
        assert searcher.trials <= 0.41 * len(CELLS)


def test_that_one_at_a_time_comes_first_and_what_does_not_fit_never() -> None:
    searcher = JobsSearcher(CELLS, CORES, SearchTerms(most_trials=35))
    first = searcher.ask()
    assert isinstance(first, Ask)
    assert {(one.second, one.threads) for one in first.configurations} == {(1, 1), (1, 16)}
    searcher.leave_out((jobs, threads) for jobs in range(4, 17) for threads in range(1, 17))
    block, ask = 0, first
    while isinstance(ask, Ask):
        block += 1
        for one in ask.configurations:
            assert int(one.second or 0) < 4
            searcher.add(one, Sample(throughput=float(one.second or 0)), block)
        following = searcher.ask()
        if not isinstance(following, Ask):
            break
        ask = following


def test_that_a_single_cell_is_an_answer() -> None:
    searcher = JobsSearcher([Configuration(threads=4, second=8)], 2, SearchTerms(most_trials=4))
    block = 0
    while isinstance(ask := searcher.ask(), Ask):
        block += 1
        for one in ask.configurations:
            searcher.add(one, Sample(throughput=1.0), block)
    assert searcher.answer().configuration == Configuration(threads=4, second=8)
