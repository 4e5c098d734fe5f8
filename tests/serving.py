"""Runs the server of a recipe, as the lab's keeper does, below a folder of the test's own."""

from __future__ import annotations

import random
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from socketserver import BaseServer

import psutil
from marking import arguments_of
from patience import PATIENCE
from quick_servers import quick

from core.lab.recipe import Kit, Recipe, Server, Site
from core.lab.server_processes import RunningCommand, serves
from core.lab.server_table import free_ports
from core.measure import Supervisor

_BETWEEN_QUESTIONS = 0.1  # seconds
ODD = "a site's “folder”"
PLAIN = ("accumulo", "hdfs")
"""The servers that refuse a folder with such a name."""


@dataclass
class Running:
    """A server that serves, and its processes."""

    kit: Kit
    site: Site
    server: Server
    logs: Path
    commands: list[RunningCommand] = field(default_factory=list)

    def family(self) -> list[psutil.Process]:
        """All its processes and all that these have started, but for what has just ended."""
        started = [psutil.Process(one.process.pid) for one in self.commands]
        found = [*started, *(child for one in started for child in one.children(recursive=True))]
        return [one for one in found if _lives(one)]

    def arguments(self) -> list[str]:
        """Of all its processes."""
        return [word for process in self.family() for word in arguments_of(process)]

    def listening(self) -> list[tuple[str, int]]:
        """The addresses and ports on which its processes listen."""
        found: list[tuple[str, int]] = []
        for process in self.family():
            with suppress(psutil.NoSuchProcess):
                connections = process.net_connections("inet")
                found += [one.laddr for one in connections if one.status == psutil.CONN_LISTEN]
        return found

    def said(self) -> str:
        """What is in its logs: of its commands, and of what they have started."""
        logs = sorted(path for path in self.logs.glob("*") if path.is_file())
        return "\n".join(f"{log.name}:\n{log.read_text('utf-8', 'replace')}" for log in logs)

    def stop(self) -> None:
        """Ask all commands to end, the last one first, and wait for it."""
        for one in reversed(self.commands):
            close_stdin(one)
            if self.server.stop == "terminate":
                one.process.signal(signal.SIGTERM)
            assert one.process.wait(self.server.grace + PATIENCE), self.said()


@contextmanager
def running(recipe: Recipe, kit: Kit, folder: Path) -> Iterator[Running]:
    """The recipe's server with its site in `folder / "site"`, once it is ready.

    It ends with this process, whatever ends that.
    """
    site = _site(recipe, folder / "site")
    server = quick(recipe).start(kit, site)
    found = Running(kit, site, server, folder)
    try:
        with Supervisor() as supervisor:
            for command in server.commands:
                log = folder / f"{command.name}.log"
                found.commands.append(RunningCommand.start(command, log, site.folder, supervisor))
            _wait_until_ready(found)
            yield found
    finally:
        for one in found.commands:
            close_stdin(one)
        shutil.rmtree(site.folder, ignore_errors=True)


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _site(recipe: Recipe, folder: Path) -> Site:
    folder.mkdir(mode=0o700, parents=True)
    return Site(
        folder=folder,
        logs=folder.parent,
        ports=free_ports(recipe.ports),
        secrets={name: random.Random(name).randbytes(16).hex() for name in recipe.secrets},
    )


def close_stdin(command: RunningCommand) -> None:
    assert command.process.popen.stdin is not None
    command.process.popen.stdin.close()


def _wait_until_ready(found: Running) -> None:
    until = time.monotonic() + 4 * PATIENCE  # a minute on two cores with much else to do
    while not serves(found.server):
        ended = [one.ending for one in found.commands if one.ending]
        assert not ended, f"ended: {ended}\n{found.said()}"
        assert time.monotonic() < until, f"not ready\n{found.said()}"
        threading.Event().wait(_BETWEEN_QUESTIONS)


@contextmanager
def serving[S: BaseServer](server: S) -> Iterator[S]:
    """A server of the test's own, which serves on a thread until the end of the block."""
    with server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
