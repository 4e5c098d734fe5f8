"""Does `compare` keep its promises about two settings that are measured in the same blocks?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import signal
from shares import at_least, at_most, between
from simulated_results import BASELINE, CANDIDATE, Sides, first_blocks, sides_of

from core.judge import (
    median_interval,
    metric_estimate,
    relative,
)
from core.judge.comparison import compare
from core.judge.statistics.intervals import Floats
from core.run.budget import questions_of
from core.selfcheck.cost import GoalRow
from core.vocabulary import FEWEST_TO_STOP, MetricEstimate, Plan, VerdictKind

AUTOCORRELATIONS = (0.0, 0.2, 0.4, 0.6, 0.8)
DIFFERENCE = 0.05
MOST_BLOCKS = 30
"""That a budget pays for."""
SLOWDOWN, A_MINUTE = 0.10, 20
"""What is found within a minute, and the blocks of two trials of a second each that it pays for."""
DIFFERENT = (VerdictKind.FASTER, VerdictKind.SLOWER)
AGAIN = Plan(
    title="compare again",
    specs=(BASELINE, CANDIDATE),
    repeats=FEWEST_TO_STOP,
    pairs=((BASELINE.digest, CANDIDATE.digest),),
)


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """A bench as it is met: noise of readings and trials, and drift, as relative deviations."""

    blocks: int = FEWEST_TO_STOP
    readings: int = 60
    reading_noise: float = 0.05
    trial_noise: float = 0.01
    drift: float = 0.02


def correlated(rng: np.random.Generator, size: int, autocorrelation: float) -> Floats:
    """First-order autoregressive series: mean 0, variance 1 and this lag-1 autocorrelation."""
    burn_in = 100
    shocks = rng.normal(size=size + burn_in)
    gain = np.sqrt(1.0 - autocorrelation**2)
    series: Floats = signal.lfilter([gain], [1.0, -autocorrelation], shocks)[burn_in:]
    return series


def interleaved(
    rng: np.random.Generator,
    autocorrelation: float,
    ratio: float = 1.0,
    bench: Conditions = Conditions(),
) -> Sides:
    """A baseline and a candidate `ratio` times as fast, in blocks of random order.

    Noise continues from trial to trial, so neighbours in time resemble each other; a random walk
    shared by both sides is the machine's drift.
    """
    noise = correlated(rng, 2 * bench.blocks * bench.readings, autocorrelation)
    noise = 1.0 + bench.reading_noise * noise.reshape(bench.blocks, 2, bench.readings).mean(axis=2)
    mood = np.exp(np.cumsum(rng.normal(scale=bench.drift, size=bench.blocks)))
    own = np.exp(rng.normal(scale=bench.trial_noise, size=(bench.blocks, 2)))
    rates = 1000.0 * mood[:, None] * own * ratio ** np.arange(2)
    order = rng.permuted(np.tile(np.arange(2), (bench.blocks, 1)), axis=1)
    rates *= np.take_along_axis(noise, order, axis=1)
    return sides_of(*rates.T.tolist())


def stopped(sides: Sides) -> Sides:
    """What there is when a run with a budget has told the pair, or has spent it."""
    still_open = questions_of(AGAIN)
    for blocks in range(FEWEST_TO_STOP, len(sides[0].trials)):
        seen = first_blocks(sides, blocks)
        if not still_open([trial for side in seen for trial in side.trials]):
            return seen
    return sides


def checks_of_pairs(
    rng: np.random.Generator, autocorrelation: float, count: int
) -> tuple[GoalRow, ...]:
    """Identical sides and true differences, at five blocks and on stopping; what intervals hold."""
    name, long = f"autocorrelation {autocorrelation}", Conditions(blocks=MOST_BLOCKS)
    alike = [compare(*interleaved(rng, autocorrelation)).kind for _ in range(count)]
    watched, differ = (
        [compare(*stopped(interleaved(rng, autocorrelation, ratio, long))).kind for _ in alike]
        for ratio in (1.0, 1.0 + DIFFERENCE)
    )
    found = differ.count(VerdictKind.FASTER) / count
    slow = 1.0 - SLOWDOWN
    minute = Conditions(blocks=A_MINUTE)
    slower = [
        compare(*stopped(interleaved(rng, autocorrelation, slow, minute))).kind for _ in alike
    ]
    seen = slower.count(VerdictKind.SLOWER) / count
    ratios = [relative(*interleaved(rng, autocorrelation, 1.2)) for _ in alike]
    still = Conditions(drift=0.0)
    alone = [metric_estimate(interleaved(rng, autocorrelation, 1.0, still)[0]) for _ in alike]
    return (
        at_most(f"A/A declared different, {name}: ≤ 1 %", _different(alike), 0.01, count),
        at_most(
            f"A/A declared different on stopping, {name}: ≤ 1 %", _different(watched), 0.01, count
        ),
        at_least(f"5 % declared within {MOST_BLOCKS} blocks, {name}: ≥ 95 %", found, 0.95, count),
        at_least(
            f"10 % slower declared within {A_MINUTE} blocks, {name}: ≥ 95 %", seen, 0.95, count
        ),
        coverage(f"Ratio of 5 + 5 trials, {name}", ratios, 1.2),
        coverage(f"Throughput of 5 trials, {name}", alone, 1000.0),
    )


def _different(kinds: list[VerdictKind]) -> float:
    return sum(kind in DIFFERENT for kind in kinds) / len(kinds)


def coverage(goal: str, intervals: list[MetricEstimate], truth: float) -> GoalRow:
    """How often intervals hold the truth."""
    held = [
        one.low is not None and one.high is not None and one.low <= truth <= one.high
        for one in intervals
    ]
    return between(f"{goal}: 93–97 %", sum(held) / len(held), 0.93, 0.97, len(held))


def median_coverages(rng: np.random.Generator, count: int) -> tuple[GoalRow, ...]:
    """Coverage of the median's interval, by which `selfcheck` judges, for skewed values.

    That of 6 values is the largest possible, 96.9 %.
    """
    rows = []
    for size in (6, 8, 10):
        found = [median_interval(rng.lognormal(0.0, 0.5, size)) for _ in range(count)]
        held = sum(one.low <= 1.0 <= one.high for one in found) / count
        goal = f"Median of {size} skewed values: 93–98 %"
        rows.append(between(goal, held, 0.93, 0.98, count))
    return tuple(rows)
