"""The judge: in which order settings stand, of two by their pair, of all by their rank.

Every sentence of order is made from its values, in card, plot, table, report, study, `compare`, and
where a budget or a search ends.  A figure alone says nothing: what the pair does not tell is "not
measurably different".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from core.analysis.best_settings import BestSettings, Candidate, best_settings
from core.analysis.comparison import compare
from core.analysis.grade import WITHIN, Grade, grade_of
from core.analysis.thread_curves import point_of
from core.analysis.threads_point import Point
from core.analysis.verdict import Verdict, VerdictKind
from core.plan.limits import NEAR
from core.result.result import Result


def judge_of(valid: Sequence[Result]) -> Judge:
    """A judge of those that have a ratio to others; of the first alone where none has."""
    return Judge([one for one in valid if not point_of(one).failed] or valid[:1])


class Judge:
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
        chosen = self.results[self.rank.chosen]
        return compare(chosen, self.results[candidate], margin=self.near)

    @cached_property
    def rank(self) -> BestSettings:
        """Which are the best, and which to use; places are those of `results`."""
        return best_settings(
            [_candidate(result, point_of(result)) for result in self.results],
            self.near,
            interleaved=_interleaved(self.results),
        )

    @cached_property
    def grade(self) -> Grade:
        """How sure the chosen one is; no pair tells that another is further ahead."""
        ahead = [
            verdict.low
            for at in range(len(self.results))
            if (verdict := self.against_chosen(at)).kind is VerdictKind.FASTER and verdict.low
        ]
        reached = 1.0 / max(ahead, default=1.0)
        rank = self.rank
        within = rank.grade is not Grade.LEADING and reached >= 1.0 - WITHIN
        return grade_of(sure=rank.confident and reached >= 1.0 - self.near, within=within)

    @cached_property
    def leader(self) -> Result:
        """The best measured; or, where a pair tells that another is faster, that one."""
        if len(self.results) == 1:
            return self.results[0]
        leader = self.results[self.rank.best]
        for one in self.results:
            if self.pair(leader, one).kind is VerdictKind.FASTER:
                leader = one
        return leader

    @property
    def grade_of_leader(self) -> Grade:
        """How sure it is."""
        rank = self.rank
        if not rank.repeated or self.results[rank.best] is not self.leader:
            return Grade.LEADING
        reached = rank.best_at_least
        return grade_of(sure=reached >= 1.0 - self.near, within=reached >= 1.0 - WITHIN)

    @cached_property
    def not_slower(self) -> tuple[int, ...]:
        """The places of those that are not told to be slower than the chosen one."""
        places = (at for at in range(len(self.results)) if at != self.rank.chosen)
        return tuple(at for at in places if self.against_chosen(at).kind is not VerdictKind.SLOWER)

    def of_chosen(self, baseline: int) -> Verdict:
        """The verdict on the chosen one against the one at this place."""
        return self.pair(self.results[baseline], self.results[self.rank.chosen])

    def against_chosen(self, candidate: int) -> Verdict:
        """The verdict on the one at this place against the chosen one."""
        return self.pair(self.results[self.rank.chosen], self.results[candidate])


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
