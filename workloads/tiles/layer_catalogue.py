"""The catalogue of a layer of tiles, by which its tiles in any store are judged, and its objects.

`layer.json` says what the layer is, and has the digest of the index; `index.msgpack` has of each
tile its key, its place in `objects.bin`, and digests of its object and of its bands.  A place of
the rectangle that is not in the index is a hole.  Stores are filled from the objects.  Keys are
places on the Z-order curve, which keeps neighbours in the plane close: GeoTrellis' key index.

The objects of an adopted layer are not here: they stay in the store where they were found.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from core import reading, tr
from workloads.shared.datasets import CatalogueFiles, digest_of_index
from workloads.tiles.tile_codec import TileForm
from workloads.tiles.tile_keys import GridPlace, place_of, z_order

HEADING, INDEX, OBJECTS = "layer.json", "index.msgpack", "objects.bin"
FORMAT = "sluice tile layer 1"


UNKNOWN = "unknown"
"""Payload of objects that nobody here can decode; zoom, size and bands of their tiles are 0."""
DECODED = ("avro", "raw")
"""Payloads that are known here."""


class LayerHeading(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What a layer is; `column` and `row` are those of its first tile."""

    format: str
    zoom: int
    column: int
    row: int
    columns: int
    rows: int
    tile_size: int
    bands: int
    payload: str
    cells: str
    level: int
    tiles: int
    bytes: int
    """Of all objects."""
    digest: str
    """Of the index, and so of every tile: the identity of the layer."""
    adopted: str = ""
    """Its name in the store where it was found, where its objects stay; empty = they are here."""
    pyramid: bool = False
    """Its keys tell the zoom of a tile, too (`GridPlace`); the rectangle is that of the largest,
    and the payload is the usual ending of files with such tiles."""

    @property
    def is_opaque(self) -> bool:
        """Whether nobody here can decode its tiles."""
        return self.payload not in DECODED

    @property
    def zoom_of_keys(self) -> int:
        """That at which its keys are places, the smallest possible where it is not known; -1 for a
        pyramid.
        """
        if self.pyramid:
            return -1
        return self.zoom or max(self.column + self.columns, self.row + self.rows).bit_length()

    @property
    def form(self) -> TileForm:
        return TileForm(self.payload, self.cells, self.level, self.tile_size, self.bands)


class PlacedTile(NamedTuple):
    """One tile in the catalogue."""

    key: int
    at: int
    """Where its object begins."""
    size: int
    """Bytes of its object."""
    stored: bytes
    """Digest of its object."""
    decoded: bytes
    """Digest of the tile."""


CATALOGUE = CatalogueFiles(
    heading=HEADING,
    index=INDEX,
    format=FORMAT,
    headings=msgspec.json.Decoder(LayerHeading),
    rows=msgspec.msgpack.Decoder(list[PlacedTile]),
    remedy=lambda: tr("generate the layer again, or adopt it again"),
)
"""Decoders are made once, while one thread imports: two that have msgspec learn a type at once may
crash."""


class Layer:
    """A layer that was opened: its catalogue, and its objects through a memory map."""

    def __init__(self, path: Path, heading: LayerHeading, placed: Mapping[int, PlacedTile]) -> None:
        self.path = path
        self.heading = heading
        self.placed = placed
        self._objects: mmap.mmap | None = None
        self._view: memoryview | None = None
        if not heading.adopted:
            with (path / OBJECTS).open("rb") as file:
                self._objects = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._view = memoryview(self._objects)

    @classmethod
    def open(cls, path: Path) -> Self:
        """The layer in a folder; raises DatasetError, saying which of its files is wrong."""
        heading = heading_of(path)
        rows = CATALOGUE.rows_of(path, heading.digest)
        return cls(path, heading, {row.key: row for row in rows})

    def object(self, key: int) -> bytes:
        assert self._objects is not None
        placed = self.placed[key]
        return self._objects[placed.at : placed.at + placed.size]

    def view(self, key: int) -> memoryview:
        """The same without a copy, for what takes views; it holds the layer open."""
        assert self._view is not None
        placed = self.placed[key]
        return self._view[placed.at : placed.at + placed.size]

    def describe(self, key: int) -> str:
        """The name of one of its tiles in messages."""
        return describe_key(key, pyramid=self.heading.pyramid)

    def objects(self) -> Iterator[tuple[int, bytes]]:
        """All objects with their keys, in the curve's order."""
        for key in self.placed:
            yield key, self.object(key)

    def close(self) -> None:
        if self._objects is not None and self._view is not None:
            self._view.release()
            self._objects.close()


def write_catalogue(folder: Path, heading: LayerHeading, placed: Sequence[PlacedTile]) -> None:
    """Write the index, and the heading with its digest."""
    index = msgspec.msgpack.encode(placed)
    whole = msgspec.structs.replace(heading, digest=digest_of_index(index))
    CATALOGUE.write(folder, whole, index)


def rectangle(column: int, row: int, columns: int, rows: int) -> Sequence[int]:
    """The keys of all places of a rectangle, holes too, in the curve's order."""
    return sorted(
        z_order(across, down)
        for down in range(row, row + rows)
        for across in range(column, column + columns)
    )


def heading_of(path: Path) -> LayerHeading:
    """What a folder says that it is; raises DatasetError where it is damaged or incomplete."""
    heading = CATALOGUE.heading_of(path)
    if heading.adopted:
        return heading
    with reading(path / OBJECTS):
        size = (path / OBJECTS).stat().st_size
    if size != heading.bytes:
        raise CATALOGUE.damaged(
            path / OBJECTS, tr("it has {size:,} B of {wanted:,} B", size=size, wanted=heading.bytes)
        )
    return heading


def too_few(got: int, wanted: int) -> str:
    """What is wrong where tiles are missing, or there are too many."""
    return tr("{got:,} of 1 tile", "{got:,} of {count:,} tiles", count=wanted, got=got)


def describe_key(key: int, *, pyramid: bool = False) -> str:
    """A tile's name in messages."""
    if pyramid:
        return f"tile {GridPlace.of(key)}"
    column, row = place_of(key)
    return f"tile {column}, {row} (key {key})"
