"""Layers laid out by zoom, column and row: how they are opened, and catalogued by a reader apart.

The catalogue of a folder or file of a user's own is made once and kept in the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from core import (
    Dataset,
    DatasetError,
    ReportProgress,
    dataset_kind,
    file_state,
    index_folder,
    remove_tree,
    report_to_nobody,
    tr,
    written_once,
)
from workloads.tiles.layer_catalogue import FORMAT, LayerHeading, PlacedTile, write_catalogue
from workloads.tiles.stores import BY_NAME, LAYOUTS
from workloads.tiles.stores.layout import Layout
from workloads.tiles.stores.store import Opening
from workloads.tiles.stores.tile_grid import UNKNOWN_FORMAT, format_of, without_tiles
from workloads.tiles.tile_codec import digest_of
from workloads.tiles.tile_keys import GridPlace

_EACH = 500
"""Tiles after which progress is told."""


def is_layout(dataset: Dataset) -> bool:
    """Whether a dataset is a layer in a layout; its kind then has the name of the store."""
    return dataset.kind in LAYOUTS


def name_in(path: Path, layout: str) -> str:
    """The name of the layer at a path, as the store of that name takes it."""
    return path.name.removesuffix(BY_NAME[layout].suffix or "")


def open_layout(
    path: Path, layout: str, *, heading: LayerHeading | None = None, as_it_is: bool = True
) -> Layout:
    """The layer at a path; `heading`: of what is written there.  Raises SluiceError."""
    from workloads.tiles.tile_parameters import TileParameters

    opened = BY_NAME[layout].open(
        Opening(
            address=str(path.parent),
            layer=name_in(path, layout),
            threads=1,
            parameters=TileParameters(store=layout),
            as_it_is=as_it_is,
            zoom=heading.zoom_of_keys if heading else -1,
            format=heading.payload if heading else "",
            tally=lambda name, by: None,
        )
    )
    assert isinstance(opened, Layout)
    return opened


def layout_catalogue(dataset: Dataset, report: ReportProgress = report_to_nobody) -> Path:
    """The folder with the catalogue of a dataset in a layout, made where it is missing.

    Raises DatasetError for what is damaged, SluiceError.
    """
    place, name = _catalogue_place(dataset), name_in(dataset.path, dataset.kind)
    opened = partial(open_layout, dataset.path, dataset.kind)
    return place if place.exists() else _catalogued(place, opened, name, report)


def _catalogued(
    place: Path, opened: Callable[[], Layout], name: str, report: ReportProgress
) -> Path:
    def write(unfinished: Path) -> None:
        remove_tree(unfinished)  # of a process that was killed
        unfinished.mkdir()
        try:
            with closing(opened()) as store:
                catalogue_layout(store, name, unfinished, report)
        except BaseException:
            remove_tree(unfinished)
            raise

    return written_once(place, write, report)


def address_catalogue(opened: Callable[[], Layout], name: str, report: ReportProgress) -> Path:
    """The same of a layer that an address names, for as long as what is there stays the same."""
    with closing(opened()) as store:
        place = index_folder(store.state()) / "layer"
    return place if place.exists() else _catalogued(place, opened, name, report)


def _catalogue_place(dataset: Dataset) -> Path:
    files = dataset_kind(dataset.kind).listed(dataset.path).names
    return index_folder(dataset.fingerprint) / f"layer-{file_state(*files)}"


def is_catalogued(dataset: Dataset) -> bool:
    """Whether its catalogue is there already; raises DatasetError."""
    return not is_layout(dataset) or _catalogue_place(dataset).exists()


def catalogue_layout(store: Layout, name: str, folder: Path, report: ReportProgress) -> None:
    """Write the catalogue of a layer; raises DatasetError for what is damaged, as stores do."""
    placed: dict[int, PlacedTile] = {}
    payload = ""
    for number, (place, tile) in enumerate(store.scan()):
        key = place.key
        if key in placed:
            raise DatasetError(
                tr("{layer} has tile {place} twice", layer=name, place=place),
                tr("remove one of them"),
            )
        placed[key] = PlacedTile(key, 0, len(tile), digest_of([tile]), b"")
        payload = payload or format_of(tile)
        if number % _EACH == 0:
            report(tr("cataloguing the tiles"), number, 0, "tile")
    if not placed:
        raise without_tiles(name)
    rows = [placed[key] for key in sorted(placed)]
    heading = LayerHeading(
        format=FORMAT,
        **_rectangle_of(rows),
        tile_size=0,
        bands=0,
        payload=store.ending or payload or UNKNOWN_FORMAT,
        cells="",
        level=0,
        tiles=len(rows),
        bytes=sum(one.size for one in rows),
        digest="",
        adopted=name,
        pyramid=True,
    )
    write_catalogue(folder, heading, rows)


def _rectangle_of(rows: list[PlacedTile]) -> dict[str, int]:
    """The rectangle around the tiles of the largest zoom."""
    zoom = GridPlace.of(rows[-1].key).zoom
    places = [place for row in reversed(rows) if (place := GridPlace.of(row.key)).zoom == zoom]
    columns, rows_of = [one.column for one in places], [one.row for one in places]
    return {
        "zoom": zoom,
        "column": min(columns),
        "row": min(rows_of),
        "columns": max(columns) - min(columns) + 1,
        "rows": max(rows_of) - min(rows_of) + 1,
    }


def objects_of(dataset: Dataset, keys: list[int]) -> Iterator[tuple[int, bytes]]:
    """The tiles of a dataset in a layout, to be written elsewhere; raises DatasetError."""
    with closing(open_layout(dataset.path, dataset.kind)) as store:
        store.prepare(keys)
        for key in keys:
            tile = store.get(key)
            if tile is None:
                raise DatasetError(
                    tr("tile {place} is not there any more", place=GridPlace.of(key)),
                    tr("measure while nobody changes the data"),
                )
            yield key, tile
