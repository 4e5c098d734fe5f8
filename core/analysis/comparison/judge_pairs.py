"""The verdict on one pair of results, and on a family of pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import msgspec

from core.analysis.comparison.obstacles import Difference, harness_share, obstacles, qualifications
from core.analysis.comparison.verdict import TIMES, Verdict, VerdictKind
from core.analysis.estimation import RATES, Past, apart, drift_allowed, log_ratio, ratio
from core.analysis.statistics import (
    DECLARE_BELOW,
    FEWEST_TO_STOP,
    MARGIN,
    Comparison,
    Drift,
    Estimate,
    compare_estimate,
    holm,
    visible_difference,
)
from core.errors import UsageError
from core.language.translation import tr
from core.language.units import show_share
from core.plan.labels import pair_labels
from core.result.result import Result

COMPARABLE = (*RATES, *TIMES)
"""Metrics with one direction that is better for every user."""

type PastOf = Callable[[Result, Result, str], Past]
"""What past sessions show about two results in a metric: see `core.analysis.session_drift`."""

_LEAST_OF_MARGIN = 0.01
"""Share of the margin that is left where the harness takes nearly all of the time."""


def no_past(_baseline: Result, _candidate: Result, _metric: str) -> Past:
    """No earlier session."""
    return ()


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
    1 + `margin` either way.  Holm's method corrects each of the two claims over the family.  A
    harness that takes a share h of the time hides that share of every difference, so SAME uses
    the margin times 1 − h.  For sides that were measured apart, interval and claims allow for the
    drift between sessions.  INVALID pairs do not belong to the family.
    """
    if not margin > 0:
        raise UsageError(
            f"a margin of {margin:g} lets nothing be the same", "give one such as 0.05"
        )
    if metric not in COMPARABLE:
        raise UsageError(f"{metric!r} cannot be compared", f"choose one of {', '.join(COMPARABLE)}")
    barred = [obstacles(a, b, allowed) or _missing(a, b, metric) for a, b in pairs]
    found = [
        None if why else _found(a, b, _Terms(metric, margin, past_of))
        for (a, b), why in zip(pairs, barred, strict=True)
    ]
    judged = [one.comparison for one in found if one is not None and one.comparison is not None]
    differ = iter(holm([one.p for one in judged]))
    same = iter(holm([one.p_same for one in judged]))
    verdicts = []
    names = pair_labels([(a.spec, b.spec) for a, b in pairs])
    for (a, b), (baseline, candidate), why, one in zip(pairs, names, barred, found, strict=True):
        bare = Verdict(
            kind=VerdictKind.INVALID,
            metric=metric,
            margin=margin,
            baseline=baseline,
            candidate=candidate,
            trials=_counts((a, b)),
            reasons=why,
        )
        if one is None:
            verdicts.append(bare)
        elif one.comparison is None:
            verdicts.append(_single(bare, one.ratio))
        else:
            chances = _Chances(next(differ), next(same), max(len(judged), 1))
            remarks = qualifications(a, b, allowed, one.drift)
            verdicts.append(_judged(bare, one, chances, remarks))
    return tuple(verdicts)


class _Terms(NamedTuple):
    metric: str
    margin: float
    past_of: PastOf


class _Found(NamedTuple):
    """What the trials of a pair show; no comparison where a side has a single trial."""

    ratio: float
    margin: float = 0.0
    """The margin, less what the harness hides."""
    estimate: Estimate | None = None
    comparison: Comparison | None = None
    drift: Drift | None = None


class _Chances(NamedTuple):
    """Chances of such trials without a difference, or with a large one; corrected over a family."""

    p: float
    p_same: float
    family: int


def _missing(a: Result, b: Result, metric: str) -> tuple[str, ...]:
    """Why a metric is missing; empty where it is not.

    A valid result lacks a latency where too few operations were timed.  A trial without it is not
    left out, because it differs from the others: it did fewer operations, or its latencies lie on
    both sides of an edge.  A trial that stood still has no ratio.
    """
    sides = ((tr("the baseline"), a), (tr("the candidate"), b))
    found = []
    for side, result in sides:
        values, of = result.values(metric), len(result.finished_trials)
        if lacking := of - len(values):
            told = {"side": side, "metric": metric, "count": lacking, "of": of}
            found.append(tr("{side} has no {metric} in {count} of {of} trials", **told))
        elif min(values) <= 0.0:
            found.append(tr("{side} has a trial whose {metric} is 0", side=side, metric=metric))
    return tuple(found)


def _found(a: Result, b: Result, terms: _Terms) -> _Found:
    seen = ratio(a, b, terms.metric)
    assert seen is not None, "that both sides have a positive figure was looked at before"
    if min(len(side.values(terms.metric)) for side in (a, b)) < 2:
        return _Found(seen)
    past = terms.past_of(a, b, terms.metric) if apart(a.finished_trials, b.finished_trials) else ()
    estimate = log_ratio(a, b, terms.metric, past)
    # What the harness costs is estimated, and can come out as more than there is.
    margin = terms.margin * max(1.0 - harness_share(a, b), _LEAST_OF_MARGIN)
    return _Found(
        ratio=seen,
        margin=margin,
        estimate=estimate,
        comparison=compare_estimate(estimate, margin, decidable=True),
        drift=drift_allowed(a, b, terms.metric, past),
    )


def _kind(ratio: float, chances: _Chances, metric: str) -> VerdictKind:
    if chances.p_same < DECLARE_BELOW:
        return VerdictKind.SAME
    if chances.p >= DECLARE_BELOW:
        return VerdictKind.UNDECIDED
    return VerdictKind.FASTER if (ratio > 1.0) == (metric in RATES) else VerdictKind.SLOWER


def _judged(bare: Verdict, found: _Found, chances: _Chances, remarks: tuple[str, ...]) -> Verdict:
    one = found.comparison
    assert one is not None
    kind = _kind(one.ratio, chances, bare.metric)
    why = _why_undecided(bare, found, chances) if kind is VerdictKind.UNDECIDED else ()
    return msgspec.structs.replace(
        bare,
        kind=kind,
        ratio=one.ratio,
        low=one.low,
        high=one.high,
        family=chances.family,
        drift=found.drift.deviation if found.drift else None,
        reasons=(*why, *remarks),
    )


def _single(bare: Verdict, ratio: float) -> Verdict:
    why = tr(
        "one trial says nothing about the next: at least {count} of each are needed",
        count=FEWEST_TO_STOP,
    )
    return msgspec.structs.replace(bare, kind=VerdictKind.UNDECIDED, ratio=ratio, reasons=(why,))


def _why_undecided(bare: Verdict, found: _Found, chances: _Chances) -> tuple[str, ...]:
    return tuple(filter(None, (_stricter(found, chances), _what_it_takes(bare, found))))


def _stricter(found: _Found, chances: _Chances) -> str:
    """Why an interval that seems conclusive is not enough; empty where it does not seem so."""
    one = found.comparison
    assert one is not None
    if not one.low <= 1.0 <= one.high:
        said = tr(
            "the 95 % interval excludes 1, but a verdict asks for more: "
            "without a difference, such trials must have a chance below {limit}, not {chance}",
            limit=show_share(DECLARE_BELOW),
            chance=show_share(chances.p),
        )
    elif 1.0 / (1.0 + found.margin) <= one.low and one.high <= 1.0 + found.margin:
        said = tr(
            "the 95 % interval lies within the margin, but a verdict asks for more: "
            "with a larger difference, such trials must have a chance below {limit}, not {chance}",
            limit=show_share(DECLARE_BELOW),
            chance=show_share(chances.p_same),
        )
    else:
        return ""
    if chances.family > 1:
        said += tr(", corrected for {count} comparisons", count=chances.family)
    return said


def _what_it_takes(bare: Verdict, found: _Found) -> str:
    fewest = min(bare.trials)
    if fewest < FEWEST_TO_STOP:
        return tr(
            "at least {count} trials of each are needed, and there are {fewest}",
            count=FEWEST_TO_STOP,
            fewest=fewest,
        )
    assert found.estimate is not None
    visible = visible_difference(found.estimate)
    if not (math.isfinite(visible) and visible < 10):
        return tr("these trials could show no difference of any size; repeat them")
    return tr(
        "these trials could show a difference of {share} or more; repeat to see a smaller one",
        share=show_share(visible),
    )


def _counts(pair: tuple[Result, Result]) -> tuple[int, int]:
    return len(pair[0].finished_trials), len(pair[1].finished_trials)
