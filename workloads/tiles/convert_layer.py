"""Copies a layer into a layout of tiles by zoom, and compares every tile of the copy."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from core import Dataset, DatasetError, ReportProgress, tr
from workloads.tiles.layer_catalogue import Layer
from workloads.tiles.layer_in_store import objects_to_place, write_all
from workloads.tiles.layouts import is_layout, layout_catalogue, open_layout
from workloads.tiles.stores import BY_NAME
from workloads.tiles.stores.store import explaining
from workloads.tiles.tile_codec import digest_of
from workloads.tiles.tile_keys import first_key


def convert_layout(dataset: Dataset, to: str, folder: Path, report: ReportProgress) -> None:
    """Write the tiles of a dataset into an empty folder, in the layout of that name.

    Raises DatasetError, SluiceError.
    """
    for driver in BY_NAME[to].drivers:
        driver.require()
    catalogue = layout_catalogue(dataset, report) if is_layout(dataset) else dataset.path
    suffix = BY_NAME[to].suffix
    target = folder / f"{dataset.path.stem}{suffix}" if suffix else folder
    with closing(Layer.open(catalogue)) as layer:
        _write(dataset, layer, (target, to), report)
        _compare(layer, (target, to), report)


def _write(
    dataset: Dataset, layer: Layer, target: tuple[Path, str], report: ReportProgress
) -> None:
    opened = open_layout(*target, heading=layer.heading, as_it_is=False)
    with closing(opened) as store, explaining(store):
        store.describe(_description(dataset))
        write_all(store, objects_to_place(dataset, layer), layer.heading.tiles, report)
        store.finish()


def _description(dataset: Dataset) -> Mapping[str, object]:
    """What the layer says of itself, such as its bounds and its vector layers."""
    if not is_layout(dataset):
        return {}
    with closing(open_layout(dataset.path, dataset.kind)) as store:
        return store.description()


def _compare(layer: Layer, target: tuple[Path, str], report: ReportProgress) -> None:
    """Raise DatasetError unless the copy has the same tiles, and no others."""
    before = first_key(zoom) if (zoom := layer.heading.zoom_of_keys) >= 0 else 0
    missing = {key + before: placed.stored for key, placed in layer.placed.items()}
    with closing(open_layout(*target)) as store:
        for number, (place, tile) in enumerate(store.scan()):
            if missing.pop(place.key, b"") != digest_of([tile]):
                raise _differs(target[0], place)
            report(tr("comparing the copy"), number, layer.heading.tiles, "tile")
    for key in missing:
        raise _differs(target[0], layer.describe(key - before))


def _differs(path: Path, tile: object) -> DatasetError:
    return DatasetError(tr("tile {tile} is not in {path} as it was", tile=tile, path=path))
