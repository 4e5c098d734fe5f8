"""How a tile becomes an object and an object a tile.

As GeoTrellis does it: a list of Avro records, here of one, without the schema and deflated in
zlib's format.  Each holds key, extent and bands.
"""

from __future__ import annotations

import io
import sys
import zlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from math import log2
from struct import Struct
from typing import Any, NamedTuple

from core import Driver

FASTAVRO = Driver(module="fastavro", distribution="fastavro", install='make .venv EXTRAS="tiles"')

_HEAD = Struct("<2i4d")
_PLACE = 8  # bytes of column and row, before the extent
_PIXEL = 2  # bytes
_HALF_WORLD = 20037508.342789244
"""Metres from the middle of Web Mercator to its edge."""
_MOST_ZOOM = 32


class TileForm(NamedTuple):
    """What the objects of a layer have in common."""

    payload: str
    """`avro`, or `raw` for bytes that are neither encoded nor deflated."""
    cells: str
    """Bands as `bytes` or as arrays of `ints`, in Avro."""
    level: int
    """Of deflate."""
    tile_size: int
    bands: int

    @property
    def band(self) -> int:
        return self.tile_size * self.tile_size * _PIXEL

    @property
    def decoded(self) -> int:
        return _HEAD.size + self.bands * self.band


class Tile(tuple[bytes, ...]):
    """A decoded tile: its head, which is key and extent packed, and its bands."""

    stored: int = 0
    """Bytes of the object that it was read from."""

    @property
    def place(self) -> tuple[int, int]:
        column, row, *_ = _HEAD.unpack(self[0])
        return column, row


def tile_of(zoom: int, column: int, row: int, bands: Sequence[bytes]) -> Tile:
    """A tile of Web Mercator with the extent that belongs to its place."""
    side = 2 * _HALF_WORLD / (1 << zoom)
    west, north = column * side - _HALF_WORLD, _HALF_WORLD - row * side
    return Tile((_HEAD.pack(column, row, west, north - side, west + side, north), *bands))


def digest_of(parts: Sequence[bytes]) -> bytes:
    """Identity of a tile, or of an object as a sequence of one."""
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(part)
    return digest.digest()


@cache
def schema_of(cells: str) -> Any:
    """The parsed schema of an object."""
    from fastavro import parse_schema

    numbers: object = {"type": "array", "items": "int"}
    band = _record("Band", cols="int", rows="int", cells="bytes" if cells == "bytes" else numbers)
    tile = _record(
        "Tile",
        key=_record("SpatialKey", col="int", row="int"),
        extent=_record("Extent", xmin="double", ymin="double", xmax="double", ymax="double"),
        bands={"type": "array", "items": band},
    )
    return parse_schema({"type": "array", "items": tile})


def _record(name: str, **fields: object) -> Mapping[str, object]:
    named = [{"name": field, "type": kind} for field, kind in fields.items()]
    return {"type": "record", "name": name, "fields": named}


def encode(tile: Tile, form: TileForm, deflated: Callable[[bytes], bytes] | None = None) -> bytes:
    """The object of a tile.  `deflated`: makes what follows its extent, where many have the same;
    as it was deflated alone, the object is some bytes longer.
    """
    if form.payload == "raw":
        return b"".join(tile)
    record = _record_of(tile, form)
    if deflated is None:
        return zlib.compress(record, form.level)
    extent = tile[0][_PLACE:]
    bands = record.index(extent) + len(extent)
    own = zlib.compressobj(form.level)
    head = own.compress(record[:bands]) + own.flush(zlib.Z_FULL_FLUSH)
    return head + deflated(record[bands:]) + zlib.adler32(record).to_bytes(4)


def deflate(level: int, data: bytes) -> bytes:
    """The last part of an object, without what zlib has around it."""
    alone = zlib.compressobj(level, wbits=-zlib.MAX_WBITS)
    return alone.compress(data) + alone.flush()


def _record_of(tile: Tile, form: TileForm) -> bytes:
    """The list of its one record."""
    from fastavro import schemaless_writer

    column, row, xmin, ymin, xmax, ymax = _HEAD.unpack(tile[0])
    size = form.tile_size
    cells = [
        band if form.cells == "bytes" else _swapped(array("H", band)).tolist() for band in tile[1:]
    ]
    record = {
        "key": {"col": column, "row": row},
        "extent": {"xmin": xmin, "ymin": ymin, "xmax": xmax, "ymax": ymax},
        "bands": [{"cols": size, "rows": size, "cells": one} for one in cells],
    }
    written = io.BytesIO()
    schemaless_writer(written, schema_of(form.cells), [record])
    return written.getvalue()


def _swapped(pixels: array[int]) -> array[int]:
    """Between little-endian and this machine's order."""
    if sys.byteorder == "big":
        pixels.byteswap()
    return pixels


def form_of(stored: bytes) -> tuple[TileForm, int] | None:
    """The form of an object that is encoded as here, and its zoom, 0 where that is not known.

    None for any other object.
    """
    for cells in ("bytes", "ints"):
        with suppress(*UNDECODABLE):
            if form := _form_of(stored, cells):
                return form
    return None


def _form_of(stored: bytes, cells: str) -> tuple[TileForm, int] | None:
    from fastavro import schemaless_reader

    data = io.BytesIO(zlib.decompress(stored))
    records: Any = schemaless_reader(data, schema_of(cells), None)
    (record,) = records
    bands, extent = record["bands"], record["extent"]
    size = bands[0]["cols"]
    pixels = size * size * (_PIXEL if cells == "bytes" else 1)
    if data.read(1) or any(len(band["cells"]) != pixels for band in bands):
        return None
    form = TileForm("avro", cells, 0, size, len(bands))
    return form, _zoom_of(extent["xmax"] - extent["xmin"])


def _zoom_of(side: float) -> int:
    """The zoom of tiles so many metres wide in Web Mercator; 0 where they are none of it."""
    zoom = log2(2 * _HALF_WORLD / side) if side > 0 else 0.0
    return round(zoom) if 0 < zoom < _MOST_ZOOM and abs(zoom - round(zoom)) < 1e-6 else 0


UNDECODABLE = (zlib.error, EOFError, ValueError, ArithmeticError, LookupError, TypeError)
"""What zlib and fastavro raise for objects that are not encoded as here."""


class Inflated(NamedTuple):
    """An inflated object, and how long it was before."""

    data: bytes
    stored: int


class Decoder:
    """The two steps from an object to its tile; they raise what zlib and fastavro raise."""

    def __init__(self, form: TileForm) -> None:
        self._form = form
        # A little more than the bands, or zlib would grow its room by copying.
        self._room = form.decoded + 1024 if form.cells == "bytes" else 2 * form.decoded
        if form.payload == "avro":
            from fastavro import schemaless_reader

            self._read: Callable[..., Any] = schemaless_reader
            self._schema = schema_of(form.cells)

    def inflate(self, stored: bytes | None) -> Inflated | None:
        """The records of an object; a hole stays one."""
        if stored is None:
            return None
        return Inflated(zlib.decompress(stored, bufsize=self._room), len(stored))

    def decode(self, inflated: Inflated | None) -> Tile | None:
        """The tile of one record; raises ValueError where there is not exactly one."""
        if inflated is None:
            return None
        (record,) = self._read(io.BytesIO(inflated.data), self._schema)
        key, extent = record["key"], record["extent"]
        head = _HEAD.pack(
            key["col"], key["row"], extent["xmin"], extent["ymin"], extent["xmax"], extent["ymax"]
        )
        tile = Tile((head, *map(self._band, record["bands"])))
        tile.stored = inflated.stored
        return tile

    def _band(self, band: Mapping[str, Any]) -> bytes:
        cells = band["cells"]
        if self._form.cells == "bytes":
            pixels: bytes = cells
            return pixels
        return _swapped(array("H", cells)).tobytes()

    def split(self, stored: bytes | None) -> Tile | None:
        """The tile of an object that is not encoded; a hole stays one."""
        if stored is None:
            return None
        ends = range(_HEAD.size, len(stored), max(self._form.band, 1))
        tile = Tile((stored[: _HEAD.size], *(stored[at : at + self._form.band] for at in ends)))
        tile.stored = len(stored)
        return tile
