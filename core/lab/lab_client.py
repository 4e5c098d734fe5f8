"""The lab as programs use it: start, ask and stop servers in one folder."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from core.lab.keeper_messages import (
    ALREADY_KEPT,
    GREETING,
    Answer,
    AwaitedLines,
    KeeperRequest,
    NotStarted,
    Options,
    Running,
    Start,
    StatusRequest,
    Stop,
    Stopped,
    received_answers,
    send,
)
from core.lab.kits import kit_of
from core.lab.lab_folder import LabFolder, ServerState
from core.lab.recipe import DEADLINE
from core.lab.servers import recipe_of
from core.language import ReportProgress, Seconds, SluiceError, report_to_nobody, tr
from core.measure import LAB_KEEPER, import_path, lab_folder

_KEEPER: Seconds = 30.0  # for a keeper that is ending to be gone, and another to listen
_LOOK: Seconds = 0.05


class Lab:
    """One lab: a folder, and a keeper while servers run."""

    def __init__(self, folder: Path | None = None, life: int | None = None) -> None:
        """`life`: the reading end of a pipe; a keeper started here stops all when it closes."""
        self.place = LabFolder(folder or lab_folder())
        self._life = life

    def prepare(self, names: Sequence[str], report: ReportProgress = report_to_nobody) -> None:
        """Fetch and build what the servers need, here and now; raises SluiceError."""
        for recipe in [recipe_of(name) for name in names]:
            kit_of(recipe, report)

    def start(
        self,
        names: Sequence[str],
        *,
        options: Mapping[str, Options] | None = None,
        secrets: Mapping[str, Mapping[str, str]] | None = None,
        deadline: Seconds = DEADLINE,
        waiting: Callable[[], None] = lambda: None,
    ) -> Generator[Answer]:
        """Start servers and report on each; closed early, it stops those that it has begun.

        `options`: by server; `secrets`: instead of random ones, by server and name; `waiting` is
        called some times a second, and any error that it raises ends the start: the keeper stops
        the servers, and this does not wait for it.
        """
        request = Start(
            names=names, options=options or {}, secrets=secrets or {}, deadline=deadline
        )
        connection = self._connected_or_begun()
        with connection:
            send(connection, request)
            lines = AwaitedLines(connection, waiting)
            try:
                yield from received_answers(lines)
            except (KeyboardInterrupt, GeneratorExit):
                connection.shutdown(socket.SHUT_WR)
                for _ in received_answers(lines):
                    pass
                raise

    def servers(self) -> tuple[ServerState, ...]:
        """The servers that run; removes the leftovers of a killed keeper."""
        for answer in self._ask(StatusRequest()):
            if isinstance(answer, Running):
                return tuple(answer.servers)
        return ()

    def stop(self, names: Sequence[str] = ()) -> list[str]:
        """Stop these servers, or all; returns those that ran."""
        return [one.server for one in self._ask(Stop(names=names)) if isinstance(one, Stopped)]

    def _ask(self, request: KeeperRequest) -> list[Answer]:
        if (connection := self._connected()) is not None:
            with suppress(ConnectionError), connection, connection.makefile("rb") as answers:
                send(connection, request)
                return list(received_answers(answers))
        # Nobody keeps it, or nobody does any more.
        with self.place.kept() as mine:
            if mine:
                self.place.remove_leftovers()
        return []

    def _connected(self) -> socket.socket | None:
        """A connection to the keeper, if there is one that listens."""
        state = self.place.state()
        if state is None:
            return None
        connection = socket.socket(socket.AF_UNIX)
        with suppress(OSError):
            connection.connect(state.socket)
            if connection.recv(1) == GREETING:  # a keeper that is ending takes no connection
                return connection
        connection.close()
        return None

    def _connected_or_begun(self) -> socket.socket:
        """A connection to the keeper, which is started if there is none; raises SluiceError."""
        until = time.monotonic() + _KEEPER
        while time.monotonic() < until:
            if (connection := self._connected()) is not None:
                return connection
            if self._begin_keeper() == ALREADY_KEPT:
                time.sleep(_LOOK)  # it has just begun, or is ending
        raise SluiceError(
            tr("the lab's keeper in {folder} does not answer", folder=self.place.folder)
        )

    def _begin_keeper(self) -> int:
        passed = [] if self._life is None else [self._life]
        self.place.keeper_log.touch(mode=0o600)
        with self.place.keeper_log.open("ab") as log:
            code = subprocess.run(
                [*keeper_command(self.place.folder), *map(str, passed)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=passed,
                env={**os.environ, "PYTHONPATH": import_path()},
                check=False,
            ).returncode
        if code not in (0, ALREADY_KEPT):
            raise SluiceError(
                tr("the lab's keeper could not be started"),
                tr("see {path}", path=self.place.keeper_log),
            )
        return code


def keeper_command(folder: Path) -> list[str]:
    return [sys.executable, "-P", "-m", LAB_KEEPER, str(folder)]


@contextmanager
def throw_away_lab(folder: Path) -> Iterator[Lab]:
    """A lab whose servers are stopped at the end of the block, or when this process dies."""
    theirs, ours = os.pipe()
    try:
        lab = Lab(folder, life=theirs)
        try:
            yield lab
        finally:
            lab.stop()
    finally:
        os.close(ours)
        os.close(theirs)


def failures(answers: Sequence[Answer]) -> list[NotStarted]:
    return [one for one in answers if isinstance(one, NotStarted)]
