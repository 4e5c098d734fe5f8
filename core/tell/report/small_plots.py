"""One trial over time: the numbers, and small plots of them without a figure of matplotlib.

A page has hundreds of them, and such a figure takes 20 ms, however little is in it.  The ticks are
matplotlib's, and the look is that of `core.tell.report.svg`.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

import msgspec
import numpy as np
from markupsafe import Markup

from core.judge.live_figures import Floats, TimePlot
from core.language.units import show
from core.tell.report.report_plots import between_decades, show_latency
from core.tell.report.svg import AXES, as_svg, line_variable, margins
from core.vocabulary.latency_map import LatencyFigure
from core.vocabulary.moments import Moment
from core.vocabulary.result import Result, Trial

_FEWEST_MOMENTS = 2
POINTS = 120


class DrawnPlot(NamedTuple):
    """A plot and its curves: a row for each time, NaN = unknown, a column for each in `columns`."""

    plot: TimePlot
    columns: tuple[int, ...]
    values: Floats

    @property
    def names(self) -> tuple[str, ...]:
        """Those of its curves."""
        return tuple(self.plot.columns[at] for at in self.columns)


@dataclass(frozen=True, kw_only=True)
class OverTime:
    """One trial from moment to moment; without curves of which nothing is known."""

    trial: Trial
    at: tuple[float, ...]
    """Seconds since the clock started, at the end of each value's interval."""
    plots: tuple[DrawnPlot, ...]


def typical_trial(result: Result) -> Trial | None:
    """The trial with the median throughput, or the first of an invalid result; one with moments."""
    seen = [trial for trial in result.trials if len(_running(trial)) >= _FEWEST_MOMENTS]
    rated = sorted(
        (trial for trial in seen if trial.throughput is not None),
        key=lambda trial: (trial.throughput or 0.0, trial.index),
    )
    if rated and result.valid:
        return rated[(len(rated) - 1) // 2]
    # A failed trial is more interesting than a good one beside it.
    return next((trial for trial in seen if not trial.valid), next(iter(seen), None))


def over_time(trial: Trial, points: int = POINTS) -> OverTime:
    """The live curves of a trial with at least two moments, merged to at most so many points.

    A merged point is the mean rate of its moments, or the most that they saw.
    """
    running = _running(trial)
    names = tuple(dict.fromkeys(name for moment in running for name in moment.tallies))
    times, values = TimePlot.values(running, _at_start(running[0]), names)
    starts = np.arange(0, len(running), -(-len(running) // points))
    took = np.where(np.isfinite(values), np.diff(times, prepend=0.0)[:, None], 0.0)
    known = np.add.reduceat(took, starts)
    known[known == 0] = np.nan
    means = np.add.reduceat(np.nan_to_num(values) * took, starts) / known
    mosts = np.fmax.reduceat(values, starts)
    plots, first = [], 0
    for plot in TimePlot.all(names):
        merged = (means if plot.grows else mosts)[:, first : first + len(plot.columns)]
        first += len(plot.columns)
        known = np.isfinite(merged).any(axis=0)
        drawn = plot.drawn_of(len(running[-1].cpu))
        # What is only told stands in where a platform does not know the rest.
        columns = tuple(at for at in drawn if known[at]) or tuple(
            at for at in plot.reported if known[at]
        )
        if columns:
            plots.append(DrawnPlot(plot, columns, merged[:, columns]))
    ends = [*(starts[1:] - 1), len(running) - 1]
    return OverTime(trial=trial, at=tuple(times[ends].tolist()), plots=tuple(plots))


def _at_start(first: Moment) -> Moment:
    """Nothing was done when the clock started; what CPU the workers had used is not known."""
    return msgspec.structs.replace(
        first,
        at=0.0,
        operations=(),
        cpu=(),
        bytes=0,
        tallies=dict.fromkeys(first.tallies, 0.0),
    )


def _running(trial: Trial) -> Sequence[Moment]:
    """The moments while the clock ran, no two at the same time."""
    kept: list[Moment] = []
    for moment in trial.moments:
        if moment.at > 0 and (not kept or moment.at > kept[-1].at):
            kept.append(moment)
    return kept


THROUGHPUT = "Throughput"
_WIDE, _HIGH = 300.0, 150.0
_COLUMNS = 48
"""Of a heat map: each cell is text in the page."""
_FREE = 0.05
"""Share of what curves cover that stays free above them and, among decades, below them."""
_DECADES = 4
"""Decades whose numbers have room."""
_BESIDE, _HALF, _BELOW = 5.0, 4.6, 15.1
"""Pixels: from an axis to its numbers, half a digit, and from the axis of time to its numbers."""


@dataclass(frozen=True, kw_only=True)
class ReportPanel:
    """A small plot; `keys` explains its colours."""

    title: str
    svg: Markup
    keys: tuple[tuple[int, str], ...] = ()


def panels_of(series: OverTime) -> tuple[ReportPanel, ...]:
    """The plots of one trial, as far as they were recorded."""
    return tuple(_panel(drawn, np.array(series.at)) for drawn in series.plots)


def _panel(drawn: DrawnPlot, at: Floats) -> ReportPanel:
    root, across, upright = _sheet(float(at[-1]), _upright(drawn))
    steps = drawn.plot.units[0] == "count"
    for place, values in enumerate(drawn.values.T):
        style = f"stroke:{line_variable(place)};stroke-width:1.4;stroke-linecap:square"
        _line(root, style, _path(across.pixels(at), upright.pixels(values), steps=steps))
    label = f"{drawn.plot.called} over time. The numbers are in the table below."
    return ReportPanel(
        title=drawn.plot.called,
        svg=as_svg(root, (_WIDE, _HIGH), label),
        keys=tuple(enumerate(drawn.names)) if len(drawn.columns) > 1 else (),
    )


def latency_panel(trial: Trial) -> ReportPanel | None:
    """The latencies of a trial over its time; None where too little was recorded."""
    if (shown := LatencyFigure.of([trial], _COLUMNS)) is None:
        return None
    ticks, texts = zip(*shown.ticks, strict=True) if shown.ticks else ((), ())
    ends = (shown.low, shown.high)
    axis = _Axis(ends=ends, ticks=ticks, texts=texts, logarithmic=True)
    root, across, upright = _sheet(shown.length, axis)
    paths: dict[float, list[str]] = {}
    for cell in shown.cells:
        left, right = map(_tenth, across.pixels(np.array([cell.start, cell.end])))
        low, high = map(_tenth, upright.pixels(np.array([cell.low, cell.high])))
        paths.setdefault(cell.ink, []).append(f"M{left} {low}H{right}V{high}H{left}z")
    for ink, cells in paths.items():
        style = f"fill:{line_variable(0)};fill-opacity:{ink:g}"
        SubElement(root, "path", {"d": "".join(cells), "style": style})
    label = (
        f"Heat map: latencies over time, from {show_latency(ends[0])} to {show_latency(ends[1])}."
    )
    return ReportPanel(title="Latency over time", svg=as_svg(root, (_WIDE, _HIGH), label))


def _sheet(end: float, upright: _Axis) -> tuple[Element, _Axis, _Axis]:
    """An empty plot from 0 to `end` seconds, and both axes with their pixels."""
    room = margins(max(map(len, upright.texts), default=0))
    left, right, low = room.left, _WIDE - room.right, _HIGH - room.bottom
    across = replace(_across(max(end, 1e-3)), reach=(left, right))
    upright = replace(upright, reach=(low, room.top))
    root = Element("svg")
    for y, text in upright.numbers():
        _line(root, AXES, f"M{left:g} {_tenth(y)}H{right:g}")
        _number(root, (left - _BESIDE, y + _HALF), "end", text)
    _line(root, AXES, f"M{left:g} {low:g}H{right:g}")
    for x, text in across.numbers():
        _number(root, (x, low + _BELOW), "middle", text)
    return root, across, upright


@dataclass(frozen=True, kw_only=True)
class _Axis:
    """The values at both ends, and numbers at `ticks`, of which some lie beyond the ends."""

    ends: tuple[float, float]
    ticks: Sequence[float]
    texts: Sequence[str]
    logarithmic: bool = False
    reach: tuple[float, float] = (0.0, 1.0)
    """The pixels of both ends."""

    def pixels(self, values: Floats) -> Floats:
        """Where values are, at most at an end; NaN where they are unknown."""
        ends, known = np.array(self.ends), np.where(np.isfinite(values), values, np.nan)
        if self.logarithmic:
            ends, known = np.log(ends), np.log(np.maximum(known, self.ends[0]))
        share = np.clip((known - ends[0]) / (ends[1] - ends[0]), 0.0, 1.0)
        found: Floats = self.reach[0] + share * (self.reach[1] - self.reach[0])
        return found

    def numbers(self) -> Iterator[tuple[float, str]]:
        """The numbers between the ends: where they are, and what they say."""
        (low, high), slack = self.ends, 1e-9 * self.ends[1]
        at = self.pixels(np.asarray(self.ticks, np.float64))
        for tick, pixel, text in zip(self.ticks, at.tolist(), self.texts, strict=True):
            if low - slack <= tick <= high + slack:
                yield pixel, text


def _across(end: float) -> _Axis:
    from matplotlib.ticker import MaxNLocator

    ticks = MaxNLocator(nbins=4).tick_values(0.0, end)
    return _Axis(ends=(0.0, end), ticks=ticks, texts=[f"{tick:g} s" for tick in ticks])


def _upright(drawn: DrawnPlot) -> _Axis:
    from matplotlib.ticker import MaxNLocator, MultipleLocator

    unit, known = drawn.plot.units[0], drawn.values[np.isfinite(drawn.values)]
    if drawn.plot.logarithmic:
        ends, of_logs = between_decades(*_reach_of_logs(known[known > 0.0]))
        of_logs.set_params(numticks=_DECADES)
        ticks = of_logs.tick_values(*ends)
        texts = list(map(show_latency, ticks))
        return _Axis(ends=ends, ticks=ticks, texts=texts, logarithmic=True)
    top = _top(known)
    # Sizes have their numbers at multiples of a power of two.
    power = 2.0 ** np.floor(np.log2(max(top, 2.0) / 2.5))
    locator = MultipleLocator(power) if unit == "bytes" else MaxNLocator(nbins=3)
    ticks = locator.tick_values(0.0, top)
    of = "" if unit == "count" or drawn.plot.called == THROUGHPUT else unit
    return _Axis(ends=(0.0, top), ticks=ticks, texts=[show(tick, of) for tick in ticks])


def _top(known: Floats) -> float:
    """The end of an axis from 0 that leaves room above the curves."""
    low, high = float(known.min()), float(known.max())
    if low == high:  # a flat curve has room as if it went up and down a little
        low, high = (low - _FREE * abs(low), high + _FREE * abs(high)) if high else (-_FREE, _FREE)
    top = high + _FREE * (high - low)
    return 1.08 * top if top > 0.0 else 1.0


def _reach_of_logs(known: Floats) -> tuple[float, float]:
    if not known.size:
        return 1.0, 10.0
    low, high = float(known.min()), float(known.max())
    if low == high:
        low, high = low / 10.0, high * 10.0
    free = (high / low) ** _FREE
    return low / free, high * free


def _path(xs: Floats, ys: Floats, *, steps: bool) -> str:
    """A curve through the points, broken where one is unknown; a flat part has its ends only."""
    parts: list[str] = []
    drawing = False
    points = zip(map(_tenth, xs), map(_tenth, ys), strict=True)
    for y, flat in itertools.groupby(points, key=operator.itemgetter(1)):
        (first, _), *_, (last, _) = [*flat] * 2
        if y == _UNKNOWN:
            parts += [f"H{first}"] if drawing and steps else []
            drawing = False
            continue
        if not drawing:
            parts.append(f"M{first} {y}")
        else:
            parts.append(f"H{first}V{y}" if steps else f"L{first} {y}")
        if last != first:
            parts.append(f"H{last}")
        drawing = True
    return "".join(parts)


def _tenth(pixel: float) -> str:
    return f"{round(float(pixel), 1):g}"


_UNKNOWN = _tenth(float("nan"))


def _line(root: Element, style: str, path: str) -> None:
    SubElement(root, "path", {"d": path, "style": f"fill:none;{style}"})


def _number(root: Element, where: tuple[float, float], anchor: str, text: str) -> None:
    x, y = map(_tenth, where)
    style = f"font-size:12px;text-anchor:{anchor};fill:var(--muted)"
    SubElement(root, "text", {"x": x, "y": y, "style": style}).text = text
