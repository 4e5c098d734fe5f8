"""Folders in Synapse by their paths.  Those at the top say that Sluice made them.

Only what is in such a folder is ever removed: the project may be one that people work in.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock

from core import SluiceError, tr
from workloads.transfer.remotes.synapse_service import FOLDER, PROJECT, Child, SynapseService

MADE_HERE = "Made by Sluice for measurements of transfers, and removed by it."
_PROJECT = "Sluice transfers"


class SynapseFolders:
    """Folders below a project or folder; for many threads."""

    def __init__(self, service: SynapseService, container: str) -> None:
        """`container`: empty = a project of Sluice's own, made when it is first needed."""
        self._service = service
        self._container = container
        self._known: dict[str, str] = {}
        self._lock = Lock()

    def made(self, path: str) -> str:
        """The id of a folder, which is made if need be with all above it; empty = the root."""
        with self._lock:
            return self._made(path)

    def _made(self, path: str) -> str:
        if path not in self._known:
            self._known[path] = self._make(path)
        return self._known[path]

    def _make(self, path: str) -> str:
        if not path:
            return self._container or self._service.make(
                PROJECT, _PROJECT, None, description=MADE_HERE
            )
        above, _, name = path.rpartition("/")
        more = {} if above else {"description": MADE_HERE}
        return self._service.make(FOLDER, name, self._made(above), **more)

    def existing(self, path: str) -> str | None:
        """The id of a file or folder; None where there is none."""
        with self._lock:
            if path in self._known:
                return self._known[path]
        if not path:
            return self._container or self._service.find(None, _PROJECT)
        above, _, name = path.rpartition("/")
        parent = self.existing(above)
        return None if parent is None else self._service.find(parent, name)

    def forget(self) -> None:
        """What is known of folders holds no longer: some may have been removed."""
        with self._lock:
            self._known.clear()

    def starting(self, prefix: str) -> Iterator[Child]:
        """What lies in a folder, or of that those whose names begin so: `folder/`, `folder/be`."""
        folder, _, stem = prefix.rpartition("/")
        if (parent := self.existing(folder)) is not None:
            for child in self._service.children(parent):
                if child.name.startswith(stem):
                    yield child

    def files_below(self, children: Iterator[Child], above: str = "") -> Iterator[tuple[str, str]]:
        """Names and ids of all files among these and below them."""
        for child in children:
            name = above + child.name
            if child.is_folder:
                yield from self.files_below(self._service.children(child.id), f"{name}/")
            else:
                yield name, child.id

    def remove(self, prefix: str) -> int:
        """Remove all whose names begin so; returns how many files it was.

        Raises SluiceError for what Sluice did not make.
        """
        self.forget()
        folder, _, stem = prefix.rpartition("/")
        if stem or not folder:
            raise ValueError(f"{prefix!r} does not name a folder")
        found = self.existing(folder)
        if found is None:
            return 0
        self._require_own(folder.partition("/")[0])
        files = sum(1 for _ in self.files_below(self.starting(prefix)))
        self._service.remove(found)
        return files

    def _require_own(self, top: str) -> None:
        found = self.existing(top)
        entity = self._service.ask("GET", f"/entity/{found}") if found else {}
        if entity.get("description") != MADE_HERE:
            raise SluiceError(
                tr("the folder {name} in Synapse is not one that Sluice has made", name=top),
                tr("move it away, or name another project"),
            )
