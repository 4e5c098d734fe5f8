"""What servers in Java consist of, as locked in `resources/lab` by packaging/lock_servers.py."""

from __future__ import annotations

import msgspec

from core.host.folders import resources_folder
from core.lab.recipe import Artefact

_LAB = resources_folder() / "lab"


class Jar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One jar of Maven Central."""

    coordinates: str
    """`GROUP:ARTIFACT:VERSION[:CLASSIFIER]`."""
    sha256: str
    bytes: int

    @property
    def file(self) -> str:
        """What it is called there: `ARTIFACT-VERSION[-CLASSIFIER].jar`."""
        _, *rest = self.coordinates.split(":")
        return f"{'-'.join(rest)}.jar"


class Lock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a server is resolved from, and to."""

    roots: tuple[str, ...]
    """Coordinates of what is wanted; Maven finds what it needs."""
    left_out: dict[str, str] = {}
    """`GROUP:ARTIFACT` that is not needed on a loopback server: and why."""
    jars: tuple[Jar, ...] = ()


def read_lock(server: str) -> Lock:
    """The lock of a server."""
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
