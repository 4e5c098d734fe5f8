"""A verdict and its sentence."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

import msgspec

from core.language.translation import tr, tr_word
from core.language.units import show_ratio
from core.result.metrics import metric_named


class VerdictKind(StrEnum):
    """How the candidate compares with the baseline."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    UNDECIDED = "undecided"
    INVALID = "invalid"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """One comparison.

    `ratio`: candidate over baseline of the metric, with its 95 % interval; None where invalid or,
    for the interval, where a side has a single trial.  Where less is better, FASTER means a ratio
    below 1.
    `reasons`: why the kind is what it is, then what the reader needs to know.
    """

    kind: VerdictKind
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
    drift: float | None = None
    """Relative deviation between sessions that the interval allows for; None where interleaved."""
    reasons: tuple[str, ...] = ()
    doubt: str = ""
    """What other programs did during the trials, and what to do; empty on a quiet machine."""

    @property
    def told(self) -> bool:
        """Whether one side is faster, or better in whatever was compared."""
        return self.kind in (VerdictKind.FASTER, VerdictKind.SLOWER)

    @property
    def sentence(self) -> str:
        """The verdict for people, in one or two sentences."""
        return f"{self.claim} {self.because}".rstrip()

    @property
    def because(self) -> str:
        """The reasons, a sentence each, and what speaks against the trials."""
        reasons = (f"{reason[:1].upper()}{reason[1:]}." for reason in self.reasons)
        return " ".join(filter(None, (*reasons, self.doubt)))

    @property
    def claim(self) -> str:
        """The verdict without its reasons."""
        return f"{self._claimed()}."

    def _claimed(self) -> str:
        match self.kind:
            case VerdictKind.INVALID:
                return tr(
                    "{candidate} and {baseline} cannot be compared",
                    candidate=self.candidate,
                    baseline=self.baseline,
                )
            case VerdictKind.UNDECIDED:
                seen = f": {self.figures}" if self.ratio is not None else ""
                untold = tr(
                    "Cannot tell yet whether {candidate} differs from {baseline}",
                    candidate=self.candidate,
                    baseline=self.baseline,
                )
                return f"{untold}{seen}"
            case VerdictKind.SAME:
                return tr(
                    "No real difference between {candidate} and {baseline}: "
                    "{figures}, within {margin:g} % either way",
                    candidate=self.candidate,
                    baseline=self.baseline,
                    figures=self.figures,
                    margin=100 * self.margin,
                )
            case VerdictKind.FASTER | VerdictKind.SLOWER:
                return tr(
                    "{candidate} is {better} than {baseline}: {figures}",
                    candidate=self.candidate,
                    better=self._better,
                    baseline=self.baseline,
                    figures=self.figures,
                )
            case _:
                assert_never(self.kind)

    @property
    def _better(self) -> str:
        better = self.kind is VerdictKind.FASTER
        metric = metric_named(self.metric)
        if metric.of_valid:
            return tr("faster") if better else tr("slower")
        if better == (metric.better == "less"):
            return tr("lower in {metric}", metric=tr_word(metric.name))
        return tr("higher in {metric}", metric=tr_word(metric.name))

    @property
    def figures(self) -> str:
        """`1.20× (1.15× to 1.25×)`; for a verdict with a ratio."""
        assert self.ratio is not None
        if self.low is None or self.high is None:
            return show_ratio(self.ratio)
        low, high = show_ratio(self.low), show_ratio(self.high)
        return tr("{value} ({low} to {high})", value=show_ratio(self.ratio), low=low, high=high)
