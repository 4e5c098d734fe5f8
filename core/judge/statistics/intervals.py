"""Estimates with their intervals, of a mean of logs and of a median; values in time order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.vocabulary import CONFIDENCE

type Floats = NDArray[np.float64]
type Samples = Sequence[float] | Floats

FEWEST_BLOCKS = 8


def as_floats(values: Samples, fewest: int = 1) -> Floats:
    """Return `values` as a 1-D array. ValueError: not 1-D, fewer than `fewest`, or not finite."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"expected one dimension, got shape {array.shape}")
    if array.size < fewest:
        raise ValueError(f"expected at least {fewest} values, got {array.size}")
    if not np.isfinite(array).all():
        raise ValueError("values must be finite")
    return array


def lag1_autocorrelation(series: Samples) -> float:
    """Correlation of each reading with the next, in [-1, 1]; 0.0 for a constant series.

    The usual moment estimate; its bias for short series is removed where it is used.
    Raises ValueError below 2 readings. Source: Box, Jenkins & Reinsel, "Time Series Analysis",
    §2.1.
    """
    readings = as_floats(series, fewest=2)
    centred = readings - readings.mean()
    power = float(centred @ centred)
    if power <= 1e-24 * max(1.0, float(readings @ readings)):
        return 0.0
    return float(centred[1:] @ centred[:-1]) / power


@dataclass(frozen=True, kw_only=True)
class IndependentBlocks:
    """`means`: one per block, in time order. `length`: readings in a block.

    `autocorrelation`: the lag-1 autocorrelation that is left, ≥ 0.
    """

    means: Floats
    length: int
    autocorrelation: float

    @property
    def effective(self) -> float:
        """Number of independent blocks these are worth (≥ 2)."""
        correlation = self.autocorrelation
        return max(self.means.size * (1.0 - correlation) / (1.0 + correlation), 2.0)


def independent_blocks(series: Samples) -> IndependentBlocks:
    """Merge neighbouring readings until blocks no longer resemble each other, or eight are left.

    Blocks grow by 1.4 until the lag-1 autocorrelation of their means is no longer positive. What
    is left of it is estimated with its small-sample bias removed, so that an interval can allow
    for it; short, strongly correlated series would otherwise look more precise than they are.
    Readings that do not fill a block are left out at the start, where warm-up would be.

    Raises ValueError below 2 readings.
    Sources: Fishman, "Grouping observations in digital simulation", Management Science 24 (1978);
    remaining correlation: Tafazzoli & Wilson, "Skart", IIE Transactions 43 (2011); bias: Kendall,
    "Note on bias in the estimation of autocorrelation", Biometrika 41 (1954).
    """
    readings = as_floats(series, fewest=2)
    length = 1
    while True:
        count = readings.size // length
        means = readings[readings.size - count * length :].reshape(count, length).mean(axis=1)
        raw = lag1_autocorrelation(means)
        longer = max(length + 1, int(length * 1.4))
        if raw <= -1.0 / count or readings.size // longer < FEWEST_BLOCKS:
            break
        length = longer
    unbiased = raw + (1.0 + 4.0 * raw) / count
    # Below eight blocks the estimate is noise, so independence is assumed.
    remaining = min(max(unbiased, 0.0), 0.95) if count >= FEWEST_BLOCKS else 0.0
    return IndependentBlocks(means=means, length=length, autocorrelation=remaining)


_TINY = 1e-300
_CLOSE = 1e-15
_MOST_TERMS = 10_000
_AS_NORMAL = 1e9
"""Degrees of freedom above which the fraction below loses more than the normal one is off: at 1e9
both agree in six digits, and at 1e15 it was wrong in the first."""


def student_cdf(freedom: float, t: float) -> float:
    """P(T ≤ t) of Student's t with `freedom` > 0, which may be infinite: the normal one.

    Source: Abramowitz & Stegun, "Handbook of Mathematical Functions" (1964), 26.5.27 and 26.7.1.
    In plain Python: scipy has it too, but takes longer to load than a table takes to print.
    """
    if freedom > _AS_NORMAL:
        return 0.5 * math.erfc(-t / math.sqrt(2.0))
    whole = freedom + t * t
    beyond = 0.5 * _incomplete_beta(0.5 * freedom, 0.5, freedom / whole, t * t / whole)
    return beyond if t < 0.0 else 1.0 - beyond


@lru_cache(maxsize=4096)
def student_quantile(freedom: float, share: float) -> float:
    """The t below which that share of Student's distribution lies, 0 < share < 1."""
    if share == 0.5:
        return 0.0
    if share > 0.5:
        return -student_quantile(freedom, 1.0 - share)
    low, high = -1.0, 0.0
    while student_cdf(freedom, low) > share:
        low, high = 2.0 * low, low
    while high - low > 1e-14 * abs(low):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        low, high = (middle, high) if student_cdf(freedom, middle) < share else (low, middle)
    return 0.5 * (low + high)


def f_chance(ratio: float, above: float, below: float) -> float:
    """The chance that the ratio of two truly equal variances comes out this large or larger.

    `above`, `below`: degrees of freedom of the one over the fraction bar, and of the other.
    """
    share = below / (below + above * ratio)
    return _incomplete_beta(below / 2.0, above / 2.0, share, 1.0 - share)


def _incomplete_beta(a: float, b: float, x: float, complement: float) -> float:
    """The regularised incomplete beta function I_x(a, b) for 0 ≤ x ≤ 1, `rest` being 1 - x."""
    if x == 0.0 or complement == 0.0:
        return 0.0 if x == 0.0 else 1.0
    beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    front = math.exp(a * math.log(x) + b * math.log(complement) - beta)
    # The fraction converges fast on this side of the peak only.
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, complement) / b


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, from the front on.

    Sources: Abramowitz & Stegun (1964), 26.5.8; Lentz, "Generating Bessel functions in Mie
    scattering calculations using continued fractions", Applied Optics 15 (1976).
    """
    numerator = 1.0
    value = denominator = 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        before = value
        for term in (even, odd):
            denominator = 1.0 / _away_from_zero(1.0 + term * denominator)
            numerator = _away_from_zero(1.0 + term / numerator)
            value *= numerator * denominator
        if abs(value - before) <= _CLOSE * abs(value):
            break
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


# Below this many values, autocorrelation looks the same as chance, and correcting for a guess
# widens intervals for nothing; trials are interleaved and started afresh instead.
ENOUGH_TO_CORRELATE = 12


@dataclass(frozen=True, kw_only=True)
class Interval:
    """`low` ≤ `value` ≤ `high` in the unit of the input."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A mean, its standard error in the same unit, and the degrees of freedom behind that error."""

    mean: float
    error: float
    freedom: float

    def half_width(self, confidence: float) -> float:
        return self.error * student_quantile(self.freedom, 0.5 + confidence / 2.0)


def over_trials(values: Samples) -> Estimate:
    """Estimate the mean of one figure per trial, in time order, despite autocorrelation that shows.

    From 12 values on they are merged into independent blocks; the variance of the block means is
    scaled up for the correlation left in them and for the bias that correlation puts into it.  The
    mean is that of all values.  Fewer are taken as independent draws, as freshly started,
    interleaved trials are.

    Raises ValueError below 2 values. Sources: Student (1908); Tafazzoli & Wilson (2011); Bayley &
    Hammersley, "The effective number of independent observations", JRSS B 8 (1946).
    """
    array = as_floats(values, fewest=2)
    mean = float(array.mean())
    if array.size < ENOUGH_TO_CORRELATE:
        error = float(array.std(ddof=1)) / math.sqrt(array.size)
        return Estimate(mean=mean, error=error, freedom=array.size - 1.0)
    blocks = independent_blocks(array)
    worth = blocks.effective
    variance = float(blocks.means.var()) / (1.0 - 1.0 / worth)
    return Estimate(mean=mean, error=math.sqrt(variance / worth), freedom=max(worth - 1.0, 1.0))


def interval_of(estimate: Estimate, confidence: float = CONFIDENCE) -> Interval:
    """The Student interval of an estimate on the log scale, in the unit of the measurements.

    An end that is too large for a float is infinite.
    """
    half = estimate.half_width(confidence)
    low, high = _exp(estimate.mean - half), _exp(estimate.mean + half)
    return Interval(value=_exp(estimate.mean), low=low, high=high)


def _exp(log: float) -> float:
    try:
        return math.exp(log)
    except OverflowError:
        return math.inf


def median_interval(values: Samples) -> Interval:
    """95 % interval of the median of independent values, whatever their distribution.

    Order statistics, interpolated between neighbours so that the confidence is met. Below 6 values
    even smallest-to-largest covers less, and is returned (5 values: 93.75 %).

    Raises ValueError below 2 values. Sources: Thompson (1936); interpolation: Hettmansperger &
    Sheather, "Confidence intervals based on interpolated order statistics", Stat. Prob. Lett. 4
    (1986).
    """
    ordered = np.sort(as_floats(values, fewest=2))
    size = ordered.size
    middle = float(np.median(ordered))
    # coverage[k]: the interval from the (k+1)-th smallest to the (k+1)-th largest.
    ways = [math.comb(size, fewer) for fewer in range((size + 1) // 2)]
    coverage = 1.0 - 2.0 * np.cumsum([count / 2**size for count in ways])
    if coverage[0] <= CONFIDENCE:
        return Interval(value=middle, low=float(ordered[0]), high=float(ordered[-1]))
    inner = int(np.flatnonzero(coverage <= CONFIDENCE)[0])
    outer = inner - 1
    share = float((coverage[outer] - CONFIDENCE) / (coverage[outer] - coverage[inner]))
    weight = (size - inner) * share / (inner + (size - 2 * inner) * share)
    low, high = (
        float(ordered[far] + weight * (ordered[near] - ordered[far]))
        for far, near in ((outer, inner), (size - 1 - outer, size - 1 - inner))
    )
    # Rounding can push an interpolated end past the value beside it.
    return Interval(value=middle, low=min(low, middle), high=max(high, middle))
