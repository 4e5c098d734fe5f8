"""Layers in layouts, written and read by plain code and others' libraries, never by a store."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

type Tiles = Mapping[tuple[int, int, int], bytes]
"""By zoom, column and row from the north."""

PNG = b"\x89PNG\r\n\x1a\n"
_DRAWN = random.Random(7)


def _tile(size: int) -> bytes:
    return PNG + _DRAWN.randbytes(size)


TILES: dict[tuple[int, int, int], bytes] = {
    (0, 0, 0): _tile(90),
    **{(3, column, 1): _tile(20 + column) for column in range(5)},
    **{(7, 60 + at % 9, 30 + at // 9): _tile(300) for at in range(27)},
    **{(7, 100, row): PNG + b"the sea" for row in range(3)},
}
"""Zooms that are no squares, with a gap between them, and tiles that are the same."""


def write_xyz(path: Path, tiles: Tiles, ending: str = "png") -> Path:
    for (zoom, column, row), tile in tiles.items():
        file = path / str(zoom) / str(column) / f"{row}.{ending}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(tile)
    return path


def write_mbtiles(path: Path, tiles: Tiles) -> Path:
    """Without metadata and without an index."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,"
            " tile_data BLOB)"
        )
        connection.executemany(
            "INSERT INTO tiles VALUES (?, ?, ?, ?)",
            [(z, x, (1 << z) - 1 - y, tile) for (z, x, y), tile in tiles.items()],
        )
    return path


def write_pmtiles(path: Path, tiles: Tiles) -> Path:
    from pmtiles.tile import Compression, TileType, zxy_to_tileid
    from pmtiles.writer import write

    numbered = sorted((zxy_to_tileid(*place), tile) for place, tile in tiles.items())
    with write(str(path)) as writer:
        for number, tile in numbered:
            writer.write_tile(number, tile)
        writer.finalize(
            {"tile_type": TileType.PNG, "tile_compression": Compression.NONE}, {"name": "drawn"}
        )
    return path


def read_xyz(path: Path) -> Tiles:
    files = [file for file in path.glob("*/*/*") if file.is_file()]
    return {
        (int(file.parts[-3]), int(file.parts[-2]), int(file.stem)): file.read_bytes()
        for file in files
    }


def read_mbtiles(path: Path) -> Tiles:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT * FROM tiles").fetchall()
    return {(z, x, (1 << z) - 1 - south): tile for z, x, south, tile in rows}


def read_pmtiles(path: Path) -> Tiles:
    from pmtiles.reader import MemorySource, all_tiles

    return dict(all_tiles(MemorySource(path.read_bytes())))


WRITE: Mapping[str, Callable[[Path, Tiles], Path]] = {
    "xyz": write_xyz,
    "mbtiles": write_mbtiles,
    "pmtiles": write_pmtiles,
}
READ: Mapping[str, Callable[[Path], Tiles]] = {
    "xyz": read_xyz,
    "mbtiles": read_mbtiles,
    "pmtiles": read_pmtiles,
}
SUFFIX = {"xyz": "", "mbtiles": ".mbtiles", "pmtiles": ".pmtiles"}


def written(layout: str, folder: Path, tiles: Tiles = TILES) -> Path:
    """A layer of that layout in a folder of its own there."""
    folder = folder / "data"
    folder.mkdir()
    return WRITE[layout](folder / f"it's a map{SUFFIX[layout]}", tiles)
