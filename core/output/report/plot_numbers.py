"""The numbers behind the plots and their tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.analysis.rates import rate_between
from core.result.histogram import Percentile
from core.result.moments import Moment
from core.result.result import Result, Trial

_FEWEST_MOMENTS = 2
POINTS = 120


def latencies(result: Result) -> tuple[Percentile, ...]:
    """The percentiles that all trials together support; none unless the result is valid."""
    together = result.latencies if result.valid else None
    return together.percentiles() if together else ()


@dataclass(frozen=True, kw_only=True)
class OverTime:
    """One trial from moment to moment; a series with gaps is empty."""

    trial: Trial
    at: tuple[float, ...]
    """Seconds since the clock started, at the end of each value's interval."""
    rate: tuple[float, ...]
    """Operations per second."""
    anonymous: tuple[float, ...]
    file_backed: tuple[float, ...]
    resident: tuple[float, ...]
    files: tuple[float, ...]
    dataset_files: tuple[float, ...]


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
    """The series of a trial with at least two moments, merged to at most so many points.

    A merged point is the mean rate of its moments and the most memory and files they saw.
    """
    running = _running(trial)
    size = -(-len(running) // points)
    groups = [running[start : start + size] for start in range(0, len(running), size)]
    ends = [group[-1] for group in groups]

    def most(look: Callable[[Moment], float | None]) -> tuple[float, ...]:
        """The highest value of every group; empty where one of them was not seen."""
        found = [[value for one in group if (value := look(one)) is not None] for group in groups]
        return tuple(map(max, found)) if all(found) else ()

    anonymous = most(lambda m: m.reading.rss_anonymous if m.reading else None)
    file_backed = most(lambda m: m.reading.rss_file if m.reading else None)
    both = bool(anonymous and file_backed)
    return OverTime(
        trial=trial,
        at=tuple(end.at for end in ends),
        rate=tuple(
            max(rate_between(start, end) or 0.0, 0.0)
            for start, end in zip([None, *ends[:-1]], ends, strict=True)
        ),
        anonymous=anonymous if both else (),
        file_backed=file_backed if both else (),
        resident=most(lambda m: m.reading.rss if m.reading else None),
        files=most(lambda m: m.reading.fds if m.reading else None),
        dataset_files=most(lambda m: m.reading.dataset_fds if m.reading else None),
    )


def _running(trial: Trial) -> list[Moment]:
    """The moments while the clock ran, no two at the same time."""
    kept: list[Moment] = []
    for moment in trial.moments:
        if moment.at > 0 and (not kept or moment.at > kept[-1].at):
            kept.append(moment)
    return kept
