"""The kind of dataset that holds a layer of tiles, and the shape of those that are generated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import override

from core import Dataset, DatasetError, DatasetKind, ReportProgress, choice, integer, location, real
from workloads.shared.datasets import refusal_of
from workloads.tiles.layer_files import CATALOGUE, HEADING, INDEX, OBJECTS, heading_of
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
        from workloads.tiles.adopt_layer import adopt_layer

        adopt_layer(wishes, folder, report)


def _is_adopted(path: Path) -> bool:
    try:
        return bool(heading_of(path).adopted)
    except DatasetError:
        return False
