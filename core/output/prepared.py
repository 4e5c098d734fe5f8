"""The work before the first trial: the plan, its session, and the run that is begun in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.catalog.dataset import Dataset
from core.catalog.local_datasets import find_dataset
from core.execution.admission import cluster_of
from core.execution.events import Event
from core.execution.measure_again import WouldRun, data_changes, request_of, rest_of_run, run_again
from core.execution.recording import begin_recording, recorded, session_for
from core.execution.request import Request, arguments
from core.execution.task import task_of, task_of_plan
from core.host.program import PROGRAM
from core.result.result import Result, Trial
from core.session import Run, Session
from core.session.plan_trust import is_trusted, require_trust, trust
from core.trial.cancel import Cancel


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

    @property
    def cluster(self) -> str:
        """The cluster that its command names, or else the environment; empty = none."""
        return cluster_of(self.run.command)

    def measure(self, cancel: Cancel) -> Iterator[Event]:
        """Carry it out and write it into the session; what happens, as it happens."""
        if self.carry_out is not None:
            yield from recorded(self.carry_out(cancel), self.session, self.run.id)

    def request(self) -> Request:
        """What the run was asked for; raises SluiceError where that is not known here."""
        return request_of(self.run.plan)

    def would_run(self) -> WouldRun:
        """What resuming or repeating it would run."""
        return run_again(self.run, self.session.path)

    def data_changes(self) -> tuple[str, ...]:
        """How the data differs from what it was planned for; raises DatasetError."""
        return data_changes(self.run.plan.specs)

    def is_trusted(self) -> bool:
        """Whether what it names may run, now; `trusted` is what was known when it was opened."""
        return is_trusted(self.run)

    def trust(self) -> None:
        """The user agrees to what it names."""
        trust(self.run)

    @staticmethod
    def for_request(request: Request, dataset: Dataset, session: Session | None) -> Prepare:
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
            from core.output.comparisons import (  # which brings numpy along
                comparing_arguments,
                plan_to_compare,
            )

            plan = plan_to_compare(baseline, candidate)
            task = task_of_plan(plan, cluster=cluster)
            kept = session or session_for(plan)
            number = max((run.id for run in kept.runs()), default=0) + 1
            command = comparing_arguments(plan, kept.path, number)
            number = begin_recording(plan, kept, [*PROGRAM, *command])
            return Prepared(session=kept, run=kept.run(number), carry_out=task.carry_out)

        return prepare

    @staticmethod
    def rest_of(session: Session, number: int) -> Prepare:
        """A function that resumes a run at the point where it stopped."""

        def prepare() -> Prepared:
            rest = rest_of_run(session, number)
            return Prepared(
                session=session, run=rest.run, trials=rest.trials, carry_out=rest.task.carry_out
            )

        return prepare


type Prepare = Callable[[], Prepared]
"""It is called on a thread that may take its time."""
