"""Which settings a run should measure more often, by the question that its plan asks.

A study asks about its claims; several settings ask which of them are the best; a single one asks
for its own throughput.  Pairs of `compare --again` ask for their verdicts.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence, Set

from core.analysis.advisor import open_settings
from core.analysis.comparison import VerdictKind, compare_all
from core.analysis.estimation import metric_estimate, relative
from core.execution.budget import StillOpen
from core.execution.measure_again import pairs_in
from core.host.environment import describe_environment
from core.plan.floor import without_bare_files
from core.plan.limits import NEAR, STOP_BELOW
from core.plan.schedule import Plan
from core.result.result import Result, Trial, collect


def questions_of(plan: Plan, beside: Set[str] = frozenset()) -> StillOpen:
    """What a plan's trials leave open; the specs with the digests in `beside` only explain."""
    if plan.pairs:
        return _questions_of_pairs(plan)
    environment = describe_environment()

    def still_open(trials: Sequence[Trial]) -> Collection[Set[str]]:
        results = collect(plan.specs, trials, environment, {})
        asked = [one for one in without_bare_files(results) if one.spec.digest not in beside]
        if plan.study and not _of_programs(plan.study):
            return _open_claims(plan.study, results)
        rivals = (
            open_settings(asked, plan.terms)
            if len(asked) > 1
            else {one.spec.digest for one in asked if not _precise(one)}
        )
        return (rivals,) if rivals else ()

    return still_open


def _questions_of_pairs(plan: Plan) -> StillOpen:
    environment = describe_environment()

    def still_open(trials: Sequence[Trial]) -> Collection[Set[str]]:
        sides = pairs_in(plan, collect(plan.specs, trials, environment, {}))
        verdicts = compare_all(sides)
        return [
            {side.spec.digest for side in pair}
            for pair, verdict in zip(sides, verdicts, strict=True)
            if _open(pair, verdict.kind, len(sides))
        ]

    return still_open


def _open(pair: tuple[Result, Result], kind: VerdictKind, pairs: int) -> bool:
    """Whether more trials are worth their time: a difference has to be surer than its verdict.

    That two are the same stops it as soon as it is told, since an early look that errs there errs
    by little: the settings are about the margin apart.
    """
    if kind not in (VerdictKind.FASTER, VerdictKind.SLOWER):
        return kind is VerdictKind.UNDECIDED
    found = relative(*pair, confidence=1.0 - STOP_BELOW / pairs)
    return found.low is not None and found.high is not None and found.low <= 1.0 <= found.high


def _of_programs(study_name: str) -> bool:
    """Whether a study asks for the threads of programs, as a sweep does."""
    from core.study.preset import load_study

    return bool(load_study(study_name).programs)


def _open_claims(study_name: str, results: Sequence[Result]) -> Collection[Set[str]]:
    from core.study.judge_claims import cells_to_tell
    from core.study.preset import load_study

    found = load_study(study_name)
    by_label = found.results_by_label(results)
    return [
        {by_label[label].spec.digest for label in labels}
        for labels in cells_to_tell(found, by_label)
    ]


def _precise(result: Result) -> bool:
    """Whether the interval of its throughput is within `NEAR` either way; also if it has none.

    This looks at the spread alone, so stopping favours no value.
    """
    if not result.valid:
        return True
    found = metric_estimate(result)
    if found.low is None or found.high is None or found.low <= 0.0:
        return False
    return math.sqrt(found.high / found.low) <= 1.0 + NEAR
