"""One run of a command that transfers files, in a process of its own.

What its lines say of files is told to the pass; when a file begins and how its bytes move is not
known, so there are no latencies.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Mapping
from threading import Thread
from typing import IO, NamedTuple

from core import SluiceError, tr
from workloads.transfer.passes import LOOK, Pass

_TERMINATED = 3.0
"""Seconds for the command to end where it is asked to."""
_LAST = 5
"""Lines of what it complained that are told."""


class Failure(NamedTuple):
    """A file that failed, and why."""

    name: str
    why: str


class CommandRun:
    """The process of one pass."""

    def __init__(
        self, going: Pass, title: str, command: Iterable[str], environment: Mapping[str, str]
    ) -> None:
        self.going = going
        self._title = title
        self._command, self._environment = list(command), environment
        self._complaints: list[str] = []

    def follow(
        self, done_in: Callable[[str], str | None], failed_in: Callable[[str], Failure | None]
    ) -> None:
        """Run it, and tell the pass what its lines say; raises SluiceError where it fails.

        `done_in`: the file that a line of its output calls done; `failed_in`: what one of its
        complaints says of a file.
        """
        with subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process:
            readers = [
                Thread(target=self._hear_done, args=(process.stdout, done_in), daemon=True),
                Thread(target=self._hear_complaints, args=(process.stderr, failed_in), daemon=True),
            ]
            for reader in readers:
                reader.start()
            code = self._wait(process)
            for reader in readers:
                reader.join()
        if not self.going.stopping:
            self._conclude(code)

    def _wait(self, process: subprocess.Popen[str]) -> int:
        while True:
            try:
                return process.wait(LOOK)
            except subprocess.TimeoutExpired:
                if self.going.stopping:
                    break
        process.terminate()
        try:
            return process.wait(_TERMINATED)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def _hear_done(self, lines: IO[str], done_in: Callable[[str], str | None]) -> None:
        for line in lines:
            if name := done_in(line.rstrip("\n")):
                self.going.done(name)

    def _hear_complaints(self, lines: IO[str], failed_in: Callable[[str], Failure | None]) -> None:
        for line in lines:
            if failure := failed_in(line.rstrip("\n")):
                self.going.failed(*failure)
            else:
                self._complaints.append(line.strip())

    def _conclude(self, code: int) -> None:
        going = self.going
        if code and not going.failed_names:
            told = "; ".join(filter(None, self._complaints[-_LAST:]))
            raise SluiceError(
                tr("{command} ended with {code}: {said}", command=self._title, code=code, said=told)
            )
        for file in going.files:
            # A name of two lines is not told in one, and what is there already is not told at all.
            if "\n" in file.name or (going.resumed and not code):
                going.done(file.name)
