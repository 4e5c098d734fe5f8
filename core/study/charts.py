"""The publication's plots: seconds against a parameter, as published and as measured here."""

from __future__ import annotations

from collections.abc import Mapping

from core.analysis.estimation import NOT_MEASURED, MetricEstimate, metric_estimate
from core.analysis.figure import CurvesFigure, FigureCurve, FigurePoint
from core.result.result import Result
from core.study.preset import PublishedFigure, Study, Trace


def charts_of(study: Study, results: Mapping[str, Result]) -> tuple[CurvesFigure, ...]:
    """Every plot of the study, with the results by cell label; both axes are logarithmic."""
    return tuple(_chart(study, figure, results) for figure in study.figures)


def _chart(study: Study, figure: PublishedFigure, results: Mapping[str, Result]) -> CurvesFigure:
    return CurvesFigure(
        title=figure.title,
        axis=figure.axis,
        across="sizes" if figure.over.endswith("size") else "counts",
        unit="seconds",
        logarithmic=True,
        curves=tuple(_curve(study, line, figure.over, results) for line in figure.lines),
        most=None,
        apart=0.0,
    )


def _curve(study: Study, line: Trace, over: str, results: Mapping[str, Result]) -> FigureCurve:
    by_label = {cell.label: cell for cell in study.cells}
    cells = [(int(by_label[label].at[over]), by_label[label]) for label in line.cells]
    return FigureCurve(
        name=line.name,
        points=tuple(
            FigurePoint(at=at, found=_cost(study, results[cell.label]))
            for at, cell in cells
            if cell.label in results
        ),
        published=tuple((at, 1.0 / cell.published) for at, cell in cells if cell.published),
        charted=tuple(zip((at for at, _ in cells), line.charted, strict=True))
        if line.charted
        else (),
        cells=tuple((at, cell.label) for at, cell in cells),
    )


def _cost(study: Study, result: Result) -> MetricEstimate:
    """Seconds for one unit of the study, whose metric counts per second."""
    if not result.valid:
        return NOT_MEASURED
    return metric_estimate(result, study.metric).scaled(1.0 / study.scale).inverted()
