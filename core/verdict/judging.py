"""The verdict on one pair of results, and on a family of pairs."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import assert_never

import msgspec

from core.errors import UsageError
from core.naming import told_pairs
from core.result import METRICS, Result
from core.statistics import (
    DECLARE_BELOW,
    FEWEST_TO_STOP,
    MARGIN,
    Comparison,
    compare_samples,
    holm,
    smallest_difference,
)
from core.units import show_ratio, show_share
from core.verdict.reasons import Difference, harness_share, interleaved, obstacles, qualifications
from core.voice import say

_RATES = ("throughput", "byte_rate")
_TIMES = ("p50", "p99", "p999")
COMPARABLE = (*_RATES, *_TIMES)
"""Metrics of which one direction is the better one for every user."""


class Kind(StrEnum):
    """What may be said of the candidate against the baseline."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    UNDECIDED = "undecided"
    INVALID = "invalid"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """One comparison.

    `ratio`: candidate over baseline of the metric, with its 95 % interval; None where invalid or,
    for the interval, where a side has a single trial.  For a latency FASTER means a ratio below 1.
    `reasons`: why the kind is what it is, then what it has to be taken with.
    """

    kind: Kind
    metric: str
    margin: float
    baseline: str
    candidate: str
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    trials: tuple[int, int] = (0, 0)
    family: int = 1
    """How many comparisons were judged together; more make each of them harder to declare."""
    reasons: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The verdict for people, in one or two sentences."""
        told = self._told()
        return f"{told}. {_sentences(self.reasons)}".strip() if self.reasons else f"{told}."

    def _told(self) -> str:
        match self.kind:
            case Kind.INVALID:
                return say(
                    "{candidate} and {baseline} cannot be compared",
                    candidate=self.candidate,
                    baseline=self.baseline,
                )
            case Kind.UNDECIDED:
                seen = f": {self._figures}" if self.ratio is not None else ""
                untold = say(
                    "Cannot tell yet whether {candidate} differs from {baseline}",
                    candidate=self.candidate,
                    baseline=self.baseline,
                )
                return f"{untold}{seen}"
            case Kind.SAME:
                return say(
                    "No real difference between {candidate} and {baseline}: "
                    "{figures}, within {margin:g} % either way",
                    candidate=self.candidate,
                    baseline=self.baseline,
                    figures=self._figures,
                    margin=100 * self.margin,
                )
            case Kind.FASTER | Kind.SLOWER:
                return say(
                    "{candidate} is {better} than {baseline}: {figures}",
                    candidate=self.candidate,
                    better=self._better,
                    baseline=self.baseline,
                    figures=self._figures,
                )
            case _:
                assert_never(self.kind)

    @property
    def _better(self) -> str:
        better = self.kind is Kind.FASTER
        if self.metric not in _TIMES:
            return say("faster") if better else say("slower")
        if better:
            return say("lower in {metric}", metric=self.metric)
        return say("higher in {metric}", metric=self.metric)

    @property
    def _figures(self) -> str:
        assert self.ratio is not None
        if self.low is None or self.high is None:
            return show_ratio(self.ratio)
        low, high = show_ratio(self.low), show_ratio(self.high)
        return say("{value} ({low} to {high})", value=show_ratio(self.ratio), low=low, high=high)


def compare(
    a: Result,
    b: Result,
    *,
    margin: float = MARGIN,
    metric: str = "throughput",
    allowed: Collection[Difference] = (),
) -> Verdict:
    """Judge the candidate `b` against the baseline `a`; raises UsageError for margin or metric.

    `allowed`: differences that are what the user asks about, and so no obstacle.
    """
    return compare_all([(a, b)], margin=margin, metric=metric, allowed=allowed)[0]


def compare_all(
    pairs: Sequence[tuple[Result, Result]],
    *,
    margin: float = MARGIN,
    metric: str = "throughput",
    allowed: Collection[Difference] = (),
) -> tuple[Verdict, ...]:
    """Judge a family of (baseline, candidate) pairs, so that any false claim stays as rare as in one.

    FASTER and SLOWER: the difference is declared; SAME: the ratio is shown to lie within
    1 + `margin` either way.  Both claims are corrected over the family by Holm's method, each on
    its own.  A harness that takes a share h of the time hides that share of every difference, so
    SAME is asked of the margin times 1 − h.  INVALID pairs are no members of the family.
    """
    if not margin > 0:
        raise UsageError(
            f"a margin of {margin:g} lets nothing be the same", "give one such as 0.05"
        )
    if metric not in COMPARABLE:
        raise UsageError(f"{metric!r} cannot be compared", f"choose one of {', '.join(COMPARABLE)}")
    barred = [obstacles(a, b, allowed) or _missing(a, b, metric) for a, b in pairs]
    found = [
        None if why else _compared(a, b, margin, metric)
        for (a, b), why in zip(pairs, barred, strict=True)
    ]
    told = [one for one in found if isinstance(one, Comparison)]
    differ = iter(holm([one.p for one in told]))
    same = iter(holm([one.p_same for one in told]))
    family = max(len(told), 1)
    verdicts = []
    names = told_pairs([(a.spec, b.spec) for a, b in pairs])
    for (a, b), (baseline, candidate), why, one in zip(pairs, names, barred, found, strict=True):
        bare = Verdict(
            kind=Kind.INVALID,
            metric=metric,
            margin=margin,
            baseline=baseline,
            candidate=candidate,
            trials=_counts((a, b)),
            reasons=why,
        )
        if isinstance(one, Comparison):
            kind = _kind(one, next(differ), next(same), metric)
            verdicts.append(_judged(bare, kind, one, (a, b), family, allowed))
        elif one is not None:
            verdicts.append(_single(bare, one))
        else:
            verdicts.append(bare)
    return tuple(verdicts)


def _missing(a: Result, b: Result, metric: str) -> tuple[str, ...]:
    """A valid result may still lack a latency: one that too few timed operations tell.

    A trial without it is not left out, because it is no trial like the others: fewer operations
    were done in it, or its latencies lie on both sides of an edge.
    """
    sides = ((say("the baseline"), a), (say("the candidate"), b))
    return tuple(
        say(
            "{side} has no {metric} in {count} of {of} trials",
            side=side,
            metric=metric,
            count=lacking,
            of=len(result.measured),
        )
        for side, result in sides
        if (lacking := len(result.measured) - len(_values(result, metric)))
    )


def _values(result: Result, metric: str) -> list[float]:
    return [value for value in result.values(metric) if value > 0]


def _sides(a: Result, b: Result, metric: str) -> tuple[list[list[float]], list[list[float]]]:
    """One figure per trial, of the same blocks on both sides where the trials were interleaved.

    One figure and not the series of moments: these hold verification pauses, and a trial is the
    unit of replication (see `core.statistics`).
    """
    look = METRICS[metric]
    if interleaved(a.measured, b.measured):
        pairs = [(look(one), look(two)) for one, two in zip(a.measured, b.measured, strict=True)]
        kept = [(one, two) for one, two in pairs if one and two]
        return [[one] for one, _ in kept], [[two] for _, two in kept]
    return [[value] for value in _values(a, metric)], [[value] for value in _values(b, metric)]


def _compared(a: Result, b: Result, margin: float, metric: str) -> Comparison | float:
    """The comparison, or the bare ratio where a single trial speaks for a side."""
    baseline, candidate = _sides(a, b, metric)
    if min(len(baseline), len(candidate)) < 2:
        medians = [sorted(_values(side, metric)) for side in (a, b)]
        first, second = (values[len(values) // 2] for values in medians)
        return second / first
    return compare_samples(baseline, candidate, margin * (1.0 - harness_share(a, b)))


def _kind(one: Comparison, p: float, p_same: float, metric: str) -> Kind:
    if p_same < DECLARE_BELOW:
        return Kind.SAME
    if p >= DECLARE_BELOW:
        return Kind.UNDECIDED
    return Kind.FASTER if (one.ratio > 1.0) == (metric in _RATES) else Kind.SLOWER


def _judged(
    bare: Verdict,
    kind: Kind,
    one: Comparison,
    pair: tuple[Result, Result],
    family: int,
    allowed: Collection[Difference],
) -> Verdict:
    why = _why_undecided(pair, bare.metric) if kind is Kind.UNDECIDED else ()
    return msgspec.structs.replace(
        bare,
        kind=kind,
        ratio=one.ratio,
        low=one.low,
        high=one.high,
        family=family,
        reasons=(*why, *qualifications(*pair, allowed)),
    )


def _single(bare: Verdict, ratio: float) -> Verdict:
    why = say(
        "one trial cannot speak for the next: it needs at least {count} of each",
        count=FEWEST_TO_STOP,
    )
    return msgspec.structs.replace(bare, kind=Kind.UNDECIDED, ratio=ratio, reasons=(why,))


def _why_undecided(pair: tuple[Result, Result], metric: str) -> tuple[str, ...]:
    fewest = min(_counts(pair))
    if fewest < FEWEST_TO_STOP:
        why = say(
            "it needs at least {count} trials of each, and there are {fewest}",
            count=FEWEST_TO_STOP,
            fewest=fewest,
        )
        return (why,)
    visible = smallest_difference(*_sides(*pair, metric))
    if not (math.isfinite(visible) and visible < 10):
        return (say("these trials could show no difference of any size; repeat them"),)
    why = say(
        "these trials could show a difference of {share} or more; repeat to see a smaller one",
        share=show_share(visible),
    )
    return (why,)


def _counts(pair: tuple[Result, Result]) -> tuple[int, int]:
    return len(pair[0].measured), len(pair[1].measured)


def _sentences(reasons: Sequence[str]) -> str:
    return " ".join(f"{reason[:1].upper()}{reason[1:]}." for reason in reasons)
