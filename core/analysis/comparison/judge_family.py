"""Verdicts on a family of pairs, from what the trials of each show."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from core.analysis.statistics import (
    Drift,
    Estimate,
    Interval,
    difference_p,
    equivalence_p,
    holm,
    interval_of,
    visible_difference,
)
from core.analysis.verdict import Verdict, VerdictKind
from core.language.translation import tr
from core.language.units import show_share
from core.plan.limits import DECLARE_BELOW, FEWEST_TO_STOP
from core.result.metrics import metric_named


class Found(NamedTuple):
    """What the trials of a pair show; no estimate where a side has a single trial."""

    ratio: float
    margin: float = 0.0
    """The margin, less what the harness hides."""
    estimate: Estimate | None = None
    """Of the log of the ratio."""
    drift: Drift | None = None


class _Chances(NamedTuple):
    """Chances of such trials without a difference, or with a large one; corrected over a family."""

    p: float
    p_same: float
    family: int


class Asked(NamedTuple):
    """A pair that is to be judged."""

    bare: Verdict
    """The verdict that it cannot be compared, with the reasons."""
    found: Found | None
    """None where it cannot."""
    remarks: Callable[[], tuple[str, ...]] = tuple
    """What the reader of a comparison needs to know."""
    doubt: Callable[[], str] = str
    """What speaks against the trials of both, in sentences."""


def judge_family(asked: Sequence[Asked]) -> tuple[Verdict, ...]:
    """The verdict on each; Holm's method corrects each of the two claims over the family."""
    judged = [
        (one.found.estimate, one.found.margin)
        for one in asked
        if one.found is not None and one.found.estimate is not None
    ]
    differ = iter(holm([difference_p(estimate) for estimate, _ in judged]))
    same = iter(holm([equivalence_p(estimate, margin) for estimate, margin in judged]))
    verdicts = []
    for bare, found, remarks, doubt in asked:
        if found is None:
            verdicts.append(bare)
            continue
        if found.estimate is None:
            verdict = _single(bare, found.ratio)
        else:
            chances = _Chances(next(differ), next(same), len(judged))
            verdict = _judged(bare, found, chances, found.estimate)
            verdict = msgspec.structs.replace(verdict, reasons=(*verdict.reasons, *remarks()))
        verdicts.append(msgspec.structs.replace(verdict, doubt=doubt()))
    return tuple(verdicts)


def _kind(ratio: float, chances: _Chances, metric: str) -> VerdictKind:
    if chances.p_same < DECLARE_BELOW:
        return VerdictKind.SAME
    if chances.p >= DECLARE_BELOW:
        return VerdictKind.UNDECIDED
    more = metric_named(metric).better == "more"
    return VerdictKind.FASTER if (ratio > 1.0) == more else VerdictKind.SLOWER


def _judged(bare: Verdict, found: Found, chances: _Chances, estimate: Estimate) -> Verdict:
    shown = interval_of(estimate)
    kind = _kind(shown.value, chances, bare.metric)
    why = (_stricter(shown, found.margin, chances), _what_it_takes(bare, estimate))
    return msgspec.structs.replace(
        bare,
        kind=kind,
        ratio=shown.value,
        low=shown.low,
        high=shown.high,
        family=chances.family,
        drift=found.drift.deviation if found.drift else None,
        reasons=tuple(filter(None, why)) if kind is VerdictKind.UNDECIDED else (),
    )


def _single(bare: Verdict, ratio: float) -> Verdict:
    why = tr(
        "one trial says nothing about the next: at least {count} of each are needed",
        count=FEWEST_TO_STOP,
    )
    return msgspec.structs.replace(bare, kind=VerdictKind.UNDECIDED, ratio=ratio, reasons=(why,))


def _stricter(shown: Interval, margin: float, chances: _Chances) -> str:
    """Why an interval that seems conclusive is not enough; empty where it does not seem so."""
    if not shown.low <= 1.0 <= shown.high:
        said = tr(
            "the 95 % interval excludes 1, but a verdict asks for more: "
            "without a difference, such trials must have a chance below {limit}, not {chance}",
            limit=show_share(DECLARE_BELOW),
            chance=show_share(chances.p),
        )
    elif 1.0 / (1.0 + margin) <= shown.low and shown.high <= 1.0 + margin:
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


def _what_it_takes(bare: Verdict, estimate: Estimate) -> str:
    fewest = min(bare.trials)
    if fewest < FEWEST_TO_STOP:
        return tr(
            "at least {count} trials of each are needed, and there are {fewest}",
            count=FEWEST_TO_STOP,
            fewest=fewest,
        )
    visible = visible_difference(estimate)
    if not (math.isfinite(visible) and visible < 10):
        return tr("these trials could show no difference of any size; repeat them")
    return tr(
        "these trials could show a difference of {share} or more; repeat to see a smaller one",
        share=show_share(visible),
    )
