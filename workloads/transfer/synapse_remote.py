"""A project or folder of Synapse as a remote: folders by their paths, files, annotations.

Folders at the top say that Sluice made them.  Only what is in such a folder is ever removed: the
project may be one that people work in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, override

from core import ReportProgress, SluiceError, tr
from workloads.shared.threads import mapped
from workloads.transfer.remotes import THREADS, Arrived, Remote
from workloads.transfer.synapse_service import (
    FOLDER,
    PROJECT,
    FolderEntry,
    SynapseService,
    synapse_address,
    token_of,
)
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import TreeFile, hash_blocks, hash_file

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

    def starting(self, prefix: str) -> Iterator[FolderEntry]:
        """What lies in a folder, or of that those whose names begin so: `folder/`, `folder/be`."""
        folder, _, stem = prefix.rpartition("/")
        if (parent := self.existing(folder)) is not None:
            for child in self._service.children(parent):
                if child.name.startswith(stem):
                    yield child

    def files_below(
        self, children: Iterator[FolderEntry], above: str = ""
    ) -> Iterator[tuple[str, str]]:
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
        container = self.existing(folder)
        if container is None:
            return 0
        self._require_own(folder.partition("/")[0])
        files = sum(1 for _ in self.files_below(self.starting(prefix)))
        self._service.remove(container)
        return files

    def _require_own(self, top: str) -> None:
        folder = self.existing(top)
        entity = self._service.ask("GET", f"/entity/{folder}") if folder else {}
        if entity.get("description") != MADE_HERE:
            raise SluiceError(
                tr("the folder {name} in Synapse is not one that Sluice has made", name=top),
                tr("move it away, or name another project"),
            )


ANNOTATIONS: Mapping[str, Any] = {
    "annot1": "value1",
    "annot2": 1,
    "annot3": 1.2,
    "annot4": True,
    "annot5": datetime(2020, 1, 1, tzinfo=UTC),
}
IN_MANIFEST: Mapping[str, str] = {
    "annot1": "value1",
    "annot2": "1",
    "annot3": "1.2",
    "annot4": "true",
    "annot5": "2020-01-01",
}
_STORED: Mapping[str, tuple[str, str]] = {
    "annot1": ("STRING", "value1"),
    "annot2": ("LONG", "1"),
    "annot3": ("DOUBLE", "1.2"),
    "annot4": ("BOOLEAN", "true"),
}
_DATE = "annot5"
_DAY = 86_400_000  # milliseconds


def flaw_of(stored: Mapping[str, Any]) -> str:
    """What is wrong with the annotations of a file, as the service tells them; empty if right."""
    for name, (kind, value) in _STORED.items():
        annotation = stored.get(name, {})
        if annotation.get("type") != kind or list(annotation.get("value", ())) != [value]:
            return tr("its annotation {name} is not what was given", name=name)
    date = stored.get(_DATE, {})
    moments = date.get("value", ()) if date.get("type") == "TIMESTAMP_MS" else ()
    day = round(1000 * ANNOTATIONS[_DATE].timestamp())
    # A manifest has no time zone: the date may be a day off.
    if [abs(int(moment) - day) <= _DAY for moment in moments] != [True]:
        return tr("its annotation {name} is not what was given", name=_DATE)
    return ""


_READINGS = 5
"""Attempts at reading a file whose connection breaks in the middle."""
_WHAT = {"includeEntity": True, "includeAnnotations": True}


class SynapseRemote(Remote):
    """Files in folders below the project or folder of an address."""

    def __init__(self, parameters: TransferParameters) -> None:
        address = synapse_address(parameters.address)
        self._annotated = parameters.direction == "up" and parameters.annotations
        self._service = SynapseService(address, token_of(parameters), THREADS)
        self._folders = SynapseFolders(self._service, address.container)
        # Once, so that what stands in the way of every request is said before the clock.
        try:
            self._service.ask("GET", f"/entity/{self._folders.made('')}")
        except SluiceError:
            self._service.close()
            raise

    @override
    def put(self, name: str, path: Path) -> None:
        size, md5 = hash_file(path)

        def read(start: int, count: int) -> bytes:
            with path.open("rb") as file:
                file.seek(start)
                return file.read(count)

        folder, _, last = name.rpartition("/")
        handle = self._service.upload(last, size, md5.hex(), read)
        self._service.store(last, self._folders.made(folder), handle)

    @override
    def arrived(
        self, prefix: str, files: Sequence[TreeFile], report: ReportProgress
    ) -> Mapping[str, Arrived]:
        # What the service tells as MD5 is what the client has claimed: the bytes are read.
        self._folders.forget()
        stem = prefix.rpartition("/")[2]
        below = self._folders.files_below(self._folders.starting(prefix))
        there = {name.removeprefix(stem): entity for name, entity in below}
        arrived: dict[str, Arrived] = {}
        hashed = mapped(THREADS, "audit", self._arrived, there.values())
        for name, one in zip(there, hashed, strict=True):
            arrived[name] = one
            report("reading back what arrived", len(arrived), len(there), "file")
        return arrived

    def _arrived(self, entity: str) -> Arrived:
        bundle = self._service.ask("POST", f"/entity/{entity}/bundle2", _WHAT)
        flaw = flaw_of(bundle["annotations"]["annotations"]) if self._annotated else ""
        return self._hashed(entity, bundle["entity"]["dataFileHandleId"])._replace(flaw=flaw)

    def _hashed(self, entity: str, handle: str) -> Arrived:
        for attempt in range(_READINGS):
            try:
                return Arrived(*hash_blocks(self._service.read(entity, handle)))
            except self._service.broken as error:
                if attempt == _READINGS - 1:
                    raise SluiceError(
                        tr("what is in Synapse cannot be read: {why}", why=error)
                    ) from error
        raise AssertionError("the last attempt returns or raises")

    @override
    def note(self, name: str) -> bytes | None:
        entity = self._folders.existing(name)
        if entity is None:
            return None
        handle = self._service.ask("GET", f"/entity/{entity}")["dataFileHandleId"]
        return b"".join(self._service.read(entity, handle))

    @override
    def write_note(self, name: str, value: bytes) -> None:
        md5 = hashlib.md5(value, usedforsecurity=False).hexdigest()
        folder, _, last = name.rpartition("/")
        handle = self._service.upload(
            last, len(value), md5, lambda start, count: value[start : start + count]
        )
        self._service.store(last, self._folders.made(folder), handle)

    @override
    def remove(self, prefix: str) -> int:
        return self._folders.remove(prefix)

    @override
    def close(self) -> None:
        self._service.close()
