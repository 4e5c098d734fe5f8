"""Is the advice of a sweep honest, and what does it cost?  Sweeps are simulated whose best setting
is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from core.vocabulary import MOST_REPEATS, NEAR, Advice, RunSpec, Trial

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
    trials: int
    regret: float
    """The share of the best throughput that the chosen setting misses."""


def levels_of(rng: np.random.Generator, count: int) -> Floats:
    """Log throughputs of the settings.

    A few share a cap, as where the device is the limit; the others are 10 to 90 % below it.
    """
    levels = np.log(rng.uniform(0.1, 0.9, size=count))
    equal = rng.choice(count, size=rng.integers(1, min(6, count)), replace=False)
    levels[equal] = rng.uniform(-0.03, 0.0, size=equal.size)
    return levels


def sweep(
    rng: np.random.Generator,
    noise: float,
    most: int = BLOCKS,
    least: int = BLOCKS,
    specs: Sequence[RunSpec] = SPECS,
    *,
    everything: bool = False,
) -> Swept:
    """One sweep: the machine drifts, and trials waver by themselves.

    After the `least` blocks, settings about which no question is open are measured no more, until
    none is or there were `most` blocks.  `everything`: all are measured as long as any is open.
    """
    truth = levels_of(rng, len(specs))
    trials: list[list[Trial]] = [[] for _ in specs]
    mood, still_open = 0.0, frozenset(spec.digest for spec in specs)
    for block in range(most):
        mood += rng.normal(scale=DRIFT)
        for at, spec in enumerate(specs):
            if everything or spec.digest in still_open:
                rate = 1000.0 * math.exp(truth[at] + mood + rng.normal(scale=noise))
                trials[at].append(trial_of(spec, len(specs) * block + at, block, rate))
        results = [result_of(spec, own) for spec, own in zip(specs, trials, strict=True)]
        if block + 1 >= least and not (still_open := open_settings(results, {})):
            break
    advice = advise(results)
    assert advice is not None
    return _held_against(truth, advice, specs, sum(map(len, trials)))


def _held_against(truth: Floats, advice: Advice, specs: Sequence[RunSpec], trials: int) -> Swept:
    named = [
        _level(truth, values, specs)
        for values in (advice.values, *(one.values for one in advice.equals))
    ]
    short = float(truth.max()) - np.array(named)
    promised = NEAR if advice.confident else advice.at_most_slower
    return Swept(
        held=bool(short.min() <= -math.log1p(-NEAR)),
        confident=advice.confident,
        for_now=advice.at_most_slower is not None,
        right=promised is None or bool(short[0] <= -math.log1p(-promised)),
        trials=trials,
        regret=-math.expm1(-float(short[0])),
    )


def _level(truth: Floats, values: object, specs: Sequence[RunSpec]) -> float:
    assert isinstance(values, dict)
    (at,) = (at for at, spec in enumerate(specs) if values.items() <= spec.values.items())
    return float(truth[at])


RACES = ((4, 0.5), (8, 0.5), (32, 0.25))
"""Settings, and the most that a race may cost of what measuring all of them costs."""
RACE_NOISE = 0.04


def checks_of_races(
    rng: np.random.Generator, race: tuple[int, float], count: int
) -> tuple[GoalRow, ...]:
    """Until it is sure: against measuring all settings as often as makes 19 of 20 as sure."""
    settings, most = race
    specs = tuple(
        building.spec(parameters={"cache": cache}, threads=threads)
        for cache, threads in product(("lru", "none")[: 1 + settings // 16], range(1, 17))
    )[:settings]
    seeds = rng.integers(1 << 32, size=count)
    raced, whole = (
        [
            sweep(
                np.random.default_rng(seed),
                RACE_NOISE,
                MOST_REPEATS,
                1,
                specs,
                everything=everything,
            )
            for seed in seeds
        ]
        for everything in (False, True)
    )
    # Who measures all of them chooses beforehand how often: enough in 19 of 20 cases.
    all_of_them = float(np.quantile([one.trials for one in whole], 0.95))
    price = sum(one.trials for one in raced) / count / all_of_them
    little = sum(one.regret <= NEAR for one in raced) / count
    about = f"{settings} settings, noise {RACE_NOISE:.0%}"
    return (
        at_most(f"Trials of a race ÷ of measuring all, {about}: ≤ {most}", price, most, count),
        at_least(f"Regret of at most 5 %, {about}: ≥ 95 %", little, 0.95, count),
    )


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
