"""One server that runs: its processes, whether it serves, and how it ends."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from core.errors import SluiceError
from core.host.folders import make_private
from core.lab.recipe import Command, Server
from core.lab.tether import Tied, tied
from core.language.sanitise import ending, longest_form, safe, said
from core.language.translation import tr
from core.language.units import Seconds, show_seconds

_LOOK: Seconds = 0.1  # between two looks at a server that is not ready
_TERMINATED: Seconds = 5.0  # after SIGTERM, where the recipe's own way did not help
_KILLED: Seconds = 10.0
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
    return "\n".join(ending(text, _LAST_LETTERS, secrets).splitlines()[-_LAST_LINES:])


def serves(server: Server) -> bool:
    """Whether a real request succeeds now.

    One that still starts may refuse, cut its answer off, or answer something else: Spark's master
    shows its page for people at every address until all of them are there.
    """
    with suppress(OSError, HTTPException, ValueError):
        return server.ready()
    return False


@dataclass(kw_only=True)
class RunningCommand:
    """One process of a server, and all that it has started."""

    command: Command
    log: Path
    ended: threading.Event = field(default_factory=threading.Event)
    _tied: Tied

    @classmethod
    def start(
        cls, command: Command, log: Path, folder: Path, tell_ended: Callable[[], None]
    ) -> RunningCommand:
        """Start it; `tell_ended` is called on another thread; raises OSError."""
        make_private(log.parent)
        log.touch(mode=0o600)
        with log.open("wb") as output:
            started = tied(command.argv, env=command.env, cwd=command.cwd or folder, output=output)
        running = cls(command=command, log=log, _tied=started)

        def watch() -> None:
            running._bury()
            running.ended.set()
            tell_ended()

        threading.Thread(target=watch, name=f"watch {command.name}", daemon=True).start()
        return running

    @property
    def pid(self) -> int:
        """Of the process, which is also that of its group."""
        return self._tied.popen.pid

    @property
    def ending(self) -> str:
        """How it ended, for people; empty while it runs."""
        code = self._tied.popen.returncode
        if code is None:
            return ""
        name = self.command.name
        if code < 0:
            return tr("{name} was ended by {signal}", name=name, signal=signal.Signals(-code).name)
        return tr("{name} ended with exit code {code}", name=name, code=code)

    def stop(self, server: Server) -> None:
        """The recipe's way, then SIGTERM, then SIGKILL of the group; returns when it is over."""
        if server.stop == "close stdin":
            self._close_stdin()
            self.ended.wait(server.grace)
        self._signal(signal.SIGTERM)
        self.ended.wait(server.grace if server.stop == "terminate" else _TERMINATED)
        self.kill()

    def kill(self) -> None:
        """SIGKILL to the group, now; returns when it is over."""
        self._signal_group()
        self.ended.wait(_KILLED)
        self._close_stdin()

    def _bury(self) -> None:
        """Wait for the end, kill what is left of the group, and only then free the number."""
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        else:
            self._tied.popen.wait()
        self._signal_group()
        self._tied.popen.wait()
        self._tied.let_go()

    def _signal(self, number: signal.Signals) -> None:
        # Not by Popen, which would also collect the ended process, and so free its number.
        if not self.ended.is_set():
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def _signal_group(self) -> None:
        if self._tied.popen.returncode is None:
            # Gone; macOS says EPERM for zombies.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def _close_stdin(self) -> None:
        assert self._tied.popen.stdin is not None
        with suppress(OSError):
            self._tied.popen.stdin.close()


class RunningServer:
    """A server whose commands were started."""

    def __init__(
        self,
        server: Server,
        *,
        folder: Path,
        logs: Path,
        secrets: Mapping[str, str],
        tell_ended: Callable[[], None],
    ) -> None:
        """`secrets`: each with its reference.  Raises SluiceError when a command cannot start."""
        self.server = server
        self.commands: list[RunningCommand] = []
        self._secrets = secrets
        self._woken = threading.Event()

        def ended() -> None:
            self._woken.set()
            tell_ended()

        try:
            for command in server.commands:
                log = logs / f"{command.name}.log"
                self.commands.append(RunningCommand.start(command, log, folder, ended))
        except OSError as error:
            self.stop()
            raise SluiceError(safe(said(error), secrets)) from None

    @property
    def problem(self) -> str:
        """What has ended though nobody asked for it, with its last words; empty if all run."""
        for one in self.commands:
            if one.ended.is_set():
                return f"{one.ending}\n{last_words(one.log, self._secrets)}".strip()
        return ""

    def wait_until_ready(self, limit: Seconds, cancelled: Callable[[], bool]) -> None:
        """Return when a real request succeeds; raises SluiceError with the end of the log.

        `wake` makes it look at `cancelled` at once.
        """
        asked = threading.Event()
        given_up = threading.Event()

        def ask() -> None:
            try:
                while not (serves(self.server) or given_up.wait(_LOOK)):
                    pass
            finally:
                asked.set()
                self._woken.set()

        threading.Thread(target=ask, name="ask", daemon=True).start()
        until = time.monotonic() + limit
        try:
            while not (asked.is_set() or cancelled() or self.problem):
                if not self._woken.wait(max(0.0, until - time.monotonic())):
                    raise SluiceError(self._too_late(limit))
                self._woken.clear()
        finally:
            given_up.set()
        if self.problem:
            raise SluiceError(self.problem)

    def wake(self) -> None:
        """Have whoever waits look again."""
        self._woken.set()

    def stop(self) -> None:
        """End all commands, the last one first; returns when nothing is left."""
        for one in reversed(self.commands):
            one.stop(self.server)

    def _too_late(self, limit: Seconds) -> str:
        words = last_words(self.commands[-1].log, self._secrets)
        late = tr("it does not serve after {time}", time=show_seconds(limit))
        return f"{late}\n{words}".strip()
