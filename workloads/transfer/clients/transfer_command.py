"""One run of a command that transfers files, in a process of its own.

What its lines say of files is told to the pass; when a file begins and how its bytes move is not
known, so there are no latencies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from core import Program, SluiceError, run_program, tr
from workloads.transfer.passes import Pass

_LAST = 5
"""Lines of what it complained that are told."""


class Failure(NamedTuple):
    """A file that failed, and why."""

    name: str
    why: str


class TransferCommand:
    """The process of one pass."""

    def __init__(
        self, going: Pass, title: str, command: Iterable[str], environment: Mapping[str, str]
    ) -> None:
        self.going = going
        self._title = title
        self._program = Program(arguments=list(command), environment=environment)
        self._complaints: list[str] = []

    def follow(
        self, done_in: Callable[[str], str | None], failed_in: Callable[[str], Failure | None]
    ) -> None:
        """Run it, and tell the pass what its lines say; raises SluiceError where it fails.

        `done_in`: the file that a line of its output calls done; `failed_in`: what one of its
        complaints says of a file.
        """

        def hear_done(line: str) -> None:
            if name := done_in(line):
                self.going.done(name)

        def hear_complaint(line: str) -> None:
            if failure := failed_in(line):
                self.going.failed(*failure)
            else:
                self._complaints.append(line.strip())

        said = run_program(
            self._program,
            wanted=lambda: not self.going.stopping,
            line=hear_done,
            complaint=hear_complaint,
        )
        if not self.going.stopping:
            self._conclude(said.code)

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
