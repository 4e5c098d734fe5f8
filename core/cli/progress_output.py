"""Two faces of one event stream: JSON lines for programs, a progress line for people.

Progress goes to stderr, results to stdout, so that a pipe gets results only.
"""

from __future__ import annotations

from typing import Protocol

from core.catalog.registry import leading
from core.cli.terminal import console, print_json, progress_is_seen, say_on_stderr
from core.execution.events import Decided, Event, Explained
from core.execution.progress import RunProgress
from core.language.invisible import one_line
from core.language.units import Seconds, show_rate, show_seconds
from core.plan.spec import RunSpec
from core.result.metrics import METRICS
from core.result.moments import as_moments
from core.result.outcome import Completed, describe_all
from core.result.result import Trial
from core.trial.trial_events import TrialEnded


class ProgressOutput(Protocol):
    """Shows a run while it goes on."""

    def show(self, event: Event) -> None:
        """Take the next event."""

    def close(self) -> None:
        """End the output: no more events come."""


class JsonLines:
    """Every event as one line of JSON on stdout."""

    def show(self, event: Event) -> None:
        """Write the event."""
        print_json(event, enc_hook=as_moments)

    def close(self) -> None:
        """Nothing is held back."""


def face(*, json: bool, since: Seconds = 0.0) -> ProgressOutput:
    """The face that fits: JSON lines, a live line on a terminal, one line per trial elsewhere.

    `since`: how long ago the run began.
    """
    if json:
        return JsonLines()
    return TerminalProgress(since) if progress_is_seen() else Plain(since)


class Plain:
    """One line per trial: for logs and pipes."""

    def __init__(self, since: Seconds = 0.0) -> None:
        self._run = RunProgress(since)

    def show(self, event: Event) -> None:
        """Write a line when a trial ends."""
        self._run.take(event)
        if isinstance(event, Explained):
            say_on_stderr(event.text)
        elif isinstance(event, Decided):
            say_on_stderr(self._run.decision)
        elif isinstance(event, TrialEnded):
            line = (
                f"[{self._run.count}] {self._run.ended}: {trial_line(event.trial, self._run.spec)}"
            )
            ahead = f"  ({self._run.left} left)" if self._run.share < 1.0 else ""
            say_on_stderr(line + ahead)

    def close(self) -> None:
        """Nothing is held back."""


def trial_line(trial: Trial, spec: RunSpec | None = None) -> str:
    """The outcome of one trial in one line."""
    if not isinstance(trial.outcome, Completed):
        return describe_all(trial.outcome)
    if trial.throughput is None:
        return f"completed, but {trial.errors:,} failed and {trial.wrong:,} wrong operations"
    keys = dict.fromkeys((*leading(spec.workload if spec else ""), "byte_rate"))
    told = [METRICS[key].text(of, trial.unit) for key in keys if (of := METRICS[key].of(trial))]
    p99 = trial.latency(0.99)
    slow = [f"p99 {show_seconds(p99)}"] if p99 is not None else []
    return ", ".join((*told, *slow)) or show_rate(trial.throughput, trial.unit)


class TerminalProgress:
    """A progress line on a terminal: phase, parameters, rate, done, time left."""

    def __init__(self, since: Seconds = 0.0) -> None:
        from rich.progress import BarColumn, Progress, TextColumn

        self._run = RunProgress(since)
        self._progress = Progress(
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
        self._task = self._progress.add_task(
            "starting", total=1.0, what="", count="", rate="", left=""
        )
        self._progress.start()

    def show(self, event: Event) -> None:
        """Update the line."""
        from rich.text import Text

        run = self._run
        run.take(event)
        self._progress.update(
            self._task,
            description=one_line(run.phase),
            completed=run.share,
            what=one_line(run.what),
            count=run.count,
            rate=run.rate,
            left=f"{run.left} left",
        )
        if isinstance(event, Explained):
            self._progress.console.print(one_line(event.text))
        elif isinstance(event, Decided):
            self._progress.console.print(one_line(run.decision))
        elif isinstance(event, TrialEnded):
            ended = Text(f"{one_line(run.ended)}:", style="dim")
            told = Text(f" {one_line(trial_line(event.trial, self._run.spec))}", style="not dim")
            self._progress.console.print(ended + told)

    def close(self) -> None:
        """Remove the line."""
        self._progress.stop()
