"""Do ratios from turns keep their promises, when one measures until they can be told?

Two settings take turns in blocks of new children.  Rounds within a block resemble each other, the
machine drifts from block to block, and each generation of children differs a little.  After every
block from the third on somebody looks, and stops once the question is closed by the stricter levels
of `core.study`; then it is judged by the usual ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.statistics import (
    Estimate,
    contrast,
    difference_p,
    equivalence_p,
    interval_of,
    pooled,
    variance_within,
)
from core.analysis.statistics.time_series import Floats
from core.plan.limits import CONFIDENCE
from core.plan.repeats import REPEATS
from core.selfcheck.goals import GoalRow, at_least, at_most
from core.study.judge_claims import STRICTER, USUAL

DIFFERENCE = 0.05
GENERATIONS = (0.0, 0.02)
"""Deviations between generations of children."""


@dataclass(frozen=True, kw_only=True)
class Company:
    """Two settings that take turns; deviations are relative."""

    blocks: int = 30
    """As many as the budget pays for."""
    rounds: int = 15
    noise: float = 0.03
    """Of a round of one setting."""
    autocorrelation: float = 0.0
    generation: float = 0.01
    drift: float = 0.05
    """Of the machine, from block to block and from round to round."""

    def measured(self, rng: np.random.Generator, ratio: float) -> list[tuple[Floats, Floats]]:
        """Blocks of a baseline and of a candidate that is `ratio` times as fast."""
        shape = (self.blocks, 2, self.rounds)
        noise = self.noise * _correlated(rng, shape, self.autocorrelation)
        machine = self.drift * (
            rng.normal(size=(self.blocks, 1, 1)) + rng.normal(size=(self.blocks, 1, self.rounds))
        )
        children = self.generation * rng.normal(size=(self.blocks, 2, 1))
        levels = np.log([1.0, ratio])[None, :, None]
        done = 1000.0 * np.exp(levels + machine + children + noise)
        times = np.ones(shape)
        sides = np.stack([done, times], axis=-1)
        return [(block[0], block[1]) for block in sides]


def _correlated(rng: np.random.Generator, shape: tuple[int, ...], autocorrelation: float) -> Floats:
    """First-order autoregressive series along the last axis: mean 0, variance 1."""
    found = rng.normal(size=shape)
    fresh = np.sqrt(1.0 - autocorrelation**2)
    for at in range(1, shape[-1]):
        found[..., at] = autocorrelation * found[..., at - 1] + fresh * found[..., at]
    return found


def estimated(blocks: list[tuple[Floats, Floats]]) -> Estimate:
    """The log ratio as results of turns are compared."""
    baseline = {at: _log_rate(side) for at, (side, _) in enumerate(blocks)}
    candidate = {at: _log_rate(side) for at, (_, side) in enumerate(blocks)}
    return pooled(contrast(baseline, candidate), len(blocks), variance_within(blocks))


def _log_rate(side: Floats) -> float:
    done, time = side.sum(axis=0)
    return float(np.log(done / time))


def stopped(blocks: list[tuple[Floats, Floats]]) -> Estimate:
    """The estimate when the direction or equality is told, or when the budget is spent."""
    found = estimated(blocks[:REPEATS])
    for count in range(REPEATS, len(blocks) + 1):
        found = estimated(blocks[:count])
        p = min(difference_p(found), 2.0 * equivalence_p(found, DIFFERENCE))
        if p < STRICTER.direction_below:
            break
    return found


def checks_of_turns(
    rng: np.random.Generator, autocorrelation: float, count: int
) -> tuple[GoalRow, ...]:
    """False directions, coverage and power, for generations that differ by various amounts."""
    rows: list[GoalRow] = []
    for generation in GENERATIONS:
        bench = Company(autocorrelation=autocorrelation, generation=generation)
        told = f"in turns, autocorrelation {autocorrelation}, generations {generation:.0%}"
        alike = [stopped(bench.measured(rng, 1.0)) for _ in range(count)]
        false = sum(difference_p(one) < USUAL.direction_below for one in alike) / count
        differ = [stopped(bench.measured(rng, 1.0 + DIFFERENCE)) for _ in range(count)]
        right = sum(difference_p(one) < USUAL.direction_below and one.mean > 0 for one in differ)
        fixed = [estimated(bench.measured(rng, 1.2)[:5]) for _ in range(count)]
        held = sum(_holds(one, 1.2) for one in fixed) / count
        rows += [
            at_most(f"A/A given a direction on stopping, {told}: ≤ 1 %", false, 0.01, count),
            at_least(f"5 % found within 30 blocks, {told}: ≥ 95 %", right / count, 0.95, count),
            at_least(f"Ratio of 5 + 5 trials, {told}: held ≥ 93 %", held, 0.93, count),
        ]
    return tuple(rows)


def _holds(found: Estimate, truth: float) -> bool:
    shown = interval_of(found, CONFIDENCE)
    return shown.low <= truth <= shown.high
