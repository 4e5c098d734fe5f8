"""The workload: a slow file read through a sparse one, as programs use it.

An access asks what is missing, fetches and writes it, and reads the wanted bytes.  Each pass over
all accesses begins with an empty sparse file, as after opening a remote file.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, override

from core import (
    Context,
    Dataset,
    DatasetError,
    Driver,
    Job,
    Load,
    Step,
    Workload,
    choice,
    dataset_kind,
    flag,
    integer,
    location,
    reading,
    real,
    same_as,
)
from workloads.shared.code_templates import code_from
from workloads.shared.link import LINK, NO_LINK, linked, require_linkable
from workloads.shared.objects import ClientParameters
from workloads.shared.servers import (
    REFUSALS,
    REQUESTS,
    LinkParameters,
    S3Parameters,
    counted_on_wire,
    remedy_of,
)
from workloads.shared.threads import ThreadTallies
from workloads.sparse.drivers import PYTHON
from workloads.sparse.file_on_server import ObjectAt, client_at, opened_object
from workloads.sparse.slow_files import Delay, ObjectFile, RangeSource, SlowFile
from workloads.sparse.sparse_datasets import SparseIndex, remote_file
from workloads.sparse.sparse_oracle import Range

PAGE = 4096
"""Fetching whole pages and reading page by page avoids that fault: no page lies in two blocks."""


def coalescing_fault() -> bool:
    """Whether the installed svfsc has the fault of 0.4.1: its minimal case.

    A write that begins after an earlier block's end and touches the next block is not merged with
    it.  The bytes are there, but no read reaches from one block into the other, and `has_data`
    denies them.  Need → fetch → write makes such writes.
    """
    import svfsc

    svf = svfsc.cSVF("minimal case")
    for position, length in ((32, 9), (68, 19), (60, 8)):
        svf.write(position, bytes(length))
    return not svf.has_data(60, 16)


def pages(position: int, length: int, end: int) -> list[tuple[int, int]]:
    """The pages of a file of `end` bytes that hold a range; the file's last may be short."""
    first = position - position % PAGE
    return [(start, min(PAGE, end - start)) for start in range(first, position + length, PAGE)]


_SERVER = {"source": ("server",)}
_SLOWED = {"source": ("file",)}
_CLUSTER = 16
_NEAR = 2048  # bytes within which a cluster's next access follows


@dataclass(frozen=True, kw_only=True)
class RemoteParameters:
    """Where the file is, how it is reached, and how much more than asked for is fetched."""

    source: str = choice(
        "file",
        options={
            "file": "A local file that answers after the latency.",
            "server": "S3 or a web server, at the address: the same file, which is compared with the local one.",
        },
        help="Where the file is read from.",
    )
    address: str = location(
        "",
        only_when=_SERVER,
        help="The file there, such as https://host/folder/file or s3://bucket/folder/file?endpoint=http://host:port.",
    )
    client: str = same_as(ClientParameters, "client", only_when=_SERVER)
    access_key: str = same_as(S3Parameters, "access_key", only_when=_SERVER)
    secret_key: str = same_as(S3Parameters, "secret_key", only_when=_SERVER)
    region: str = same_as(S3Parameters, "region", only_when=_SERVER)
    path_style: bool = same_as(S3Parameters, "path_style", only_when=_SERVER)
    timeout: float = same_as(S3Parameters, "timeout", only_when=_SERVER)
    round_trip: float = same_as(LinkParameters, "round_trip", only_when=_SERVER)
    link_bandwidth: int = same_as(LinkParameters, "link_bandwidth", only_when=_SERVER)
    request_rate: float = same_as(LinkParameters, "request_rate", only_when=_SERVER)
    latency: float = real(
        0.001,
        low=0,
        high=10,
        unit="seconds",
        only_when=_SLOWED,
        help="Time that every request takes at least.",
    )
    bandwidth: int = integer(
        0,
        low=0,
        high=10**11,
        unit="bytes",
        only_when=_SLOWED,
        help="Bytes that a request gets in a second, after the latency; 0 = without a limit.",
    )
    greedy_length: int = integer(
        0,
        low=0,
        high=64 << 20,
        unit="bytes",
        help="Least bytes to fetch at once, whole pages where those are asked for; 0 = what is missing.",
    )
    access_size: int = integer(
        64, low=1, high=1 << 20, scale="log2", unit="bytes", help="Bytes that each access wants."
    )
    accesses: int = integer(
        400, low=1, high=10**6, scale="log10", help="Accesses in one pass, in clusters of 16."
    )
    whole_pages: bool = flag(
        True,
        help="Fetch and read whole pages of 4 KiB, which avoids a fault of svfsc's: blocks that touch but do not merge.",
    )


class SparseRemote(Workload[RemoteParameters]):
    """Accesses to a slow file through a sparse file that keeps what was fetched."""

    name = "sparse-remote"
    unit = "range"
    parameters = RemoteParameters
    important = ("threads", "latency", "greedy_length", "access_size", "source", "client")
    dataset_kinds = ("sparse-index", "files")
    lines = LINK

    @override
    def admit(self, parameters: RemoteParameters, dataset: Dataset) -> None:
        if parameters.source == "server":
            client_at(parameters.client, parameters.address)
            require_linkable(parameters.address, parameters)

    @override
    def drivers(self, parameters: RemoteParameters) -> tuple[Driver, ...]:
        if parameters.source != "server":
            return (PYTHON,)
        return (PYTHON, *client_at(parameters.client, parameters.address).drivers)

    @override
    def counted(self, parameters: RemoteParameters) -> Mapping[str, float]:
        return counted_on_wire() if parameters.source == "server" else {}

    @override
    def in_code(
        self, parameters: RemoteParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        """Need, fetch, write and read, with as much fetched at once as was measured."""
        path = _file_of(dataset) if dataset.path.exists() else dataset.path
        greedy = parameters.greedy_length
        values = {
            "path": str(path),
            "paged": parameters.whole_pages,
            "page": PAGE,
            "greedy": _whole_pages(greedy) if parameters.whole_pages else greedy,
            "size": parameters.access_size,
        }
        return {"Python": code_from("sparse_remote", load, **values)}

    @override
    def open(self, context: Context[RemoteParameters]) -> Job[Any, Any]:
        PYTHON.require()
        self.admit(context.parameters, context.dataset)
        return RemoteJob(_file_of(context.dataset), context)


def _file_of(dataset: Dataset) -> Path:
    """The file that stands for a remote one, else the largest."""
    remote = remote_file(dataset.path) if dataset.kind == SparseIndex.name else None
    files = dataset_kind(dataset.kind).files
    return remote or max(files(dataset.path), key=lambda file: file.stat().st_size)


def _whole_pages(length: int) -> int:
    """A block that ends within a page would let a page lie in two blocks."""
    return -(-length // PAGE) * PAGE


type Access = tuple[int, int, int]
"""Number within a pass, position, length."""


def accesses_of(size: int, parameters: RemoteParameters, seed: int) -> list[Access]:
    """Clusters of accesses that follow closely, as directories and headers in files do."""
    length = min(parameters.access_size, size)
    drawn = random.Random(seed)
    accesses: list[Access] = []
    position = 0
    for number in range(parameters.accesses):
        if number % _CLUSTER == 0:
            position = drawn.randrange(max(1, size - length))
        accesses.append((number, position, length))
        position = min(position + drawn.randrange(length, length + _NEAR), size - length)
    return accesses


class RemoteJob(Job[Access, bytes]):
    """Accesses; each worker has a sparse file and a connection of its own."""

    def __init__(self, path: Path, context: Context[RemoteParameters]) -> None:
        self._path, self._parameters = path, context.parameters
        parameters, seed = context.parameters, context.load.seed
        with reading(path):
            self._descriptor = os.open(path, os.O_RDONLY)
        self._size = os.fstat(self._descriptor).st_size
        if not self._size:
            os.close(self._descriptor)
            raise DatasetError(f"{path} is empty", "choose a file with something to read in it")
        self.items = accesses_of(self._size, parameters, seed)
        self._delay = Delay(parameters.latency, parameters.bandwidth)
        self._way = ExitStack()
        self._link = NO_LINK
        self._thread_tallies = ThreadTallies(lambda index: context.tally(index).add)
        self._there: ObjectAt | None = None
        if parameters.source == "server":
            way = linked(parameters.address, parameters, context.load.processes)
            self._link = self._way.enter_context(way)
            self.notes, self.tallies = self._link.notes, (REQUESTS, REFUSALS)
            self._there = self._opened_there(context)
        self._fault = coalescing_fault()
        self._readers: list[_Reader] = []

    def _opened_there(self, context: Context[RemoteParameters]) -> ObjectAt:
        """The same file on its server; raises SluiceError, also where it has another size."""
        try:
            here = replace(context.parameters, address=self._link.address)
            return opened_object(here, context.load.threads, self._size, self._thread_tallies.count)
        except BaseException:
            self._way.close()
            os.close(self._descriptor)
            raise

    def _source(self) -> RangeSource:
        if self._there is not None:
            return ObjectFile(*self._there)
        return SlowFile(self._path, self._delay)

    @override
    def remedy(self, error: Exception) -> str:
        """The client's, where it is a failure of its server."""
        there = self._there
        return remedy_of(error) if there and isinstance(error, there.objects.failures) else ""

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        self._thread_tallies.enter(index)
        with closing(self._source()) as source:
            reader = _Reader(source, self._size, self._parameters)
            self._readers.append(reader)
            yield (
                Step("need", reader.need),
                Step("fetch", reader.fetch),
                Step("write", reader.write),
                Step("read", reader.read),
            )

    def check(self, item: Access, result: bytes) -> str:
        _, position, length = item
        if len(result) != length:
            return f"short: {len(result):,} of {length:,} bytes"
        same = os.pread(self._descriptor, length, position) == result
        return "" if same else "other bytes than the file holds"

    def rewind(self) -> None:
        for reader in self._readers:
            reader.begin()
            reader.requests = reader.fetched = reader.accesses = 0

    def counters(self) -> Mapping[str, float]:
        passes = sum(reader.accesses for reader in self._readers) / len(self.items)
        requests = sum(reader.requests for reader in self._readers)
        fetched = sum(reader.fetched for reader in self._readers)
        counted: dict[str, float] = {
            "coalescing fault": self._fault,
            **self._link.connections(),
        }
        if passes:
            counted["requests a pass"] = requests / passes
            counted["bytes fetched a pass"] = fetched / passes
        return counted

    def counts_so_far(self) -> Mapping[str, float]:
        return self._link.bytes_so_far()

    def close(self) -> None:
        if self._there is not None:
            self._there.objects.close()
        self._way.close()
        os.close(self._descriptor)


@dataclass(frozen=True, slots=True)
class _Fetched:
    access: Access
    parts: Sequence[tuple[int, bytes]]


class _Reader:
    """One worker's sparse file; it begins anew with each pass."""

    def __init__(self, source: RangeSource, size: int, parameters: RemoteParameters) -> None:
        import svfsc

        self._new = svfsc.cSVF
        self._source, self._size = source, size
        self._paged = parameters.whole_pages
        greedy = parameters.greedy_length
        self._greedy = _whole_pages(greedy) if self._paged else greedy
        self.requests = self.fetched = self.accesses = 0
        self.begin()

    def begin(self) -> None:
        self._svf: Any = self._new("remote")
        self._last = -1

    def need(self, access: Access) -> tuple[Access, list[Range]]:
        number, position, length = access
        if number <= self._last:
            self.begin()
        self._last = number
        self.accesses += 1
        if self._paged:
            whole = pages(position, length, self._size)
            position, length = whole[0][0], sum(whole[-1]) - whole[0][0]
        return access, self._svf.need(position, length, self._greedy)

    def fetch(self, needed: tuple[Access, list[Range]]) -> _Fetched:
        """One request for each missing range, but nothing behind the file's end."""
        access, ranges = needed
        parts = [
            (position, self._source.fetch(position, min(length, self._size - position)))
            for position, length in ranges
        ]
        self.requests += len(parts)
        self.fetched += sum(len(part) for _, part in parts)
        return _Fetched(access, parts)

    def write(self, fetched: _Fetched) -> Access:
        for position, part in fetched.parts:
            self._svf.write(position, part)
        return fetched.access

    def read(self, access: Access) -> bytes:
        """The wanted bytes; raises OSError where svfsc denies what was written."""
        _, position, length = access
        read = self._svf.read
        if not self._paged:
            return bytes(read(position, length))
        whole = pages(position, length, self._size)
        start = position - whole[0][0]
        data = read(*whole[0]) if len(whole) == 1 else b"".join(read(*page) for page in whole)
        return bytes(data[start : start + length])
