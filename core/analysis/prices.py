"""What more threads bring and cost, from the points of one line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from core.analysis.advice import Price
from core.analysis.limit_check import NO_LIMITS, Limits
from core.analysis.threads_point import Point


def prices_of(points: Sequence[Point], limits: Limits = NO_LIMITS) -> tuple[Price, ...]:
    """One for each step up between neighbours among the usable points.

    Usable: nothing failed, no limit known to be broken.
    Raises ValueError where a usable point has no positive throughput.
    """
    usable = [p for p in sorted(points, key=lambda p: p.threads) if not limits.broken_by(p)]
    return tuple(_price(one, two) for one, two in pairwise(usable))


def _price(start: Point, end: Point) -> Price:
    return Price(
        start=start.threads,
        end=end.threads,
        throughput=math.expm1(end.level - start.level),
        memory=_whole(_difference("peak_rss", start, end)),
        open_files=_whole(_difference("fds", start, end)),
        p99=_difference("p99", start, end),
    )


def _difference(metric: str, start: Point, end: Point) -> float | None:
    before, after = start.costs.get(metric), end.costs.get(metric)
    return None if before is None or after is None else after - before


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)
