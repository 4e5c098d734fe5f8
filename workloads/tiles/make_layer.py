"""Generates layers, tile by tile: no more than a few are in memory at once.

Imagery is smooth terrain with noise, the same on every machine, or cut from a GeoTIFF.  Terrain is
continuous across the borders of tiles, unless it repeats.  All is made of whole numbers, because
the last digits of a sine differ from processor to processor.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core import DatasetError, Driver, ReportProgress, choice, integer, location, real, tr
from workloads.shared.threads import mapped
from workloads.tiles.layer_catalogue import (
    FORMAT,
    OBJECTS,
    LayerHeading,
    PlacedTile,
    rectangle,
    write_catalogue,
)
from workloads.tiles.tile_codec import FASTAVRO, TileForm, deflate, digest_of, encode, tile_of
from workloads.tiles.tile_keys import place_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Pixels = NDArray[np.uint16]
    type Words = NDArray[np.uint64]


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
    repeat: int = integer(
        0,
        low=0,
        high=64,
        unit="tiles",
        help="Columns and rows after which imagery repeats, which makes a large layer in seconds; 0 = never.",
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


type DrawBands = Callable[[int, int], list[bytes]]
"""The bands of the tile at a column and row of the layer, from 0: 16 bits, little-endian."""

TIFFFILE = Driver(module="tifffile", distribution="tifffile", install='make .venv EXTRAS="tiles"')
IMAGECODECS = Driver(
    module="imagecodecs", distribution="imagecodecs", install='make .venv EXTRAS="tiles"'
)
"""Decodes LZW, JPEG, ZSTD and others for tifffile, which has only Deflate itself."""

_LOWEST = 5000  # about what Landsat 8 has for dark ground
_OCTAVES = ((9, 11), (7, 9), (5, 7))
"""Terrain: binary logarithms of the distance between its points in pixels, and of their height."""


def terrain(tile_size: int, bands: int, noise: int, seed: int) -> DrawBands:
    """Generated imagery; `noise` is in bits."""
    import numpy as np

    def draw(column: int, row: int) -> list[bytes]:
        across = np.arange(column * tile_size, (column + 1) * tile_size, dtype=np.int64)
        down = np.arange(row * tile_size, (row + 1) * tile_size, dtype=np.int64)
        return [
            _band(across, down, noise, _salt(seed, band)).astype("<u2").tobytes()
            for band in range(bands)
        ]

    return draw


def _salt(*parts: int) -> int:
    """One number of several, as different as can be for others."""
    import numpy as np

    salt = 0
    for part in parts:
        salt = int(_mixed(np.array([salt ^ part], np.uint64))[0])
    return salt


def _band(across: NDArray[np.int64], down: NDArray[np.int64], noise: int, salt: int) -> Pixels:
    import numpy as np

    pixels = np.full((len(down), len(across)), _LOWEST, np.int64)
    for octave, (distance, height) in enumerate(_OCTAVES):
        pixels += _hills(across, down, distance, height, _salt(salt, octave + 1))
    if noise:
        place = _places(across, down, _salt(salt, 0))
        pixels += (_mixed(place) >> np.uint64(64 - noise)).astype(np.int64)
    return pixels.astype(np.uint16)


def _hills(
    across: NDArray[np.int64], down: NDArray[np.int64], distance: int, height: int, salt: int
) -> NDArray[np.int64]:
    """Random heights at points of a grid, joined by straight lines."""
    import numpy as np

    step = 1 << distance
    columns = np.arange(across[0] >> distance, (across[-1] >> distance) + 2, dtype=np.int64)
    rows = np.arange(down[0] >> distance, (down[-1] >> distance) + 2, dtype=np.int64)
    points = (_mixed(_places(columns, rows, salt)) >> np.uint64(64 - height)).astype(np.int64)
    column, right = (across >> distance) - columns[0], across & (step - 1)
    row, below = (down >> distance) - rows[0], (down & (step - 1))[:, None]
    lines = points[:, column] * (step - right) + points[:, column + 1] * right
    heights: NDArray[np.int64] = (
        lines[row] * (step - below) + lines[row + 1] * below
    ) >> 2 * distance
    return heights


def _places(columns: NDArray[np.int64], rows: NDArray[np.int64], salt: int) -> Words:
    """A number for every column of every row."""
    import numpy as np

    places = (rows.astype(np.uint64) << np.uint64(32))[:, None] | columns.astype(np.uint64)
    numbers: Words = places ^ np.uint64(salt)
    return numbers


def _mixed(words: Words) -> Words:
    """Each number as one that looks random: the last step of SplitMix64 (Steele et al., 2014)."""
    import numpy as np

    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def cut_from(path: Path, tile_size: int, bands: int) -> DrawBands:
    """Imagery from a GeoTIFF, begun again at its edges and with its last band.

    Raises DatasetError where there is no image of whole numbers of up to 16 bits, and Unavailable
    where what decompresses it is missing.
    """
    import numpy as np

    pixels = _read_image(path)
    image_bands, height, width = pixels.shape

    def draw(column: int, row: int) -> list[bytes]:
        across = np.arange(column * tile_size, (column + 1) * tile_size) % width
        down = np.arange(row * tile_size, (row + 1) * tile_size) % height
        return [
            pixels[band % image_bands][np.ix_(down, across)].astype("<u2").tobytes()
            for band in range(bands)
        ]

    return draw


def _read_image(path: Path) -> NDArray[np.integer]:
    """All bands of an image: bands × rows × columns."""
    import numpy as np

    TIFFFILE.require()
    import tifffile

    if path.is_dir():
        raise DatasetError(
            tr("{path} is a folder, and one image is wanted", path=path), tr("name a GeoTIFF")
        )
    try:
        with tifffile.TiffFile(path) as file:
            page = file.pages[0]
            pixels = np.asarray(page.asarray())
            axes = page.axes
    except (OSError, ValueError, LookupError, RuntimeError, tifffile.TiffFileError) as error:
        if "imagecodecs" in str(error):
            IMAGECODECS.require()
        raise DatasetError(
            tr("{path} cannot be read: {why}", path=path, why=error),
            tr("convert it: gdal_translate -co COMPRESS=DEFLATE FILE NEW.tif")
            if isinstance(error, ValueError | RuntimeError)
            else "",
        ) from error
    if pixels.ndim == 2:
        pixels = pixels[None]
    elif axes[-1] == "S":
        pixels = np.moveaxis(pixels, -1, 0)
    if pixels.dtype.kind not in "iu" or pixels.dtype.itemsize > 2 or pixels.ndim != 3:
        raise DatasetError(
            tr("{path} holds {kind} values in {axes}", path=path, kind=pixels.dtype, axes=axes),
            tr("choose an image of whole numbers of 8 or 16 bits"),
        )
    return pixels


_ACROSS, _DOWN = 0.16, 0.387
"""Where a layer begins, as shares of the world: near San Francisco."""
_REPORT_EVERY = 20


class _Made(NamedTuple):
    key: int
    object: bytes
    stored: bytes
    decoded: bytes


def make_layer(shape: LayerShape, folder: Path, report: ReportProgress) -> None:
    """Write the three files of a layer; raises DatasetError, Unavailable."""
    if shape.payload == "avro":
        FASTAVRO.require()
    column, row = _corner(shape)
    form = TileForm(shape.payload, shape.cells, shape.level, shape.tile_size, shape.bands)
    keys = _without_holes(rectangle(column, row, shape.columns, shape.rows), shape)
    placed: list[PlacedTile] = []
    at = 0
    with (folder / OBJECTS).open("wb") as file:
        for made in _encoded(keys, (column, row), shape, form):
            file.write(made.object)
            placed.append(PlacedTile(made.key, at, len(made.object), made.stored, made.decoded))
            at += len(made.object)
            if len(placed) % _REPORT_EVERY == 0:
                report("writing tiles", len(placed), len(keys), "tile")
    heading = LayerHeading(
        format=FORMAT,
        zoom=shape.zoom,
        column=column,
        row=row,
        columns=shape.columns,
        rows=shape.rows,
        **form._asdict(),
        tiles=len(placed),
        bytes=at,
        digest="",
    )
    write_catalogue(folder, heading, placed)


def _corner(shape: LayerShape) -> tuple[int, int]:
    """Column and row of the first tile; raises DatasetError where the world is too small."""
    world = 1 << shape.zoom
    if max(shape.columns, shape.rows) > world:
        raise DatasetError(
            tr("the world has {world:,} columns and rows at this zoom", world=world),
            tr("choose a larger zoom or fewer tiles"),
        )
    return (
        min(int(_ACROSS * world), world - shape.columns),
        min(int(_DOWN * world), world - shape.rows),
    )


def _without_holes(keys: Sequence[int], shape: LayerShape) -> list[int]:
    """The keys that have a tile: all but a share drawn from the seed, and always the first."""
    first, *others = keys
    holes = min(round(shape.holes * len(keys)), len(others))
    filled = random.Random(shape.seed).sample(others, len(others) - holes)
    return [first, *sorted(filled)]


def _encoded(
    keys: list[int], corner: tuple[int, int], shape: LayerShape, form: TileForm
) -> Iterator[_Made]:
    """The tiles in order, made by as many threads as there are cores."""
    if shape.image:
        draw = cut_from(Path(shape.image), shape.tile_size, shape.bands)
    else:
        draw = terrain(shape.tile_size, shape.bands, shape.noise, shape.seed)

    # Rows of a layer that never repeats are beyond the world.
    period = shape.repeat or 1 << shape.zoom
    keep = lru_cache(shape.repeat**2)
    draw_once, deflate_once = keep(draw), keep(partial(deflate, form.level))

    def make(key: int) -> _Made:
        column, row = place_of(key)
        bands = draw_once((column - corner[0]) % period, (row - corner[1]) % period)
        tile = tile_of(shape.zoom, column, row, bands)
        encoded = encode(tile, form, deflate_once if shape.repeat else None)
        return _Made(key, encoded, digest_of([encoded]), digest_of(tile))

    return mapped(os.cpu_count() or 1, "tiles", make, keys)
