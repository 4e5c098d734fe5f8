"""Tiles as files by zoom, column and row: `LAYER/z/x/y.png`, as maps on the web ask for them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, override

import msgspec

from core import DatasetError, remove_tree, tr
from workloads.shared.datasets import require_inside
from workloads.tiles.stores.file_store import MANIFEST, FileStore
from workloads.tiles.stores.layout import Layout
from workloads.tiles.stores.store import Opening
from workloads.tiles.stores.tile_grid import UNKNOWN_FORMAT, require_few, require_in_grid
from workloads.tiles.tile_keys import MOST_ZOOM, GridPlace

_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")
_TILE = re.compile(
    rf"({_NUMBER.pattern})\.(png|jpe?g|webp|avif|gif|tiff?|pbf|mvt|mlt|terrain|avro|raw|bin|unknown)"
)
_DESCRIPTION = "metadata.json"


class TileFile(NamedTuple):
    """A tile in a folder."""

    place: GridPlace
    ending: str
    path: Path


def tile_files(folder: Path) -> Iterator[TileFile]:
    """The tiles below a folder; other files and folders are passed over.

    Raises OSError, and DatasetError for places that no zoom has.
    """
    for zoom in _numbers(folder):
        if zoom > MOST_ZOOM:
            continue
        for column in _numbers(folder / str(zoom)):
            below = folder / str(zoom) / str(column)
            for name in sorted(os.listdir(below)):
                if match := _TILE.fullmatch(name):
                    place = GridPlace(zoom, column, int(match[1]))
                    yield TileFile(require_in_grid(folder, place), match[2], below / name)


def _numbers(folder: Path) -> list[int]:
    with os.scandir(folder) as entries:
        return sorted(
            int(entry.name) for entry in entries if _NUMBER.fullmatch(entry.name) and entry.is_dir()
        )


def ending_in(folder: Path) -> str:
    """How the name of a tile in a folder ends; empty where there is none."""
    return next((file.ending for file in tile_files(folder)), "")


def all_tile_files(folder: Path) -> list[TileFile]:
    """The tiles of a layer; raises DatasetError where they are of several kinds or lead out."""
    files = list(tile_files(folder))
    require_few(folder, len(files))
    if len(endings := sorted({file.ending for file in files})) > 1:
        raise DatasetError(
            tr(
                "{path} has tiles of several kinds: {endings}",
                path=folder,
                endings=", ".join(endings),
            ),
            tr("put those of one kind into a folder of their own"),
        )
    require_inside(folder, (file.path for file in files))
    return files


def layout_files(layer: Path) -> tuple[Path, ...]:
    """The files of a layer in a layout, which is a folder or a file; none where it is not there."""
    if layer.is_dir():
        return tuple(sorted(file.path for file in tile_files(layer)))
    return (layer,) if layer.is_file() else ()


class XyzStore(FileStore, Layout):
    """As files side by side, but in folders, which are walked for each tile."""

    def __init__(self, opening: Opening) -> None:
        Layout.__init__(self, opening)
        FileStore.__init__(self, opening)
        self._ending = opening.format or ending_in(self._path) or UNKNOWN_FORMAT

    @override
    def name_of(self, key: int) -> str:
        return f"{self.place(key)}.{self._ending}"

    @property
    @override
    def ending(self) -> str:
        return self._ending

    @override
    def keys(self) -> Iterable[int]:
        return [file.place.key - self._before for file in all_tile_files(self._path)]

    @override
    def scan(self) -> Iterator[tuple[GridPlace, bytes]]:
        for file in all_tile_files(self._path):
            yield file.place, file.path.read_bytes()

    @override
    def put(self, key: int, value: bytes) -> None:
        try:
            super().put(key, value)
        except FileNotFoundError:
            (self._path / self.name_of(key)).parent.mkdir(parents=True, exist_ok=True)
            super().put(key, value)

    @override
    def description(self) -> Mapping[str, object]:
        try:
            return msgspec.json.decode((self._path / _DESCRIPTION).read_bytes(), type=dict)
        except (OSError, msgspec.DecodeError):
            return {}

    @override
    def describe(self, description: Mapping[str, object]) -> None:
        if description:
            (self._path / _DESCRIPTION).write_bytes(msgspec.json.encode(description))

    @override
    def remove(self) -> int:
        if not self._path.is_dir():
            return 0
        manifest = self._path / MANIFEST
        count = sum(1 for _ in tile_files(self._path)) + manifest.exists()
        # The manifest first: of a layer that is half removed, nobody may think it is complete.
        manifest.unlink(missing_ok=True)
        remove_tree(self._path)
        return count
