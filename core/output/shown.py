"""What is shown of a run: its results, their tables, the figure, the card and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.analysis.advice import Advice
from core.analysis.limit_check import limits_of
from core.errors import NewerSession, SessionError, SluiceError
from core.execution.measure_again import pairs_in
from core.execution.recording import being_measured
from core.execution.request import Request
from core.language.translation import tr_word
from core.output.card_text import Answer, answer_of, headline_of, progress_of
from core.output.card_values import Headline, Next, ResultCard
from core.output.prepared import Prepared
from core.plan.floor import floor_of, without_bare_files
from core.plan.spec import differing, label
from core.result.outcome import Cancelled
from core.result.result import Result, Trial, collect
from core.session import Run, Session
from core.session.plan_trust import is_trusted
from core.study.preset import study_of
from core.study.reproduction import Reproduction, reproduction_of
from core.tables.results_table import summarise
from core.tables.table import Table
from core.tables.trials_table import tabulate_trials, trials_in_order

if TYPE_CHECKING:
    from core.analysis.figures import CurvesFigure
    from core.output.comparisons import Standing
    from core.output.session_list import Origin


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A run of a session as it was found, and how many of its trials remain at least."""

    prepared: Prepared
    seen: tuple[tuple[Trial, str], ...]
    """Its trials in order with their names, for the plots, before all of their moments are read."""
    remaining: int
    busy: bool
    """Whether a Sluice is measuring it right now."""
    title: str
    """Of its session."""
    asked: Request | None
    """What it was asked for; None where that is not known here, or is somebody else's choice."""

    @staticmethod
    def at(path: Path, number: int | None = None) -> Opened:
        """A run of a session, the last one unless its number is given; raises SessionError."""
        session, only_read = _session_at(path)
        try:
            newer = session.newer
            runs = session.runs()
            if not runs:
                raise SessionError(tr_word("{name} holds no run yet").format(name=path.name))
            run = runs[-1] if number is None else session.run(number)
            busy = run.how is None and being_measured(session, run.id)
            trials = session.trials(run.id)
            # Who looks at an earlier run has gone on to others since.
            settled = busy or only_read or run.id != runs[-1].id
            remaining = 0 if settled else session.left(run.id, trials)
            prepared = Prepared(
                session=session, run=run, trials=trials, newer=newer, trusted=is_trusted(run)
            )
            _, rows = results_of(run, trials)
            title = session.title
            for trial in trials:  # once, here, and not on the window's thread
                trial.beginning, trial.errors, trial.wrong  # noqa: B018
        except SessionError:
            session.close()
            raise
        return Opened(
            prepared=prepared,
            seen=_labelled(rows),
            remaining=remaining,
            busy=busy,
            title=title,
            asked=_asked(prepared),
        )


def _asked(prepared: Prepared) -> Request | None:
    if prepared.trusted:
        with suppress(SluiceError):  # such as a workload or a study of another version
            return prepared.request()
    return None


def _session_at(path: Path) -> tuple[Session, bool]:
    """The session there, and whether it can only be read, since its format is a newer one."""
    try:
        return Session.open(path), False
    except NewerSession:
        return Session.read(path), True


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
        return _labelled(self.in_table)

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
        from core.output.throughput_figure import throughput_figure

        runs = prepared.session.runs() if over else ()
        run = next((one for one in runs if one.id == prepared.run.id), prepared.run)
        plan = prepared.run.plan
        results, rows = results_of(run, trials)
        progress = progress_of(run, len(rows), trials_done(trials))
        # The bare files alone are no answer: there is no result yet to compare with them.
        known = results if rows else ()
        study = study_of(run)
        found = reproduction_of(study, results) if study else None
        answer = (
            answer_of(known, progress, found)
            if advice is None
            else Answer(headline=headline_of(advice), advice=advice)
        )
        return Shown(
            results=results,
            in_table=rows,
            table=titled(summarise(known, floor_of)),
            trials=trials_in_order(rows),
            trial_table=titled(tabulate_trials(rows)),
            planned=progress.of,
            headline=answer.headline,
            scaling=throughput_figure(rows, answer.advice, limits_of(plan.terms), study),
            card=result_card(run, known, answer, found),
            next=_next(run, known, answer, found, runs) if over else Next(),
            study=found,
            pair=next(iter(pairs_in(plan, [one for one in rows if one.finished_trials])), None),
            standings=standings(rows, answer.advice, answer.headline.grade, over=not progress.more),
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

    results, rows = results_of(run, trials)
    answer = answer_of(results, progress_of(run, len(rows), trials_done(trials)))
    best = chosen_result(rows, answer.advice)
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


def _labelled(results: Sequence[Result]) -> tuple[tuple[Trial, str], ...]:
    """The results' trials in the order they ran, with labels that distinguish the results."""
    names = differing([result.spec for result in results])
    labels = {result.spec.digest: label(result.spec, names) for result in results}
    return tuple((trial, labels[trial.spec_digest]) for _, trial in trials_in_order(results))


def trials_done(trials: Sequence[Trial]) -> int:
    """How many trials of a plan do not need another measurement."""
    return len({one.index for one in trials if not isinstance(one.outcome, Cancelled)})


def _next(
    run: Run,
    known: Sequence[Result],
    answer: Answer,
    found: Reproduction | None,
    runs: Sequence[Run],
) -> Next:
    """What to do next; nothing where moments of a session cannot be read, which only it needs."""
    from core.output.next_steps import next_steps

    with suppress(SessionError):
        return next_steps(run, known, answer, found, earlier=len(earlier_runs(run, runs)))
    return Next()
