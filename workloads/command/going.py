"""One run of the command: its folder, its values, and what came of it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core import Fault, Ran, SluiceError, show, tr
from workloads.command.outputs import bytes_below
from workloads.command.shells import SIGPIPE_CODE

_LAST = 5
"""Lines of last words that are told."""


@dataclass
class Going:
    """A run; `number` tells it from all others of this process."""

    number: int
    worker: int
    folder: Path
    values: Mapping[str, str]
    """What each placeholder stands for."""
    rows: tuple[str, ...] = ()
    """What it did, a row for each thing."""
    digest: str = ""
    """SHA-256 of what it wrote to stdout; empty unless that was read."""
    size: int = 0
    """Bytes of the file that it works on, where each run has its own."""
    judged: tuple[Fault, ...] | None = None
    _written: int | None = None

    @property
    def written(self) -> int:
        """Bytes in its folder, when they were first asked for."""
        if self._written is None:
            self._written = bytes_below(self.folder)
        return self._written

    def end(self, ran: Ran) -> Sequence[str]:
        """Note what it did."""
        self.digest = ran.sha256
        self.rows = (f"run {self.number}", f"ended with {ran.code}", f"stdout {ran.sha256}")
        return self.rows

    def remove(self) -> None:
        """Give back the space; what it wrote is known."""
        shutil.rmtree(self.folder, ignore_errors=True)


def require_success(title: str, ran: Ran, *, is_pipe: bool = False) -> None:
    """Raise SluiceError, with the reason, unless a program ended well and left nothing behind.

    A member of a pipe whose reader had enough ended well.
    """
    code = 0 if is_pipe and ran.code == SIGPIPE_CODE else ran.code
    if ran.cut == "timeout":
        raise SluiceError(
            tr(
                "{program} ran into its time limit and was gone after {time}",
                program=title,
                time=show(ran.seconds, "seconds"),
            ),
            tr("give it longer with --timeout"),
        )
    if ran.cut == "stall":
        raise SluiceError(
            tr("{program} did nothing any more and was ended", program=title),
            tr("give it longer with --idle"),
        )
    if ran.code < 0:
        raise SluiceError(
            tr(
                "{program} was killed by signal {number}{said}",
                program=title,
                number=-ran.code,
                said=_said(ran),
            )
        )
    if code:
        raise SluiceError(
            tr("{program} ended with {code}{said}", program=title, code=code, said=_said(ran))
        )
    if ran.left:
        raise SluiceError(
            tr(
                "{program} left running: {names}",
                program=title,
                names=", ".join(dict.fromkeys(ran.left)),
            ),
            tr(
                "have it stay in the foreground: Sluice does not measure what goes on after its end"
            ),
        )


def _said(ran: Ran) -> str:
    told = "; ".join(line.strip() for line in ran.last_words.splitlines()[-_LAST:] if line.strip())
    return f": {told}" if told else ""
