"""Layers in stores: how they are named, where they are, written once, and opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import batched
from pathlib import Path
from typing import NamedTuple

import msgspec

from core import (
    Dataset,
    DatasetError,
    InvalidParameter,
    ReportProgress,
    cache_folder,
    command_text,
    report_to_nobody,
    tr,
)
from workloads.shared.link import LINK
from workloads.shared.objects import ClientEntry, client_for
from workloads.shared.servers import named_while_awaited, placing, require_absolute
from workloads.shared.threads import mapped
from workloads.tiles.layer_catalogue import Layer, LayerHeading, heading_of
from workloads.tiles.layouts import address_catalogue, is_layout, layout_catalogue, objects_of
from workloads.tiles.stores import BY_NAME, STORES
from workloads.tiles.stores.layout import Layout, server_of, split_address
from workloads.tiles.stores.store import CountTally, Opening, Store, StoreEntry, explaining
from workloads.tiles.tile_codec import digest_of
from workloads.tiles.tile_parameters import OPAQUE, TileParameters

THREADS = 8
"""That fill a store, and read back what was written."""
TOGETHER = 8
"""Tiles that a thread hands to a store, or asks of it, at once."""
_OVER_NETWORK = tuple(one.name for one in STORES if one.remote or one.ranges)
GENERATED = "tile-layer"
"""The kind of datasets that are made here, and of which one is made where none is named."""
COMPARED = 16
"""Tiles of an adopted layer that are compared before trials; these verify every one they read."""


def entry_of(parameters: TileParameters) -> StoreEntry:
    return BY_NAME[parameters.store]


def is_remote(parameters: TileParameters) -> bool:
    """Whether the tiles are no files of this machine."""
    return entry_of(parameters).remote or "://" in parameters.address


def client_of(parameters: TileParameters) -> ClientEntry | None:
    """The client of objects with names; None for other stores.

    Raises InvalidParameter for one that does not read from the store.
    """
    store = entry_of(parameters)
    server = store.name if store.clients else ""
    if store.ranges:
        server = server_of(parameters.address)
    return client_for(parameters.client, server) if server else None


def is_linked(parameters: TileParameters) -> bool:
    """Whether there is a link between here and the tiles that can be counted on."""
    entry = entry_of(parameters)
    return entry.linked or (entry.ranges and is_remote(parameters))


def address_of(parameters: TileParameters) -> str:
    """Where the store is; for files, a folder in the cache unless one is named."""
    if parameters.address or entry_of(parameters).remote:
        return parameters.address
    return str((cache_folder() / "tiles").absolute())


def layer_of(heading: LayerHeading) -> str:
    """The name of a layer that is used again: the same for the same tiles, on any machine.

    An adopted layer has the name under which it was found.
    """
    return heading.adopted or f"tiles-{heading.digest[:20]}"


def _copied_name(heading: LayerHeading, parameters: TileParameters) -> str:
    """The same of a copy: not one folder in two stores of files."""
    name = layer_of(msgspec.structs.replace(heading, adopted=""))
    return f"{name}-{parameters.store}" if entry_of(parameters).suffix == "" else name


def written_layer(mark: str) -> str:
    """The name of the layer that a trial writes; a mark is of letters, digits and `-`."""
    return f"written-{mark}"


def _folder_of(parameters: TileParameters, layer: str) -> str:
    """Where the store is; the address of a layout may name the layer itself."""
    address, suffix = address_of(parameters), entry_of(parameters).suffix
    if suffix is None:
        return address
    folder, name = split_address(address, suffix)
    return folder if name == layer else address


class Placement(NamedTuple):
    """Where the layer of a dataset is in a store, or will be."""

    catalogue: Path
    heading: LayerHeading
    parameters: TileParameters
    layer: str
    """Its name there."""
    as_it_is: bool
    """It is a user's own, and stays as it is."""

    def open(self, threads: int, tally: CountTally, report: ReportProgress) -> Store:
        """The store; raises Unavailable, SluiceError."""
        return open_store(
            self.parameters,
            self.layer,
            threads,
            tally,
            as_it_is=self.as_it_is,
            report=report,
            heading=self.heading,
        )


def placement(
    dataset: Dataset, parameters: TileParameters, report: ReportProgress = report_to_nobody
) -> Placement:
    """Where the layer of a dataset is read; one in a layout is catalogued before.

    Without an address it is read where the dataset is, and with one from a copy there.  Raises
    DatasetError, SluiceError.
    """
    if name := named_layer(dataset, parameters):
        catalogue = _catalogue_of_address(parameters, name, report)
        return Placement(catalogue, heading_of(catalogue), parameters, name, True)
    if not is_layout(dataset):
        heading = heading_of(dataset.path)
        name = heading.adopted or _copied_name(heading, parameters)
        return Placement(dataset.path, heading, parameters, name, bool(heading.adopted))
    catalogue = layout_catalogue(dataset, report)
    heading = heading_of(catalogue)
    if not is_in_place(dataset, parameters):
        name = _copied_name(heading, parameters)
        return Placement(catalogue, heading, parameters, name, False)
    there = replace(parameters, address=str(dataset.path.parent))
    return Placement(catalogue, heading, there, heading.adopted, True)


def named_layer(dataset: Dataset, parameters: TileParameters) -> str:
    """The layer at the address, where it is read instead of the dataset: of a generated one, and
    of any where it is on a server, to which no archive is copied.
    """
    copied = dataset.kind != GENERATED and "://" not in parameters.address
    return "" if copied else layer_at(parameters)


def layer_at(parameters: TileParameters) -> str:
    """The layer in a file that the address names; empty where it names none, or it is written."""
    suffix = entry_of(parameters).suffix
    if not suffix or parameters.direction == "write":
        return ""
    return split_address(parameters.address, suffix)[1]


def _catalogue_of_address(parameters: TileParameters, name: str, report: ReportProgress) -> Path:
    def opened() -> Layout:
        store = open_store(parameters, name, as_it_is=True, report=report)
        assert isinstance(store, Layout)
        return store

    return address_catalogue(opened, name, report)


def is_in_place(dataset: Dataset, parameters: TileParameters) -> bool:
    """Whether the tiles of a layout are read from the dataset itself."""
    if parameters.store != dataset.kind or parameters.direction == "write":
        return False
    return parameters.address in ("", str(dataset.path.parent))


def open_store(  # noqa: PLR0913 -- an opening, and who watches
    parameters: TileParameters,
    layer: str,
    threads: int = THREADS,
    tally: CountTally = lambda name, by: None,
    *,
    as_it_is: bool = False,
    report: ReportProgress = report_to_nobody,
    heading: LayerHeading | None = None,
) -> Store:
    """The store, opened for a layer; `heading`: of what is read or written.

    Raises Unavailable, SluiceError.
    """
    opening = Opening(
        address=_folder_of(parameters, layer),
        layer=layer,
        threads=threads,
        parameters=parameters,
        as_it_is=as_it_is,
        zoom=heading.zoom_of_keys if heading else -1,
        format=heading.payload if heading else "",
        tally=tally,
    )
    longest = parameters.timeout * parameters.attempts
    with named_while_awaited(report, parameters.store, opening.address, longest):
        return entry_of(parameters).open(opening)


def require_address(parameters: TileParameters) -> None:
    """Raise InvalidParameter where a server has no address, or files have none of a folder."""
    if entry_of(parameters).remote and not parameters.address:
        raise InvalidParameter(
            "address",
            tr("the store {store} needs an address", store=parameters.store),
            tr("give its location, without credentials"),
        )
    entry = entry_of(parameters)
    if "://" in parameters.address and not (entry.remote or entry.ranges):
        raise InvalidParameter(
            "address",
            tr(
                "the store {store} is in a folder, and {address!r} is none",
                store=parameters.store,
                address=parameters.address,
            ),
            tr(
                "give its folder; only {stores} are read over a network",
                stores=", ".join(_OVER_NETWORK),
            ),
        )
    if not is_remote(parameters):
        require_absolute("address", address_of(parameters))


def require_fitting(parameters: TileParameters, dataset: Dataset) -> None:
    """Raise InvalidParameter for what cannot be done with a kind of dataset, or a store."""
    writes = parameters.direction == "write"
    if writes and parameters.store == "pmtiles":
        raise InvalidParameter(
            "store",
            tr("a PMTiles archive is written as a whole, and not tile by tile"),
            tr("read from it, or write to another store"),
        )
    if names := [name for name in LINK if getattr(parameters, name) and not is_linked(parameters)]:
        raise InvalidParameter(
            names[0],
            tr("nothing lies between here and a file"),
            tr("leave out {names}, or give the address of a server", names=", ".join(names)),
        )
    if writes:
        return
    if named_layer(dataset, parameters) and parameters.depth == "decode":
        raise opaque()
    if is_layout(dataset) and parameters.store != dataset.kind and not parameters.address:
        raise InvalidParameter(
            "store",
            tr("the tiles are in another store, {store}", store=dataset.kind),
            tr("set store to {store}, or give the address of a copy", store=dataset.kind),
        )
    if dataset.kind in OPAQUE and parameters.depth == "decode":
        raise opaque()


def opaque() -> InvalidParameter:
    """The refusal to decode what nobody here can."""
    return InvalidParameter(
        "depth",
        tr("the tiles of this layer are encoded in a way that is not known here"),
        tr("set depth to fetch, which compares their bytes"),
    )


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
    if heading.is_opaque and parameters.depth == "decode" and parameters.direction == "read":
        raise opaque()


def place_layer(dataset: Dataset, parameters: TileParameters, report: ReportProgress) -> None:
    """Write the layer into the store unless it is there; raises SluiceError.

    Of a layer that is read as it is nothing is written: it is only seen whether it is the one in
    the catalogue.
    """
    require_address(parameters)
    place = placement(dataset, parameters, report)
    if place.as_it_is:
        report("comparing the layer in the store with its catalogue")
        _require_adopted(place, report)
        return
    with placing(place.layer, f"{parameters.store} {address_of(parameters)}"):
        with closing(place.open(THREADS, _nothing, report)) as store:
            if holds(store, place.heading):
                return
            report("clearing what is left of the layer in the store")
            with explaining(store):
                store.remove()
        _fill(dataset, place, report)


def _nothing(name: str, by: float) -> None:
    """Count nothing."""


def _require_adopted(place: Placement, report: ReportProgress) -> None:
    """Raise SluiceError unless some tiles of a layer are in the store as catalogued."""
    with closing(Layer.open(place.catalogue)) as layer:
        every = list(layer.placed.values())
    some = every[:: max(1, len(every) // COMPARED)]
    with closing(place.open(THREADS, _nothing, report)) as store:
        objects = store.get_many([one.key for one in some])
    for placed, stored in zip(some, objects, strict=True):
        if stored is None or digest_of([stored]) != placed.stored:
            raise DatasetError(
                tr(
                    "layer {name} in the store {store} is not the one that was adopted: {tile} {difference}",
                    name=place.layer,
                    store=place.parameters.store,
                    tile=layer.describe(placed.key),
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


def _fill(dataset: Dataset, place: Placement, report: ReportProgress) -> None:
    with (
        closing(Layer.open(place.catalogue)) as layer,
        closing(place.open(THREADS, _nothing, report)) as store,
        explaining(store),
    ):
        write_all(store, objects_to_place(dataset, layer), layer.heading.tiles, report)
        store.finish()
        store.set_manifest(msgspec.json.encode(_manifest(layer.heading)))


def objects_to_place(dataset: Dataset, layer: Layer) -> Iterator[tuple[int, bytes]]:
    """The objects of a layer with their keys; raises DatasetError."""
    return objects_of(dataset, list(layer.placed)) if is_layout(dataset) else layer.objects()


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
