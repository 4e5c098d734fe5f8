"""Throughput, or time per run, by threads or by processes, as a figure.

Also the names of results beside each other, and which of them form a curve.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

from core.analysis.advice import THREADS, Advice, setting_of
from core.analysis.curve_advice import law_of, prices_of
from core.analysis.estimation import metric_estimate
from core.analysis.figures import CurvesFigure, FigureCurve, FigurePoint
from core.analysis.limit_check import NO_LIMITS, Limits
from core.analysis.ranking import Ranking
from core.analysis.thread_curves import Point, ThreadCurve, thread_curves
from core.analysis.verdict import Price
from core.plan.floor import RAW, without_bare_files
from core.plan.spec import RunSpec, differing, distinguishing, label
from core.result.metric import Metric
from core.result.metrics import METRICS, leading
from core.result.outcome import ending
from core.result.result import Result
from core.study.preset import Study

CURVED = ("threads", "processes")
"""Parameters along which results form a curve; the first that varies is used."""


@dataclass(frozen=True)
class ResultCurve:
    """Results that differ in one parameter only, in its order."""

    name: str
    results: tuple[Result, ...]


def names_of(results: Sequence[Result], without: Sequence[str] = ()) -> tuple[str, ...]:
    """What sets each result apart from the others, such as `threads 4 · cache none`."""
    varying = distinguishing([result.spec for result in results], without)
    return tuple(label(result.spec, varying) for result in results)


def names_by_digest(results: Sequence[Result], cells: Mapping[str, Result]) -> dict[str, str]:
    """The name of every result: that of the study's cell, or what sets it apart from others."""
    seen = without_bare_files(results)
    digests = {result.spec.digest for result in seen}
    raw = [result for result in results if result.spec.digest not in digests]
    found = dict(zip((r.spec.digest for r in seen), names_of(seen), strict=True))
    for result, name in zip(raw, names_of(raw), strict=True):
        found[result.spec.digest] = name if name == RAW else f"{RAW} · {name}"
    return found | {result.spec.digest: label for label, result in cells.items()}


def curve_axis(results: Sequence[Result]) -> str | None:
    """The parameter along which throughput is a curve; None where none of them varies."""
    varying = differing([result.spec for result in results])
    return next((name for name in CURVED if name in varying), None)


def result_curves(results: Sequence[Result], axis: str) -> tuple[ResultCurve, ...]:
    """The results as curves along an axis, one for each combination of all else that varies."""
    found: dict[str, list[Result]] = {}
    for name, result in zip(names_of(results, without=(axis,)), results, strict=True):
        found.setdefault(name, []).append(result)
    return tuple(
        ResultCurve(name, tuple(sorted(members, key=lambda result: position(result, axis))))
        for name, members in found.items()
    )


def position(result: Result, axis: str) -> int:
    return int(result.spec.values[axis])


_STEPS = 65


def throughput_figure(
    results: Sequence[Result],
    advice: Advice | None = None,
    limits: Limits | None = NO_LIMITS,
    study: Study | None = None,
) -> CurvesFigure:
    """One curve for each setting of what varies besides, in the results' order.

    `advice`: what to use, the same in every face; `limits`: what both ends of a step respect, None
    where nobody asks for the price of one; `study`: the study with the published figures.  Laws are
    those of the curves that are drawn.  Empty if neither threads nor processes vary.
    """
    axis = curve_axis(results)
    metric = leading(results)[0] if results else METRICS["throughput"]
    told: _Axes = {"unit": "rate" if metric.unit == "rate" else "seconds", "measured": metric.key}
    lines = thread_curves(results) if axis == THREADS else ()
    if axis is None or lines:
        advices = [one.advice for one in advice.lines] if advice and advice.lines else [advice]
        ranking = Ranking(())
        curves = [
            _curve(
                line,
                next((one for one in advices if one and _lies_on(one, line)), None),
                () if limits is None else prices_of(line, limits, ranking),
                study,
                metric,
            )
            for line in lines
        ]
        drawn = CurvesFigure(curves=tuple(curves), **told).drawn
        pairs = zip(curves, lines, strict=True)
        return CurvesFigure(
            curves=tuple(
                replace(curve, law=_law(line, ranking, metric)) if curve in drawn else curve
                for curve, line in pairs
            ),
            **told,
        )
    found = result_curves(results, axis)
    return CurvesFigure(
        axis=axis,
        curves=tuple(
            _plain(one, axis, one.name if len(found) > 1 else "", metric) for one in found
        ),
        **told,
    )


class _Axes(TypedDict):
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
    prices: tuple[Price, ...],
    study: Study | None,
    metric: Metric,
) -> FigureCurve:
    spec = next(iter(line.results.values())).spec
    return FigureCurve(
        name=setting_of(line.values),
        points=tuple(_point(point, line.results[point.threads], metric) for point in line.points),
        recommended=int(advice.values[THREADS]) if advice and not advice.untellable else None,
        sure=bool(advice and advice.usable),
        prices=() if advice and advice.untellable else prices,
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


def _law(line: ThreadCurve, ranking: Ranking, metric: Metric) -> tuple[tuple[float, float], ...]:
    law, points = law_of(line, ranking, resamples=0), [one for one in line.points if not one.failed]
    if law is None:
        return ()
    first, octaves = points[0].threads, math.log2(points[-1].threads / points[0].threads)
    steps = {first * 2.0 ** (octaves * step / (_STEPS - 1)) for step in range(_STEPS)}
    steps |= {float(one.threads) for one in points}  # what is said of them holds on the curve, too
    rates = ((threads, law.throughput(threads)) for threads in sorted(steps))
    return tuple((threads, rate if metric.unit == "rate" else 1 / rate) for threads, rate in rates)


def published_curve(study: Study, spec: RunSpec) -> tuple[tuple[int, float], ...]:
    """Threads and published operations/s of the cells that differ from a spec in threads alone.

    In rising order; empty where the study publishes no operations/s, or uses another unit than the
    measurement here.
    """
    same_unit = study.published_unit in ("", study.unit)
    if study.metric != "throughput" or not same_unit or spec.workload != study.workload:
        return ()
    varied = {name for cell in study.cells for name in cell.at} - {THREADS}
    found: dict[int, float] = {}
    for cell in study.cells:
        values = study.base | cell.at
        wanted = {name: values[name] for name in varied if name in values}
        if cell.published and wanted.items() <= spec.values.items():
            found[int(values.get(THREADS, 1))] = cell.published * study.scale
    return tuple(sorted(found.items()))
