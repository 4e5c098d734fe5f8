"""The large plots of a report: throughput, or times, and latency."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from core.judge.figures import BarsFigure, CurvesFigure, FigureCurve
from core.language.translation import one_line
from core.language.units import show_count, show_ratio, show_seconds
from core.tell.report.svg import (
    BAD,
    INK,
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
_BESIDE = 0.26
"""Room beside the first and the last place, in the axis' own coordinates."""
_LETTERS_ACROSS = 50
"""Letters that have room along the axis of a plot."""
_NAMES, _LETTERS = 46, 62
"""Letters of a bar's name, and of a line of text."""


def figure_curves(figure: CurvesFigure, key: str, label: str) -> Markup:
    """The curves of a figure with their intervals; × on the axis where a result is invalid."""
    drawing, axes = sheet(WIDE, _HIGHER if figure.most is None else HIGH)
    _ticks(axes, figure)
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
    at, *ends = map(figure.position, (best.recommended, figure.places[0], figure.places[-1]))
    axes.axvline(at, color=INK["text"], lw=1.0, ls=(0, (4, 3)), zorder=1.0)
    left = at > sum(ends) / 2
    axes.annotate(
        figure.advised,
        (at, 1.0),
        xycoords=axes.get_xaxis_transform(),
        xytext=(-5.0 if left else 5.0, -10.0),
        textcoords="offset points",
        ha="right" if left else "left",
    )


def _curve(axes: Axes, figure: CurvesFigure, curve: FigureCurve, rank: int) -> None:
    colour, aside = line_colour(rank), figure.aside(rank)

    def place(at: float) -> float:
        return figure.position(at) + aside

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
            axes.plot([x], [0.03], "x", transform=ground, color=BAD, mew=2.0)
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


def figure_bars(figure: BarsFigure, key: str, label: str) -> Markup:
    """Each bar below its name, with its interval and its trials; texts are put in unchanged."""
    count = len(figure.bars)
    high = 24.0 + _ROW * count
    drawing, axes = sheet(WIDE, high)
    axes.set_position((0.01, 16.0 / high, 0.98, 1.0 - 18.0 / high))
    axes.grid(visible=False)
    axes.set_axis_off()
    axes.set_xlim(0, 1.02 * figure.top)
    axes.set_ylim(count - 0.1, -0.65)
    texts: list[str] = []

    def write(row: float, text: str, colour: str) -> None:
        axes.text(0, row, placeholder(len(texts)), color=colour, va="center", ha="left")
        texts.append(brief(one_line(text), _LETTERS))

    for row, bar in enumerate(figure.bars):
        middle = row + 0.06
        name = brief(one_line(bar.name), _NAMES)
        if bar.failed:
            write(row - 0.34, name, INK["text"])
            write(middle, f"× {bar.text}", BAD)
            continue
        write(row - 0.34, f"{name} · {bar.text}", INK["text"])
        colour = INK["muted"] if bar.rank is None else line_colour(bar.rank)
        axes.barh(middle, bar.value, height=0.32, color=colour, alpha=0.85)
        low, high = bar.ends[0], min(bar.ends[1], figure.top)
        if low < high:
            axes.plot([low, high], [middle] * 2, color=INK["text"], lw=1.2, marker="|", ms=6.0)
        places = [middle] * len(bar.trials)
        axes.plot(bar.trials, places, "o", color=INK["text"], ms=4.0, mew=0.0)
    return finished(drawing, key, label, texts)


def brief(text: str, columns: int) -> str:
    """The text cut to so many columns; East Asian letters take two."""
    width = 0
    for at, letter in enumerate(text):
        width += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if width > columns:
            return f"{text[: max(at - 1, 0)]}…"
    return text


def _ticks(axes: Axes, figure: CurvesFigure) -> None:
    """Put texts at as many places as have room."""
    texts = {figure.position(place): figure.place_text(place) for place in figure.places}
    at = [*texts]
    letter = (at[-1] - at[0]) / _LETTERS_ACROSS if at else 0.0
    told = at[:1]
    for one in at[1:]:
        if one - told[-1] > letter * (len(texts[one]) + len(texts[told[-1]]) + 2) / 2:
            told.append(one)
    axes.set_xticks(told, [texts[one] for one in told])
    axes.set_xlabel(figure.axis)
    if at:
        axes.set_xlim(at[0] - _BESIDE, at[-1] + _BESIDE)


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


def show_latency(value: float) -> str:
    """A time without decimals that are 0."""
    return re.sub(r"\.0+ ", " ", show_seconds(value))


_SHOWN: Mapping[str, Callable[[float], str]] = {
    "rate": show_count,
    "ratio": _show_ratio,
    "seconds": show_latency,
}
