"""The numbers behind the plots and their tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import numpy as np

from core.analysis.live_figures import Floats, TimePlot
from core.result.moments import Moment
from core.result.result import Result, Trial

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
