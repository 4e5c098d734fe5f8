"""Does `core.analysis.statistics` keep its promises?

Trials are simulated, so that the truth is known, and judged as real ones would be.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import signal

from core.analysis.statistics import (
    Conclusion,
    Interval,
    compare_samples,
    mean_interval,
    median_interval,
    precision_suffices,
    ratio_interval,
    throughput_interval,
)
from core.analysis.statistics.time_series import Floats
from core.catalog.dataset import Tell, tell_nobody
from core.selfcheck.goals import CheckReport, GoalRow, at_least, at_most, between
from core.selfcheck.simulated_sessions import checks_of_drift
from core.selfcheck.simulated_sweeps import NOISES, checks_of_sets
from core.selfcheck.simulated_turns import checks_of_turns

AUTOCORRELATIONS = (0.0, 0.2, 0.4, 0.6, 0.8)
DIFFERENCE = 0.05


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """A bench as it is met: noise of readings and trials, and drift, as relative deviations."""

    blocks: int = 5
    readings: int = 60
    reading_noise: float = 0.05
    trial_noise: float = 0.01
    drift: float = 0.02
    warm_up: int = 8


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
) -> tuple[list[Floats], list[Floats]]:
    """Trials of a baseline and of a candidate `ratio` times as fast, in blocks of random order.

    Noise continues from trial to trial, so neighbours in time resemble each other; a random walk
    shared by both sides is the machine's drift, and every trial starts cold.
    """
    sides: tuple[list[Floats], list[Floats]] = ([], [])
    noise = correlated(rng, 2 * bench.blocks * bench.readings, autocorrelation)
    noise = 1.0 + bench.reading_noise * noise.reshape(-1, bench.readings)
    mood = np.exp(np.cumsum(rng.normal(scale=bench.drift, size=bench.blocks)))
    ramp = np.ones(bench.readings)
    ramp[: bench.warm_up] = np.linspace(0.6, 1.0, bench.warm_up, endpoint=False)
    for block in range(bench.blocks):
        for place, side in enumerate(rng.permutation(2)):
            level = mood[block] * np.exp(rng.normal(scale=bench.trial_noise)) * ratio**side
            sides[side].append(1000.0 * level * ramp * noise[2 * block + place])
    return sides


def stopped_on_precision(
    baseline: list[Floats], candidate: list[Floats], delta: float = DIFFERENCE
) -> int | None:
    """Blocks after which precision sufficed for `delta`, looking after each; None if never."""
    for blocks in range(1, len(baseline) + 1):
        if precision_suffices(baseline[:blocks], candidate[:blocks], delta):
            return blocks
    return None


def false_alarms(
    rng: np.random.Generator, autocorrelation: float, count: int
) -> tuple[GoalRow, ...]:
    """Identical sides after five blocks: how often one is called faster."""
    wrong = sum(
        compare_samples(*interleaved(rng, autocorrelation)).kind
        in (Conclusion.FASTER, Conclusion.SLOWER)
        for _ in range(count)
    )
    goal = f"A/A declared different, autocorrelation {autocorrelation}: ≤ 1 %"
    return (at_most(goal, wrong / count, 0.01, count),)


def after_stopping(
    rng: np.random.Generator, autocorrelation: float, ratio: float, count: int
) -> list[Conclusion]:
    """Kinds declared where up to 30 blocks made the precision suffice; the others are left out."""
    bench = Conditions(blocks=30)
    kinds: list[Conclusion] = []
    for _ in range(count):
        baseline, candidate = interleaved(rng, autocorrelation, ratio, bench)
        if blocks := stopped_on_precision(baseline, candidate):
            found = compare_samples(baseline[:blocks], candidate[:blocks], DIFFERENCE / 2)
            kinds.append(found.kind)
    return kinds


def false_alarms_after_stopping(
    rng: np.random.Generator, autocorrelation: float, count: int
) -> tuple[GoalRow, ...]:
    """Identical sides, measured until precision suffices: looking must not make differences."""
    kinds = after_stopping(rng, autocorrelation, 1.0, count)
    wrong = sum(kind in (Conclusion.FASTER, Conclusion.SLOWER) for kind in kinds)
    goal = f"A/A declared different on stopping, autocorrelation {autocorrelation}: ≤ 1 %"
    return (at_most(goal, wrong / max(len(kinds), 1), 0.01, len(kinds)),)


def power(rng: np.random.Generator, autocorrelation: float, count: int) -> tuple[GoalRow, ...]:
    """A true 5 % difference, measured until precision suffices."""
    kinds = after_stopping(rng, autocorrelation, 1.0 + DIFFERENCE, count)
    right = sum(kind is Conclusion.FASTER for kind in kinds)
    goal = f"5 % declared once precise, autocorrelation {autocorrelation}: ≥ 95 %"
    return (at_least(goal, right / max(len(kinds), 1), 0.95, len(kinds)),)


def coverage(goal: str, intervals: list[Interval], truth: float) -> GoalRow:
    """How often intervals hold the truth."""
    held = sum(one.low <= truth <= one.high for one in intervals)
    share = held / len(intervals)
    return between(f"{goal}: 93–97 %", share, 0.93, 0.97, len(intervals))


def coverages(rng: np.random.Generator, autocorrelation: float, count: int) -> tuple[GoalRow, ...]:
    """Coverage of the 95 % intervals of a ratio, of a throughput and of one long series."""
    still = Conditions(drift=0.0)
    ratios, throughputs, series = [], [], []
    for _ in range(count):
        ratios.append(ratio_interval(*interleaved(rng, autocorrelation, 1.2)))
        throughputs.append(throughput_interval(interleaved(rng, autocorrelation, 1.0, still)[0]))
        series.append(mean_interval(1000.0 + 50.0 * correlated(rng, 200, autocorrelation)))
    name = f"autocorrelation {autocorrelation}"
    return (
        coverage(f"Ratio of 5 + 5 trials of 6 s, {name}", ratios, 1.2),
        coverage(f"Throughput of 5 trials of 6 s, {name}", throughputs, 1000.0),
        coverage(f"Mean of one series of 20 s, {name}", series, 1000.0),
    )


def median_coverages(rng: np.random.Generator, count: int) -> tuple[GoalRow, ...]:
    """Coverage of the interval of the median for skewed values, at usual numbers of trials."""
    rows = []
    for size in (6, 8, 10):
        found = [median_interval(rng.lognormal(0.0, 0.5, size)) for _ in range(count)]
        rows.append(coverage(f"Median of {size} skewed values", found, 1.0))
    return tuple(rows)


def check_statistics(
    count: int = 1000, seed: int = 20_240_601, tell: Tell = tell_nobody
) -> CheckReport:
    """Run `count` simulations per goal and autocorrelation; 1,000 take about ten minutes."""
    rng = np.random.default_rng(seed)
    rows: list[GoalRow] = []
    checks: list[Callable[[], tuple[GoalRow, ...]]] = [
        partial(check, rng, level, count)
        for level in AUTOCORRELATIONS
        for check in (false_alarms, false_alarms_after_stopping, power, coverages)
    ]
    checks.append(partial(median_coverages, rng, count))
    checks += [partial(check, rng, count) for check in checks_of_drift()]
    # With numbers of their own, so that what was checked before stays what it was.
    swept = np.random.default_rng(seed + 1)
    checks += [partial(checks_of_sets, swept, noise, count) for noise in NOISES]
    turned = np.random.default_rng(seed + 2)
    checks += [partial(checks_of_turns, turned, level, count) for level in AUTOCORRELATIONS]
    for done, check in enumerate(checks):
        tell("simulating trials", done, len(checks), "checks")
        rows += check()
    return CheckReport(title="Statistics", seed=seed, rows=tuple(rows))
