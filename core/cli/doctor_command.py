"""`doctor` checks this machine, what is missing and how to get it; `selfcheck` Sluice itself."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from core.catalog import registry
from core.catalog.declarations import declared
from core.catalog.parameters import Choice, Driver
from core.cli.terminal import print_json, reported_on_terminal, say, say_columns
from core.errors import Unavailable
from core.host.program import UNKNOWN

if TYPE_CHECKING:
    from core.selfcheck.cost import CheckReport


class DoctorRemark(msgspec.Struct, frozen=True):
    """One thing that `doctor` checked."""

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
@click.option("--json", is_flag=True, help="Print as JSON.")
def doctor(json: bool) -> int:
    """Print all findings."""
    findings = [*_drivers(), *_folders(), *_page_cache(), *_limits()]
    if json:
        print_json(findings)
    else:
        for one in findings:
            mark, colour = ("ok  ", "green") if one.good else ("look", "yellow")
            remedy = f"  → {one.remedy}" if one.remedy else ""
            say_columns(mark, f"  {one.subject:<24} {one.found}{remedy}", colour=colour)
    needed = ("folder", "pysam")
    return 1 if any(not one.good and one.subject.startswith(needed) for one in findings) else 0


def _drivers() -> Iterator[DoctorRemark]:
    seen: set[str] = set()
    for entry in registry.workloads().values():
        for driver in (*entry.drivers, *_option_drivers(entry)):
            if driver.title in seen:
                continue
            seen.add(driver.title)
            found = driver.version
            if found == UNKNOWN and not driver.installed:
                found = "not installed"
            remedy = "" if driver.installed else f"install: {driver.install}"
            yield DoctorRemark(driver.title, driver.installed, f"{found} ({entry.name})", remedy)


def _option_drivers(entry: registry.Entry) -> Iterator[Driver]:
    try:
        workload = entry.workload()
    except Unavailable:
        return
    for kind in declared(workload.parameters):
        if isinstance(kind, Choice):
            yield from (option.driver for option in kind.options.values() if option.driver)


def _folders() -> Iterator[DoctorRemark]:
    from core.host.folders import cache_folder, make_private, sessions_folder, state_folder

    for name, where in (
        ("folder for data", cache_folder),
        ("folder for sessions", sessions_folder),
        ("folder for state", state_folder),
    ):
        try:
            folder = where()
        except Unavailable as error:
            yield DoctorRemark(name, False, error.cause, error.remedy)
            continue
        try:
            make_private(folder)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            yield DoctorRemark(
                name,
                False,
                f"{folder}: {error.strerror}",
                "set SLUICE_CACHE, SLUICE_SESSIONS or SLUICE_STATE",
            )
        else:
            yield DoctorRemark(name, True, str(folder))


def _page_cache() -> Iterator[DoctorRemark]:
    from core.host.folders import cache_folder, unusable
    from core.host.page_cache import evict, is_proven_cold

    folder = None  # the system's own for temporary files
    with suppress(Unavailable):
        folder = cache_folder()
    try:
        with tempfile.TemporaryDirectory(
            dir=folder if folder and folder.exists() else None
        ) as there:
            probe = Path(there, "probe")
            probe.write_bytes(bytes(2**20))
            after = evict([probe]).after
    except OSError as error:
        told = unusable(error)
        yield DoctorRemark("cold page cache", False, told.cause, told.remedy)
        return
    cold = is_proven_cold(after)
    yield DoctorRemark(
        "cold page cache",
        cold,
        "files can be evicted and proven cold" if cold else "cold runs cannot be proven here",
        "" if cold else "use a file system that is not in memory; macOS has no per-file eviction",
    )


def _limits() -> Iterator[DoctorRemark]:
    from core.host.environment import describe_environment, describe_limits, warnings
    from core.host.other_programs import WatchOthers

    watched = WatchOthers()
    environment, limits = describe_environment(), describe_limits()
    yield DoctorRemark(
        "machine", True, f"{environment.cpu_model}, {environment.usable_cores} usable cores"
    )
    for warning in warnings(limits, environment):
        yield DoctorRemark("limit", False, warning.text, warning.remedy)
    seen = watched.seen()
    if seen is not None and seen.busy:
        yield DoctorRemark(
            "other programs", False, seen.sentence, seen.who and f"look at {seen.who}"
        )


@click.command(
    "selfcheck",
    epilog="\b\nExamples:\n  python -m core selfcheck\n  python -m core selfcheck truth --json",
)
@click.argument("what", type=click.Choice(["speed", "truth"]), default="speed")
@click.option("--json", is_flag=True, help="Print as JSON.")
def selfcheck(what: str, json: bool) -> int:
    """Measure Sluice itself. Exit code 1 if a goal is missed.

    speed, the default, takes 3 minutes. It measures the cost of the loop and of sampling, and does
    all of truth.  truth takes 1 to 2 minutes. It compares the throughput of trials with a plain
    loop and with fio, where fio is installed: on one thread, all cores and eight times as many.
    """
    from core.selfcheck.truth import check_speed, check_truth

    with reported_on_terminal(quiet=json) as report:
        checks = check_truth(report) if what == "truth" else check_speed(report)
    return show(checks, json=json)


def show(checks: CheckReport, *, json: bool) -> int:
    """Print the checks; returns the exit code."""
    if json:
        told = {"passed": checks.passed, "verdict": checks.verdict}
        print_json(msgspec.to_builtins(checks) | told)
    else:
        from core.cli.terminal_tables import print_rows

        rows = [(row.goal, row.measured, "yes" if row.passed else "no") for row in checks.rows]
        print_rows(("goal", "measured", "passed"), rows)
        say(f"{checks.title}: {checks.verdict}")
    return 0 if checks.passed else 1
