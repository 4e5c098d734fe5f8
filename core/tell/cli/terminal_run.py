"""How a request becomes a run: kept in a session, followed on the terminal, shown as a table.

Progress goes to stderr, results to stdout, so that a pipe gets results only.
"""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.language import (
    PROGRAM,
    InvalidParameter,
    NotTrusted,
    Seconds,
    UsageError,
    command_text,
    one_line,
    show_about,
    show_at_most,
    show_rate,
    show_seconds,
    show_share,
    tr,
)
from core.measure import (
    QUIET,
    QUIET_FOR,
    OtherPrograms,
    WatchOthers,
    code_after,
    until_quiet,
    without_bare_files,
)
from core.run import Request, Task, task_of
from core.tell.cli.terminal import (
    agrees,
    console,
    progress_is_seen,
    reader_left,
    reported_on_terminal,
    say_on_stderr,
)
from core.tell.cli.terminal_results import print_results, write_json
from core.vocabulary import (
    METRICS,
    Completed,
    Consumer,
    Decided,
    Event,
    Explained,
    Real,
    Result,
    RunSpec,
    Trial,
    TrialEnded,
    describe_all,
    is_refusal,
    leading_keys,
)

if TYPE_CHECKING:
    from rich.progress import Progress

    from core.measure import SignalCancel
    from core.run import RunProgress, Session
    from core.vocabulary import Dataset


@dataclass(frozen=True, kw_only=True)
class Output:
    """Where results go: into which session, and to the terminal as a table or as JSON."""

    session: Path | None = None
    """None = a new one in the user's folder."""
    json: bool = False
    strict: bool = False
    """Whether every setting must be valid, also where the others answer the question."""
    yes: bool = False
    """Whether the user agrees to many requests to a server."""
    wait_quiet: Seconds = 0.0
    """How long to wait for other programs, before it measures anyway."""
    export_json: Path | None = None
    """File for the results as hyperfine writes them."""


WAIT = Real(
    name="wait_quiet",
    default=0.0,
    low=0,
    high=7 * 86_400,
    unit="seconds",
    help=f"Longest wait until other programs take less than {QUIET:.0%} of the cores for "
    f"{QUIET_FOR:.0f} s. Then it measures anyway. 0 = no wait.",
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

    def say_where(self) -> None:
        ending = "interrupted; the results so far are kept, " if self.interrupted_by else ""
        say_on_stderr(f"{ending}session: {self.session}")
        if self.interrupted_by and not self.task.plan.adaptive:
            say_on_stderr(f"to resume: {command_text('resume', shlex.quote(str(self.session)))}")

    def leave_if_interrupted(self) -> None:
        """Exit as after the signal, if there was one; raises SystemExit."""
        if self.interrupted_by:
            sys.exit(code_after(self.interrupted_by))


def carry_out(request: Request, output: Output) -> Done:
    """Measure a request; says what is left out and prints the table.

    Raises UsageError, Unavailable.
    """
    if request.cluster and output.wait_quiet:
        raise UsageError(
            "--wait-quiet watches this machine, but the nodes of the cluster do the measuring",
            "leave one of them out",
        )
    _require_folder(output.export_json)
    dataset = dataset_for(request, quiet=output.json)
    watched = None if request.cluster else WatchOthers()
    task = task_of(request, dataset)
    sentences = [] if output.json else [_announcement(request, task)]
    sentences += [f"left out: {reason}" for reason in task.left_out]
    sentences += [f"look out: {sentence}" for sentence in task.warnings]
    agree_to_requests(task, yes=output.yes)
    done = measure(task, output, watched, sentences)
    if not output.json:
        print_results(done.results, verdict=not done.interrupted_by)
        done.say_where()
    if output.export_json is not None:
        from core.tell.exchange import format_named

        format_named("hyperfine").export(done.results, output.export_json)
    return done


def _require_folder(file: Path | None) -> None:
    """Raise UsageError before the work for a file that cannot be written after it."""
    if file is not None and not file.parent.is_dir():
        raise UsageError(f"the folder of {file} does not exist", "create it first")


def agree_to_requests(task: Task, *, yes: bool) -> None:
    """Say what servers will be asked, and ask if that is much; raises NotTrusted."""
    requests = task.requests
    if requests.text:
        say_on_stderr(requests.text)
    if requests.are_many and not (yes or agrees("Make that many requests?")):
        raise NotTrusted(
            "nothing was run: so many requests need your agreement",
            "add --yes, or measure less, by fewer settings, --duration or --operations",
        )


def _announcement(request: Request, task: Task) -> str:
    """Which way it is measured, how many trials that takes, and how long."""
    budget = task.plan.budget
    within = bool(budget) and task.seconds <= budget
    time = f"at most {show_at_most(budget)}" if within else f"about {show_about(task.seconds)}"
    count = tr("1 trial", "{count:,} trials", count=task.trials)
    if request.search:
        settings = tr("1 setting", "{count} settings", count=task.settings)
        return f"Searches {settings} for the best: usually {count} in {time}."
    all_of = "both" if task.settings == 2 else f"all {task.settings:,}"
    way = f"Measures {all_of} combinations"
    if request.study:
        way = "Repeats a published study"
    elif task.settings == 1:
        way = "Measures one setting"
    if task.plan.open_ended:
        enough = "its claims are told" if request.study else "the answer is sure"
        most = time if budget else f"at most {show_at_most(task.seconds)}"
        return f"{way} until {enough}: {most}."
    return f"{way}: {count} in {time}."


def dataset_for(request: Request, *, quiet: bool) -> Dataset:
    """The dataset the user gave, or a generated sample; raises UsageError, DatasetError."""
    from core.measure import find_dataset
    from core.run import SampleData

    if request.dataset is not None:
        if request.full:
            raise UsageError(
                "--full sizes generated data, but --dataset names your own", "leave one of them out"
            )
        return find_dataset(request.of_workload, request.dataset)
    with reported_on_terminal(quiet=quiet) as report:
        return SampleData(request.of_workload, request.study, request.full).make(report)


def heed_others(watched: WatchOthers, longest: Seconds) -> None:
    """Say what others take, or wait for at most so long until they take next to nothing.

    Ctrl+C ends the wait as it ends the command: nothing is measured yet.
    """
    if longest:
        with reported_on_terminal(quiet=False) as report:

            def say(others: OtherPrograms, waited: Seconds, _: Seconds) -> None:
                report(
                    f"waiting until other programs take less than {show_share(QUIET)} of the cores",
                    round(waited),
                    round(longest),
                    f"s: now {show_share(others.share)}{_by(others)}",
                )

            others = until_quiet(longest, say)
        if others is not None:
            say_on_stderr(
                f"Other programs still take {show_share(others.share)} of the cores after"
                f" {show_seconds(longest)}{_by(others)}: measuring anyway."
            )
        return
    others = watched.seen()
    if others is not None and others.busy:
        who = f" Most take: {others.who}." if others.who else ""
        say_on_stderr(f"{others.sentence}{who} {WAIT.flag} 5min waits.")


def _by(others: OtherPrograms) -> str:
    return f", most of it {others.who}" if others.who else ""


def measure(
    task: Task, output: Output, watched: WatchOthers | None = None, said: Sequence[str] = ()
) -> Done:
    """Carry out a task as a new run and show its progress; ends early if interrupted.

    `watched`: other programs on this machine, if they are to be heeded.  `said`: what to say first,
    once nothing is in the way.
    """
    from core.measure import index_folder
    from core.run import begin_recording, session_for

    for spec in task.plan.specs:  # every trial would fail without it
        index_folder(spec.dataset.fingerprint)
    before = output.session if output.session is not None and output.session.exists() else None
    with closing(session_for(task.plan, output.session)) as session:
        for sentence in said:
            say_on_stderr(sentence)
        if watched is not None:
            try:
                heed_others(watched, output.wait_quiet)
            except KeyboardInterrupt:
                if session.path != before:  # nothing is in it
                    session.path.unlink(missing_ok=True)
                raise
        return measure_into(
            session,
            task,
            lambda: begin_recording(task.plan, session, [*PROGRAM, *sys.argv[1:]]),
            json=output.json,
        )


def measure_into(session: Session, task: Task, number: Callable[[], int], *, json: bool) -> Done:
    """Carry out a task as the run of that number, which is begun or goes on; shows its progress."""
    from core.measure import cancelled_by_signal
    from core.run import RunProgress, recorded
    from core.tell.cli.terminal_run import face, follow

    run = RunProgress()
    _warn_of_leftovers()
    if session.moved:
        say_on_stderr(f"look out: {session.moved}")
    with cancelled_by_signal() as stop:
        with face(run, json=json) as consumer:
            run_number = number()
            events = recorded(task.carry_out(stop.cancel), session, run_number)
            follow(events, run, consumer, stop)
        return Done(
            task=task,
            results=session.results(run_number),
            run=run,
            session=session.path,
            interrupted_by=stop.by,
        )


def exit_code(results: Sequence[Result], *, need_all: bool) -> int:
    """0 if all results are valid (`need_all`) or at least one is; otherwise 1.

    2 where each is refused for what the user gave.
    """
    measured = without_bare_files(results)
    outcomes = [trial.outcome for result in measured for trial in result.finished_trials]
    if outcomes and all(map(is_refusal, outcomes)):
        return InvalidParameter.exit_code
    judge = all if need_all else any
    return 0 if measured and judge(result.valid for result in measured) else 1


def _warn_of_leftovers() -> None:
    from core.measure import leftovers

    count = len(leftovers())
    if count:
        trials = "a trial" if count == 1 else f"{count:,} trials"
        say_on_stderr(
            f"what {trials} of killed runs left is still on servers: {command_text('leftovers')}"
        )


@contextmanager
def face(run: RunProgress, *, json: bool) -> Iterator[Consumer]:
    """The face that fits: JSON lines, a live line on a terminal, one line per trial elsewhere.

    It is given each event after the run's model.
    """
    if json:
        yield write_json
    elif progress_is_seen():
        with _progress_line() as line:
            yield partial(_move, line, run)
    else:
        yield partial(_write, run)


def _write(run: RunProgress, event: Event) -> None:
    """For logs and pipes."""
    match event:
        case Explained(text=text):
            say_on_stderr(text)
        case Decided():
            say_on_stderr(run.decision)
        case TrialEnded(trial=trial):
            ahead = f"  ({run.left} left)" if run.share < 1.0 else ""
            say_on_stderr(f"[{run.count}] {run.ended}: {trial_line(trial, run.spec)}{ahead}")


def trial_line(trial: Trial, spec: RunSpec | None = None) -> str:
    if not isinstance(trial.outcome, Completed):
        return describe_all(trial.outcome)
    if trial.throughput is None:
        return f"completed, but {trial.errors:,} failed and {trial.wrong:,} wrong operations"
    keys = dict.fromkeys((*leading_keys(spec.workload if spec else ""), "byte_rate"))
    parts = [METRICS[key].text(of, trial.unit) for key in keys if (of := METRICS[key].of(trial))]
    p99 = trial.latency(0.99)
    slow = [f"p99 {show_seconds(p99)}"] if p99 is not None else []
    return ", ".join((*parts, *slow)) or show_rate(trial.throughput, trial.unit)


def _progress_line() -> Progress:
    """A progress line on a terminal: phase, parameters, rate, done, time left."""
    from rich.progress import BarColumn, Progress, TextColumn

    line = Progress(
        TextColumn("{task.description}", style="bold", markup=False),
        TextColumn("{task.fields[what]}", style="cyan", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[count]}", markup=False),
        TextColumn("{task.fields[rate]}", style="green", markup=False),
        TextColumn("{task.fields[left]}", style="dim", markup=False),
        console=console(stderr=True),
        transient=True,
        refresh_per_second=5,
    )
    line.add_task("starting", total=1.0, what="", count="", rate="", left="")
    return line


def _move(line: Progress, run: RunProgress, event: Event) -> None:
    """Bring the line up to date; what stays is written above it."""
    from rich.text import Text

    line.update(
        line.task_ids[0],
        description=one_line(run.phase),
        completed=run.share,
        what=one_line(run.what),
        count=run.count,
        rate=run.rate,
        left=f"{run.left} left",
    )
    match event:
        case Explained(text=text):
            line.console.print(one_line(text))
        case Decided():
            line.console.print(one_line(run.decision))
        case TrialEnded(trial=trial):
            ended = Text(f"{one_line(run.ended)}:", style="dim")
            summary = Text(f" {one_line(trial_line(trial, run.spec))}", style="not dim")
            line.console.print(ended + summary)


def follow(
    events: Iterator[Event], run: RunProgress, consumer: Consumer, stop: SignalCancel
) -> None:
    """Hand all events to the run's model and then to the consumer.

    A reader who leaves, as `| head` does, ends the run, as SIGPIPE ends other programs; what was
    measured is kept.  Output that cannot be written ends nothing: the session keeps everything.
    """
    for event in events:
        run.take(event)
        consumer(event)
        if reader_left():
            stop.by = stop.by or signal.SIGPIPE
            stop.cancel.request()
