"""`watch`: a run that goes on elsewhere, as its session tells it."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import click

from core.cli.flags import whole
from core.cli.session_lookup import find_session
from core.errors import Unavailable, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from core.session import Run

_ELSEWHERE = re.compile(r"(?P<host>[\w.@-]+):(?P<session>.+)")
"""As scp writes it."""


@click.command(
    "watch",
    help="Follow a run of another process or machine.\n\nSESSION is a path, or last,"
    " last~1, … for the newest in your sessions folder. HOST:SESSION is one on another machine:"
    " its own Sluice is asked over ssh.",
    epilog="\b\nExit code 0 once the run has ended, 1 if it was killed or cancelled. Ctrl+C ends only"
    " the watching.\n\n\b\nExamples:\n  python -m core watch last\n"
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
    from core.execution.watched import last_run, watched

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
    from core.session import Session

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
