"""Figures of the setting that a run advises, each over what was varied.

They are those of the table: a figure has one value wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.judge import LiveFigure, metric_estimate, open_files_allowed, told_estimate
from core.language import show, tr, tr_word
from core.measure import RAW, is_bare, without_bare_files
from core.tell.result_figures import point_at, position, result_curves
from core.vocabulary import (
    METRICS,
    CurvesFigure,
    FigureCurve,
    FigurePoint,
    Result,
    leading_keys,
    metric_named,
)

REQUESTS_EACH, AMPLIFICATION = "requests_each", "amplification"
"""Metrics of what was counted at the wire."""


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One figure of a setting, and those of the others on its curve."""

    metric: str
    """Its key."""
    title: str
    number: str
    limit: str = ""
    """`of 20,000`, where there can be no more."""
    beside: str = ""
    """`1 thread: 285 µs`: that of the first setting of its curve."""
    values: tuple[tuple[float, float], ...] = ()
    """Places on the axis of what was varied, and values; of one setting alone, none."""
    place: float = 0.0
    """Where this setting is on that axis."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    setting: str
    """Whose they are."""
    facts: tuple[Fact, ...]
    sure: bool = False
    """Whether the answer is."""
    axis: str = ""
    """What was varied; empty where they are over nothing."""
    ends: tuple[str, str] = ("", "")
    """The first and the last number on that axis."""


def facts_of(results: Sequence[Result], figure: CurvesFigure, best: str, name: str) -> Facts | None:
    """Those of the result whose spec has the digest `best`, on the curve that it lies on."""
    by_setting = {result.spec.digest: result for result in results}
    if best not in by_setting:
        return None
    own = (one for one in figure.curves if any(p.setting == best for p in one.points))
    points = next((one.points for one in own), ())
    line = [(p, by_setting[p.setting]) for p in points if not p.failed]
    facts = (_fact(one, by_setting[best], line, figure) for one in LiveFigure.all())
    own_facts = Facts(
        setting=name or tr("this setting"),
        facts=tuple(one for one in facts if one is not None),
        sure=any(curve.sure for curve in figure.curves),
    )
    if len(line) < 2:
        return own_facts
    first, last = (figure.place_text(line[end][0].at) for end in (0, -1))
    return replace(own_facts, axis=figure.axis, ends=(first, last))


def _fact(
    live: LiveFigure,
    best: Result,
    line: Sequence[tuple[FigurePoint, Result]],
    figure: CurvesFigure,
) -> Fact | None:
    """None where the setting has no such figure."""
    metric = live.metric
    if metric.key == "throughput":
        metric = METRICS[leading_keys(best.spec.workload)[0]]
    value = (estimate := told_estimate(best, metric.key)).value
    if value is None:
        return None
    most = open_files_allowed(best) if metric.key == "fds" else live.most
    pairs = [(point.at, metric_estimate(one, metric.key).value) for point, one in line]
    values = [(at, one) for at, one in pairs if one is not None]
    here = next((point.at for point, one in line if one is best), 0.0)
    beside = ""
    if values and values[0][0] != here:
        beside = f"{figure.count_text(values[0][0])}: {metric.text(values[0][1])}"
    return Fact(
        metric=live.metric.key,
        title=live.title(best.spec.workload),
        number=metric.told_text(estimate, whole=False) if metric.has_scale else metric.text(value),
        limit=tr("of {limit}", limit=show(most, "count")) if most is not None else "",
        beside=beside,
        values=tuple((figure.position(at), one) for at, one in values) if len(values) > 1 else (),
        place=figure.position(here) if here else 0.0,
    )


def upon_plan(figure: CurvesFigure, plan: CurvesFigure, results: Sequence[Result]) -> CurvesFigure:
    """A figure of results on the curves of their plan.

    Names, order and places are the same from the first trial on.  What the plan does not name
    follows it.
    """
    if not plan.curves or (figure.curves and figure.axis != plan.axis):
        return figure
    measured = {one.spec.digest: one for one in results if one.finished_trials}
    metric = METRICS[plan.measured]
    others = list(figure.curves)
    curves = []
    for planned in plan.curves:
        settings = {setting for _, setting in planned.cells}
        own = [
            one
            for one in others
            if one.name == planned.name or any(p.setting in settings for p in one.points)
        ]  # by its name where all of it was cancelled
        others = [one for one in others if one not in own]
        points = {p.at: p for one in own for p in one.points}
        for at, setting in planned.cells:
            if at not in points and setting in measured:
                points[at] = point_at(at, measured[setting], metric)
        curve = own[0] if own else planned
        curves.append(
            replace(
                curve,
                name=planned.name,
                cells=planned.cells,
                points=tuple(points[at] for at in sorted(points)),
            )
        )
    return replace(figure if figure.curves else plan, curves=(*curves, *others))


def figure_by(figure: CurvesFigure, results: Sequence[Result], key: str) -> CurvesFigure:
    """The same settings by another metric, on the same curves."""
    if key in ("throughput", figure.measured):
        return figure
    by_setting = {result.spec.digest: result for result in results}

    def curve_by(curve: FigureCurve) -> FigureCurve:
        points = tuple(
            replace(
                one,
                found=metric_estimate(by_setting[one.setting], key),
                told=told_estimate(by_setting[one.setting], key),
            )
            for one in curve.points
        )
        return replace(curve, points=points, published=(), charted=(), quiet=(), quiet_best=None)

    return replace(
        figure,
        measured=key,
        unit="rate" if metric_named(key).unit == "rate" else "seconds",
        curves=tuple(map(curve_by, figure.curves)),
        border=curve_by(figure.border) if figure.border is not None else None,
    )


def with_border(figure: CurvesFigure, results: Sequence[Result]) -> CurvesFigure:
    """The figure with the curve of the leanest client, where one was measured beside the others."""
    units = {one.unit for one in without_bare_files(results) if one.finished_trials}
    bare = [
        one
        for one in results
        if is_bare(one) and one.spec.workload != RAW and one.valid and {one.unit} == units
    ]
    curves = result_curves(bare, figure.axis)
    if not figure.curves or len(curves) != 1:  # of several none is the limit of all
        return figure
    (line,) = curves.values()
    setting = line[0].spec.known_setting
    points = (point_at(position(one, figure.axis), one, figure.metric) for one in line)
    name = setting.workload.client_name(setting.parameters)
    return replace(figure, border=FigureCurve(name=name, points=tuple(points)))


def wire_figures(figure: CurvesFigure, results: Sequence[Result]) -> tuple[CurvesFigure, ...]:
    """What the network carried for each operation, on the drawn curves, as far as it was counted.

    Requests for each, and bytes for each byte that was wanted.
    """
    if not (figure.curves and results):
        return ()
    unit = tr_word(results[0].unit)
    titles = {
        REQUESTS_EACH: (tr("Requests"), tr("for each {unit}", unit=unit)),
        AMPLIFICATION: (tr("Bytes moved ÷ wanted"), tr("at the wire")),
    }
    figures = (
        replace(
            _counted(figure_by(replace(figure, curves=figure.drawn), results, key)),
            title=title,
            about=about,
            unit="ratio",
        )
        for key, (title, about) in titles.items()
    )
    return tuple(one for one in figures if any(curve.points for curve in one.curves))


def _counted(figure: CurvesFigure) -> CurvesFigure:
    """Without points that have no figure, which are no failures there."""

    def without(curve: FigureCurve) -> FigureCurve:
        return replace(curve, points=tuple(one for one in curve.points if one.found.value))

    border = without(figure.border) if figure.border is not None else None
    return replace(figure, curves=tuple(map(without, figure.curves)), border=border)
