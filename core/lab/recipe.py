"""Recipes for throw-away servers, and the kit and the site with which they start one.

A recipe is data and three functions.  `prepare` builds what was fetched into something that runs,
once on a machine.  `start` writes the configuration of one server below its site and returns its
commands; the keeper runs them, asks `ready` until it says yes, and ends them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Literal
from urllib.request import ProxyHandler, build_opener

from core.language import ReportProgress, Seconds
from core.vocabulary import Value

_PATIENCE: Seconds = 5.0  # for one answer
DEADLINE: Seconds = 120.0
"""Within which a server must serve, unless the user says otherwise."""


@dataclass(frozen=True, kw_only=True)
class Artefact:
    """One file to fetch, pinned by its size and its digest."""

    name: str
    """Where it is put below the kit's folder, such as `lib/cassandra-all-5.0.9.jar`."""
    url: str
    """`maven:GROUP:ARTIFACT:VERSION[:CLASSIFIER]` for a jar, `pypi:NAME==VERSION/FILE` for a wheel,
    each from the source of this machine's own client of that registry; or `https://…`."""
    sha256: str
    """In lower case."""
    bytes: int
    machine: str = ""
    """`SYSTEM-PROCESSOR` as in `machine_of`, such as `linux-x86_64`; empty = for all."""


@dataclass(frozen=True, kw_only=True)
class Kit:
    """What was fetched and built for one recipe; shared by all its servers, and kept."""

    folder: Path
    """Another one for each set of artefacts, so that versions never mix."""
    report: ReportProgress
    java_program: Path | None = None
    go_program: Path | None = None

    def jars(self, name: str) -> list[Path]:
        """All jars in the folder of that name, in order; raises FileNotFoundError for none."""
        jars = sorted((self.folder / name).glob("*.jar"))
        if not jars:
            raise FileNotFoundError(2, "No jars", str(self.folder / name))
        return jars

    def java(self) -> Path:
        """The program `java` of a JDK 17 or 21; the recipe has said `java=True`."""
        assert self.java_program is not None, "the recipe did not ask for Java"
        return self.java_program

    def go(self) -> Path:
        """The program `go`, recent enough; the recipe has said `go=True`."""
        assert self.go_program is not None, "the recipe did not ask for Go"
        return self.go_program


@dataclass(frozen=True, kw_only=True)
class Site:
    """What one server is given: a place, ports, secrets and what the user chose."""

    folder: Path
    """Its throw-away data; empty, of mode 0700, removed at the end."""
    logs: Path
    """Where the logs of its commands are, and where a process that a command starts may leave its
    own: they stay when the server is stopped."""
    ports: Mapping[str, int]
    """Free ports of 127.0.0.1, by the names in the recipe."""
    secrets: Mapping[str, str]
    """Random, by the names in the recipe.  They go into the environment of a command or into a
    file of mode 0600, never into its arguments."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """The values of the recipe's parameters."""
    others: Mapping[str, Server] = field(default_factory=dict)
    """The servers of the lab that are ready, by name."""

    def write_secret(self, name: str, text: str) -> Path:
        """A new file in the folder that only its owner can read."""
        path = self.folder / name
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            file.write(text)
        return path


@dataclass(frozen=True, kw_only=True)
class ServerCommand:
    name: str
    """Its log is called so."""
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to the environment of the keeper."""
    cwd: Path | None = None
    """The site's folder, if None."""


@dataclass(frozen=True, kw_only=True)
class Server:
    commands: tuple[ServerCommand, ...]
    """Started in this order, and stopped in the opposite one."""
    ready: Callable[[], bool]
    """Whether a real request succeeds.  It answers within some seconds; an OSError is a no."""
    address: str
    """What a workload's `address` is set to; without credentials."""
    secrets: Mapping[str, str] = field(default_factory=dict)
    """What a client needs, by name: `lab:SERVER/NAME` refers to it."""
    stop: Literal["terminate", "close stdin"] = "terminate"
    """What is tried before SIGTERM; commands have an open pipe as stdin."""
    grace: Seconds = 10.0
    """That it may take to stop, before its process group is killed."""
    status: Callable[[], Mapping[str, int | float | str]] | None = None
    """What it has counted so far."""


def local_answer(port: int, path: str = "/") -> bytes:
    """The body of the answer of a server on this machine to a GET; raises OSError."""
    # The environment may name a proxy, which knows nothing of this machine.
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(f"http://127.0.0.1:{port}{path}", timeout=_PATIENCE) as answer:
            body: bytes = answer.read()
    except HTTPException as error:
        raise ConnectionError(str(error)) from None
    return body


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A kind of server: its artefacts, how it is built, how it is started."""

    name: str
    title: str
    start: Callable[[Kit, Site], Server]
    artefacts: tuple[Artefact, ...] = ()
    edition: str = ""
    """Another text when `prepare` makes something else of the same artefacts."""
    prepare: Callable[[Kit], None] = lambda kit: None
    """Idempotent; returns at once when all is there, and leaves nothing half done."""
    prepare_bytes: int = 0
    """About what `prepare` fetches by itself, besides the artefacts."""
    ports: tuple[str, ...] = ("main",)
    secrets: tuple[str, ...] = ()
    java: bool = False
    """It needs a JDK 17 or 21: the system's, or one that is fetched."""
    go: bool = False
    """It is built with Go: the system's, or one that is fetched."""
    turn: int = 0
    """It uses others of the lab, and so starts when all of earlier turns are ready."""
    parameters: type | None = None
    """What the user may choose, declared as a workload's parameters are."""
