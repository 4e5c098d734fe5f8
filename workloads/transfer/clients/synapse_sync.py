"""synapseutils: `syncToSynapse` by a manifest, `syncFromSynapse` of a folder with all below it.

The files of an upload are tasks of one event loop, and a file is done when its task has ended.
"""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import override

import pandas  # noqa: F401 -- read by synapseutils when it is first called, while the clock runs
import synapseutils

from core import DatasetError, tr
from workloads.transfer.clients.counted_synapse import told
from workloads.transfer.clients.synapse_client import SynapseClient, carry_out
from workloads.transfer.passes import Pass
from workloads.transfer.synapse_annotations import IN_MANIFEST
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import files_below

type Rows = Sequence[Mapping[str, str]]


class SynapseSync(SynapseClient):
    """Many files at once."""

    leaves = ("SYNAPSE_METADATA_MANIFEST.tsv", "manifest.csv")

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
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
            going.failed(name, told(error))
        else:
            self.watch.over(name)

    @override
    def fetch(self, going: Pass) -> None:
        synapseutils.syncFromSynapse(self.synapse, self.container, path=str(going.folder))


def _manifest_of(going: Pass) -> Path:
    return going.own / "manifest.tsv"


def _read(manifest: Path) -> Rows:
    with manifest.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _write(manifest: Path, rows: Rows) -> None:
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
