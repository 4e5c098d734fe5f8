"""Layers of a user's own: read once where they are, and catalogued."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import batched
from pathlib import Path
from typing import NamedTuple

from core import DatasetError, InvalidParameter, ReportProgress, build, tr, values_of
from workloads.shared.threads import mapped
from workloads.tiles.layer_catalogue import (
    FORMAT,
    UNKNOWN,
    LayerHeading,
    PlacedTile,
    describe_key,
    write_catalogue,
)
from workloads.tiles.layer_in_store import TOGETHER, entry_of, open_store, require_address
from workloads.tiles.layouts import catalogue_layout
from workloads.tiles.stores import BY_NAME
from workloads.tiles.stores.layout import Layout, split_address
from workloads.tiles.stores.store import Store, key_names_remedy
from workloads.tiles.tile_codec import FASTAVRO, UNDECODABLE, Decoder, TileForm, digest_of, form_of
from workloads.tiles.tile_keys import place_of
from workloads.tiles.tile_parameters import LayerPlace, TileParameters

_MOST_KEY = 1 << 63
_MOST_SPREAD = 100
"""Places around a layer for each of its tiles; with more, its keys are other numbers."""
_NO_FORM = TileForm(UNKNOWN, "", 0, 0, 0)


class _Bounds(NamedTuple):
    """The rectangle around a layer."""

    column: int
    row: int
    columns: int
    rows: int


def adopt_layer(place: LayerPlace, folder: Path, report: ReportProgress) -> None:
    """Write the catalogue of a layer into a folder; raises SluiceError and what drivers raise."""
    place = _named(place)
    parameters = _parameters_of(place)
    report("opening the store")
    opened = open_store(parameters, place.layer, place.threads, as_it_is=True, report=report)
    with closing(opened) as store:
        if isinstance(store, Layout):
            catalogue_layout(store, place.layer, folder, report)
            return
        report("listing the tiles")
        keys = sorted(set(store.keys()))
        bounds = _bounds_of(keys, place)
        first = store.get(keys[0]) if FASTAVRO.installed else None
        form, zoom = (form_of(first) if first else None) or (_NO_FORM, 0)
        placed = list(_read_all(store, keys, Decoder(form) if form.bands else None, place, report))
    if not all(one.decoded for one in placed):
        form, zoom = _NO_FORM, 0
        placed = [one._replace(decoded=b"") for one in placed]
    heading = LayerHeading(
        format=FORMAT,
        zoom=zoom,
        **bounds._asdict(),
        **form._asdict(),
        tiles=len(placed),
        bytes=sum(one.size for one in placed),
        digest="",
        adopted=place.layer,
    )
    write_catalogue(folder, heading, placed)


def _named(place: LayerPlace) -> LayerPlace:
    """Of a layout the address may name the layer itself."""
    suffix = BY_NAME[place.store].suffix
    if place.layer or suffix is None:
        return place
    address, layer = split_address(place.address, suffix)
    return replace(place, address=address, layer=layer)


def _parameters_of(place: LayerPlace) -> TileParameters:
    """As trials will have them; raises InvalidParameter."""
    if not place.layer:
        raise InvalidParameter("layer", tr("it has no name"), tr("name the layer in the store"))
    values = values_of(place)
    for own in ("layer", "threads"):
        del values[own]
    parameters = build(TileParameters, values)
    require_address(parameters)
    return parameters


def _bounds_of(keys: Sequence[int], place: LayerPlace) -> _Bounds:
    """Raises DatasetError where there are no tiles, or their keys are other numbers."""
    if not keys:
        raise DatasetError(
            tr(
                "the store {store} has no tiles of layer {layer}",
                store=place.store,
                layer=place.layer,
            ),
            tr(
                "its tiles are looked for as {naming}",
                naming=entry_of(_parameters_of(place)).naming,
            ),
        )
    if keys[0] < 0 or keys[-1] >= _MOST_KEY:
        raise _other_keys(tr("there is {key}", key=keys[0] if keys[0] < 0 else keys[-1]))
    columns, rows = zip(*map(place_of, keys), strict=True)
    bounds = _Bounds(
        min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
    )
    places = bounds.columns * bounds.rows
    if places > _MOST_SPREAD * len(keys):
        raise _other_keys(
            tr(
                "there would be {places:,} places for {tiles:,} of them",
                tiles=len(keys),
                places=places,
            )
        )
    return bounds


def _other_keys(why: str) -> DatasetError:
    return DatasetError(
        tr("the keys of this layer are not places on a Z-order curve: {why}", why=why),
        key_names_remedy(),
    )


def _read_all(
    store: Store,
    keys: Sequence[int],
    decoder: Decoder | None,
    place: LayerPlace,
    report: ReportProgress,
) -> Iterator[PlacedTile]:
    """The tiles in the order of their keys, read by several threads, few in memory at once."""
    done = 0
    read = partial(_read, store, decoder)
    for tiles in mapped(place.threads, "adopting", read, batched(keys, TOGETHER)):
        yield from tiles
        done += len(tiles)
        report("reading the tiles", done, len(keys), "tile")


def _read(store: Store, decoder: Decoder | None, keys: Sequence[int]) -> Sequence[PlacedTile]:
    tiles = []
    for key, stored in zip(keys, store.get_many(keys), strict=True):
        if stored is None:
            raise DatasetError(
                tr("{tile} was listed, and is not there any more", tile=describe_key(key)),
                tr("adopt the layer while nobody changes it"),
            )
        decoded = _decoded(key, stored, decoder) if decoder else b""
        tiles.append(PlacedTile(key, 0, len(stored), digest_of([stored]), decoded))
    return tiles


def _decoded(key: int, stored: bytes, decoder: Decoder) -> bytes:
    """The digest of a tile, empty where it cannot be decoded; raises DatasetError for another's."""
    try:
        tile = decoder.decode(decoder.inflate(stored))
    except UNDECODABLE:
        return b""
    assert tile is not None
    if tile.place != place_of(key):
        column, row = tile.place
        raise _other_keys(
            tr(
                "{tile} says it is at {column}, {row}",
                tile=describe_key(key),
                column=column,
                row=row,
            )
        )
    return digest_of(tile)
