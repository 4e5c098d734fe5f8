"""What the layouts of tiles check: places, numbers and contents of their tiles."""

from __future__ import annotations

from core import DatasetError, tr
from workloads.tiles.tile_keys import GridPlace

MOST_TILES = 5_000_000
"""Tiles of one layer: each is compared with a digest of its own, which is in memory."""


def require_in_grid(where: object, place: GridPlace) -> GridPlace:
    """The place; raises DatasetError, naming a file, for one that no tile can have."""
    if place.is_in_grid:
        return place
    raise damaged(where, tr("a tile is at {place}, which no zoom has", place=place))


def require_few(where: object, tiles: int) -> None:
    """Raise DatasetError for more tiles than are compared one by one."""
    if tiles > MOST_TILES:
        raise DatasetError(
            tr("{path} has too many tiles: {number:,}", path=where, number=tiles),
            tr("give a part with at most {most:,}", most=MOST_TILES),
        )


def without_tiles(where: object) -> DatasetError:
    """The error for a layer that is whole, but has nothing to read."""
    return DatasetError(tr("{path} has no tiles", path=where), tr("choose another"))


def damaged(where: object, why: object) -> DatasetError:
    """The error for a layer that is not as its format wants it."""
    return DatasetError(
        tr("{path} is damaged: {why}", path=where, why=why), tr("fetch or make it again")
    )


_BEGINNINGS = {
    b"\x89PNG": "png",
    b"\xff\xd8\xff": "jpg",
    b"GIF8": "gif",
    b"\x1f\x8b": "pbf",  # vector tiles, which are gzipped everywhere
    b"\x1a": "pbf",
}
UNKNOWN_FORMAT = "bin"


def format_of(tile: bytes) -> str:
    """The usual ending of files with such content, by its first bytes."""
    if tile[:4] == b"RIFF" and tile[8:12] == b"WEBP":
        return "webp"
    if tile[4:12] == b"ftypavif":
        return "avif"
    names = (name for begin, name in _BEGINNINGS.items() if tile.startswith(begin))
    return next(names, UNKNOWN_FORMAT)
