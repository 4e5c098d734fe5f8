"""From the results of a sweep or a search over threads to the setting to use.

One ranking (`core.judge.ranking`) has all points of all curves (`core.judge.curves`);
the advice is the cheapest of those that are as good as the best, and it names the others.

More threads take a larger share from other programs, so that many of them win on a busy machine
whatever the work is.  Then no number of threads is advised, only how much CPU time each operation
costs.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any, NamedTuple

import msgspec

from core.judge.alone import Alone, alone
from core.judge.curves import Shape, ThreadCurve, thread_curves
from core.judge.estimation import ratio, typical
from core.judge.jobs_answer import cheaper_than, figures_of
from core.judge.pairs import wire_cost
from core.judge.point import NO_LIMITS, Limits, Point
from core.judge.ranking import Ranking
from core.judge.trust import (
    doubts_about,
    doubts_within,
    lost_little,
    outdone_in_bytes,
    taken_from,
    unsettling,
    when_quiet,
)
from core.judge.work_done import computes_less
from core.judge.workload_facts import parts_of, refused_as_part
from core.language import show_ratio, show_seconds, show_share, tr
from core.measure import without_bare_files
from core.vocabulary import (
    NEAR,
    THREADS,
    Advice,
    AdviceLine,
    Cheaper,
    Claim,
    Doubt,
    Equal,
    Estimated,
    Grade,
    Law,
    MetricEstimate,
    Result,
    Rival,
    RunsAtOnce,
    Value,
    Verdict,
    VerdictKind,
    core_demand,
    differing,
    effort_of,
    leading,
    setting_of,
)


def advise_within(
    results: Sequence[Result], terms: Mapping[str, Value], choices: int = 0
) -> Advice | None:
    """The setting to use within some terms (`core.vocabulary.limits`), for every face.

    None where neither threads nor processes were varied.  Where the workload wants an answer for
    each value of a parameter, `Advice.lines` has them.  `choices`: as in `advise`.
    """
    limits, near = Limits.of(terms), effort_of(terms).near
    of_all = advise(results, limits, near, choices=choices)
    lines = tuple(
        AdviceLine(values=part.values, advice=advice)
        for part in parts_of(results)
        if (advice := advise(part.results, limits, near)) is not None
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


@dataclass(frozen=True, kw_only=True)
class Searched:
    """What a search reports of itself: what it searched, how far it got, what a sweep takes.

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
    unfinished: str = ""
    """What a search whose time was up has not done any more."""


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
    names: Collection[str] = search.varied if search else _differing(results)
    if not search and "processes" in names and THREADS not in names:
        names = (THREADS, *names)  # processes are counted as threads are
    if curves := thread_curves(results, names):
        return _Advisor(curves, results, _Terms(limits, near, choices), search).advice()
    if search is None:
        return None
    return Advice(
        confident=False,
        shape=Shape.UNCLEAR.value,
        reasons=(tr("nothing was measured."), *filter(None, [search.unfinished])),
        trials=search.trials,
        whole=search.whole,
        as_precise=search.whole,
        settings=search.settings,
        stopped=search.stopped,
    )


def _differing(results: Sequence[Result]) -> tuple[str, ...]:
    measured = [one for one in without_bare_files(results) if one.finished_trials]
    return tuple(differing([one.spec for one in measured]))


class _Terms(NamedTuple):
    """By which terms settings are ranked."""

    limits: Limits
    near: float
    choices: int


class _Setting(NamedTuple):
    curve: ThreadCurve
    point: Point
    refusal: str
    """Why it is no answer; empty where it can be."""

    @property
    def threads(self) -> int:
        return self.point.threads

    @property
    def result(self) -> Result:
        return self.curve.results[self.threads]

    @property
    def values(self) -> dict[str, Value]:
        return self.curve.setting(self.threads)


class _Advisor:
    """Makes one advice of curves."""

    def __init__(
        self,
        curves: Sequence[ThreadCurve],
        results: Sequence[Result],
        terms: _Terms,
        search: Searched | None,
    ) -> None:
        self.curves, self.results, self.search = curves, results, search
        self.limits = terms.limits
        self.settings = [
            _Setting(
                curve,
                point,
                self.limits.broken_by(point)
                or refused_as_part(curve.results[point.threads], results),
            )
            for curve in curves
            for point in curve.points
        ]
        self.usable = [one for one in self.settings if not one.refusal]
        self.ranking = Ranking([one.result for one in self.usable], terms.near)
        unmeasured = terms.choices - sum(bool(one.finished_trials) for one in results)
        each = math.prod(len(values) for values in curves[0].pooled.values())
        self.unmeasured = max(0, unmeasured) // max(each, 1)
        """Settings to choose from that nobody has measured."""

    @cached_property
    def taken(self) -> float:
        """The share of the cores that others took; where an answer is sure, only if it was much."""
        if much := taken_from(self.results):
            return much
        sure = self.ranking.grade is Grade.SURE
        return 0.0 if sure else taken_from(self.results, on_average=True)

    def advice(self) -> Advice:
        if not self.usable:
            why = tr("no thread count ran without failing or breaking a limit.")
            return self._advice(None, (why,), confident=False, beside=False)
        used = self.usable[self.ranking.selection.chosen]
        unknown = self.limits.unknown_of(used.point)
        sure = self.ranking.grade is Grade.SURE
        spoiled = _spoiled(used, self.results, self.taken)
        doubted = tuple(one.text for one in unsettling(self.results) if one.unsettles)
        barred = bool(spoiled or unknown or doubted)
        reasons = (*doubted, *self._reasons(unknown))
        advice = self._advice(
            used,
            (*spoiled, *reasons),
            confident=sure and not barred and not (self.search and self.search.stopped),
            beside=bool(spoiled),
        )
        selection = self.ranking.selection
        within = self.ranking.grade is Grade.WITHIN and not barred
        names = {one.result.spec.digest: setting_of(one.values) for one in self.usable}
        now = self._claim(
            self.ranking, reasons[0] if reasons and not sure else "", doubted=bool(doubted)
        )
        return msgspec.structs.replace(
            advice,
            now=now,
            quiet=self._quiet(advice, doubted) if spoiled else now,
            taken=self.taken if spoiled else 0.0,
            unmeasured=self.unmeasured,
            at_most_slower=1.0 - selection.at_least if within else None,
            most_gain=1.0 / selection.at_least - 1.0 if selection.at_least > 0.0 else None,
            beyond=tuple(self._beyond(used)),
            equals=tuple(self._equals(used)),
            enough=0 if sure else selection.enough,
            possible=0 if sure else len(selection.possible),
            at_once=self._at_once(used),
            cheaper=self._cheaper(used),
            wire=wire_cost(
                used.result,
                lambda one: names[one.spec.digest],
                [one.result for one in self.usable],
            ),
        )

    def _at_once(self, used: _Setting) -> tuple[RunsAtOnce, ...]:
        """The figures of programs at once, and of what their gain is against; else nothing."""
        if not self._is_of_jobs:
            return ()
        others = [one for one in (self._start,) if one and one.result is not used.result]
        return tuple(figures_of(one.result, one.values) for one in (used, *others))

    def _cheaper(self, used: _Setting) -> Cheaper | None:
        if not self._is_of_jobs:
            return None
        return cheaper_than(used.result, [(one.result, one.values) for one in self.usable])

    @cached_property
    def _is_of_jobs(self) -> bool:
        """Whether it asks how many programs run at once."""
        varies = len({one.result.spec.load.processes for one in self.settings}) > 1
        return varies and bool(self.settings[0].result.spec.at_once)

    def _advice(
        self, used: _Setting | None, reasons: Sequence[str], *, confident: bool, beside: bool
    ) -> Advice:
        ranking, search = self.ranking, self.search
        curve = used.curve if used else self.curves[0]
        start, gain = self._start, None
        if used and start and start.result is not used.result:
            gain = ranking.pair(start.result, used.result)
        return Advice(
            beside=beside,
            confident=confident,
            values=used.values if used else {},
            spec=used.result.spec if used else None,
            baseline=start.values if start else {},
            gain=gain,
            tried=max(curve.results),
            shape=(Shape.UNCLEAR if beside else curve.shape(ranking)).value,
            law=None if beside else _law(curve, ranking),
            reasons=(
                *(_about_stopped(search) if search and search.stopped else ()),
                *reasons,
                *([tr("all trials allowed are spent.")] if search and search.spent else ()),
            ),
            steps=() if beside else curve.prices(ranking, self.limits),
            rivals=tuple(self._rivals(used)) if used and not beside else (),
            refused=tuple((one.values, one.refusal) for one in self.settings if one.refusal),
            over=curve.pooled,
            near=ranking.near,
            memory=used.point.costs.get("peak_rss") if used else None,
            doubts=self._doubts(used, confident=confident, beside=beside),
            **self._cost(),
        )

    def _doubts(self, used: _Setting | None, *, confident: bool, beside: bool) -> tuple[Doubt, ...]:
        # Unsure advice says itself that few trials leave it open, and one for now what others did.
        subject = (used.result,) if confident and used else ()
        general = doubts_about(self.results, subject, machine=not beside)
        if used is None:
            return general
        own = outdone_in_bytes(used.result, self.results), doubts_within(used.result)
        return (*general, *own[0], *own[1])

    def _claim(self, ranking: Ranking, why: str, *, doubted: bool) -> Claim:
        """What to use by a ranking of all usable settings, or of some of them."""
        selection = ranking.selection
        chosen = ranking.results[selection.chosen]
        settings = {one.result.spec.digest: one for one in self.usable}
        spec = self._start.result.spec if self._start else None
        start = next((one for one in ranking.results if one.spec == spec), None)
        gain = None if start is None or start is chosen else ranking.pair(start, chosen)
        return Claim(
            setting=settings[chosen.spec.digest].values,
            ratio=gain.ratio if gain else None,
            low=gain.low if gain else None,
            high=gain.high if gain else None,
            confidence=Grade.LEADING if doubted else ranking.grade,
            at_least=selection.at_least,
            reason=why,
        )

    @property
    def _start(self) -> _Setting | None:
        """What gains are against: the fewest threads of the first line.

        Of programs at once, one at a time with the most threads: so people run them else.
        """
        if self._is_of_jobs:
            alone = [one for one in self.usable if one.result.spec.load.processes == 1]
            return max(alone, key=lambda one: one.threads, default=None)
        return next((one for one in self.settings if not one.point.failed), None)

    def _quiet(self, advice: Advice, doubted: Sequence[str]) -> Claim:
        """What to use on the quiet machine, though others took cores meanwhile."""
        wait = when_quiet()
        if doubted:
            return Claim(reason=f"{doubted[0]} {wait}")
        if not self.taken:  # the gain shows that cores were taken, but not how many
            return Claim(reason=advice.reasons[0])
        quiet = alone([one.result for one in self.usable])
        bounds = [*quiet.results, *quiet.most]
        if len(quiet.results) < 2 or len(bounds) < len(self.usable):
            return Claim(reason=f"{_not_computed(quiet)} {wait}")
        ranking = Ranking(bounds, self.ranking.near)
        selection = ranking.selection
        if selection.chosen >= len(quiet.results):
            return Claim(reason=f"{_not_computed(quiet)} {wait}")
        if not selection.repeated or selection.at_least < _TOLD:
            much = tr("What others took leaves too much open.")
            return Claim(reason=f"{much} {wait}")
        claim = self._claim(ranking, "", doubted=False)
        key = leading(quiet.results)[0].key
        figures = {one.spec.digest: typical(one, key) or 0.0 for one in quiet.results}
        return msgspec.structs.replace(
            claim, error=quiet.error, kept=quiet.kept, figures_of=figures
        )

    def _cost(self) -> dict[str, Any]:
        """The fields of an advice that say what it cost, and what sweeps of the same cost."""
        search = self.search
        if search is None:
            trials = sum(len(one.result.finished_trials) for one in self.settings)
            fixed = THREADS not in _differing(self.results)
            return {"trials": trials, "whole": trials, "as_precise": trials, "fixed_threads": fixed}
        repeats = self.ranking.selection.as_precise if self.usable else 0
        return {
            "trials": search.trials,
            "whole": search.whole,
            "as_precise": search.settings * repeats if repeats else search.whole,
            "settings": search.settings,
            "stopped": search.stopped,
            "trial_seconds": search.trial_seconds,
            "fixed_threads": search.fixed_threads,
        }

    def _beyond(self, used: _Setting) -> Iterator[Verdict]:
        """The verdicts on more threads of the same curve."""
        for at, one in enumerate(self.usable):
            if one.curve is used.curve and one.threads > used.threads:
                yield self.ranking.against_chosen(at)

    def _equals(self, used: _Setting) -> Iterator[Equal]:
        """The other equally good settings, without more threads of the same curve."""
        for at in self.ranking.selection.equals:
            one = self.usable[at]
            if one.curve is not used.curve or one.threads < used.threads:
                yield Equal(
                    values=one.values,
                    verdict=self.ranking.nearness(at),
                    memory=one.point.costs.get("peak_rss"),
                )

    def _rivals(self, used: _Setting) -> Iterator[Rival]:
        for curve in self.curves:
            usable = [one for one in self.usable if one.curve is curve]
            if curve is not used.curve and usable:
                best = max(usable, key=lambda one: typical(one.result) or 0.0)
                verdict = self.ranking.pair(best.result, used.result)
                yield Rival(values=best.values, verdict=verdict)

    def _reasons(self, unknown: str) -> Iterator[str]:
        """Why the chosen one of these settings, or why none is shown to be the best."""
        selection = self.ranking.selection
        if unknown:
            yield tr("its {name} is not known, so it may be over the limit.", name=unknown)
        if not selection.repeated:
            yield tr("too little was measured twice to know the noise.")
        elif self.ranking.grade is Grade.SURE:
            yield self._position()
        else:
            count, of = 1 + len(self.ranking.not_slower), len(self.usable)
            which = (
                (
                    tr("either may be the best")
                    if of == 2
                    else tr("any of the {of} settings may be the best", of=of)
                )
                if count == of
                else tr("{count} of {of} settings may be the best", count=count, of=of)
            )
            if selection.at_least > _WORTH_SAYING:
                least = _show_at_most(1.0 - selection.at_least)
                which = tr(
                    "{which}, and this one is at most {least} below it", which=which, least=least
                )
            if selection.enough > _HOPELESS:
                fewest = min(len(one.result.finished_trials) for one in self.usable)
                yield f"{which}; {MetricEstimate.missing_text(fewest)}."
                return
            yield tr(
                "{which}; trials differ by {share}, and about {trials} of each would tell.",
                which=which,
                share=show_share(selection.deviation),
                trials=selection.enough,
            )

    def _position(self) -> str:
        """Where the chosen setting stands among all."""
        selection, measured = self.ranking.selection, len(self.settings)
        if selection.second is None:
            if measured == 1:
                return tr("nothing else was measured.")
            return tr("nothing else can be used.")
        is_best = selection.chosen == selection.best
        other = selection.second if is_best else selection.best
        fields = {
            "other": setting_of(self.usable[other].values),
            "sure": _sure(selection.at_least, measured, self.unmeasured),
        }
        verdict = self.ranking.of_chosen(other)
        return _as_the_best(verdict, fields) if is_best else _beside_the_best(verdict, fields)


def _law(curve: ThreadCurve, ranking: Ranking) -> Law | None:
    law = curve.law(ranking)
    if law is None:
        return None
    return Law(
        contention=Estimated(law.contention, *(law.contention_bounds or ())),
        coherency=Estimated(law.coherency, *(law.coherency_bounds or ())),
        peak=law.peak if law.coherency > 0 else None,
        misfit=law.misfit,
    )


def _about_stopped(search: Searched) -> tuple[str, ...]:
    text = tr(
        "1 trial was measured before the end.",
        "{count} trials were measured before the end.",
        count=search.trials,
    )
    return (text, search.unfinished) if search.unfinished else (text,)


_WORTH_SAYING = 0.5
"""Share of the best that an unsure setting surely has to reach for the rest to be told."""
_HOPELESS = 500
"""Trials of each that nobody would wait for: so many say nothing but that these are too few."""
_COMPUTES = 0.8
"""Cores that each worker wants, from which its work computes and hardly waits."""
_NO_NOISE = 1.1
"""How far a gain is above what the cores can bring before that is no noise."""
_TOLD = 2.0 / 3.0
"""Share of the best that a setting surely has to reach to be told for the quiet machine."""


def _not_computed(told: Alone) -> str:
    if told.unknown:
        return tr("How long its threads waited for a core is not known, so nothing is computed.")
    return tr(
        "Threads that wait for each other do other things beside other programs than alone, so "
        "that nothing can be computed."
    )


def _spoiled(used: _Setting, results: Sequence[Result], taken: float) -> tuple[str, ...]:
    """Why what was measured holds beside other programs only; empty where it holds without them.

    `taken`: the share of the cores that they took.
    """
    by_threads = used.curve.results
    fewest = min(by_threads)
    if len({one.spec.load.workers for one in results}) < 2:
        return ()
    if taken:
        reason = tr(
            "other programs took {share} of the time on cores that trials could use.",
            share=show_share(taken),
        )
    elif lost_little(results):  # by the account of each thread, so no gain was taken from others
        return ()
    elif gain := _gain_beyond_cores(by_threads[fewest], used.result):
        reason = tr(
            "{ratio} {threads} is above the usable cores, and the work computes, so it was taken "
            "from other programs. Wait until the machine is quiet, then measure again.",
            ratio=show_ratio(gain),
            threads=tr("1 thread", "{count} threads", count=fewest),
        )
    else:
        return ()
    most = max(by_threads)
    few, many = (typical(by_threads[count], "cpu_each") for count in (fewest, most))
    if few is None or many is None or fewest == most:
        return (reason,)
    # Others hardly change this.
    costs = tr(
        "the CPU time of an operation is {few} with {least}, and {many} with {most}.",
        few=show_seconds(few),
        many=show_seconds(many),
        least=setting_of({THREADS: fewest}),
        most=setting_of({THREADS: most}),
    )
    return reason, costs


def _gain_beyond_cores(few: Result, many: Result) -> float | None:
    """How many times the throughput of few threads many have, where no core can have brought it."""
    demands = [core_demand(trial, few.environment) for trial in few.finished_trials]
    cores_wanted = [one.demand for one in demands if one is not None]
    gain = ratio(few, many)
    if not cores_wanted or gain is None:
        return None
    trial = few.finished_trials[0]
    # Verification between turns is work of the same threads: one alone came to 1.13 cores.
    cores = min(median(cores_wanted), max(few.spec.load.workers, trial.client_threads))
    usable = trial.cores_of(few.environment.usable_cores)
    computes = cores >= _COMPUTES * min(few.spec.load.workers, usable)
    if computes_less(few, many):  # cores taken from others would not change that
        return None
    return gain if computes and gain * cores > _NO_NOISE * usable else None


def _beside_the_best(verdict: Verdict, fields: Mapping[str, str]) -> str:
    if verdict.kind is VerdictKind.SAME:
        near = 100 * verdict.margin
        return tr(
            "as good within {near:g} % as the best measured, {other}; {sure}.", near=near, **fields
        )
    if verdict.kind is VerdictKind.SLOWER and verdict.ratio is not None:
        share = _show_at_least(verdict.ratio)
        return tr(
            "{share} of the best measured, which {other} reached; {sure}.", share=share, **fields
        )
    if not verdict.tells:
        return tr("too few trials to tell it from {other}, which measured best; {sure}.", **fields)
    if verdict.apart:
        return tr("likely slower than {other}, which measured best; {sure}.", **fields)
    return tr("not measurably different from {other}, which measured best; {sure}.", **fields)


def _as_the_best(verdict: Verdict, fields: Mapping[str, str]) -> str:
    if verdict.kind is VerdictKind.SAME:
        near = 100 * verdict.margin
        return tr(
            "the best measured, as good within {near:g} % as {other}; {sure}.", near=near, **fields
        )
    if verdict.kind is VerdictKind.FASTER and verdict.ratio is not None:
        gain = show_share(verdict.ratio - 1.0)
        return tr(
            "the best measured, {gain} faster than the next, {other}; {sure}.", gain=gain, **fields
        )
    if not verdict.tells:
        return tr("the best measured; too few trials to tell it from {other}; {sure}.", **fields)
    if verdict.apart:
        return tr("the best measured, likely faster than {other}; {sure}.", **fields)
    return tr("the best measured, not measurably different from {other}; {sure}.", **fields)


def _sure(at_least: float, measured: int, unmeasured: int) -> str:
    """What the chosen setting surely is among the measured ones, and how many others there are."""
    fields = {"least": _show_at_least(at_least), "measured": measured, "left": unmeasured}
    if at_least >= 1.0:
        if not unmeasured:
            return tr("surely no other is faster")
        if unmeasured == 1:
            return tr("surely no other of the {measured} measured is faster; 1 was not", **fields)
        return tr("surely no other of the {measured} measured is faster; {left} were not", **fields)
    if not unmeasured:
        return tr("surely {least} of any other", **fields)
    if unmeasured == 1:
        return tr("surely {least} of any other of the {measured} measured; 1 was not", **fields)
    return tr("surely {least} of any other of the {measured} measured; {left} were not", **fields)


def _show_at_most(share: float) -> str:
    """In whole percent, rounded up."""
    return show_share(math.ceil(100.0 * share) / 100.0)


def _show_at_least(share: float) -> str:
    """In whole percent, rounded down, so that the sentence stays true."""
    return show_share(math.floor(100.0 * share) / 100.0)
