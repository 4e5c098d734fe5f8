"""The workload: cells of an array, by a library, from files or a server.

A sample's cells are a formula of their place.  Those of a user's array are read by another library,
so that a reader's fault is found, but not a byte that was flipped before Sluice saw it: nothing in
such data says what it was.  Of what is copied or converted, the original says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import prod
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, override

from core import (
    Context,
    Dataset,
    DatasetError,
    Driver,
    InvalidParameter,
    Load,
    ReportProgress,
    SluiceError,
    Step,
    cache_folder,
    file_state,
    require_space,
    tr,
    written_once,
)
from workloads.arrays.array_kinds import DRIVERS, Array, array_files, chosen, shape_of, zarr_arrays
from workloads.arrays.array_parameters import READS, ArrayParameters
from workloads.shared.code_templates import code_from
from workloads.shared.datasets import DAMAGE
from workloads.shared.link import NO_LINK
from workloads.shared.native import LARGEST, keep_freed_memory
from workloads.shared.objects.failures import plain_error
from workloads.shared.served import Served, ServedJob, ServedWorkload
from workloads.shared.servers import CONNECTIONS, REQUESTS

if TYPE_CHECKING:
    from workloads.arrays.array_cells import Read, Region
    from workloads.arrays.readers import Opened

_VERSION, _PART = 1, 256 << 20
"""Of converted arrays, and the most bytes of their cells; another version converts anew."""
_ALIVE = 1 << 20
"""Bytes of cells of one worker that wait to be compared: more would not stay in the processor's
cache, and take memory that was not used just before."""


class Arrays(ServedWorkload[ArrayParameters]):
    """Reads selections of an array."""

    name = "arrays"
    unit = "selection"
    parameters = ArrayParameters
    important = ("threads", "processes", "reader", "pattern", "concurrency", "store")
    dataset_kinds = ("zarr", "netcdf", "hdf5")
    imports = ("numpy",)
    asked_first: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
        kind: {"reader": readers} for kind, readers in READS.items() if len(readers) > 1
    }

    @override
    def drivers(self, parameters: ArrayParameters) -> tuple[Driver, ...]:
        """Also zarr for zarrs, and what compares."""
        compared = ("tensorstore", "zarr") if parameters.reads_zarr else ("h5py", "netcdf4")
        every = (*super().drivers(parameters), *(DRIVERS[one] for one in compared))
        return tuple(dict.fromkeys(every))

    @override
    def local_files(self, parameters: ArrayParameters, dataset: Dataset) -> Sequence[Path]:
        return array_files(_read_path(dataset, parameters))

    @override
    def place(self, dataset: Dataset, parameters: ArrayParameters, report: ReportProgress) -> None:
        """Convert a part where that is wanted, and copy it to S3; once for all trials."""
        path = _converted(dataset, parameters, report)
        served = parameters.served(dataset, path.name)
        if served and not parameters.as_it_is:
            served.put(path, array_files(path), report)

    @override
    def in_code(
        self, parameters: ArrayParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        """The same reads by the same library."""
        path = _read_path(dataset, parameters) if dataset.path.exists() else dataset.path
        name, served = "" if parameters.converts else parameters.array, None
        with suppress(InvalidParameter, DatasetError):
            served = parameters.served(dataset, path.name)
            if path.is_dir() and not parameters.as_it_is:
                name = chosen(zarr_arrays(path), name, path).name
        values = {"parameters": parameters, "path": path, "name": name, "served": served}
        return {"Python": code_from("arrays", load, **values)}

    @override
    def opened(
        self, context: Context[ArrayParameters], here: ArrayParameters, resources: ExitStack
    ) -> ArrayJob:
        from workloads.arrays.array_cells import selections

        parameters, dataset = context.parameters, context.dataset
        path = _converted(dataset, parameters, context.report)
        whole = replace(here, array="") if parameters.converts else here
        served = here.served(dataset, path.name)
        opened = resources.enter_context(_opened(whole, path, served))
        name = parameters.array if parameters.converts else opened.array.name
        right = resources.enter_context(_right(replace(parameters, array=name), dataset))
        regions = selections(parameters.pattern, opened.array, context.load.seed)
        return ArrayJob(regions, opened, right)

    @override
    def floor(self, parameters: ArrayParameters) -> Mapping[str, object] | None:
        """Of files, plain reads of all of them; a server has none here."""
        return None if parameters.remote else {"access": "sequential"}


@contextmanager
def _opened(
    parameters: ArrayParameters, path: Path, served: Served | None = None
) -> Iterator[Opened]:
    """The array as its reader opens it; raises DatasetError for what it cannot open."""
    from workloads.arrays.readers import READERS

    with ExitStack() as resources:
        with _explaining(parameters.reader, served or path):
            reader = READERS[parameters.reader](parameters, path, served)
            opened = resources.enter_context(reader)
        yield opened._replace(worker=lambda: _plainly(opened.worker, served)) if served else opened


@contextmanager
def _plainly(worker: Callable[[], AbstractContextManager[Read]], served: Served) -> Iterator[Read]:
    """What a thread reads by from a server, whose failures become sentences about it."""
    failures = (*DAMAGE, *served.failures)
    with worker() as read:

        def read_plainly(region: Region) -> Any:
            try:
                return read(region)
            except failures as error:
                raise plain_error(error) from error

        yield read_plainly


@contextmanager
def _explaining(reader: str, place: Served | Path) -> Iterator[None]:
    """What libraries raise for data that they cannot open becomes a sentence about it."""
    failures = DAMAGE if isinstance(place, Path) else (*DAMAGE, *place.failures)
    try:
        yield
    except failures as error:
        why = plain_error(error)
        kind = SluiceError if why.remedy else DatasetError
        raise kind(
            tr("{reader} does not read {place}: {why}", reader=reader, place=place, why=why.cause),
            why.remedy or tr("look whether it is complete, and whether other programs read it"),
        ) from error


@contextmanager
def _right(parameters: ArrayParameters, dataset: Dataset) -> Iterator[Read]:
    """The right cells of an array: by their formula, or by another library; raises SluiceError."""
    from workloads.arrays.array_cells import sample_cells

    kind, path = parameters.kind_there or dataset.kind, dataset.path
    served = parameters.served(dataset) if parameters.as_it_is else None
    if served and kind != "zarr":
        content, served = served.content(), None
        name = blake2b(content, digest_size=10).hexdigest()
        path = written_once(cache_folder() / "arrays" / name, lambda one: one.write_bytes(content))
    first, *_, last = READS["netcdf" if kind == "hdf5" else kind]
    other = first if parameters.reader == last else last
    usual = ArrayParameters(reader=other, store=parameters.store, address=parameters.address)
    with _opened(replace(usual, array=parameters.array), path, served) as (array, worker, _):
        if array.seed is not None:
            yield sample_cells(array.shape, array.seed)
            return
        with worker() as read:
            lock = Lock()
            if served is None:  # which may have a filter that is not there
                with _explaining(other, path):
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


def _converted(dataset: Dataset, parameters: ArrayParameters, report: ReportProgress) -> Path:
    """What trials read, made where it is missing; raises SluiceError."""
    place = _read_path(dataset, parameters)

    def write(unfinished: Path) -> None:
        from workloads.arrays.array_cells import write_array

        usual = ArrayParameters(reader=READS[dataset.kind][0], array=parameters.array)
        with _opened(usual, dataset.path) as (array, worker, _), worker() as read:
            part = _part_of(array, parameters)
            require_space(place.parent, prod(part.shape) * array.dtype.itemsize)
            write_array(part, read, unfinished, report)

    return written_once(place, write, report) if parameters.converts else place


def _part_of(array: Array, parameters: ArrayParameters) -> Array:
    """The first rows of an array, as the parameters want them; raises InvalidParameter."""
    from workloads.arrays.array_cells import slab

    chunks, shards = shape_of(parameters.chunks) or array.chunks, shape_of(parameters.shards)
    if len(chunks) != len(array.shape):
        why = tr("the array has {axes} axes", axes=len(array.shape))
        raise InvalidParameter("chunks", why, tr("give as many numbers, with an x between two"))
    return replace(
        array,
        form=3 if parameters.reads_zarr else 0,
        dtype=array.dtype.newbyteorder("="),
        shape=slab(array.shape, array.dtype.itemsize, _PART, (shards or chunks)[0]),
        chunks=chunks,
        shards=shards,
        codec=parameters.codec,
    )


@dataclass(eq=False)
class ArrayJob(ServedJob["Region", Any]):
    """Reads regions by a reader."""

    items: Sequence[Region]
    reader: Opened
    right: Read
    checking = "between"

    def __post_init__(self) -> None:
        cells = prod(one.stop - one.start for one in self.items[0])
        self.held = max(1, _ALIVE // (cells * self.reader.array.dtype.itemsize))
        keep_freed_memory(LARGEST, regions=True)

    @override
    def remarks(self) -> Sequence[str]:
        if self.link is NO_LINK or REQUESTS in self.counts_so_far():
            return ()
        return [tr("requests are not counted: set round_trip, and a proxy counts")]

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        with self.reader.worker() as read:
            yield (Step("read", read),)

    def counts_so_far(self) -> Mapping[str, float]:
        """What went over the wire, as far as it is counted; nothing of files."""
        own = {REQUESTS: self.reader.requests()} if self.reader.requests else {}
        counts = {**own, **self.link.counted()}
        return {name: count for name, count in counts.items() if name != CONNECTIONS}

    def check(self, item: Region, result: Any) -> str:
        from workloads.arrays.array_cells import difference

        failures: tuple[type[Exception], ...] = (SluiceError, *DAMAGE)
        try:
            return difference(self.right(item), result)
        except failures as error:
            why = plain_error(error).cause
            return tr("what is right is not known, as another library fails: {why}", why=why)

    def describe(self, item: Region) -> str:
        return f"cells [{', '.join(f'{one.start}:{one.stop}' for one in item)}]"
