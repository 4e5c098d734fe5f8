"""Two faces of one event stream: JSON lines for programs, a progress line for people.

Progress goes to stderr, results to stdout, so that a pipe gets results only.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from typing import Protocol

import msgspec

from core.events import (
    Event,
    Explained,
    MomentTaken,
    PhaseChanged,
    RunEnded,
    RunPlanned,
    TrialEnded,
    TrialStarted,
)
from core.naming import told
from core.outcome import Completed, describe
from core.plan import RunSpec, differing
from core.result import Moment, Trial
from core.units import show_byte_rate, show_count, show_rate, show_seconds


class Face(Protocol):
    """Shows a run while it goes on."""

    def show(self, event: Event) -> None:
        """Take the next event."""

    def close(self) -> None:
        """Nothing more will come."""


class JsonLines:
    """Every event as one line of JSON on stdout."""

    def show(self, event: Event) -> None:
        """Write the event."""
        sys.stdout.buffer.write(msgspec.json.encode(event) + b"\n")
        sys.stdout.buffer.flush()

    def close(self) -> None:
        """Nothing is held back."""


def face(*, json: bool) -> Face:
    """The face that fits: JSON lines, a live line on a terminal, one line per trial elsewhere."""
    if json:
        return JsonLines()
    return Live() if sys.stderr.isatty() else Plain()


class _Run:
    """What both faces for people know of the run so far."""

    def __init__(self) -> None:
        self.of = 0
        self.done = 0
        self._varying: dict[str, tuple[str, ...]] = {}
        self.spec: RunSpec | None = None
        self.phase = ""
        self.moment: Moment | None = None
        self._seconds = 0.0
        self._started = time.monotonic()

    def take(self, event: Event) -> None:
        """Remember what the event says."""
        match event:
            case RunPlanned(plan=plan, trials=trials, seconds=seconds):
                self.of, self._seconds = trials, seconds
                self._varying = _varying(plan.specs)
            case Explained(expected=expected):
                self.of = expected
            case TrialStarted(spec=spec):
                self.spec, self.moment, self.phase = spec, None, "starting"
            case PhaseChanged(phase=phase, detail=detail, done=done, total=total, unit=unit):
                amount = f" {done:,}/{total:,} {unit}".rstrip() if total else ""
                self.phase = f"{phase}{': ' + detail if detail and detail != phase else ''}{amount}"
            case MomentTaken(moment=moment):
                self.moment = moment
            case TrialEnded():
                self.done += 1
            case RunEnded():
                self.phase = "done"

    @property
    def left(self) -> str:
        """Time that is still to go, from the time gone by or, at first, from the plan."""
        gone = time.monotonic() - self._started
        done = self.done + self.within
        left = gone / done * (self.of - done) if self.done else self._seconds - gone
        return show_seconds(max(1, math.ceil(left))).replace(".0 s", " s")

    @property
    def within(self) -> float:
        """Share of the current trial that is done."""
        if self.moment is None or self.spec is None or not self.spec.load.duration:
            return 0.0
        return min(1.0, self.moment.at / self.spec.load.duration) * 0.99

    @property
    def what(self) -> str:
        """What tells the current trial from the others: `threads 4 · cache lru`."""
        if self.spec is None:
            return ""
        return told(self.spec, self._varying.get(self.spec.workload, ()))

    @property
    def rate(self) -> str:
        """Throughput so far in this trial."""
        if self.moment is None or self.moment.at <= 0:
            return ""
        return show_rate(sum(self.moment.operations) / self.moment.at)


def _varying(specs: Sequence[RunSpec]) -> dict[str, tuple[str, ...]]:
    """By workload the parameters that tell its specs apart."""
    names = dict.fromkeys(spec.workload for spec in specs)
    several = len(names) > 1
    return {
        name: (
            *(("workload",) if several else ()),
            *differing([spec for spec in specs if spec.workload == name]),
        )
        for name in names
    }


class Plain:
    """One line per trial: for logs and pipes."""

    def __init__(self) -> None:
        self._run = _Run()

    def show(self, event: Event) -> None:
        """Write a line when a trial ends."""
        self._run.take(event)
        if isinstance(event, Explained):
            print(event.text, file=sys.stderr, flush=True)
        elif isinstance(event, TrialEnded):
            line = f"[{self._run.done}/{self._run.of}] {self._run.what}: {trial_line(event.trial)}"
            ahead = f"  ({self._run.left} left)" if self._run.done < self._run.of else ""
            print(line + ahead, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Nothing is held back."""


def trial_line(trial: Trial) -> str:
    """What came of one trial, in one line."""
    if not isinstance(trial.outcome, Completed):
        return describe(trial.outcome)
    if trial.throughput is None:
        return f"completed, but {trial.errors:,} failed and {trial.wrong:,} wrong operations"
    rate = show_rate(trial.throughput, trial.unit)
    return f"{rate}, {show_byte_rate(trial.byte_rate or 0)}, p99 {show_seconds(trial.latency(0.99) or 0)}"


class Live:
    """A progress line on a terminal: phase, parameters, rate, done, time left."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._run = _Run()
        self._progress = Progress(
            TextColumn("[bold]{task.description}"),
            TextColumn("{task.fields[what]}", style="cyan"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[count]}"),
            TextColumn("{task.fields[rate]}", style="green"),
            TextColumn("{task.fields[left]}", style="dim"),
            console=Console(stderr=True, highlight=False),
            transient=True,
            refresh_per_second=5,
        )
        self._task = self._progress.add_task(
            "starting", total=1.0, what="", count="", rate="", left=""
        )
        self._progress.start()

    def show(self, event: Event) -> None:
        """Bring the line up to date."""
        from rich.markup import escape

        run = self._run
        run.take(event)
        self._progress.update(
            self._task,
            description=escape(run.phase),
            total=max(run.of, 1),
            completed=run.done + run.within,
            what=escape(run.what),
            count=f"{show_count(run.done)}/{show_count(run.of)}",
            rate=run.rate,
            left=f"{run.left} left",
        )
        if isinstance(event, Explained):
            self._progress.console.print(escape(event.text))
        elif isinstance(event, TrialEnded):
            self._progress.console.print(
                f"[dim]{escape(run.what)}:[/] {escape(trial_line(event.trial))}"
            )

    def close(self) -> None:
        """Remove the line."""
        self._progress.stop()
