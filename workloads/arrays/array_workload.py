"""The workload: cells of an array, by a library, from files or a server.

A sample's cells are a formula of their place.  Those of a user's array are read by another library,
so that a reader's fault is found, but not a byte that was flipped before Sluice saw it: nothing in
such data says what it was.  Of what is copied or converted, the original says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import prod
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, override

from core import (
    Context,
    Dataset,
    DatasetError,
    Driver,
    Load,
    ReportProgress,
    SluiceError,
    Step,
    cache_folder,
    dataset_kind,
    file_state,
    require_space,
    tr,
    written_once,
)
from workloads.arrays.array_kinds import DRIVERS, Read, Region, chosen, zarr_arrays
from workloads.arrays.array_parameters import READS, ArrayParameters
from workloads.arrays.readers import READERS, Opened
from workloads.shared.code_templates import code_from
from workloads.shared.datasets import DAMAGE
from workloads.shared.link import NO_LINK
from workloads.shared.native import LARGEST, keep_freed_memory
from workloads.shared.objects.failures import plain_error
from workloads.shared.served import Served, ServedJob, ServedWorkload
from workloads.shared.servers import REQUESTS, RETRIES

_VERSION = 1
"""Of converted arrays; another version converts anew."""
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
        zarr = parameters.reader in READS["zarr"]
        other = ("tensorstore", "zarr") if zarr else ("h5py", "netcdf4")
        every = (*super().drivers(parameters), *(DRIVERS[one] for one in other))
        return tuple(dict.fromkeys(every))

    @override
    def local_files(self, parameters: ArrayParameters, dataset: Dataset) -> Sequence[Path]:
        return dataset_kind(dataset.kind).files(_read_path(dataset, parameters))

    @override
    def place(self, dataset: Dataset, parameters: ArrayParameters, report: ReportProgress) -> None:
        """Convert a part where that is wanted, and copy it to S3; once for all trials."""
        path = _converted(dataset, parameters, report)
        served = parameters.served(dataset, path.name)
        if served and not parameters.as_it_is:
            served.put(path, self.local_files(parameters, dataset), report)

    @override
    def in_code(
        self, parameters: ArrayParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        """The same reads by the same library."""
        path = _read_path(dataset, parameters) if dataset.path.exists() else dataset.path
        name, served = "" if parameters.converts else parameters.array, None
        with suppress(SluiceError):
            served = parameters.served(dataset, path.name)
            if path.is_dir() and not parameters.as_it_is:
                name = chosen(zarr_arrays(path), name, path).name
        values = {"parameters": parameters, "path": path, "name": name, "served": served}
        return {"Python": code_from("arrays", load, **values)}

    @override
    def opened(
        self, context: Context[ArrayParameters], here: ArrayParameters, resources: ExitStack
    ) -> ArrayJob:
        parameters, dataset = context.parameters, context.dataset
        path = _converted(dataset, parameters, context.report)
        whole = replace(here, array="") if parameters.converts else here
        served = here.served(dataset, path.name)
        with _explaining(here.reader, served or path):
            reader = READERS[here.reader](whole, path, served, resources)
        name = parameters.array if parameters.converts else reader.array.name
        right = _right(replace(parameters, array=name), dataset, resources)
        regions = reader.array.regions(parameters.pattern, context.load.seed)
        return ArrayJob(regions, reader, right, served.failures if served else ())

    @override
    def floor(self, parameters: ArrayParameters) -> Mapping[str, object] | None:
        """Of files, plain reads of all of them; a server has none here."""
        return None if parameters.remote else {"access": "sequential"}


@contextmanager
def _explaining(reader: str, place: Served | Path) -> Iterator[None]:
    """What libraries raise for data that they cannot open becomes a sentence about it."""
    failures = DAMAGE if isinstance(place, Path) else place.failures
    try:
        yield
    except failures as error:
        why = plain_error(error)
        kind = SluiceError if why.remedy else DatasetError
        raise kind(
            tr("{reader} does not read {place}: {why}", reader=reader, place=place, why=why.cause),
            why.remedy or tr("look whether it is complete, and whether other programs read it"),
        ) from error


def _right(parameters: ArrayParameters, dataset: Dataset, resources: ExitStack) -> Read:
    """The right cells of an array: by their formula, or by another library; raises SluiceError."""
    kind, path = parameters.kind_there or dataset.kind, dataset.path
    served = parameters.served(dataset) if parameters.as_it_is else None
    if served and kind != "zarr":
        content, served = served.content(), None
        name = blake2b(content, digest_size=10).hexdigest()
        path = written_once(cache_folder() / "arrays" / name, lambda one: one.write_bytes(content))
    first, *_, last = READS["netcdf" if kind == "hdf5" else kind]
    other = first if parameters.reader == last else last
    there: Any = {"store": parameters.store, "address": parameters.address}
    usual = ArrayParameters(reader=other, array=parameters.array, **there)
    with _explaining(other, served or path):
        array, read, _ = READERS[other](usual, path, served, resources)
        if array.seed is not None:
            return array.generated
        if served is None:  # which may have a filter that is not there
            read(tuple(slice(0, 1) for _ in array.shape))
    lock = Lock()

    def one_by_one(region: Region) -> Any:
        with lock:  # without which netCDF4 crashes
            return read(region)

    return one_by_one


def _read_path(dataset: Dataset, parameters: ArrayParameters) -> Path:
    """What trials read: the data itself, or where it is converted to."""
    if not parameters.converts:
        return dataset.path
    one, state = parameters, file_state(*dataset_kind(dataset.kind).files(dataset.path))
    decides = (_VERSION, state, one.array, one.chunks, one.shards, one.codec, one.subset)
    name = blake2b(repr(decides).encode(), digest_size=10).hexdigest()
    return cache_folder() / "arrays" / f"{name}{'.zarr' if one.reader in READS['zarr'] else '.h5'}"


def _converted(dataset: Dataset, parameters: ArrayParameters, report: ReportProgress) -> Path:
    """What trials read, made where it is missing; raises SluiceError."""
    place = _read_path(dataset, parameters)

    def write(unfinished: Path) -> None:
        usual = ArrayParameters(reader=READS[dataset.kind][0], array=parameters.array)
        with ExitStack() as resources:
            with _explaining(usual.reader, dataset.path):
                array, read, _ = READERS[usual.reader](usual, dataset.path, None, resources)
            part = parameters.part_of(array)
            require_space(place.parent, prod(part.shape) * array.dtype.itemsize)
            part.write(read, unfinished, report)

    return written_once(place, write, report) if parameters.converts else place


@dataclass(eq=False)
class ArrayJob(ServedJob[Region, Any]):
    """Reads regions by a reader."""

    items: Sequence[Region]
    reader: Opened
    right: Read
    failures: tuple[type[Exception], ...]
    """What becomes a sentence about the server."""
    checking = "between"

    def __post_init__(self) -> None:
        cells = prod(one.stop - one.start for one in self.items[0])
        self.held = max(1, _ALIVE // (cells * self.reader.array.dtype.itemsize))
        keep_freed_memory(LARGEST, regions=True)

    @override
    def remarks(self) -> Sequence[str]:
        counted = {REQUESTS, RETRIES} if self.link is NO_LINK else self.counts_so_far().keys()
        notes = {
            REQUESTS: tr("requests are not counted: set round_trip, and a proxy counts"),
            RETRIES: tr("retries are not counted: the client does not tell of them"),
        }
        return [note for name, note in notes.items() if name not in counted]

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield (Step("read", self.plain_read if self.failures else self.reader.read),)

    def plain_read(self, region: Region) -> Any:
        try:
            return self.reader.read(region)
        except self.failures as error:
            raise plain_error(error) from error

    def counts_so_far(self) -> Mapping[str, float]:
        return {**self.reader.counts(), **super().counts_so_far()}

    def check(self, item: Region, result: Any) -> str:
        failures: tuple[type[Exception], ...] = (SluiceError, *(self.failures or DAMAGE))
        try:
            return difference(self.right(item), result)
        except failures as error:
            why = plain_error(error).cause
            return tr("what is right is not known, as another library fails: {why}", why=why)

    def describe(self, item: Region) -> str:
        return f"cells [{', '.join(f'{one.start}:{one.stop}' for one in item)}]"


def difference(expected: Any, result: Any) -> str:
    """What is wrong with cells; empty where they are the same bit by bit, in any byte order."""
    import numpy as np

    got, right = np.asarray(result), np.asarray(expected)
    native = right.dtype.newbyteorder("=")
    if got.shape != right.shape or got.dtype.newbyteorder("=") != native:
        return tr("cells of another shape or type: {said}", said=f"{got.shape} {got.dtype}")
    bits = [np.ascontiguousarray(one, native).reshape(-1).view("u1") for one in (got, right)]
    if bits[0].tobytes() == bits[1].tobytes():
        return ""
    wrong = int((bits[0] != bits[1]).reshape(-1, native.itemsize).any(1).sum())
    return tr("{wrong:,} of {count:,} cells are others", wrong=wrong, count=right.size)
