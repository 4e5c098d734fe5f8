"""What is told of Sluice itself: its parts by others with their licences, and a bug in it."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import cast, override

from core.host.folders import home_folder, resources_folder
from core.host.program import sluice_build, sluice_version
from core.language.sanitise import remembered, safe
from core.language.translation import one_line

_SECRET_NAME = re.compile("key|token|secret|passw|credential|auth", re.IGNORECASE)
_SHORTEST_SECRET = 6


def crash_report(trace: str, environment: Mapping[str, str]) -> str:
    """Versions and the trace; secrets and the user's own folder are left out."""
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
        told = f"{self.name} {self.version}"
        return f"{told}: {self.licence}" if self.licence else told


def about_sluice() -> tuple[str, tuple[Component, ...]]:
    """Version, commit and platform of Sluice, and its parts by others."""
    return sluice_build(), components()


def components() -> tuple[Component, ...]:
    """All distributions that are here, by name, then the font and the system's libraries within."""
    own = {
        component.name.lower(): component
        for component in map(component_of, metadata.distributions())
        if component.name != "sluice"
    }
    libraries = sorted((resources_folder().parent / LICENCES).glob("*.txt"))
    fonts = (resources_folder() / "fonts").glob("*.txt")
    return (*(own[name] for name in sorted(own)), *map(_library, (*fonts, *libraries)))


def component_of(distribution: metadata.Distribution) -> Component:
    said = cast(Message, distribution.metadata)
    named = said.get("License", "")
    return Component(
        name=said.get("Name", "unknown"),
        version=said.get("Version", ""),
        licence=said.get("License-Expression", "")
        or _short(named)
        or _classified(said.get_all("Classifier", []))
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
