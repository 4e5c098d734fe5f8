"""The large plots of a report: throughput, or times, and latency."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from core.analysis.curves_figure import CurvesFigure, FigureCurve
from core.analysis.estimation import MetricEstimate
from core.language.units import show_count, show_ratio, show_seconds, show_size
from core.output.report.svg import (
    INK,
    bad_colour,
    finished,
    fit,
    line_colour,
    mark,
    placeholder,
    sheet,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import LogLocator

WIDE, HIGH = 460.0, 300.0
_HIGHER = 400.0
_ROW = 42.0
_LETTERS = 50
"""Letters that have room along the axis of a plot."""


def figure_curves(figure: CurvesFigure, key: str, label: str) -> Markup:
    """The curves of a figure with their intervals; × on the axis where a result is invalid."""
    drawing, axes = sheet(WIDE, _HIGHER if figure.title else HIGH)
    if figure.across == "percentiles":
        axes.set_xticks(
            [_rarity(place) for place in figure.places], [f"p{place:g}" for place in figure.places]
        )
    else:
        _ticks(axes, figure.places, _show_size if figure.across == "sizes" else show_count)
        axes.set_xlabel(figure.axis)
    if figure.logarithmic:
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 1.08 * figure.top() or 1.0)
    for rank, curve in enumerate(figure.drawn):
        _curve(axes, figure, curve, rank)
    if figure.logarithmic:
        _logarithmic(axes, _SHOWN[figure.unit])
    else:
        axes.yaxis.set_major_formatter(_formatter(_SHOWN[figure.unit]))
    _advised(axes, figure)
    fit(drawing, axes)
    return finished(drawing, key, label)


def _advised(axes: Axes, figure: CurvesFigure) -> None:
    """A dashed line at the setting to use, with its words on the side that has room."""
    best = figure.chosen
    if best is None or best.recommended is None:
        return
    at, places = best.recommended, figure.places
    axes.axvline(at, color=INK["text"], lw=1.0, ls=(0, (4, 3)), zorder=1.0)
    left = at * at > places[0] * places[-1]
    axes.annotate(
        figure.advised,
        (at, 1.0),
        xycoords=axes.get_xaxis_transform(),
        xytext=(-5.0 if left else 5.0, -10.0),
        textcoords="offset points",
        ha="right" if left else "left",
    )


def _curve(axes: Axes, figure: CurvesFigure, curve: FigureCurve, rank: int) -> None:
    colour, aside = line_colour(rank), 2.0 ** figure.aside(rank)

    def place(at: float) -> float:
        return _rarity(at) if figure.across == "percentiles" else at * aside

    good = [one for one in curve.points if not one.failed]
    axes.plot(
        [place(one.at) for one in curve.points for _ in one.found.trials],
        [rate for one in curve.points for rate in one.found.trials],
        "o",
        color=colour,
        alpha=0.5,
        ms=4.5,
        mew=0.0,
    )
    axes.plot([place(at) for at, _ in curve.line], [y for _, y in curve.line], color=colour)
    axes.errorbar(
        [place(one.at) for one in good],
        [one.value for one in good],
        yerr=[
            [one.value - one.ends[0] for one in good],
            [one.ends[1] - one.value for one in good],
        ],
        color=colour,
        marker=mark(rank),
        ls="none",
        capsize=3.0,
        elinewidth=1.2,
        capthick=1.2,
    )
    ground = axes.get_xaxis_transform()
    for one in curve.points:
        if one.failed:
            x = place(one.at)
            axes.plot([x], [0.03], "x", transform=ground, color=bad_colour(), mew=2.0)
    _of_publication(axes, curve, rank, place)


def _of_publication(
    axes: Axes, curve: FigureCurve, rank: int, place: Callable[[float], float]
) -> None:
    charted = [(place(at), value) for at, value in curve.charted]
    x, y = zip(*charted, strict=True) if charted else ((), ())
    axes.plot(x, y, color=line_colour(rank), ls=":", lw=1.3)
    axes.plot(
        [place(at) for at, _ in curve.published],
        [value for _, value in curve.published],
        color=line_colour(rank),
        marker=mark(rank),
        mfc=INK["paper"],
        ls=(0, (4, 3)),
        lw=1.3,
    )


def throughput_bars(
    names: Sequence[str], points: Sequence[MetricEstimate], key: str, label: str
) -> Markup:
    """One bar for each result below its name, with its interval; names are put in unchanged."""
    count = len(points)
    highest = max((point.value for point in points if point.value), default=1.0)
    figure, axes = sheet(WIDE, 24.0 + _ROW * count)
    axes.set_position(
        (0.01, 16.0 / (24.0 + _ROW * count), 0.98, 1.0 - 18.0 / (24.0 + _ROW * count))
    )
    axes.grid(visible=False)
    axes.set_axis_off()
    axes.set_xlim(0, 1.22 * highest)
    axes.set_ylim(count - 0.1, -0.65)
    for row, point in enumerate(points):
        axes.text(0, row - 0.34, placeholder(row), fontsize=12, va="center", ha="left")
        if point.value is None:
            axes.text(
                0,
                row + 0.06,
                placeholder(count),
                fontsize=12,
                va="center",
                color=bad_colour(),
            )
            continue
        axes.barh(row + 0.06, point.value, height=0.32, color=line_colour(0), alpha=0.85)
        _whisker(axes, row + 0.06, point, 1.2 * highest)
        axes.plot(
            point.trials,
            [row + 0.06] * len(point.trials),
            "o",
            color=INK["text"],
            ms=4.0,
            mew=0.0,
        )
    return finished(figure, key, label, [*names, "× no throughput"])


def _whisker(axes: Axes, row: float, point: MetricEstimate, edge: float) -> None:
    if point.low is None or point.high is None:
        return
    high = min(point.high, edge)
    axes.plot([point.low, high], [row, row], color=INK["text"], lw=1.2)
    for end in (point.low, high):
        axes.plot([end, end], [row - 0.07, row + 0.07], color=INK["text"], lw=1.2)


def _rarity(percent: float) -> float:
    return -math.log10(1.0 - percent / 100.0)


def _ticks(axes: Axes, places: Sequence[float], show: Callable[[float], str]) -> None:
    """Put numbers at as many places as have room."""
    axes.set_xscale("log", base=2)
    longest = max((len(show(place)) for place in places), default=1)
    room = math.log2(places[-1] / places[0]) * (longest + 1) / _LETTERS if len(places) > 1 else 0.0
    told: list[float] = []
    for place in places:
        if not told or math.log2(place / told[-1]) > room:
            told.append(place)
    axes.set_xticks(told, [show(place) for place in told])
    axes.set_xticks([], minor=True)
    if len(places) > 1:
        axes.set_xlim(places[0] / 1.2, places[-1] * 1.2)


def _logarithmic(axes: Axes, show: Callable[[float], str]) -> None:
    from matplotlib.ticker import NullLocator

    ends, locator = between_decades(*axes.get_ylim())
    axes.set_ylim(*ends)
    axes.yaxis.set_major_locator(locator)
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(_formatter(show))


def between_decades(low: float, high: float) -> tuple[tuple[float, float], LogLocator]:
    """The ends of a logarithmic axis, and what puts numbers on it.

    They are at 1, 2, 5, 10, … or, over more than two decades, at the powers of ten.
    """
    from matplotlib.ticker import LogLocator

    if high / low < 4:
        low, high = low / 2, high * 2
    return (low, high), LogLocator(subs=(1, 2, 5) if high / low < 100 else (1,))


def _formatter(show: Callable[[float], str]) -> Any:
    from matplotlib.ticker import FuncFormatter

    return FuncFormatter(lambda value, _: show(value))


def _show_ratio(value: float) -> str:
    return f"{value:g}×" if value < 1000 else show_ratio(value)


def _show_size(value: float) -> str:
    return show_size(value).replace(".0 ", " ")


def show_latency(value: float) -> str:
    """A time without decimals that are 0."""
    return re.sub(r"\.0+ ", " ", show_seconds(value))


_SHOWN: Mapping[str, Callable[[float], str]] = {
    "rate": show_count,
    "ratio": _show_ratio,
    "seconds": show_latency,
}
