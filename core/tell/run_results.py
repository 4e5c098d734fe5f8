"""The results of runs as they are shown: tables, the figure, the card and what to do next."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.desk import (
    Listed,
    Next,
    Origin,
    Prepared,
    chosen_result,
    labelled,
    next_steps,
    results_of,
)
from core.judge import Limits, Reproduction, pairs_in, reproduction_of, study_of
from core.language import SessionError, one_line, show, tr, tr_word
from core.measure import without_bare_files
from core.run import Run, Session
from core.tell.card_text import Answer, Progress, answer_of, headline_of, progress_of
from core.tell.card_values import Headline, ResultCard
from core.tell.tables.result_tables import summarise, summarise_runs, tabulate_trials
from core.tell.tables.table import Table
from core.vocabulary import Advice, Cancelled, Result, Trial, trials_in_order

if TYPE_CHECKING:
    from core.desk import Standing
    from core.tell.setting_facts import Facts
    from core.vocabulary import CurvesFigure, GridFigure


@dataclass(frozen=True, kw_only=True)
class AnsweredRun:
    """The results of some trials of a run, and its answer by these."""

    results: tuple[Result, ...]
    rows: tuple[Result, ...]
    """Those that tables and plots show: without the bare files."""
    judged: tuple[Result, ...]
    """What the answer is about: the bare files alone are no answer, with nothing beside them."""
    progress: Progress
    reproduction: Reproduction | None
    answer: Answer

    @staticmethod
    def of(run: Run, trials: tuple[Trial, ...], advice: Advice | None = None) -> AnsweredRun:
        """`advice`: the answer of a search."""
        results, rows = results_of(run, trials)
        done = len({one.index for one in trials if not isinstance(one.outcome, Cancelled)})
        progress = progress_of(run, len(rows), done)
        judged = results if rows else ()
        study = study_of(run.plan.study, run.environment.usable_cores)
        reproduction = reproduction_of(study, results) if study else None
        # One setting alone is never the best, nor does it lead.
        alone = sum(one.valid for one in judged) < 2
        answer = (
            answer_of(judged, progress, reproduction)
            if advice is None or progress.cut or alone
            else Answer(headline=headline_of(advice), advice=advice)
        )
        return AnsweredRun(
            results=results,
            rows=rows,
            judged=judged,
            progress=progress,
            reproduction=reproduction,
            answer=answer,
        )


type RunPair = tuple[Result, Result, tuple[str, ...], tuple[Sequence[Result], Sequence[Result]]]
"""The answers of two runs, and the names of these runs."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """The results of one run and their table."""

    results: tuple[Result, ...]
    in_table: tuple[Result, ...]
    table: Table
    trials: tuple[tuple[Result, Trial], ...]
    """Every trial of the results in the table, in the order they ran."""
    trial_table: Table
    planned: int
    headline: Headline
    scaling: CurvesFigure
    """Throughput by threads, or by processes; empty where neither varies."""
    card: ResultCard
    next: Next
    """What to do next; nothing while more trials follow."""
    study: Reproduction | None = None
    """The outcome of the published study; None if the run repeats none."""
    pair: tuple[Result, Result] | None = None
    """What the run measured in order to compare it, as far as both have trials."""
    standings: tuple[Standing, ...] = ()
    """Where each setting stands, the best first."""
    facts: Facts | None = None
    """Figures of the setting that is advised, or leads; None where none does."""
    grid: GridFigure | None = None
    """Runs at once by threads each; None where not both were varied."""
    wire: tuple[CurvesFigure, ...] = ()
    """What the network carried for each operation, by what was varied; nothing if not counted."""

    def by(self, metric: str) -> CurvesFigure:
        """The settings by a metric, by its key, in place of their throughput."""
        from core.tell.setting_facts import figure_by

        return figure_by(self.scaling, self.results, metric)

    def labelled(self) -> tuple[tuple[Trial, str], ...]:
        """Its trials in the order they ran, with labels that distinguish their results."""
        return labelled(self.in_table)

    @staticmethod
    def of(
        prepared: Prepared, trials: tuple[Trial, ...], advice: Advice | None, *, over: bool = False
    ) -> Shown:
        """The results of these trials of a run; `advice` is the answer of a search.

        `over`: no trial follows, so the session knows how the run ended.
        """
        # This imports numpy, and a law scipy, which are needed only when there are results.
        from core.desk import standings
        from core.tell.jobs_grid import jobs_grid
        from core.tell.result_card import result_card
        from core.tell.result_figures import throughput_figure
        from core.tell.setting_facts import facts_of, upon_plan, wire_figures, with_border

        runs = prepared.session.runs() if over else ()
        run = next((one for one in runs if one.id == prepared.run.id), prepared.run)
        if run.how == "cancelled" and not over:  # as it was read, before it went on again
            run = replace(run, how=None)
        plan = prepared.run.plan
        it = AnsweredRun.of(run, trials, advice)
        rows, answer, grade = it.rows, it.answer, it.answer.headline.grade
        reproduction, limits = it.reproduction, Limits.of(plan.terms)
        study = reproduction.study if reproduction else None
        scaling = throughput_figure(rows, answer.advice, limits, study)
        scaling = with_border(upon_plan(scaling, prepared.planned, rows), it.results)
        over_all = not (it.progress.more or it.progress.cut)
        places = standings(rows, answer.advice, grade, over=over_all)
        return Shown(
            results=it.results,
            in_table=rows,
            table=titled(summarise(it.judged)),
            trials=trials_in_order(rows),
            trial_table=titled(tabulate_trials(rows)),
            planned=it.progress.of,
            headline=answer.headline,
            scaling=scaling,
            card=result_card(run, it.judged, answer, reproduction),
            next=_next(run, it, runs) if over else Next(),
            study=reproduction,
            pair=next(iter(pairs_in(plan, [one for one in rows if one.finished_trials])), None),
            standings=places,
            facts=facts_of(rows, scaling, *_first_of(places)),
            grid=jobs_grid(plan.specs, rows, answer.advice),
            wire=wire_figures(scaling, it.results),
        )

    @staticmethod
    def answer_of(one: Listed) -> tuple[Headline, CurvesFigure]:
        """What a listed run answers, and its curves; without words where it cannot be read."""
        from core.tell.result_figures import throughput_figure
        from core.vocabulary import CurvesFigure

        if not one.run:
            text = tr("nothing was measured")
            return Headline(mood="open", text=text, detail=""), CurvesFigure()
        with suppress(SessionError), Session.read(one.path) as session:
            run = session.run(one.run)
            it = AnsweredRun.of(run, session.trials(run.id))
            return it.answer.headline, throughput_figure(it.rows, it.answer.advice, limits=None)
        return Headline(mood="open", text="", detail=""), CurvesFigure()

    @staticmethod
    def of_runs(one: Origin, other: Origin) -> RunPair:
        """The answers of any two runs; raises SessionError where one has none."""
        apart = one.session != other.session
        names = tuple(_name(run, apart=apart) for run in (one, other))
        return _pair(_answer_at(one), _answer_at(other), names)

    @staticmethod
    def beside_last(prepared: Prepared, trials: tuple[Trial, ...]) -> RunPair:
        """The answer of the last run before this one, and of this one; raises SessionError."""
        session, run = prepared.session, prepared.run
        earlier = earlier_runs(run, session.runs())
        if not earlier:
            raise SessionError(tr_word("there is no earlier run of the same data in this session"))
        before = earlier[-1]
        names = tuple(tr("run {number}", number=one.id) for one in (before, run))
        sides = _answer_in(before, session.trials(before.id)), _answer_in(run, trials)
        return _pair(*sides, names)


def _first_of(places: Sequence[Standing]) -> tuple[str, str]:
    """The digest and the name of the setting that is advised, or leads."""
    first = next((one for one in places if one.place == "best"), None)
    return (first.setting, first.name) if first is not None else ("", "")


def earlier_runs(run: Run, runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs before this one that measured the same workload on the same data."""
    first_spec = run.plan.specs[0]
    return tuple(
        one
        for one in runs
        if one.id < run.id
        and one.trials
        and one.plan.specs[0].workload == first_spec.workload
        and one.plan.specs[0].dataset == first_spec.dataset
    )


def _name(run: Origin, *, apart: bool) -> str:
    """With its session where that is not the one of both."""
    if apart:
        return tr("run {number} of {session}", number=run.run, session=run.session.stem)
    return tr("run {number}", number=run.run)


type _Answer = tuple[Result, Sequence[Result]]
"""The result that the card of a run shows, and all of them."""


def _pair(one: _Answer, other: _Answer, names: tuple[str, ...]) -> RunPair:
    return one[0], other[0], names, (one[1], other[1])


def _answer_at(origin: Origin) -> _Answer:
    with Session.read(origin.session) as session:
        run = session.run(origin.run)
        return _answer_in(run, session.trials(run.id))


def _answer_in(run: Run, trials: tuple[Trial, ...]) -> _Answer:
    answered = AnsweredRun.of(run, trials)
    best = chosen_result(answered.rows, answered.answer.advice)
    if best is None:
        raise SessionError(tr_word("one of the two runs has no throughput"))
    return best, answered.rows


def titled(table: Table) -> Table:
    """The table with its titles in the user's language."""
    columns = tuple(replace(each, title=tr_word(each.title)) for each in table.columns)
    return replace(table, columns=columns)


def _next(run: Run, it: AnsweredRun, runs: Sequence[Run]) -> Next:
    """What to do next; nothing where moments of a session cannot be read, which only it needs."""
    with suppress(SessionError):
        earlier = len(earlier_runs(run, runs))
        return next_steps(run, it.judged, it.answer.advice, it.reproduction, earlier=earlier)
    return Next()


type _Cached = dict[Origin, tuple[int, tuple[Result, ...]]]
"""Of runs that were read: how many trials they had then, and their results."""


@dataclass(frozen=True, kw_only=True)
class RunsBeside:
    """What the runs of some sessions measured."""

    count: int
    """How many runs there are; those without a trial do not count."""
    faults: Mapping[Path, str]
    """Sessions that cannot be read, and why."""
    table: Table | None = None
    """None where only the count was asked for."""
    runs: tuple[tuple[Origin, tuple[Result, ...]], ...] = ()
    """Their results in the table's order."""
    cached: _Cached = field(default_factory=dict)
    """What need not be read again."""

    @staticmethod
    def of(paths: Sequence[Path], before: RunsBeside | None = None, *, whole: bool) -> RunsBeside:
        """All runs of these sessions, the oldest of each first; `whole`: with their results.

        `before`: what was read earlier; runs without a new trial are taken from it.
        """
        cached = dict(before.cached) if before is not None else {}
        count = 0
        faults: dict[Path, str] = {}
        runs: dict[str, tuple[Origin, tuple[Result, ...]]] = {}
        titles = _titles(paths)
        for path in paths:
            try:
                with Session.read(path) as session:
                    measured = [run for run in session.runs() if run.trials]
                    count += len(measured)
                    for run in measured if whole else ():
                        origin = Origin(path, run.id)
                        name = " · ".join(filter(None, (titles[path], str(run.id), _begun(run))))
                        runs[name] = (origin, _results_in(session, run, origin, cached))
            except SessionError as error:
                faults[path] = str(error)
        if not whole:
            return RunsBeside(count=count, faults=faults, cached=cached)
        table = summarise_runs({name: results for name, (_, results) in runs.items()})
        rows = tuple((origin, without_bare_files(results)) for origin, results in runs.values())
        return RunsBeside(count=count, table=titled(table), runs=rows, faults=faults, cached=cached)


def _titles(paths: Sequence[Path]) -> Mapping[Path, str]:
    """The sessions' names as far as they tell them apart; one session needs none."""
    if len(paths) < 2:
        return dict.fromkeys(paths, "")
    stems = Counter(path.stem for path in paths)
    return {path: one_line(path.stem if stems[path.stem] == 1 else str(path)) for path in paths}


def _begun(run: Run) -> str:
    """When it began, on this day by the clock alone."""
    begun, now = time.localtime(run.started), time.localtime()
    same = begun[:3] == now[:3]
    return time.strftime("%H:%M", begun) if same else show(run.started, "date")


def _results_in(session: Session, run: Run, origin: Origin, cached: _Cached) -> tuple[Result, ...]:
    """All results of a run, those of the bare files too."""
    trials, results = cached.get(origin, (0, ()))
    if trials != run.trials:
        results, _ = results_of(run, session.trials(run.id))
        cached[origin] = (run.trials, results)
    return results
