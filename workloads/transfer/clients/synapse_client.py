"""What both clients of Synapse share: the client under test, and where its files go."""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections.abc import Callable
from threading import Thread
from typing import override

from core import InvalidParameter, SluiceError, cache_folder, tr
from workloads.transfer.clients.client import Client
from workloads.transfer.clients.counted_synapse import CountedSynapse, told
from workloads.transfer.clients.synapse_watch import Watch
from workloads.transfer.passes import LOOK, Pass
from workloads.transfer.remotes.synapse_folders import SynapseFolders
from workloads.transfer.remotes.synapse_service import SynapseService
from workloads.transfer.synapse_access import MOST_THREADS, synapse_address, token_of
from workloads.transfer.transfer_parameters import TransferParameters

_GIVING_UP = 3.0
"""Seconds for what is under way to end where a trial is to end."""


class SynapseClient(Client):
    """One client for all passes; a pass has a watch of its own."""

    preparation = "folder"

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        if threads > MOST_THREADS:
            raise InvalidParameter(
                "threads", tr("this client has {most} at most", most=MOST_THREADS)
            )
        address, token = synapse_address(parameters.address), token_of(parameters)
        self.up = parameters.direction == "up"
        self.annotated = self.up and parameters.annotations
        self.container = ""
        """The id of what the pass's names begin with."""
        self.kind = ""
        """The beginning of the content types of a pass."""
        folder = cache_folder() / "transfers" / "synapse"
        try:
            self.synapse = CountedSynapse(address, token, threads, folder)
        except Exception as error:
            raise SluiceError(
                tr("Synapse does not let the client in: {why}", why=told(error)),
                tr("check the address and the token"),
            ) from error
        self._service = SynapseService(address, token, 1)
        self._folders = SynapseFolders(self._service, address.container)

    @override
    def prepare(self, going: Pass) -> None:
        """Make, or find, the folder that the client sends to or fetches from."""
        path = going.prefix.rstrip("/")
        found = self._folders.made(path) if self.up else self._folders.existing(path)
        if found is None:
            raise SluiceError(tr("Synapse has no folder {name}", name=path))
        self.container = found
        # The service does not take the same upload twice; with another content type it is another.
        self.kind = f"application/octet-stream; sluice={secrets.token_hex(8)}"
        watch = Watch(going)
        watch.knows(found, "")
        self.synapse.begin(watch)

    @property
    def watch(self) -> Watch:
        """Of the pass that was prepared last."""
        assert self.synapse.watch is not None
        return self.synapse.watch

    @override
    def upload(self, going: Pass) -> None:
        carry_out(going, lambda: self.send(going))

    @override
    def download(self, going: Pass) -> None:
        going.folder.mkdir(parents=True, exist_ok=True)
        carry_out(going, lambda: self.fetch(going))

    @abstractmethod
    def send(self, going: Pass) -> None:
        """Have the client send the files."""

    @abstractmethod
    def fetch(self, going: Pass) -> None:
        """Have the client fetch the files."""

    @override
    def close(self) -> None:
        self.synapse.end()
        self._service.close()


def carry_out(going: Pass, work: Callable[[], None]) -> None:
    """Have a thread do it, which is left behind where the trial is to end and it does not.

    A server that falls silent would keep it for ever.  Where files have failed, what the client
    raises is about them, and it has given up the others; else that is raised.
    """
    raised: list[Exception] = []

    def run() -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001 -- whatever it is, it is told in the client's words
            raised.append(error)

    thread = Thread(target=run, name="synapse", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(LOOK)
        if going.stopping:
            thread.join(_GIVING_UP)
            return
    if raised and not going.stopping:
        if not going.failed_names:
            raise SluiceError(
                tr("the client of Synapse gave up: {why}", why=told(raised[0]))
            ) from raised[0]
        going.give_up(tr("not transferred, since the client gave up after another file had failed"))
