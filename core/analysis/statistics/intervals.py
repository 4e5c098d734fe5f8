"""Estimates with their intervals, of one throughput and of a median."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.statistics.student import student_quantile
from core.analysis.statistics.time_series import (
    Floats,
    Samples,
    as_floats,
    independent_blocks,
    trial_throughput,
    warm_up_end,
)
from core.plan.limits import CONFIDENCE

# Below this many values, autocorrelation looks the same as chance, and correcting for a guess
# widens intervals for nothing; trials are interleaved and started afresh instead.
ENOUGH_TO_CORRELATE = 12


@dataclass(frozen=True, kw_only=True)
class Interval:
    """`low` ≤ `value` ≤ `high` in the unit of the input.

    `confidence` is the one attained, which may be below the one asked.
    """

    value: float
    low: float
    high: float
    confidence: float


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A mean, its standard error in the same unit, and the degrees of freedom behind that error."""

    mean: float
    error: float
    freedom: float

    def half_width(self, confidence: float) -> float:
        """Half of the two-sided Student interval at this confidence."""
        return self.error * student_quantile(self.freedom, 0.5 + confidence / 2.0)


def estimate(values: Samples) -> Estimate:
    """Estimate a mean from values in time order, allowing for the autocorrelation that shows.

    From 12 values on they are merged into independent blocks; the variance of the block means is
    scaled up for the correlation left in them and for the bias that correlation puts into it.
    Fewer are taken as independent draws, as freshly started, interleaved trials are.

    Raises ValueError below 2 values. Sources: Student (1908); Tafazzoli & Wilson (2011); Bayley &
    Hammersley, "The effective number of independent observations", JRSS B 8 (1946).
    """
    array = as_floats(values, fewest=2)
    if array.size < ENOUGH_TO_CORRELATE:
        error = float(array.std(ddof=1)) / math.sqrt(array.size)
        return Estimate(mean=float(array.mean()), error=error, freedom=array.size - 1.0)
    blocks = independent_blocks(array)
    worth = blocks.effective
    variance = float(blocks.means.var()) / (1.0 - 1.0 / worth)
    return Estimate(
        mean=float(blocks.means.mean()),
        error=math.sqrt(variance / worth),
        freedom=max(worth - 1.0, 1.0),
    )


def mean_interval(values: Samples, confidence: float = CONFIDENCE) -> Interval:
    """Student interval of the mean of values in time order, in their unit.

    Raises and sources as `estimate`.

    One series with lag-1 autocorrelation up to 0.8 needs about 100 readings for full coverage.
    """
    found = estimate(values)
    half = found.half_width(confidence)
    return Interval(
        value=found.mean, low=found.mean - half, high=found.mean + half, confidence=confidence
    )


def log_throughputs(trials: Sequence[Samples]) -> Floats:
    """Natural log of each trial's throughput after warm-up.

    Raises ValueError for no trials, or a throughput that is not positive.
    """
    throughputs = as_floats([trial_throughput(series) for series in trials])
    if (throughputs <= 0.0).any():
        raise ValueError(
            "throughput must be positive; a trial that moved nothing is no measurement"
        )
    return np.log(throughputs)


def throughput_interval(trials: Sequence[Samples], confidence: float = CONFIDENCE) -> Interval:
    """Interval of the typical (median, geometric mean) throughput over trials.

    `trials`: one 1-D array of interval throughputs each, in the order they ran. Student on the logs
    of the trials' throughputs: exact when those are normal, and with 3 to 10 trials the only method
    that reaches its confidence, where resampling is too optimistic. With a single trial the
    interval covers that trial only, from its independent blocks.

    Raises ValueError for no trials, a single trial below 2 readings, or a throughput not positive.
    Source: Kalibera & Jones (2013); log scale: Fleming & Wallace, CACM 29 (1986).
    """
    found = over_trials(log_throughputs(trials)) if len(trials) > 1 else single_trial(trials)
    return interval_of(found, confidence)


def over_trials(logs: Samples) -> Estimate:
    """Estimate the mean of one figure per trial, in time order; as `estimate`, but of all trials.

    Merging into blocks can leave the first values out, which is right for readings of one series.
    """
    found = estimate(logs)
    return replace(found, mean=float(as_floats(logs).mean()))


def interval_of(found: Estimate, confidence: float = CONFIDENCE) -> Interval:
    """The Student interval of an estimate on the log scale, in the unit of the measurements.

    An end that is too large for a float is infinite.
    """
    half = found.half_width(confidence)
    return Interval(
        value=_exp(found.mean),
        low=_exp(found.mean - half),
        high=_exp(found.mean + half),
        confidence=confidence,
    )


def _exp(log: float) -> float:
    try:
        return math.exp(log)
    except OverflowError:
        return math.inf


def single_trial(trials: Sequence[Samples]) -> Estimate:
    """Estimate the log throughput of one trial from its own readings (delta method).

    Says nothing about other trials.
    """
    (mean,) = log_throughputs(trials)
    readings = as_floats(trials[0], fewest=2)
    found = estimate(readings[warm_up_end(readings).end :])
    return Estimate(
        mean=float(mean), error=found.error / math.exp(float(mean)), freedom=found.freedom
    )


def median_interval(values: Samples, confidence: float = CONFIDENCE) -> Interval:
    """Interval of the median of independent values, without any assumption on their distribution.

    Order statistics, interpolated between neighbours so that the confidence asked for is met. Below
    6 values even smallest-to-largest covers less than 95 %: that is what is returned then, with
    the confidence it has (5 values: 93.75 %).

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
    if coverage[0] <= confidence:
        ends = float(ordered[0]), float(ordered[-1])
        return Interval(value=middle, low=ends[0], high=ends[1], confidence=float(coverage[0]))
    inner = int(np.flatnonzero(coverage <= confidence)[0])
    outer = inner - 1
    share = float((coverage[outer] - confidence) / (coverage[outer] - coverage[inner]))
    weight = (size - inner) * share / (inner + (size - 2 * inner) * share)
    low, high = (
        float(ordered[far] + weight * (ordered[near] - ordered[far]))
        for far, near in ((outer, inner), (size - 1 - outer, size - 1 - inner))
    )
    # Rounding can push an interpolated end past the value beside it.
    return Interval(
        value=middle, low=min(low, middle), high=max(high, middle), confidence=confidence
    )


def bca_interval(
    values: Samples,
    statistic: Callable[..., Floats],
    *,
    confidence: float = CONFIDENCE,
    resamples: int = 2000,
    seed: int = 0,
) -> Interval:
    """Bootstrap interval of a smooth statistic of independent values, corrected for bias and skew.

    `statistic(values, axis)` as numpy's mean. For figures without a formula; below about 30 values
    it covers less than it says, so throughput uses Student and medians use order statistics.

    Raises ValueError below 3 values. Source: Efron, "Better bootstrap confidence intervals", JASA
    82 (1987).
    """
    from scipy import stats

    array = as_floats(values, fewest=3)
    value = float(statistic(array, axis=0))
    if float(np.ptp(array)) == 0.0:
        return Interval(value=value, low=value, high=value, confidence=confidence)
    found = stats.bootstrap(
        (array,),
        statistic,
        n_resamples=resamples,
        confidence_level=confidence,
        method="BCa",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(
        value=value, low=float(found.low), high=float(found.high), confidence=confidence
    )
