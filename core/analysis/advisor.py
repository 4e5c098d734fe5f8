"""From the results of a sweep over threads to the setting to use.

A line is what varies in threads only; a sweep over threads and a cache has one line per cache.
All points of all lines are compared at once (`core.analysis.best_settings`): the advice is the
cheapest of those that are as good as the best, and it names the others.

No seed is better than another, so the trials of all seeds are pooled, and the advice names them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import msgspec

from core.analysis.advice import THREADS, Advice, Equal, Estimated, Law, Price, Rival, setting_of
from core.analysis.best_settings import BestSettings, Candidate, best_settings
from core.analysis.estimation import apart, ratio, typical
from core.analysis.limit_check import limits_of
from core.analysis.scaling import (
    NO_LIMITS,
    Bounds,
    Limits,
    Point,
    Recommendation,
    Shape,
    fit_law,
    recommend,
)
from core.analysis.trust import doubts_about
from core.catalog.parameters import Value
from core.language.translation import tr
from core.language.units import show_share
from core.plan.floor import without_bare_files
from core.plan.labels import POOLED
from core.plan.limits import NEAR, effort_of
from core.plan.spec import differing
from core.result.ending import ending
from core.result.latencies import longest
from core.result.result import Result


@dataclass(frozen=True, kw_only=True)
class ThreadCurve:
    """Results that differ in threads only, by threads; `values` is what sets the line apart.

    `pooled`: the values over which each result has trials of several specs, of which it names one.
    """

    values: Mapping[str, Value]
    results: Mapping[int, Result]
    pooled: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    @property
    def points(self) -> tuple[Point, ...]:
        """One point for each number of threads, in rising order."""
        return tuple(point_of(self.results[threads]) for threads in sorted(self.results))

    def setting(self, threads: int) -> dict[str, Value]:
        """The values of one of its points."""
        return {THREADS: threads, **self.values}


def point_of(result: Result) -> Point:
    """One result as a point: its throughputs, and memory, files and p99 of its worst trial."""
    return Point(
        threads=result.spec.load.threads,
        throughputs=tuple(result.values("throughput")) if result.valid else (),
        peak_memory=_whole(result.values("peak_rss")),
        open_files=_whole(result.values("fds")),
        p99=longest([trial.latencies for trial in result.finished_trials], 0.99),
        failed=not result.valid,
        reason="" if result.valid else ending(result),
    )


def _whole(values: Sequence[float]) -> int | None:
    return round(max(values)) if values else None


def thread_curves(
    results: Sequence[Result], varied: Collection[str] | None = None
) -> tuple[ThreadCurve, ...]:
    """The lines of a sweep in the order of their first results; none where threads do not vary.

    `varied`: the parameters in which settings differ; taken from the results by default.
    """
    measured = [result for result in without_bare_files(results) if result.finished_trials]
    names = differing([result.spec for result in measured]) if varied is None else varied
    if THREADS not in names:
        return ()
    others = [name for name in names if name not in {THREADS, *POOLED}]
    found: dict[tuple[Value | None, ...], list[Result]] = {}
    for result in measured:
        values = {"workload": result.spec.workload, **result.spec.values}
        found.setdefault(tuple(values.get(name) for name in others), []).append(result)
    return tuple(
        _thread_curve(
            {name: value for name, value in zip(others, key, strict=True) if value is not None},
            members,
            [name for name in names if name in POOLED],
        )
        for key, members in found.items()
    )


def _thread_curve(
    values: Mapping[str, Value], members: Sequence[Result], pooled: Collection[str]
) -> ThreadCurve:
    """The results as one line; those with equally many threads are pooled."""
    by_threads: dict[int, Result] = {}
    for result in members:
        threads = result.spec.load.threads
        kept = by_threads.get(threads)
        by_threads[threads] = (
            msgspec.structs.replace(kept, trials=kept.trials + result.trials) if kept else result
        )
    over = {name: dict.fromkeys(one.spec.values[name] for one in members) for name in pooled}
    return ThreadCurve(
        values=values,
        results=by_threads,
        pooled={name: tuple(told) for name, told in over.items()},
    )


def advise_within(results: Sequence[Result], terms: Mapping[str, Value]) -> Advice | None:
    """The setting to use from a full sweep within its terms (`core.plan.limits`), for every face.

    None where threads were not varied.
    """
    return advise(results, limits_of(terms), effort_of(terms).near)


def advise(
    results: Sequence[Result], limits: Limits = NO_LIMITS, near: float = NEAR
) -> Advice | None:
    """The setting to use from a sweep; None where threads were not varied."""
    found = thread_curves(results)
    if not found:
        return None
    settings = [
        Setting(place, point)
        for place, line in enumerate(found)
        for point in line.points
        if not limits.broken_by(point)
    ]
    trials = sum(len(result.finished_trials) for line in found for result in line.results.values())
    basis = Basis(
        limits=limits,
        trials=trials,
        whole=trials,
        results=tuple(results),
        as_precise=trials,
        near=near,
    )
    if not settings:
        nothing = recommend(found[0].points, limits, near)
        return advice_on(found, 0, nothing, replace(basis, reasons=nothing.reasons))
    best = best_settings(
        [_candidate(found[one.line].results[one.point.threads], one.point) for one in settings],
        near,
        interleaved=_interleaved([result for line in found for result in line.results.values()]),
    )
    used = settings[best.chosen]
    unknown = limits.unknown_of(used.point)
    line = recommend(found[used.line].points, limits, near)
    basis = replace(
        basis,
        confident=best.confident and not unknown,
        reasons=tuple(_reasons(found, settings, best, unknown)),
        equals=tuple(_equals(found, settings, best)),
    )
    return advice_on(found, used.line, replace(line, threads=used.point.threads), basis)


def open_settings(results: Sequence[Result], terms: Mapping[str, Value]) -> frozenset[str]:
    """Digests of the settings that may still be the best; none once the choice is certain.

    Whatever parameters vary.  Settings that failed, or that are over a limit, are out.
    """
    limits = limits_of(terms)
    usable = [result for result in results if not limits.broken_by(point_of(result))]
    if len(usable) < 2:
        return frozenset()
    best = best_settings(
        [_candidate(result, point_of(result)) for result in usable],
        effort_of(terms).near,
        interleaved=_interleaved(usable),
    )
    if best.confident:
        return frozenset()
    return frozenset(usable[at].spec.digest for at in {*best.possible, best.chosen, best.best})


class Setting(NamedTuple):
    """A point of one of the lines."""

    line: int
    point: Point


def _candidate(result: Result, point: Point) -> Candidate:
    return Candidate(
        logs=[
            (trial.block, math.log(trial.throughput))
            for trial in result.finished_trials
            if trial.throughput is not None
        ],
        threads=point.threads,
        memory=point.peak_memory,
        files=point.open_files,
    )


def _interleaved(results: Sequence[Result]) -> bool:
    """Whether the blocks of all results are the same stretches of time."""
    first, *others = results
    return not any(apart(first.finished_trials, one.finished_trials) for one in others)


def _reasons(
    found: Sequence[ThreadCurve], settings: Sequence[Setting], best: BestSettings, unknown: str
) -> Iterator[str]:
    if unknown:
        yield tr("its {name} is not known, so it may be over the limit.", name=unknown)
    if not best.repeated:
        yield tr("nothing was measured twice, so the noise is unknown.")
        return
    if not best.confident:
        count, of = len(best.possible), len(settings)
        which = (
            tr("any of the {of} settings may be the best", of=of)
            if count == of
            else tr(
                "{count} of {of} settings may be the best, the others are slower",
                count=count,
                of=of,
            )
        )
        yield tr(
            "{which}; trials differ by {share}, and about {trials} of each would tell.",
            which=which,
            share=show_share(best.deviation),
            trials=best.enough,
        )
        return
    top = settings[best.best]
    yield tr(
        "{share} of the best measured, which {threads} reached; surely {least} of any other.",
        share=show_share(best.share),
        threads=top.point.threads if len(found) == 1 else setting_of(_values(found, top)),
        least=show_share(best.at_least),
    )


def _equals(
    found: Sequence[ThreadCurve], settings: Sequence[Setting], best: BestSettings
) -> Iterator[Equal]:
    """The other settings of the set, but for more threads of the same line: those are spoken of."""
    used = settings[best.chosen]
    for one in (settings[at] for at in best.equals):
        if one.line != used.line or one.point.threads < used.point.threads:
            yield Equal(values=_values(found, one), memory=one.point.peak_memory)


def _values(found: Sequence[ThreadCurve], one: Setting) -> dict[str, Value]:
    return found[one.line].setting(one.point.threads)


@dataclass(frozen=True, kw_only=True)
class Basis:
    """The basis of advice: how sure it is, why, the limits, and the number of trials.

    `whole`, `as_precise`, `settings`: as in `Advice`.
    """

    limits: Limits
    trials: int
    whole: int
    as_precise: int
    confident: bool = False
    reasons: tuple[str, ...] = ()
    settings: int = 0
    stopped: bool = False
    results: tuple[Result, ...] = ()
    """All results, where there are more than the lines hold."""
    equals: tuple[Equal, ...] = ()
    near: float = NEAR


def advice_on(
    found: Sequence[ThreadCurve], place: int, chosen: Recommendation, basis: Basis
) -> Advice:
    """The advice to use the chosen point of the line at that place."""
    if not found:
        return _nothing(basis)
    line = found[place]
    usable = {point.threads: point for point in line.points if not basis.limits.broken_by(point)}
    threads = chosen.threads
    more = [
        gain - 1.0
        for number in usable
        if threads and number > threads
        if (gain := ratio(line.results[threads], line.results[number])) is not None
    ]
    start = _start(found)
    confident = basis.confident and threads is not None
    measured = basis.results or [result for one in found for result in one.results.values()]
    used = line.results[threads] if threads else None
    return Advice(
        confident=confident,
        values=line.setting(threads) if threads else {},
        spec=used.spec if used else None,
        baseline=start[0].setting(start[1]) if start else {},
        ratio=ratio(start[0].results[start[1]], used) if used and start else None,
        beyond=max(more, default=None),
        tried=max(line.results),
        shape=chosen.shape.value,
        law=_law(line),
        reasons=basis.reasons,
        steps=prices_of(chosen),
        rivals=_rivals(found, place, used, basis.limits) if used else (),
        refused=tuple(
            (one.setting(point.threads), why)
            for one in found
            for point in one.points
            if (why := basis.limits.broken_by(point))
        ),
        trials=basis.trials,
        over=line.pooled,
        whole=basis.whole,
        as_precise=basis.as_precise,
        settings=basis.settings,
        stopped=basis.stopped,
        equals=basis.equals,
        near=basis.near,
        memory=point_of(used).peak_memory if used else None,
        # An unsure advice already says that few trials leave it open.
        doubts=doubts_about(measured, (line.results[threads],) if confident and threads else ()),
    )


def _nothing(basis: Basis) -> Advice:
    """The advice before anything was measured."""
    return Advice(
        confident=False,
        values={},
        spec=None,
        baseline={},
        ratio=None,
        beyond=None,
        tried=0,
        shape=Shape.UNCLEAR.value,
        law=None,
        reasons=(tr("nothing was measured."),),
        steps=(),
        rivals=(),
        refused=(),
        trials=basis.trials,
        whole=basis.whole,
        as_precise=basis.as_precise,
        settings=basis.settings,
        stopped=basis.stopped,
    )


def _start(found: Sequence[ThreadCurve]) -> tuple[ThreadCurve, int] | None:
    """The fewest threads that ran without failing on the first line where any did."""
    for line in found:
        for point in line.points:
            if not point.failed:
                return line, point.threads
    return None


def prices_of(chosen: Recommendation) -> tuple[Price, ...]:
    """What each step up between neighbouring usable points brings and costs."""
    return tuple(
        Price(
            start=step.start,
            end=step.end,
            throughput=step.throughput,
            memory=step.memory,
            open_files=step.open_files,
            p99=step.p99,
        )
        for step in chosen.steps
    )


def _rivals(
    found: Sequence[ThreadCurve], place: int, used: Result, limits: Limits
) -> tuple[Rival, ...]:
    """The best of every other line, compared with the chosen result."""
    rivals = []
    for at, line in enumerate(found):
        usable = [
            line.results[point.threads] for point in line.points if not limits.broken_by(point)
        ]
        if at == place or not usable:
            continue
        best = max(usable, key=lambda result: typical(result) or 0.0)
        gain = ratio(best, used)
        if gain is not None:
            rivals.append(Rival(values=line.setting(best.spec.load.threads), ratio=gain))
    return tuple(rivals)


def _law(line: ThreadCurve) -> Law | None:
    law = fit_law(line.points)
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
