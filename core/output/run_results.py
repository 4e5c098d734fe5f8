"""The results of one run as they are shown: tables, the figure, the card and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.analysis.advice import Advice
from core.analysis.thread_curves import limits_of
from core.errors import SessionError
from core.execution.measure_again import pairs_in
from core.language.translation import tr_word
from core.output.card_text import Answer, Progress, answer_of, headline_of, progress_of
from core.output.card_values import Headline, Next, ResultCard
from core.plan.floor import without_bare_files
from core.plan.spec import differing, label
from core.result.outcome import Cancelled
from core.result.result import Result, Trial, collect
from core.session import Run, Session
from core.study.preset import study_of
from core.study.reproduction import Reproduction, reproduction_of
from core.tables.result_tables import summarise, tabulate_trials, trials_in_order
from core.tables.table import Table

if TYPE_CHECKING:
    from core.analysis.figures import CurvesFigure
    from core.output.comparisons import Standing
    from core.output.prepared import Prepared
    from core.output.session_list import Origin


@dataclass(frozen=True, kw_only=True)
class AnsweredRun:
    """The results of some trials of a run, and its answer by these."""

    results: tuple[Result, ...]
    rows: tuple[Result, ...]
    """Those that tables and plots show: without the bare files."""
    known: tuple[Result, ...]
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
        known = results if rows else ()
        study = study_of(run)
        found = reproduction_of(study, results) if study else None
        answer = (
            answer_of(known, progress, found)
            if advice is None
            else Answer(headline=headline_of(advice), advice=advice)
        )
        return AnsweredRun(
            results=results,
            rows=rows,
            known=known,
            progress=progress,
            reproduction=found,
            answer=answer,
        )


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
        from core.output.comparisons import standings
        from core.output.result_card import result_card
        from core.output.result_figures import throughput_figure

        runs = prepared.session.runs() if over else ()
        run = next((one for one in runs if one.id == prepared.run.id), prepared.run)
        plan = prepared.run.plan
        it = AnsweredRun.of(run, trials, advice)
        rows, answer, grade = it.rows, it.answer, it.answer.headline.grade
        found, limits = it.reproduction, limits_of(plan.terms)
        study = found.study if found else None
        return Shown(
            results=it.results,
            in_table=rows,
            table=titled(summarise(it.known)),
            trials=trials_in_order(rows),
            trial_table=titled(tabulate_trials(rows)),
            planned=it.progress.of,
            headline=answer.headline,
            scaling=throughput_figure(rows, answer.advice, limits, study),
            card=result_card(run, it.known, answer, found),
            next=_next(run, it, runs) if over else Next(),
            study=found,
            pair=next(iter(pairs_in(plan, [one for one in rows if one.finished_trials])), None),
            standings=standings(rows, answer.advice, grade, over=not it.progress.more),
        )

    @staticmethod
    def of_runs(one: Origin, other: Origin) -> tuple[Result, Result]:
        """The answers of any two runs; raises SessionError where one has none."""
        return _answer_at(one), _answer_at(other)

    @staticmethod
    def beside_last(prepared: Prepared, trials: tuple[Trial, ...]) -> tuple[Result, Result]:
        """The answer of the last run before this one, and of this one; raises SessionError."""
        session, run = prepared.session, prepared.run
        earlier = earlier_runs(run, session.runs())
        if not earlier:
            raise SessionError(tr_word("there is no earlier run of the same data in this session"))
        before = earlier[-1]
        return _answer_in(before, session.trials(before.id)), _answer_in(run, trials)


def earlier_runs(run: Run, runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs before this one that measured the same workload on the same data."""
    asked = run.plan.specs[0]
    return tuple(
        one
        for one in runs
        if one.id < run.id
        and one.trials
        and one.plan.specs[0].workload == asked.workload
        and one.plan.specs[0].dataset == asked.dataset
    )


def _answer_at(origin: Origin) -> Result:
    with Session.read(origin.session) as session:
        run = session.run(origin.run)
        return _answer_in(run, session.trials(run.id))


def _answer_in(run: Run, trials: tuple[Trial, ...]) -> Result:
    """The result that the card of a run shows."""
    from core.output.result_card import chosen_result

    answered = AnsweredRun.of(run, trials)
    best = chosen_result(answered.rows, answered.answer.advice)
    if best is None:
        raise SessionError(tr_word("one of the two runs has no throughput"))
    return best


def titled(table: Table) -> Table:
    """The table with its titles in the user's language."""
    columns = tuple(replace(each, title=tr_word(each.title)) for each in table.columns)
    return replace(table, columns=columns)


def results_of(
    run: Run, trials: tuple[Trial, ...]
) -> tuple[tuple[Result, ...], tuple[Result, ...]]:
    """The results of these trials of a run, and those that tables and plots show."""
    plan = run.plan
    results = collect(plan.specs, trials, run.environment, run.file_systems)
    if plan.adaptive:
        results = tuple(result for result in results if result.trials)
    of_wanted = {spec.digest for spec in without_bare_files(plan.specs)}
    return results, tuple(result for result in results if result.spec.digest in of_wanted)


def labelled(results: Sequence[Result]) -> tuple[tuple[Trial, str], ...]:
    """The results' trials in the order they ran, with labels that distinguish the results."""
    names = differing([result.spec for result in results])
    labels = {result.spec.digest: label(result.spec, names) for result in results}
    return tuple((trial, labels[trial.spec_digest]) for _, trial in trials_in_order(results))


def _next(run: Run, it: AnsweredRun, runs: Sequence[Run]) -> Next:
    """What to do next; nothing where moments of a session cannot be read, which only it needs."""
    from core.output.next_steps import next_steps

    with suppress(SessionError):
        earlier = len(earlier_runs(run, runs))
        return next_steps(run, it.known, it.answer, it.reproduction, earlier=earlier)
    return Next()
