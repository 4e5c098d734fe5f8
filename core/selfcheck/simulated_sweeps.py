"""Is the set of best settings honest?  Sweeps are simulated whose best setting is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.analysis.best_settings import Candidate, best_settings
from core.analysis.statistics.time_series import Floats
from core.plan.limits import NEAR
from core.selfcheck.goals import GoalRow, at_least, at_most

BLOCKS = 3
LEAST_BLOCKS = 2
"""With a budget that is short."""
MOST_BLOCKS = 12
"""That a budget pays for, if all settings stay open."""
NOISES = (0.01, 0.03, 0.1)
"""Deviation of the log of a trial's throughput."""
DRIFT = 0.1
"""Of the machine from block to block, as a random walk."""


@dataclass(frozen=True, kw_only=True)
class Swept:
    """What was said of one simulated sweep."""

    held: bool
    """The true best, or one within `NEAR` of it, is among the chosen and its equals."""
    confident: bool
    for_now: bool
    right: bool
    """The chosen setting truly reaches what was said that it surely reaches."""


def levels_of(rng: np.random.Generator) -> Floats:
    """Log throughputs of 4 numbers of threads × 2 caches × 2 numbers of processes.

    A few share a cap, as where the device is the limit; the others are 10 to 90 % below it.
    """
    levels = np.log(rng.uniform(0.1, 0.9, size=16))
    equal = rng.choice(16, size=rng.integers(1, 6), replace=False)
    levels[equal] = rng.uniform(-0.03, 0.0, size=equal.size)
    return levels


def sweep(rng: np.random.Generator, noise: float, most: int = BLOCKS, least: int = BLOCKS) -> Swept:
    """One sweep: the machine drifts, and trials waver by themselves.

    After the `least` blocks, settings that are surely not the best are measured no more, until the
    choice is certain or there were `most` blocks.
    """
    truth = levels_of(rng)
    logs: list[list[tuple[int, float]]] = [[] for _ in truth]
    mood, still_open, found = 0.0, set(range(truth.size)), None
    for block in range(most):
        mood += rng.normal(scale=DRIFT)
        for at in still_open:
            logs[at].append((block, float(truth[at] + mood + rng.normal(scale=noise))))
        if block + 1 < least:
            continue
        found = best_settings(
            [Candidate(logs=own, threads=1 + at % 4) for at, own in enumerate(logs)]
        )
        if found.confident:
            break
        still_open = {*found.possible, found.chosen, found.best}
    assert found is not None
    true_best = float(truth.max())
    short = true_best - truth[[found.chosen, *found.equals]]
    return Swept(
        held=bool(short.min() <= -math.log1p(-NEAR)),
        confident=found.confident,
        for_now=found.for_now,
        right=float(truth[found.chosen]) - true_best >= math.log(found.at_least)
        if found.at_least > 0.0
        else True,
    )


def checks_of_sets(rng: np.random.Generator, noise: float, count: int) -> tuple[GoalRow, ...]:
    """Of 16 settings: whether the best is in the set, and whether what is promised is true."""
    return (
        *_goals([sweep(rng, noise) for _ in range(count)], noise, ""),
        *_goals(
            [sweep(rng, noise, MOST_BLOCKS, LEAST_BLOCKS) for _ in range(count)],
            noise,
            ", until told",
        ),
    )


def _goals(swept: list[Swept], noise: float, how: str) -> tuple[GoalRow, ...]:
    count = len(swept)
    sure = [one for one in swept if one.confident]
    held = sum(one.held for one in swept) / count
    wrong = sum(not one.right for one in sure) / count
    short = sum(one.for_now and not one.right for one in swept) / count
    about = f"sweeps of 16 settings, noise {noise:.0%}{how}"
    rows = (
        at_least(f"Best or one within 5 % in the set, {about}: ≥ 95 %", held, 0.95, count),
        at_most(f"Confident and less than promised, {about}: ≤ 1 %", wrong, 0.01, count),
        at_most(f"For now, and less than promised, {about}: ≤ 1 %", short, 0.01, count),
    )
    if noise > NOISES[0]:
        return rows
    goal = f"Confident, {about}: ≥ 95 %"
    return (*rows, at_least(goal, len(sure) / count, 0.95, count))
