"""A layer of tiles: its kind of dataset, the shape of generated ones, and the three files it is in.

`layer.json` says what the layer is, and has the digest of the index; `index.msgpack` has of each
tile its key, its place in `objects.bin`, and digests of its object and of its bands.  This is the
catalogue by which tiles in any store are judged, and what stores are filled from.  A place of the
rectangle that is not in the index is a hole.  Keys are places on the Z-order curve, which keeps
neighbours in the plane close: GeoTrellis' key index.

Of a layer that was adopted the objects are not here: they stay in the store where they were found.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self, override

import msgspec

from core import (
    Dataset,
    DatasetError,
    DatasetKind,
    ReportProgress,
    choice,
    integer,
    location,
    reading,
    real,
    tr,
)
from workloads.shared.datasets import CatalogueFiles, digest_of_index, refusal_of
from workloads.tiles.tile_codec import TileForm
from workloads.tiles.tile_parameters import LayerPlace

_SMOOTH, _NOISY = 0.34, 0.05  # what deflate leaves of terrain, and more for each bit of noise


@dataclass(frozen=True, kw_only=True)
class LayerShape:
    """One layer: a rectangle of tiles at one zoom, some of them missing."""

    columns: int = integer(30, low=1, high=4096, scale="log2", help="Columns of tiles.")
    rows: int = integer(30, low=1, high=4096, scale="log2", help="Rows of tiles.")
    holes: float = real(
        0.05,
        low=0,
        high=0.95,
        help="Share of the places that have no tile, as at the edges of a scene.",
    )
    tile_size: int = integer(
        256, low=8, high=2048, scale="log2", unit="pixels", help="Columns and rows of each tile."
    )
    bands: int = integer(5, low=1, high=16, help="Bands of 16 bits in each tile.")
    zoom: int = integer(13, low=1, high=28, help="Zoom of the layer; the world has 4^zoom tiles.")
    payload: str = choice(
        "avro",
        options={
            "avro": "Avro records with key, extent and bands, deflated, as GeoTrellis keeps them.",
            "raw": "The same bytes one after the other, neither encoded nor deflated.",
        },
        help="What an object holds.",
    )
    cells: str = choice(
        "bytes",
        options={
            "bytes": "A band is one run of bytes, so that decoding costs next to nothing.",
            "ints": "A band is an array of numbers, as GeoTrellis encodes 16 bits; Python decodes them one by one.",
        },
        only_when={"payload": ("avro",)},
        help="How the records hold their bands.",
    )
    level: int = integer(
        6, low=1, high=9, only_when={"payload": ("avro",)}, help="Level of deflate; 6 is Java's."
    )
    noise: int = integer(
        3, low=0, high=15, unit="bits", help="Bits of noise in each pixel, above smooth terrain."
    )
    image: str = location(
        "", help="GeoTIFF that the tiles are cut from, over and over; empty = generated imagery."
    )
    seed: int = integer(1, low=0, high=2**31 - 1, help="Seed of imagery and holes.")

    @property
    def room(self) -> int:
        pixels = self.columns * self.rows * (1 - self.holes) * self.bands * self.tile_size**2
        packed = 1.0 if self.image else min(1.0, _SMOOTH + _NOISY * self.noise)
        return round(2 * pixels * (packed if self.payload == "avro" else 1.0))


class TileLayer(DatasetKind):
    """A folder with a layer of tiles and the catalogue by which any store of it is judged."""

    name = "tile-layer"
    title = "layer of tiles"
    shape = LayerShape
    adoption = LayerPlace

    @override
    def recognises(self, path: Path) -> bool:
        return path.is_dir() and CATALOGUE.begins(path)

    @override
    def files(self, path: Path) -> Sequence[Path]:
        names = (HEADING, INDEX) if _is_adopted(path) else (HEADING, INDEX, OBJECTS)
        return sorted(path / name for name in names)

    @override
    def open(self, path: Path) -> Dataset:
        heading_of(path)
        return super().open(path)

    @override
    def explain(self, path: Path) -> DatasetError | None:
        return refusal_of(lambda: heading_of(path)) if (path / HEADING).is_file() else None

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        heading = heading_of(path)
        decoded = heading.tiles * heading.form.decoded
        if heading.adopted:
            where: dict[str, int | str] = {"layer": heading.adopted, "payload": heading.payload}
        else:
            where = {}
        return {
            **where,
            "files": len(self.files(path)),
            "tiles": heading.tiles,
            "holes": heading.columns * heading.rows - heading.tiles,
            "zoom": heading.zoom,
            "bytes of objects": heading.bytes,
            "decoded to one byte": f"{decoded / heading.bytes:.2f}",
        }

    @override
    def sample(self) -> LayerShape:
        """A layer of 64 small tiles: one of the published size takes half a minute and 300 MB."""
        return LayerShape(columns=8, rows=8, tile_size=64)

    @override
    def make(self, shape: LayerShape, folder: Path, report: ReportProgress) -> Path:
        from workloads.tiles.make_layer import make_layer

        make_layer(shape, folder, report)
        return folder

    @override
    def adopt(self, wishes: LayerPlace, folder: Path, report: ReportProgress) -> None:
        """Catalogue the layer; its objects stay where they are."""
        from workloads.tiles.layer_in_store import adopt_layer

        adopt_layer(wishes, folder, report)


def _is_adopted(path: Path) -> bool:
    try:
        return bool(heading_of(path).adopted)
    except DatasetError:
        return False


_SHIFTS = (16, 8, 4, 2, 1)
_MASKS = (
    0x00000000FFFFFFFF,
    0x0000FFFF0000FFFF,
    0x00FF00FF00FF00FF,
    0x0F0F0F0F0F0F0F0F,
    0x3333333333333333,
    0x5555555555555555,
)


def z_order(column: int, row: int) -> int:
    """The place of a tile on the curve: its bits by turns, the column's first (lowest)."""
    return _spread(column) | _spread(row) << 1


def place_of(key: int) -> tuple[int, int]:
    """Column and row of a place on the curve."""
    return _gathered(key), _gathered(key >> 1)


def _spread(number: int) -> int:
    """The bits of a number of up to 32 at every other place."""
    for shift, mask in zip(_SHIFTS, _MASKS[1:], strict=True):
        number = (number | number << shift) & mask
    return number


def _gathered(number: int) -> int:
    """The bits at every other place of a number."""
    number &= _MASKS[-1]
    for shift, mask in zip(reversed(_SHIFTS), reversed(_MASKS[:-1]), strict=True):
        number = (number | number >> shift) & mask
    return number


HEADING, INDEX, OBJECTS = "layer.json", "index.msgpack", "objects.bin"
FORMAT = "sluice tile layer 1"


UNKNOWN = "unknown"
"""Payload of objects that nobody here can decode; zoom, size and bands of their tiles are 0."""


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
        if not heading.adopted:
            with (path / OBJECTS).open("rb") as file:
                self._objects = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

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

    def objects(self) -> Iterator[tuple[int, bytes]]:
        """All objects with their keys, in the curve's order."""
        for key in self.placed:
            yield key, self.object(key)

    def close(self) -> None:
        if self._objects is not None:
            self._objects.close()


def write_catalogue(folder: Path, heading: LayerHeading, placed: Sequence[PlacedTile]) -> None:
    """Write the index, and the heading with its digest."""
    index = msgspec.msgpack.encode(placed)
    told = msgspec.structs.replace(heading, digest=digest_of_index(index))
    CATALOGUE.write(folder, told, index)


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


def describe_key(key: int) -> str:
    """A tile's name in messages."""
    column, row = place_of(key)
    return f"tile {column}, {row} (key {key})"
