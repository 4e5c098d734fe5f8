"""A measured scaling curve: its points, the noise they share, and the shape they make."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import NormalDist

import numpy as np

from core.analysis.statistics.intervals import student_quantile
from core.analysis.threads_point import Point

MEANINGFUL = math.log(1.05)
FALSE_ALARMS = 0.01
STEEP = math.log(1.25)
NEARLY_LINEAR = math.log(1.25)


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
        if known := self.between.get((one.threads, two.threads)):
            return known[0]
        trials = 1.0 / len(one.throughputs) + 1.0 / len(two.throughputs)
        return self.deviation * math.sqrt(trials)

    def bound(self, one: Point, two: Point, confidence: float) -> float:
        """How far that log ratio may be off on one side; infinite where nothing was repeated."""
        known = self.between.get((one.threads, two.threads))
        freedom = known[1] if known else self.freedom
        return self.error(one, two) * student_quantile(freedom, confidence) if freedom else math.inf

    def quantile(self, confidence: float) -> float:
        """How many standard errors that is; infinite where nothing was repeated."""
        return student_quantile(self.freedom, confidence) if self.freedom else math.inf


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


class Shape(StrEnum):
    LINEAR = "linear"
    RISING = "rising"
    PLATEAU = "plateau"
    CLIFF = "cliff"
    OVERSUBSCRIBED = "oversubscribed"
    SAW_TOOTH = "saw-tooth"
    UNCLEAR = "unclear"


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
    found: Valley | None = None
    for at in range(1, len(good) - 1):
        left = max(range(at), key=levels.__getitem__)
        right = max(range(at + 1, len(good)), key=levels.__getitem__)
        wall = min(left, right, key=levels.__getitem__)
        depth = levels[wall] - levels[at]
        error = noise.error(good[at], good[wall])
        errors = depth / error if error > 0.0 else math.copysign(math.inf, depth)
        if depth > 0.0 and (found is None or errors > found.errors):
            found = Valley(
                left=good[left].threads,
                bottom=good[at].threads,
                right=good[right].threads,
                depth=depth,
                errors=errors,
            )
    return found


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
    if len(good) < 3 or not _sees_five_percent(good, noise):
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


def _sees_five_percent(points: Sequence[Point], noise: Noise) -> bool:
    usual = int(np.median([len(point.throughputs) for point in points]))
    error = noise.deviation * math.sqrt(2.0 / usual)
    return noise.freedom > 0 and error < MEANINGFUL
