"""Chooses the claim of a study on which the next block of a run with a budget is spent.

The claim that takes the least time comes first, and of equal ones the first in the study: so after
any time as many claims as possible are told.  The choice is made anew before each block, from what
is known then.  A claim that cannot be told in the time left waits for those that can, and so does
one of which only the size is open.  What no claim needs, such as plain reads for comparison, comes
last.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from core.judge import load_study, open_claims
from core.vocabulary import Result, collect, is_refusal

if TYPE_CHECKING:
    from core.judge import Study
    from core.language import Seconds
    from core.vocabulary import Environment, Plan, RunSpec, Trial

type TimeOf = Callable[[Iterable[RunSpec]], Seconds]
"""The time of one more trial of each of these."""


class Choice(NamedTuple):
    """The digests of specs: of those to measure next, and of those that need no more trials."""

    block: Set[str]
    decided: frozenset[str]


class ClaimOrder:
    """The claims of a plan's study that are open, by what they cost."""

    def __init__(self, plan: Plan, study: Study, environment: Environment) -> None:
        self._plan = plan
        self._study = study
        self._environment = environment
        self._specs = {spec.digest: spec for spec in plan.specs}
        nothing = [
            Result(spec=spec, environment=environment, file_system=None, trials=())
            for spec in plan.specs
        ]
        by_label = study.results_by_label(nothing)
        self._cells = {label: result.spec for label, result in by_label.items()}

    def next(self, trials: Sequence[Trial], time_of: TimeOf, time_left: Seconds) -> Choice:
        """`block` is empty where nothing open can be measured in the time left."""
        results = collect(self._plan.specs, trials, self._environment, {})
        by_label = self._study.results_by_label(results)
        claims = open_claims(self._study, by_label, self._cells, self._plan.repeats)
        cost = {claim.cells: time_of(self._cells[one] for one in claim.cells) for claim in claims}
        fitting = [claim for claim in claims if cost[claim.cells] <= time_left]
        few = self._with_few(trials)
        if fitting:
            seconds = {
                one: math.inf if one.more is None else one.more * cost[one.cells] for one in fitting
            }
            first = min(
                fitting, key=lambda one: (seconds[one] > time_left, one.size_only, seconds[one])
            )
            block: Set[str] = {self._cells[label].digest for label in first.cells}
        else:
            block = self._cheapest(few, time_of, time_left)
        open_cells = {self._cells[label].digest for claim in claims for label in claim.cells}
        return Choice(block, frozenset(self._specs.keys() - open_cells - few))

    def _with_few(self, trials: Sequence[Trial]) -> Set[str]:
        counts = Counter(trial.spec_digest for trial in trials)
        refused = {trial.spec_digest for trial in trials if is_refusal(trial.outcome)}
        return {one for one in self._specs.keys() - refused if counts[one] < self._plan.repeats}

    def _cheapest(self, digests: Set[str], time_of: TimeOf, time_left: Seconds) -> Set[str]:
        """As many of these as there is time for."""
        costs: Mapping[str, Seconds] = {one: time_of([self._specs[one]]) for one in digests}
        chosen: set[str] = set()
        for digest in sorted(costs, key=lambda one: (costs[one], one)):
            time_left -= costs[digest]
            if time_left >= 0:
                chosen.add(digest)
        return chosen


def claims_of(plan: Plan, environment: Environment) -> ClaimOrder | None:
    """None for a plan without claims, and for a study of programs: it asks as a sweep does."""
    if not plan.study:
        return None
    study = load_study(plan.study)
    return None if study.programs else ClaimOrder(plan, study, environment)
