"""The kind of dataset that holds a layer of tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import override

from core import Dataset, DatasetError, DatasetKind, Tell
from workloads.tiles.layer_files import (
    HEADING,
    INDEX,
    OBJECTS,
    begins_as_layer,
    heading_of,
)
from workloads.tiles.layer_to_adopt import LayerPlace
from workloads.tiles.tile_shapes import LayerShape


class TileLayer(DatasetKind):
    """A folder with a layer of tiles and the catalogue by which any store of it is judged."""

    name = "tile-layer"
    title = "layer of tiles"
    shape = LayerShape
    adoption = LayerPlace

    @override
    def recognises(self, path: Path) -> bool:
        """True for a folder that says so."""
        return path.is_dir() and begins_as_layer(path)

    @override
    def files(self, path: Path) -> Sequence[Path]:
        """Heading, index and, unless the layer was adopted, objects."""
        names = (HEADING, INDEX) if _is_adopted(path) else (HEADING, INDEX, OBJECTS)
        return sorted(path / name for name in names)

    @override
    def open(self, path: Path) -> Dataset:
        """The layer; raises DatasetError where it is damaged or was cut off."""
        heading_of(path)
        return super().open(path)

    @override
    def explain(self, path: Path) -> DatasetError | None:
        """What is wrong with a folder that has the heading of a layer."""
        if (path / HEADING).is_file():
            try:
                heading_of(path)
            except DatasetError as refusal:
                return refusal
        return None

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Files, tiles, holes, zoom and sizes."""
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
    def make(self, shape: LayerShape, folder: Path, tell: Tell) -> Path:
        """Generate the layer."""
        from workloads.tiles.make_layer import make_layer

        make_layer(shape, folder, tell)
        return folder

    @override
    def adopt(self, wishes: LayerPlace, folder: Path, tell: Tell) -> None:
        """Catalogue the layer; its objects stay where they are."""
        from workloads.tiles.adopt_layer import adopt_layer

        adopt_layer(wishes, folder, tell)


def _is_adopted(path: Path) -> bool:
    try:
        return bool(heading_of(path).adopted)
    except DatasetError:
        return False
