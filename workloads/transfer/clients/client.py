"""What a client of transfers does, and what it is opened with.

A client moves all files of one pass, by threads or processes of its own, and tells the pass of
each: when its first byte or request begins, what moves, whether it is done.  It returns when all
its threads have ended their work, and gives up what is under way when `Pass.stopping` says so.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import Driver

if TYPE_CHECKING:
    from workloads.transfer.passes import Pass
    from workloads.transfer.transfer_parameters import TransferParameters


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

    @abstractmethod
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
