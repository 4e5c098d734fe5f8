"""Tiles in a PMTiles archive: a local file, or one behind S3 or plain http, which is only read.

An archive is written as a whole: tiles wait in a file without a name, and are put in order at the
end.
"""

from __future__ import annotations

import gzip
import os
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import IO, Any, override

import msgspec

from core import SluiceError, reading, tr
from workloads.tiles.stores.layout import FileLayout, Layout
from workloads.tiles.stores.mapfile import Spill
from workloads.tiles.stores.pmtiles_archive import (
    HEADER,
    NOT_KNOWN,
    Archive,
    CutOff,
    Source,
    open_file,
    packed_ranges,
    read_ahead,
)
from workloads.tiles.stores.store import Opening
from workloads.tiles.stores.tile_grid import damaged
from workloads.tiles.tile_keys import GridPlace


class PmtilesStore(FileLayout):
    """Directories are searched for a tile, and one range is read; several one after the other."""

    suffix = ".pmtiles"

    def __init__(self, opening: Opening) -> None:
        self._remote = "://" in opening.address
        if self._remote:
            Layout.__init__(self, opening)
        else:
            super().__init__(opening)
        self._opening = opening
        self._lock = threading.Lock()
        self._spill: Spill | None = None
        """What is put, until it is written."""
        self._description: Mapping[str, object] = {}
        self._archive: Archive | None = None
        self._numbers: dict[int, int] = {}
        if opening.as_it_is:
            self._archive = self._open()
            self.failures = self._archive.source.failures
        elif self._remote:
            raise SluiceError(
                tr("{address} is only read", address=opening.address),
                tr("give a folder to write to as the address"),
            )

    def _open(self) -> Archive:
        """Raises DatasetError, SluiceError and what the client raises."""
        source = self._source()
        try:
            return Archive(source, lambda: self._opening.tally("directories", 1))
        except BaseException:
            source.close()
            raise

    def _source(self) -> Source:
        if self._remote:
            from workloads.tiles.stores.remote_ranges import open_remote

            return open_remote(self._opening, self.suffix)
        with reading(self._path):
            return open_file(self._path)

    def _read(self) -> Archive | None:
        """The archive; None where there is none yet."""
        with self._lock:
            if self._archive is None and self._path.exists():
                self._archive = self._open()
            return self._archive

    @override
    def prepare(self, keys: Iterable[int]) -> None:
        self._numbers = {key: self._number(key) for key in keys}

    def _number(self, key: int) -> int:
        """The tile of a key on the Hilbert curve."""
        from pmtiles.tile import zxy_to_tileid

        return int(zxy_to_tileid(*GridPlace.of(key + self._before)))

    @override
    def get(self, key: int) -> bytes | None:
        archive = self._archive or self._read()
        if archive is None:
            return None
        number = self._numbers.get(key)
        extent = archive.find(self._number(key) if number is None else number)
        return archive.source.read(*extent) if extent else None

    @override
    def getter(self) -> Callable[[int], bytes | None]:
        archive, numbers = self._read(), self._numbers
        if archive is None:
            return self.get
        (first, ends, extents, _), source, find = archive.root, archive.source, archive.find
        read, file, pread = source.read, source.file, os.pread
        size = source.size if file >= 0 else 0

        def get(key: int) -> bytes | None:
            number = numbers[key]
            at = bisect_right(first, number) - 1
            if at >= 0 and number < ends[at]:
                start, length = extents[at]
            elif extent := find(number):  # in a leaf
                start, length = extent
            else:
                return None
            if start + length <= size and len(data := pread(file, length, start)) == length:
                return data
            return read(start, length)

        return get

    @override
    def keys(self) -> Iterable[int]:
        from pmtiles.tile import tileid_to_zxy

        archive = self._read()
        tiles = archive.tiles() if archive else ()
        return [GridPlace(*tileid_to_zxy(tile)).key - self._before for tile in tiles]

    @override
    def scan(self) -> Iterator[tuple[GridPlace, bytes]]:
        """By the package's own reader; its tiles have to be those that are found here."""
        import pmtiles.reader

        all_tiles: Any = pmtiles.reader.all_tiles
        archive = self._read()
        if archive is None:
            return
        own = {key + self._before for key in self.keys()}  # also sees whether the walk ends
        try:
            for place, tile in all_tiles(packed_ranges(archive, read_ahead(archive.source))):
                tile_place = GridPlace(*place)
                own.discard(tile_place.key)
                yield tile_place, tile
        except (CutOff, *NOT_KNOWN) as error:
            raise damaged(archive.source.name, error) from error
        if own:
            raise damaged(
                archive.source.name,
                tr("tile {place} is found by one reader only", place=GridPlace.of(own.pop())),
            )

    @override
    def state(self) -> str:
        """By header and root, which name the places and lengths of all tiles."""
        archive = self._archive
        assert archive is not None
        digest = blake2b(f"{archive.source.name}\0{archive.source.size}\0".encode(), digest_size=8)
        header = archive.header
        for start, length in ((0, HEADER), (header["root_offset"], header["root_length"])):
            digest.update(archive.source.read(start, length))
        return digest.hexdigest()

    @override
    def count(self) -> int:
        archive = self._read()
        return int(archive.header["addressed_tiles_count"]) if archive else 0

    @override
    def put_many(self, objects: Sequence[tuple[int, bytes]]) -> None:
        with self._lock:  # or what is put while the archive is written would be lost
            for key, value in objects:
                if not value:
                    raise SluiceError(
                        tr("PMTiles hold no empty tile, as {place} is", place=self.place(key))
                    )
                self._spill = self._spill or Spill()
                self._spill.put(self._number(key), value)

    @override
    def finish(self) -> None:
        """Write the archive anew, with all tiles that it had."""
        with self._lock:
            if (spill := self._spill) is None:
                return
            if self._path.exists():
                self._take_over(spill)
            unfinished = self._path.with_name(f".{self._path.name}.new")
            with unfinished.open("wb") as file:
                self._write(file, spill)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(self._path)
            self._forget()

    def _take_over(self, spill: Spill) -> None:
        """Put what the archive has beside what is new."""
        archive = self._archive or self._open()
        own = {number for number, _ in spill.sorted()}
        for number in archive.tiles():
            if number not in own and (extent := archive.find(number)):
                spill.put(number, archive.source.read(*extent))
        archive.source.close()
        self._archive = None

    def _write(self, file: IO[bytes], spill: Spill) -> None:
        import pmtiles.convert
        import pmtiles.writer
        from pmtiles.tile import Compression

        make_writer: Any = pmtiles.writer.Writer
        header_of: Any = pmtiles.convert.mbtiles_to_header_json
        writer, first = make_writer(file), b""
        for number, tile in spill.sorted():
            writer.write_tile(number, tile)
            first = first or tile
        bounds = self._description.get("bounds", "-180,-85.05112878,180,85.05112878")
        header, _ = header_of(
            {
                "minzoom": 0,  # the writer knows the zooms
                "maxzoom": 0,
                "format": {"jpg": "jpeg", "mvt": "pbf"}.get(
                    self._opening.format, self._opening.format
                ),
                "bounds": ",".join(map(str, bounds)) if isinstance(bounds, list) else str(bounds),
            }
        )
        packed = first.startswith(b"\x1f\x8b")
        header["tile_compression"] = Compression.GZIP if packed else Compression.NONE
        writer.finalize(header, dict(self._description))

    def _forget(self) -> None:
        if self._spill is not None:
            self._spill.close()
            self._spill = None
        if self._archive is not None:
            self._archive.source.close()
            self._archive = None

    @override
    def description(self) -> Mapping[str, object]:
        archive = self._read()
        if archive is None:
            return {}
        try:
            data = archive.source.read(
                archive.header["metadata_offset"], archive.header["metadata_length"]
            )
            if archive.header["internal_compression"].name == "GZIP":
                data = gzip.decompress(data)
            return msgspec.json.decode(data, type=dict[str, object])
        except (*NOT_KNOWN, msgspec.DecodeError):
            return {}

    @override
    def describe(self, description: Mapping[str, object]) -> None:
        self._description = description

    @override
    def remove(self) -> int:
        try:
            removed = super().remove()
        except SluiceError:  # nobody can count the tiles of what is cut off
            self._path.unlink(missing_ok=True)
            removed = 1
        with self._lock:
            self._forget()
        return removed

    @override
    def close(self) -> None:
        self._forget()
