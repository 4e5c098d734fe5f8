"""Which questions about results more trials could still answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set

import msgspec

from core.judge.comparison import compare_all
from core.judge.estimation import metric_estimate, relative, typical
from core.judge.point import Limits, Point
from core.judge.ranking import Ranking
from core.judge.trust import taken_from
from core.judge.workload_facts import of_whole_work, parts_of
from core.vocabulary import (
    NEAR,
    POOLED,
    STOP_BELOW,
    Grade,
    Result,
    Value,
    VerdictKind,
    differing,
    effort_of,
)

HOPELESS = math.log(0.7)
"""A setting this far below the best need not be measured twice."""
type Pairs = Sequence[tuple[Result, Result]]


def open_questions(results: Sequence[Result], terms: Mapping[str, Value]) -> list[Set[str]]:
    """Of each open question the digests of the specs that it is about.

    Several settings ask which of them are the best; a single one asks for its own throughput.  Two
    settings, and each setting of two versions, ask for the verdict that `compare` gives afterwards.
    """
    rivals = (
        open_settings(results, terms)
        if len(results) > 1
        else {one.spec.digest for one in results if not _precise(one)}
    )
    pairs = open_pairs(_pairs_among(results, terms))
    if not rivals and not pairs:
        return open_pairs(_gains_of_threads(results, terms))
    return [*([rivals] if rivals and rivals not in pairs else ()), *pairs]


def open_settings(results: Sequence[Result], terms: Mapping[str, Value]) -> frozenset[str]:
    """Digests of the settings that may still be the best; none once the choice is certain.

    Whatever parameters vary.  Settings that failed, or that are over a limit, are out.
    """
    return frozenset().union(*(_open_among(part, terms) for part in _parts(results)))


def _parts(results: Sequence[Result]) -> Sequence[Sequence[Result]]:
    return [part.results for part in parts_of(results)] or [results]


def _usable(results: Sequence[Result], terms: Mapping[str, Value]) -> list[Result]:
    limits = Limits.of(terms)
    return [one for one in of_whole_work(results) if not limits.broken_by(Point.of(one))]


def _open_among(results: Sequence[Result], terms: Mapping[str, Value]) -> frozenset[str]:
    usable, near = _usable(results, terms), effort_of(terms).near
    if len(usable) < 2:
        return frozenset()
    still_open = _rivals(usable, near)
    if taken_from(usable):  # what loses beside others can be the best without them
        from core.judge.alone import alone  # which no run on a quiet machine needs

        computed = alone(usable)
        quiet = [*computed.results, *computed.most]
        if len(quiet) == len(usable):
            # More trials make nothing better that was computed: only their own noise counts.
            bare = [msgspec.structs.replace(one, error=0.0) for one in quiet]
            still_open |= _rivals(bare, near)
    return still_open


def _rivals(usable: Sequence[Result], near: float) -> frozenset[str]:
    """Digests of the setting to use and of those that may be better than it by more than `near`."""
    ranking = Ranking(usable, near)
    if ranking.grade is Grade.SURE:
        return frozenset()
    best = ranking.selection
    rivals = {best.chosen, best.best, best.second}
    # One trial of each shows no noise, but what is that far behind need not show any.
    rivals |= {at for at in best.ahead if not _hopeless(usable[at], usable[best.best])}
    return frozenset(usable[at].spec.digest for at in rivals if at is not None)


def _hopeless(result: Result, best: Result) -> bool:
    """Whether its only trial is far behind the best."""
    if len(result.finished_trials) > 1:
        return False
    own, other = typical(result), typical(best)
    return own is not None and other is not None and own < math.exp(HOPELESS) * other


_VERSION = "version"
"""The name of an axis over versions of one thing, such as a placeholder in a command."""


def open_pairs(pairs: Pairs) -> list[Set[str]]:
    """The digests of each pair that has no verdict yet."""
    return [
        {side.spec.digest for side in pair}
        for pair, verdict in zip(pairs, compare_all(pairs), strict=True)
        if _open(pair, verdict.kind, len(pairs))
    ]


def _pairs_among(results: Sequence[Result], terms: Mapping[str, Value]) -> Pairs:
    """Two settings; or the first version of each setting and every other one.

    What failed or is over a limit is compared with nothing, nor are draws of one setting.
    """
    limits = Limits.of(terms)
    usable = [one for one in results if one.valid and not limits.broken_by(Point.of(one))]
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
    pairs = []
    for part in _parts(results):
        usable = _usable(part, terms)
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
    ratio = relative(*pair, confidence=1.0 - STOP_BELOW / pairs)
    return ratio.low is not None and ratio.high is not None and ratio.low <= 1.0 <= ratio.high


def _precise(result: Result) -> bool:
    """Whether the interval of its throughput is within `NEAR` either way; also if it has none.

    This looks at the spread alone, so stopping favours no value.
    """
    if not result.valid:
        return True
    estimate = metric_estimate(result)
    if estimate.low is None or estimate.high is None or estimate.low <= 0.0:
        return False
    return math.sqrt(estimate.high / estimate.low) <= 1.0 + NEAR
