"""The numbers behind the plots and their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.analysis.rates import rate_between
from core.language.units import Unit
from core.result.histogram import Percentile
from core.result.metric import Live
from core.result.metrics import live_plots
from core.result.moments import Moment
from core.result.result import Result, Trial

_FEWEST_MOMENTS = 2
POINTS = 120


def latencies(result: Result) -> tuple[Percentile, ...]:
    """The percentiles that all trials together support; none unless the result is valid."""
    together = result.latencies if result.valid else None
    return together.percentiles() if together else ()


class TimePlot(NamedTuple):
    """Curves that share a plot, by their names, one value for each time."""

    title: str
    unit: Unit
    curves: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, kw_only=True)
class OverTime:
    """One trial from moment to moment; without series that have gaps."""

    trial: Trial
    at: tuple[float, ...]
    """Seconds since the clock started, at the end of each value's interval."""
    plots: tuple[TimePlot, ...]


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
    size = -(-len(running) // points)
    groups = [running[start : start + size] for start in range(0, len(running), size)]
    plots = []
    for title, known in live_plots().items():
        lives = [live for _, live in known if live.reported]
        curves = {live.curve: values for live in lives if (values := _merged(groups, live))}
        if curves:
            plots.append(TimePlot(title, known[0][0].plotted, curves))
    if "Memory" not in {plot.title for plot in plots} and (values := _merged(groups, _RESIDENT)):
        plots.append(TimePlot("Memory", "bytes", {"resident": values}))
    return OverTime(trial=trial, at=tuple(group[-1].at for group in groups), plots=tuple(plots))


_RESIDENT = Live("Memory", "resident", lambda m: m.reading.rss if m.reading else None)
"""Where a platform does not tell which memory belongs to files."""


def _merged(groups: Sequence[Sequence[Moment]], live: Live) -> tuple[float, ...]:
    """A value for each group; none where one of them was not seen."""
    if live.grows:
        ends = [group[-1] for group in groups]
        pairs = zip([None, *ends[:-1]], ends, strict=True)
        return tuple(max(rate_between(start, end, live.of) or 0.0, 0.0) for start, end in pairs)
    found = [[value for one in group if (value := live.of(one)) is not None] for group in groups]
    return tuple(map(max, found)) if all(found) else ()


def _running(trial: Trial) -> list[Moment]:
    """The moments while the clock ran, no two at the same time."""
    kept: list[Moment] = []
    for moment in trial.moments:
        if moment.at > 0 and (not kept or moment.at > kept[-1].at):
            kept.append(moment)
    return kept
