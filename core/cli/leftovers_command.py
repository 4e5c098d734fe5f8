"""`leftovers`: what killed runs left on servers and on this machine, and how to remove it."""

from __future__ import annotations

import time

import click
import msgspec

from core.catalog.dataset import location_of
from core.cli.terminal import print_json, reported_on_terminal, say
from core.errors import UnknownName
from core.host.disk_use import AbandonedRun, abandoned_runs, remove_abandoned_runs
from core.language.units import show_seconds
from core.trial.cancel import cancelled_by_signal
from core.trial.leftovers import Leftover, claimed
from core.trial.leftovers import leftovers as found_leftovers

_STALL = 300.0
"""Seconds without a word after which removing is given up."""


class Removed(msgspec.Struct, frozen=True, kw_only=True):
    """What came of removing one leftover from a server."""

    leftover: Leftover
    removed: int
    why: str
    """Why it is still there; empty where it is gone."""


@click.command(
    "leftovers",
    help="List what killed runs left on servers and on this machine, or remove it.",
    epilog="A trial removes what it writes. Something stays only if Sluice was killed, or a server could not be reached.\n\n\b\nExamples:\n  python -m core leftovers\n"
    "  python -m core leftovers --remove\n  python -m core leftovers --forget MARK",
)
@click.option("--remove", is_flag=True, help="Remove all of it.")
@click.option(
    "--forget",
    metavar="MARK",
    multiple=True,
    help="Drop this one from the list without removing it, because its server is gone for good. Can be given several times.",
)
@click.option("--json", is_flag=True, help="Print as JSON.")
def leftovers(remove: bool, forget: tuple[str, ...], json: bool) -> int:
    """List them, or remove them; exit code 1 where something could not be removed."""
    if remove and forget:
        raise click.UsageError("--remove removes all of them: leave --forget out")
    if forget:
        _forget(forget)
    elif remove:
        return _remove(json=json)
    on_servers, here = found_leftovers(), abandoned_runs()
    if json:
        print_json({"on_servers": on_servers, "on_this_machine": here}, location_of)
        return 0
    for one in on_servers:
        say(_told(one))
    for run in here:
        say(_told_here(run))
    say("remove them with --remove" if on_servers or here else "nothing is left")
    return 0


def _forget(marks: tuple[str, ...]) -> None:
    """Take them off the list, all or none."""
    known = tuple(one.mark for one in found_leftovers())
    for mark in marks:
        if mark not in known:
            raise UnknownName("leftover", mark, known)
    for mark in marks:
        with claimed(mark) as removal:
            removal.done = removal.mine


def _remove(*, json: bool) -> int:
    from core.trial.helper_process import remove_leftovers
    from core.trial.messages import PhaseProgress

    here = abandoned_runs()
    remove_abandoned_runs()
    done: list[Removed] = []
    with cancelled_by_signal() as asked, reported_on_terminal(quiet=json) as report:
        for one in remove_leftovers(asked.cancel, stall=_STALL):
            if isinstance(one, PhaseProgress):
                report(one.detail or one.phase, one.done, one.total, one.unit)
            else:
                done.append(Removed(leftover=one.leftover, removed=one.count, why=one.why))
    if json:
        removed = [{"run": run, "removed": not run.folder.exists()} for run in here]
        print_json({"on_servers": done, "on_this_machine": removed}, location_of)
    else:
        for each in done:
            result = f"still there, {each.why}" if each.why else f"{each.removed:,} removed"
            say(f"{_told(each.leftover)}: {result}")
        for run in here:
            still = "still there" if run.folder.exists() else "removed"
            say(f"{_told_here(run)}: {still}")
        if not done and not here:
            say("nothing is left")
    if asked.by:
        return asked.code
    left = any(each.why for each in done) or any(run.folder.exists() for run in here)
    return 1 if left else 0


def _told(one: Leftover) -> str:
    ago = show_seconds(max(time.time() - one.started, 0.0))
    where = f" in {one.address}" if one.address else ""
    return f"{one.mark}: {one.workload}{where}, {ago} ago"


def _told_here(run: AbandonedRun) -> str:
    running = f", and still runs: {', '.join(run.programs)}" if run.programs else ""
    return f"{run.folder}: files of a program whose run was killed{running}"
