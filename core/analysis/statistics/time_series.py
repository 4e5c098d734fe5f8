"""One series of readings in time order: where it settles, how they correlate, which stand out."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float64]
type Samples = Sequence[float] | Floats

MSER_BATCH = 5
MSER_LEAST_BATCHES = 10
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


@dataclass(frozen=True, kw_only=True)
class WarmUp:
    """`end`: index of the first settled reading; `settled`: whether the series ever settled."""

    end: int
    settled: bool


def warm_up_end(series: Samples) -> WarmUp:
    """Find where a throughput series (1-D, any unit, evenly spaced) leaves its warm-up.

    MSER-5: cut where the standard error of what remains, in batches of five, is smallest. A cut
    at the last place allowed, half-way, means that the series was still moving. Fewer than 50
    readings are too few to tell: nothing is cut and `settled` is False.

    Raises ValueError for an empty, non-finite or not 1-D series.
    Source: White, Cobb & Spratt, "A comparison of five steady-state truncation heuristics for
    simulation", Winter Simulation Conference 2000; limit to one half: Hoad, Robinson & Davies,
    "Automating warm-up length estimation", JORS 61 (2010).
    """
    readings = as_floats(series)
    batches = readings.size // MSER_BATCH
    if batches < MSER_LEAST_BATCHES:
        return WarmUp(end=0, settled=False)
    means = readings[: batches * MSER_BATCH].reshape(batches, MSER_BATCH).mean(axis=1)
    from_end = means[::-1]
    kept = np.arange(1, batches + 1, dtype=np.float64)
    centred = from_end - from_end.mean()
    sums, squares = np.cumsum(centred), np.cumsum(centred**2)
    # Rounding can leave a tiny negative sum of squares on a constant series.
    errors = (np.maximum(squares - sums**2 / kept, 0.0) / kept**2)[::-1]
    half = batches // 2
    cut = int(np.argmin(errors[: half + 1]))
    return WarmUp(end=cut * MSER_BATCH, settled=cut < half)


def trial_throughput(series: Samples) -> float:
    """Mean of a trial's interval throughputs after its warm-up, in the unit of the series.

    The mean, not the median: intervals are equally long, so it is operations over time and a stall
    counts for what it cost. Raises ValueError as `warm_up_end` does.
    """
    readings = as_floats(series)
    return float(readings[warm_up_end(readings).end :].mean())


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


def integrated_autocorrelation(series: Samples) -> float:
    """How many readings in time order carry the information of one independent reading (≥ 1.0).

    1 + 2 Σ ρ(k), summed over pairs of lags while a pair's sum is positive and falling.
    Raises ValueError below 2 readings.
    Source: Geyer, "Practical Markov chain Monte Carlo", Statistical Science 7 (1992), §3.3.
    """
    readings = as_floats(series, fewest=2)
    centred = readings - readings.mean()
    size = centred.size
    power = float(centred @ centred)
    if power <= 1e-24 * max(1.0, float(readings @ readings)):
        return 1.0
    spectrum = np.abs(np.fft.rfft(centred, 2 * size)) ** 2
    correlations = np.fft.irfft(spectrum)[:size] / power
    pairs = correlations[: size // 2 * 2].reshape(-1, 2).sum(axis=1)
    ends = np.flatnonzero(pairs <= 0.0)
    positive = pairs[: ends[0]] if ends.size else pairs
    total = 2.0 * float(np.minimum.accumulate(positive).sum()) - 1.0
    return min(max(total, 1.0), float(size))


def effective_size(series: Samples) -> float:
    """Number of independent readings worth as much as this series.

    Size over integrated autocorrelation.
    """
    return len(series) / integrated_autocorrelation(series)


@dataclass(frozen=True, kw_only=True)
class Blocks:
    """`means`: one per block, in time order. `length`: readings in a block.

    `autocorrelation`: the lag-1 autocorrelation that is left, ≥ 0.
    """

    means: Floats
    length: int
    autocorrelation: float

    @property
    def effective(self) -> float:
        """Number of independent blocks these are worth (≥ 2)."""
        left = self.autocorrelation
        return max(self.means.size * (1.0 - left) / (1.0 + left), 2.0)


def independent_blocks(series: Samples) -> Blocks:
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
    left = min(max(unbiased, 0.0), 0.95) if count >= FEWEST_BLOCKS else 0.0
    return Blocks(means=means, length=length, autocorrelation=left)


class Outlier(StrEnum):
    NONE = "none"
    MILD = "mild"
    SEVERE = "severe"


def classify_outliers(values: Samples) -> tuple[Outlier, ...]:
    """Say for each value whether it lies outside the inner (1.5 IQR) or outer (3 IQR) fences.

    Nothing is dropped: an outlier is a fact about the run, and often the finding.
    Raises ValueError for an empty or non-finite input.
    Source: Tukey, "Exploratory Data Analysis" (1977), §2D; the classes are those of criterion.
    """
    array = as_floats(values)
    first, third = np.quantile(array, [0.25, 0.75])
    spread = third - first
    beyond = np.maximum(first - array, array - third)
    names = np.where(beyond > 3.0 * spread, 2, np.where(beyond > 1.5 * spread, 1, 0))
    return tuple((Outlier.NONE, Outlier.MILD, Outlier.SEVERE)[name] for name in names)
