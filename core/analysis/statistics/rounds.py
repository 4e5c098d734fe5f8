"""What the turns within blocks say about the error of a ratio over blocks.

Each block starts new children, so the ratios of blocks vary for two reasons: the rounds within a
block, of which there are many, and the differences between generations of children, of which there
are as few as blocks.  Three blocks alone give a poor estimate of their variance, and Student's
interval is wide to make up for it.  The rounds estimate the first part well, and no block can truly
vary less than that: where blocks seem to, that is their variance, so that nobody stops measuring at
a lucky moment.  Where a few blocks vary as their rounds and usual generations explain, they are
pooled, too.  Where they vary more, only the blocks count, so that an effect of generations, or a
slow disturbance, is never averaged away.

Sources: "sometimes pool" with a lenient preliminary test: Bancroft, "On biases in estimation due to
the use of preliminary tests of significance", Annals of Mathematical Statistics 15 (1944), at the
level of one half that keeps the final test near its own level: Bozivich, Bancroft & Hartley,
"Power of analysis of variance test procedures", Annals of Mathematical Statistics 27 (1956); the
error of a ratio of sums: Cochran, "Sampling Techniques" (1977), ch. 6.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.statistics.intervals import Estimate
from core.analysis.statistics.time_series import Floats
from core.plan.limits import CONFIDENCE

GENERATION = 0.03
"""Standard deviation, as a share, that is always allowed for between generations of children: a few
blocks that happen to agree do not show it."""
ENOUGH_BLOCKS = 8
"""From so many on their own variance is known well enough."""
_FEWEST_ROUNDS = 12
"""Of all blocks together: fewer say no more than the blocks themselves."""
_MOST_CORRELATED = 0.9


@dataclass(frozen=True, kw_only=True)
class Within:
    """Variance of one block's log ratio as its rounds explain it, and its degrees of freedom."""

    variance: float
    freedom: float


def variance_within(blocks: Sequence[tuple[Floats, Floats]]) -> Within | None:
    """The variance from the rounds of each block; None if there are too few of them.

    Each side of a block is an array of shape (rounds, 2): what was done, in any unit, and the time
    for it.  Row i of both sides is the same round.  Rounds of the same place in all blocks have a
    common part, such as a cache that fills: it does not make blocks differ, and is left out.
    """
    if len(blocks) < 2:
        return None
    residuals = [_residuals(candidate) - _residuals(baseline) for baseline, candidate in blocks]
    rounds = min(one.size for one in residuals)
    if rounds < 2 or rounds * len(blocks) < _FEWEST_ROUNDS:
        return None
    # Blocks have about equally many rounds; each is scaled to the length that all have.
    table = np.array([one[:rounds] * (one.size / rounds) for one in residuals])
    own = table - table.mean(axis=0)
    own -= own.mean(axis=1, keepdims=True)
    freedom = (len(blocks) - 1.0) * (rounds - 1.0)
    inflation = _inflation(own)
    variance = float((own**2).sum()) / freedom * rounds * inflation
    return Within(variance=variance, freedom=max(freedom / inflation, 1.0))


def _residuals(side: Floats) -> Floats:
    """What each round adds to the log of the block's rate, more or less than its share."""
    done, time = side.sum(axis=0)
    if not (done > 0.0 and time > 0.0):
        return np.zeros(len(side))
    found: Floats = side[:, 0] / done - side[:, 1] / time
    return found


def _inflation(residuals: Floats) -> float:
    """How much larger the variance of a mean is because neighbouring rounds resemble each other."""
    squares = float((residuals**2).sum())
    if squares <= 0.0:
        return 1.0
    raw = float((residuals[:, 1:] * residuals[:, :-1]).sum()) / squares
    rounds = residuals.shape[1]
    unbiased: float = raw + (1.0 + 4.0 * raw) / rounds  # Kendall (1954), as in `time_series`
    left = min(max(unbiased, 0.0), _MOST_CORRELATED)
    return (1.0 + left) / (1.0 - left)


def pooled(found: Estimate, blocks: int, within: Within | None) -> Estimate:
    """An estimate from the figures of so many blocks, its error pooled with that of their rounds.

    Blocks that vary less than their rounds explain do so by luck: they count as varying as much.  A
    few blocks that vary as rounds and generations explain are known better with the rounds.  All
    others speak for themselves.
    """
    if within is None or found.freedom < blocks - 1.0 - 1e-9:
        return found
    between = found.error**2 * blocks
    found = replace(found, error=math.sqrt(max(between, within.variance) / blocks))
    explained = replace(within, variance=within.variance + 2.0 * GENERATION**2)
    if blocks >= ENOUGH_BLOCKS or between > explained.variance * _median_of_chance(found.freedom):
        return found
    better = _together(found, blocks, explained)
    return better if better.half_width(CONFIDENCE) < found.half_width(CONFIDENCE) else found


def _together(found: Estimate, blocks: int, within: Within) -> Estimate:
    freedom = found.freedom + within.freedom
    variance = found.freedom * found.error**2 * blocks + within.freedom * within.variance
    return replace(found, error=math.sqrt(variance / freedom / blocks), freedom=freedom)


def _median_of_chance(freedom: float) -> float:
    """Median of chi squared over its degrees of freedom, by Wilson & Hilferty (1931)."""
    return (1.0 - 2.0 / (9.0 * freedom)) ** 3
