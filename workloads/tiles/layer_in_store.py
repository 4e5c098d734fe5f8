"""Layers in stores: how they are named, written once, and opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from hashlib import blake2b
from itertools import batched
from pathlib import Path

import msgspec

from core import (
    Dataset,
    DatasetError,
    InvalidParameter,
    ReportProgress,
    cache_folder,
    command_text,
    locked,
    tr,
    values_of,
)
from workloads.tiles.layer_files import UNKNOWN, Layer, LayerHeading, describe_key, heading_of
from workloads.tiles.stores import BY_NAME
from workloads.tiles.stores.store import Opening, Store, StoreEntry, explaining
from workloads.tiles.tile_codec import digest_of
from workloads.tiles.tile_parameters import TileParameters

THREADS = 8
"""That fill a store, and read back what was written."""
_TOGETHER = 8
"""Objects that are handed to a store at once while it is filled."""
_COMPARED = 16
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


def open_store(
    parameters: TileParameters,
    layer: str,
    threads: int = THREADS,
    tally: Callable[[str, float], None] = lambda name, by: None,
    *,
    as_it_is: bool = False,
) -> Store:
    """The store, opened for a layer; raises Unavailable, SluiceError."""
    return entry_of(parameters).open(
        Opening(
            address=address_of(parameters),
            layer=layer,
            threads=threads,
            parameters=values_of(parameters),
            as_it_is=as_it_is,
            tally=tally,
        )
    )


def require_address(parameters: TileParameters) -> None:
    """Raise InvalidParameter where a server has no address, or files have none of a folder."""
    if entry_of(parameters).remote and not parameters.address:
        raise InvalidParameter(
            "address",
            tr("the store {store} needs an address", store=parameters.store),
            tr("give its location, without credentials"),
        )
    if not entry_of(parameters).remote and not Path(address_of(parameters)).is_absolute():
        raise InvalidParameter(
            "address",
            tr("{address} is not the whole path of a folder", address=parameters.address),
            tr("begin it with /, so that what trials leave there is found from anywhere"),
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
        require_adopted(dataset.path, parameters)
        return
    place = blake2b(
        f"{parameters.store} {address_of(parameters)}".encode(), digest_size=8
    ).hexdigest()
    with locked(cache_folder() / "locks" / f"{layer_of(heading)}-{place}.lock"):
        with closing(open_store(parameters, layer_of(heading))) as store:
            if holds(store, heading):
                return
            report("clearing what is left of the layer in the store")
            with explaining(store):
                store.remove()
        _fill(dataset.path, parameters, report)


def require_adopted(path: Path, parameters: TileParameters) -> None:
    """Raise SluiceError unless some tiles of an adopted layer are in the store as catalogued."""
    with closing(Layer.open(path)) as layer:
        name, every = layer.heading.adopted, list(layer.placed.values())
    some = every[:: max(1, len(every) // _COMPARED)]
    with closing(open_store(parameters, name, as_it_is=True)) as store:
        objects = store.get_many([one.key for one in some])
    for placed, found in zip(some, objects, strict=True):
        if found is None or digest_of([found]) != placed.stored:
            raise DatasetError(
                tr(
                    "layer {name} in the store {store} is not the one that was adopted: {tile} {difference}",
                    name=name,
                    store=parameters.store,
                    tile=describe_key(placed.key),
                    difference=tr("is not there") if found is None else tr("has other content"),
                ),
                tr("give the store and the address where it is, or adopt it again"),
            )


def holds(store: Store, heading: LayerHeading) -> bool:
    """Whether a store holds the whole of a layer; raises SluiceError where it fails."""
    with explaining(store):
        manifest = store.manifest()
    return manifest is not None and _parsed(manifest) == _manifest(heading)


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
    done = 0
    with ThreadPoolExecutor(THREADS, thread_name_prefix="placing") as pool:
        for group in batched(batched(objects, _TOGETHER), 2 * THREADS):
            writing = [pool.submit(store.put_many, some) for some in group]
            wait(writing)
            for one in writing:
                one.result()
            done += sum(map(len, group))
            report("writing the layer into the store", done, total, "tile")


def _manifest(heading: LayerHeading) -> Mapping[str, object]:
    return {"format": heading.format, "digest": heading.digest, "tiles": heading.tiles}


def _parsed(manifest: bytes) -> object:
    try:
        return msgspec.json.decode(manifest)
    except msgspec.DecodeError:
        return None
