"""Is B faster than A? A verdict that says why, or why it cannot be told.

    compare(baseline, candidate)                    one pair
    compare_all([(baseline, candidate), …])         a family, judged together

The ratio is always candidate over baseline.  INVALID is not SAME: the two figures do not measure
the same thing.  `core.judge.pairs` finds which results of two sides belong together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from core.judge.estimation import (
    Past,
    bands_are_apart,
    drift_allowed,
    log_ratio,
    measured_apart,
    ratio,
)
from core.judge.pairs import Difference, drift_text, harness_share, obstacles, qualifications
from core.judge.statistics.intervals import Estimate, interval_of
from core.judge.statistics.ratios import (
    Drift,
    difference_p,
    drift_to_allow,
    equivalence_p,
    estimate_ratio,
    holm,
    visible_difference,
)
from core.judge.trust import doubt_about_trials
from core.language import UsageError, show_share, tr
from core.measure import digest
from core.vocabulary import (
    DECLARE_BELOW,
    FEWEST_TO_STOP,
    MARGIN,
    MetricEstimate,
    Result,
    Verdict,
    VerdictKind,
    comparable,
    metric_named,
    pair_labels,
)

type PastOf = Callable[[Result, Result, str], Past]
"""What past sessions show about two results in a metric: see `past_of`."""

_LEAST_OF_MARGIN = 0.01
"""Share of the margin that is left where the harness takes nearly all of the time."""


def no_past(_baseline: Result, _candidate: Result, _metric: str) -> Past:
    return ()


def past_of(
    earlier: Callable[[Collection[str]], Iterable[Result]],
    baseline: Result,
    candidate: Result,
    metric: str,
) -> Past:
    """Logs of a metric in every earlier run of either side's spec, grouped by what was measured.

    A group is one spec on one machine with the same versions of its drivers: the effect of an
    update is no drift.  The two results themselves are left out.  `earlier`: gives the results of
    specs, by digest, that sessions hold.
    """
    own_starts = {trial.started for side in (baseline, candidate) for trial in side.trials}
    sides = {(side.spec.digest, _machine(side)) for side in (baseline, candidate)}
    groups: dict[tuple[object, ...], list[list[float]]] = {}
    for result in earlier({spec for spec, _ in sides}):
        values = result.values(metric)
        if (
            (result.spec.digest, _machine(result)) in sides
            and result.valid
            and not any(trial.started in own_starts for trial in result.trials)
            and values
            and min(values) > 0.0
        ):
            versions = {
                name: one for trial in result.trials for name, one in trial.versions.items()
            }
            python = result.environment.python
            group = result.spec.digest, *_machine(result), python, *sorted(versions.items())
            groups.setdefault(group, []).append([math.log(value) for value in values])
    return tuple(map(tuple, groups.values()))


def _machine(result: Result) -> tuple[str, float]:
    return digest(result.environment), result.environment.usable_cores


def compare(  # noqa: PLR0913 -- two results and four terms, each with a default and given by name
    a: Result,
    b: Result,
    *,
    margin: float = MARGIN,
    metric: str = "throughput",
    allowed: Collection[Difference] = (),
    past_of: PastOf = no_past,
) -> Verdict:
    """Judge the candidate `b` against the baseline `a`; raises UsageError for margin or metric.

    `allowed`: differences that the user asks about; they are no obstacle.  `past_of`: called where
    the sides were measured apart.
    """
    return compare_all([(a, b)], margin=margin, metric=metric, allowed=allowed, past_of=past_of)[0]


def compare_all(
    pairs: Sequence[tuple[Result, Result]],
    *,
    margin: float = MARGIN,
    metric: str = "throughput",
    allowed: Collection[Difference] = (),
    past_of: PastOf = no_past,
) -> tuple[Verdict, ...]:
    """Judge a family of (baseline, candidate) pairs; a false claim stays as rare as in one pair.

    FASTER and SLOWER: the difference is declared; SAME: the ratio is shown to lie within
    1 + `margin` either way.  Holm's method corrects each of the two claims over the family.  The
    interval of each is the one that decides its claim, so that nobody reads another out of it.  A
    harness that takes a share h of the time hides that share of every difference, so SAME uses
    the margin times 1 − h.  For sides that were measured apart, interval and claims allow for the
    drift between sessions.  INVALID pairs do not belong to the family.
    """
    if not margin > 0:
        raise UsageError(
            f"a margin of {margin:g} lets nothing be the same", "give one such as 0.05"
        )
    metrics = comparable([result for pair in pairs for result in pair])
    if metric not in metrics:
        raise UsageError(f"{metric!r} cannot be compared", f"choose one of {', '.join(metrics)}")
    terms = _Terms(metric, margin, allowed, past_of)
    names = pair_labels([(a.spec, b.spec) for a, b in pairs])
    return _judge_family(
        [_pair_to_judge(a, b, both, terms) for (a, b), both in zip(pairs, names, strict=True)]
    )


class _Terms(NamedTuple):
    metric: str
    margin: float
    allowed: Collection[Difference]
    past_of: PastOf


def _pair_to_judge(a: Result, b: Result, names: tuple[str, str], terms: _Terms) -> _PairToJudge:
    why = obstacles(a, b, terms.allowed) or _missing(a, b, terms.metric)
    estimate = None if why else _pair_estimate(a, b, terms)
    bare = Verdict(
        kind=VerdictKind.INVALID,
        metric=terms.metric,
        margin=terms.margin,
        baseline=names[0],
        candidate=names[1],
        trials=(len(a.finished_trials), len(b.finished_trials)),
        reasons=why,
    )
    drift = estimate.drift if estimate else None
    return _PairToJudge(
        bare=bare,
        pair=estimate,
        remarks=partial(qualifications, a, b, terms.allowed, drift),
        doubt=partial(doubt_about_trials, (a, b)),
    )


def _missing(a: Result, b: Result, metric: str) -> tuple[str, ...]:
    """Why a metric is missing; empty where it is not.

    A valid result lacks a latency where too few operations were timed.  A trial without it is not
    left out, because it differs from the others: it did fewer operations, or its latencies lie on
    both sides of an edge.  A trial that stood still has no ratio.
    """
    sides = ((tr("the baseline"), a), (tr("the candidate"), b))
    reasons = []
    for side, result in sides:
        values, of = result.values(metric), len(result.finished_trials)
        if lacking := of - len(values):
            fields = {"side": side, "metric": metric, "count": lacking, "of": of}
            reasons.append(tr("{side} has trials without {metric}: {count} of {of}", **fields))
        elif min(values) <= 0.0:
            reasons.append(tr("{side} has a trial whose {metric} is 0", side=side, metric=metric))
    return tuple(reasons)


def _pair_estimate(a: Result, b: Result, terms: _Terms) -> _PairEstimate:
    point = ratio(a, b, terms.metric)
    assert point is not None, "that both sides have a positive figure was looked at before"
    if min(len(side.values(terms.metric)) for side in (a, b)) < MetricEstimate.FEWEST:
        return _PairEstimate(point)
    past = (
        terms.past_of(a, b, terms.metric)
        if measured_apart(a.finished_trials, b.finished_trials)
        else ()
    )
    # What the harness costs is estimated, and can come out as more than there is.
    margin = terms.margin * max(1.0 - harness_share(a, b), _LEAST_OF_MARGIN)
    return _PairEstimate(
        ratio=point,
        margin=margin,
        estimate=log_ratio(a, b, terms.metric, past),
        drift=drift_allowed(a, b, terms.metric, past),
        apart=partial(bands_are_apart, a, b, terms.metric),
    )


class FiguresBeside(NamedTuple):
    """What another program measured, one figure for each repetition, beside a result here."""

    bare: Verdict
    """The verdict that they cannot be compared; its reasons are empty where they can."""
    figures: Sequence[float]
    result: Result
    remarks: Sequence[str]


def compare_with_figures(pairs: Sequence[FiguresBeside]) -> tuple[Verdict, ...]:
    """Judge results against the figures of another program, a family together."""
    return _judge_family([_figures_to_judge(pair) for pair in pairs])


def _figures_to_judge(pair: FiguresBeside) -> _PairToJudge:
    bare, figures, result, remarks = pair
    if bare.reasons:
        return _PairToJudge(bare, None)
    theirs, ours = (list(map(math.log, side)) for side in (figures, result.values("throughput")))
    ratio = math.exp(math.fsum(ours) / len(ours) - math.fsum(theirs) / len(theirs))
    doubt = partial(doubt_about_trials, (result,))
    if min(len(ours), len(theirs)) < MetricEstimate.FEWEST:
        return _PairToJudge(bare, _PairEstimate(ratio), lambda: tuple(remarks), doubt)
    drift = drift_to_allow((), theirs, ours)
    estimate = estimate_ratio(dict(enumerate(theirs)), dict(enumerate(ours)), drift)
    return _PairToJudge(
        bare,
        _PairEstimate(ratio, bare.margin, estimate, drift),
        lambda: (*remarks, drift_text(drift)),
        doubt,
    )


class _PairEstimate(NamedTuple):
    """What the trials of a pair show; no estimate where a side has too few."""

    ratio: float
    margin: float = 0.0
    """The margin, less what the harness hides."""
    estimate: Estimate | None = None
    """Of the log of the ratio."""
    drift: Drift | None = None
    apart: Callable[[], bool] = bool
    """Whether their bands are."""


class _Chances(NamedTuple):
    """Chances of such trials without a difference, or with a large one; corrected over a family.

    `differs` and `same`: the confidence of the intervals that decide these claims.
    """

    p: float
    p_same: float
    family: int
    differs: float
    same: float


class _PairToJudge(NamedTuple):
    bare: Verdict
    """The verdict that it cannot be compared, with the reasons."""
    pair: _PairEstimate | None
    """None where it cannot."""
    remarks: Callable[[], tuple[str, ...]] = tuple
    """What the reader of a comparison needs to know."""
    doubt: Callable[[], str] = str
    """What speaks against the trials of both, in sentences."""


def _judge_family(family: Sequence[_PairToJudge]) -> tuple[Verdict, ...]:
    """The verdict on each; Holm's method corrects each of the two claims over the family."""
    judged = [
        (one.pair.estimate, one.pair.margin)
        for one in family
        if one.pair is not None and one.pair.estimate is not None
    ]
    differ = holm([difference_p(estimate) for estimate, _ in judged])
    same = holm([equivalence_p(estimate, margin) for estimate, margin in judged])
    # Two one-sided tests decide SAME, so each may err as often as both sides of a difference.
    levels = 1.0 - _deciding_level(differ), 1.0 - 2.0 * _deciding_level(same)
    chances = (_Chances(*both, len(judged), *levels) for both in zip(differ, same, strict=True))
    verdicts = []
    for bare, pair, remarks, doubt in family:
        if pair is None:
            verdicts.append(bare)
            continue
        if pair.estimate is None:
            verdict = _without_interval(bare, pair.ratio)
        else:
            verdict = _judged(bare, pair, next(chances), pair.estimate)
        reasons = (*verdict.reasons, *remarks())
        verdicts.append(msgspec.structs.replace(verdict, reasons=reasons, doubt=doubt()))
    return tuple(verdicts)


def _deciding_level(corrected: Sequence[float]) -> float:
    """The chance below which the p of a claim, before its correction, is declared in this family.

    Holm's steps end at the first claim that is not declared: all before it have a smaller p than
    this, and all from there on have none.
    """
    return DECLARE_BELOW / max(sum(p >= DECLARE_BELOW for p in corrected), 1)


def _kind(ratio: float, chances: _Chances, metric: str) -> VerdictKind:
    if chances.p_same < DECLARE_BELOW:
        return VerdictKind.SAME
    if chances.p >= DECLARE_BELOW:
        return VerdictKind.UNDECIDED
    more = metric_named(metric).better == "more"
    return VerdictKind.FASTER if (ratio > 1.0) == more else VerdictKind.SLOWER


def _judged(bare: Verdict, pair: _PairEstimate, chances: _Chances, estimate: Estimate) -> Verdict:
    kind = _kind(math.exp(estimate.mean), chances, bare.metric)
    same = kind is VerdictKind.SAME
    confidence = chances.same if same else chances.differs
    interval = interval_of(estimate, confidence)
    is_open = kind is VerdictKind.UNDECIDED
    # Where they were measured apart, that is why.
    wide = MetricEstimate.is_too_wide(interval.low, interval.high) and pair.drift is None
    return msgspec.structs.replace(
        bare,
        kind=kind,
        ratio=interval.value,
        low=interval.low,
        high=interval.high,
        confidence=confidence,
        family=chances.family,
        drift=pair.drift.deviation if pair.drift else None,
        apart=is_open and pair.apart(),
        reasons=_what_it_takes(bare, estimate, wide=wide) if is_open else (),
    )


def _without_interval(bare: Verdict, ratio: float) -> Verdict:
    why = _too_few(bare, wide=True)
    return msgspec.structs.replace(bare, kind=VerdictKind.UNDECIDED, ratio=ratio, reasons=why)


def _too_few(bare: Verdict, *, wide: bool) -> tuple[str, ...]:
    fewest = min(bare.trials)
    if wide:
        remedy = tr("at least {count} trials of each are needed", count=FEWEST_TO_STOP)
        return MetricEstimate.missing_text(fewest), remedy
    return (
        tr(
            "at least {count} trials of each are needed, and there are {fewest}",
            count=FEWEST_TO_STOP,
            fewest=fewest,
        ),
    )


def _what_it_takes(bare: Verdict, estimate: Estimate, *, wide: bool) -> tuple[str, ...]:
    if min(bare.trials) < FEWEST_TO_STOP:
        return _too_few(bare, wide=wide)
    return (_what_could_be_seen(estimate),)


def _what_could_be_seen(estimate: Estimate) -> str:
    visible = visible_difference(estimate)
    if not (math.isfinite(visible) and visible < 10):
        return tr("these trials could show no difference of any size; repeat them")
    return tr(
        "these trials could show a difference of {share} or more; repeat to see a smaller one",
        share=show_share(visible),
    )
