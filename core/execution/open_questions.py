"""Which settings a run should measure more often, by the question that its plan asks.

A study asks about its claims; several settings ask which of them are the best; a single one asks
for its own throughput.  Pairs of `compare --again` ask for their verdicts, and so do two settings,
and each setting of two versions: that is what `compare` says of them afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence, Set

from core.analysis.advisor import open_settings
from core.analysis.comparison import compare_all
from core.analysis.estimation import metric_estimate, relative
from core.analysis.limit_check import limits_of
from core.analysis.ranking import Ranking
from core.analysis.thread_curves import point_of
from core.analysis.verdict import VerdictKind
from core.analysis.workload_facts import of_whole_work, parts_of
from core.catalog.parameters import Value
from core.execution.budget import StillOpen
from core.execution.measure_again import Pairs, pairs_in
from core.host.environment import describe_environment
from core.plan.floor import without_bare_files
from core.plan.limits import NEAR, STOP_BELOW, effort_of
from core.plan.schedule import Plan
from core.plan.spec import POOLED, differing
from core.result.result import Result, Trial, collect

_VERSION = "version"
"""The name of an axis over versions of one thing, such as a placeholder in a command."""


def questions_of(plan: Plan, beside: Collection[str] = ()) -> StillOpen:
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
        pairs = _open_pairs(_pairs_among(asked, plan.terms))
        if not rivals and not pairs:
            return _open_pairs(_gains_of_threads(asked, plan.terms))
        return [*([rivals] if rivals and {*rivals} not in pairs else ()), *pairs]

    return still_open


def _questions_of_pairs(plan: Plan) -> StillOpen:
    environment = describe_environment()

    def still_open(trials: Sequence[Trial]) -> Collection[Set[str]]:
        return _open_pairs(pairs_in(plan, collect(plan.specs, trials, environment, {})))

    return still_open


def _open_pairs(pairs: Pairs) -> list[set[str]]:
    """The digests of each pair whose verdict is not told."""
    return [
        {side.spec.digest for side in pair}
        for pair, verdict in zip(pairs, compare_all(pairs), strict=True)
        if _open(pair, verdict.kind, len(pairs))
    ]


def _pairs_among(results: Sequence[Result], terms: Mapping[str, Value]) -> Pairs:
    """Two settings; or the first version of each setting and every other one.

    What failed or is over a limit is compared with nothing, nor are draws of one setting.
    """
    limits = limits_of(terms)
    usable = [one for one in results if one.valid and not limits.broken_by(point_of(one))]
    names = {*differing([one.spec for one in results])} - POOLED
    if len(results) == len(usable) == 2 and names:
        return [(usable[0], usable[1])]
    if _VERSION not in names:
        return ()
    settings: dict[frozenset[tuple[str, Value]], list[Result]] = {}
    for one in usable:
        setting = {"workload": one.spec.workload, **one.spec.values}
        setting.pop(_VERSION, None)
        settings.setdefault(frozenset(setting.items()), []).append(one)
    return [(first, other) for first, *others in settings.values() for other in others]


def _gains_of_threads(results: Sequence[Result], terms: Mapping[str, Value]) -> Pairs:
    """The fewest threads and those that are advised, once that is sure: what do they bring?"""
    limits = limits_of(terms)
    pairs = []
    for part in [part.results for part in parts_of(results)] or [results]:
        usable = [one for one in of_whole_work(part) if not limits.broken_by(point_of(one))]
        if len(usable) > 2:
            best = Ranking(usable, effort_of(terms).near).selection
            chosen = usable[best.chosen]
            alike = [one for one in usable if {*differing([one.spec, chosen.spec])} <= {"threads"}]
            fewest = min(alike, key=lambda one: one.spec.load.threads)
            if usable.index(fewest) not in (best.chosen, *best.equals):
                pairs.append((fewest, chosen))
    return pairs


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
    from core.study.judge_claims import cells_needing_trials
    from core.study.preset import load_study

    found = load_study(study_name)
    by_label = found.results_by_label(results)
    return [
        {by_label[label].spec.digest for label in labels}
        for labels in cells_needing_trials(found, by_label)
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
