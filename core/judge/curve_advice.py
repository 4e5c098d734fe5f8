"""What advice says of curves of threads, where no pair denies it.

Their shape and law, the price of each step, why no number of threads is best, and where the chosen
setting stands among all.
More threads take a larger share from other programs, so that many of them win on a busy machine
whatever the work is.  What can be said there is how much CPU time each operation costs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from core.judge.advice import setting_of
from core.judge.estimation import ratio, typical
from core.judge.ranking import Ranking
from core.judge.scaling import (
    RESAMPLES,
    ScalabilityLaw,
    Shape,
    classify,
    fit_law,
    pooled_noise,
    valley,
)
from core.judge.thread_curves import NO_LIMITS, Limits, Point, ThreadCurve
from core.judge.trust import taken_from
from core.judge.verdict import Grade, Price, Verdict, VerdictKind
from core.judge.work_done import computes_less
from core.language.translation import tr
from core.language.units import show_ratio, show_seconds, show_share
from core.vocabulary.attempts import core_demand
from core.vocabulary.parameters import Value
from core.vocabulary.result import Result

_FALLS = frozenset({Shape.CLIFF, Shape.OVERSUBSCRIBED})
_RISES = frozenset({Shape.LINEAR, Shape.RISING})


def shape_of(line: ThreadCurve, ranking: Ranking) -> Shape:
    """The shape of a line as its figures show it; UNCLEAR unless the pairs tell it too."""
    points = [point for point in line.points if not point.failed]
    shape = classify(points)
    if shape is Shape.UNCLEAR:
        return shape
    if shape is Shape.SAW_TOOTH:
        dip = valley(points, pooled_noise(points))
        told = dip is not None and (
            _kind(line, dip.left, dip.bottom, ranking),
            _kind(line, dip.bottom, dip.right, ranking),
        ) == (VerdictKind.SLOWER, VerdictKind.FASTER)
    elif shape in _FALLS:
        peak = max(points, key=lambda point: point.level)
        told = _kind(line, peak.threads, points[-1].threads, ranking) is VerdictKind.SLOWER
    elif shape in _RISES:
        before = points[0] if shape is Shape.LINEAR else points[-2]
        told = _kind(line, before.threads, points[-1].threads, ranking) is VerdictKind.FASTER
    else:
        kind = _kind(line, points[-2].threads, points[-1].threads, ranking)
        told = kind not in (VerdictKind.FASTER, VerdictKind.SLOWER)
    return shape if told else Shape.UNCLEAR


def law_of(
    line: ThreadCurve, ranking: Ranking, resamples: int = RESAMPLES
) -> ScalabilityLaw | None:
    """The law that fits a line; None where none does, or where it has a told pair the other way.

    Held against it are the pairs that are spoken of: neighbours, and each with the best measured.
    """
    points = [point for point in line.points if not point.failed]
    law = fit_law(points, resamples=resamples)
    if law is None:
        return None
    best = max(points, key=lambda point: point.level)
    pairs = [*pairwise(points), *((best, one) for one in points if one is not best)]
    return None if any(_denies(line, law, *pair, ranking) for pair in pairs) else law


def _denies(
    line: ThreadCurve, law: ScalabilityLaw, one: Point, two: Point, ranking: Ranking
) -> bool:
    kind = _kind(line, one.threads, two.threads, ranking)
    rises = law.throughput(two.threads) > law.throughput(one.threads)
    return kind is (VerdictKind.SLOWER if rises else VerdictKind.FASTER)


def _kind(line: ThreadCurve, baseline: int, candidate: int, ranking: Ranking) -> VerdictKind:
    return ranking.pair(line.results[baseline], line.results[candidate]).kind


def prices_of(
    line: ThreadCurve, limits: Limits = NO_LIMITS, ranking: Ranking | None = None
) -> tuple[Price, ...]:
    """One for each step up between neighbours among the usable points.

    Usable: nothing failed, no limit known to be broken.
    """
    ranking = ranking or Ranking(())
    usable = [point for point in line.points if not limits.broken_by(point)]
    return tuple(
        _price(one, two, ranking.pair(line.results[one.threads], line.results[two.threads]))
        for one, two in pairwise(usable)
    )


def _price(start: Point, end: Point, verdict: Verdict) -> Price:
    return Price(
        start=start.threads,
        end=end.threads,
        verdict=verdict,
        memory=_whole(_difference("peak_rss", start, end)),
        open_files=_whole(_difference("fds", start, end)),
        p99=_difference("p99", start, end),
    )


def _difference(metric: str, start: Point, end: Point) -> float | None:
    before, after = start.costs.get(metric), end.costs.get(metric)
    return None if before is None or after is None else after - before


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


_COMPUTES = 0.8
"""Cores that each worker wants, from which its work computes and hardly waits."""
_BEYOND = 1.1
"""How far a gain is above what the cores can bring before that is no noise."""


def untellable_threads(
    line: ThreadCurve, threads: int, results: Sequence[Result]
) -> tuple[str, ...]:
    """The reasons why `threads` of a line are no advice; empty where they are, or are the only."""
    fewest = min(line.results)
    if len({one.spec.load.workers for one in results}) < 2:
        return ()
    if taken := taken_from(results):
        said = tr(
            "other programs took {share} of the time on cores that trials wanted. Wait until the "
            "machine is quiet, then measure again.",
            share=show_share(taken),
        )
    elif gain := _gain_beyond_cores(line.results[fewest], line.results[threads]):
        said = tr(
            "{ratio} {threads} is above the usable cores, and the work computes, so it was taken "
            "from other programs. Wait until the machine is quiet, then measure again.",
            ratio=show_ratio(gain),
            threads=tr("1 thread", "{count} threads", count=fewest),
        )
    else:
        return ()
    costs = _cpu_time(line, (fewest, max(line.results)))
    return (said, costs) if costs else (said,)


def _gain_beyond_cores(few: Result, many: Result) -> float | None:
    """How many times the throughput of few threads many have, where no core can have brought it."""
    seen = [core_demand(trial, few.environment) for trial in few.finished_trials]
    wanted = [one.wanted for one in seen if one is not None]
    gain = ratio(few, many)
    if not wanted or gain is None:
        return None
    trial = few.finished_trials[0]
    # Verification between turns is work of the same threads: one alone came to 1.13 cores.
    cores = min(median(wanted), max(few.spec.load.workers, trial.client_threads))
    usable = trial.cores_of(few.environment.usable_cores)
    computes = cores >= _COMPUTES * min(few.spec.load.workers, usable)
    if computes_less(few, many):  # cores taken from others would not change that
        return None
    return gain if computes and gain * cores > _BEYOND * usable else None


def _cpu_time(line: ThreadCurve, threads: Sequence[int]) -> str:
    """What an operation costs with few and with many threads, which others hardly change."""
    few, many = (typical(line.results[count], "cpu_each") for count in threads)
    if few is None or many is None or threads[0] == threads[1]:
        return ""
    return tr(
        "what can be told: the CPU time of an operation is {few} at {least} and {many} at {most} "
        "threads at a time.",
        few=show_seconds(few),
        many=show_seconds(many),
        least=threads[0],
        most=threads[1],
    )


class Setting(NamedTuple):
    line: int
    point: Point


def reasons_of(
    found: Sequence[ThreadCurve],
    settings: Sequence[Setting],
    ranking: Ranking,
    unknown: str,
    unmeasured: int,
) -> Iterator[str]:
    """Why the chosen one of these settings, or why none can be told to be the best."""
    selection = ranking.selection
    if unknown:
        yield tr("its {name} is not known, so it may be over the limit.", name=unknown)
    if not selection.repeated:
        yield tr("nothing was measured twice, so the noise is unknown.")
        return
    if ranking.grade is not Grade.SURE:
        count, of = 1 + len(ranking.not_slower), len(settings)
        which = (
            tr("any of the {of} settings may be the best", of=of)
            if count == of
            else tr("{count} of {of} settings may be the best", count=count, of=of)
        )
        yield tr(
            "{which}; trials differ by {share}, and about {trials} of each would tell.",
            which=which,
            share=show_share(selection.deviation),
            trials=selection.enough,
        )
        return
    yield _standing(found, settings, ranking, unmeasured)


def _standing(
    found: Sequence[ThreadCurve], settings: Sequence[Setting], ranking: Ranking, unmeasured: int
) -> str:
    selection = ranking.selection
    if selection.second is None:
        alone = sum(len(line.points) for line in found) == 1
        return tr("nothing else was measured.") if alone else tr("nothing else can be used.")
    measured = sum(len(line.points) for line in found)
    other = selection.second if selection.chosen == selection.best else selection.best
    given: dict[str, Any] = {
        "other": setting_of(varied_values(found, settings[other])),
        "sure": _sure(selection.at_least, measured, unmeasured),
    }
    if selection.chosen != selection.best:
        return _beside_the_best(ranking.of_chosen(selection.best), given)
    return _as_the_best(ranking.of_chosen(selection.second), given)


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
    given = {"least": _show_at_least(at_least), "measured": measured, "left": left}
    if at_least >= 1.0:
        if not left:
            return tr("surely no other is faster")
        if left == 1:
            return tr("surely no other of the {measured} measured is faster; 1 was not", **given)
        return tr("surely no other of the {measured} measured is faster; {left} were not", **given)
    if not left:
        return tr("surely {least} of any other", **given)
    if left == 1:
        return tr("surely {least} of any other of the {measured} measured; 1 was not", **given)
    return tr("surely {least} of any other of the {measured} measured; {left} were not", **given)


def _show_at_least(share: float) -> str:
    """In whole percent, rounded down, so that the sentence stays true."""
    return show_share(math.floor(100.0 * share) / 100.0)


def varied_values(found: Sequence[ThreadCurve], one: Setting) -> dict[str, Value]:
    return found[one.line].setting(one.point.threads)
