"""A run on the terminal: JSON lines for programs, a progress line for people, and how it is ended.

Progress goes to stderr, results to stdout, so that a pipe gets results only.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from core.catalog.registry import leading
from core.cli.terminal import console, print_json, progress_is_seen, reader_left, say_on_stderr
from core.execution.events import Consumer, Decided, Event, Explained
from core.language.translation import one_line
from core.language.units import show_rate, show_seconds
from core.plan.spec import RunSpec
from core.result.metrics import METRICS
from core.result.moments import as_moments
from core.result.outcome import Completed, describe_all
from core.result.result import Trial
from core.trial.trial_events import TrialEnded

if TYPE_CHECKING:
    from rich.progress import Progress

    from core.execution.progress import RunProgress
    from core.trial.cancel import SignalCancel


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


def write_json(event: Event) -> None:
    """One event as a line of JSON on stdout."""
    print_json(event, enc_hook=as_moments)


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
        case _:
            pass


def trial_line(trial: Trial, spec: RunSpec | None = None) -> str:
    if not isinstance(trial.outcome, Completed):
        return describe_all(trial.outcome)
    if trial.throughput is None:
        return f"completed, but {trial.errors:,} failed and {trial.wrong:,} wrong operations"
    keys = dict.fromkeys((*leading(spec.workload if spec else ""), "byte_rate"))
    told = [METRICS[key].text(of, trial.unit) for key in keys if (of := METRICS[key].of(trial))]
    p99 = trial.latency(0.99)
    slow = [f"p99 {show_seconds(p99)}"] if p99 is not None else []
    return ", ".join((*told, *slow)) or show_rate(trial.throughput, trial.unit)


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
            told = Text(f" {one_line(trial_line(trial, run.spec))}", style="not dim")
            line.console.print(ended + told)
        case _:
            pass


def follow(
    events: Iterator[Event], run: RunProgress, consumer: Consumer, asked: SignalCancel
) -> None:
    """Hand all events to the run's model and then to the consumer.

    A reader who leaves, as `| head` does, ends the run, as SIGPIPE ends other programs; what was
    measured is kept.  Output that cannot be written ends nothing: the session keeps everything.
    """
    for event in events:
        run.take(event)
        consumer(event)
        if reader_left():
            asked.by = asked.by or signal.SIGPIPE
            asked.cancel.request()
