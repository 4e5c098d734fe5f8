"""The estimate of a result, and the ratio of two results: the only place that computes them.

Every table, card, plot, claim, export and verdict takes its figures from here.

*A result* is the geometric mean of its trials, with Student's 95 % interval of the mean of their
logs.  *One result against another* is the ratio of their geometric means.  Where both ran in the
same blocks, this is also the geometric mean of the ratios within blocks, and the interval is the
paired one of these, so that drift from block to block cancels.  Where one was measured in more
blocks, because it was needed longer, only those of both count.  Where they took turns, the rounds
within the blocks make the error of their ratio better known.

Only the geometric mean is consistent: the ratio of two means is the mean of the ratios, the steps
from 1 to 2 and from 2 to 4 threads multiply to the step from 1 to 4, and times, which are the
reciprocals of rates, agree with the rates.  Medians do none of this, and two medians can come from
different blocks.  A trial slowed down by a stall counts in full; the interval shows it.

Counts and shares have no ratio scale, so their estimate is the median; `core.vocabulary.metrics`
says of each metric how its trials are summed up.

Sources: Fleming & Wallace, "How not to lie with statistics: the correct way to summarize benchmark
results", CACM 29 (1986); Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM 2013,
for the trial as the unit and for intervals; Student, "The probable error of a mean", Biometrika 6
(1908).
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Callable, Mapping, Sequence, Set
from typing import TYPE_CHECKING

import msgspec

from core.vocabulary import (
    CONFIDENCE,
    DECLARE_BELOW,
    NOT_MEASURED,
    MetricEstimate,
    Result,
    Slice,
    Trial,
    metric_named,
)

if TYPE_CHECKING:
    from core.judge.statistics.intervals import Estimate, Floats
    from core.judge.statistics.ratios import Drift, Within
    from core.vocabulary import Metric


def typical(result: Result, metric: str = "throughput") -> float | None:
    """The estimate of a result in a metric of `METRICS`; None where it has none.

    A result has a rate only where every trial is valid.  It is 0 where a trial moved nothing while
    all its workers were active.  Where some trials have too few operations for a latency, it is
    that of all trials together.
    """
    definition, values = _known(result, metric), _figures(result, metric)
    if definition.quantile is not None and len(values) < len(result.finished_trials):
        together = result.latencies
        return together.seconds(definition.quantile) if together else None
    if definition.summed == "sum":
        return math.fsum(definition.of(trial) or 0 for trial in result.trials)
    return _SUMMED[definition.summed](values) if values else None


def _geometric_mean(values: Sequence[float]) -> float:
    if min(values) <= 0.0:
        return 0.0
    # Relative to the first, so that the mean of equal trials is exactly their value.
    logs = [math.log(value / values[0]) for value in values]
    return values[0] * math.exp(math.fsum(logs) / len(logs))


_SUMMED: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": _geometric_mean,
    "median": statistics.median,
    "most": max,
}


def _known(result: Result, metric: str) -> Metric:
    return metric_named(metric, result.spec.workload)


def _figures(result: Result, metric: str) -> list[float]:
    """One figure per trial that has it; for a rate, none unless every trial is valid."""
    return [] if _known(result, metric).of_valid and not result.valid else result.values(metric)


def metric_estimate(
    result: Result, metric: str = "throughput", confidence: float = CONFIDENCE
) -> MetricEstimate:
    """`typical` with its interval, from three trials on, and the figures of the trials.

    The interval covers trials of this session; comparisons add the drift between sessions.
    Counts and shares have none.
    """
    value, values = typical(result, metric), tuple(_figures(result, metric))
    definition = _known(result, metric)
    if (
        value is None
        or len(values) < MetricEstimate.FEWEST
        or min(values) <= 0.0
        or definition.summed != "mean"
        or (definition.quantile is not None and len(values) < len(result.finished_trials))
    ):
        return MetricEstimate(value=value, trials=values)
    from core.judge.statistics.intervals import interval_of, over_trials
    from core.judge.statistics.ratios import and_error

    own = over_trials([math.log(one) for one in values])
    interval = interval_of(and_error(own, result.error), confidence)
    return _around(value, interval.low, interval.high, values)


def told_estimate(result: Result, metric: str = "throughput") -> MetricEstimate:
    """`metric_estimate` for sentences and rows: as strict as the verdicts that stand beside it.

    Two intervals of one run that are apart then belong to a pair that differs.
    """
    return metric_estimate(result, metric, 1.0 - DECLARE_BELOW).told


def bands_are_apart(baseline: Result, candidate: Result, metric: str) -> bool:
    """Whether the bands of both, as plots draw them, have no value in common."""
    one, two = metric_estimate(baseline, metric), metric_estimate(candidate, metric)
    if one.low is None or one.high is None or two.low is None or two.high is None:
        return False
    return one.high < two.low or two.high < one.low


def ratio(baseline: Result, candidate: Result, metric: str = "throughput") -> float | None:
    """Candidate over baseline; None where one of them has no positive figure."""
    baseline, candidate = of_common_blocks(baseline, candidate)
    one, two = typical(baseline, metric), typical(candidate, metric)
    return two / one if one and two else None


def may_be_above(baseline: Result, candidate: Result) -> bool:
    """Whether `log_ratio` of their throughputs can be above 0, at a hundredth of its cost.

    False also where there is no ratio.  True where a block has several trials of one side, because
    `log_ratio` weighs them by block.
    """
    gain = ratio(baseline, candidate)
    several = any(
        len({one.block for one in side.finished_trials}) < len(side.finished_trials)
        for side in (baseline, candidate)
    )
    return gain is not None and (several or gain > 1.0)


def relative(
    baseline: Result, candidate: Result, metric: str = "throughput", confidence: float = CONFIDENCE
) -> MetricEstimate:
    """`ratio` with its interval, and the candidate's trials over the baseline's estimate.

    It has no interval for the baseline itself, nor where a side has one or two trials.  For results
    measured apart, the interval allows for the usual drift between sessions.
    """
    baseline, candidate = of_common_blocks(baseline, candidate)
    value, base = ratio(baseline, candidate, metric), typical(baseline, metric)
    if value is None or not base:
        return NOT_MEASURED
    trials = tuple(one / base for one in _figures(candidate, metric))
    if baseline.trials == candidate.trials or not comparable(baseline, candidate, metric):
        return MetricEstimate(value=value, trials=trials)
    from core.judge.statistics.intervals import interval_of

    interval = interval_of(log_ratio(baseline, candidate, metric), confidence)
    return _around(value, interval.low, interval.high, trials)


def _around(value: float, low: float, high: float, trials: tuple[float, ...]) -> MetricEstimate:
    """An interval that includes its value, even where rounding put it a little outside."""
    return MetricEstimate(value=value, low=min(low, value), high=max(high, value), trials=trials)


def comparable(baseline: Result, candidate: Result, metric: str) -> bool:
    """Whether their ratio can have an interval: three trials of each, all positive."""
    return all(
        len(values) >= MetricEstimate.FEWEST and min(values) > 0.0
        for values in (_figures(baseline, metric), _figures(candidate, metric))
    )


type Past = Sequence[Sequence[Sequence[float]]]
"""Logs of the trials of past sessions, grouped by what was measured: see `drift_to_allow`."""


def log_ratio(
    baseline: Result, candidate: Result, metric: str = "throughput", past: Past = ()
) -> Estimate:
    """Estimate the log of `ratio` from results that are `comparable`.

    It uses the differences within the blocks that both ran in.  Where they were `measured_apart`,
    each side's session adds `drift_allowed`.
    """
    from core.judge.statistics.ratios import and_error, estimate_ratio, pooled

    baseline, candidate = of_common_blocks(baseline, candidate)
    one, two = (_logs_by_block(side, metric) for side in (baseline, candidate))
    drift = drift_allowed(baseline, candidate, metric, past)
    if drift is None:
        before, after = _means(one), _means(two)
        by_blocks = estimate_ratio(before, after)
        measured = pooled(by_blocks, len(before), variance_of_rounds(baseline, candidate, metric))
        return and_error(measured, math.hypot(baseline.error, candidate.error))
    ours, theirs = (dict(enumerate(log for _, log in side)) for side in (one, two))
    return estimate_ratio(ours, theirs, drift)


def of_common_blocks(baseline: Result, candidate: Result) -> tuple[Result, Result]:
    """Both results, of the blocks that both ran in, if one of them ran in more blocks besides.

    Where each did, as when a disturbed trial of one was repeated, that is so only for turns: their
    rounds within two blocks tell more than whole trials that stood in different blocks.
    """
    ours, theirs = ({one.block for one in side.finished_trials} for side in (baseline, candidate))
    both = ours & theirs
    if ours == theirs or len(both) < MetricEstimate.FEWEST:
        return baseline, candidate
    if measured_apart(baseline.finished_trials, candidate.finished_trials):
        return baseline, candidate
    common = _of_blocks(baseline, both), _of_blocks(candidate, both)
    if len(both) < min(len(ours), len(theirs)) and not all(
        trial.turns for side in common for trial in side.finished_trials
    ):
        return baseline, candidate
    return common


def _of_blocks(result: Result, blocks: Set[int]) -> Result:
    trials = tuple(trial for trial in result.trials if trial.block in blocks)
    return msgspec.structs.replace(result, trials=trials)


def variance_of_rounds(baseline: Result, candidate: Result, metric: str) -> Within | None:
    """What the turns of both say about the error of a rate's log ratio in a block.

    None if they did not take turns together.
    """
    from core.judge.statistics.ratios import variance_within

    ours, theirs = (
        {one.block: one for one in side.finished_trials} for side in (baseline, candidate)
    )
    several = len(ours) + len(theirs) < len(baseline.finished_trials + candidate.finished_trials)
    if not _known(baseline, metric).of_valid or ours.keys() != theirs.keys() or several:
        return None
    blocks = [_in_common(trial, theirs[block]) for block, trial in ours.items()]
    return variance_within(blocks) if all(len(side) > 1 for side, _ in blocks) else None


def _in_common(one: Trial, other: Trial) -> tuple[Floats, Floats]:
    """Items and time of two trials in each round in which both had a turn."""
    import numpy as np

    first, second = ({turn.round: turn for turn in trial.turns} for trial in (one, other))
    rounds = [number for number in first if number in second]

    def side(turns: dict[int, Slice]) -> Floats:
        common = (turns[number] for number in rounds)
        pairs = [(turn.items, turn.active) for turn in common]
        return np.array(pairs, dtype=np.float64).reshape(-1, 2)

    return side(first), side(second)


def drift_allowed(
    baseline: Result, candidate: Result, metric: str = "throughput", past: Past = ()
) -> Drift | None:
    """The drift between sessions that a comparison allows for; None where there is none."""
    from core.judge.statistics.ratios import drift_to_allow

    if not measured_apart(baseline.finished_trials, candidate.finished_trials):
        return None
    sides = (_logs_by_block(side, metric) for side in (baseline, candidate))
    return drift_to_allow(past, *([log for _, log in side] for side in sides))


def _logs_by_block(result: Result, metric: str) -> list[tuple[int, float]]:
    look = _known(result, metric).of
    return [
        (trial.block, math.log(value))
        for trial in result.finished_trials
        if (value := look(trial)) is not None
    ]


def _means(logs: Sequence[tuple[int, float]]) -> dict[int, float]:
    """By block; one has several where draws of one setting are pooled."""
    by_block: dict[int, list[float]] = {}
    for block, log in logs:
        by_block.setdefault(block, []).append(log)
    return {block: math.fsum(several) / len(several) for block, several in by_block.items()}


def measured_apart(baseline: Sequence[Trial], candidate: Sequence[Trial]) -> bool:
    """Whether the sides were measured one after the other, so that a drift shows in their ratio.

    They count as interleaved where at least half of the smaller side's trials are in blocks with
    trials of both, and each such block ended before the next began.  Half is enough, because a
    search measures some settings more often than others, and a sweep can be stopped within a block.
    """
    fewer = min(len({trial.block for trial in side}) for side in (baseline, candidate))
    return 2 * _blocks_in_turn(baseline, candidate) < fewer


def _blocks_in_turn(baseline: Sequence[Trial], candidate: Sequence[Trial]) -> int:
    """How many blocks have a trial of each side; 0 where they are not one after the other."""
    ours, theirs = ({trial.block for trial in side} for side in (baseline, candidate))
    times: dict[int, list[float]] = {block: [] for block in sorted(ours & theirs)}
    for trial in (*baseline, *candidate):
        if trial.block in times:
            times[trial.block].append(trial.started)
    several = any(len(each) > 2 for each in times.values())
    if several and len(times) < 2:
        return 0
    spans = [(min(each), max(each)) for each in times.values()]
    if len(spans) < 2:
        return len(spans)
    # The clock on the wall may be set back between two of them.
    in_turn = sum(earlier[1] < later[0] for earlier, later in itertools.pairwise(spans))
    return in_turn + 1 if in_turn else 0
