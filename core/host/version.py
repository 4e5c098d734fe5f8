"""Which Sluice this is, and which versions of other packages it has."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError
from importlib.metadata import distribution as installed
from pathlib import Path

from core.host.folders import resources_folder

COMMIT = "commit.txt"
"""Where a packaged Sluice keeps the commit it was built from, among the resources."""


UNKNOWN = "unknown"


def sluice_version() -> str:
    """The installed version; `unknown` where the source is run without being installed."""
    return version_of("sluice")


def version_of(distribution: str) -> str:
    """The installed version; `unknown` without the package, or where its metadata is unreadable."""
    try:
        found = installed(distribution).metadata.get("Version")  # None where it is not readable
    except (PackageNotFoundError, OSError):
        found = None
    return found or UNKNOWN


def sluice_build() -> str:
    """Version, commit and platform: `1.0.0 (commit 1a2b3c4d5e6f, Linux x86_64)`."""
    commit = sluice_commit(resources_folder())
    told = [f"commit {commit}"] if commit else []
    told.append(f"{platform.system()} {platform.machine()}")
    return f"{sluice_version()} ({', '.join(told)})"


def sluice_commit(resources: Path) -> str:
    """The short commit that was packaged or is checked out there; empty where it is not known."""
    try:
        return (resources / COMMIT).read_text("utf-8").strip()
    except FileNotFoundError:
        return _checked_out(resources.parent)


def _checked_out(checkout: Path) -> str:
    """With `-dirty` behind it where files differ from it."""
    from core.host.processes.followed import run_program
    from core.host.processes.supervisor import Program

    if not (checkout / ".git").exists():
        return ""
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        said = run_program(Program(arguments=[*command, "--exclude=*"]))
    except OSError:  # no git
        return ""
    return said.output.strip()
