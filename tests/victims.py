"""What is killed: a real command line with its children, or the process of a server."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil
from marking import MARK, arguments_of, marked
from patience import PATIENCE

_ROOT = Path(__file__).parents[1]


class Killable:
    """The process of a server, which is killed, and started again with the same data."""

    def __init__(
        self, process: psutil.Process, again: Callable[[list[str]], list[str]] = list
    ) -> None:
        """`again`: the arguments of the next start, from those of the first one."""
        self._victim = process
        self._argv = again(process.cmdline())
        self._environ, self._cwd = process.environ(), process.cwd()
        self._started: list[subprocess.Popen[bytes]] = []

    def kill(self) -> None:
        """Kill it; returns when it has ended."""
        self._victim.kill()
        if self._started:
            self._started[-1].wait(PATIENCE)
        else:  # the child of somebody else, who may not have buried it
            psutil.wait_procs([self._victim], timeout=PATIENCE)

    def restart(self) -> None:
        """Start it again; it does not serve yet."""
        # Whoever looks for processes of the runs shall not find it.
        environ = {name: value for name, value in self._environ.items() if name != MARK}
        self._started.append(
            subprocess.Popen(
                self._argv,
                env=environ,
                cwd=self._cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )
        self._victim = psutil.Process(self._started[-1].pid)

    def end(self) -> None:
        """End what was started here."""
        for started in self._started:
            if started.stdin is not None:
                started.stdin.close()
            started.kill()
            started.wait(PATIENCE)


class KilledRun:
    """A run in its own session of processes, whose events are read while it goes on."""

    def __init__(self, arguments: Sequence[str], mark: str, log: Path) -> None:
        self.mark = mark
        self._told = bytearray()
        self._log = log
        with log.open("wb") as errors:
            self.popen = subprocess.Popen(
                [sys.executable, "-m", "core", *arguments],
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, "PYTHONPATH": str(_ROOT), MARK: mark},
                start_new_session=True,
            )

    def _listen(self, seconds: float) -> bool:
        """Whether it may say more."""
        assert self.popen.stdout is not None
        if not select.select([self.popen.stdout], [], [], seconds)[0]:
            return True
        read = os.read(self.popen.stdout.fileno(), 2**20)
        self._told += read
        return bool(read)

    def wait_for(self, phase: str) -> None:
        """Until that phase has begun, or the run is over."""
        wanted = f'"phase":"{phase}"'.encode()
        while wanted not in self._told and self._listen(PATIENCE):
            pass

    def go_on(self, seconds: float) -> None:
        """For so long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and self._listen(left):
            pass

    def child(self) -> psutil.Process | None:
        """A child process of it, the next one if there is none now; None if it is over."""
        while self.popen.poll() is None:
            for one in marked(self.mark):
                with contextlib.suppress(psutil.Error):
                    if (
                        one.ppid() == self.popen.pid
                        and "core.measure.trial.bootstrap" in arguments_of(one)
                    ):
                        return one
            if not self._listen(0.01):
                break
        return None

    def wait(self, seconds: float = PATIENCE) -> int:
        """Its exit code when it has ended."""
        until = time.monotonic() + seconds
        while self._listen(max(0.0, until - time.monotonic())) and time.monotonic() < until:
            pass
        assert self.popen.stdout is not None
        self.popen.stdout.close()
        try:
            return self.popen.wait(max(1.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.popen.kill()
            raise

    def complained(self) -> str:
        """The end of what it wrote to stderr."""
        return self._log.read_text("utf-8", "replace")[-2000:]


def core_command(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """A command line's end."""
    return subprocess.run(
        [sys.executable, "-m", "core", *arguments],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        check=False,
    )
