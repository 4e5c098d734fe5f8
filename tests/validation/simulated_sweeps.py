"""Is the advice of a sweep honest?  Sweeps are simulated whose best setting is known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import building
import numpy as np
from shares import at_least, at_most
from simulated_results import result_of, trial_of

from core.judge import advise
from core.judge.questions import open_settings
from core.judge.statistics.intervals import Floats
from core.selfcheck.cost import GoalRow
from core.vocabulary import NEAR, Advice, Trial

BLOCKS = 3
LEAST_BLOCKS = 2
"""With a budget that is short."""
MOST_BLOCKS = 12
"""That a budget pays for, if all settings stay open."""
NOISES = (0.01, 0.03, 0.1)
"""Deviation of the log of a trial's throughput."""
DRIFT = 0.1
"""Of the machine from block to block, as a random walk."""
SPECS = tuple(
    building.spec(parameters={"cache": cache}, threads=threads, processes=processes)
    for cache, processes, threads in product(("lru", "none"), (1, 2), (1, 2, 3, 4))
)


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
    """Log throughputs of the settings.

    A few share a cap, as where the device is the limit; the others are 10 to 90 % below it.
    """
    levels = np.log(rng.uniform(0.1, 0.9, size=len(SPECS)))
    equal = rng.choice(len(SPECS), size=rng.integers(1, 6), replace=False)
    levels[equal] = rng.uniform(-0.03, 0.0, size=equal.size)
    return levels


def sweep(rng: np.random.Generator, noise: float, most: int = BLOCKS, least: int = BLOCKS) -> Swept:
    """One sweep: the machine drifts, and trials waver by themselves.

    After the `least` blocks, settings about which no question is open are measured no more, until
    none is or there were `most` blocks.
    """
    truth = levels_of(rng)
    trials: list[list[Trial]] = [[] for _ in SPECS]
    mood, still_open = 0.0, frozenset(spec.digest for spec in SPECS)
    for block in range(most):
        mood += rng.normal(scale=DRIFT)
        for at, spec in enumerate(SPECS):
            if spec.digest in still_open:
                rate = 1000.0 * math.exp(truth[at] + mood + rng.normal(scale=noise))
                trials[at].append(trial_of(spec, len(SPECS) * block + at, block, rate))
        results = [result_of(spec, own) for spec, own in zip(SPECS, trials, strict=True)]
        if block + 1 >= least and not (still_open := open_settings(results, {})):
            break
    advice = advise(results)
    assert advice is not None
    return _held_against(truth, advice)


def _held_against(truth: Floats, advice: Advice) -> Swept:
    named = [
        _level(truth, values) for values in (advice.values, *(one.values for one in advice.equals))
    ]
    short = float(truth.max()) - np.array(named)
    promised = NEAR if advice.confident else advice.at_most_slower
    return Swept(
        held=bool(short.min() <= -math.log1p(-NEAR)),
        confident=advice.confident,
        for_now=advice.at_most_slower is not None,
        right=promised is None or bool(short[0] <= -math.log1p(-promised)),
    )


def _level(truth: Floats, values: object) -> float:
    assert isinstance(values, dict)
    (at,) = (at for at, spec in enumerate(SPECS) if values.items() <= spec.values.items())
    return float(truth[at])


def checks_of_sweeps(rng: np.random.Generator, noise: float, count: int) -> tuple[GoalRow, ...]:
    """Of 16 settings: whether the best is among those named, and whether what is said is true."""
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
        at_least(f"Best or one within 5 % named, {about}: ≥ 95 %", held, 0.95, count),
        at_most(f"Confident and more than 5 % short, {about}: ≤ 1 %", wrong, 0.01, count),
        at_most(f"For now, and shorter than said, {about}: ≤ 1 %", short, 0.01, count),
    )
    if noise > NOISES[0]:
        return rows
    goal = f"Confident, {about}: ≥ 95 %"
    return (*rows, at_least(goal, len(sure) / count, 0.95, count))
