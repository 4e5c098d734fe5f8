"""Whether one number of threads is surely as good as the best."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.analysis.best_settings import SURE
from core.analysis.scaling.scaling_curve import Noise
from core.analysis.threads_point import Point
from core.plan.limits import NEAR


def surely_near_best(
    point: Point, rivals: Sequence[Point], noise: Noise, near: float = NEAR, sure: float = SURE
) -> bool:
    """Whether it truly reaches 1 - `near` of every rival's throughput, each with confidence `sure`.

    Source: Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the
    best", Annals of Statistics 12 (1984); here per rival, with pooled noise.
    """
    return all(
        point.level - rival.level - noise.bound(point, rival, sure) >= math.log1p(-near)
        for rival in rivals
        if rival.threads != point.threads
    )
