"""Curves of throughput over threads: from results to points, noise, shape, law and price.

A curve is what varies in threads only; a sweep over threads and a cache has one per cache.  No seed
is better than another, so the trials of all seeds are pooled.  Nothing is said of a curve that a
verdict on two of its points denies.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from statistics import NormalDist

import msgspec
import numpy as np

from core.judge.point import NO_LIMITS, Limits, Point
from core.judge.ranking import SURE, Ranking
from core.judge.statistics.intervals import Floats, student_quantile
from core.measure import without_bare_files
from core.vocabulary import (
    NEAR,
    POOLED,
    THREADS,
    Price,
    Result,
    Value,
    Verdict,
    VerdictKind,
    differing,
)

MEANINGFUL = math.log(1.05)
FALSE_ALARMS = 0.01
STEEP = math.log(1.25)
NEARLY_LINEAR = math.log(1.25)
RESAMPLES = 400


class Shape(StrEnum):
    LINEAR = "linear"
    RISING = "rising"
    PLATEAU = "plateau"
    CLIFF = "cliff"
    OVERSUBSCRIBED = "oversubscribed"
    SAW_TOOTH = "saw-tooth"
    UNCLEAR = "unclear"


_FALLS = frozenset({Shape.CLIFF, Shape.OVERSUBSCRIBED})
_RISES = frozenset({Shape.LINEAR, Shape.RISING})


@dataclass(frozen=True, kw_only=True)
class ThreadCurve:
    """Results that differ in threads only, by threads; `values` is what sets the line apart.

    `pooled`: the values over which each result has trials of several specs, of which it names one.
    """

    values: Mapping[str, Value]
    results: Mapping[int, Result]
    pooled: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    @property
    def points(self) -> tuple[Point, ...]:
        """One point for each number of threads, in rising order."""
        return tuple(Point.of(self.results[threads]) for threads in sorted(self.results))

    def setting(self, threads: int) -> dict[str, Value]:
        """The values of one of its points."""
        spec = self.results[threads].spec
        return spec.named_values({THREADS: threads, **self.values})

    def shape(self, ranking: Ranking) -> Shape:
        """The shape that its figures show; UNCLEAR unless the pairs show it too."""
        points = [point for point in self.points if not point.failed]
        shape = classify(points)
        if shape is Shape.UNCLEAR:
            return shape
        if shape is Shape.SAW_TOOTH:
            dip = valley(points, pooled_noise(points))
            confirmed = dip is not None and (
                self._kind(dip.left, dip.bottom, ranking),
                self._kind(dip.bottom, dip.right, ranking),
            ) == (VerdictKind.SLOWER, VerdictKind.FASTER)
        elif shape in _FALLS:
            peak = max(points, key=lambda point: point.level)
            kind = self._kind(peak.threads, points[-1].threads, ranking)
            confirmed = kind is VerdictKind.SLOWER
        elif shape in _RISES:
            before = points[0] if shape is Shape.LINEAR else points[-2]
            kind = self._kind(before.threads, points[-1].threads, ranking)
            confirmed = kind is VerdictKind.FASTER
        else:
            kind = self._kind(points[-2].threads, points[-1].threads, ranking)
            confirmed = kind not in (VerdictKind.FASTER, VerdictKind.SLOWER)
        return shape if confirmed else Shape.UNCLEAR

    def law(self, ranking: Ranking, resamples: int = RESAMPLES) -> ScalabilityLaw | None:
        """The law that fits; None where none does, or where a pair shows the opposite.

        Held against it are the pairs that advice mentions: neighbours, and each with the best
        measured.
        """
        points = [point for point in self.points if not point.failed]
        law = fit_law(points, resamples=resamples)
        if law is None:
            return None
        best = max(points, key=lambda point: point.level)
        pairs = [*pairwise(points), *((best, one) for one in points if one is not best)]
        return None if any(self._denies(law, *pair, ranking) for pair in pairs) else law

    def _denies(self, law: ScalabilityLaw, one: Point, two: Point, ranking: Ranking) -> bool:
        rises = law.throughput(two.threads) > law.throughput(one.threads)
        opposite = VerdictKind.SLOWER if rises else VerdictKind.FASTER
        return self._kind(one.threads, two.threads, ranking) is opposite

    def _kind(self, baseline: int, candidate: int, ranking: Ranking) -> VerdictKind:
        return ranking.pair(self.results[baseline], self.results[candidate]).kind

    def prices(self, ranking: Ranking, limits: Limits = NO_LIMITS) -> tuple[Price, ...]:
        """One for each step up between neighbours among the usable points.

        Usable: nothing failed, no limit known to be broken.
        """
        usable = [point for point in self.points if not limits.broken_by(point)]
        return tuple(
            _price(one, two, ranking.pair(self.results[one.threads], self.results[two.threads]))
            for one, two in pairwise(usable)
        )


def _price(start: Point, end: Point, verdict: Verdict) -> Price:
    increases = {
        metric: end.costs[metric] - start.costs[metric]
        for metric in ("peak_rss", "fds", "p99")
        if metric in start.costs and metric in end.costs
    }
    return Price(
        start=start.threads,
        end=end.threads,
        verdict=verdict,
        memory=round(increases["peak_rss"]) if "peak_rss" in increases else None,
        open_files=round(increases["fds"]) if "fds" in increases else None,
        p99=increases.get("p99"),
    )


def thread_curves(
    results: Sequence[Result], varied: Collection[str] | None = None
) -> tuple[ThreadCurve, ...]:
    """The lines of a sweep in the order of their first results; none where threads do not vary.

    `varied`: the parameters in which settings differ; taken from the results by default.
    """
    measured = [result for result in without_bare_files(results) if result.finished_trials]
    names = differing([result.spec for result in measured]) if varied is None else varied
    if THREADS not in names:
        return ()
    others = [name for name in names if name not in {THREADS, *POOLED}]
    by_values: dict[tuple[Value | None, ...], list[Result]] = {}
    for result in measured:
        values = {"workload": result.spec.workload, **result.spec.values}
        by_values.setdefault(tuple(values.get(name) for name in others), []).append(result)
    return tuple(
        _thread_curve(
            {name: value for name, value in zip(others, key, strict=True) if value is not None},
            members,
            [name for name in names if name in POOLED],
        )
        for key, members in by_values.items()
    )


def _thread_curve(
    values: Mapping[str, Value], members: Sequence[Result], pooled: Collection[str]
) -> ThreadCurve:
    """The results as one line; those with equally many threads are pooled."""
    by_threads: dict[int, Result] = {}
    for result in members:
        threads = result.spec.load.threads
        earlier = by_threads.get(threads)
        by_threads[threads] = (
            msgspec.structs.replace(earlier, trials=earlier.trials + result.trials)
            if earlier
            else result
        )
    return ThreadCurve(
        values=values,
        results=by_threads,
        pooled={
            name: tuple(dict.fromkeys(one.spec.values[name] for one in members)) for name in pooled
        },
    )


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Standard deviation of the log of a trial's throughput (≈ relative), and its freedom.

    `between`: by the threads of two points the standard error of their log ratio, where it is not
    that of their numbers of trials, and its freedom.
    """

    deviation: float
    freedom: float
    between: Mapping[tuple[int, int], tuple[float, float]] = field(default_factory=dict)

    def error(self, one: Point, two: Point) -> float:
        """Standard error of the log ratio of two points."""
        if own := self.between.get((one.threads, two.threads)):
            return own[0]
        trials = 1.0 / len(one.throughputs) + 1.0 / len(two.throughputs)
        return self.deviation * math.sqrt(trials)

    def bound(self, one: Point, two: Point, confidence: float) -> float:
        """How far that log ratio may be off on one side; infinite where nothing was repeated."""
        _, freedom = self.between.get((one.threads, two.threads), (0.0, self.freedom))
        return self.error(one, two) * student_quantile(freedom, confidence) if freedom else math.inf

    def quantile(self, confidence: float) -> float:
        """How many standard errors that is; infinite where nothing was repeated."""
        return student_quantile(self.freedom, confidence) if self.freedom else math.inf

    def shows_five_percent(self, points: Sequence[Point]) -> bool:
        usual = int(np.median([len(point.throughputs) for point in points]))
        return self.freedom > 0 and self.deviation * math.sqrt(2.0 / usual) < MEANINGFUL


def pooled_noise(points: Sequence[Point]) -> Noise:
    """The noise of a trial, pooled over all points that have several.

    Few trials at each point say little about noise, many points together say enough; on the log
    scale it is much the same at every thread count.
    Source: Box, Hunter & Hunter, "Statistics for Experimenters" (2005), §3.3 (pooled variance).
    """
    squares, freedom = 0.0, 0
    for point in points:
        if not point.failed and len(point.throughputs) > 1:
            logs = np.log(point.throughputs)
            squares += float(((logs - logs.mean()) ** 2).sum())
            freedom += len(point.throughputs) - 1
    return Noise(deviation=math.sqrt(squares / freedom) if freedom else 0.0, freedom=freedom)


def surprising(points: int) -> float:
    """Standard errors by which two of so many points must differ before chance is ruled out.

    Source: Bonferroni over all pairs, as in Miller, "Simultaneous Statistical Inference" (1981).
    """
    pairs = max(points * (points - 1) / 2.0, 1.0)
    return -NormalDist().inv_cdf(FALSE_ALARMS / 2.0 / pairs)


@dataclass(frozen=True, kw_only=True)
class Valley:
    """A point lower than points on both its sides.

    By `depth` (log), which is `errors` standard errors.
    """

    left: int
    bottom: int
    right: int
    depth: float
    errors: float


def valley(points: Sequence[Point], noise: Noise) -> Valley | None:
    """The most significant valley of the curve, by thread counts; None where there is none.

    A curve limited by contention, a cap or a cliff rises and then falls; only one that depends on
    how work divides among the threads rises again.
    """
    good = sorted((p for p in points if not p.failed), key=lambda p: p.threads)
    levels = [point.level for point in good]
    deepest: Valley | None = None
    for at in range(1, len(good) - 1):
        before = max(range(at), key=levels.__getitem__)
        after = max(range(at + 1, len(good)), key=levels.__getitem__)
        wall = min(before, after, key=levels.__getitem__)
        depth = levels[wall] - levels[at]
        error = noise.error(good[at], good[wall])
        errors = depth / error if error > 0.0 else math.copysign(math.inf, depth)
        if depth > 0.0 and (deepest is None or errors > deepest.errors):
            deepest = Valley(
                left=good[before].threads,
                bottom=good[at].threads,
                right=good[after].threads,
                depth=depth,
                errors=errors,
            )
    return deepest


def classify(points: Sequence[Point]) -> Shape:
    """Name the shape of a scaling curve; failed points are left out.

    LINEAR: the last point has at least 80 % of the throughput that the first promises. CLIFF: most
    of the loss behind the peak, and more than a fifth, happens in one step. OVERSUBSCRIBED: a
    gradual loss of more than 5 %. SAW_TOOTH: it falls and rises again by more than 5 %. PLATEAU: no
    loss, and the last step brings less than 5 %. RISING: more threads still bring more. UNCLEAR:
    fewer than three points, nothing repeated, or too much noise to see 5 %.

    Raises ValueError where a point that did not fail has no positive throughput.
    Source: Gunther, "Guerrilla Capacity Planning" (2007), ch. 4-6 for the first three.
    """
    good = sorted((p for p in points if not p.failed), key=lambda p: p.threads)
    noise = pooled_noise(good)
    if len(good) < 3 or not noise.shows_five_percent(good):
        return Shape.UNCLEAR
    dip = valley(good, noise)
    if dip and dip.depth > MEANINGFUL and dip.errors > surprising(len(good)):
        return Shape.SAW_TOOTH
    levels = [point.level for point in good]
    peak = int(np.argmax(levels))
    loss = levels[peak] - levels[-1]
    error = noise.error(good[peak], good[-1])
    if loss > max(MEANINGFUL, surprising(len(good)) * error):
        steepest = max(
            one - two for one, two in zip(levels[peak:], levels[peak + 1 :], strict=False)
        )
        return Shape.CLIFF if steepest > max(STEEP, 0.6 * loss) else Shape.OVERSUBSCRIBED
    # A search has points of another parameter too, of which the least may be nought.
    promised = math.log(good[-1].threads / max(good[0].threads, 1))
    if levels[-1] - levels[0] > promised - NEARLY_LINEAR:
        return Shape.LINEAR
    return Shape.RISING if levels[-1] - levels[-2] > MEANINGFUL else Shape.PLATEAU


type Bounds = tuple[float, float]
"""A 95 % interval."""


@dataclass(frozen=True)
class ScalabilityLaw:
    """X(N) = rate · N / (1 + contention·(N−1) + coherency·N·(N−1)).

    `rate` in the unit of the throughputs, the others without unit and ≥ 0. `misfit`: root mean
    square relative residual of the points. The intervals are None where nothing was repeated.
    """

    rate: float
    contention: float
    coherency: float
    misfit: float = 0.0
    contention_bounds: Bounds | None = None
    coherency_bounds: Bounds | None = None

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


def fit_law(points: Sequence[Point], resamples: int = RESAMPLES) -> ScalabilityLaw | None:
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
    threads, levels, sizes = _columns(good)
    best = _coefficients(threads, levels, sizes)
    if best is None:
        return None
    law = ScalabilityLaw(*best)
    expected = np.array([law.throughput(one) for one in threads])
    misfit = float(np.sqrt(np.mean((np.exp(levels) / expected - 1.0) ** 2)))
    return ScalabilityLaw(*best, misfit, *_bounds(good, np.random.default_rng(0), resamples))


def _columns(points: Sequence[Point]) -> tuple[Floats, Floats, Floats]:
    """Threads, mean logs of throughput, and numbers of trials."""
    return (
        np.array([point.threads for point in points], dtype=np.float64),
        np.array([point.level for point in points]),
        np.array([len(point.throughputs) for point in points], dtype=np.float64),
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
) -> tuple[Bounds | None, Bounds | None]:
    """Of contention and coherency."""
    repeated = [np.log(p.throughputs) for p in good if len(p.throughputs) > 1]
    if not repeated or resamples == 0:
        return None, None
    residuals = np.concatenate(
        [(logs - logs.mean()) * math.sqrt(logs.size / (logs.size - 1)) for logs in repeated]
    )
    threads, levels, sizes = _columns(good)
    fits = []
    for _ in range(resamples):
        moved = [
            level + rng.choice(residuals, int(n)).mean()
            for level, n in zip(levels, sizes, strict=True)
        ]
        fits.append(_coefficients(threads, np.array(moved), sizes))
    quantiles = np.quantile([fit for fit in fits if fit is not None], [0.025, 0.975], axis=0)
    _, contention, coherency = ((float(low), float(high)) for low, high in quantiles.T)
    return contention, coherency


def surely_near_best(
    point: Point, rivals: Sequence[Point], noise: Noise, near: float = NEAR
) -> bool:
    """Whether it truly reaches 1 - `near` of every rival's throughput, each with confidence `SURE`.

    Source: Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the
    best", Annals of Statistics 12 (1984); here per rival, with pooled noise.
    """
    return all(
        point.level - rival.level - noise.bound(point, rival, SURE) >= math.log1p(-near)
        for rival in rivals
        if rival.threads != point.threads
    )
