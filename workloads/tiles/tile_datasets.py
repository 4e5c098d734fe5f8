"""The kind of dataset that holds a layer of tiles: generated, or adopted from a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import override

from core import Dataset, DatasetError, DatasetKind, ReportProgress
from workloads.shared.datasets import refusal_of
from workloads.tiles.layer_catalogue import CATALOGUE, HEADING, INDEX, OBJECTS, heading_of
from workloads.tiles.layer_in_store import adopt_layer
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.tile_parameters import LayerPlace


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
        make_layer(shape, folder, report)
        return folder

    @override
    def adopt(self, wishes: LayerPlace, folder: Path, report: ReportProgress) -> None:
        """Catalogue the layer; its objects stay where they are."""
        adopt_layer(wishes, folder, report)


def _is_adopted(path: Path) -> bool:
    try:
        return bool(heading_of(path).adopted)
    except DatasetError:
        return False
