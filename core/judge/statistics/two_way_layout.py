"""Settings and blocks as additive effects on the log of throughput.

Trials of one block share the machine's disturbances, so differences within blocks are several
times more precise than those between blocks.  Here the effect of each block is removed from the
levels of the settings that were measured in it, and from the noise.

The effects of settings are fixed and those of blocks random.  Where all blocks have all settings,
the levels are plain means.  Where blocks overlap in some settings only, as in a search, settings
that never met are compared by way of those that both met.  Where nothing connects two settings,
their difference is as uncertain as the machine is from block to block, and `error` says so.

All settings share one noise, of which they together know more than each alone.  One that wavers
more than chance explains has its own, and is left out of the others'.

Sources: Box, Hunter & Hunter, "Statistics for Experimenters" (2005), ch. 4; Yates, "The recovery
of inter-block information in balanced incomplete block designs", Annals of Eugenics 10 (1940);
Henderson, "Best linear unbiased estimation and prediction under a selection model", Biometrics 31
(1975), for the equations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.judge.statistics.intervals import Floats, f_chance, student_quantile

type Places = NDArray[np.intp]

_BY_CHANCE = 0.01
"""Chance that any setting has a noise of its own where all are alike."""
_FEWEST_TRIALS, _FEWEST_ALIKE = 3, 3
"""Of a setting with a noise of its own, and settings that share one: of two settings in the same
blocks nobody can say which one wavers."""

MACHINE_DRIFT = 0.1
"""Least standard deviation of the log from block to block that is allowed for: an ordinary machine
drifts by 5 to 10 %, and a few blocks alone cannot show that one drifts less."""
_MOST_WEIGHT = 1e6
"""Of the blocks' variance over that of a trial, where trials show no noise."""


class Wavering(NamedTuple):
    """Standard deviation of the log of a trial within its block, and its degrees of freedom."""

    deviation: float
    freedom: float


@dataclass(frozen=True, kw_only=True)
class TwoWayLayout:
    """Levels of settings, and the noise of one trial.

    `levels`: natural logs, without the effects of the blocks.  `spread`: their covariance over the
    variance of a trial.  `deviation`: standard deviation of the log of a trial within its block,
    with `freedom` degrees of freedom; 0 with none.  `own`: the same two of the settings that waver
    more than the rest.  `blocks`: the log effect of each.
    """

    levels: Floats
    spread: Floats
    deviation: float
    freedom: float
    blocks: Mapping[int, float]
    own: Mapping[int, Wavering] = field(default_factory=dict)
    errors: Floats | None = None
    """Standard errors of the levels beyond the trials' noise, where they were computed."""

    def unit_error(self, one: int, two: int) -> float:
        """Standard error of the difference of two levels, as a multiple of `deviation`."""
        between = self.spread[one, one] + self.spread[two, two] - 2.0 * self.spread[one, two]
        return math.sqrt(max(float(between), 0.0))

    def error(self, one: int, two: int) -> float:
        noises = (self._noise(one), self._noise(two))
        mean = sum(noise.deviation**2 for noise in noises) / 2.0
        return math.sqrt(mean) * self.unit_error(one, two)

    def freedom_of(self, one: int, two: int) -> float:
        """Degrees of freedom of that error.

        Source: Satterthwaite, "An approximate distribution of estimates of variance components",
        Biometrics Bulletin 2 (1946).
        """
        if one not in self.own and two not in self.own:
            return self.freedom
        shares = [(noise.deviation**2, noise.freedom) for noise in map(self._noise, (one, two))]
        spread = sum(variance**2 / freedom for variance, freedom in shares)
        return sum(variance for variance, _ in shares) ** 2 / spread

    def _noise(self, setting: int) -> Wavering:
        return self.own.get(setting, Wavering(self.deviation, self.freedom))

    def bound(self, one: int, two: int, confidence: float) -> float:
        """How far the difference of two levels can be off on one side; infinite if unknown."""
        if self.freedom <= 0:
            return math.inf
        bound = _quantile(self.freedom_of(one, two), confidence) * self.error(one, two)
        if self.errors is None or one == two:
            return bound
        return math.hypot(bound, _of_errors(self.errors, one, confidence)[two])

    def bounds(self, one: int, confidence: float) -> Floats:
        """`bound` to each level at once, as there can be thousands; to itself it is 0."""
        if self.freedom <= 0:
            bounds = np.full(len(self.levels), math.inf)
        else:
            between = self.spread[one, one] + np.diag(self.spread) - 2.0 * self.spread[one]
            quantile = _quantile(self.freedom, confidence)
            bounds = quantile * self.deviation * np.sqrt(np.maximum(between, 0.0))
            for other in range(len(bounds)) if one in self.own else self.own:
                bounds[other] = self.bound(one, other, confidence)
            if self.errors is not None:
                bounds = np.hypot(bounds, _of_errors(self.errors, one, confidence))
        bounds[one] = 0.0
        return bounds


def _of_errors(errors: Floats, one: int, confidence: float) -> Floats:
    """How far the differences to all levels can be off because levels were computed."""
    both: Floats = np.hypot(errors, errors[one])
    return _quantile(math.inf, confidence) * both


@lru_cache
def _quantile(freedom: float, confidence: float) -> float:
    return student_quantile(freedom, confidence)


def two_way_layout(
    logs: Sequence[Sequence[tuple[int, float]]], *, blocked: bool = True
) -> TwoWayLayout:
    """Fit settings, each given as the block and the log of every trial, at least one.

    Without `blocked`, trials of one block have nothing in common, and levels are plain means.
    Raises ValueError if a setting has no trial.
    """
    if not all(logs):
        raise ValueError("each setting needs a trial")
    values = np.array([log for one in logs for _, log in one])
    setting = np.array([at for at, one in enumerate(logs) for _ in one])
    met = [block for one in logs for block, _ in one]
    names = tuple(dict.fromkeys(met))
    pairs = {(at, block) for at, one in enumerate(logs) for block, _ in one}
    if not blocked or len(names) < 2 or len(pairs) == len(names):  # no block has two settings
        names = ()
    places = {name: place for place, name in enumerate(names)}
    block = np.array([places.get(name, -1) for name in met])
    blocks: Floats = (block[:, None] == np.arange(len(names))).astype(np.float64)
    return _fitted(values, setting, blocks, names)


def _fitted(
    values: Floats, setting: Places, blocks: Floats, names: tuple[int, ...]
) -> TwoWayLayout:
    deviation, freedom, own = _noise(values, setting, blocks)
    drift = MACHINE_DRIFT
    levels, spread, effects = _mixed(values, setting, blocks, _weight(drift, deviation))
    if names and (largest := float(np.abs(effects).max())) > drift:
        # A machine that drifts more than is usual is believed.
        levels, spread, effects = _mixed(values, setting, blocks, _weight(largest, deviation))
    return TwoWayLayout(
        levels=levels,
        spread=spread,
        deviation=deviation,
        freedom=freedom,
        blocks=dict(zip(names, effects.tolist(), strict=True)),
        own=own,
    )


def _weight(drift: float, deviation: float) -> float:
    if deviation * math.sqrt(_MOST_WEIGHT) <= drift:
        return _MOST_WEIGHT
    return (drift / deviation) ** 2


def _noise(
    values: Floats, setting: Places, blocks: Floats
) -> tuple[float, float, dict[int, Wavering]]:
    """Standard deviation of what settings and blocks leave unexplained, and its freedom.

    Then those of the settings that waver more.

    The means of settings are taken out first, which leaves the same rest and one small system, as
    there can be thousands of settings (Frisch & Waugh, Econometrica 1, 1933).
    """
    count = np.bincount(setting)
    without = _sums(np.column_stack([values, blocks]), setting) / count[:, None]
    values, blocks = values - without[setting, 0], blocks - without[setting, 1:]
    fitted, _, rank, _ = np.linalg.lstsq(blocks, values)
    residuals = values - blocks @ fitted
    freedom = len(values) - len(count) - int(rank)
    squares = np.bincount(setting, residuals**2)
    return _pooled(squares, count, freedom) if freedom > 0 else (0.0, freedom, {})


def _pooled(
    squares: Floats, count: Places, freedom: int
) -> tuple[float, float, dict[int, Wavering]]:
    """The noise of all settings but those that waver more than the others, each beside the rest.

    Source: Cochran, "The distribution of the largest of a set of estimated variances as a fraction
    of their total", Annals of Eugenics 11 (1941); here one after the other, with Bonferroni.
    """
    each = freedom * (count - 1) / max(int((count - 1).sum()), 1)
    total, degrees, own = float(squares.sum()), float(freedom), dict[int, Wavering]()
    order = np.argsort(-squares / np.maximum(each, 1e-9))
    for at in order[: len(count) - _FEWEST_ALIKE].tolist() if total > 0.0 else ():
        others, free = total - float(squares[at]), degrees - float(each[at])
        if count[at] < _FEWEST_TRIALS or others <= 1e-9 * total or free < 1.0:
            break
        ratio = float(squares[at] / each[at]) / (others / free)
        if f_chance(ratio, float(each[at]), free) * len(count) > _BY_CHANCE:
            break
        own[at] = Wavering(math.sqrt(float(squares[at] / each[at])), float(each[at]))
        total, degrees = others, free
    return math.sqrt(total / degrees), degrees if own else freedom, own


def _sums(columns: Floats, setting: Places) -> Floats:
    return np.column_stack([np.bincount(setting, column) for column in columns.T])


def _mixed(
    values: Floats, setting: Places, blocks: Floats, weight: float
) -> tuple[Floats, Floats, Floats]:
    """Levels, their covariance, and the blocks' effects, for a ratio of their variances."""
    shares = weight / (1.0 + weight * blocks.sum(axis=0))
    summed = _sums(np.column_stack([values, blocks]), setting)
    shared = summed[:, 1:]
    information = np.diag(np.bincount(setting)) - (shared * shares) @ shared.T
    adjusted = summed[:, 0] - shared @ (shares * (blocks.T @ values))
    spread = np.linalg.inv(information)
    levels: Floats = spread @ adjusted
    effects: Floats = shares * (blocks.T @ (values - levels[setting]))
    return levels, spread, effects
