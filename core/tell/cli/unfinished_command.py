"""`resume` and `watch`: a run that was interrupted, and one that goes on elsewhere."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import click

from core.judge import study_of
from core.language import (
    NotTrusted,
    RunAbandoned,
    Seconds,
    SessionError,
    Unavailable,
    UsageError,
    command_text,
    tr,
)
from core.measure import WatchOthers
from core.run import (
    Run,
    RunProgress,
    Session,
    WouldRun,
    agree,
    being_measured,
    cluster_of,
    data_changes,
    is_trusted,
    rest_of_run,
)
from core.tell.cli.flags import settings_of, whole
from core.tell.cli.session_command import SESSION, find_session, require_agreement, yes_option
from core.tell.cli.terminal import agrees, reader_left, say_on_stderr
from core.tell.cli.terminal_results import print_results, print_study, show_advice
from core.tell.cli.terminal_run import (
    WAIT,
    agree_to_requests,
    exit_code,
    face,
    heed_others,
    measure_into,
)
from core.vocabulary import Event, RunEnded, RunPlanned, TrialEnded, TrialStarted


@click.command(
    "resume",
    help=f"Continue an interrupted run. What it measured is kept.\n\n{SESSION}"
    " A run that began elsewhere is shown in full first. It starts only if you agree.",
    epilog="\b\nExit codes are those of the command that began it. 2 if nobody agrees to what would run.\n\n"
    "\b\nExamples:\n  python -m core resume last\n  python -m core resume night.sluice --run 2\n"
    "  python -m core --path . resume last\n  python -m core resume last --wait-quiet 5min\n  python -m core resume from-a-friend.sluice --yes",
)
@click.argument("session")
@click.option(
    "--run",
    "number",
    type=whole("run", low=1),
    metavar="N",
    help="The run of this number.  [default: the last]",
)
@yes_option
@click.option("--json", is_flag=True, help="Print every event as a line of JSON.")
@click.option(WAIT.flag, default=WAIT.default, **settings_of(WAIT))
def resume(
    session: str, number: int | None, *, yes: bool | None, json: bool, wait_quiet: Seconds
) -> int:
    with closing(Session.open(find_session(session))) as opened:
        run = _chosen(opened, number)
        _agree(run, yes=bool(yes))
        others = WatchOthers()
        remainder = rest_of_run(opened, run.id)
        agree_to_requests(remainder.task, yes=bool(yes))
        with closing(remainder.own_session()) as own:
            if not cluster_of(run.command):
                heed_others(others, wait_quiet)
            done = measure_into(own, remainder.task, lambda: run.id, json=json)
    if not json:
        print_results(done.results, verdict=not done.interrupted_by)
        done.say_where()
    study = None if json else study_of(run.plan.study, run.environment.usable_cores)
    if study is not None and done.results:
        print_study(study, done.results)
    done.leave_if_interrupted()
    if not json and study is None:
        show_advice(done.results, run.plan.terms, json=False)
    return exit_code(done.results, need_all=len(run.plan.specs) == 1)


def _chosen(session: Session, number: int | None) -> Run:
    """The run that is to go on; raises UsageError for one that cannot."""
    runs = session.runs()
    if not runs:
        raise SessionError(f"{session.path.name} holds no run yet")
    run = runs[-1] if number is None else session.run(number)
    if run.plan.adaptive:
        raise UsageError(
            f"run {run.id} is a search and cannot be resumed: each step depends on all before it",
            "start it again, into the same session with --session",
        )
    if not session.remaining(run.id):
        raise UsageError(f"run {run.id} has nothing left to measure", "`show` prints its results")
    return run


def _agree(run: Run, *, yes: bool) -> None:
    """Ask about a run from elsewhere, and say how the data has changed.

    The data is looked at after the question: it may be huge, or on a server that is gone.  Raises
    NotTrusted, DatasetError.
    """
    trusted = is_trusted(run)
    if not trusted:
        require_agreement(WouldRun.of_run(run), yes=yes)
    changes = data_changes(run.plan.specs)
    for change in changes:
        say_on_stderr(f"look out: {change}")
    if changes and not (trusted or yes or agrees("Run it anyway?")):
        raise NotTrusted("nothing was run: the data has changed", "restore the data, or add --yes")
    if not trusted:
        agree(run)


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
    elsewhere = _ELSEWHERE.fullmatch(session)
    if elsewhere is not None and "/" not in elsewhere["host"]:
        return _watch_elsewhere(elsewhere["host"], elsewhere["session"], remote, every, json=json)
    return _watch_here(session, every, json=json)


def _watch_here(session: str, every: int, *, json: bool) -> int:
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
        with Session.read(path) as opened:
            print_results(opened.results(run.id))
    return 1 if watch.over is not None and watch.over.cancelled else 0


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


def last_run(path: Path) -> Run:
    """The run of a session that is measured, or was last; raises SessionError."""
    with Session.read(path) as session:
        runs = session.runs()
    if not runs:
        raise SessionError(
            tr("{name} holds no run yet", name=path.name), tr("try again in a moment")
        )
    return runs[-1]


def watched(
    path: Path, number: int, every: Seconds, wait: Callable[[Seconds], object] = time.sleep
) -> Iterator[Event]:
    """The events of a run until it ends, beginning with the trials that it has by now.

    Looks at the session every so many seconds.  Raises SessionError where the session cannot be
    read, and RunAbandoned once nobody measures a run that has not ended.
    """
    sent: set[tuple[int, float]] = set()
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
            if (key := (trial.index, trial.started)) not in sent:
                sent.add(key)
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
