"""Layers in stores: how they are named, written once, and opened; a user's own are catalogued."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import batched
from pathlib import Path
from typing import NamedTuple

import msgspec

from core import (
    Dataset,
    DatasetError,
    InvalidParameter,
    ReportProgress,
    build,
    cache_folder,
    command_text,
    report_to_nobody,
    tr,
    values_of,
)
from workloads.shared.servers import named_while_awaited, placing, require_absolute
from workloads.shared.threads import mapped
from workloads.tiles.layer_catalogue import (
    FORMAT,
    UNKNOWN,
    Layer,
    LayerHeading,
    PlacedTile,
    describe_key,
    heading_of,
    place_of,
    write_catalogue,
)
from workloads.tiles.stores import BY_NAME
from workloads.tiles.stores.store import Opening, Store, StoreEntry, explaining, key_names_remedy
from workloads.tiles.tile_codec import FASTAVRO, UNDECODABLE, Decoder, TileForm, digest_of, form_of
from workloads.tiles.tile_parameters import LayerPlace, TileParameters

THREADS = 8
"""That fill a store, and read back what was written."""
TOGETHER = 8
"""Tiles that a thread hands to a store, or asks of it, at once."""
COMPARED = 16
"""Tiles of an adopted layer that are compared before trials; these verify every one they read."""


def entry_of(parameters: TileParameters) -> StoreEntry:
    return BY_NAME[parameters.store]


def address_of(parameters: TileParameters) -> str:
    """Where the store is; for files, a folder in the cache unless one is named."""
    if parameters.address or parameters.store != "file":
        return parameters.address
    return str((cache_folder() / "tiles").absolute())


def layer_of(heading: LayerHeading) -> str:
    """The name of a layer that is used again: the same for the same tiles, on any machine.

    An adopted layer has the name under which it was found.
    """
    return heading.adopted or f"tiles-{heading.digest[:20]}"


def written_layer(mark: str) -> str:
    """The name of the layer that a trial writes; a mark is of letters, digits and `-`."""
    return f"written-{mark}"


def open_store(  # noqa: PLR0913 -- an opening, and who watches
    parameters: TileParameters,
    layer: str,
    threads: int = THREADS,
    tally: Callable[[str, float], None] = lambda name, by: None,
    *,
    as_it_is: bool = False,
    report: ReportProgress = report_to_nobody,
) -> Store:
    """The store, opened for a layer; raises Unavailable, SluiceError."""
    opening = Opening(
        address=address_of(parameters),
        layer=layer,
        threads=threads,
        parameters=parameters,
        as_it_is=as_it_is,
        tally=tally,
    )
    with named_while_awaited(report, parameters.store, opening.address):
        return entry_of(parameters).open(opening)


def require_address(parameters: TileParameters) -> None:
    """Raise InvalidParameter where a server has no address, or files have none of a folder."""
    if entry_of(parameters).remote and not parameters.address:
        raise InvalidParameter(
            "address",
            tr("the store {store} needs an address", store=parameters.store),
            tr("give its location, without credentials"),
        )
    if not entry_of(parameters).remote:
        require_absolute("address", address_of(parameters))


def require_known(heading: LayerHeading, parameters: TileParameters) -> None:
    """Raise InvalidParameter for what cannot be done with an adopted layer."""
    if heading.adopted and parameters.direction == "write":
        raise InvalidParameter(
            "direction",
            tr(
                "an adopted layer stays as it is, and its tiles are not here to be written elsewhere"
            ),
            tr(
                "write a generated one: {command}",
                command=command_text("dataset", "make", "tile-layer"),
            ),
        )
    if heading.payload == UNKNOWN and parameters.depth == "decode":
        raise InvalidParameter(
            "depth",
            tr("the tiles of this layer are encoded in a way that is not known here"),
            tr("set depth to fetch, which compares their bytes"),
        )


def place_layer(dataset: Dataset, parameters: TileParameters, report: ReportProgress) -> None:
    """Write the layer into the store unless it is there; raises SluiceError.

    Of an adopted layer nothing is written: it is only seen whether it is the one in the catalogue.
    """
    require_address(parameters)
    heading = heading_of(dataset.path)
    if heading.adopted:
        report("comparing the layer in the store with its catalogue")
        require_adopted(dataset.path, parameters, report)
        return
    with placing(layer_of(heading), f"{parameters.store} {address_of(parameters)}"):
        with closing(open_store(parameters, layer_of(heading), report=report)) as store:
            if holds(store, heading):
                return
            report("clearing what is left of the layer in the store")
            with explaining(store):
                store.remove()
        _fill(dataset.path, parameters, report)


def require_adopted(path: Path, parameters: TileParameters, report: ReportProgress) -> None:
    """Raise SluiceError unless some tiles of an adopted layer are in the store as catalogued."""
    with closing(Layer.open(path)) as layer:
        name, every = layer.heading.adopted, list(layer.placed.values())
    some = every[:: max(1, len(every) // COMPARED)]
    with closing(open_store(parameters, name, as_it_is=True, report=report)) as store:
        objects = store.get_many([one.key for one in some])
    for placed, stored in zip(some, objects, strict=True):
        if stored is None or digest_of([stored]) != placed.stored:
            raise DatasetError(
                tr(
                    "layer {name} in the store {store} is not the one that was adopted: {tile} {difference}",
                    name=name,
                    store=parameters.store,
                    tile=describe_key(placed.key),
                    difference=tr("is not there") if stored is None else tr("has other content"),
                ),
                tr("give the store and the address where it is, or adopt it again"),
            )


def holds(store: Store, heading: LayerHeading) -> bool:
    """Whether a store holds the whole of a layer; raises SluiceError where it fails."""
    with explaining(store):
        manifest = store.manifest()
    with suppress(msgspec.DecodeError):
        return manifest is not None and msgspec.json.decode(manifest) == _manifest(heading)
    return False


def _fill(path: Path, parameters: TileParameters, report: ReportProgress) -> None:
    with (
        closing(Layer.open(path)) as layer,
        closing(open_store(parameters, layer_of(layer.heading))) as store,
        explaining(store),
    ):
        write_all(store, layer.objects(), layer.heading.tiles, report)
        store.finish()
        store.set_manifest(msgspec.json.encode(_manifest(layer.heading)))


def write_all(
    store: Store, objects: Iterator[tuple[int, bytes]], total: int, report: ReportProgress
) -> None:
    """Write objects by several threads, of which few are in memory at once."""

    def write(some: Sequence[tuple[int, bytes]]) -> int:
        store.put_many(some)
        return len(some)

    done = 0
    for count in mapped(THREADS, "placing", write, batched(objects, TOGETHER)):
        done += count
        report("writing the layer into the store", done, total, "tile")


def _manifest(heading: LayerHeading) -> Mapping[str, object]:
    return {"format": heading.format, "digest": heading.digest, "tiles": heading.tiles}


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
    parameters = _parameters_of(place)
    report("opening the store")
    opened = open_store(parameters, place.layer, place.threads, as_it_is=True, report=report)
    with closing(opened) as store:
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
