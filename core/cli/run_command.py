"""`run` and `sweep`, and how every request is measured into a session and a table."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.analysis.limit_check import Allowance
from core.cli.advice_card import show_advice, show_diagnosis, show_headline, why_option
from core.cli.flags import options
from core.cli.measuring_command import (
    Manner,
    Output,
    WorkloadGroup,
    run_options,
    strict_option,
)
from core.cli.quiet_wait import heed_others
from core.cli.terminal import say_on_stderr
from core.errors import UsageError
from core.execution.request import Request
from core.execution.task import Task, task_of
from core.host.end_signals import code_after
from core.host.machine_noise import WatchOthers
from core.host.program import PROGRAM, command_text
from core.plan.floor import without_bare_files
from core.result.result import Result

if TYPE_CHECKING:
    from core.catalog.dataset import Dataset
    from core.execution.progress import RunProgress
    from core.session import Session


def measure_one(request: Request, output: Output) -> int:
    """Measure one setting and print what came of it; returns the exit code."""
    from core.output.card_text import sum_up

    done = carry_out(request, output)
    done.leave_if_interrupted()
    spec = done.task.plan.specs[0]
    own = [one for one in done.results if one.spec.digest not in done.task.beside]
    show_headline(sum_up(own, len(without_bare_files(own))), json=output.json)
    show_diagnosis(done.results, spec, whole=request.why, json=output.json)
    return exit_code(done.results, need_all=True)


def measure_combinations(request: Request, output: Output) -> int:
    """Measure all combinations and print the advice; returns the exit code."""
    done = carry_out(request, output)
    done.leave_if_interrupted()
    show_advice(done.results, request.terms, json=output.json)
    return exit_code(done.results, need_all=output.strict)


run = WorkloadGroup(
    Manner(
        measure=measure_one,
        options=lambda: {"Run": run_options(), "Advice": [why_option()]},
        examples="""Examples:
  python -m core run {name}
  python -m core run {name} --dataset DATA --threads 4 --duration 5s --repeats 5
  python -m core run {name} --dataset DATA --page-cache cold --json > events.jsonl""",
    ),
    name="run",
    help="Measure one setting of a workload.",
    epilog="\b\nExample:\n  python -m core run fasta --dataset genome.fa.bgz --threads 4",
)
sweep = WorkloadGroup(
    Manner(
        measure=measure_combinations,
        axes=lambda: [click.Argument(["axes"], nargs=-1, required=True, metavar="NAME=VALUES...")],
        options=lambda: {
            "Run": [*run_options(), strict_option()],
            "Advice": [*options(Allowance)],
        },
        examples="""NAME=VALUES is threads=1,2,4,8 or threads=1..8 (doubling where the parameter is logarithmic).
Examples:
  python -m core sweep {name} threads=1..8 --dataset DATA
  python -m core sweep {name} threads=1,4 page-cache=warm,cold --repeats 5
  python -m core sweep {name} threads=1,2,4,8 --wait-quiet 5min""",
    ),
    name="sweep",
    help="Measure all combinations of some parameters, in turn.",
    epilog="\b\nExample:\n  python -m core sweep fasta threads=1,2,4,8 cache=none,lru-locked",
)


@dataclass(frozen=True, kw_only=True)
class Done:
    """What was measured, the session that keeps it, and the signal that ended it early, or 0.

    A reader of the output who leaves counts as SIGPIPE.
    """

    task: Task
    results: Sequence[Result]
    run: RunProgress
    """Has the advice and the diagnosis at the end of a search."""
    session: Path
    interrupted_by: int

    def tell_where(self) -> None:
        """Say on stderr where the results are."""
        kept = "interrupted; what was measured is kept, " if self.interrupted_by else ""
        say_on_stderr(f"{kept}session: {self.session}")
        if self.interrupted_by and not self.task.plan.adaptive:
            say_on_stderr(f"to go on: {command_text('resume', shlex.quote(str(self.session)))}")

    def leave_if_interrupted(self) -> None:
        """Exit as after the signal, if there was one; raises SystemExit."""
        if self.interrupted_by:
            sys.exit(code_after(self.interrupted_by))


def carry_out(request: Request, output: Output) -> Done:
    """Measure a request; says what is left out and prints the table.

    Raises UsageError, Unavailable.
    """
    from core.cli.terminal_tables import print_results

    if request.cluster and output.wait_quiet:
        raise UsageError(
            "--wait-quiet watches this machine, and the nodes of the cluster measure",
            "leave one of them out",
        )
    dataset = _dataset_for(request, quiet=output.json)
    watched = None if request.cluster else WatchOthers()
    task = task_of(request, dataset)
    for reason in task.left_out:
        say_on_stderr(f"left out: {reason}")
    for sentence in task.foreseen:
        say_on_stderr(f"look out: {sentence}")
    done = measure(task, output, watched)
    if not output.json:
        print_results(done.results)
        done.tell_where()
    return done


def _dataset_for(request: Request, *, quiet: bool) -> Dataset:
    """The dataset the user gave, or a generated sample; raises UsageError, DatasetError."""
    from core.catalog.local_datasets import find_dataset
    from core.cli.terminal import told_on_terminal
    from core.study.study_dataset import SampleData

    if request.dataset is not None:
        if request.full:
            raise UsageError(
                "--full is about data that is generated, and --dataset names some",
                "leave one of them out",
            )
        return find_dataset(request.of_workload, request.dataset)
    with told_on_terminal(quiet=quiet) as tell:
        return SampleData(request.of_workload, request.study, request.full).make(tell)


def measure(task: Task, output: Output, watched: WatchOthers | None = None) -> Done:
    """Carry out a task as a new run and show its progress; ends early if interrupted.

    `watched`: other programs on this machine, if they are to be heeded.
    """
    from core.execution.recording import begin_recording, session_for
    from core.host.folders import index_folder

    for spec in task.plan.specs:  # every trial would fail without it
        index_folder(spec.dataset.fingerprint)
    new = output.session is None or not output.session.exists()
    with closing(session_for(task.plan, output.session)) as session:
        if watched is not None:
            try:
                heed_others(watched, output.wait_quiet)
            except KeyboardInterrupt:
                if new:  # nothing is in it
                    session.path.unlink(missing_ok=True)
                raise
        return measure_into(
            session,
            task,
            lambda: begin_recording(task.plan, session, command_line()),
            json=output.json,
        )


def measure_into(session: Session, task: Task, number: Callable[[], int], *, json: bool) -> Done:
    """Carry out a task as the run of that number, which is begun or goes on; shows its progress."""
    from core.cli.progress_output import face, follow
    from core.execution.progress import RunProgress
    from core.execution.recording import recorded
    from core.trial.cancel import cancelled_by_signal

    run = RunProgress()
    _tell_of_leftovers()
    with cancelled_by_signal() as asked:
        with face(run, json=json) as consumer:
            run_number = number()
            events = recorded(task.carry_out(asked.cancel), session, run_number)
            follow(events, run, consumer, asked)
        return Done(
            task=task,
            results=session.results(run_number),
            run=run,
            session=session.path,
            interrupted_by=asked.by,
        )


def command_line() -> list[str]:
    """The command that repeats this one."""
    return [*PROGRAM, *sys.argv[1:]]


def exit_code(results: Sequence[Result], *, need_all: bool) -> int:
    """0 if all results are valid (`need_all`) or at least one is; otherwise 1."""
    wanted = without_bare_files(results)
    judge = all if need_all else any
    return 0 if wanted and judge(result.valid for result in wanted) else 1


def _tell_of_leftovers() -> None:
    """Say how much is left on servers, before a run."""
    from core.trial.ledger import leftovers

    count = len(leftovers())
    if count:
        trials = "a trial" if count == 1 else f"{count:,} trials"
        say_on_stderr(
            f"what {trials} of killed runs left is still on servers: {command_text('leftovers')}",
        )
