"""synapseclient, one file after the other: `store` up, `getChildren` and `get` down."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import override

import synapseclient

from core import tr
from workloads.transfer.clients.counted_synapse import told
from workloads.transfer.clients.synapse_client import SynapseClient
from workloads.transfer.passes import Pass
from workloads.transfer.synapse_annotations import GIVEN

_FOLDER = "org.sagebionetworks.repo.model.Folder"
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
                    going.failed(file.name, told(error))

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
            given = synapseclient.Annotations(saved.id, saved.etag, dict(GIVEN))
            self.synapse.set_annotations(given)
        self.watch.over(name)

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
            elif child["type"] == _FOLDER:
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
                going.failed(name, told(error))
        else:
            self.watch.over(name)
