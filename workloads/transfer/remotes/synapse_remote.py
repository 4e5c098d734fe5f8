"""A project or folder of Synapse as a remote."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import override

from core import SluiceError, Tell, tr
from workloads.transfer.remotes.remote import Arrived, Remote
from workloads.transfer.remotes.synapse_folders import SynapseFolders
from workloads.transfer.remotes.synapse_service import SynapseService
from workloads.transfer.synapse_access import synapse_address, token_of
from workloads.transfer.synapse_annotations import flaw_of
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import TreeFile, hash_file

_THREADS = 8
_READINGS = 5
"""Attempts at reading a file whose connection breaks in the middle."""
_WHAT = {"includeEntity": True, "includeAnnotations": True}


class SynapseRemote(Remote):
    """Files in folders below the project or folder of an address."""

    def __init__(self, parameters: TransferParameters) -> None:
        address = synapse_address(parameters.address)
        self._annotated = parameters.direction == "up" and parameters.annotations
        self._service = SynapseService(address, token_of(parameters), _THREADS)
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
    def found(self, prefix: str, files: Sequence[TreeFile], tell: Tell) -> Mapping[str, Arrived]:
        # What the service tells as MD5 is what the client has claimed: the bytes are read.
        self._folders.forget()
        stem = prefix.rpartition("/")[2]
        below = self._folders.files_below(self._folders.starting(prefix))
        there = {name.removeprefix(stem): entity for name, entity in below}
        found: dict[str, Arrived] = {}
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="audit") as pool:
            for name, one in zip(there, pool.map(self._arrived, there.values()), strict=True):
                found[name] = one
                tell("reading back what arrived", len(found), len(there), "file")
        return found

    def _arrived(self, entity: str) -> Arrived:
        told = self._service.ask("POST", f"/entity/{entity}/bundle2", _WHAT)
        flaw = flaw_of(told["annotations"]["annotations"]) if self._annotated else ""
        return self._hashed(entity, told["entity"]["dataFileHandleId"])._replace(flaw=flaw)

    def _hashed(self, entity: str, handle: str) -> Arrived:
        for attempt in range(_READINGS):
            digest, size = hashlib.md5(usedforsecurity=False), 0
            try:
                for block in self._service.read(entity, handle):
                    digest.update(block)
                    size += len(block)
            except self._service.broken as error:
                if attempt == _READINGS - 1:
                    raise SluiceError(
                        tr("what is in Synapse cannot be read: {why}", why=error)
                    ) from error
            else:
                return Arrived(size, digest.digest())
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
