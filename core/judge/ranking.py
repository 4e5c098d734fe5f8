"""The order of the settings of a run: of two by their pair, of all by their levels.

Every sentence about order rests on it, in card, plot, table, report, study, `compare`, and where a
budget or a search ends.  A figure alone says nothing: two settings whose pair is undecided are "not
measurably different".

Several settings are often equally good, and then no number of trials shows one of them ahead.  So
the answer is a set: the settings that surely are within `near` of all others, and those that
measured within `near` of the best and are not measurably slower than it.  Of these the cheapest is
advised: the one with fewest threads; of those the one with least memory; of those about equal the
one with fewest open files; then the first.

Settings of one run share its blocks.  The effect of a block on all of them is removed before the
noise is estimated (`core.judge.statistics.two_way_layout`), so a drifting machine does not hide
differences.
Source: Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the
best", Annals of Statistics 12 (1984), here per rival with one pooled noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from core.judge.comparison import compare
from core.judge.estimation import may_be_above, relative
from core.judge.pairs import costs_more, wire_cost
from core.judge.point import Point
from core.judge.statistics.intervals import student_quantile
from core.judge.statistics.two_way_layout import TwoWayLayout, two_way_layout
from core.judge.workload_facts import of_whole_work
from core.vocabulary import MARGIN, NEAR, WITHIN, Grade, Result, Verdict, VerdictKind, grade_of

SURE = 0.99
"""One-sided, for every rival: the chosen setting must be this sure against each of them."""
MEASURABLY = 0.975
"""One-sided: a setting is worth giving up where the 95 % interval of its ratio to the best leaves
out 1.  Where it does not, fewer threads are preferred to more of which more is known.  Were this as
strict as a verdict, a search would take a fifth more trials, and
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
    error: float = 0.0
    """As that of its result."""


@dataclass(frozen=True, kw_only=True)
class BestSettings:
    """Indices of candidates: the one to use, and the others that are equally good."""

    chosen: int
    equals: tuple[int, ...]
    possible: tuple[int, ...]
    """All that the trials cannot rule out: no other is surely better by more than `near`."""
    ahead: tuple[int, ...]
    """Those of them that may be better than the chosen one by more than `near`."""
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
    def grade(self) -> Grade:
        """How sure the chosen one is."""
        within = self.repeated and self.at_least >= 1.0 - WITHIN
        return grade_of(sure=self.confident, within=within)


def best_settings(
    candidates: Sequence[Candidate], near: float = NEAR, *, interleaved: bool = True
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
    if any(one.error for one in candidates):
        layout = replace(layout, errors=np.array([one.error for one in candidates]))
    best = int(np.argmax(layout.levels))
    slack = -math.log1p(-near)
    close = [at for at, level in enumerate(layout.levels) if layout.levels[best] - level <= slack]
    sure = [at for at in close if _worst(layout, at) >= -slack]
    # No other is surely better by more than the slack.
    possible = [
        at
        for at in range(len(candidates))
        if np.all(layout.levels - layout.levels[at] - layout.bounds(at, SURE) <= slack)
    ]
    behind = layout.levels[best] - layout.levels
    good = [at for at in close if at in sure or behind[at] <= layout.bound(best, at, MEASURABLY)]
    chosen = cheapest(candidates, good)
    at_least = math.exp(_worst(layout, chosen))
    leads = layout.levels - layout.levels[chosen] + layout.bounds(chosen, SURE)
    others = [at for at in range(len(candidates)) if at != best]
    second = max(others, key=lambda at: float(layout.levels[at]), default=None)
    alike = set(possible) <= set(close) and at_least >= 1.0 - 2.0 * near
    return BestSettings(
        chosen=chosen,
        equals=tuple(at for at in good if at != chosen),
        possible=tuple(possible),
        ahead=tuple(at for at in possible if leads[at] > slack),
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
    cheap = [at for at in places if candidates[at].threads == fewest]
    for cost in ("memory", "files"):
        costs = [value for at in cheap if (value := getattr(candidates[at], cost)) is not None]
        if len(costs) == len(cheap):
            cheap = [at for at in cheap if getattr(candidates[at], cost) <= ALIKE * min(costs)]
    return cheap[0]


def _worst(layout: TwoWayLayout, at: int) -> float:
    """The log of the share of the throughput of any, itself included, that this one reaches."""
    return float(np.min(layout.levels[at] - layout.levels - layout.bounds(at, SURE)))


def _enough(layout: TwoWayLayout, slack: float) -> int:
    """The fewest trials of each with which the bound on two of them is within the slack.

    More trials also say more about the noise, so that the bound has fewer standard errors.
    """
    if layout.freedom <= 0:
        return 0
    settings = len(layout.levels)

    def needed(trials: int) -> float:
        freedom = max(layout.freedom, max(settings - 1, 1) * (trials - 1))
        return 2.0 * (student_quantile(freedom, SURE) * layout.deviation / slack) ** 2

    low, high = 2, max(2, math.ceil(needed(2)))
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if needed(middle) <= middle else (middle + 1, high)
    return low


def _as_precise(layout: TwoWayLayout, chosen: int) -> int:
    others = [at for at in range(len(layout.levels)) if at != chosen]
    if not others:
        return max(1, round(1.0 / float(layout.spread[chosen, chosen])))
    rival = max(others, key=lambda at: float(layout.levels[at]))
    # In a sweep of r trials each, the difference of two has the variance of 2 / r trials.
    return max(1, math.floor(2.0 / layout.unit_error(chosen, rival) ** 2 + 1e-6))


def ranking_of(valid: Sequence[Result], *, parts: bool = False) -> Ranking:
    """The ranking of those that have a ratio to others; of the first alone where none has.

    `parts`: also of those that leave out a part of the work, beside others that do it all.
    """
    valid = valid if parts else of_whole_work(valid)
    return Ranking([one for one in valid if not Point.of(one).failed] or valid[:1])


class Ranking:
    """What some results of one run say of each other; all of them have a throughput above 0."""

    def __init__(self, results: Sequence[Result], near: float = NEAR) -> None:
        self.results = tuple(results)
        self.near = near
        self._pairs: dict[tuple[int, int], Verdict] = {}

    def pair(self, baseline: Result, candidate: Result) -> Verdict:
        """The verdict on the candidate, the same that `compare` gives."""
        key = id(baseline), id(candidate)
        if key not in self._pairs:
            self._pairs[key] = compare(baseline, candidate)
        return self._pairs[key]

    def nearness(self, candidate: int) -> Verdict:
        """As `against_chosen`, where what is within `near` either way is the same."""
        if self.near == MARGIN:
            return self.against_chosen(candidate)
        chosen = self.results[self.selection.chosen]
        return compare(chosen, self.results[candidate], margin=self.near)

    @cached_property
    def selection(self) -> BestSettings:
        """Which are the best, and which to use; indices are those of `results`."""
        return best_settings(
            [_candidate(result, Point.of(result)) for result in self.results],
            self.near,
            interleaved=_interleaved(self.results),
        )

    @cached_property
    def grade(self) -> Grade:
        """How sure the chosen one is, less where a pair shows another further ahead."""
        chosen = self.results[self.selection.chosen]
        ahead = [
            relative(chosen, one).low or 1.0
            for one in self.results
            if self._faster(chosen, one) is not None
        ]
        reached = 1.0 / max(ahead, default=1.0)
        selection = self.selection
        within = selection.grade is not Grade.LEADING and reached >= 1.0 - WITHIN
        return grade_of(sure=selection.confident and reached >= 1.0 - self.near, within=within)

    @cached_property
    def leader(self) -> Result:
        """The best measured; or, where a pair shows another to be faster, that one."""
        if len(self.results) == 1:
            return self.results[0]
        leader = self.results[self.selection.best]
        for one in self.results:
            if self._faster(leader, one) is not None:
                leader = one
        return leader

    def cost_of_lead(self, name_of: Callable[[Result], str]) -> str:
        """What the leader gains, and for how much more, as a sentence; or empty."""
        return wire_cost(self.leader, name_of, self.results)

    def dearer_by(self, other: Result) -> str:
        """How much more an operation of the leader takes, such as `10.0× the bytes`."""
        return costs_more(self.leader, other)

    def _faster(self, baseline: Result, candidate: Result) -> Verdict | None:
        """The verdict that the candidate is faster; None where it is not.

        No pair is judged whose figures say otherwise: there can be thousands.
        """
        if not may_be_above(baseline, candidate):
            return None
        verdict = self.pair(baseline, candidate)
        return verdict if verdict.kind is VerdictKind.FASTER else None

    @property
    def grade_of_leader(self) -> Grade:
        selection = self.selection
        if not selection.repeated or self.results[selection.best] is not self.leader:
            return Grade.LEADING
        reached = selection.best_at_least
        return grade_of(sure=reached >= 1.0 - self.near, within=reached >= 1.0 - WITHIN)

    @cached_property
    def not_slower(self) -> tuple[int, ...]:
        places = (at for at in range(len(self.results)) if at != self.selection.chosen)
        return tuple(at for at in places if self.against_chosen(at).kind is not VerdictKind.SLOWER)

    def of_chosen(self, baseline: int) -> Verdict:
        """The verdict on the chosen one against the one at this place."""
        return self.pair(self.results[baseline], self.results[self.selection.chosen])

    def against_chosen(self, candidate: int) -> Verdict:
        """The verdict on the one at this place against the chosen one."""
        return self.pair(self.results[self.selection.chosen], self.results[candidate])


def _candidate(result: Result, point: Point) -> Candidate:
    return Candidate(
        logs=[
            (trial.block, math.log(trial.throughput))
            for trial in result.finished_trials
            if trial.throughput is not None
        ],
        threads=point.threads * result.spec.load.processes * result.spec.load.nodes,
        memory=point.costs.get("peak_rss"),
        files=point.costs.get("fds"),
        error=result.error,
    )


def _interleaved(results: Sequence[Result]) -> bool:
    """Whether blocks are stretches of time that settings have in common, for most trials.

    A search has blocks with only some of the settings.  Results of several sessions have blocks
    of the same number at different times.
    """
    times: dict[int, list[float]] = {}
    settings: dict[int, set[int]] = {}
    for at, result in enumerate(results):
        for trial in result.finished_trials:
            times.setdefault(trial.block, []).append(trial.started)
            settings.setdefault(trial.block, set()).add(at)
    spans = [(min(times[block]), max(times[block])) for block in sorted(times)]
    in_turn = all(one[1] < two[0] for one, two in pairwise(spans))
    shared = sum(len(times[block]) for block, met in settings.items() if len(met) > 1)
    return in_turn and 2 * shared >= sum(map(len, times.values()))
