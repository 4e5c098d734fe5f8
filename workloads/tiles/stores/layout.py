"""What layouts of tiles have in common: folders by zoom and column, MBTiles, and PMTiles.

Their tiles are opaque bytes of all zooms.  A layer that was not made here is read as it is, after
an independent reading has catalogued it.  Where the layer is one file, its manifest lies beside it.
"""

from __future__ import annotations

import errno
import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import override

from core import InvalidParameter, SluiceError, file_state, tr
from workloads.shared.servers import make_room
from workloads.tiles.stores.store import Opening, Store
from workloads.tiles.tile_keys import GridPlace, first_key


def split_address(address: str, suffix: str) -> tuple[str, str]:
    """Folder and layer of an address that names the layer itself; an empty layer for another.

    `suffix`: of the file; empty for a folder.  The query of an address stays with its folder.
    """
    place, mark, query = address.partition("?")
    folder, _, name = place.rstrip("/").rpartition("/")
    if not place.lower().endswith(suffix) or not name.removesuffix(suffix):
        return address, ""
    return (folder or "/") + mark + query, name.removesuffix(suffix)


def file_name(layer: str, suffix: str) -> str:
    """Of the file of a layer; one that ends in capitals is part of the layer's name."""
    return layer if layer.lower().endswith(suffix) else layer + suffix


_SERVERS = {"s3": "s3", "http": "http", "https": "http"}


def server_of(address: str) -> str:
    """What answers at an address, empty where that is a folder; raises InvalidParameter."""
    scheme, mark, _ = address.partition("://")
    if mark and scheme not in _SERVERS:
        raise InvalidParameter(
            "address",
            tr("{address!r} is no place for tiles", address=address),
            tr("give a folder, s3://bucket/prefix or http://host:port/folder"),
        )
    return _SERVERS[scheme] if mark else ""


class Layout(Store):
    """Tiles by zoom, column and row."""

    def __init__(self, opening: Opening) -> None:
        # The keys of a layer with one zoom do not say which.
        self._before = first_key(opening.zoom) if opening.zoom >= 0 else 0

    def place(self, key: int) -> GridPlace:
        return GridPlace.of(key + self._before)

    @abstractmethod
    def scan(self) -> Iterator[tuple[GridPlace, bytes]]:
        """All tiles by another way of reading than `get`; raises DatasetError for what is damaged.

        A tile may come more than once.
        """

    def state(self) -> str:
        """Identity of what is there now: as many hexadecimal digits as name a folder of indexes."""
        raise NotImplementedError

    @property
    def ending(self) -> str:
        """How the names of its tiles end, where they have names of their own."""
        return ""

    def description(self) -> Mapping[str, object]:
        """What the layer says of itself, by name as in TileJSON; empty where it says nothing."""
        return {}

    def describe(self, description: Mapping[str, object]) -> None:
        """Write that, where tiles are written; before `finish`."""


def folder_of(opening: Opening) -> Path:
    """The folder with the layer, made where that may be; raises InvalidParameter, SluiceError."""
    if not opening.address:
        raise InvalidParameter("address", tr("tiles in files need a folder"), tr("name one"))
    folder = Path(opening.address)
    if not opening.as_it_is:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SluiceError(
                tr("{path} cannot be used: {why}", path=folder, why=error.strerror),
                tr("choose a folder that you may write to as the address"),
            ) from error
    return folder


class FileLayout(Layout):
    """A layer in one local file, which is written by one process at a time."""

    suffix: str

    def __init__(self, opening: Opening) -> None:
        super().__init__(opening)
        self._path = folder_of(opening) / file_name(opening.layer, self.suffix)
        self._manifest = self._path.with_name(f".{self._path.name}.manifest")

    @override
    def state(self) -> str:
        return file_state(self._path)

    @abstractmethod
    def count(self) -> int:
        """How many tiles the file says it has."""

    @override
    def remedy(self, error: Exception) -> str:
        number = error.errno if isinstance(error, OSError) else None
        return make_room() if number in (errno.ENOSPC, errno.EDQUOT) else ""

    @override
    def put(self, key: int, value: bytes) -> None:
        self.put_many([(key, value)])

    @override
    def put_now(self, objects: Sequence[tuple[int, bytes]]) -> None:
        self.put_many(objects)
        self.finish()

    @override
    def manifest(self) -> bytes | None:
        try:
            return self._manifest.read_bytes() if self._path.exists() else None
        except FileNotFoundError:
            return None

    @override
    def set_manifest(self, value: bytes) -> None:
        unfinished = self._manifest.with_name(f"{self._manifest.name}.new")
        with unfinished.open("wb") as file:
            file.write(value)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._manifest)

    @override
    def remove(self) -> int:
        there = int(self._manifest.exists())
        # The manifest first: of a layer that is half removed, nobody may think it is complete.
        self._manifest.unlink(missing_ok=True)
        if self._path.exists():
            there += self.count()
            for end in ("", "-journal", "-wal", "-shm"):
                self._path.with_name(self._path.name + end).unlink(missing_ok=True)
        return there
