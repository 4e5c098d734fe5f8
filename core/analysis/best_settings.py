"""Which settings are the best, as far as trials can tell, and which of them is the cheapest.

This is the one rule by which a setting is advised, after a sweep and after a search alike.

Several settings are often equally good, and then no number of trials shows one of them ahead.  So
the answer is a set: the settings that surely are within `near` of all others, and those that
measured within `near` of the best and are not measurably slower than it.  Of these the cheapest is
advised: the one with fewest threads; of those the one with least memory; of those about equal the
one with fewest open files; then the first.

Settings of one run share its blocks.  The effect of a block on all of them is removed before the
noise is estimated (`core.analysis.statistics.two_way_layout`), so a drifting machine does not hide
differences.
Source: Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the
best", Annals of Statistics 12 (1984), here per rival with one pooled noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.grade import WITHIN, Grade, grade_of
from core.analysis.statistics.intervals import student_quantile
from core.analysis.statistics.two_way_layout import Layout, two_way_layout
from core.plan.limits import NEAR

SURE = 0.99
"""One-sided, for every rival: the chosen setting must be this sure against each of them."""
MEASURABLY = 0.975
"""One-sided: a setting is measurably slower where the 95 % interval of its ratio to the best leaves
out 1, as all intervals that are shown.  Where it is not, fewer threads are preferred to more of
which more is known.  Were this as strict as a verdict, a search would take a fifth more trials, and
would be unsure in the end twice as often."""
ALIKE = 1.1
"""Two costs are the same up to this factor: memory differs a little from trial to trial."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A setting: the block and the natural log of the throughput of each trial, and its costs.

    `memory` (bytes) and `files` are those of its worst trial; None if they are unknown.
    """

    logs: Sequence[tuple[int, float]]
    threads: int
    """Of all its processes on all nodes."""
    memory: float | None = None
    files: float | None = None


@dataclass(frozen=True, kw_only=True)
class BestSettings:
    """Indices of candidates: the one to use, and the others that are equally good."""

    chosen: int
    equals: tuple[int, ...]
    possible: tuple[int, ...]
    """All that the trials cannot rule out: no other is surely better by more than `near`."""
    best: int
    """The one that measured best."""
    second: int | None
    """The one that measured best of all but the best; None where there is one only."""
    at_least: float
    """The share of any other's throughput that the chosen one surely reaches; 0 = unknown."""
    best_at_least: float
    """The same of the best."""
    confident: bool
    deviation: float
    """Standard deviation of the log of one trial's throughput, without the blocks' effects."""
    repeated: bool
    """Whether any noise could be estimated."""
    enough: int
    """Trials of each setting that would make the choice confident, if the noise stays the same."""
    as_precise: int
    """Trials of each setting with which a sweep tells the chosen one from its fastest rival as
    precisely as these trials do; rounded down, so that a search is never flattered."""

    @property
    def for_now(self) -> bool:
        """Whether the chosen one, though others may be better, surely is not much slower."""
        return self.grade is Grade.WITHIN

    @property
    def grade(self) -> Grade:
        """How sure the chosen one is."""
        within = self.repeated and self.at_least >= 1.0 - WITHIN
        return grade_of(sure=self.confident, within=within)


def best_settings(
    candidates: Sequence[Candidate],
    near: float = NEAR,
    *,
    interleaved: bool = True,
) -> BestSettings:
    """The best candidates, within a share of `near`; each candidate has at least one trial.

    `interleaved`: trials with the same block ran close together.
    Confident: the chosen one surely reaches 1 - `near` of every other.  Or it is one of several
    that all measured that close, all others are surely worse, and it surely reaches 1 - 2 `near`.

    Raises ValueError if there are no candidates.
    """
    if not candidates:
        raise ValueError("there is nothing to choose from")
    layout = two_way_layout([one.logs for one in candidates], blocked=interleaved)
    best = int(np.argmax(layout.levels))
    slack = -math.log1p(-near)
    close = [at for at, level in enumerate(layout.levels) if layout.levels[best] - level <= slack]
    sure = [at for at in close if _worst(layout, at) >= -slack]
    possible = [at for at in range(len(candidates)) if _possible(layout, at, slack)]
    good = [at for at in close if at in sure or not _slower(layout, best, at)]
    chosen = cheapest(candidates, good)
    at_least = math.exp(_worst(layout, chosen))
    others = [at for at in range(len(candidates)) if at != best]
    second = max(others, key=lambda at: float(layout.levels[at]), default=None)
    alike = set(possible) <= set(close) and at_least >= 1.0 - 2.0 * near
    return BestSettings(
        chosen=chosen,
        equals=tuple(at for at in good if at != chosen),
        possible=tuple(possible),
        best=best,
        second=second,
        at_least=at_least,
        best_at_least=math.exp(_worst(layout, best)),
        confident=layout.freedom > 0 and (chosen in sure or alike),
        deviation=layout.deviation,
        repeated=layout.freedom > 0,
        enough=_enough(layout, slack),
        as_precise=_as_precise(layout, chosen),
    )


def cheapest(candidates: Sequence[Candidate], places: Sequence[int]) -> int:
    """The place with fewest threads; then least memory; of those about equal, fewest files."""
    fewest = min(candidates[at].threads for at in places)
    left = [at for at in places if candidates[at].threads == fewest]
    for cost in ("memory", "files"):
        known = [value for at in left if (value := getattr(candidates[at], cost)) is not None]
        if len(known) == len(left):
            left = [at for at in left if getattr(candidates[at], cost) <= ALIKE * min(known)]
    return left[0]


def _slower(layout: Layout, best: int, at: int) -> bool:
    """Whether one is measurably slower than the best."""
    bound = layout.bound(best, at, MEASURABLY)
    return float(layout.levels[best] - layout.levels[at]) > bound


def _worst(layout: Layout, at: int) -> float:
    """The log of the share of the throughput of any, itself included, that this one reaches."""
    return float(np.min(layout.levels[at] - layout.levels - layout.bounds(at, SURE)))


def _possible(layout: Layout, at: int, slack: float) -> bool:
    """Whether no other setting is surely better by more than `slack`."""
    return bool(np.all(layout.levels - layout.levels[at] - layout.bounds(at, SURE) <= slack))


def _enough(layout: Layout, slack: float) -> int:
    """The fewest trials of each with which the bound on two of them is within the slack.

    More trials also say more about the noise, so that the bound has fewer standard errors.
    """
    if layout.freedom <= 0:
        return 0
    settings = len(layout.levels)

    def wanted(trials: int) -> float:
        freedom = max(layout.freedom, max(settings - 1, 1) * (trials - 1))
        return 2.0 * (student_quantile(freedom, SURE) * layout.deviation / slack) ** 2

    low, high = 2, max(2, math.ceil(wanted(2)))
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if wanted(middle) <= middle else (middle + 1, high)
    return low


def _as_precise(layout: Layout, chosen: int) -> int:
    others = [at for at in range(len(layout.levels)) if at != chosen]
    if not others:
        return max(1, round(1.0 / float(layout.spread[chosen, chosen])))
    rival = max(others, key=lambda at: float(layout.levels[at]))
    # In a sweep of r trials each, the difference of two has the variance of 2 / r trials.
    return max(1, math.floor(2.0 / layout.unit_error(chosen, rival) ** 2 + 1e-6))
