"""Turns results into series of the scaling plot; a fit imports scipy, so use the pool's thread."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.work.scaling_series import Floats, ScalingPoint, Series
from core import (
    NO_LIMITS,
    Advice,
    Limits,
    Point,
    Result,
    Study,
    ThreadCurve,
    fit_law,
    metric_estimate,
    prices_of,
    published_curve,
    setting_of,
    thread_curves,
)

_STEPS = 65


def series_of(
    results: Sequence[Result],
    advice: Advice | None = None,
    limits: Limits = NO_LIMITS,
    study: Study | None = None,
) -> tuple[Series, ...]:
    """One series for each setting of what varies besides threads, in the results' order.

    `advice`: what to use, the same in every face; `limits`: what both ends of a step respect;
    `study`: the study with the published figures.  Empty if threads do not vary.
    """
    advices = [line.advice for line in advice.lines] if advice and advice.lines else [advice]
    return tuple(
        _series(
            line, next((one for one in advices if one and _lies_on(one, line)), None), limits, study
        )
        for line in thread_curves(results)
    )


def _series(
    line: ThreadCurve, advice: Advice | None, limits: Limits, study: Study | None
) -> Series:
    points = line.points
    spec = next(iter(line.results.values())).spec
    return Series(
        name=setting_of(line.values),
        places=tuple(_place(point, line.results[point.threads]) for point in points),
        law=_law(points),
        recommended=int(advice.values["threads"]) if advice else None,
        sure=bool(advice and advice.usable),
        prices=prices_of(points, limits),
        published=published_curve(study, spec) if study else (),
    )


def _lies_on(advice: Advice, line: ThreadCurve) -> bool:
    """Whether the setting to use is one of a line's points."""
    return any(advice.spec == result.spec for result in line.results.values())


def _place(point: Point, result: Result) -> ScalingPoint:
    found = metric_estimate(result)
    value = math.nan if point.failed or found.value is None else found.value
    return ScalingPoint(
        threads=point.threads,
        value=value,
        low=value if found.low is None else found.low,
        high=value if found.high is None else found.high,
        reason=point.reason,
        setting=result.spec.digest,
    )


def _law(points: Sequence[Point]) -> tuple[Floats, Floats]:
    law = fit_law(points, resamples=0)
    if law is None:
        return np.empty(0), np.empty(0)
    threads = np.geomspace(points[0].threads, points[-1].threads, _STEPS)
    return threads, np.array([law.throughput(float(one)) for one in threads])
