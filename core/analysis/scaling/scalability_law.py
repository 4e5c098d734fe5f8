"""The Universal Scalability Law: what contention and coherency cost as threads are added."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.statistics.time_series import Floats
from core.analysis.threads_point import Point

RESAMPLES = 400


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """A 95 % interval."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class ScalabilityLaw:
    """X(N) = rate · N / (1 + contention·(N−1) + coherency·N·(N−1)).

    `rate` in the unit of the throughputs, the others without unit and ≥ 0. `misfit`: root mean
    square relative residual of the points. The intervals are None where nothing was repeated.
    """

    rate: float
    contention: float
    coherency: float
    misfit: float
    rate_bounds: Bounds | None
    contention_bounds: Bounds | None
    coherency_bounds: Bounds | None

    def throughput(self, threads: float) -> float:
        """Throughput that the law expects from so many threads."""
        more = threads - 1.0
        return (
            self.rate * threads / (1.0 + self.contention * more + self.coherency * threads * more)
        )

    @property
    def peak(self) -> float:
        """Threads beyond which more of them lower throughput; infinite without coherency cost."""
        if self.coherency == 0.0:
            return math.inf
        return math.sqrt(max(1.0 - self.contention, 0.0) / self.coherency)


def fit_law(
    points: Sequence[Point], seed: int = 0, resamples: int = RESAMPLES
) -> ScalabilityLaw | None:
    """Fit the law to the points that did not fail; None below three thread counts or without a fit.

    N/X is linear in three coefficients that must not be negative, so relative errors are minimised
    exactly, without starting values. Intervals: percentiles over `resamples` fits to points moved
    by residuals drawn from all trials, widened for the mean each point has taken from its own.

    Raises ValueError where a point that did not fail has no positive throughput.
    Sources: Gunther (2007), ch. 4 and 5; Lawson & Hanson, "Solving Least Squares Problems" (1974),
    ch. 23; residual bootstrap: Davison & Hinkley, "Bootstrap Methods" (1997), §3.3 and §6.2.
    """
    good = sorted((p for p in points if not p.failed), key=lambda p: p.threads)
    if len({point.threads for point in good}) < 3:
        return None
    threads = np.array([point.threads for point in good], dtype=np.float64)
    sizes = np.array([len(point.throughputs) for point in good])
    levels = np.array([point.level for point in good])
    best = _coefficients(threads, levels, sizes)
    if best is None:
        return None
    rate, contention, coherency = best
    law = ScalabilityLaw(
        rate=rate,
        contention=contention,
        coherency=coherency,
        misfit=0.0,
        rate_bounds=None,
        contention_bounds=None,
        coherency_bounds=None,
    )
    expected = np.array([law.throughput(one) for one in threads])
    misfit = float(np.sqrt(np.mean((np.exp(levels) / expected - 1.0) ** 2)))
    bounds = _bounds(good, np.random.default_rng(seed), resamples)
    return ScalabilityLaw(
        rate=rate,
        contention=contention,
        coherency=coherency,
        misfit=misfit,
        rate_bounds=bounds[0],
        contention_bounds=bounds[1],
        coherency_bounds=bounds[2],
    )


def _coefficients(
    threads: Floats, levels: Floats, sizes: Floats
) -> tuple[float, float, float] | None:
    """Rate, contention and coherency by weighted non-negative least squares on N/X."""
    # It takes longer to load than all else that a run at one number of threads needs.
    from scipy import optimize

    costs = threads / np.exp(levels)
    more = threads - 1.0
    weights = np.sqrt(sizes) / costs
    design = np.column_stack([np.ones_like(threads), more, threads * more])
    fitted, _ = optimize.nnls(design * weights[:, None], costs * weights)
    base, queueing, exchange = (float(one) for one in fitted)
    if base <= 0.0:
        return None
    return 1.0 / base, queueing / base, exchange / base


def _bounds(
    good: Sequence[Point], rng: np.random.Generator, resamples: int
) -> tuple[Bounds | None, Bounds | None, Bounds | None]:
    repeated = [np.log(p.throughputs) for p in good if len(p.throughputs) > 1]
    if not repeated or resamples == 0:
        return None, None, None
    residuals = np.concatenate(
        [(logs - logs.mean()) * math.sqrt(logs.size / (logs.size - 1)) for logs in repeated]
    )
    threads = np.array([point.threads for point in good], dtype=np.float64)
    sizes = np.array([len(point.throughputs) for point in good])
    levels = np.array([point.level for point in good])
    fits = []
    for _ in range(resamples):
        moved = [
            level + rng.choice(residuals, n).mean() for level, n in zip(levels, sizes, strict=True)
        ]
        fits.append(_coefficients(threads, np.array(moved), sizes))
    kept = np.array([fit for fit in fits if fit is not None])
    low, high = np.quantile(kept, [0.025, 0.975], axis=0)
    rate, contention, coherency = (
        Bounds(low=float(one), high=float(two)) for one, two in zip(low, high, strict=True)
    )
    return rate, contention, coherency
