"""The workload: cells of an array, by a library, from files or a server.

A sample's cells are a formula of their place.  Those of a user's array are read by another library,
so that a reader's fault is found, but not a byte that was flipped before Sluice saw it: nothing in
such data says what it was.  Of what is copied or converted, the original says it.
"""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import replace
from hashlib import blake2b
from math import prod
from operator import attrgetter
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, override
from urllib.parse import urlsplit

from core import (
    Context,
    Dataset,
    DatasetError,
    Driver,
    InvalidParameter,
    Job,
    Load,
    ReportProgress,
    SluiceError,
    Step,
    Weight,
    Workload,
    cache_folder,
    file_state,
    require_space,
    tr,
    written_once,
)
from workloads.arrays.array_kinds import (
    SAMPLE,
    FoundArray,
    array_files,
    chosen,
    shape_of,
    zarr_arrays,
)
from workloads.arrays.array_parameters import COMPARED, READS, ArrayParameters
from workloads.arrays.drivers import ZARR
from workloads.shared.code_templates import code_from
from workloads.shared.link import LINK, NO_LINK, Link, linked
from workloads.shared.native import LARGEST, keep_freed_memory
from workloads.shared.servers import CONNECTIONS, REQUESTS, THREAD_RATE

if TYPE_CHECKING:
    from workloads.arrays.array_cells import Read, Region
    from workloads.arrays.readers import Opened
    from workloads.arrays.remote import Remote

_VERSION, _SUBSET = 1, 256 << 20
"""Of converted arrays, and the most bytes of their cells; another version converts anew."""
_SLAB, _DRAWN = 64 << 20, 10_000
"""Bytes that an operation reads of everything, and selections that are drawn."""
_ALIVE = 1 << 20
"""Bytes of cells of one worker that wait to be compared: more would not stay in the processor's
cache, and take memory that was not used just before."""
_OF_LIBRARIES = (OSError, ValueError, RuntimeError, LookupError, TypeError, EOFError)
FAILURES = (*_OF_LIBRARIES, ArithmeticError, AttributeError, zlib.error, struct.error)
"""What libraries raise for data that is damaged or not known to them."""


class Arrays(Workload[ArrayParameters]):
    """Reads selections of an array."""

    name = "arrays"
    unit = "selection"
    parameters = ArrayParameters
    important = ("threads", "processes", "reader", "pattern", "concurrency", "store")
    dataset_kinds = ("zarr", "netcdf", "hdf5")
    imports = ("numpy",)
    lines = ("store", *LINK)
    asked_first: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
        kind: {"reader": readers} for kind, readers in READS.items() if len(readers) > 1
    }

    @override
    def admit(self, parameters: ArrayParameters, dataset: Dataset) -> None:
        if refusal := parameters.refusal(dataset.kind):
            raise refusal

    @override
    def drivers(self, parameters: ArrayParameters) -> tuple[Driver, ...]:
        """Also zarr for zarrs, and what compares."""
        below = (ZARR,) if parameters.reads_zarr else ()
        every = (*super().drivers(parameters), *below, COMPARED[parameters.reader])
        return tuple(dict.fromkeys(every))

    @override
    def files(self, parameters: ArrayParameters, dataset: Dataset) -> Sequence[Path]:
        read = parameters.store == "file"
        return array_files(_read_path(dataset, parameters)) if read else ()

    @override
    def unread(self, parameters: ArrayParameters) -> str:
        return tr("the array at the address is read") if parameters.as_it_is else ""

    @override
    def irrelevant(self, parameters: ArrayParameters) -> frozenset[str]:
        """The page cache, where a server reads."""
        return frozenset() if parameters.store == "file" else frozenset(("page_cache",))

    @override
    def place(self, dataset: Dataset, parameters: ArrayParameters, report: ReportProgress) -> None:
        """Convert a part where that is wanted, and copy it to its server; once for all trials."""
        from workloads.arrays.remote import place_copy, remote_of

        if parameters.as_it_is:
            return
        path = _converted(dataset, parameters, report)
        if remote := remote_of(parameters, _copy_name(dataset, path)):
            place_copy(remote, path, array_files(path), report)

    @override
    def requests(
        self, parameters: ArrayParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, int]:
        """As many as the threads can make, each with as many at once as it may."""
        if parameters.store == "file":
            return {}
        most = load.workers * max(1, parameters.concurrency) * THREAD_RATE
        files = len(array_files(_read_path(dataset, parameters))) + 2
        placing = files if parameters.store == "s3" and not parameters.as_it_is else 0
        return {"placing": placing, "measuring": round(most * (load.duration + load.warm_up))}

    @override
    def in_code(
        self, parameters: ArrayParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        """The same reads by the same library."""
        from workloads.arrays.remote import remote_of

        path = _read_path(dataset, parameters) if dataset.path.exists() else dataset.path
        name = "" if parameters.converts else parameters.array
        values: dict[str, Any] = {"remote": None, "form": 0, "name": name, "file": path.name}
        if parameters.as_it_is:
            values["file"] = PurePosixPath(urlsplit(parameters.address).path).name
        with suppress(InvalidParameter, DatasetError):
            values["remote"] = remote_of(parameters, _copy_name(dataset, path))
            if path.is_dir() and not parameters.as_it_is:
                array = chosen(zarr_arrays(path), name, path)
                values |= {"form": array.form, "name": array.name}
        return {"Python": code_from("arrays", load, parameters=parameters, path=path, **values)}

    @override
    def open(self, context: Context[ArrayParameters]) -> Job[Any, Any]:
        parameters, dataset = context.parameters, context.dataset
        for driver in self.drivers(parameters):
            driver.require()
        self.admit(parameters, dataset)
        from workloads.arrays.remote import described, remote_of

        link = NO_LINK
        with ExitStack() as resources:
            path = dataset.path
            if not parameters.as_it_is:
                path = _converted(dataset, parameters, context.report)
            elif here := remote_of(parameters, ""):
                with _explaining(parameters.reader, parameters.address):
                    path = described(here, parameters, context.report)
            if parameters.store != "file":
                way = linked(parameters.address, parameters, context.load.processes)
                link = resources.enter_context(way)
            remote = remote_of(parameters, _copy_name(dataset, path), link.address)
            whole = replace(parameters, array="") if parameters.converts else parameters
            opened = resources.enter_context(_opened(whole, path, remote))
            name = parameters.array if parameters.converts else opened.array.name
            kind, original = dataset.kind, dataset.path
            if parameters.as_it_is:
                kind, original = parameters.as_it_is, path
            there = remote_of(parameters, "") if parameters.as_it_is == "zarr" else None
            other = _other(kind, parameters.reader)
            store, address = parameters.store, parameters.address
            compared = ArrayParameters(reader=other, array=name, store=store, address=address)
            right = resources.enter_context(_right(compared, original, there))
            return ArrayJob(context, opened, right, link, resources.pop_all())

    @override
    def floor(self, parameters: ArrayParameters) -> Mapping[str, object] | None:
        """Of files, plain reads of all of them; a server has none here."""
        return {"access": "sequential"} if parameters.store == "file" else None


@contextmanager
def _opened(
    parameters: ArrayParameters, path: Path, remote: Remote | None = None
) -> Iterator[Opened]:
    """The array as its reader opens it; raises DatasetError for what it cannot open."""
    from workloads.arrays.readers import READERS

    place = parameters.address if remote else path
    with ExitStack() as resources:
        with _explaining(parameters.reader, place):
            reader = READERS[parameters.reader](parameters, path, remote)
            opened = resources.enter_context(reader)
        yield opened._replace(worker=lambda: _plainly(opened.worker)) if remote else opened


@contextmanager
def _plainly(worker: Callable[[], AbstractContextManager[Read]]) -> Iterator[Read]:
    """What a thread reads by from a server, whose failures become sentences about it."""
    from workloads.arrays.remote import failures_of_servers
    from workloads.shared.objects.failures import plain_error

    failures: tuple[type[Exception], ...] = (*FAILURES, *failures_of_servers())
    with worker() as read:

        def read_plainly(region: Region) -> Any:
            try:
                return read(region)
            except failures as error:
                raise plain_error(error) from error

        yield read_plainly


@contextmanager
def _explaining(reader: str, place: object) -> Iterator[None]:
    """What libraries raise for data that they cannot open becomes a sentence about it."""
    from workloads.arrays.remote import failures_of_servers
    from workloads.shared.objects.failures import plain_error

    named = str(place).partition("?")[0]
    failures: tuple[type[Exception], ...] = FAILURES
    if "://" in named:
        failures += failures_of_servers()
    try:
        yield
    except failures as error:
        why = plain_error(error)
        kind = SluiceError if why.remedy else DatasetError
        raise kind(
            tr("{reader} does not read {place}: {why}", reader=reader, place=named, why=why.cause),
            why.remedy or tr("look whether it is complete, and whether other programs read it"),
        ) from error


def _other(kind: str, reader: str) -> str:
    """The library that compares, which reads that kind of data."""
    able = READS["zarr"] if kind == "zarr" else READS["netcdf"]
    other = COMPARED[reader].module.lower()
    return other if other in able else able[-1]


@contextmanager
def _right(compared: ArrayParameters, path: Path, remote: Remote | None) -> Iterator[Read]:
    """The right cells of an array: by their formula, or by another library; raises SluiceError."""
    from workloads.arrays.array_cells import SampleCells

    with _opened(compared, path, remote) as (array, worker, _):
        if array.seed is not None:
            yield SampleCells(array.shape, array.seed).read
            return
        with worker() as read:
            lock = Lock()
            if compared.store == "file":  # such as one with a filter that is not there
                with _explaining(compared.reader, path):
                    read(tuple(slice(0, 1) for _ in array.shape))

            def one_by_one(region: Region) -> Any:
                with lock:  # without which netCDF4 crashes
                    return read(region)

            yield one_by_one


def _read_path(dataset: Dataset, parameters: ArrayParameters) -> Path:
    """What trials read: the data itself, or where it is converted to."""
    if not parameters.converts:
        return dataset.path
    one, state = parameters, file_state(*array_files(dataset.path))
    decides = (_VERSION, state, one.array, one.chunks, one.shards, one.codec)
    name = blake2b(repr(decides).encode(), digest_size=10).hexdigest()
    return cache_folder() / "arrays" / f"{name}{'.zarr' if one.reads_zarr else '.h5'}"


def _copy_name(dataset: Dataset, path: Path) -> str:
    """The folder of what is read on a server that it is copied to."""
    return f"{dataset.fingerprint[:12]}-{path.name}"


def _converted(dataset: Dataset, parameters: ArrayParameters, report: ReportProgress) -> Path:
    """What trials read, made where it is missing; raises SluiceError."""
    place = _read_path(dataset, parameters)

    def write(unfinished: Path) -> None:
        from workloads.arrays.array_cells import write_hdf5, write_zarr

        usual = ArrayParameters(reader=READS[dataset.kind][0], array=parameters.array)
        with _opened(usual, dataset.path) as (array, worker, _), worker() as read:
            form = _form(array, read, parameters)
            require_space(place.parent, prod(form.shape) * array.dtype.itemsize)
            (write_zarr if parameters.reads_zarr else write_hdf5)(form, unfinished, report)

    return written_once(place, write, report) if parameters.converts else place


def _form(array: FoundArray, read: Read, parameters: ArrayParameters) -> Any:
    from workloads.arrays.array_cells import Form, slab

    chunks, shards = shape_of(parameters.chunks) or array.chunks, shape_of(parameters.shards)
    if len(chunks) != len(array.shape):
        why = tr("the array has {axes} axes", axes=len(array.shape))
        raise InvalidParameter("chunks", why, tr("give as many numbers, with an x between two"))
    step = (shards or chunks)[0]
    return Form(
        read=read,
        dtype=array.dtype.newbyteorder("="),
        shape=slab(array.shape, array.dtype.itemsize, _SUBSET, step),
        chunks=chunks,
        shards=shards,
        codec=parameters.codec,
        marks={} if array.seed is None else {SAMPLE: array.seed},
    )


def _selections(parameters: ArrayParameters, array: FoundArray, seed: int) -> list[Region]:
    """The regions that operations read."""
    from workloads.arrays.array_cells import slab

    shape = array.shape
    sizes: Mapping[str, tuple[int, ...]] = {
        "chunk": array.chunks,
        "series": (shape[0], *[1] * (len(shape) - 1)),
        "map": (1, *shape[1:]),
        "all": slab(shape, array.dtype.itemsize, _SLAB, array.chunks[0]),
    }
    size = sizes[parameters.pattern]
    grid = [-(-length // one) for length, one in zip(shape, size, strict=True)]
    places: Sequence[int] = range(prod(grid))
    if parameters.pattern != "all":
        places = random.Random(seed).sample(places, min(len(places), _DRAWN))
    return [_region(place, grid, size, shape) for place in places]


def _region(place: int, grid: Sequence[int], size: Sequence[int], shape: Sequence[int]) -> Region:
    parts = []
    for count, one, length in reversed([*zip(grid, size, shape, strict=True)]):
        place, number = divmod(place, count)
        parts.append(slice(number * one, min((number + 1) * one, length)))
    return tuple(reversed(parts))


class ArrayJob(Job["Region", Any]):
    """Reads regions by a reader."""

    checking = "between"
    length = attrgetter("nbytes")

    def __init__(
        self,
        context: Context[ArrayParameters],
        opened: Opened,
        right: Read,
        link: Link,
        resources: ExitStack,
    ) -> None:
        self.items = _selections(context.parameters, opened.array, context.load.seed)
        cells = prod(one.stop - one.start for one in self.items[0])
        self.held = max(1, _ALIVE // (cells * opened.array.dtype.itemsize))
        keep_freed_memory(LARGEST, regions=True)
        self._opened, self._right, self._link, self._resources = opened, right, link, resources
        self.notes = link.notes
        if link is not NO_LINK and REQUESTS not in self.counts_so_far():
            link.notes.append(tr("requests are not counted: set round_trip, and a proxy counts"))

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        with self._opened.worker() as read:
            yield (Step("read", read),)

    def counts_so_far(self) -> Mapping[str, float]:
        """What went over the wire, as far as it is counted; nothing of files."""
        own = {REQUESTS: self._opened.requests()} if self._opened.requests else {}
        counts = {**own, **self._link.counted()}
        return {name: count for name, count in counts.items() if name != CONNECTIONS}

    def counters(self) -> Mapping[str, float]:
        return self._link.connections()

    def check(self, item: Region, result: Any) -> str:
        from workloads.arrays.array_cells import difference
        from workloads.shared.objects.failures import plain_error

        try:
            return difference(self._right(item), result)
        except (SluiceError, *FAILURES) as error:
            why = plain_error(error).cause
            return tr("what is right is not known, as another library fails: {why}", why=why)

    def describe(self, item: Region) -> str:
        return f"cells [{', '.join(f'{one.start}:{one.stop}' for one in item)}]"

    def weigh(self, results: Sequence[Any]) -> Weight:
        return Weight(len(results), sum(result.nbytes for result in results))

    def close(self) -> None:
        self._resources.close()
