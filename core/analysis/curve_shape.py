"""What is said of a line as a whole: its shape and its law, where no pair denies them."""

from __future__ import annotations

from itertools import pairwise

from core.analysis.judge import Judge
from core.analysis.scaling import ScalabilityLaw, Shape, classify, fit_law, pooled_noise, valley
from core.analysis.scaling.scalability_law import RESAMPLES
from core.analysis.thread_curves import ThreadCurve
from core.analysis.threads_point import Point
from core.analysis.verdict import VerdictKind

_FALLS = frozenset({Shape.CLIFF, Shape.OVERSUBSCRIBED})
_RISES = frozenset({Shape.LINEAR, Shape.RISING})


def shape_of(line: ThreadCurve, judge: Judge) -> Shape:
    """The shape of a line as its figures show it; UNCLEAR unless the pairs tell it too."""
    points = [point for point in line.points if not point.failed]
    shape = classify(points)
    if shape is Shape.SAW_TOOTH:
        dip = valley(points, pooled_noise(points))
        told = dip is not None and (
            _kind(line, dip.left, dip.bottom, judge),
            _kind(line, dip.bottom, dip.right, judge),
        ) == (VerdictKind.SLOWER, VerdictKind.FASTER)
    elif shape in _FALLS:
        peak = max(points, key=lambda point: point.level)
        told = _kind(line, peak.threads, points[-1].threads, judge) is VerdictKind.SLOWER
    elif shape in _RISES:
        before = points[0] if shape is Shape.LINEAR else points[-2]
        told = _kind(line, before.threads, points[-1].threads, judge) is VerdictKind.FASTER
    else:
        told = shape is Shape.UNCLEAR or not _surely_differ(line, points[-2], points[-1], judge)
    return shape if told else Shape.UNCLEAR


def law_of(line: ThreadCurve, judge: Judge, resamples: int = RESAMPLES) -> ScalabilityLaw | None:
    """The law that fits a line; None where none does, or where it has a told pair the other way.

    Held against it are the pairs that are spoken of: neighbours, and each with the best measured.
    """
    points = [point for point in line.points if not point.failed]
    law = fit_law(points, resamples=resamples)
    if law is None:
        return None
    best = max(points, key=lambda point: point.level)
    pairs = [*pairwise(points), *((best, one) for one in points if one is not best)]
    return None if any(_denies(line, law, *pair, judge) for pair in pairs) else law


def _denies(line: ThreadCurve, law: ScalabilityLaw, one: Point, two: Point, judge: Judge) -> bool:
    kind = _kind(line, one.threads, two.threads, judge)
    rises = law.throughput(two.threads) > law.throughput(one.threads)
    return kind is (VerdictKind.SLOWER if rises else VerdictKind.FASTER)


def _surely_differ(line: ThreadCurve, one: Point, two: Point, judge: Judge) -> bool:
    told = (VerdictKind.FASTER, VerdictKind.SLOWER)
    return _kind(line, one.threads, two.threads, judge) in told


def _kind(line: ThreadCurve, baseline: int, candidate: int, judge: Judge) -> VerdictKind:
    return judge.pair(line.results[baseline], line.results[candidate]).kind
