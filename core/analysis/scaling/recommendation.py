"""How many threads to use.

The smallest number that is surely near the best, and what more would cost.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from core.analysis.limit_check import NO_LIMITS, Limits
from core.analysis.scaling.scaling_curve import Noise, Shape, classify, pooled_noise
from core.analysis.threads_point import Point
from core.language.translation import tr
from core.language.units import show_share
from core.plan.limits import NEAR

# One-sided, for every rival: the chosen number of threads must be this sure against each of them.
SURE = 0.99


class Evidence(StrEnum):
    CONFIDENT = "confident"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, kw_only=True)
class StepUp:
    """The price of going from `start` to `end` threads.

    Relative throughput gained, and the rest in absolute figures.
    """

    start: int
    end: int
    throughput: float
    memory: int | None
    open_files: int | None
    p99: float | None


@dataclass(frozen=True, kw_only=True)
class Recommendation:
    """`threads` to use (None: nothing usable), the evidence, and why, in plain sentences.

    Where the evidence is 'cannot tell', `threads` is the best guess. `refused`: thread counts that
    cannot be used, with the reason. `steps`: between neighbours among the usable points.
    """

    threads: int | None
    evidence: Evidence
    shape: Shape
    reasons: tuple[str, ...]
    refused: tuple[tuple[int, str], ...]
    steps: tuple[StepUp, ...]

    @property
    def sentence(self) -> str:
        if self.threads is None:
            return tr("Cannot tell: {why}", why=self.reasons[0])
        count = tr("1 thread") if self.threads == 1 else tr("{count} threads", count=self.threads)
        if self.evidence is Evidence.CANNOT_TELL:
            return tr(
                "Cannot tell yet, perhaps {setting}: {why}", setting=count, why=self.reasons[0]
            )
        return f"{tr('Use {setting}', setting=count)}: {self.reasons[0]}"


def surely_near_best(
    point: Point, rivals: Sequence[Point], noise: Noise, near: float = NEAR, sure: float = SURE
) -> bool:
    """Whether it truly reaches 1 - `near` of every rival's throughput, each with confidence `sure`.

    Source: Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the
    best", Annals of Statistics 12 (1984); here per rival, with pooled noise.
    """
    return all(
        point.level
        - rival.level
        - noise.bound(len(point.throughputs), len(rival.throughputs), sure)
        >= math.log1p(-near)
        for rival in rivals
        if rival.threads != point.threads
    )


def recommend(
    points: Sequence[Point], limits: Limits = NO_LIMITS, near: float = NEAR
) -> Recommendation:
    """The smallest usable number of threads that is surely within `near` of the best usable one.

    Usable: nothing failed, no limit known to be broken. Where the chosen one's figure for a limit
    is unknown the evidence is 'cannot tell'. A faster one that gave wrong data is no rival.

    Raises ValueError where a usable point has no positive throughput.
    Source: after the rule of one standard error, the simplest choice that cannot be told from the
    best (Breiman et al., "Classification and Regression Trees", 1984, §3.4.3), with a margin.
    """
    ordered = sorted(points, key=lambda p: p.threads)
    refused = tuple((p.threads, why) for p in ordered if (why := limits.broken_by(p)))
    usable = [point for point in ordered if not limits.broken_by(point)]
    noise = pooled_noise(usable)
    chosen, evidence, reasons = _choose(usable, noise, near)
    if chosen is not None and (unknown := limits.unknown_of(chosen)):
        evidence = Evidence.CANNOT_TELL
        why = tr("its {name} is not known, so it may be over the limit.", name=unknown)
        reasons = (why, *reasons)
    return Recommendation(
        threads=chosen.threads if chosen else None,
        evidence=evidence,
        shape=classify(ordered),
        reasons=reasons,
        refused=refused,
        steps=tuple(_step(one, two) for one, two in pairwise(usable)),
    )


def _choose(
    usable: Sequence[Point], noise: Noise, near: float
) -> tuple[Point | None, Evidence, tuple[str, ...]]:
    if not usable:
        why = tr("no thread count ran without failing or breaking a limit.")
        return None, Evidence.CANNOT_TELL, (why,)
    best = max(usable, key=lambda p: p.level)
    close = [p for p in usable if p.level - best.level >= math.log1p(-near)]
    if noise.freedom == 0:
        why = tr("nothing was measured twice, so the noise is unknown.")
        return close[0], Evidence.CANNOT_TELL, (why,)
    sure = [p for p in close if surely_near_best(p, usable, noise, near)]
    if not sure:
        why = tr(
            "trials differ by {share}, too much for so few of them.",
            share=show_share(noise.deviation),
        )
        return close[0], Evidence.CANNOT_TELL, (why,)
    chosen = sure[0]
    share = math.exp(chosen.level - best.level)
    reasons = [
        tr(
            "{share} of the best measured, which {threads} reached.",
            share=show_share(share),
            threads=best.threads,
        )
    ]
    if close[0] is not chosen:
        reasons.append(
            tr(
                "{threads} may do as well; the trials so far cannot prove it.",
                threads=close[0].threads,
            )
        )
    return chosen, Evidence.CONFIDENT, tuple(reasons)


def _step(start: Point, end: Point) -> StepUp:
    return StepUp(
        start=start.threads,
        end=end.threads,
        throughput=math.expm1(end.level - start.level),
        memory=_difference(start.peak_memory, end.peak_memory),
        open_files=_difference(start.open_files, end.open_files),
        p99=None if start.p99 is None or end.p99 is None else end.p99 - start.p99,
    )


def _difference(start: int | None, end: int | None) -> int | None:
    return None if start is None or end is None else end - start
