"""One trial over time: the numbers, and small plots of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import numpy as np
from markupsafe import Markup

from core.judge import Floats, TimePlot
from core.language import show
from core.tell.report.report_plots import show_latency
from core.tell.report.svg import (
    Axis,
    Drawing,
    between_decades,
    line_variable,
    multiples,
    path_through,
    round_numbers,
    tenth,
)
from core.vocabulary import LatencyFigure, Moment, Result, Trial

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
    observed = [trial for trial in result.trials if len(_running(trial)) >= _FEWEST_MOMENTS]
    rated = sorted(
        (trial for trial in observed if trial.throughput is not None),
        key=lambda trial: (trial.throughput or 0.0, trial.index),
    )
    if rated and result.valid:
        return rated[(len(rated) - 1) // 2]
    # A failed trial is more interesting than a good one beside it.
    return next((trial for trial in observed if not trial.valid), next(iter(observed), None))


def over_time(trial: Trial, points: int = POINTS) -> OverTime:
    """The live curves of a trial with at least two moments, merged to at most so many points.

    A merged point is the mean rate of its moments, or the most that they saw.
    """
    running = _running(trial)
    names = tuple(dict.fromkeys(name for moment in running for name in moment.tallies))
    times, values = TimePlot.values(running, _at_start(running[0]), names)
    starts = np.arange(0, len(running), -(-len(running) // points))
    took = np.where(np.isfinite(values), np.diff(times, prepend=0.0)[:, None], 0.0)
    durations = np.add.reduceat(took, starts)
    durations[durations == 0] = np.nan
    means = np.add.reduceat(np.nan_to_num(values) * took, starts) / durations
    mosts = np.fmax.reduceat(values, starts)
    plots, first = [], 0
    for plot in TimePlot.all(names):
        merged = (means if plot.grows else mosts)[:, first : first + len(plot.columns)]
        first += len(plot.columns)
        observed = np.isfinite(merged).any(axis=0)
        drawn = plot.drawn_of(len(running[-1].cpu))
        # What is only told stands in where a platform does not know the rest.
        columns = tuple(at for at in drawn if observed[at]) or tuple(
            at for at in plot.reported if observed[at]
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
    running: list[Moment] = []
    for moment in trial.moments:
        if moment.at > 0 and (not running or moment.at > running[-1].at):
            running.append(moment)
    return running


THROUGHPUT = "Throughput"
_WIDE, _HIGH = 300.0, 150.0
_COLUMNS = 48
"""Of a heat map: each cell is text in the page."""
_FREE = 0.05
"""Share of what curves cover that stays free above them."""
_DECADES = 4
"""Decades whose numbers have room."""


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
    drawing = Drawing.empty(_WIDE, _HIGH)
    across, upright = drawing.axes(_across(float(at[-1])), _upright(drawn))
    steps = drawn.plot.units[0] == "count"
    for place, values in enumerate(drawn.values.T):
        style = f"stroke:{line_variable(place)};stroke-width:1.4;stroke-linecap:square"
        path = path_through(across.pixels(at), upright.pixels(values), steps=steps)
        drawing.line(style, path)
    label = f"{drawn.plot.called} over time. The numbers are in the table below."
    return ReportPanel(
        title=drawn.plot.called,
        svg=drawing.finished(label),
        keys=tuple(enumerate(drawn.names)) if len(drawn.columns) > 1 else (),
    )


def latency_panel(trial: Trial) -> ReportPanel | None:
    """The latencies of a trial over its time; None where too little was recorded."""
    if (figure := LatencyFigure.of([trial], _COLUMNS)) is None:
        return None
    ticks, texts = zip(*figure.ticks, strict=True) if figure.ticks else ((), ())
    ends = (figure.low, figure.high)
    axis = Axis(ends=ends, ticks=ticks, texts=texts, logarithmic=True)
    drawing = Drawing.empty(_WIDE, _HIGH)
    across, upright = drawing.axes(_across(figure.length), axis)
    paths: dict[float, list[str]] = {}
    for cell in figure.cells:
        start, right = map(tenth, across.pixels(np.array([cell.start, cell.end])))
        low, high = map(tenth, upright.pixels(np.array([cell.low, cell.high])))
        paths.setdefault(cell.ink, []).append(f"M{start} {low}H{right}V{high}H{start}z")
    for ink, cells in paths.items():
        drawing.area(f"fill:{line_variable(0)};fill-opacity:{ink:g}", "".join(cells))
    label = (
        f"Heat map: latencies over time, from {show_latency(ends[0])} to {show_latency(ends[1])}."
    )
    return ReportPanel(title="Latency over time", svg=drawing.finished(label))


def _across(end: float) -> Axis:
    end = max(end, 1e-3)
    ticks = round_numbers(end, 4)
    return Axis(ends=(0.0, end), ticks=ticks, texts=[f"{tick:g} s" for tick in ticks])


def _upright(drawn: DrawnPlot) -> Axis:
    unit, values = drawn.plot.units[0], drawn.values[np.isfinite(drawn.values)]
    if drawn.plot.logarithmic:
        ends, ticks = between_decades(values[values > 0.0], _DECADES)
        return Axis(ends=ends, ticks=ticks, texts=list(map(show_latency, ticks)), logarithmic=True)
    top = _top(values)
    # Sizes have their numbers at multiples of a power of two.
    power = 2.0 ** math.floor(math.log2(max(top, 2.0) / 2.5))
    ticks = multiples(power, top) if unit == "bytes" else round_numbers(top, 3)
    of = "" if unit == "count" or drawn.plot.called == THROUGHPUT else unit
    return Axis(ends=(0.0, top), ticks=ticks, texts=[show(tick, of) for tick in ticks])


def _top(values: Floats) -> float:
    """The end of an axis from 0 that leaves room above the curves."""
    low, high = float(values.min()), float(values.max())
    if low == high:  # a flat curve has room as if it went up and down a little
        low, high = (low - _FREE * abs(low), high + _FREE * abs(high)) if high else (-_FREE, _FREE)
    top = high + _FREE * (high - low)
    return 1.08 * top if top > 0.0 else 1.0
