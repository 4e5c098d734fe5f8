"""Throughput, or time per run, by threads or by processes, as a figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypedDict

from core.analysis.advice import THREADS, Advice, setting_of
from core.analysis.curve_shape import law_of
from core.analysis.estimation import metric_estimate
from core.analysis.figure import CurvesFigure, FigureCurve, FigurePoint
from core.analysis.judge import Judge
from core.analysis.prices import prices_of
from core.analysis.scaling import NO_LIMITS, Limits, Point
from core.analysis.thread_curves import ThreadCurve, thread_curves
from core.output.result_names import ResultCurve, curve_axis, position, result_curves
from core.plan.spec import RunSpec
from core.result.ending import ending
from core.result.metric import Metric
from core.result.metrics import METRICS, leading
from core.result.result import Result
from core.study.preset import Study

_STEPS = 65


def throughput_figure(
    results: Sequence[Result],
    advice: Advice | None = None,
    limits: Limits = NO_LIMITS,
    study: Study | None = None,
) -> CurvesFigure:
    """One curve for each setting of what varies besides, in the results' order.

    `advice`: what to use, the same in every face; `limits`: what both ends of a step respect;
    `study`: the study with the published figures.  Empty if neither threads nor processes vary.
    """
    axis = curve_axis(results)
    metric = leading(results)[0] if results else METRICS["throughput"]
    told: _Told = {"unit": "rate" if metric.unit == "rate" else "seconds", "measured": metric.key}
    lines = thread_curves(results) if axis == THREADS else ()
    if axis is None or lines:
        advices = [one.advice for one in advice.lines] if advice and advice.lines else [advice]
        return CurvesFigure(
            curves=tuple(
                _curve(line, next((one for one in advices if one and _lies_on(one, line)), None),
                       limits, study, metric)
                for line in lines
            ),
            **told,
        )  # fmt: skip
    found = result_curves(results, axis)
    return CurvesFigure(
        axis=axis,
        curves=tuple(
            _plain(one, axis, one.name if len(found) > 1 else "", metric) for one in found
        ),
        **told,
    )


class _Told(TypedDict):
    unit: Literal["rate", "seconds"]
    measured: str


def _plain(line: ResultCurve, axis: str, name: str, metric: Metric) -> FigureCurve:
    """Without advice."""
    return FigureCurve(
        name=name,
        points=tuple(
            FigurePoint(
                at=position(one, axis),
                found=metric_estimate(one, metric.key),
                reason="" if one.valid else ending(one),
                setting=one.spec.digest,
            )
            for one in line.results
        ),
    )


def _curve(
    line: ThreadCurve,
    advice: Advice | None,
    limits: Limits,
    study: Study | None,
    metric: Metric,
) -> FigureCurve:
    points, judge = line.points, Judge(())
    spec = next(iter(line.results.values())).spec
    return FigureCurve(
        name=setting_of(line.values),
        points=tuple(_point(point, line.results[point.threads], metric) for point in points),
        law=_law(line, judge, metric),
        recommended=int(advice.values[THREADS]) if advice and not advice.untellable else None,
        sure=bool(advice and advice.usable),
        prices=() if advice and advice.untellable else prices_of(line, limits, judge),
        published=published_curve(study, spec) if study else (),
    )


def _lies_on(advice: Advice, line: ThreadCurve) -> bool:
    """Whether the setting to use is one of a line's points."""
    return any(advice.spec == result.spec for result in line.results.values())


def _point(point: Point, result: Result, metric: Metric) -> FigurePoint:
    return FigurePoint(
        at=point.threads,
        found=metric_estimate(result, metric.key),
        reason=point.reason,
        setting=result.spec.digest,
    )


def _law(line: ThreadCurve, judge: Judge, metric: Metric) -> tuple[tuple[float, float], ...]:
    law, points = law_of(line, judge, resamples=0), [one for one in line.points if not one.failed]
    if law is None:
        return ()
    first, octaves = points[0].threads, math.log2(points[-1].threads / points[0].threads)
    steps = {first * 2.0 ** (octaves * step / (_STEPS - 1)) for step in range(_STEPS)}
    steps |= {float(one.threads) for one in points}  # what is said of them holds on the curve, too
    rates = ((threads, law.throughput(threads)) for threads in sorted(steps))
    return tuple((threads, rate if metric.unit == "rate" else 1 / rate) for threads, rate in rates)


_THREADS = "threads"


def published_curve(study: Study, spec: RunSpec) -> tuple[tuple[int, float], ...]:
    """Threads and published operations/s of the cells that differ from a spec in threads alone.

    In rising order; empty where the study publishes no operations/s, or uses another unit than the
    measurement here.
    """
    same_unit = study.published_unit in ("", study.unit)
    if study.metric != "throughput" or not same_unit or spec.workload != study.workload:
        return ()
    varied = {name for cell in study.cells for name in cell.at} - {_THREADS}
    found: dict[int, float] = {}
    for cell in study.cells:
        values = study.base | cell.at
        wanted = {name: values[name] for name in varied if name in values}
        if cell.published and wanted.items() <= spec.values.items():
            found[int(values.get(_THREADS, 1))] = cell.published * study.scale
    return tuple(sorted(found.items()))
