"""The workload: a request for all tiles of a window, by a pool of threads.

The published study varies the threads of one request's pool.  Here the pool is the load's own
threads: an item is one tile, and the threads take items from one queue, which is what a pool of N
threads over the keys of a request does.  So `threads` is the axis of every sweep, each tile is
timed and verified, rates are seen while they happen, and one request follows the other without a
gap.  The time of a request is its tiles divided by the throughput; the counter `requests` says how
many there were.

With the reader `rdd` an item is a whole request, which is a job of Spark's, and the load's threads
are those of each partition (`rdd_job`).

*Copy for my code* offers the same by store.  Those on HDFS and in Accumulo are reached from Java,
so their users get the setting of GeoTrellis, whose one pool of threads serves all stores since its
version 3.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, override

from core import (
    Context,
    Dataset,
    DatasetError,
    Driver,
    InvalidParameter,
    Job,
    Load,
    ReportProgress,
    Workload,
    dataset_kind,
    tr,
    values_of,
)
from workloads.shared.code_templates import code_from
from workloads.shared.link import LINK, NO_LINK, linked, require_linkable
from workloads.shared.objects import OBSTORE
from workloads.shared.servers import (
    S3_PAGE,
    THREAD_RATE,
    counted_on_wire,
    s3_address,
)
from workloads.shared.threads import ThreadTallies
from workloads.tiles.layer_catalogue import Layer, heading_of, rectangle
from workloads.tiles.layer_in_store import (
    COMPARED,
    Placement,
    address_of,
    client_of,
    entry_of,
    holds,
    is_in_place,
    is_linked,
    is_remote,
    layer_at,
    named_layer,
    open_store,
    place_layer,
    placement,
    require_address,
    require_fitting,
    require_known,
    written_layer,
)
from workloads.tiles.layouts import is_catalogued, is_layout, name_in
from workloads.tiles.rdd_job import RddJob, open_rdd_job
from workloads.tiles.spark_application import runs_here
from workloads.tiles.stores import OBJECT_TALLIES
from workloads.tiles.stores.file_store import file_of
from workloads.tiles.stores.layout import file_name, split_address
from workloads.tiles.stores.store import (
    ASLEEP,
    CASSANDRA_ADDRESS,
    Store,
    explaining,
    parse_address,
    table_name,
)
from workloads.tiles.stores.xyz_store import layout_files
from workloads.tiles.tile_codec import FASTAVRO
from workloads.tiles.tile_jobs import TileJob, WritingJob, reading_job
from workloads.tiles.tile_keys import first_key
from workloads.tiles.tile_parameters import (
    LEANEST,
    OPAQUE,
    PYSPARK,
    GetsParameters,
    TileParameters,
)

OPENING = 2
"""Requests of a client before its first operation."""

_ONE_WORKER: Mapping[str, tuple[str, ...]] = {"collection": (), "rdd": ("processes", "share")}
"""What means nothing where one worker of the engine asks for one request after the other."""

_PLACES_IN_CODE: Mapping[str, Callable[[TileParameters], object]] = {
    "file": address_of,
    "xyz": address_of,
    "mbtiles": address_of,
    "pmtiles": lambda parameters: _place_of_ranges(address_of(parameters)),
    "s3": lambda parameters: s3_address(parameters.address),
    "http": lambda parameters: parameters.address.rstrip("/"),
    "cassandra": lambda parameters: parse_address(parameters.address, CASSANDRA_ADDRESS),
}
"""Where a store is, as its template in `resources/code` takes it."""


def _place_of_ranges(address: str) -> object:
    return s3_address(address) if address.startswith("s3:") else address.rstrip("/")


class TilesOfImagery(Workload[TileParameters]):
    """Reads or writes the tiles of a layer in a store."""

    name = "tiles"
    unit = "tile"
    parameters = TileParameters
    important = ("threads", "batch", "direction", "store", "client", "address", "reader")
    dataset_kinds = ("tile-layer", *OPAQUE)
    lines = ("store", *LINK)
    floor_by = "gets"

    @override
    def admit(self, parameters: TileParameters, dataset: Dataset) -> None:
        require_address(parameters)
        client_of(parameters)
        if is_linked(parameters):
            require_linkable(parameters.address, parameters)
        require_fitting(parameters, dataset)

    @override
    def drivers(self, parameters: TileParameters) -> tuple[Driver, ...]:
        decodes = parameters.direction == "read" and parameters.depth == "decode"
        codec = (FASTAVRO,) if decodes else ()
        spark = (PYSPARK,) if parameters.reader == "rdd" else ()
        client = client_of(parameters)
        of_client = client.drivers if client else ()
        every = (*entry_of(parameters).drivers, *of_client, *codec, *spark)
        return tuple({driver.module: driver for driver in every}.values())

    @override
    def in_code(
        self, parameters: TileParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        """The same reads or writes by Python, and the setting of GeoTrellis."""
        layer, raw = "my-layer", False
        if parameters.direction == "read":
            with suppress(DatasetError):
                parameters, layer, raw = _known_place(parameters, dataset)
        code = {"GeoTrellis": f"geotrellis.blocking-thread-pool.threads = {load.threads}"}
        if place_of_store := _PLACES_IN_CODE.get(parameters.store):
            file = file_name(layer, entry_of(parameters).suffix or "")
            values = {"parameters": parameters, "layer": layer, "file": file, "raw": raw}
            with suppress(InvalidParameter):  # of an address that is none
                client = client_of(parameters)
                own = entry_of(parameters).ranges
                values["way"] = client.name if client and not own else parameters.store
                place, table = place_of_store(parameters), table_name(layer)
                python = code_from("tiles", load, place=place, table=table, **values)
                code = {"Python": python, **code}
        return code

    @override
    def files(self, parameters: TileParameters, dataset: Dataset) -> Sequence[Path]:
        """The files of the tiles that are read, as far as they are there, where they are files."""
        if parameters.direction == "write" or is_remote(parameters):
            return ()
        if is_in_place(dataset, parameters):
            return dataset_kind(dataset.kind).files(dataset.path)
        if not (named_layer(dataset, parameters) or is_catalogued(dataset)):
            return ()
        place, name, _ = _known_place(parameters, dataset)
        layer, suffix = Path(address_of(place)) / name, entry_of(place).suffix
        if suffix is not None:
            return layout_files(layer.with_name(file_name(name, suffix)))
        with closing(Layer.open(placement(dataset, parameters).catalogue)) as catalogue:
            keys = list(catalogue.placed)
        return sorted(file for key in keys if (file := file_of(layer, key)).is_file())

    @override
    def unread(self, parameters: TileParameters) -> str:
        on_server = "://" in parameters.address and layer_at(parameters)
        return tr("the tiles at the address are read") if on_server else ""

    @override
    def irrelevant(self, parameters: TileParameters) -> frozenset[str]:
        """The page cache, unless files are read; processes, and cores elsewhere, beside Spark's."""
        reads_files = parameters.direction == "read" and not is_remote(parameters)
        cache = () if reads_files else ("page_cache",)
        # Executors elsewhere are not bound to what this machine's processes are.
        elsewhere = parameters.reader == "rdd" and not runs_here(parameters.master)
        cores = ("cores",) if elsewhere else ()
        return frozenset((*cache, *cores, *_ONE_WORKER[parameters.reader]))

    @override
    def place(self, dataset: Dataset, parameters: TileParameters, report: ReportProgress) -> None:
        """Write the layer that is read; of a server that is written to, only wait until it answers.

        What fails here is not tried again by each trial.
        """
        if parameters.direction == "read":
            place_layer(dataset, parameters, report)
        elif is_remote(parameters):
            open_store(parameters, written_layer("nothing"), report=report).close()

    @override
    def remove_leftovers(
        self, mark: str, parameters: TileParameters, report: ReportProgress
    ) -> int:
        report("removing what was written")
        opened = open_store(parameters, written_layer(mark), report=report)
        with closing(opened) as store, explaining(store):
            return store.remove()

    @override
    def requests(
        self, parameters: TileParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, int]:
        """As many as a client here can make; a store asks at least once for each operation."""
        entry = entry_of(parameters)
        if not is_remote(parameters):
            return {}
        writes = parameters.direction == "write"
        tiles, adopted = _tiles_of(dataset)
        adopted = adopted or bool(named_layer(dataset, parameters))
        seconds = load.duration + load.warm_up
        client = client_of(parameters)
        rate = client.rate if client else entry.client_rate
        most = load.processes * min(load.threads * THREAD_RATE, rate)
        ends = [most * seconds] * bool(load.duration)
        ends += [load.operations * parameters.batch] * bool(load.operations)
        pages = tiles // S3_PAGE + 1
        return {
            "placing": 0 if writes else (COMPARED if adopted else tiles + 2 * pages),
            "measuring": round(min(ends, default=tiles)) + OPENING * load.processes,
            "verifying": tiles if writes else 0,
            "removing": 2 * pages + OPENING if writes else 0,
        }

    @override
    def counted(self, parameters: TileParameters) -> Mapping[str, float]:
        """Requests for objects; those of Spark's executors are not is_counted."""
        is_counted = client_of(parameters) is not None and parameters.reader != "rdd"
        return counted_on_wire() if is_counted else {}

    @override
    def floor(self, parameters: TileParameters) -> Mapping[str, object] | None:
        """Plain gets of the same objects, through the same link; none where this is one itself."""
        reads = parameters.direction == "read" and parameters.reader == "collection"
        if not (reads and entry_of(parameters).clients and OBSTORE.installed):
            return None
        if (parameters.client, parameters.depth, parameters.batch) == (LEANEST, "fetch", 1):
            return None
        values = values_of(parameters)
        return {one.name: values[one.name] for one in dataclasses.fields(GetsParameters)}

    @override
    def client_name(self, parameters: TileParameters) -> str:
        client = client_of(parameters)
        if client is None or parameters.depth == "fetch":
            return client.name if client else ""
        return tr("{client} with decoding", client=client.name)

    @override
    def takes_turns(self, parameters: TileParameters) -> bool:
        """Not a request that is a job of Spark's, whose executors work on after it."""
        return parameters.reader != "rdd"

    @override
    def leaves(self, parameters: TileParameters) -> bool:
        return parameters.direction == "write"

    @override
    def open(self, context: Context[TileParameters]) -> Job[Any, Any]:
        parameters = context.parameters
        for driver in self.drivers(parameters):
            driver.require()
        self.admit(parameters, context.dataset)
        place = placement(context.dataset, parameters, context.report)
        require_known(place.heading, parameters)
        layer = Layer.open(place.catalogue)
        try:
            if parameters.reader == "rdd":
                return _rdd_job(context, layer)
            with ExitStack() as resources:
                job = _job(context, layer, place, resources)
                job.way = resources.pop_all()
            return job
        except BaseException:
            layer.close()
            raise


def _known_place(parameters: TileParameters, dataset: Dataset) -> tuple[TileParameters, str, bool]:
    """Where the layer is, its name, and whether its tiles are not deflated; nothing is catalogued.

    Raises DatasetError where that is not known.
    """
    if name := named_layer(dataset, parameters):
        address = split_address(parameters.address, entry_of(parameters).suffix or "")[0]
        return replace(parameters, address=address), name, True
    if is_in_place(dataset, parameters):
        address, name = str(dataset.path.parent), name_in(dataset.path, dataset.kind)
        return replace(parameters, address=address), name, True
    if not is_catalogued(dataset):
        raise DatasetError(tr("nothing is known of it"))
    place = placement(dataset, parameters)
    return place.parameters, place.layer, place.heading.payload != "avro"


def _tiles_of(dataset: Dataset) -> tuple[int, bool]:
    """How many tiles a dataset has, and whether they stay where they are; raises DatasetError."""
    if is_layout(dataset):
        return int(dataset_kind(dataset.kind).facts(dataset.path).get("tiles", 0)), False
    heading = heading_of(dataset.path)
    return heading.tiles, bool(heading.adopted)


def _job(
    context: Context[TileParameters], layer: Layer, place: Placement, resources: ExitStack
) -> TileJob[Any]:
    parameters, threads = context.parameters, context.load.threads
    tallies = ThreadTallies(lambda index: context.tally(index).add)
    link = NO_LINK
    if is_linked(parameters):
        way = linked(parameters.address, parameters, context.load.processes)
        link = resources.enter_context(way)
        place = place._replace(parameters=replace(place.parameters, address=link.address))
    reads = parameters.direction == "read"
    context.report(f"opening {parameters.store}")
    store = _store_of(context, place, tallies)
    keys = _keys_of(layer, parameters.window, context.load.seed)
    if reads:
        alone = context.load.workers == 1
        job: TileJob[Any] = reading_job(parameters, layer, store, keys, tallies, alone=alone)
    else:
        job = writing = WritingJob(layer, store, keys, tallies, parameters.batch)
        name = written_layer(context.mark)
        writing.reopened = lambda: open_store(context.parameters, name, heading=layer.heading)
        if parameters.store == "hdfs":
            writing.notes = [
                tr(
                    "hdfs-native sleeps 0.5 s where HDFS needs some ms more to complete a file; threads gain by sleeping side by side, and the counter asleep seconds has how long that was"
                )
            ]
    job.tallies, job.link = _tallies(parameters), link
    if link is not NO_LINK:
        job.notes = link.notes
    if parameters.store == "accumulo" and parameters.batch > 1 and threads == 1:
        job.client_threads = parameters.batch_threads  # that do a batch for the one worker
    return job


def _store_of(context: Context[TileParameters], place: Placement, tallies: ThreadTallies) -> Store:
    """The store, with the layer in it that is read."""
    threads, report = context.load.threads, context.report
    if context.parameters.direction == "write":
        written = place._replace(layer=written_layer(context.mark), as_it_is=False)
        return written.open(threads, tallies.count, report)
    store = place.open(threads, tallies.count, report)
    if place.as_it_is or holds(store, place.heading):
        return store
    store.close()  # no engine has placed it
    place_layer(context.dataset, context.parameters, report)
    return place.open(threads, tallies.count, report)


def _rdd_job(context: Context[TileParameters], layer: Layer) -> RddJob:
    keys = _keys_of(layer, context.parameters.window, context.load.seed)
    layer.close()
    # Also so that this process knows the secrets, which Spark may repeat in an error.
    place_layer(context.dataset, context.parameters, context.report)
    job = open_rdd_job(context, keys)
    job.tallies = _tallies(context.parameters)
    return job


def _keys_of(layer: Layer, window: int, seed: int) -> Sequence[int]:
    """The keys of a request: those of the layer, or of a square in it, drawn from the seed.

    A pyramid has its square at the largest zoom, and no holes in the whole of it.
    """
    heading = layer.heading
    if heading.pyramid and not window:
        return list(layer.placed)
    columns, rows = (min(window or most, most) for most in (heading.columns, heading.rows))
    drawn = random.Random(seed)
    column = heading.column + drawn.randrange(heading.columns - columns + 1)
    row = heading.row + drawn.randrange(heading.rows - rows + 1)
    before = first_key(heading.zoom) if heading.pyramid else 0
    return [before + key for key in rectangle(column, row, columns, rows)]


def _tallies(parameters: TileParameters) -> tuple[str, ...]:
    """What the store counts live; how long botocore waits by itself is not known."""
    waits = {
        "backoff seconds": parameters.retry_mode == "exponential",
        ASLEEP: parameters.direction == "write",
    }
    entry = entry_of(parameters)
    if entry.ranges and not is_remote(parameters):
        waits |= dict.fromkeys(OBJECT_TALLIES, False)
    return tuple(name for name in entry.tallies if waits.get(name, True))
