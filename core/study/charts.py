"""The publication's plots: seconds against a parameter, as published and as measured here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.analysis.estimation import NOT_MEASURED, MetricEstimate, metric_estimate
from core.result.result import Result
from core.study.preset import PublishedFigure, Study, Trace


@dataclass(frozen=True, kw_only=True)
class ChartCurve:
    """One line of a chart; all tuples but `charted` are as long as `labels`."""

    name: str
    labels: tuple[str, ...]
    """Labels of its cells."""
    at: tuple[int, ...]
    """Values of the chart's parameter."""
    here: tuple[MetricEstimate | None, ...]
    """Seconds for one unit of the study; None where nothing was measured."""
    published: tuple[float | None, ...]
    charted: tuple[float, ...]
    """Seconds as the publication's chart shows them; empty where they agree with its data."""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One plot, both axes logarithmic."""

    title: str
    axis: str
    sizes: bool
    """Whether the axis shows bytes, not counts."""
    curves: tuple[ChartCurve, ...]


def charts_of(study: Study, results: Mapping[str, Result]) -> tuple[Chart, ...]:
    """Every plot of the study, with the results by cell label."""
    return tuple(_chart(study, figure, results) for figure in study.figures)


def _chart(study: Study, figure: PublishedFigure, results: Mapping[str, Result]) -> Chart:
    return Chart(
        title=figure.title,
        axis=figure.axis,
        sizes=figure.over.endswith("size"),
        curves=tuple(_curve(study, line, figure.over, results) for line in figure.lines),
    )


def _curve(study: Study, line: Trace, over: str, results: Mapping[str, Result]) -> ChartCurve:
    by_label = {cell.label: cell for cell in study.cells}
    cells = [by_label[label] for label in line.cells]
    found = [results.get(label) for label in line.cells]
    return ChartCurve(
        name=line.name,
        labels=line.cells,
        at=tuple(int(cell.at[over]) for cell in cells),
        here=tuple(_cost(study, one) if one else None for one in found),
        published=tuple(1.0 / cell.published if cell.published else None for cell in cells),
        charted=line.charted,
    )


def _cost(study: Study, result: Result) -> MetricEstimate:
    """Seconds for one unit of the study, whose metric counts per second."""
    if not result.valid:
        return NOT_MEASURED
    return metric_estimate(result, study.metric).scaled(1.0 / study.scale).inverted()
