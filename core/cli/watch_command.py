"""`watch`: a run that goes on elsewhere, as its session tells it."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from core.cli.flags import whole
from core.cli.session_lookup import SESSION, find_session
from core.errors import RunAbandoned, SessionError, Unavailable, UsageError
from core.execution.events import Event, RunEnded, RunPlanned
from core.execution.recording import being_measured
from core.host.program import command_text
from core.language.translation import tr
from core.language.units import Seconds
from core.session import Run, Session
from core.trial.trial_events import TrialEnded, TrialStarted

_ELSEWHERE = re.compile(r"(?P<host>[\w.@-]+):(?P<session>.+)")
"""As scp writes it."""


@click.command(
    "watch",
    help=f"Follow a run of another process or machine.\n\n{SESSION} HOST:SESSION is one on another machine:"
    " its own Sluice is asked over ssh.",
    epilog="\b\nExit code 0 once the run has ended, 1 if it was killed or cancelled. Ctrl+C stops"
    " watching; the run goes on.\n\n\b\nExamples:\n  python -m core watch last\n"
    "  python -m core watch cluster.example.org:last --remote ~/.local/bin/sluice\n"
    "  python -m core watch night.sluice --json",
)
@click.argument("session")
@click.option(
    "--every",
    type=whole("every", low=1),
    default=2,
    metavar="S",
    help="Seconds between two updates.",
)
@click.option(
    "--remote",
    default="sluice",
    metavar="COMMAND",
    help="How Sluice is called on the other machine.",
    show_default=True,
)
@click.option("--json", is_flag=True, help="Print every event as a line of JSON.")
def watch(session: str, every: int, remote: str, json: bool) -> int:
    """Show the run until it ends, and then its results."""
    found = _ELSEWHERE.fullmatch(session)
    if found is not None and "/" not in found["host"]:
        return _watch_elsewhere(found["host"], found["session"], remote, every, json=json)
    return _watch_here(session, every, json=json)


def _watch_here(session: str, every: int, *, json: bool) -> int:
    from core.cli.progress_output import face
    from core.cli.terminal import reader_left
    from core.execution.progress import RunProgress

    path = find_session(session)
    run = last_run(path)
    watch = RunProgress(since=max(time.time() - run.started, 0.0))
    with face(watch, json=json) as consumer:
        for event in watched(path, run.id, every):
            watch.take(event)
            consumer(event)
            if reader_left():
                break
    if not json:
        _print_results(path, run)
    return 1 if watch.over is not None and watch.over.cancelled else 0


def _print_results(path: Path, run: Run) -> None:
    from core.cli.terminal_tables import print_results

    with Session.read(path) as opened:
        print_results(opened.results(run.id))


def _watch_elsewhere(host: str, session: str, remote: str, every: int, *, json: bool) -> int:
    """Ask the other machine's own Sluice: only that knows whether the run is alive."""
    if host.startswith("-"):
        raise UsageError(f"{host} is no host")
    if shutil.which("ssh") is None:
        raise Unavailable("ssh is not installed", "install OpenSSH's client")
    # The other machine's shell reads one line; what is meant as one word stays one.
    words = [*shlex.split(remote), "watch", session, "--every", str(every)]
    line = shlex.join([*words, "--json"] if json else words)
    return subprocess.run(["ssh", host, "--", line], check=False).returncode


type Wait = Callable[[Seconds], object]


def last_run(path: Path) -> Run:
    """The run of a session that is measured, or was last; raises SessionError."""
    with Session.read(path) as session:
        runs = session.runs()
    if not runs:
        raise SessionError(
            tr("{name} holds no run yet", name=path.name), tr("try again in a moment")
        )
    return runs[-1]


def watched(path: Path, number: int, every: Seconds, wait: Wait = time.sleep) -> Iterator[Event]:
    """The events of a run until it ends, beginning with the trials that it has by now.

    Looks at the session every so many seconds.  Raises SessionError where the session cannot be
    read, and RunAbandoned once nobody measures a run that has not ended.
    """
    seen: set[tuple[int, float]] = set()
    planned = False
    while True:
        with Session.read(path) as session:
            # Asked in this order: a run that ends in between is found ended, and not abandoned.
            alive = being_measured(session, number)
            run = session.run(number)
            trials = session.trials(number)
        specs = {spec.digest: spec for spec in run.plan.specs}
        of = max(len(run.plan.slots()) if not run.plan.adaptive else 0, len(trials))
        if not planned:
            planned = True
            yield RunPlanned(plan=run.plan, trials=of, seconds=0.0)
        for trial in trials:
            # A trial that is measured again keeps its index.
            if (key := (trial.index, trial.started)) not in seen:
                seen.add(key)
                spec = specs[trial.spec_digest]
                yield TrialStarted(index=trial.index, block=trial.block, of=of, spec=spec)
                yield TrialEnded(trial=trial)
        if run.how is not None:
            yield RunEnded(trials=len(trials), of=of, cancelled=run.how == "cancelled")
            return
        if not alive:
            raise RunAbandoned(
                tr("run {number} has not ended, and nobody measures it", number=number),
                tr(
                    "it was killed; to go on with it: {command}",
                    command=command_text("resume", shlex.quote(str(path))),
                ),
            )
        wait(every)
