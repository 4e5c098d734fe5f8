"""What the trials of a result come to, and how one result stands to another: the only place.

Every table, card, plot, claim, export and verdict has its figures from here.

*A result* comes to the geometric mean of its trials, with Student's 95 % interval of the mean of
their logs.  *One result against another* is the ratio of their geometric means.  Where both ran in
the same blocks that is also the geometric mean of the ratios within blocks, and its interval is
the paired one of these, so that what drifts from block to block cancels.

The geometric mean, because it alone gives one answer to one question: the ratio of two means is
the mean of the ratios, the steps from 1 to 2 and from 2 to 4 threads multiply to the one from 1 to
4, and times, which are the reciprocals of rates, agree with the rates.  Medians do neither, and two
medians may come from different blocks.  A trial that a stall has slowed down counts for what it
took; the interval shows it.

Counts and shares have no ratio scale: theirs is the median.

Sources: Fleming & Wallace, "How not to lie with statistics: the correct way to summarize benchmark
results", CACM 29 (1986); Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM 2013,
for the trial as the unit and for intervals; Student, "The probable error of a mean", Biometrika 6
(1908).
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.result.result import METRICS, QUANTILES, Result, Trial

if TYPE_CHECKING:
    from core.analysis.statistics import Drift, Estimate

RATES = ("throughput", "byte_rate")
"""What only a result has of which every trial went well."""
_COUNTS_AND_SHARES = frozenset(
    {"fds", "dataset_fds", "errors", "wrong", "harness", "first_step_share"}
)
_FEWEST_TRIALS = 2
"""Trials from which there is an interval: one cannot speak for the next."""


@dataclass(frozen=True, kw_only=True)
class MetricEstimate:
    """An estimate with its 95 % interval and one figure per trial; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    trials: tuple[float, ...] = ()

    def scaled(self, factor: float) -> MetricEstimate:
        """The same in a unit of which one is so many of this."""
        return self._mapped(lambda value: value * factor)

    def inverted(self) -> MetricEstimate:
        """Times where these are rates, or rates where these are times."""
        turned = self._mapped(lambda value: 1.0 / value if value > 0.0 else math.inf)
        return MetricEstimate(
            value=turned.value, low=turned.high, high=turned.low, trials=turned.trials
        )

    def _mapped(self, change: Callable[[float], float]) -> MetricEstimate:
        value, low, high = (
            None if one is None else change(one) for one in (self.value, self.low, self.high)
        )
        return MetricEstimate(
            value=value, low=low, high=high, trials=tuple(map(change, self.trials))
        )


NOT_MEASURED = MetricEstimate(value=None)


def mean_log(values: Sequence[float]) -> float:
    """Mean of the natural logs: the log of the geometric mean; ValueError for none or one ≤ 0."""
    if not values or min(values) <= 0.0:
        raise ValueError("a geometric mean needs positive values")
    return math.fsum(map(math.log, values)) / len(values)


def typical(result: Result, metric: str = "throughput") -> float | None:
    """What the trials of a result come to in a metric of `METRICS`; None where it has none.

    A rate is that of all trials: the result has none unless every trial is valid.  It is 0 where a
    trial moved nothing while all its workers were active.  A latency that not each trial can tell
    is that of all of them together.
    """
    values = _figures(result, metric)
    if metric in QUANTILES and len(values) < len(result.finished_trials):
        together = result.latencies
        return together.seconds(QUANTILES[metric]) if together else None
    if not values:
        return None
    if metric in _COUNTS_AND_SHARES:
        return statistics.median(values)
    if min(values) <= 0.0:
        return 0.0
    # Over the first, so that equal trials come to exactly what each of them has.
    return values[0] * math.exp(mean_log([value / values[0] for value in values]))


def _figures(result: Result, metric: str) -> list[float]:
    """One figure per trial that has it; of a rate none unless every trial is valid."""
    return [] if metric in RATES and not result.valid else result.values(metric)


def metric_estimate(result: Result, metric: str = "throughput") -> MetricEstimate:
    """`typical` with its interval, from two trials on, and the figures of the trials.

    The interval speaks for trials like these; what another session adds is in comparisons only.
    Counts and shares have none.
    """
    value, values = typical(result, metric), tuple(_figures(result, metric))
    if (
        value is None
        or len(values) < _FEWEST_TRIALS
        or min(values) <= 0.0
        or metric in _COUNTS_AND_SHARES
        or (metric in QUANTILES and len(values) < len(result.finished_trials))
    ):
        return MetricEstimate(value=value, trials=values)
    from core.analysis.statistics import interval_of, over_trials

    found = interval_of(over_trials([math.log(one) for one in values]))
    return _around(value, found.low, found.high, values)


def ratio(baseline: Result, candidate: Result, metric: str = "throughput") -> float | None:
    """Candidate over baseline; None where one of them has no positive figure."""
    one, two = typical(baseline, metric), typical(candidate, metric)
    return two / one if one and two else None


def relative(baseline: Result, candidate: Result, metric: str = "throughput") -> MetricEstimate:
    """`ratio` with its interval, and the candidate's trials over the baseline's estimate.

    Without an interval for the baseline itself and where a side has a single trial.  Results that
    were measured apart have one that allows for the usual drift between sessions.
    """
    value, base = ratio(baseline, candidate, metric), typical(baseline, metric)
    if value is None or not base:
        return NOT_MEASURED
    trials = tuple(one / base for one in _figures(candidate, metric))
    if baseline.trials == candidate.trials or not comparable(baseline, candidate, metric):
        return MetricEstimate(value=value, trials=trials)
    from core.analysis.statistics import interval_of

    found = interval_of(log_ratio(baseline, candidate, metric))
    return _around(value, found.low, found.high, trials)


def _around(value: float, low: float, high: float, trials: tuple[float, ...]) -> MetricEstimate:
    """An interval that holds its value, also where rounding put the value a little outside."""
    return MetricEstimate(value=value, low=min(low, value), high=max(high, value), trials=trials)


def comparable(baseline: Result, candidate: Result, metric: str) -> bool:
    """Whether both sides have what an interval of their ratio needs: two trials, all positive."""
    return all(
        len(values) >= _FEWEST_TRIALS and min(values) > 0.0
        for values in (_figures(baseline, metric), _figures(candidate, metric))
    )


type Past = Sequence[Sequence[Sequence[float]]]
"""Logs of the trials of past sessions, those of the same thing together: see `drift_to_allow`."""


def log_ratio(
    baseline: Result, candidate: Result, metric: str = "throughput", past: Past = ()
) -> Estimate:
    """Estimate the log of `ratio` from results that are `comparable`.

    From differences within the blocks that both ran in.  Where they were measured `apart` each
    side's session adds `drift_allowed`.
    """
    from core.analysis.statistics import contrast

    one, two = (_logs_by_block(side, metric) for side in (baseline, candidate))
    drift = drift_allowed(baseline, candidate, metric, past)
    if drift is None:
        return contrast(dict(one), dict(two))
    ours, theirs = (dict(enumerate(log for _, log in side)) for side in (one, two))
    return contrast(ours, theirs, drift)


def drift_allowed(
    baseline: Result, candidate: Result, metric: str = "throughput", past: Past = ()
) -> Drift | None:
    """The drift between sessions that a comparison has to allow for; None where there is none."""
    from core.analysis.statistics import drift_to_allow

    if not apart(baseline.finished_trials, candidate.finished_trials):
        return None
    sides = (_logs_by_block(side, metric) for side in (baseline, candidate))
    return drift_to_allow(past, *([log for _, log in side] for side in sides))


def _logs_by_block(result: Result, metric: str) -> list[tuple[int, float]]:
    look = METRICS[metric]
    return [
        (trial.block, math.log(value))
        for trial in result.finished_trials
        if (value := look(trial)) is not None
    ]


def apart(baseline: Sequence[Trial], candidate: Sequence[Trial]) -> bool:
    """Whether the sides were measured one after the other, so that a drift shows in their ratio.

    They were not where at least half of the trials of the side with fewer stand in blocks of both,
    each such block being over before the next began: a search measures some settings more often
    than others, and a sweep may be ended within a block.
    """
    fewer = min(len(baseline), len(candidate))
    return 2 * _blocks_in_turn(baseline, candidate) < fewer


def _blocks_in_turn(baseline: Sequence[Trial], candidate: Sequence[Trial]) -> int:
    """How many blocks have a trial of each side; 0 where they are not one after the other."""
    ours = {trial.block: trial.started for trial in baseline}
    theirs = {trial.block: trial.started for trial in candidate}
    if len(ours) < len(baseline) or len(theirs) < len(candidate):
        return 0
    both = [sorted((ours[block], theirs[block])) for block in sorted(ours.keys() & theirs.keys())]
    in_turn = all(earlier[1] < later[0] for earlier, later in itertools.pairwise(both))
    return len(both) if in_turn else 0
