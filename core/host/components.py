"""What Sluice consists of: the distributions it was put together from, and their licences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import cast, override

from core.host.folders import resources_folder
from core.host.program import sluice_build

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
    """What a distribution says of itself."""
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
