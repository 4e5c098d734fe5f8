"""The large plots of a report: throughput, or times, and latency."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping

import numpy as np
from markupsafe import Markup

from core.language import one_line, show_count, show_ratio, show_seconds
from core.tell.report.svg import (
    Axis,
    Drawing,
    between_decades,
    line_variable,
    path_through,
    round_numbers,
    tenth,
)
from core.vocabulary import BarsFigure, CurvesFigure, FigureBar, FigureCurve, GridFigure

WIDE, HIGH = 460.0, 300.0
_HIGHER = 400.0
_ROW = 42.0
_CELL = 30.0
"""Pixels of a map's row."""
_LETTER_WIDTH = 6.5
_TINT = 0.5
"""Of the best cell's colour, so that its number can be read."""
_BESIDE = 0.26
"""Room beside the first and the last place, in the axis' own coordinates."""
_LETTERS_ACROSS = 50
"""Letters that have room along the axis of a plot."""
_NAMES, _LETTERS = 46, 62
"""Letters of a bar's name, and of a line of text."""
_DASHED = "stroke-dasharray:4 3"
_CAP = 3.0
"""Pixels of an interval's end to either side."""
_CROSS = "m-3-3l6 6m0-6l-6 6"


def figure_curves(figure: CurvesFigure, label: str) -> Markup:
    """The curves of a figure with their intervals; × on the axis where a result is invalid."""
    drawing = Drawing.empty(WIDE, _HIGHER if figure.most is None else HIGH)
    across, upright = drawing.axes(_across(figure), _upright(figure), figure.axis)
    _advised(drawing, figure, across, upright)
    _border(drawing, figure, across, upright)
    for rank, curve in enumerate(figure.drawn):
        _Curve(drawing, figure, rank, across, upright).draw(curve)
    return drawing.finished(label)


def _across(figure: CurvesFigure) -> Axis:
    """The lower axis, with texts at as many places as have room."""
    texts = {figure.position(place): figure.place_text(place) for place in figure.places}
    at = [*texts]
    letter = (at[-1] - at[0]) / _LETTERS_ACROSS if at else 0.0
    ticks = at[:1]
    for one in at[1:]:
        if one - ticks[-1] > letter * (len(texts[one]) + len(texts[ticks[-1]]) + 2) / 2:
            ticks.append(one)
    ends = (at[0] - _BESIDE, at[-1] + _BESIDE) if at else (0.0, 1.0)
    return Axis(ends=ends, ticks=ticks, texts=[texts[one] for one in ticks])


def _upright(figure: CurvesFigure) -> Axis:
    show = _NUMBERS[figure.unit]
    if figure.logarithmic:
        trials = [t for curve in figure.drawn for one in curve.points for t in one.found.trials]
        values = np.array([*trials, *figure.reach()])
        ends, ticks = between_decades(values[(values > 0.0) & np.isfinite(values)], 9)
    else:
        ends = (0.0, 1.08 * figure.top() or 1.0)
        ticks = round_numbers(ends[1], 7)
    texts = list(map(show, ticks))
    return Axis(ends=ends, ticks=ticks, texts=texts, logarithmic=figure.logarithmic)


def _advised(drawing: Drawing, figure: CurvesFigure, across: Axis, upright: Axis) -> None:
    """A dashed line at the setting to use, with its words on the side that has room."""
    best = figure.chosen
    if best is None or best.recommended is None:
        return
    x, (low, high) = across.pixel(figure.position(best.recommended)), upright.reach
    drawing.line(f"stroke:var(--text);{_DASHED}", f"M{tenth(x)} {tenth(low)}V{tenth(high)}")
    before = x > sum(across.reach) / 2
    where = (x - 5.0 if before else x + 5.0, high + 10.0)
    drawing.text(where, figure.advised, "text", "end" if before else "start")


def _border(drawing: Drawing, figure: CurvesFigure, across: Axis, upright: Axis) -> None:
    """The leanest client's curve; of rates, what lies above it is tinted."""
    line = figure.border.line if figure.border is not None else ()
    if len(line) < 2:
        return
    places = [(across.pixel(figure.position(at)), upright.pixel(value)) for at, value in line]
    points = np.array(places)
    path = path_through(points[:, 0], points[:, 1])
    if figure.unit == "rate":
        top, first = tenth(upright.reach[1]), tenth(places[0][0])
        drawing.area("fill:var(--muted);fill-opacity:0.12", f"{path}V{top}H{first}z")
    drawing.line(f"stroke:var(--muted);stroke-width:1.8;{_DASHED}", path)


class _Curve:
    """Draws a curve of a figure, in the colour of its rank."""

    def __init__(
        self, drawing: Drawing, figure: CurvesFigure, rank: int, across: Axis, upright: Axis
    ) -> None:
        self._drawing, self._figure, self._rank = drawing, figure, rank
        self._across, self._upright = across, upright
        self._stroke = f"stroke:{line_variable(rank)}"

    def draw(self, curve: FigureCurve) -> None:
        good = [one for one in curve.points if not one.failed]
        trials = ((one.at, value) for one in curve.points for value in one.found.trials)
        visible = (pair for pair in trials if self._upright.holds(pair[1]))
        style = f"{self._stroke};stroke-width:4.5;stroke-opacity:0.5"
        self._drawing.dots((self._place(*pair) for pair in visible), style)
        self._joined(curve.line, f"{self._stroke};stroke-width:1.8")
        self._intervals([(one.at, *one.ends) for one in good])
        for one in good:
            self._drawing.mark(self._place(one.at, one.value), self._rank)
        low, high = self._upright.reach
        y = low + 0.03 * (high - low)
        at = [tenth(self._x(one.at)) for one in curve.points if one.failed]
        crosses = "".join(f"M{x} {tenth(y)}{_CROSS}" for x in at)
        self._drawing.line("stroke:var(--bad);stroke-width:2", crosses)
        self._joined(curve.charted, f"{self._stroke};stroke-width:1.3;stroke-dasharray:1.3 2.2")
        self._joined(curve.published, f"{self._stroke};stroke-width:1.3;{_DASHED}")
        for pair in curve.published:
            self._drawing.mark(self._place(*pair), self._rank, hollow=True)

    def _x(self, at: float) -> float:
        return self._across.pixel(self._figure.position(at) + self._figure.aside(self._rank))

    def _place(self, at: float, value: float) -> tuple[float, float]:
        return self._x(at), self._upright.pixel(value)

    def _joined(self, pairs: Iterable[tuple[float, float]], style: str) -> None:
        points = np.array([self._place(*pair) for pair in pairs]).reshape(-1, 2)
        self._drawing.line(style, path_through(points[:, 0], points[:, 1]))

    def _intervals(self, intervals: Iterable[tuple[float, float, float]]) -> None:
        """With a cap at each end that is not cut."""
        path = ""
        for at, low, high in intervals:
            if low == high:
                continue
            (x, below), (_, above) = self._place(at, low), self._place(at, high)
            path += f"M{tenth(x)} {tenth(below)}V{tenth(above)}"
            for end, y in ((low, below), (high, above)):
                if self._upright.holds(end):
                    path += f"M{tenth(x - _CAP)} {tenth(y)}h{2 * _CAP:g}"
        self._drawing.line(f"{self._stroke};stroke-width:1.2", path)


def figure_grid(figure: GridFigure, label: str) -> Markup:
    """A map with a number in each cell; what cannot fit is an outline."""
    high = _CELL * len(figure.rows)
    drawing = Drawing.empty(WIDE, high + 56.0)
    letters = max(map(len, (*figure.rows, figure.axes[1])))
    start = 12.0 + _LETTER_WIDTH * letters
    wide = (WIDE - start - 4.0) / len(figure.columns)
    middle = _CELL / 2 + 4.0
    for row, name in enumerate((*figure.rows, figure.axes[1])):
        drawing.text((start - 8.0, 16.0 + row * _CELL + middle), name, "muted", "end")
    drawing.text((start - 8.0, 12.0), figure.axes[0], "muted", "end")
    for column, name in enumerate(figure.columns):
        x = start + (column + 0.5) * wide
        drawing.text((x, 16.0 + high + middle), name, "muted", "middle")
    for one in sorted(figure.cells, key=lambda cell: bool(cell.ring)):
        x, y = start + one.column * wide, 16.0 + one.row * _CELL
        path = f"M{tenth(x + 1)} {tenth(y + 1)}h{tenth(wide - 2)}v{_CELL - 2:g}h-{tenth(wide - 2)}z"
        if one.kind in ("unfit", "failed"):
            drawing.line("stroke:var(--muted);stroke-dasharray:1 3", path)
        else:
            opacity = _TINT * one.share
            drawing.area(f"fill:{line_variable(0)};fill-opacity:{opacity:.2f}", path)
        if one.ring:
            dashes = f";{_DASHED}" if one.ring == "cheapest" else ""
            drawing.line(f"stroke:var(--text);stroke-width:2{dashes}", path)
        drawing.text((x + wide / 2, y + middle), one.text, "text", "middle")
    for row, first, last, reason in figure.reasons:
        place = (start + (first + last + 1) / 2 * wide, 16.0 + row * _CELL + middle)
        text = brief(reason, int((last - first + 1) * wide / _LETTER_WIDTH))
        drawing.text(place, text, "muted", "middle")
    return drawing.finished(label)


def figure_bars(figure: BarsFigure, label: str) -> Markup:
    """Each bar below its name, with its interval and its trials."""
    drawing = Drawing.empty(WIDE, _ROW * len(figure.bars) + 8.0)
    start, right = 0.01 * WIDE, 0.99 * WIDE
    end = 1.02 * figure.top
    across = Axis(ends=(0.0, end), ticks=(), texts=(), reach=(start, right))
    for row, bar in enumerate(figure.bars):
        y = _ROW * row + 18.0
        name = brief(one_line(bar.name), _NAMES)
        first = name if bar.failed else brief(one_line(f"{name} · {bar.text}"), _LETTERS)
        drawing.text((start, y), first, "text", "start")
        if bar.failed:
            text = brief(one_line(f"× {bar.text}"), _LETTERS)
            drawing.text((start, y + 17.0), text, "bad", "start")
        else:
            _bar(drawing, bar, across, y + 13.0, min(bar.ends[1], figure.top))
    return drawing.finished(label)


def _bar(drawing: Drawing, bar: FigureBar, across: Axis, y: float, high: float) -> None:
    colour = "var(--muted)" if bar.rank is None else line_variable(bar.rank)
    start, right = (tenth(across.pixel(value)) for value in (0.0, bar.value))
    path = f"M{start} {tenth(y - 6.5)}H{right}v13H{start}z"
    drawing.area(f"fill:{colour};fill-opacity:0.85", path)
    if bar.ends[0] < high:
        low, top = (tenth(across.pixel(value)) for value in (bar.ends[0], high))
        ends = "".join(f"M{x} {tenth(y - 3)}v6" for x in (low, top))
        drawing.line("stroke:var(--text);stroke-width:1.2", f"M{low} {tenth(y)}H{top}{ends}")
    visible = [(across.pixel(value), y) for value in bar.trials if across.holds(value)]
    drawing.dots(visible, "stroke:var(--text);stroke-width:4")


def brief(text: str, columns: int) -> str:
    """The text cut to so many columns; East Asian letters take two."""
    width = 0
    for at, letter in enumerate(text):
        width += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if width > columns:
            return f"{text[: max(at - 1, 0)]}…"
    return text


def show_latency(value: float) -> str:
    """A time without decimals that are 0."""
    return re.sub(r"\.0+ ", " ", show_seconds(value))


_NUMBERS: Mapping[str, Callable[[float], str]] = {
    "rate": show_count,
    "ratio": lambda value: f"{value:g}×" if value < 1000 else show_ratio(value),
    "seconds": show_latency,
}
"""How a value of each unit stands at an axis."""
