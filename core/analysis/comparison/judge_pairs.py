"""The verdict on one pair of results, and on a family of pairs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import NamedTuple

from core.analysis.comparison.judge_family import Asked, Found, judge_family
from core.analysis.comparison.obstacles import Difference, harness_share, obstacles, qualifications
from core.analysis.estimation import Past, apart, drift_allowed, log_ratio, ratio
from core.analysis.statistics import MARGIN
from core.analysis.trust import doubt_about_machine
from core.analysis.verdict import Verdict, VerdictKind
from core.errors import UsageError
from core.language.translation import tr
from core.plan.spec import pair_labels
from core.result.metrics import comparable
from core.result.result import Result

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
    known = comparable([result for pair in pairs for result in pair])
    if metric not in known:
        raise UsageError(f"{metric!r} cannot be compared", f"choose one of {', '.join(known)}")
    barred = [obstacles(a, b, allowed) or _missing(a, b, metric) for a, b in pairs]
    found = [
        None if why else _found(a, b, _Terms(metric, margin, past_of))
        for (a, b), why in zip(pairs, barred, strict=True)
    ]
    names = pair_labels([(a.spec, b.spec) for a, b in pairs])
    return judge_family(
        [
            Asked(
                bare=Verdict(
                    kind=VerdictKind.INVALID,
                    metric=metric,
                    margin=margin,
                    baseline=baseline,
                    candidate=candidate,
                    trials=_counts((a, b)),
                    reasons=why,
                ),
                found=one,
                remarks=partial(qualifications, a, b, allowed, one.drift if one else None),
                doubt=partial(doubt_about_machine, (a, b)),
            )
            for (a, b), (baseline, candidate), why, one in zip(
                pairs, names, barred, found, strict=True
            )
        ]
    )


class _Terms(NamedTuple):
    metric: str
    margin: float
    past_of: PastOf


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
            found.append(tr("{side} has trials without {metric}: {count} of {of}", **told))
        elif min(values) <= 0.0:
            found.append(tr("{side} has a trial whose {metric} is 0", side=side, metric=metric))
    return tuple(found)


def _found(a: Result, b: Result, terms: _Terms) -> Found:
    seen = ratio(a, b, terms.metric)
    assert seen is not None, "that both sides have a positive figure was looked at before"
    if min(len(side.values(terms.metric)) for side in (a, b)) < 2:
        return Found(seen)
    past = terms.past_of(a, b, terms.metric) if apart(a.finished_trials, b.finished_trials) else ()
    # What the harness costs is estimated, and can come out as more than there is.
    margin = terms.margin * max(1.0 - harness_share(a, b), _LEAST_OF_MARGIN)
    return Found(
        ratio=seen,
        margin=margin,
        estimate=log_ratio(a, b, terms.metric, past),
        drift=drift_allowed(a, b, terms.metric, past),
    )


def _counts(pair: tuple[Result, Result]) -> tuple[int, int]:
    return len(pair[0].finished_trials), len(pair[1].finished_trials)
