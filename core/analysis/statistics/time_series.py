"""Values in time order: how they correlate, and what they are worth if they do."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
