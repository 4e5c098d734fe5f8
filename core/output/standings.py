"""Where each setting of a run stands against the best: for race, table and plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.analysis.advice import Advice
from core.analysis.estimation import MetricEstimate, metric_estimate, typical
from core.analysis.grade import Grade
from core.analysis.judge import judge_of
from core.analysis.verdict import Verdict, VerdictKind
from core.language.translation import tr
from core.language.units import show_ratio
from core.output.result_card import chosen_result
from core.output.result_names import names_of
from core.result.ending import ending
from core.result.metric import Metric
from core.result.metrics import leading
from core.result.result import Result

type Place = Literal["best", "same", "behind", "ahead", "unknown", "failed"]
"""`same`: not measurably different.  `ahead`: faster than what is used, which costs less."""

_MOST_JUDGED = 60
"""Settings that are held against the best one by one: the fastest; a pair takes milliseconds."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One setting: its throughput, and what its pair with the best says."""

    setting: str
    """The digest of its spec."""
    name: str
    place: Place
    text: str
    """The result in words."""
    found: MetricEstimate
    """Of the figure that its users think in."""
    figure: str = ""
    """That figure, for people."""
    verdict: Verdict | None = None
    """On it against the best; None for the best itself, and where there is nothing to compare."""

    @property
    def against(self) -> str:
        """`0.97× (0.93× – 1.01×)`; empty where there is no ratio."""
        if self.place == "best":
            return tr("best")
        verdict = self.verdict
        if verdict is None or verdict.ratio is None:
            return ""
        if verdict.low is None or verdict.high is None:
            return show_ratio(verdict.ratio)
        low, high = show_ratio(verdict.low), show_ratio(verdict.high)
        return f"{show_ratio(verdict.ratio)} ({low} – {high})"

    @property
    def reach(self) -> tuple[float, float]:
        """Where its interval begins and ends; its value twice where it has none."""
        value, low, high = self.found.value or 0.0, self.found.low, self.found.high
        return value if low is None else low, value if high is None else high


def standings(
    results: Sequence[Result], advice: Advice | None, grade: Grade | None, *, over: bool
) -> tuple[Standing, ...]:
    """The best first, then by throughput; those without one at the end.

    `over`: no trial follows, so that the best can be told to be the one to use.
    """
    names = dict(zip((one.spec.digest for one in results), names_of(results), strict=True))
    untellable = advice is not None and advice.untellable
    best = None if untellable else chosen_result(results, advice)
    metric = leading(results)[0]
    found = {one.spec.digest: metric_estimate(one, metric.key) for one in results}
    rates = {one.spec.digest: typical(one) or 0.0 for one in results}
    ranked = sorted(
        results, key=lambda one: (one is best, one.valid, rates[one.spec.digest]), reverse=True
    )
    judge = judge_of([one for one in ranked if one.valid])
    told = []
    for at, one in enumerate(ranked):
        digest, verdict = one.spec.digest, None
        if one is not best and best is not None and one.valid and at <= _MOST_JUDGED:
            verdict = judge.pair(best, one)
        place: Place = "best" if one is best and one.valid else _place(one, verdict)
        alone = len(results) == 1
        told_by_ending = alone or untellable or not one.valid
        text = ending(one) if told_by_ending else _text(place, grade, over=over)
        told.append(
            Standing(
                setting=digest, name=names[digest], place=place, text=text, found=found[digest],
                figure=_told(one, metric, found[digest]), verdict=verdict,
            )
        )  # fmt: skip
    return tuple(told)


def _told(result: Result, metric: Metric, found: MetricEstimate) -> str:
    return "" if found.value is None else metric.text(found.value, result.unit)


def _place(result: Result, verdict: Verdict | None) -> Place:
    if not result.valid:
        return "failed"
    match verdict.kind if verdict is not None else VerdictKind.INVALID:
        case VerdictKind.SLOWER:
            return "behind"
        case VerdictKind.FASTER:
            return "ahead"
        case VerdictKind.INVALID:
            return "unknown"
        case _:
            return "same"


def _text(place: Place, grade: Grade | None, *, over: bool) -> str:
    match place:
        case "best" if over and grade is Grade.SURE:
            return tr("use this")
        case "best":
            return tr("leading")
        case "same":
            return tr("not measurably different")
        case "behind":
            return tr("slower")
        case "ahead":
            return tr("faster, and costs more")
        case _:
            return ""
