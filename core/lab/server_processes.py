"""The processes of one running server: starts and stops them, and asks whether they serve."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from core.lab.recipe import Server, ServerCommand, Site
from core.language import (
    Seconds,
    SluiceError,
    ending,
    longest_form,
    printed_lines,
    safe,
    said,
    show_seconds,
    tr,
)
from core.measure import (
    PIPE,
    Life,
    OutputFile,
    Program,
    Supervised,
    Supervisor,
    import_path,
    make_private,
)

_LOOK: Seconds = 0.1  # between two looks at a server that is not ready
_TERMINATED: Seconds = 5.0  # after SIGTERM, if the recipe's own way did not help
_WATCH: Seconds = 10.0  # between two looks at the size of a log
_MOST_LOG = 1 << 26  # bytes
_LAST_LINES = 20
_LAST_LETTERS = 4000


def last_words(log: Path, secrets: Mapping[str, str]) -> str:
    """The end of a log, without secrets; `secrets`: each with its reference."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _LAST_LETTERS - longest_form(secrets)))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    # Secrets first: of one with a line's end in it, a part could be on a line that is left out.
    return "\n".join(printed_lines(ending(text, _LAST_LETTERS, secrets))[-_LAST_LINES:])


def serves(server: Server) -> bool:
    """Whether a real request succeeds now.

    One that still starts may refuse, cut its answer off, or answer something else: Spark's master
    shows its page for people at every address until all of them are there.  hdfs-native raises
    RuntimeError for most of what a name node refuses.
    """
    with suppress(OSError, HTTPException, ValueError, RuntimeError):
        return server.ready()
    return False


def _probed(server: Server) -> Future[bool]:
    """Whether it serves, as soon as that is known."""
    probe: Future[bool] = Future()
    threading.Thread(
        target=lambda: probe.set_result(serves(server)), name="ask", daemon=True
    ).start()
    return probe


@dataclass(kw_only=True)
class RunningCommand:
    """One process of a server, and all that it has started."""

    command: ServerCommand
    log: Path
    process: Supervised

    @classmethod
    def start(
        cls, command: ServerCommand, log: Path, folder: Path, supervisor: Supervisor
    ) -> RunningCommand:
        make_private(log.parent)
        log.unlink(missing_ok=True)
        log.touch(mode=0o600)
        with log.open("ab") as output:
            process = supervisor.start(
                Program(
                    arguments=command.argv,
                    environment={**os.environ, "PYTHONPATH": import_path(), **command.env},
                    stdin=PIPE,
                    stdout=output,
                    stderr=output,
                    cwd=command.cwd or folder,
                    life=Life(),
                )
            )
        return cls(command=command, log=log, process=process)

    @property
    def ending(self) -> str:
        code, name = self.process.code, self.command.name
        if code is None:
            return ""
        if code < 0:
            return tr("{name} was ended by {signal}", name=name, signal=signal.Signals(-code).name)
        return tr("{name} ended with exit code {code}", name=name, code=code)

    def watch(self, tell_ended: Callable[[], None]) -> None:
        """Call that, on another thread, once it has ended."""

        def wait() -> None:
            with self.log.open("r+b", buffering=0) as log:
                output = OutputFile(log, _MOST_LOG)
                while not self.process.wait(_WATCH):
                    output.bound(_MOST_LOG // 2)
            tell_ended()

        threading.Thread(target=wait, name=f"watch {self.command.name}", daemon=True).start()

    def stop(self, server: Server) -> None:
        """The recipe's way, then SIGTERM, then SIGKILL of all; returns when it is over."""
        if server.stop == "close stdin":
            self._close_stdin()
            self.process.wait(server.grace)
        self.process.signal(signal.SIGTERM)
        self.process.wait(server.grace if server.stop == "terminate" else _TERMINATED)
        self.process.end()
        self._close_stdin()

    def _close_stdin(self) -> None:
        assert self.process.popen.stdin is not None
        with suppress(OSError):
            self.process.popen.stdin.close()


class RunningServer:
    def __init__(
        self,
        server: Server,
        supervisor: Supervisor,
        *,
        site: Site,
        secrets: Mapping[str, str],
        tell_ended: Callable[[], None],
    ) -> None:
        """`secrets`: each with its reference.  Raises SluiceError when a command cannot start."""
        self.server = server
        self.commands: list[RunningCommand] = []
        self._secrets = secrets
        self._woken = threading.Event()
        self._asking = threading.Lock()
        self._probe: Future[bool] | None = None

        def ended() -> None:
            self._woken.set()
            tell_ended()

        try:
            for command in server.commands:
                log = site.logs / f"{command.name}.log"
                one = RunningCommand.start(command, log, site.folder, supervisor)
                self.commands.append(one)
                one.watch(ended)
        except OSError as error:
            self.stop()
            cause = f"{error.filename}: {error.strerror}" if error.filename else said(error)
            raise SluiceError(safe(cause, secrets)) from None

    @property
    def problem(self) -> str:
        """Which command has ended by itself, with its last words; empty if all run."""
        for one in self.commands:
            if not one.process.running:
                return f"{one.ending}\n{last_words(one.log, self._secrets)}".strip()
        return ""

    def answers(self, limit: Seconds) -> bool:
        """Whether a real request succeeds within that time; may be called from many threads.

        Some clients wait for ever: as long as one request waits, no other is made.
        """
        with self._asking:
            if self._probe is None or self._probe.done():
                self._probe = _probed(self.server)
            probe = self._probe
        try:
            return probe.result(limit)
        except TimeoutError:
            return False

    def wait_until_ready(self, limit: Seconds, cancelled: Callable[[], bool]) -> None:
        """Return when a real request succeeds; raises SluiceError with the end of the log.

        `wake` makes it look at `cancelled` at once.
        """
        answered = threading.Event()
        given_up = threading.Event()

        def ask() -> None:
            try:
                while not (serves(self.server) or given_up.wait(_LOOK)):
                    pass
            finally:
                answered.set()
                self._woken.set()

        threading.Thread(target=ask, name="ask", daemon=True).start()
        until = time.monotonic() + limit
        try:
            while not (answered.is_set() or cancelled() or self.problem):
                if not self._woken.wait(max(0.0, until - time.monotonic())):
                    words = last_words(self.commands[-1].log, self._secrets)
                    late = tr("it does not answer after {time}", time=show_seconds(limit))
                    raise SluiceError(f"{late}\n{words}".strip())
                self._woken.clear()
        finally:
            given_up.set()
        if self.problem:
            raise SluiceError(self.problem)

    def wake(self) -> None:
        self._woken.set()

    def stop(self) -> None:
        """End all commands, the last one first; returns when nothing is left."""
        for one in reversed(self.commands):
            one.stop(self.server)
