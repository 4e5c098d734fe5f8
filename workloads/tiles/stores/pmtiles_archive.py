"""A PMTiles archive of version 3: its header, and its directories, which are read once.

The package `pmtiles` knows their form, but reads each directory again for each tile.  Here the root
stays, and so do as many leaves as `LEAVES`.
"""

from __future__ import annotations

import gzip
import os
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from core import DatasetError, tr
from workloads.tiles.stores.tile_grid import damaged, require_few
from workloads.tiles.tile_keys import MOST_ZOOM, first_key

LEAVES = 256
"""Directories that stay in memory, each of some thousand tiles."""
HEADER = 127
"""Bytes."""
MAGIC = b"PMTiles"
_DEPTH = 4
"""Directories on the way to a tile at most, as in the package."""
_AHEAD = 4 << 20
"""Bytes that a scan reads at once."""
NOT_KNOWN = (ValueError, EOFError, LookupError, OSError, OverflowError, zlib.error)
"""What the package and gzip raise for bytes of others."""

type ReadRange = Callable[[int, int], bytes]
"""The bytes from a position on, so many; raises OSError where there are fewer."""


class Source(NamedTuple):
    """An archive, wherever it is."""

    name: str
    """Path or address."""
    size: int
    read: ReadRange
    close: Callable[[], None]
    failures: tuple[type[Exception], ...] = (OSError,)
    """What `read` raises."""
    file: int = -1
    """The descriptor of a local one."""


class CutOff(OSError):
    """The archive ends before what one of its directories names."""


def open_file(path: Path) -> Source:
    """A local archive; raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    size, pread = os.fstat(descriptor).st_size, os.pread

    def read(start: int, length: int) -> bytes:
        if start + length <= size:
            data = pread(descriptor, length, start)
            if len(data) == length:
                return data
        raise CutOff(
            tr(
                "{path} ends at byte {size:,}, and {length:,} B from {start:,} are wanted",
                path=path,
                size=size,
                length=length,
                start=start,
            )
        )

    return Source(str(path), size, read, lambda: os.close(descriptor), file=descriptor)


class Archive:
    """The header and the directories of an archive; for many threads."""

    def __init__(self, source: Source, fetched: Callable[[], None] = lambda: None) -> None:
        """`fetched`: called for each directory that is read.  Raises DatasetError, OSError."""
        self.source = source
        self._fetched = fetched
        self.header = _header_of(source)
        self._tiles: int = self.header["tile_data_offset"]
        self.root = self._directory(self.header["root_offset"], self.header["root_length"])
        self._leaf = lru_cache(LEAVES)(self._directory)

    def _directory(self, start: int, length: int) -> Directory:
        self._fetched()
        packed = self.source.read(start, length)
        try:
            packing = self.header["internal_compression"].name
            return Directory.of(packed, self._tiles, is_packed=packing == "GZIP")
        except NOT_KNOWN as error:
            raise damaged(
                self.source.name,
                tr("its directory at byte {start:,} cannot be read: {why}", start=start, why=error),
            ) from error

    def leaf(self, entry: Any) -> Directory:
        return self._leaf(self.header["leaf_directory_offset"] + entry.offset, entry.length)

    def find(self, tile: int) -> tuple[int, int] | None:
        """Where a tile is, and its length; None where there is none."""
        first, ends, extents, entries = self.root
        for _ in range(_DEPTH):
            at = bisect_right(first, tile) - 1
            if at < 0:
                return None
            if end := ends[at]:
                return extents[at] if tile < end else None
            first, ends, extents, entries = self.leaf(entries[at])
        raise damaged(self.source.name, tr("its directories have no end"))

    def tiles(self) -> Iterator[int]:
        """All tiles by their numbers on the Hilbert curve; raises DatasetError."""
        count = 0
        for entry in self._entries(self.root, 1):
            count += entry.run_length
            require_few(self.source.name, count)
            if entry.tile_id + entry.run_length > first_key(MOST_ZOOM + 1):
                raise damaged(self.source.name, tr("it names tiles that no zoom has"))
            yield from range(entry.tile_id, entry.tile_id + entry.run_length)

    def _entries(self, directory: Directory, depth: int) -> Iterator[Any]:
        for entry in directory.entries:
            if entry.run_length:
                yield entry
            elif depth == _DEPTH:
                raise damaged(self.source.name, tr("its directories have no end"))
            else:
                yield from self._entries(self.leaf(entry), depth + 1)


class Directory(NamedTuple):
    """Tiles and further directories, by the number of the first tile of each."""

    first: list[int]
    ends: list[int]
    """The number behind the last tile of each; 0 of a directory."""
    extents: list[tuple[int, int]]
    """Where the tile of each is, and its length."""
    entries: list[Any]

    @classmethod
    def of(cls, packed: bytes, tiles: int, *, is_packed: bool) -> Directory:
        """`tiles`: where they begin.  Raises what gzip and the package raise, and ValueError."""
        from pmtiles.tile import deserialize_directory

        entries = deserialize_directory(packed if is_packed else gzip.compress(packed, 0))
        first = [entry.tile_id for entry in entries]
        if any(one >= other for one, other in pairwise(first)):
            raise ValueError(tr("its entries are not in order"))
        if any(entry.offset < 0 or not entry.length for entry in entries):
            raise ValueError(tr("an entry has no place"))
        ends = [entry.run_length and entry.tile_id + entry.run_length for entry in entries]
        extents = [(tiles + entry.offset, entry.length) for entry in entries]
        return cls(first, ends, extents, entries)


def _header_of(source: Source) -> Mapping[str, Any]:
    """Raises DatasetError for any but version 3, and for an archive that is cut off."""
    from pmtiles.tile import deserialize_header

    if not source.size:
        raise damaged(source.name, tr("it is empty"))
    head = source.read(0, min(HEADER, source.size))
    if not head.startswith(MAGIC):
        raise damaged(source.name, tr("it does not begin as PMTiles do"))
    if len(head) < HEADER:
        raise damaged(
            source.name, tr("it has {size:,} B of {wanted:,} B", size=len(head), wanted=HEADER)
        )
    if (version := head[len(MAGIC)]) != 3:
        raise DatasetError(
            tr("{path} is PMTiles of version {version}", path=source.name, version=version),
            tr("convert it to version 3: pmtiles convert OLD NEW"),
        )
    try:
        header: Mapping[str, Any] = deserialize_header(head)
    except NOT_KNOWN as error:
        raise damaged(source.name, error) from error
    end = max(
        header[f"{part}_offset"] + header[f"{part}_length"]
        for part in ("root", "metadata", "leaf_directory", "tile_data")
    )
    if end > source.size:
        raise damaged(
            source.name, tr("it has {size:,} B of {wanted:,} B", size=source.size, wanted=end)
        )
    if (packing := header["internal_compression"].name) not in ("GZIP", "NONE"):
        raise DatasetError(
            tr("{path} has directories in {packing}", path=source.name, packing=packing.lower()),
            tr("write it anew with directories in gzip, as pmtiles convert does"),
        )
    return header


def read_ahead(source: Source) -> ReadRange:
    """Reads a part of an archive at once, where tile follows tile."""
    at, ahead = 0, b""

    def read(start: int, length: int) -> bytes:
        nonlocal at, ahead
        if start < at or start + length > at + len(ahead):
            at, ahead = start, source.read(start, max(length, min(_AHEAD, source.size - start)))
        return ahead[start - at : start - at + length]

    return read


def packed_ranges(archive: Archive, read: ReadRange) -> ReadRange:
    """What the package takes, which knows only directories in gzip."""
    header = archive.header
    if header["internal_compression"].name == "GZIP":
        return read
    starts = (header["root_offset"], header["leaf_directory_offset"])
    ends = (starts[0] + header["root_length"], starts[1] + header["leaf_directory_length"])

    def packed(start: int, length: int) -> bytes:
        inside = any(first <= start < end for first, end in zip(starts, ends, strict=True))
        return gzip.compress(read(start, length), 0) if inside else read(start, length)

    return packed
