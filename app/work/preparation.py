"""The work before the first trial and after the last; the pool's thread does all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core import (
    PROGRAM,
    Advice,
    Answer,
    Cancel,
    Cancelled,
    Dataset,
    Event,
    Headline,
    NewerSession,
    Next,
    Reproduction,
    Request,
    Result,
    ResultCard,
    Run,
    Session,
    SessionError,
    Study,
    Table,
    Trial,
    answer_of,
    arguments,
    begin_recording,
    being_measured,
    collect,
    differing,
    find_dataset,
    floor_of,
    headline_of,
    is_trusted,
    label,
    limits_of,
    load_study,
    pairs_in,
    progress_of,
    reproduction_of,
    require_trust,
    rest_of_run,
    session_for,
    study_names,
    summarise,
    tabulate_trials,
    task_of,
    task_of_plan,
    tr_word,
    trials_in_order,
    without_bare_files,
)

if TYPE_CHECKING:
    from core import CurvesFigure


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A session and a run in it: one about to be measured, or one that was opened."""

    session: Session
    run: Run
    left_out: tuple[str, ...] = ()
    """Why combinations of a sweep cannot be run."""
    foreseen: tuple[str, ...] = ()
    """What there will be too little of."""
    newer: str = ""
    """What to know of a session that a newer Sluice has written."""
    trials: tuple[Trial, ...] = ()
    """What was measured before."""
    carry_out: Callable[[Cancel], Iterator[Event]] | None = None
    """None = there is nothing to measure."""
    trusted: bool = True
    """Whether this user has begun it here, or agreed to it, so that what it names may run."""


type Prepare = Callable[[], Prepared]


def preparation(request: Request, dataset: Dataset, session: Session | None) -> Prepare:
    """A function that makes the plan and its session."""

    def prepare() -> Prepared:
        # What was chosen may have been removed or replaced since it was looked at.
        there = find_dataset(request.of_workload, dataset.path) if dataset.local else dataset
        task = task_of(request, there)
        kept = session or session_for(task.plan)
        number = begin_recording(task.plan, kept, [*PROGRAM, *arguments(request)])
        return Prepared(
            session=kept,
            run=kept.run(number),
            left_out=task.left_out,
            foreseen=task.foreseen,
            carry_out=task.carry_out,
        )

    return prepare


def repetition(request: Request, shown_run: Prepared) -> Prepare:
    """A function that makes the plan of another request on the data of a run, in its session."""
    prepare = preparation(request, shown_run.run.plan.specs[0].dataset, shown_run.session)

    def prepare_if_trusted() -> Prepared:
        if not shown_run.trusted:  # when it was opened
            require_trust(shown_run.run)
        return prepare()

    return prepare_if_trusted


def in_turn(baseline: Result, candidate: Result, session: Session | None, cluster: str) -> Prepare:
    """A function that makes the plan that measures both again, in turn."""

    def prepare() -> Prepared:
        from core import comparing_arguments, plan_to_compare  # bring numpy along

        plan = plan_to_compare(baseline, candidate)
        task = task_of_plan(plan, cluster=cluster)
        kept = session or session_for(plan)
        number = max((run.id for run in kept.runs()), default=0) + 1
        command = comparing_arguments(plan, kept.path, number)
        number = begin_recording(plan, kept, [*PROGRAM, *command])
        return Prepared(session=kept, run=kept.run(number), carry_out=task.carry_out)

    return prepare


def resumption(session: Session, number: int) -> Prepare:
    """A function that resumes a run at the point where it stopped."""

    def prepare() -> Prepared:
        rest = rest_of_run(session, number)
        return Prepared(
            session=session, run=rest.run, trials=rest.trials, carry_out=rest.task.carry_out
        )

    return prepare


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A run of a session as it was found, and how many of its trials remain at least."""

    prepared: Prepared
    seen: tuple[tuple[Trial, str], ...]
    """Its trials in order with their names, for the plots, before all of their moments are read."""
    remaining: int
    busy: bool
    """Whether a Sluice is measuring it right now."""


def opened(path: Path, number: int | None = None) -> Opened:
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
        _, rows = results_of(prepared, prepared.trials)
        for trial in trials:
            trial.first_round  # noqa: B018 -- once, here, and not on the window's thread
    except SessionError:
        session.close()
        raise
    return Opened(prepared=prepared, seen=labelled(rows), remaining=remaining, busy=busy)


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
    """Throughput by threads; empty where threads do not vary."""
    card: ResultCard
    next: Next
    """What to do next; nothing while more trials follow."""
    study: Reproduction | None = None
    """The outcome of the published study; None if the run repeats none."""
    pair: tuple[Result, Result] | None = None
    """What the run measured in order to compare it, as far as both have trials."""


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


def compared_with_last(prepared: Prepared, trials: tuple[Trial, ...]) -> tuple[Result, Result]:
    """The answer of the last run before this one, and of this one; raises SessionError."""
    session, run = prepared.session, prepared.run
    earlier = earlier_runs(run, session.runs())
    if not earlier:
        raise SessionError(tr_word("there is no earlier run of the same data in this session"))
    before = Prepared(session=session, run=earlier[-1])
    return _answer_in(before, session.trials(earlier[-1].id)), _answer_in(prepared, trials)


def _answer_in(prepared: Prepared, trials: tuple[Trial, ...]) -> Result:
    """The result that the card of a run shows."""
    from core import chosen_result

    results, rows = results_of(prepared, trials)
    answer = answer_of(results, progress_of(prepared.run, len(rows), trials_done(trials)))
    best = chosen_result(rows, answer.advice)
    if best is None:
        raise SessionError(tr_word("one of the two runs has no throughput"))
    return best


def study_of(begun: Run) -> Study | None:
    """The study that a run repeats; None if it repeats none that this Sluice knows."""
    if begun.plan.study not in study_names():
        return None
    return load_study(begun.plan.study, begun.environment.usable_cores)


def titled(table: Table) -> Table:
    """The table with its titles in the user's language."""
    columns = tuple(replace(each, title=tr_word(each.title)) for each in table.columns)
    return replace(table, columns=columns)


def results_of(
    prepared: Prepared, trials: tuple[Trial, ...]
) -> tuple[tuple[Result, ...], tuple[Result, ...]]:
    """The results of these trials of a run, and those that tables and plots show."""
    plan = prepared.run.plan
    results = collect(plan.specs, trials, prepared.run.environment, prepared.run.file_systems)
    if plan.adaptive:
        results = tuple(result for result in results if result.trials)
    of_wanted = {spec.digest for spec in without_bare_files(plan.specs)}
    return results, tuple(result for result in results if result.spec.digest in of_wanted)


def labelled(results: Sequence[Result]) -> tuple[tuple[Trial, str], ...]:
    """The results' trials in the order they ran, with labels that distinguish the results."""
    names = differing([result.spec for result in results])
    labels = {result.spec.digest: label(result.spec, names) for result in results}
    return tuple((trial, labels[trial.spec_digest]) for _, trial in trials_in_order(results))


def trials_done(trials: Sequence[Trial]) -> int:
    """How many trials of a plan do not need another measurement."""
    return len({one.index for one in trials if not isinstance(one.outcome, Cancelled)})


def shown(
    prepared: Prepared, trials: tuple[Trial, ...], advice: Advice | None, *, over: bool = False
) -> Shown:
    """The results of these trials of a run; `advice` is the answer of a search.

    `over`: no trial follows, so the session knows how the run ended.
    """
    # This imports numpy, and a law scipy, which are needed only when there are results.
    from core import result_card, threads_figure

    runs = prepared.session.runs() if over else ()
    run = next((one for one in runs if one.id == prepared.run.id), prepared.run)
    plan = prepared.run.plan
    results, rows = results_of(prepared, trials)
    progress = progress_of(run, len(rows), trials_done(trials))
    # The bare files alone are no answer: there is no result yet to compare with them.
    known = results if rows else ()
    study = study_of(prepared.run)
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
        scaling=threads_figure(rows, answer.advice, limits_of(plan.terms), study),
        card=result_card(run, known, answer, found),
        next=_next(run, known, answer, found, runs) if over else Next(),
        study=found,
        pair=next(iter(pairs_in(plan, [one for one in rows if one.finished_trials])), None),
    )


def _next(
    run: Run,
    known: Sequence[Result],
    answer: Answer,
    found: Reproduction | None,
    runs: Sequence[Run],
) -> Next:
    """What to do next; nothing where moments of a session cannot be read, which only it needs."""
    from core import next_steps

    with suppress(SessionError):
        return next_steps(run, known, answer, found, earlier=len(earlier_runs(run, runs)))
    return Next()
