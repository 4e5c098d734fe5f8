"""A session and a run in it: one about to be measured, and one that is opened again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.desk.planned_settings import planned_figure
from core.language import PROGRAM, NewerSession, SessionError, SluiceError, tr_word
from core.measure import Cancel, find_dataset, without_bare_files
from core.run import (
    Request,
    Run,
    Session,
    WouldRun,
    agree,
    arguments,
    begin_recording,
    being_measured,
    cluster_of,
    data_changes,
    is_trusted,
    recorded,
    request_of,
    require_trust,
    rest_of_run,
    session_for,
    task_of,
    task_of_plan,
)
from core.vocabulary import (
    CurvesFigure,
    Dataset,
    Event,
    Plan,
    Result,
    Trial,
    collect,
    differing,
    label,
    trials_in_order,
)


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A session and a run in it: one about to be measured, or one that was opened."""

    session: Session
    run: Run
    left_out: tuple[str, ...] = ()
    """Why combinations of a sweep cannot be run."""
    shortages: tuple[str, ...] = ()
    """What there will be too little of."""
    newer: str = ""
    """What to know of the session: that a newer Sluice has written it, or whose place it takes."""
    trials: tuple[Trial, ...] = ()
    """What was measured before."""
    carry_out: Callable[[Cancel], Iterator[Event]] | None = None
    """None = there is nothing to measure."""
    trusted: bool = True
    """Whether this user has begun it here, or agreed to it, so that what it names may run."""

    @property
    def cluster(self) -> str:
        """The cluster that its command names, or else the environment; empty = none."""
        return cluster_of(self.run.command)

    @property
    def planned(self) -> CurvesFigure:
        """The curves on which its settings lie; empty where they lie on none."""
        return planned_figure(self.run.plan)

    def measure(self, cancel: Cancel) -> Iterator[Event]:
        """Carry it out and write it into the session; what happens, as it happens."""
        if self.carry_out is not None:
            yield from recorded(self.carry_out(cancel), self.session, self.run.id)

    def request(self) -> Request:
        """What the run was asked for; raises SluiceError where that is not known here."""
        return request_of(self.run.plan)

    def command_line(self) -> str:
        """The command that asks for the same; empty where `request` is None."""
        # Parameters of another version have no name, or other values, here.
        with suppress(SluiceError, KeyError, TypeError, ValueError):
            return self.request().command_line()
        return ""

    def would_run(self) -> WouldRun:
        """What resuming or repeating it would run."""
        return WouldRun.of_run(self.run)

    def data_changes(self) -> tuple[str, ...]:
        """How the data differs from what it was planned for; raises DatasetError."""
        return data_changes(self.run.plan.specs)

    def question(self) -> str:
        """What is to be agreed to before it goes on; empty = nothing.  Raises SluiceError."""
        return rest_of_run(self.session, self.run.id).task.requests.question

    @staticmethod
    def question_in_turn(baseline: Result, candidate: Result, cluster: str) -> str:
        """What is to be agreed to before both are measured again; empty = nothing."""
        from core.desk.comparisons import plan_to_compare  # which brings numpy along

        plan = plan_to_compare(baseline, candidate)
        return task_of_plan(plan, cluster=cluster).requests.question

    def is_trusted(self) -> bool:
        """Whether what it names may run, now; `trusted` is what was known when it was opened."""
        return is_trusted(self.run)

    def trust(self) -> None:
        """The user agrees to what it names."""
        agree(self.run)

    @staticmethod
    def for_request(request: Request, dataset: Dataset, session: Session | None) -> Prepare:
        """A function that makes the plan and its session."""

        def prepare() -> Prepared:
            # What was chosen may have been removed or replaced since it was looked at.
            there = find_dataset(request.of_workload, dataset.path) if dataset.local else dataset
            task = task_of(request, there)
            own_session = session if _asks_the_same(session, task.plan) else None
            target = session_for(task.plan, own_session)
            number = begin_recording(task.plan, target, [*PROGRAM, *arguments(request)])
            return Prepared(
                session=target,
                run=target.run(number),
                left_out=task.left_out,
                shortages=task.warnings,
                newer=target.moved,
                carry_out=task.carry_out,
            )

        return prepare

    def with_request(self, request: Request) -> Prepare:
        """A function that makes the plan of another request on its data, in its session."""
        prepare = Prepared.for_request(request, self.run.plan.specs[0].dataset, self.session)

        def prepare_if_trusted() -> Prepared:
            if not self.trusted:  # when it was opened
                require_trust(self.run)
            return prepare()

        return prepare_if_trusted

    @staticmethod
    def in_turn(
        baseline: Result, candidate: Result, session: Session | None, cluster: str
    ) -> Prepare:
        """A function that makes the plan that measures both again, in turn."""

        def prepare() -> Prepared:
            from core.desk.comparisons import (  # which brings numpy along
                comparing_arguments,
                plan_to_compare,
            )

            plan = plan_to_compare(baseline, candidate)
            task = task_of_plan(plan, cluster=cluster)
            target = session_for(plan, session)
            number = max((run.id for run in target.runs()), default=0) + 1
            command = comparing_arguments(plan, target.path, number)
            number = begin_recording(plan, target, [*PROGRAM, *command])
            return Prepared(
                session=target,
                run=target.run(number),
                newer=target.moved,
                carry_out=task.carry_out,
            )

        return prepare

    @staticmethod
    def rest_of(session: Session, number: int) -> Prepare:
        """A function that resumes a run at the point where it stopped."""

        def prepare() -> Prepared:
            remainder = rest_of_run(session, number)
            own = remainder.own_session()
            return Prepared(
                session=own,
                newer=own.moved,
                run=remainder.run,
                trials=remainder.trials,
                carry_out=remainder.task.carry_out,
            )

        return prepare


type Prepare = Callable[[], Prepared]
"""It is called on a thread that may take its time."""


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A run of a session as it was found, and how many of its trials remain at least."""

    prepared: Prepared
    labelled: tuple[tuple[Trial, str], ...]
    """Its trials in order with their names, for the plots, before all of their moments are read."""
    remaining: int
    busy: bool
    """Whether a Sluice is measuring it right now."""
    title: str
    """Of its session."""
    request: Request | None
    """What it was asked for; None where that is not known here, or is somebody else's choice."""
    command: str = ""
    """The command that asks for the same; empty where `request` is None."""

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
            labelled=labelled(rows),
            remaining=remaining,
            busy=busy,
            title=title,
            request=_request(prepared),
            command=prepared.command_line() if prepared.trusted else "",
        )


def _asks_the_same(session: Session | None, plan: Plan) -> bool:
    """Whether the last run of a session asked the same question: that work, on that data."""
    numbers = [number for number, *_ in session.titles()] if session is not None else []
    if session is None or not numbers:
        return session is not None
    before = session.run(numbers[-1]).plan
    return _question(before) == _question(plan)


def _question(plan: Plan) -> tuple[str, str, str]:
    first = plan.specs[0]
    return plan.study, first.workload, first.dataset.location


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


def _request(prepared: Prepared) -> Request | None:
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
