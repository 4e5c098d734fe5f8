"""Requests by Spark: every request is a job of Spark's over the keys, split into partitions.

Each partition is read by a pool of N threads in a process of Spark's.  Such a process lives as long
as its executor, so catalogue and store are opened once in it, with the first partition that it
reads for a job.  Here one thread asks for one request after the other; of the time of a job, that
within the partitions is told apart.
"""

from __future__ import annotations

import secrets
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, override

from core import (
    Context,
    Dataset,
    DistributedOperations,
    Fault,
    Job,
    OperationPart,
    Step,
    Tally,
    Value,
    Weight,
    WholeOperation,
    build,
    report_to_nobody,
    tr,
    values_of,
)
from workloads.shared.threads import ThreadTallies
from workloads.tiles.layer_catalogue import Layer, too_few
from workloads.tiles.layer_in_store import address_of, placement
from workloads.tiles.spark_application import own_words, runs_here, spark_application
from workloads.tiles.stores.store import Store
from workloads.tiles.tile_jobs import reading_job
from workloads.tiles.tile_parameters import TileParameters


@dataclass(frozen=True, kw_only=True)
class PartitionTask:
    """What a partition must know to read; sent with every one, so secrets are references in it."""

    dataset: Dataset
    values: Mapping[str, Value]
    """Of the workload's parameters."""
    threads: int
    """Of each partition."""
    job: str
    """Unique for each job, so that nothing of an earlier one is used again."""


class _Counted:
    """What the store counts while one partition is read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: dict[str, float] = defaultdict(float)

    def add(self, name: str, by: float) -> None:
        with self._lock:
            self._sums[name] += by

    def take(self) -> dict[str, float]:
        with self._lock:
            sums = dict(self._sums)
            self._sums.clear()
        return sums


@dataclass(frozen=True)
class _Opened:
    layer: Layer
    store: Store
    tallies: ThreadTallies
    counted: _Counted
    parameters: TileParameters


_opened: dict[str, _Opened] = {}
_opening = threading.Lock()


def open_partition(reading: PartitionTask, keys: Iterable[int]) -> Iterator[None]:
    """Open what partitions need in this process, and read nothing."""
    _open(reading)
    return iter(())


def read_partition(
    reading: PartitionTask, keys: Iterable[int]
) -> Iterator[tuple[OperationPart, Mapping[str, float]]]:
    """Read and verify these tiles by a pool of threads; what it did, and what the store counted."""
    opened = _open(reading)
    own = list(keys)
    job = reading_job(
        opened.parameters, opened.layer, opened.store, own, opened.tallies, alone=False
    )
    opened.counted.take()
    part = OperationPart.performed(job, reading.threads)
    yield part, opened.counted.take()


def _open(reading: PartitionTask) -> _Opened:
    with _opening:
        if reading.job not in _opened:
            while _opened:
                _, earlier = _opened.popitem()
                earlier.store.close()
                earlier.layer.close()
            parameters: Any = build(TileParameters, reading.values)
            place = placement(reading.dataset, parameters)
            layer = Layer.open(place.catalogue)
            counted = _Counted()
            tallies = ThreadTallies(lambda index: counted.add)
            store = place.open(reading.threads, tallies.count, report_to_nobody)
            _opened[reading.job] = _Opened(layer, store, tallies, counted, parameters)
        return _opened[reading.job]


type TileKeys = Sequence[int]
"""The keys of one request."""


class JobFailed(Exception):
    """A job of Spark's that did not end well."""


class RddJob(Job[TileKeys, WholeOperation]):
    """Requests for all tiles of a window, one job of Spark's after the other."""

    workers = 1
    checking = "at once"

    def __init__(
        self, spark: Any, reading: PartitionTask, keys: TileKeys, partitions: int, tally: Tally
    ) -> None:
        self.items = [keys]
        self._spark = spark
        self._reading = reading
        self.partitions = partitions
        self._tally = tally
        self._operations = DistributedOperations()
        self._requests = 0
        self.application = ExitStack()
        """Ends with the job."""

    def open_partitions(self) -> None:
        """Open the store in the processes of Spark; raises JobFailed."""
        self._collect(open_partition, range(self.partitions))

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield (Step("job", self._request),)

    def _request(self, keys: TileKeys) -> WholeOperation:
        whole = self._operations.perform(partial(self._parts, keys))
        self._requests += 1
        return whole

    def _parts(self, keys: TileKeys) -> Sequence[OperationPart]:
        partitions = self._collect(read_partition, keys)
        for _, counted in partitions:
            for name, by in counted.items():
                self._tally.add(name, by)
        return [part for part, _ in partitions]

    def _collect(self, read: Any, keys: TileKeys) -> list[Any]:
        from py4j.protocol import Py4JError

        split = self._spark.parallelize(keys, self.partitions)
        try:
            results: list[Any] = split.mapPartitions(partial(read, self._reading)).collect()
        except Py4JError as error:
            raise JobFailed(own_words(error)) from error
        return results

    @override
    def describe(self, item: TileKeys) -> str:
        return tr("request for 1 tile", "request for {count:,} tiles", count=len(item))

    @override
    def faults(self, item: TileKeys, result: WholeOperation) -> Iterable[Fault]:
        """What the partitions found wrong, each tile by itself."""
        complaints = [one for part in result.parts for one in part.complaints]
        for one in complaints:
            for _ in range(one.count):
                yield Fault(one.text, one.first_item, one.wrong_data)
        read = sum(part.operations for part in result.parts)
        if read != len(item) and not complaints:
            yield Fault(too_few(read, len(item)))

    @override
    def weigh(self, results: Sequence[WholeOperation]) -> Weight:
        """Tiles, holes included, and bytes of their objects; without the time of verification."""
        parts = [part for whole in results for part in whole.parts]
        return Weight(
            sum(part.operations for part in parts),
            sum(part.bytes for part in parts),
            sum(whole.verifying for whole in results),
        )

    @override
    def rewind(self) -> None:
        self._requests = 0
        self._operations.rewind()

    @override
    def counters(self) -> Mapping[str, float]:
        spent = self._operations
        tile = {f"tile p{percent} ms": spent.latency(percent) for percent in (50, 99)}
        return {
            "windows": self._requests,
            "tiles of a window": len(self.items[0]),
            "partitions": self.partitions,
            "seconds of jobs": spent.seconds,
            "seconds in partitions": spent.inside,
            "seconds of jobs alone": spent.seconds - spent.inside,
            "seconds verifying": spent.verifying,
            **{name: 1e3 * value for name, value in tile.items() if value is not None},
        }

    @override
    def close(self) -> None:
        self.application.close()


def open_rdd_job(context: Context[TileParameters], keys: TileKeys) -> RddJob:
    """Start an application, and open the store in its processes; raises SluiceError."""
    parameters = context.parameters
    with ExitStack() as application:
        context.report("starting Spark")
        spark = application.enter_context(
            spark_application(parameters.master, parameters.spark_secret)
        )
        job = RddJob(
            spark,
            _reading(context),
            list(keys),
            parameters.partitions or spark.defaultParallelism,
            context.tally(0),
        )
        context.report("opening the store in the partitions")
        job.open_partitions()
        if not parameters.partitions:  # executors join one after the other
            job.partitions = spark.defaultParallelism
        job.application = application.pop_all()
    if runs_here(parameters.master):
        job.client_threads = job.partitions * context.load.threads
    return job


def _reading(context: Context[TileParameters]) -> PartitionTask:
    # A partition reads as a collection does.
    place = placement(context.dataset, context.parameters, context.report)
    values = values_of(context.parameters) | {
        "reader": "collection",
        "address": address_of(place.parameters),
    }
    return PartitionTask(
        dataset=context.dataset,
        values=values,
        threads=context.load.threads,
        job=secrets.token_hex(8),
    )
