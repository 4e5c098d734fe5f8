"""Which plots a chapter has, with their titles, legends, and the tables of their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from core.desk import names_of, standings
from core.judge import Study, metric_estimate, relative, typical
from core.language import one_line, show_ratio, show_seconds
from core.tell.jobs_grid import jobs_grid
from core.tell.report import report_plots, report_tables, small_plots
from core.tell.report.report_content import Chapter
from core.tell.report.report_tables import Grid
from core.tell.report.small_plots import over_time, typical_trial
from core.tell.report.svg import LINES
from core.tell.result_figures import (
    percentiles_figure,
    position,
    result_curves,
    throughput_figure,
)
from core.tell.setting_facts import upon_plan, wire_figures, with_border
from core.vocabulary import (
    METRICS,
    Advice,
    BarsFigure,
    CurvesFigure,
    FigureCurve,
    FigurePoint,
    GridFigure,
    Metric,
    Result,
    leading,
)

MOST_BARS = 40
MOST_OVER_TIME = 40


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A drawing with its title, the names of its lines, and the table of its numbers."""

    title: str
    svg: Markup
    legend: tuple[str, ...] = ()
    remark: str = ""
    grid: Grid | None = None


@dataclass(frozen=True, kw_only=True)
class Strip:
    """One trial over time: small plots side by side."""

    title: str
    remark: str
    panels: tuple[small_plots.ReportPanel, ...]
    grid: Grid


def plots_of(
    chapter: Chapter,
    results: Sequence[Result],
    names: Mapping[str, str],
    advice: Advice | None = None,
) -> Iterator[Plot]:
    """`advice`: what to use, marked where it lies on a curve."""
    if chapter.reproduction is not None and chapter.reproduction.charts:
        yield from map(_chart, chapter.reproduction.charts)
    elif any(result.valid for result in results):
        yield from _throughput(chapter, results, names, advice)
    if (latency := _latency(results, names)) is not None:
        yield latency


def _throughput(
    chapter: Chapter,
    results: Sequence[Result],
    names: Mapping[str, str],
    advice: Advice | None,
) -> Iterator[Plot]:
    plan = chapter.run.plan.specs if chapter.run is not None else ()
    if (grid := jobs_grid(plan, results, advice)) is not None:
        yield _map(grid, results, names)
        return
    figure = throughput_figure(results, advice, limits=None)
    figure = with_border(upon_plan(figure, chapter.planned, results), chapter.results)
    if not (axis := figure.axis if figure.curves else ""):
        yield _bars(results, names, advice)
        return
    study, cells = chapter.study, chapter.cells
    if study is not None and not study.programs:
        base = cells.get(study.baseline)
        if base is not None and typical(base):  # what the study's ratios are to was measured here
            yield _ratio_curves(study, cells, results, axis)
            return
    yield _curves(figure, results)
    for one in wire_figures(figure, chapter.results):
        yield _of_wire(one, results)


def _map(figure: GridFigure, results: Sequence[Result], names: Mapping[str, str]) -> Plot:
    measured = [one for one in results if one.finished_trials]
    metric = METRICS["throughput"]
    rows, columns = figure.axes
    remark = "A frame is the setting to use; a dashed one is the cheapest within 10 %."
    remark += " Dotted cells do not fit the cores or the memory." if figure.reasons else ""
    return Plot(
        title=f"{rows.capitalize()} × {columns}; {figure.reach}",
        svg=report_plots.figure_grid(
            figure, f"Heat map: {figure.reach}. The numbers are in the table below."
        ),
        remark=remark + (" ~ is not measured, but from its neighbours." if figure.guessed else ""),
        grid=report_tables.figures_grid(
            [names[one.spec.digest] for one in measured],
            measured,
            [metric_estimate(one, metric.key) for one in measured],
            metric,
        ),
    )


def _bars(results: Sequence[Result], names: Mapping[str, str], advice: Advice | None) -> Plot:
    """The same bars as the window's, the best on top."""
    ranked = [one.bar for one in standings(results, advice, None, over=True)[:MOST_BARS]]
    figure = BarsFigure(bars=tuple(replace(one, name=names[one.setting]) for one in ranked))
    drawn, ranks = {one.setting for one in ranked}, {one.rank for one in ranked}
    best = [result for result in results if result.spec.digest in drawn]
    metric, undrawn = leading(best)[0], len(results) - len(best)
    return Plot(
        title=f"{metric.title}, {_unit_of(metric, results)}",
        svg=report_plots.figure_bars(
            figure,
            f"Bars: {metric.name} of {len(best)} results. The numbers are in the table below.",
        ),
        remark=f"Dots are trials; the thin line is the 95 % interval of the typical {metric.name}."
        + (" In colour: not measurably worse than the best." if len(ranks) > 1 else "")
        + (f" The best {len(best)} of {len(results):,} results." if undrawn else ""),
        grid=report_tables.figures_grid(
            [names[result.spec.digest] for result in best],
            best,
            [metric_estimate(result, metric.key) for result in best],
            metric,
        ),
    )


def _unit_of(metric: Metric, results: Sequence[Result]) -> str:
    return report_tables.rate_unit(results) if metric.unit == "rate" else "seconds"


def _curves(figure: CurvesFigure, results: Sequence[Result]) -> Plot:
    metric = figure.metric
    ordered = [one for line in result_curves(results, figure.axis).values() for one in line]
    points = [metric_estimate(one, metric.key) for one in ordered]
    return _drawn(
        replace(figure, title=f"{metric.title} by {figure.axis}, {_unit_of(metric, ordered)}"),
        about=f"{metric.name} by {figure.axis}, {_spoken(figure)}",
        of=metric.name,
        grid=report_tables.figures_grid(names_of(ordered), ordered, points, metric),
    )


def _of_wire(figure: CurvesFigure, results: Sequence[Result]) -> Plot:
    """What the network carried for each operation."""
    counted = {one.setting for curve in figure.curves for one in curve.points}
    ordered = [one for one in results if one.spec.digest in counted]
    title, metric = f"{figure.title} {figure.about}", figure.metric
    points = [metric_estimate(one, metric.key) for one in ordered]
    return _drawn(
        replace(figure, title=title),
        about=f"{title}, by {figure.axis}",
        of=metric.name,
        grid=report_tables.figures_grid(names_of(ordered), ordered, points, metric),
    )


def _drawn(figure: CurvesFigure, *, about: str, of: str, grid: Grid) -> Plot:
    """`about`: what the curves show, for people who cannot see them; `of`: what they measure."""
    return Plot(
        title=figure.title,
        svg=report_plots.figure_curves(
            figure, f"Curves: {about}. The numbers are in the table below."
        ),
        legend=tuple(curve.name for curve in figure.drawn),
        remark=_reading(figure, of),
        grid=grid,
    )


def _spoken(figure: CurvesFigure) -> str:
    """The best point of each curve."""
    texts = []
    for curve in figure.drawn:
        best = min(
            (one for one in curve.points if not one.failed),
            key=lambda one: one.value if figure.metric.better == "less" else -one.value,
            default=None,
        )
        texts.append(
            f"{one_line(curve.name)[:80]}: "
            + (f"best at {best.at}" if best else f"no {figure.metric.name}")
        )
    return "; ".join(texts)


def _reading(figure: CurvesFigure, of: str) -> str:
    """How to read the plot."""
    curves = figure.drawn
    points = [point for curve in curves for point in curve.points]
    undrawn = len(figure.curves) - len(curves)
    remarks = {
        "Small dots are single trials.": any(point.found.trials for point in points),
        f"Upright lines are 95 % intervals of the typical {of}.": any(
            point.found.low is not None for point in points
        ),
        f"× stands where a result has no {of}, because something went wrong.": any(
            point.failed for point in points
        ),
        "Dashed: the leanest client, so that nothing is more than the store gives.": bool(
            figure.border
        ),
        "Hollow and dashed: as published.": any(curve.published for curve in curves),
        "Dotted: as charted there.": any(curve.charted for curve in curves),
        f"{undrawn} not drawn.": undrawn,
        f"Colours and marks repeat after {LINES} lines.": len(curves) > LINES,
    }
    return " ".join(text for text, applies in remarks.items() if applies)


def _ratio_curves(
    study: Study, cells: Mapping[str, Result], results: Sequence[Result], axis: str
) -> Plot:
    """Beside the study's own figures, each as a ratio to the baseline of its own side."""
    lines = result_curves(results, axis)
    ordered = [one for line in lines.values() for one in line]
    labels = {result.spec.digest: label for label, result in cells.items()}
    published = {cell.label: cell.published for cell in study.cells}
    base = published[study.baseline]
    ratios = {
        one.spec.digest: report_tables.CellFigure(
            name=labels.get(one.spec.digest, name),
            here=relative(cells[study.baseline], one),
            published=of / base
            if base and (of := published.get(labels.get(one.spec.digest, "")))
            else None,
        )
        for one, name in zip(ordered, names_of(ordered), strict=True)
    }
    figure = CurvesFigure(
        title=f"Throughput by {axis}, as a ratio to “{study.baseline}”",
        axis=axis,
        unit="ratio",
        logarithmic=True,
        curves=tuple(
            _ratio_curve(name, {position(one, axis): ratios[one.spec.digest] for one in line})
            for name, line in lines.items()
        ),
        most=None,
    )
    caption = f"Throughput as a ratio to “{study.baseline}”, with its 95 % interval."
    return _drawn(
        figure,
        about=f"throughput by {axis} as ratios, {_spoken(figure)}",
        of="throughput",
        grid=report_tables.cells_grid(caption, [*ratios.values()], show_ratio),
    )


def _ratio_curve(name: str, ratios: Mapping[int, report_tables.CellFigure]) -> FigureCurve:
    return FigureCurve(
        name=name,
        points=tuple(FigurePoint(at=at, found=one.here) for at, one in ratios.items() if one.here),
        published=tuple((at, one.published) for at, one in ratios.items() if one.published),
    )


def _chart(figure: CurvesFigure) -> Plot:
    rows = [
        report_tables.CellFigure(
            name=label,
            here=point.found if (point := curve.at(at)) else None,
            published=dict(curve.published).get(at),
        )
        for curve in figure.curves
        for at, label in curve.cells
    ]
    names = ", ".join(curve.name for curve in figure.curves)
    return _drawn(
        figure,
        about=f"{figure.title} by {figure.axis}: {names}",
        of="time",
        grid=report_tables.cells_grid(
            "Typical time with its 95 % interval, and what was published.", rows, show_seconds
        ),
    )


def _latency(results: Sequence[Result], names: Mapping[str, str]) -> Plot | None:
    figure = percentiles_figure(results, names)
    if not figure.curves:
        return None
    return _drawn(
        figure,
        about=f"latency percentiles of {len(figure.drawn)} results",
        of="latency",
        grid=report_tables.latency_grid(figure),
    )


def strips_of(results: Sequence[Result], names: Mapping[str, str]) -> Iterator[Strip]:
    """One strip for each result that has a trial with moments, up to a limit for the page."""
    for result in results[:MOST_OVER_TIME]:
        trial = typical_trial(result)
        if trial is None:
            continue
        series = over_time(trial)
        heat = small_plots.latency_panel(trial)
        drawn = (*small_plots.panels_of(series), *([heat] if heat is not None else ()))
        titles = {small_plots.THROUGHPUT: f"Throughput, {report_tables.rate_unit([result])}"}
        yield Strip(
            title=names[result.spec.digest],
            remark=f"trial {trial.index + 1}",
            panels=tuple(
                replace(panel, title=titles.get(panel.title, panel.title)) for panel in drawn
            ),
            grid=report_tables.over_time_grid(series),
        )
