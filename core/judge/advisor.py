"""From the results of a sweep or a search over threads to the setting to use.

One ranking (`core.judge.ranking`) has all points of all lines (`core.judge.thread_curves`);
the advice is the cheapest of those that are as good as the best, and it names the others.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from core.judge.advice import THREADS, Advice, AdviceLine, Equal, Estimated, Law, Rival
from core.judge.curve_advice import (
    Setting,
    law_of,
    prices_of,
    reasons_of,
    shape_of,
    untellable_threads,
    varied_values,
)
from core.judge.estimation import typical
from core.judge.ranking import Ranking
from core.judge.scaling import Shape
from core.judge.thread_curves import (
    NO_LIMITS,
    Limits,
    Point,
    ThreadCurve,
    limits_of,
    point_of,
    thread_curves,
)
from core.judge.trust import doubts_about, doubts_within, outdone_in_bytes, unsettling
from core.judge.verdict import Doubt, Grade, Verdict
from core.judge.workload_facts import of_whole_work, parts_of, refused_as_part
from core.language.translation import tr
from core.measure.plain_reads import without_bare_files
from core.vocabulary.limits import NEAR, effort_of
from core.vocabulary.parameters import Value
from core.vocabulary.result import Result
from core.vocabulary.spec import differing


def advise_within(
    results: Sequence[Result], terms: Mapping[str, Value], choices: int = 0
) -> Advice | None:
    """The setting to use within some terms (`core.vocabulary.limits`), for every face.

    None where neither threads nor processes were varied.  Where the workload wants an answer for
    each value of a parameter, `Advice.lines` has them.  `choices`: as in `advise`.
    """
    limits, near = limits_of(terms), effort_of(terms).near
    of_all = advise(results, limits, near, choices=choices)
    lines = tuple(
        AdviceLine(values=part.values, advice=found)
        for part in parts_of(results)
        if (found := advise(part.results, limits, near)) is not None
    )
    if of_all is None or len(lines) < 2:
        return of_all
    doubts = dict.fromkeys(doubt for line in lines for doubt in line.advice.doubts)
    return msgspec.structs.replace(
        of_all,
        confident=all(line.advice.confident for line in lines),
        doubts=tuple(doubts),
        enough=max(line.advice.enough for line in lines),
        possible=sum(line.advice.possible for line in lines),
        lines=lines,
    )


def advise(
    results: Sequence[Result],
    limits: Limits = NO_LIMITS,
    near: float = NEAR,
    search: Searched | None = None,
    choices: int = 0,
) -> Advice | None:
    """The setting to use, from a sweep or a `search`, by the rule of `core.judge.ranking`.

    `choices`: how many specs there were to choose from; 0 = those of the results.  None where
    neither threads nor processes were varied.
    """
    found = thread_curves(results, search.varied if search else _varied(results))
    if not found:
        return None if search is None else _nothing(search)
    settings = [
        Setting(place, point)
        for place, line in enumerate(found)
        for point in line.points
        if not _refused(line, point, limits, results)
    ]
    ranking = Ranking([found[one.line].results[one.point.threads] for one in settings], near)
    basis = Basis(ranking=ranking, limits=limits, results=results, search=search)
    if not settings:
        why = tr("no thread count ran without failing or breaking a limit.")
        return _advice(found, None, basis, (why,))
    used = settings[ranking.selection.chosen]
    unknown = limits.unknown_of(used.point)
    unmeasured = _unmeasured(found, results, choices)
    untellable = untellable_threads(found[used.line], used.point.threads, results)
    doubted = tuple(doubt.text for doubt in unsettling(results))
    barred = bool(untellable or unknown or doubted)
    sure = ranking.grade is Grade.SURE and not barred and not (search and search.stopped)
    basis = replace(basis, untellable=bool(untellable), confident=sure)
    reasons = untellable or (
        *doubted,
        *reasons_of(found, settings, ranking, unknown, unmeasured),
    )
    advice = _advice(found, used, basis, reasons)
    others = _others(found, settings, ranking, barred=barred, untellable=bool(untellable))
    return msgspec.structs.replace(advice, unmeasured=unmeasured, **others)


def _others(
    found: Sequence[ThreadCurve],
    settings: Sequence[Setting],
    ranking: Ranking,
    *,
    barred: bool,
    untellable: bool,
) -> dict[str, Any]:
    """The fields of an advice that say how all else stands, and how many trials would tell."""
    selection = ranking.selection
    within = ranking.grade is Grade.WITHIN and not barred
    none = ranking.grade is Grade.SURE or untellable
    return {
        "at_most_slower": 1.0 - selection.at_least if within else None,
        "most_gain": 1.0 / selection.at_least - 1.0 if selection.at_least > 0.0 else None,
        "beyond": tuple(_beyond(settings, ranking)),
        "equals": tuple(_equals(found, settings, ranking)),
        "enough": 0 if none else selection.enough,
        "possible": 0 if none else len(selection.possible),
    }


def _differing(results: Sequence[Result]) -> tuple[str, ...]:
    measured = [one for one in without_bare_files(results) if one.finished_trials]
    return tuple(differing([one.spec for one in measured]))


def _varied(results: Sequence[Result]) -> tuple[str, ...]:
    """What differs between settings; processes are counted as threads are."""
    names = _differing(results)
    return (THREADS, *names) if "processes" in names and THREADS not in names else names


def _refused(line: ThreadCurve, point: Point, limits: Limits, results: Sequence[Result]) -> str:
    """Why a point is no answer; empty where it can be."""
    return limits.broken_by(point) or refused_as_part(line.results[point.threads], results)


def _unmeasured(found: Sequence[ThreadCurve], results: Sequence[Result], choices: int) -> int:
    """How many settings were to choose from that nobody has measured."""
    left = choices - sum(bool(one.finished_trials) for one in results)
    each = math.prod(len(values) for values in found[0].pooled.values())
    return max(0, left) // max(each, 1)


def open_settings(results: Sequence[Result], terms: Mapping[str, Value]) -> frozenset[str]:
    """Digests of the settings that may still be the best; none once the choice is certain.

    Whatever parameters vary.  Settings that failed, or that are over a limit, are out.
    """
    parts = [part.results for part in parts_of(results)] or [results]
    return frozenset().union(*(_open_among(part, terms) for part in parts))


def _open_among(results: Sequence[Result], terms: Mapping[str, Value]) -> frozenset[str]:
    limits = limits_of(terms)
    usable = [result for result in of_whole_work(results) if not limits.broken_by(point_of(result))]
    if len(usable) < 2:
        return frozenset()
    ranking = Ranking(usable, effort_of(terms).near)
    if ranking.grade is Grade.SURE:
        return frozenset()
    best = ranking.selection
    return frozenset(usable[at].spec.digest for at in {*best.possible, best.chosen, best.best})


def _beyond(settings: Sequence[Setting], ranking: Ranking) -> Iterator[Verdict]:
    """The verdicts on more threads of the same line."""
    used = settings[ranking.selection.chosen]
    for at, one in enumerate(settings):
        if one.line == used.line and one.point.threads > used.point.threads:
            yield ranking.against_chosen(at)


def _equals(
    found: Sequence[ThreadCurve], settings: Sequence[Setting], ranking: Ranking
) -> Iterator[Equal]:
    """The other settings of the set, but for more threads of the same line: those are spoken of."""
    used = settings[ranking.selection.chosen]
    for at in ranking.selection.equals:
        one = settings[at]
        if one.line != used.line or one.point.threads < used.point.threads:
            yield Equal(
                values=varied_values(found, one),
                verdict=ranking.nearness(at),
                memory=one.point.costs.get("peak_rss"),
            )


@dataclass(frozen=True, kw_only=True)
class Searched:
    """What a search knows of itself: what it searched, how far it got, and what a sweep takes.

    `varied`: names of the parameters.  `settings`: how many there were to choose from; `whole`:
    trials of a sweep over them.  `trial_seconds`: how long one of its trials took on average.
    `fixed_threads`: whether there was one number of threads only.
    """

    varied: Collection[str]
    settings: int
    trials: int
    whole: int
    trial_seconds: float
    fixed_threads: bool = False
    stopped: bool = False
    spent: bool = False
    left: str = ""
    """What a search whose time was up has left undone."""


@dataclass(frozen=True, kw_only=True)
class Basis:
    """What advice rests on; `untellable`, `confident`: as in `Advice`."""

    ranking: Ranking
    limits: Limits
    results: Sequence[Result]
    search: Searched | None
    untellable: bool = False
    confident: bool = False


def _advice(
    found: Sequence[ThreadCurve], chosen: Setting | None, basis: Basis, reasons: Iterable[str]
) -> Advice:
    ranking, search, untellable = basis.ranking, basis.search, basis.untellable
    line = found[chosen.line if chosen else 0]
    used = line.results[chosen.point.threads] if chosen else None
    start = _start(found)
    measured = [result for one in found for result in one.results.values()]
    return Advice(
        untellable=untellable,
        confident=basis.confident,
        values=line.setting(chosen.point.threads) if chosen else {},
        spec=used.spec if used else None,
        baseline=start[0] if start else {},
        gain=ranking.pair(start[1], used) if used and start and start[1] is not used else None,
        tried=max(line.results),
        shape=(Shape.UNCLEAR if untellable else shape_of(line, ranking)).value,
        law=None if untellable else _law(line, ranking),
        reasons=(*_about(search), *reasons, *_spent(search)),
        steps=() if untellable else prices_of(line, basis.limits, ranking),
        rivals=_rivals(found, chosen.line, used, basis)
        if used and chosen and not untellable
        else (),
        refused=tuple(
            (one.setting(point.threads), why)
            for one in found
            for point in one.points
            if (why := _refused(one, point, basis.limits, basis.results))
        ),
        over=line.pooled,
        near=ranking.near,
        memory=point_of(used).costs.get("peak_rss") if used else None,
        doubts=_doubts(basis, used),
        **_price_of(basis, sum(len(one.finished_trials) for one in measured)),
    )


def _doubts(basis: Basis, used: Result | None) -> tuple[Doubt, ...]:
    # An unsure advice already says that few trials leave it open, an untellable one the machine.
    chosen = (used,) if basis.confident and used else ()
    return (
        *doubts_about(basis.results, chosen, machine=not basis.untellable),
        *(outdone_in_bytes(used, basis.results) if used else ()),
        *(doubts_within(used) if used else ()),
    )


def _about(search: Searched | None) -> tuple[str, ...]:
    if search is None or not search.stopped:
        return ()
    told = tr(
        "1 trial was measured before the end.",
        "{count} trials were measured before the end.",
        count=search.trials,
    )
    return (told, search.left) if search.left else (told,)


def _spent(search: Searched | None) -> tuple[str, ...]:
    return (tr("all trials allowed are spent."),) if search and search.spent else ()


def _price_of(basis: Basis, trials: int) -> dict[str, Any]:
    """The fields of an advice that say what it cost, and what sweeps of the same settings cost."""
    search = basis.search
    if search is None:
        fixed = THREADS not in _differing(basis.results)
        return {"trials": trials, "whole": trials, "as_precise": trials, "fixed_threads": fixed}
    repeats = basis.ranking.selection.as_precise if basis.ranking.results else 0
    return {
        "trials": search.trials,
        "whole": search.whole,
        "as_precise": search.settings * repeats if repeats else search.whole,
        "settings": search.settings,
        "stopped": search.stopped,
        "trial_seconds": search.trial_seconds,
        "fixed_threads": search.fixed_threads,
    }


def _nothing(search: Searched) -> Advice:
    return Advice(
        confident=False,
        shape=Shape.UNCLEAR.value,
        reasons=(tr("nothing was measured."), *filter(None, [search.left])),
        trials=search.trials,
        whole=search.whole,
        as_precise=search.whole,
        settings=search.settings,
        stopped=search.stopped,
    )


def _start(found: Sequence[ThreadCurve]) -> tuple[Mapping[str, Value], Result] | None:
    """The fewest threads that ran without failing on the first line where any did."""
    for line in found:
        for point in line.points:
            if not point.failed:
                return line.setting(point.threads), line.results[point.threads]
    return None


def _rivals(
    found: Sequence[ThreadCurve], place: int, used: Result, basis: Basis
) -> tuple[Rival, ...]:
    rivals = []
    for at, line in enumerate(found):
        usable = [
            line.results[point.threads]
            for point in line.points
            if not _refused(line, point, basis.limits, basis.results)
        ]
        if at == place or not usable:
            continue
        best = max(usable, key=lambda result: typical(result) or 0.0)
        values = line.setting(best.spec.load.threads)
        rivals.append(Rival(values=values, verdict=basis.ranking.pair(best, used)))
    return tuple(rivals)


def _law(line: ThreadCurve, ranking: Ranking) -> Law | None:
    law = law_of(line, ranking)
    if law is None:
        return None
    return Law(
        contention=Estimated(law.contention, *(law.contention_bounds or ())),
        coherency=Estimated(law.coherency, *(law.coherency_bounds or ())),
        peak=law.peak if law.coherency > 0 else None,
        misfit=law.misfit,
    )
