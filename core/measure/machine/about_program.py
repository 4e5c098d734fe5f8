"""This program: how it is called here, where its modules are, its version, parts by others, a bug.

Every child of a trial comes by this module, so what takes long to import is imported where it is
needed.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast, override

from core.language import sluice_version

if TYPE_CHECKING:
    from email.message import Message
    from importlib.metadata import Distribution


_COMMAND = "sluice"


def program_here() -> tuple[str, ...]:
    """What starts the command line of this very Sluice in any shell and from any folder.

    That is the packaged program; or the command where set-up has put it beside Python, or else
    Python itself, which must be told where the packages are if it would not find them elsewhere.
    """
    frozen = bool(getattr(sys, "frozen", False))
    command = Path(sys.executable) if frozen else Path(sys.executable).with_name(_COMMAND)
    if os.access(command, os.X_OK):
        from shutil import which  # which brings archives along

        path = which(_COMMAND)
        return (_COMMAND if path and Path(path).samefile(command) else str(command),)
    # Every child of a trial comes by this module, and would wait 20 ms for the import.
    from importlib.metadata import PackageNotFoundError, distribution

    python = (sys.executable, "-m", "core")
    root = Path(__file__).resolve().parents[3]
    with suppress(PackageNotFoundError):
        if Path(str(distribution(_COMMAND).locate_file("core"))).resolve() == root / "core":
            return python
    return ("env", f"PYTHONPATH={root}", *python)


def import_path() -> str:
    """Where this process finds modules; an empty entry means the current folder.

    What is not there is left out, such as the marks of editable installations, which Python adds
    by itself: each entry makes a search in vain longer, of which httpx makes some ninety for each
    file that the client of Synapse sends.
    """
    folders = (path or str(Path.cwd()) for path in sys.path)
    return os.pathsep.join(path for path in folders if Path(path).exists())


COMMIT = "commit.txt"
"""Where a packaged Sluice keeps the commit it was built from, among the resources."""


def sluice_build() -> str:
    import platform

    from core.measure.machine.folders import resources_folder

    commit = sluice_commit(resources_folder())
    details = [f"commit {commit}"] if commit else []
    details.append(f"{platform.system()} {platform.machine()}")
    return f"{sluice_version()} ({', '.join(details)})"


def sluice_commit(resources: Path) -> str:
    """The short commit that was packaged or is checked out there; empty if it is unknown."""
    try:
        return (resources / COMMIT).read_text("utf-8").strip()
    except FileNotFoundError:
        return _checked_out(resources.parent)


def _checked_out(checkout: Path) -> str:
    """With `-dirty` behind it where files differ from it."""
    from core.measure.machine.processes.followed_program import run_program
    from core.measure.machine.processes.supervisor import Program

    if not (checkout / ".git").exists():
        return ""
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        run = run_program(Program(arguments=[*command, "--exclude=*"]))
    except OSError:  # no git
        return ""
    return run.output.strip()


_SECRET_NAME = re.compile("key|token|secret|passw|credential|auth", re.IGNORECASE)
_SHORTEST_SECRET = 6


def crash_report(trace: str, environment: Mapping[str, str]) -> str:
    """Versions and the trace; secrets and the user's own folder are left out."""
    import platform

    from core.language import one_line, remembered, safe
    from core.measure.machine.folders import home_folder

    named = {
        value: name
        for name, value in environment.items()
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_SECRET
    }
    text = safe(trace, {**named, **remembered()})
    text = re.sub(r"(\w+://)[^/\s:@]+:[^/\s@]+@", r"\1<credentials>@", text)
    home = str(home_folder() or "")
    text = text.replace(home, "~") if len(home) > 1 else text
    about = (
        f"Sluice {sluice_version()}, Python {platform.python_version()}, {platform.platform()}\n"
    )
    return about + "\n".join(one_line(line) for line in text.splitlines())


LICENCES = "licences"
"""Where a packaged Sluice keeps the licences of what is no distribution, such as libraries in C."""
_CLASSIFIER = "License :: "
_LONGEST = 60  # characters; what is longer is the text of a licence and not its name


@dataclass(frozen=True, kw_only=True)
class Component:
    """One part of Sluice by others; `licence` is empty where it says none."""

    name: str
    version: str
    licence: str

    @override
    def __str__(self) -> str:
        named = f"{self.name} {self.version}"
        return f"{named}: {self.licence}" if self.licence else named


def about_sluice() -> tuple[str, tuple[Component, ...]]:
    """Version, commit and platform of Sluice, and its parts by others."""
    return sluice_build(), components()


def components() -> tuple[Component, ...]:
    """All distributions that are here, by name, then the font and the system's libraries within."""
    from importlib import metadata

    from core.measure.machine.folders import resources_folder

    own = {
        component.name.lower(): component
        for component in map(component_of, metadata.distributions())
        if component.name != "sluice"
    }
    libraries = sorted((resources_folder().parent / LICENCES).glob("*.txt"))
    fonts = (resources_folder() / "fonts").glob("*.txt")
    return (*(own[name] for name in sorted(own)), *map(_library, (*fonts, *libraries)))


def component_of(distribution: Distribution) -> Component:
    fields = cast("Message", distribution.metadata)
    named = fields.get("License", "")
    return Component(
        name=fields.get("Name", "unknown"),
        version=fields.get("Version", ""),
        licence=fields.get("License-Expression", "")
        or _short(named)
        or _classified(fields.get_all("Classifier", []))
        or _short(named.partition("\n")[0]),
    )


def _short(licence: str) -> str:
    licence = licence.strip()
    named = licence and "\n" not in licence and len(licence) <= _LONGEST and licence != "UNKNOWN"
    return licence if named else ""


def _classified(classifiers: Iterable[str]) -> str:
    named = (one.rpartition(" :: ")[2] for one in classifiers if one.startswith(_CLASSIFIER))
    return ", ".join(sorted(named))


def _library(text: Path) -> Component:
    """A library whose terms stand in a file named `NAME_VERSION.txt`."""
    name, _, version = text.stem.partition("_")
    return Component(name=name, version=version, licence=text.name)
