"""The clients of Synapse: `syncToSynapse` and `syncFromSynapse`, and a loop over single files.

The files of an upload by synapseutils are tasks of one event loop, and a file is done when its task
has ended.
"""

from __future__ import annotations

import asyncio
import csv
import secrets
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from threading import Thread
from typing import override

import synapseclient
import synapseutils

from core import DatasetError, InvalidParameter, SluiceError, cache_folder, tr
from workloads.transfer.clients import Client
from workloads.transfer.clients.counted_synapse import CountedSynapse, message_of
from workloads.transfer.clients.synapse_watch import RequestWatch
from workloads.transfer.synapse_remote import ANNOTATIONS, IN_MANIFEST, SynapseFolders
from workloads.transfer.synapse_service import (
    FOLDER,
    MOST_THREADS,
    SynapseService,
    synapse_address,
    token_of,
)
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_pass import STOP_CHECK_SECONDS, STOP_GRACE_SECONDS, Pass
from workloads.transfer.tree_files import files_below


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
                tr("Synapse does not let the client in: {why}", why=message_of(error)),
                tr("check the address and the token"),
            ) from error
        self._service = SynapseService(address, token, 1)
        self._folders = SynapseFolders(self._service, address.container)

    @override
    def prepare(self, going: Pass) -> None:
        """Make, or find, the folder that the client sends to or fetches from."""
        path = going.prefix.rstrip("/")
        container = self._folders.made(path) if self.up else self._folders.existing(path)
        if container is None:
            raise SluiceError(tr("Synapse has no folder {name}", name=path))
        self.container = container
        # The service does not take the same upload twice; with another content type it is another.
        self.kind = f"application/octet-stream; sluice={secrets.token_hex(8)}"
        watch = RequestWatch(going)
        watch.knows(container, "")
        self.synapse.begin(watch)

    @property
    def watch(self) -> RequestWatch:
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
        thread.join(STOP_CHECK_SECONDS)
        if going.stopping:
            thread.join(STOP_GRACE_SECONDS)
            return
    if raised and not going.stopping:
        if not going.failed_names:
            raise SluiceError(
                tr("the client of Synapse gave up: {why}", why=message_of(raised[0]))
            ) from raised[0]
        going.give_up(tr("not transferred, since the client gave up after another file had failed"))


type ManifestRows = Sequence[Mapping[str, str]]


class SynapseSync(SynapseClient):
    leaves = ("SYNAPSE_METADATA_MANIFEST.tsv", "manifest.csv")

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        import pandas  # noqa: F401 -- synapseutils would import it while the clock runs

        super().__init__(parameters, threads)
        if self.up:
            self.preparation = "manifest"
            self.synapse.file_begins = self._follow

    @override
    def prepare(self, going: Pass) -> None:
        """Before an upload also the manifest, for which all folders are made there."""
        super().prepare(going)
        if self.up:
            _require_only(going)
            manifest = _manifest_of(going)
            manifest.parent.mkdir(parents=True, exist_ok=True)
            there = self.container
            carry_out(
                going,
                lambda: synapseutils.generate_sync_manifest(
                    self.synapse, str(going.folder), there, str(manifest)
                ),
            )
            if not going.stopping:
                self._complete(going, manifest)

    def _complete(self, going: Pass, manifest: Path) -> None:
        """Add what the files are to have besides; know their folders by their ids."""
        rows = []
        for number, row in enumerate(_read(manifest)):
            name = Path(row["path"]).relative_to(going.folder).as_posix()
            self.watch.knows(row["parent"], name[: name.rfind("/") + 1])
            more = IN_MANIFEST if self.annotated else {}
            rows.append({**row, "contentType": f"{self.kind}-{number}", **more})
        _write(manifest, rows)

    @override
    def send(self, going: Pass) -> None:
        manifest = _manifest_of(going)
        if going.done_names:  # a client that is run again has the rest to do
            done = {str(going.path_of(name)) for name in going.done_names}
            _write(manifest, [row for row in _read(manifest) if row["path"] not in done])
        synapseutils.syncToSynapse(self.synapse, manifestFile=str(manifest), sendMessages=False)

    def _follow(self, name: str) -> None:
        """Called in the task of a file, which ends when the file is stored or has failed."""
        task = asyncio.current_task()
        if task is not None:
            task.add_done_callback(lambda ended: self._stored(name, ended))

    def _stored(self, name: str, task: asyncio.Task[object]) -> None:
        going = self.watch.going
        if going.stopping:
            return
        if task.cancelled():
            going.failed(
                name, tr("cut off, since the client gave up after another file had failed")
            )
        elif (error := task.exception()) is not None:
            going.failed(name, message_of(error))
        else:
            self.watch.file_over(name)

    @override
    def fetch(self, going: Pass) -> None:
        synapseutils.syncFromSynapse(self.synapse, self.container, path=str(going.folder))


def _manifest_of(going: Pass) -> Path:
    return going.own / "manifest.tsv"


def _read(manifest: Path) -> ManifestRows:
    with manifest.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _write(manifest: Path, rows: ManifestRows) -> None:
    with manifest.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else [], delimiter="\t")
        writer.writeheader()
        writer.writerows(rows)


def _require_only(going: Pass) -> None:
    """Raise DatasetError where the folder holds other files: the client would send them too."""
    names = {file.name for file in going.files}
    for path in files_below(going.folder):
        if path.relative_to(going.folder).as_posix() not in names:
            raise DatasetError(
                tr("{path} is not in the tree, but the client would send it too", path=path),
                tr("name a folder that holds only what is to be sent"),
            )


_KINDS = ["file", "folder"]


class SynapseWalk(SynapseClient):
    """As people write it, with a loop of their own; threads move the parts of one file only."""

    @override
    def send(self, going: Pass) -> None:
        parents = {"": self.container}
        for number, file in enumerate(going.files):
            if going.stopping:
                return
            if file.name in going.done_names:  # a client that is run again has the rest to do
                continue
            try:
                above, _, _ = file.name.rpartition("/")
                self._store(going, file.name, self._parent(parents, above), number)
            except Exception as error:  # noqa: BLE001 -- whatever it is: the file has failed
                if not going.stopping:
                    going.failed(file.name, message_of(error))

    def _parent(self, parents: dict[str, str], path: str) -> str:
        """The id of a folder, which is made when it is first needed."""
        if path not in parents:
            above, _, name = path.rpartition("/")
            folder = synapseclient.Folder(name, parent=self._parent(parents, above))
            parents[path] = self.synapse.store(folder)["id"]
        return parents[path]

    def _store(self, going: Pass, name: str, parent: str, number: int) -> None:
        self.watch.enter(name)
        made = synapseclient.File(
            str(going.path_of(name)), parent=parent, contentType=f"{self.kind}-{number}"
        )
        saved = self.synapse.store(made)
        if self.annotated:
            annotations = synapseclient.Annotations(saved.id, saved.etag, dict(ANNOTATIONS))
            self.synapse.set_annotations(annotations)
        self.watch.file_over(name)

    @override
    def fetch(self, going: Pass) -> None:
        self._fetch_below(going, self.container, PurePosixPath())

    def _fetch_below(self, going: Pass, container: str, above: PurePosixPath) -> None:
        for child in self.synapse.getChildren(container, includeTypes=_KINDS):
            if going.stopping:
                return
            name = above / child["name"]
            if child["name"] in ("..", "."):
                going.failed(name.as_posix(), tr("its name leads out of the folder"))
            elif child["type"] == FOLDER:
                going.path_of(name.as_posix()).mkdir(exist_ok=True)
                self._fetch_below(going, child["id"], name)
            elif name.as_posix() not in going.done_names:
                self._get(going, child["id"], name.as_posix())

    def _get(self, going: Pass, entity: str, name: str) -> None:
        self.watch.enter(name)
        folder = going.path_of(name).parent
        try:
            self.synapse.get(entity, downloadLocation=str(folder), ifcollision="overwrite.local")
        except Exception as error:  # noqa: BLE001 -- whatever it is: the file has failed
            if not going.stopping:
                going.failed(name, message_of(error))
        else:
            self.watch.file_over(name)
