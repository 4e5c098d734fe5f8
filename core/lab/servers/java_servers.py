"""Shared by servers in Java: their locked jars (`resources/lab`), and their commands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from core.lab.recipe import Artefact, Kit, Site
from core.language import SluiceError, storable, tr
from core.measure import resources_folder

_LAB = resources_folder() / "lab"


class Jar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    coordinates: str
    """`GROUP:ARTIFACT:VERSION[:CLASSIFIER]`."""
    sha256: str
    bytes: int

    @property
    def file(self) -> str:
        """What it is called there: `ARTIFACT-VERSION[-CLASSIFIER].jar`."""
        return f"{'-'.join(self.coordinates.split(':')[1:])}.jar"


class Lock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The roots of a server's dependencies, and all jars that they need."""

    roots: tuple[str, ...]
    """Coordinates of the server's own jars; Maven finds those that they need."""
    left_out: dict[str, str] = {}
    """`GROUP:ARTIFACT` that is not needed on a loopback server: and why."""
    jars: tuple[Jar, ...] = ()


def read_lock(server: str) -> Lock:
    return msgspec.json.decode((_LAB / f"{server}.json").read_bytes(), type=Lock)


def locked_jars(server: str) -> tuple[Artefact, ...]:
    """The server's jars, all in the folder `lib` of its kit."""
    return tuple(
        Artefact(
            name=f"lib/{jar.file}",
            url=f"maven:{jar.coordinates}",
            sha256=jar.sha256,
            bytes=jar.bytes,
        )
        for jar in read_lock(server).jars
    )


def jvm_options(site: Site, *, heap: str) -> tuple[str, ...]:
    """Flags with which a server leaves nothing outside its site, and is small; `heap` as in -Xmx.

    Native libraries are unpacked into the temporary folder, and performance data would stay in
    the system's after a kill.
    """
    return (
        f"-Xmx{heap}",
        f"-Djava.io.tmpdir={temporary(site)}",
        "-Djava.net.preferIPv4Stack=true",
        "-XX:-UsePerfData",
    )


def require_plain_folder(site: Site) -> None:
    """Raise SluiceError for a site with characters that have a meaning in URLs or in a shell.

    Hadoop and Accumulo put the names of their folders into both, as they are.
    """
    if not re.fullmatch(r"[A-Za-z0-9/._+@-]+", str(site.folder)):
        raise SluiceError(
            tr("this server cannot keep its data in {folder}", folder=storable(str(site.folder))),
            tr("name a folder without spaces and signs: {setting}", setting="SLUICE_LAB=/tmp/lab"),
        )


def temporary(site: Site) -> Path:
    """The site's own temporary folder, created."""
    folder = site.folder / "tmp"
    folder.mkdir(exist_ok=True)
    return folder


def class_path(kit: Kit, *first: Path) -> Mapping[str, str]:
    """The environment that has the kit's jars and, before them, these folders as class path.

    The list of a hundred jars would hide all else in the arguments.
    """
    places: Iterable[Path] = (*first, *kit.jars("lib"))
    return {**no_options_of_others(), "CLASSPATH": os.pathsep.join(map(str, places))}


def no_options_of_others() -> Mapping[str, str]:
    """The environment without flags that a user has set for other programs in Java."""
    return dict.fromkeys(("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"), "")
