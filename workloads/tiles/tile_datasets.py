"""The kinds of datasets that hold layers of tiles: generated, adopted from a store, or in a layout.

A layout is a folder by zoom, an MBTiles or a PMTiles file; its kind has the name of the store that
reads it.  What reads a layer is imported only where there is one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, override

from core import Dataset, DatasetError, DatasetKind, Driver, ReportProgress, content_of, reading, tr
from workloads.shared.datasets import refusal_of
from workloads.tiles.layer_catalogue import CATALOGUE, HEADING, INDEX, OBJECTS, heading_of
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.stores import BY_NAME, LAYOUTS
from workloads.tiles.tile_parameters import LayerPlace

if TYPE_CHECKING:
    from workloads.tiles.stores.xyz_store import TileFile


class TileLayer(DatasetKind):
    """A folder with a layer of tiles and the catalogue by which any store of it is judged."""

    name = "tile-layer"
    title = "layer of tiles"
    shape: ClassVar[type | None] = LayerShape
    adoption: ClassVar[type | None] = LayerPlace
    conversions = LAYOUTS

    @override
    def recognises(self, path: Path) -> bool:
        return path.is_dir() and CATALOGUE.begins(path) and not _is_opaque(path)

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
        packing = heading.tiles * heading.form.decoded / max(1, heading.bytes)
        places = heading.columns * heading.rows
        if heading.adopted:
            where: dict[str, int | str] = {"layer": heading.adopted, "payload": heading.payload}
        else:
            where = {}
        return {
            **where,
            "files": len(self.files(path)),
            "tiles": heading.tiles,
            **({} if heading.pyramid else {"holes": places - heading.tiles}),
            "zoom": heading.zoom,
            "bytes of objects": heading.bytes,
            **({} if heading.is_opaque else {"decoded to one byte": f"{packing:.2f}"}),
        }

    @override
    def sample(self) -> LayerShape:
        """A layer of 64 small tiles: one of the published size takes half a minute and 300 MB."""
        return LayerShape(columns=8, rows=8, tile_size=64)

    @override
    def make(self, shape: LayerShape, folder: Path, report: ReportProgress) -> Path:
        make_layer(shape, folder, report)
        return folder

    @override
    def convert(self, path: Path, to: str, folder: Path, report: ReportProgress) -> None:
        if _is_adopted(path):
            raise DatasetError(
                tr("the tiles of an adopted layer are not here"),
                tr("convert the file or folder that it is in"),
            )
        from workloads.tiles.convert_layer import convert_layout

        convert_layout(self.open(path), to, folder, report)

    @override
    def adopt(self, wishes: LayerPlace, folder: Path, report: ReportProgress) -> None:
        """Catalogue the layer; its objects stay where they are."""
        from workloads.tiles.adopted_layers import adopt_layer  # with all that stores need

        adopt_layer(wishes, folder, report)


class OpaqueLayer(TileLayer):
    """The catalogue of an adopted layer whose tiles are bytes that nobody here can decode."""

    name = "opaque-tile-layer"
    title = "layer of opaque tiles"
    shape: ClassVar[type | None] = None
    adoption: ClassVar[type | None] = None
    conversions: ClassVar[tuple[str, ...]] = ()

    @override
    def recognises(self, path: Path) -> bool:
        return path.is_dir() and CATALOGUE.begins(path) and _is_opaque(path)

    @override
    def explain(self, path: Path) -> DatasetError | None:
        return None


def _is_opaque(path: Path) -> bool:
    try:
        return heading_of(path).is_opaque
    except DatasetError:
        return False


def _is_adopted(path: Path) -> bool:
    try:
        return bool(heading_of(path).adopted)
    except DatasetError:
        return False


_DATABASE, _ARCHIVE = b"SQLite format 3\0", b"PMTiles"
"""How a database of SQLite begins, and a PMTiles archive."""


class _Layout(DatasetKind):
    conversions = LAYOUTS

    @override
    def convert(self, path: Path, to: str, folder: Path, report: ReportProgress) -> None:
        from workloads.tiles.convert_layer import convert_layout

        convert_layout(self.open(path), to, folder, report)

    @override
    def in_short(self, facts: Mapping[str, int | str]) -> Sequence[str]:
        return (tr("1 tile", "{count:,} tiles", count=int(facts["tiles"])),)


class XyzTiles(_Layout):
    """A folder with one for each zoom, in it one for each column, in it a file for each row."""

    name = "xyz"
    title = "folder of tiles by zoom"

    @override
    def recognises(self, path: Path) -> bool:
        if not _has_zooms(path):
            return False
        from workloads.tiles.stores.xyz_store import tile_files

        with suppress(OSError, DatasetError):
            return any(True for _ in tile_files(path))
        return False

    def _tiles(self, path: Path) -> Sequence[TileFile]:
        """Raises DatasetError for what is no layer."""
        from workloads.tiles.stores.xyz_store import all_tile_files

        with reading(path):
            return all_tile_files(path)

    @override
    def explain(self, path: Path) -> DatasetError | None:
        return refusal_of(lambda: self._tiles(path)) if _has_zooms(path) else None

    @override
    def files(self, path: Path) -> Sequence[Path]:
        from workloads.tiles.stores.xyz_store import layout_files

        with reading(path):
            return layout_files(path)

    @override
    def open(self, path: Path) -> Dataset:
        self._tiles(path)
        return super().open(path)

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        files = self._tiles(path)
        zooms = [file.place.zoom for file in files]
        return {
            "files": len(files),
            "tiles": len(files),
            "zooms": _range(min(zooms), max(zooms)),
            "format": files[0].ending,
        }


def _has_zooms(path: Path) -> bool:
    """Whether something in a folder has a number as its name."""
    with suppress(OSError):
        return any(name.isdecimal() for name in os.listdir(path))
    return False


class _OneFile(_Layout):
    """A file, or a folder with nothing but such a file, as a conversion makes it."""

    def _file(self, path: Path) -> Path:
        if not path.is_dir():
            return path
        suffix = BY_NAME[self.name].suffix
        inside = [one for one in path.iterdir() if not one.name.startswith(".")]
        alone = len(inside) == 1 and inside[0].suffix.lower() == suffix and inside[0].is_file()
        return inside[0] if alone else path

    def _begins(self, path: Path) -> bool:
        """Whether the content is of this kind, by its first bytes."""
        raise NotImplementedError

    def _require(self, path: Path) -> None:
        """Raise DatasetError for a file that cannot be read."""
        raise NotImplementedError

    @override
    def recognises(self, path: Path) -> bool:
        """By the name, too, so that a damaged file is named as such."""
        with suppress(OSError):
            file = self._file(path)
            return file.is_file() and (
                file.suffix.lower() == BY_NAME[self.name].suffix or self._begins(file)
            )
        return False

    @override
    def files(self, path: Path) -> Sequence[Path]:
        return [self._file(path)]

    @override
    def open(self, path: Path) -> Dataset:
        """Its location is the file, whatever was named."""
        file = self._file(path)
        self._require(file)
        return super().open(file)


class MbtilesFile(_OneFile):
    """A database of SQLite with a table or a view `tiles`."""

    name = "mbtiles"
    title = "MBTiles file"

    @override
    def _begins(self, path: Path) -> bool:
        if content_of(path, len(_DATABASE)) != _DATABASE:
            return False
        return refusal_of(lambda: self._require_tiles(path)) is None

    def _require_tiles(self, path: Path) -> None:
        from workloads.tiles.stores.mbtiles_store import require_tiles

        require_tiles(path)

    @override
    def _require(self, path: Path) -> None:
        from workloads.tiles.stores.mbtiles_store import count_tiles
        from workloads.tiles.stores.tile_grid import without_tiles

        self._require_tiles(path)
        if not count_tiles(path):
            raise without_tiles(path)

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        from workloads.tiles.layouts import open_layout
        from workloads.tiles.stores.mbtiles_store import count_tiles

        file = self._file(path)
        self._require_tiles(file)
        with closing(open_layout(file, self.name)) as store:
            description = store.description()
        facts: dict[str, int | str] = {"files": 1, "tiles": count_tiles(file)}
        if {"minzoom", "maxzoom"} <= description.keys():
            facts["zooms"] = _range(description["minzoom"], description["maxzoom"])
        return facts | {
            name: str(description[name]) for name in ("format", "name") if description.get(name)
        }


class PmtilesFile(_OneFile):
    """An archive of version 3."""

    name = "pmtiles"
    title = "PMTiles archive"

    @property
    def _driver(self) -> Driver:
        return BY_NAME[self.name].drivers[0]

    @override
    def _begins(self, path: Path) -> bool:
        return content_of(path, len(_ARCHIVE)) == _ARCHIVE

    @override
    def _require(self, path: Path) -> None:
        if self._driver.installed:  # without it nothing measures it, and that is said elsewhere
            self._archive(path)

    def _archive(self, path: Path) -> Mapping[str, object]:
        """The header of an archive with tiles; raises DatasetError."""
        from workloads.tiles.stores.pmtiles_archive import Archive, open_file
        from workloads.tiles.stores.tile_grid import damaged, without_tiles

        with reading(path):
            source = open_file(path)
        try:
            archive = Archive(source)
            if not archive.root.entries:
                raise without_tiles(path)
            return archive.header
        except OSError as error:
            raise damaged(path, error) from error
        finally:
            source.close()

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        if not self._driver.installed:
            return {}
        header = self._archive(self._file(path))
        return {
            "files": 1,
            "tiles": int(str(header["addressed_tiles_count"])),
            "zooms": _range(header["min_zoom"], header["max_zoom"]),
            "format": getattr(header["tile_type"], "name", "").lower(),
        }


def _range(least: object, most: object) -> str:
    return f"{least}…{most}"
