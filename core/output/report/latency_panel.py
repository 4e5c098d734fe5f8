"""The heat map of a trial's latencies over its time, as a small plot of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.analysis.latency_figure import LatencyFigure
from core.language.units import show_seconds
from core.output.report.report_plots import SMALL_HIGH, SMALL_WIDE, ReportPanel
from core.output.report.svg import finished, fit, line_colour, sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from core.result.result import Trial

_COLUMNS = 48
"""As many as the small plot has room for; each cell is text in the page."""


def latency_panel(trial: Trial, key: str) -> ReportPanel | None:
    """One ink in eight strengths; None where too little was recorded."""
    shown = LatencyFigure.of([trial], _COLUMNS)
    if shown is None:
        return None
    figure, axes = sheet(SMALL_WIDE, SMALL_HIGH)
    axes.set_yscale("log")
    axes.set_ylim(shown.low, shown.high)
    axes.set_xlim(0, shown.length)
    _draw(axes, shown)
    _write_ticks(axes, shown)
    fit(figure, axes)
    low, high = show_seconds(shown.low), show_seconds(shown.high)
    label = f"Heat map: latencies over time, from {low} to {high}."
    return ReportPanel(title="Latency over time", svg=finished(figure, key, label))


def _draw(axes: Axes, shown: LatencyFigure) -> None:
    """All cells of one strength are one path."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    paths: dict[float, list[Any]] = {}
    for cell in shown.cells:
        ends = [(cell.start, cell.low), (cell.end, cell.low), (cell.end, cell.high),
                (cell.start, cell.high), (cell.start, cell.low)]  # fmt: skip
        paths.setdefault(cell.ink, []).append(Path(ends, closed=True))
    for ink, cells in paths.items():
        whole = Path.make_compound_path(*cells)
        axes.add_patch(PathPatch(whole, facecolor=line_colour(0), alpha=ink, linewidth=0))


def _write_ticks(axes: Axes, shown: LatencyFigure) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

    texts = dict(shown.ticks)
    axes.yaxis.set_major_locator(FixedLocator([*texts]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: texts.get(value, "")))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} s"))
