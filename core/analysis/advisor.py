"""From the results of a sweep or a search over threads to the setting to use.

One judge (`core.analysis.judge`) has all points of all lines (`core.analysis.thread_curves`): the
advice is the cheapest of those that are as good as the best, and it names the others.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from core.analysis.advice import (
    THREADS,
    Advice,
    AdviceLine,
    Equal,
    Estimated,
    Law,
    Rival,
    setting_of,
)
from core.analysis.answered_apart import parts_of
from core.analysis.curve_shape import law_of, shape_of
from core.analysis.estimation import typical
from core.analysis.grade import Grade
from core.analysis.judge import Judge
from core.analysis.limit_check import limits_of
from core.analysis.prices import prices_of
from core.analysis.scaling import NO_LIMITS, Bounds, Limits, Point, Shape
from core.analysis.thread_curves import ThreadCurve, point_of, thread_curves
from core.analysis.trust import doubts_about, outdone_in_bytes
from core.analysis.untellable_threads import untellable_threads
from core.analysis.verdict import Verdict, VerdictKind
from core.analysis.whole_work import refused_as_part, whole
from core.analysis.within_trials import doubts_within
from core.catalog.parameters import Value
from core.language.translation import tr
from core.language.units import show_share
from core.plan.floor import without_bare_files
from core.plan.limits import NEAR, effort_of
from core.plan.spec import differing
from core.result.result import Result


def advise_within(
    results: Sequence[Result], terms: Mapping[str, Value], choices: int = 0
) -> Advice | None:
    """The setting to use within some terms (`core.plan.limits`), for every face.

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
    """The setting to use, from a sweep or a `search`, by the rule of `core.analysis.best_settings`.

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
    if not settings:
        why = tr("no thread count ran without failing or breaking a limit.")
        basis = Basis(judge=Judge((), near), limits=limits, results=results)
        return _advice(found, None, basis, search, (why,))
    judge = Judge([found[one.line].results[one.point.threads] for one in settings], near)
    used = settings[judge.rank.chosen]
    unknown = limits.unknown_of(used.point)
    unmeasured = _unmeasured(found, results, choices)
    untellable = untellable_threads(found[used.line], used.point.threads, results)
    barred = bool(untellable or unknown)
    basis = Basis(
        judge=judge,
        unmeasured=unmeasured,
        limits=limits,
        results=results,
        untellable=bool(untellable),
        confident=judge.grade is Grade.SURE and not barred and not (search and search.stopped),
        at_most_slower=1.0 - judge.rank.at_least
        if judge.grade is Grade.WITHIN and not barred
        else None,
        most_gain=1.0 / judge.rank.at_least - 1.0 if judge.rank.at_least > 0.0 else None,
        beyond=tuple(_beyond(settings, judge)),
        equals=tuple(_equals(found, settings, judge)),
        repeats_as_precise=judge.rank.as_precise,
        enough=0 if judge.grade is Grade.SURE or untellable else judge.rank.enough,
        possible=0 if judge.grade is Grade.SURE or untellable else len(judge.rank.possible),
    )
    reasons = untellable or _reasons(found, settings, judge, unknown, unmeasured)
    return _advice(found, used, basis, search, reasons)


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
    usable = [result for result in whole(results) if not limits.broken_by(point_of(result))]
    if len(usable) < 2:
        return frozenset()
    judge = Judge(usable, effort_of(terms).near)
    if judge.grade is Grade.SURE:
        return frozenset()
    rank = judge.rank
    return frozenset(usable[at].spec.digest for at in {*rank.possible, rank.chosen, rank.best})


class Setting(NamedTuple):
    """A point of one of the lines."""

    line: int
    point: Point


def _reasons(
    found: Sequence[ThreadCurve],
    settings: Sequence[Setting],
    judge: Judge,
    unknown: str,
    unmeasured: int,
) -> Iterator[str]:
    rank = judge.rank
    if unknown:
        yield tr("its {name} is not known, so it may be over the limit.", name=unknown)
    if not rank.repeated:
        yield tr("nothing was measured twice, so the noise is unknown.")
        return
    if judge.grade is not Grade.SURE:
        count, of = 1 + len(judge.not_slower), len(settings)
        which = (
            tr("any of the {of} settings may be the best", of=of)
            if count == of
            else tr("{count} of {of} settings may be the best", count=count, of=of)
        )
        yield tr(
            "{which}; trials differ by {share}, and about {trials} of each would tell.",
            which=which,
            share=show_share(rank.deviation),
            trials=rank.enough,
        )
        return
    yield _standing(found, settings, judge, unmeasured)


def _standing(
    found: Sequence[ThreadCurve], settings: Sequence[Setting], judge: Judge, unmeasured: int
) -> str:
    """Where the chosen setting stands among the others."""
    rank = judge.rank
    if rank.second is None:
        alone = sum(len(line.points) for line in found) == 1
        return tr("nothing else was measured.") if alone else tr("nothing else can be used.")
    measured = sum(len(line.points) for line in found)
    given: dict[str, Any] = {
        "other": setting_of(
            _values(found, settings[rank.second if rank.chosen == rank.best else rank.best])
        ),
        "sure": _sure(rank.at_least, measured, unmeasured),
    }
    if rank.chosen != rank.best:
        return _beside_the_best(judge.of_chosen(rank.best), given)
    return _as_the_best(judge.of_chosen(rank.second), given)


def _beside_the_best(verdict: Verdict, given: Mapping[str, Any]) -> str:
    if verdict.kind is VerdictKind.SAME:
        near = 100 * verdict.margin
        return tr(
            "as good within {near:g} % as the best measured, {other}; {sure}.", near=near, **given
        )
    if verdict.kind is VerdictKind.SLOWER and verdict.ratio is not None:
        share = _show_at_least(verdict.ratio)
        return tr(
            "{share} of the best measured, which {other} reached; {sure}.", share=share, **given
        )
    return tr("not measurably different from {other}, which measured best; {sure}.", **given)


def _as_the_best(verdict: Verdict, given: Mapping[str, Any]) -> str:
    if verdict.kind is VerdictKind.SAME:
        near = 100 * verdict.margin
        return tr(
            "the best measured, as good within {near:g} % as {other}; {sure}.", near=near, **given
        )
    if verdict.kind is VerdictKind.FASTER and verdict.ratio is not None:
        gain = show_share(verdict.ratio - 1.0)
        return tr(
            "the best measured, {gain} faster than the next, {other}; {sure}.", gain=gain, **given
        )
    return tr("the best measured, not measurably different from {other}; {sure}.", **given)


def _sure(at_least: float, measured: int, left: int) -> str:
    """What the chosen setting surely is among the measured ones, and how many those leave out."""
    if at_least >= 1.0:
        if not left:
            return tr("surely no other is faster")
        if left == 1:
            return tr(
                "surely no other of the {measured} measured is faster; 1 was not", measured=measured
            )
        return tr(
            "surely no other of the {measured} measured is faster; {left} were not",
            measured=measured,
            left=left,
        )
    least = _show_at_least(at_least)
    if not left:
        return tr("surely {least} of any other", least=least)
    if left == 1:
        return tr(
            "surely {least} of any other of the {measured} measured; 1 was not",
            least=least,
            measured=measured,
        )
    return tr(
        "surely {least} of any other of the {measured} measured; {left} were not",
        least=least,
        measured=measured,
        left=left,
    )


def _show_at_least(share: float) -> str:
    """In whole percent, rounded down, so that the sentence stays true."""
    return show_share(math.floor(100.0 * share) / 100.0)


def _beyond(settings: Sequence[Setting], judge: Judge) -> Iterator[Verdict]:
    """The verdicts on more threads of the same line."""
    used = settings[judge.rank.chosen]
    for at, one in enumerate(settings):
        if one.line == used.line and one.point.threads > used.point.threads:
            yield judge.against_chosen(at)


def _equals(
    found: Sequence[ThreadCurve], settings: Sequence[Setting], judge: Judge
) -> Iterator[Equal]:
    """The other settings of the set, but for more threads of the same line: those are spoken of."""
    used = settings[judge.rank.chosen]
    for at in judge.rank.equals:
        one = settings[at]
        if one.line != used.line or one.point.threads < used.point.threads:
            yield Equal(
                values=_values(found, one),
                verdict=judge.nearness(at),
                memory=one.point.costs.get("peak_rss"),
            )


def _values(found: Sequence[ThreadCurve], one: Setting) -> dict[str, Value]:
    return found[one.line].setting(one.point.threads)


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
    """The basis of advice: how sure it is, the limits, and what is as good.

    `untellable`, `at_most_slower`, `most_gain`, `enough`, `possible`: as in `Advice`.
    `repeats_as_precise`: as in `BestSettings`; 0 where nothing was chosen.
    """

    judge: Judge
    limits: Limits
    results: Sequence[Result]
    untellable: bool = False
    confident: bool = False
    at_most_slower: float | None = None
    most_gain: float | None = None
    beyond: tuple[Verdict, ...] = ()
    equals: tuple[Equal, ...] = ()
    repeats_as_precise: int = 0
    enough: int = 0
    possible: int = 0
    unmeasured: int = 0


def _advice(
    found: Sequence[ThreadCurve],
    chosen: Setting | None,
    basis: Basis,
    search: Searched | None,
    reasons: Iterable[str],
) -> Advice:
    """The advice to use the chosen point of the lines."""
    judge = basis.judge
    line = found[chosen.line if chosen else 0]
    threads = chosen.point.threads if chosen else None
    start = _start(found)
    used = line.results[threads] if threads else None
    measured = [result for one in found for result in one.results.values()]
    steps = () if basis.untellable else prices_of(line, basis.limits, judge)
    price = _price_of(search, sum(len(one.finished_trials) for one in measured), basis)
    return Advice(
        untellable=basis.untellable,
        confident=basis.confident,
        at_most_slower=basis.at_most_slower,
        values=line.setting(threads) if threads else {},
        spec=used.spec if used else None,
        baseline=start[0].setting(start[1]) if start else {},
        gain=judge.pair(start[0].results[start[1]], used)
        if used and start and start[0].results[start[1]] is not used
        else None,
        most_gain=basis.most_gain,
        beyond=basis.beyond,
        tried=max(line.results),
        shape=(Shape.UNCLEAR if basis.untellable else shape_of(line, judge)).value,
        law=None if basis.untellable else _law(line, judge),
        reasons=(*_about(search), *reasons, *_spent(search)),
        steps=steps,
        rivals=_rivals(found, chosen.line, used, basis)
        if used and chosen and not basis.untellable
        else (),
        refused=tuple(
            (one.setting(point.threads), why)
            for one in found
            for point in one.points
            if (why := _refused(one, point, basis.limits, basis.results))
        ),
        over=line.pooled,
        equals=basis.equals,
        near=judge.near,
        enough=basis.enough,
        possible=basis.possible,
        unmeasured=basis.unmeasured,
        memory=point_of(used).costs.get("peak_rss") if used else None,
        # An unsure advice already says that few trials leave it open.
        doubts=(
            *doubts_about(
                basis.results,
                (used,) if basis.confident and used else (),
                machine=not basis.untellable,  # or else the sentence says it
            ),
            *(outdone_in_bytes(used, basis.results) if used else ()),
            *(doubts_within(used) if used else ()),
        ),
        **price,
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


def _price_of(search: Searched | None, trials: int, basis: Basis) -> dict[str, Any]:
    """The fields of an advice that say what it cost, and what sweeps of the same settings cost."""
    if search is None:
        fixed = THREADS not in _differing(basis.results)
        return {
            "trials": trials,
            "whole": trials,
            "as_precise": trials,
            "fixed_threads": fixed,
        }
    repeats = basis.repeats_as_precise
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
    """The advice before anything was measured."""
    return Advice(
        confident=False,
        values={},
        spec=None,
        baseline={},
        gain=None,
        beyond=(),
        tried=0,
        shape=Shape.UNCLEAR.value,
        law=None,
        reasons=(tr("nothing was measured."), *filter(None, [search.left])),
        steps=(),
        rivals=(),
        refused=(),
        trials=search.trials,
        whole=search.whole,
        as_precise=search.whole,
        settings=search.settings,
        stopped=search.stopped,
    )


def _start(found: Sequence[ThreadCurve]) -> tuple[ThreadCurve, int] | None:
    """The fewest threads that ran without failing on the first line where any did."""
    for line in found:
        for point in line.points:
            if not point.failed:
                return line, point.threads
    return None


def _rivals(
    found: Sequence[ThreadCurve], place: int, used: Result, basis: Basis
) -> tuple[Rival, ...]:
    """The best of every other line, compared with the chosen result."""
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
        rivals.append(Rival(values=values, verdict=basis.judge.pair(best, used)))
    return tuple(rivals)


def _law(line: ThreadCurve, judge: Judge) -> Law | None:
    law = law_of(line, judge)
    if law is None:
        return None
    return Law(
        contention=_estimated(law.contention, law.contention_bounds),
        coherency=_estimated(law.coherency, law.coherency_bounds),
        peak=law.peak if law.coherency > 0 else None,
        misfit=law.misfit,
    )


def _estimated(value: float, bounds: Bounds | None) -> Estimated:
    return Estimated(value, bounds.low, bounds.high) if bounds else Estimated(value)
