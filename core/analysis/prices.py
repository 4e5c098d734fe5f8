"""What more threads bring and cost, from the points of one line."""

from __future__ import annotations

from itertools import pairwise

from core.analysis.advice import Price
from core.analysis.judge import Judge
from core.analysis.limit_check import NO_LIMITS, Limits
from core.analysis.thread_curves import ThreadCurve
from core.analysis.threads_point import Point
from core.analysis.verdict import Verdict


def prices_of(
    line: ThreadCurve, limits: Limits = NO_LIMITS, judge: Judge | None = None
) -> tuple[Price, ...]:
    """One for each step up between neighbours among the usable points.

    Usable: nothing failed, no limit known to be broken.
    """
    judge = judge or Judge(())
    usable = [point for point in line.points if not limits.broken_by(point)]
    return tuple(
        _price(one, two, judge.pair(line.results[one.threads], line.results[two.threads]))
        for one, two in pairwise(usable)
    )


def _price(start: Point, end: Point, verdict: Verdict) -> Price:
    return Price(
        start=start.threads,
        end=end.threads,
        verdict=verdict,
        memory=_whole(_difference("peak_rss", start, end)),
        open_files=_whole(_difference("fds", start, end)),
        p99=_difference("p99", start, end),
    )


def _difference(metric: str, start: Point, end: Point) -> float | None:
    before, after = start.costs.get(metric), end.costs.get(metric)
    return None if before is None or after is None else after - before


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)
