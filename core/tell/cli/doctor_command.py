"""`doctor`, `leftovers` and `selfcheck`: this machine, what killed runs left, Sluice itself."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from core.language import UNKNOWN, Unavailable, UnknownName, show_seconds, show_size
from core.measure import (
    AbandonedRun,
    Leftover,
    RemovedLeftover,
    WatchOthers,
    abandoned_runs,
    cache_folder,
    cancelled_by_signal,
    claimed,
    describe_environment,
    describe_limits,
    descriptors,
    disk_room,
    end_all,
    evict,
    group_memory,
    group_processes,
    make_private,
    memory_room,
    reason,
    remove_abandoned_runs,
    remove_leftovers,
    sessions_folder,
    state_folder,
    survivors,
    unusable,
    warnings,
)
from core.measure import leftovers as found_leftovers
from core.tell.cli.flags import json_option, whole
from core.tell.cli.terminal import print_json, reported_on_terminal, say, say_columns
from core.tell.cli.terminal_results import print_rows
from core.vocabulary import (
    Choice,
    Driver,
    PhaseProgress,
    declared,
    is_proven_cold,
    location_of,
    registry,
)

if TYPE_CHECKING:
    from core.selfcheck.cost import CheckReport


class DoctorRemark(msgspec.Struct, frozen=True):
    subject: str
    good: bool
    found: str
    remedy: str = ""


@click.command(
    "doctor",
    help="Check this machine: drivers, folders, page-cache control, and limits that will hurt.",
    epilog="\b\nExit code 1 if something keeps the default study from running.\n\n"
    "\b\nExample:\n  python -m core doctor",
)
@json_option
def doctor(json: bool) -> int:
    findings = [*_drivers(), *_folders(), *_page_cache(), *_room(), *_limits()]
    if json:
        print_json(findings)
    else:
        for one in findings:
            mark, colour = ("ok  ", "green") if one.good else ("look", "yellow")
            remedy = f"  → {one.remedy}" if one.remedy else ""
            say_columns(mark, f"  {one.subject:<24} {one.found}{remedy}", colour=colour)
    essential = ("folder", "pysam")
    return 1 if any(not one.good and one.subject.startswith(essential) for one in findings) else 0


def _drivers() -> Iterator[DoctorRemark]:
    titles: set[str] = set()
    for entry in registry.workloads().values():
        for driver in (*entry.drivers, *_option_drivers(entry)):
            if driver.title in titles:
                continue
            titles.add(driver.title)
            version = driver.version
            if version == UNKNOWN and not driver.installed:
                version = "not installed"
            remedy = "" if driver.installed else driver.remedy
            yield DoctorRemark(driver.title, driver.installed, f"{version} ({entry.name})", remedy)


def _option_drivers(entry: registry.Entry) -> Iterator[Driver]:
    try:
        workload = entry.workload()
    except Unavailable:
        return
    for kind in declared(workload.parameters):
        if isinstance(kind, Choice):
            yield from (option.driver for option in kind.options.values() if option.driver)


_OWN_FOLDERS = (
    ("data", "SLUICE_CACHE", cache_folder),
    ("sessions", "SLUICE_SESSIONS", sessions_folder),
    ("state", "SLUICE_STATE", state_folder),
)


def _folders() -> Iterator[DoctorRemark]:
    for name, _, where in _OWN_FOLDERS:
        subject = f"folder for {name}"
        try:
            folder = where()
        except Unavailable as error:
            yield DoctorRemark(subject, False, error.cause, error.remedy)
            continue
        try:
            make_private(folder)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            remedy = "set SLUICE_CACHE, SLUICE_SESSIONS or SLUICE_STATE"
            yield DoctorRemark(subject, False, f"{folder}: {reason(error)}", remedy)
        else:
            yield DoctorRemark(subject, True, str(folder))


_LITTLE_SPACE = 1 << 30
_FEW_FILES = 10_000


def _room() -> Iterator[DoctorRemark]:
    """What room there is: on disks, in memory, for open files and for processes."""
    temporary = ("temporary files", "TMPDIR", lambda: Path(tempfile.gettempdir()))
    for name, variable, where in (*_OWN_FOLDERS, temporary):
        with suppress(OSError, Unavailable):  # it was complained of, or nobody tells
            yield _room_on_disk(name, variable, where())
    group, machine = group_memory(), memory_room()
    room = machine if group is None else min(group, machine)
    available = f"{show_size(room.available)} of {show_size(room.whole)} available"
    whose = " to this control group" if room is group else ""
    yield DoctorRemark("room in memory", True, available + whose)
    if (used := descriptors()) is not None:
        yield DoctorRemark("room for open files", True, f"{used.limit:,} at once in each process")
    yield from _room_for_processes()


def _room_on_disk(name: str, variable: str, folder: Path) -> DoctorRemark:
    room = disk_room(folder)
    files = "" if room.files is None else f", more files: {room.files:,}"
    enough = room.free >= _LITTLE_SPACE and (room.files is None or room.files >= _FEW_FILES)
    return DoctorRemark(
        f"room for {name}",
        enough,
        f"{show_size(room.free)} of {show_size(room.whole)} free{files}, in {folder}",
        "" if enough else f"make room there, or set {variable} to a folder on a larger disk",
    )


def _room_for_processes() -> Iterator[DoctorRemark]:
    if (group := group_processes()) is not None:
        used, most = group
        text = f"more processes and threads in this control group: {most - used:,}"
        yield DoctorRemark("room for processes", True, text)
    if os.geteuid() and (user := describe_limits().processes_soft) is not None:
        text = f"processes and threads of this user: {user:,}"
        yield DoctorRemark("room for processes", True, text)


def _page_cache() -> Iterator[DoctorRemark]:
    folder = None  # the system's own for temporary files
    with suppress(Unavailable):
        folder = cache_folder()
    try:
        existing = folder if folder and folder.exists() else None
        with tempfile.TemporaryDirectory(dir=existing) as there:
            probe = Path(there, "probe")
            probe.write_bytes(bytes(2**20))
            after = evict([probe]).after
    except OSError as error:
        failure = unusable(error)
        yield DoctorRemark("cold page cache", False, failure.cause, failure.remedy)
        return
    if is_proven_cold(after):
        yield DoctorRemark("cold page cache", True, "files can be evicted and proven cold")
    else:
        remedy = "use a file system that is not in memory; macOS has no per-file eviction"
        yield DoctorRemark("cold page cache", False, "cold runs cannot be proven here", remedy)


def _limits() -> Iterator[DoctorRemark]:
    watch = WatchOthers()
    environment, limits = describe_environment(), describe_limits()
    machine = f"{environment.cpu_model}, {environment.usable_cores} usable cores"
    yield DoctorRemark("machine", True, machine)
    for warning in warnings(limits, environment):
        yield DoctorRemark("limit", False, warning.text, warning.remedy)
    others = watch.seen()
    if others is not None and others.busy:
        remedy = others.who and f"look at {others.who}"
        yield DoctorRemark("other programs", False, others.sentence, remedy)


@click.command(
    "selfcheck",
    epilog="\b\nExamples:\n  python -m core selfcheck\n  python -m core selfcheck truth --json",
)
@click.argument("what", type=click.Choice(["speed", "truth"]), default="speed")
@click.option(
    "--longer",
    type=whole("longer", low=1),
    default=2,
    show_default=True,
    metavar="N",
    help="Measure up to N times as long what cannot be told.",
)
@json_option
def selfcheck(what: str, longer: int, json: bool) -> int:
    """Measure Sluice itself. Exit code 1 if a goal is missed.

    speed, the default, takes 4 minutes. It measures the cost of the loop and of sampling, and does
    all of truth.  truth takes 3 minutes. It compares the throughput of trials with a plain
    loop and with fio, where fio is installed: on one thread, all cores and eight times as many.

    A goal is met or missed where the 95 % interval says so. Where it cannot be told, the last
    column says what would tell.
    """
    from core.selfcheck.truth import check_speed, check_truth

    with reported_on_terminal(quiet=json) as report:
        check = check_truth if what == "truth" else check_speed
        checks = check(report, longer=longer)
    return show(checks, json=json)


def show(checks: CheckReport, *, json: bool) -> int:
    """Print the checks; returns the exit code."""
    if json:
        summary = {"passed": checks.passed, "verdict": checks.verdict}
        rows = [msgspec.to_builtins(row) | {"passed": row.passed} for row in checks.rows]
        print_json({"title": checks.title, "rows": rows} | summary)
    else:
        cells = [
            (row.goal, row.measured, ": ".join(filter(None, (row.judgement, row.would_tell))))
            for row in checks.rows
        ]
        print_rows(("goal", "measured", "judgement"), cells)
        say(f"{checks.title}: {checks.verdict}")
    return 0 if checks.passed else 1


_STALL = 300.0
"""Seconds without a word after which removing is given up."""


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
@json_option
def leftovers(remove: bool, forget: tuple[str, ...], json: bool) -> int:
    """List them, or remove them; exit code 1 where something could not be removed."""
    if remove and forget:
        raise click.UsageError("--remove removes all of them: leave --forget out")
    if forget:
        _forget(forget)
    elif remove:
        return _remove(json=json)
    on_servers, here, running = found_leftovers(), abandoned_runs(), survivors()
    if json:
        places = {"on_servers": on_servers, "on_this_machine": here, "still_running": running}
        print_json(places, location_of)
        return 0
    for line in (*map(_text, on_servers), *map(_text_here, here), *map(str, running)):
        say(line)
    if on_servers or here:
        say("remove them with --remove")
    elif not running:
        say("nothing is left")
    return 0


def _forget(marks: tuple[str, ...]) -> None:
    """Take them off the list, all or none."""
    listed = tuple(one.mark for one in found_leftovers())
    for mark in marks:
        if mark not in listed:
            raise UnknownName("leftover", mark, listed)
    for mark in marks:
        with claimed(mark) as removal:
            removal.done = removal.mine


def _remove(*, json: bool) -> int:
    here = abandoned_runs()
    remains = remove_abandoned_runs()
    running = end_all(survivors)
    done: list[RemovedLeftover] = []
    with cancelled_by_signal() as stop, reported_on_terminal(quiet=json) as report:
        for one in remove_leftovers(stop.cancel, stall=_STALL):
            if isinstance(one, PhaseProgress):
                report(one.detail or one.phase, one.done, one.total, one.unit)
            else:
                done.append(one)
    if json:
        servers = [{"leftover": one.leftover, "removed": one.count, "why": one.why} for one in done]
        removed = [{"run": run, "removed": not run.folder.exists()} for run in here]
        stays = {"on_servers": servers, "on_this_machine": removed, "remains": remains}
        print_json(stays | {"still_running": running}, location_of)
    else:
        for each in done:
            result = f"still there, {each.why}" if each.why else f"{each.count:,} removed"
            say(f"{_text(each.leftover)}: {result}")
        for line in (*map(_text_removed, here), *map(str, (*remains, *running))):
            say(line)
        if not (done or here or running):
            say("nothing is left")
    if stop.by:
        return stop.code
    incomplete = any(each.why for each in done) or any(run.folder.exists() for run in here)
    return 1 if incomplete or running else 0


def _text(one: Leftover) -> str:
    ago = show_seconds(max(time.time() - one.started, 0.0))
    where = f" in {one.address}" if one.address else ""
    return f"{one.mark}: {one.workload}{where}, {ago} ago"


def _files(run: AbandonedRun) -> str:
    what = "files that programs have left" if run.of_programs else "data that is not finished"
    return f"{run.folder}: {what}"


def _text_removed(run: AbandonedRun) -> str:
    return f"{_files(run)}: {'still there' if run.folder.exists() else 'removed'}"


def _text_here(run: AbandonedRun) -> str:
    programs = f"; still running: {', '.join(run.programs)}" if run.programs else ""
    mounted = "".join(f"; something is mounted at {path}" for path in run.mounts)
    return f"{_files(run)}{programs}{mounted}"
