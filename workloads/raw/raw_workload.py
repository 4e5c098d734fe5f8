"""The workload: positioned reads of whole blocks of any files."""

from __future__ import annotations

import errno
import os
import resource
import shlex
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from ctypes import c_char_p
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Self, override

from core import (
    Context,
    Dataset,
    DatasetError,
    InvalidParameter,
    Job,
    Load,
    Step,
    Unavailable,
    Weight,
    Workload,
    choice,
    dataset_kind,
    flag,
    integer,
    reading,
    show,
    tr,
)
from workloads.raw.block_reads import (
    BlockRead,
    FilesInC,
    NativeReads,
    Odd,
    ReadAt,
    ReadTotals,
    Second,
    library,
    most_alive,
    most_in_call,
    queue_of,
    read_at,
)
from workloads.raw.blocks import Extent, FileBlocks
from workloads.shared.code_templates import code_from

_MOST_OPEN, _MOST_EVER = 256, 1 << 16
_SECTOR = 512
"""Bytes; of some disks 4,096, which only a read can tell."""
_EMPTYING = 0.1
"""Share of the time that is worth a note."""


def _most_open() -> int:
    """How many files are kept open: each twice, with half of the descriptors to spare."""
    try:
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    except OSError:  # a container may forbid the call
        return _MOST_OPEN
    if soft == resource.RLIM_INFINITY:
        return _MOST_EVER
    return min(max(_MOST_OPEN, soft // 4), _MOST_EVER)


@dataclass(frozen=True, kw_only=True)
class RawParameters:
    access: str = choice(
        "sequential",
        options={
            "sequential": "All files one after the other, as cat does.",
            "random": "All blocks of all files once each, in a random order.",
        },
        help="Order of the blocks.",
    )
    block_size: int = integer(
        64 * 1024,
        low=512,
        high=16 * 1024 * 1024,
        scale="log2",
        unit="bytes",
        help="Bytes in each read.",
    )
    direct: bool = flag(
        False,
        help="Read past the page cache (O_DIRECT), as databases do.",
    )
    queue_depth: int = integer(
        1,
        low=1,
        high=1024,
        scale="log2",
        help="Reads in flight of each thread. 1 = by pread, one after the other; more by io_uring, on Linux.",
    )

    @property
    def open_flags(self) -> int:
        return os.O_RDONLY | (os.O_DIRECT if self.direct else 0)


class RawRead(Workload[RawParameters]):
    name = "raw"
    unit = "block"
    parameters = RawParameters
    important = ("threads", "block_size", "access", "page_cache")
    dataset_kinds = ()
    imports = ("numpy",)

    @override
    def open(self, context: Context[RawParameters]) -> Job[Extent, BlockRead | int]:
        """Find the files and, unless there are too many, open them."""
        dataset = context.dataset
        with reading(dataset.path):
            files = dataset_kind(dataset.kind).listed(dataset.path)
        parameters, seed = context.parameters, context.load.seed
        if parameters.direct and files:
            _require_direct(Path(files.names[0]), parameters)
        if len(files) <= _most_open():
            return SharedJob(files.names, files.sizes, parameters, seed)
        most_open = max(4, _MOST_OPEN // context.load.threads)
        return NumberedJob(files.names, files.sizes, parameters, seed, most_open)

    @override
    def admit(self, parameters: RawParameters, dataset: Dataset) -> None:
        if parameters.direct and not hasattr(os, "O_DIRECT"):
            raise Unavailable(
                tr("unavailable: this system has no direct reads"), tr("set direct to no")
            )
        if parameters.direct and parameters.block_size % _SECTOR:
            raise InvalidParameter(
                "block_size",
                tr("direct reads are of whole sectors"),
                tr("take a multiple of {least}", least=_SECTOR),
            )
        with queue_of(parameters.queue_depth):
            pass

    @override
    def irrelevant(self, parameters: RawParameters) -> frozenset[str]:
        """The page cache, which direct reads leave aside."""
        return frozenset(("page_cache",) if parameters.direct else ())

    @override
    def in_code(self, parameters: RawParameters, load: Load, dataset: Dataset) -> Mapping[str, str]:
        """The same reads by Python, and by fio, which says what the disk itself allows."""
        random = parameters.access == "random"
        place = "opendir" if dataset.path.is_dir() else "filename"
        options = {
            "name": "reads",
            place: dataset.location.replace(":", r"\:"),
            "rw": "randread" if random else "read",
            "bs": str(parameters.block_size),
            "ioengine": "psync",
            "numjobs": str(load.threads * load.processes),
            "invalidate": "1" if load.page_cache == "cold" else "0",
        }
        if parameters.queue_depth > 1:
            options |= {"ioengine": "io_uring", "iodepth": str(parameters.queue_depth)}
        if parameters.direct:
            options["direct"] = "1"
        flags = ["--readonly", "--group_reporting", *(["--thread"] if load.processes == 1 else [])]
        line = ["fio", *(f"--{name}={value}" for name, value in options.items()), *flags]
        shell = {"Shell": shlex.join(line)}
        if parameters.direct or parameters.queue_depth > 1:
            return shell
        values = {"block": parameters.block_size, "place": dataset.location, "random": random}
        return {"Python": code_from("raw", load, **values), **shell}

    @override
    def programs(self, parameters: RawParameters) -> Mapping[str, str]:
        return {"reads": "C" if library() is not None else "Python"}


def _require_direct(path: Path, parameters: RawParameters) -> None:
    """Raise Unavailable where its file system, or the disk, takes no such reads."""
    block = parameters.block_size
    with reading(path):
        file = -1
        try:
            file = os.open(path, parameters.open_flags)
            read_at(block, direct=True)(file, block, 0)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            raise Unavailable(
                tr(
                    "unavailable: direct reads of {size} of {path}",
                    size=show(block, "bytes"),
                    path=path,
                ),
                tr(
                    "take a block_size of 4096 or more, copy the data to a local disk, "
                    "or set direct to no"
                ),
            ) from error
        finally:
            if file >= 0:
                os.close(file)


class _RawJob(Job[Extent, BlockRead | int]):
    """The common base of both ways to keep files open.

    A result is compared with a second read through another descriptor, opened from the path.  A
    memory map is not used: a file that shrinks under a map kills the process, and mapped pages
    would count as its memory.  Where the harness in C reads, it has looked itself, and a result is
    how many bytes there were.  While blocks are measured all are read into the same memory, as by
    other programs that measure this; so they are read again to be compared.
    """

    checking = "again"

    def __init__(
        self,
        paths: Mapping[int, str] | Sequence[str],
        names: Sequence[int],
        sizes: Sequence[int],
        parameters: RawParameters,
        seed: int,
    ) -> None:
        block, direct = parameters.block_size, parameters.direct
        random = parameters.access == "random"
        self.items = FileBlocks(sizes, names, block, seed if random else None)
        self._parameters = parameters
        self._path = paths
        """By name."""
        self._in_flight: list[NativeReads] = []
        self._second: dict[int, int] = {}
        self._lock = Lock()
        self._in_c = library() is not None
        self.held = most_in_call(block) if self._in_c else most_alive(block, direct=direct)

    @override
    def describe(self, item: Extent) -> str:
        file, length, offset = item
        return f"{self._path[file]}, {length:,} bytes from {offset:,} on"

    def check(self, item: Extent, result: BlockRead | int) -> str:
        """Compare with a second read, or tell what the harness in C has found."""
        file, length, offset = item
        count = result if isinstance(result, int) else len(result)
        if count != length:
            return f"short: {count:,} of {length:,} bytes"
        if isinstance(result, int):
            same = not isinstance(result, Odd)
            if isinstance(result, Odd) and result.error:
                raise OSError(result.error, os.strerror(result.error), self._path[file])
        else:
            # Bytes are compared at once, a view byte by byte, which takes longer than to copy it.
            with self._lock:
                # Under the lock, so that no other thread closes the descriptor meanwhile.
                other = os.pread(self._opened_again(file), length, offset)
            same = other == bytes(result)
        return "" if same else "other bytes than a second look finds"

    @override
    def weigh(self, results: Sequence[BlockRead | int]) -> Weight:
        if isinstance(results, ReadTotals):
            return Weight(len(results), results.whole)
        counts = [one if isinstance(one, int) else len(one) for one in results]
        return Weight(len(results), sum(counts))

    def _read_at(self) -> ReadAt:
        return read_at(self._parameters.block_size, direct=self._parameters.direct)

    @contextmanager
    def _in_batches(self, second: Second | tuple[FilesInC, FilesInC]) -> Iterator[NativeReads]:
        block, direct = self._parameters.block_size, self._parameters.direct
        depth = self._parameters.queue_depth
        with queue_of(depth) as queue:
            reads = NativeReads(block, second, direct=direct, depth=depth, queue=queue)
            self._in_flight.append(reads)
            yield reads

    @property
    def notes(self) -> Sequence[str]:  # type: ignore[override]  # known at the end
        """Whether so many reads were not in flight for much of the time."""
        time = sum(reads.time for reads in self._in_flight)
        share = sum(reads.emptying for reads in self._in_flight) / max(1, time)
        if share < _EMPTYING:
            return ()
        return (
            tr(
                "{share} of the time the queue was not full, for its reads end before others are "
                "claimed: where it is full all the time, the disk may reach more",
                share=show(share, "share"),
            ),
        )

    def _second_of(self, file: int) -> int:
        """Another descriptor of a file, which stays open where there are few files."""
        with self._lock:
            return self._opened_again(file)

    def _opened_again(self, file: int) -> int:
        if file not in self._second:
            if len(self._second) >= _most_open():
                os.close(self._second.pop(next(iter(self._second))))
            self._second[file] = os.open(self._path[file], os.O_RDONLY)
        return self._second[file]

    def close(self) -> None:
        while self._second:
            os.close(self._second.popitem()[1])


class SharedJob(_RawJob):
    """Few files: all are open throughout, shared by the workers."""

    def __init__(
        self, paths: Sequence[str], sizes: Sequence[int], parameters: RawParameters, seed: int
    ) -> None:
        self._descriptors: list[int] = []
        try:
            for path in paths:
                with reading(Path(path)):
                    self._descriptors.append(os.open(path, parameters.open_flags))
        except DatasetError:
            self._close_files()
            raise
        by_name = dict(zip(self._descriptors, paths, strict=True))
        super().__init__(by_name, self._descriptors, sizes, parameters, seed)

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        at, depth = self._read_at(), self._parameters.queue_depth

        def read(extent: Extent) -> BlockRead:
            descriptor, length, offset = extent
            return at(descriptor, length, offset)

        with self._in_batches(self._second_of) if self._in_c else nullcontext() as at_once:
            yield (Step("read", read, spread=at, at_once=at_once, in_flight=depth),)

    def counters(self) -> Mapping[str, float]:
        return {"files opened": len(self._descriptors), "reads in C": float(self._in_c)}

    def close(self) -> None:
        super().close()
        self._close_files()

    def _close_files(self) -> None:
        while self._descriptors:
            os.close(self._descriptors.pop())


class NumberedJob(_RawJob):
    """Many files: every worker keeps the last ones open that it read."""

    def __init__(
        self,
        paths: Sequence[str],
        sizes: Sequence[int],
        parameters: RawParameters,
        seed: int,
        most_open: int,
    ) -> None:
        super().__init__(paths, range(len(paths)), sizes, parameters, seed)
        self._most_open = most_open
        self._opened: list[_LastFiles | FilesInC] = []
        self._encoded = (c_char_p * len(paths))(*map(os.fsencode, paths))

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        at, depth = self._read_at(), self._parameters.queue_depth
        files = _LastFiles(self._path, self._most_open, self._parameters.open_flags)
        self._opened.append(files)

        def read(extent: Extent) -> BlockRead:
            number, length, offset = extent
            return at(files.descriptor(number), length, offset)

        with files, self._batches() as at_once:
            yield (Step("read", read, at_once=at_once, in_flight=depth),)

    @contextmanager
    def _batches(self) -> Iterator[NativeReads | None]:
        if not self._in_c:
            yield None
            return
        with (
            FilesInC(self._encoded, self._most_open, self._parameters.open_flags) as files,
            FilesInC(self._encoded, self._most_open) as others,
            self._in_batches((files, others)) as at_once,
        ):
            self._opened.append(files)
            yield at_once

    def counters(self) -> Mapping[str, float]:
        opened = sum(files.opened for files in self._opened)
        return {"files opened": opened, "reads in C": float(self._in_c)}


class _LastFiles:
    """Descriptors of the files that one worker read last."""

    def __init__(self, paths: Mapping[int, str] | Sequence[str], most: int, flags: int) -> None:
        self._paths = paths
        self._most = most
        self._flags = flags
        self._open: OrderedDict[int, int] = OrderedDict()
        self.opened = 0

    def descriptor(self, number: int) -> int:
        descriptor = self._open.get(number)
        if descriptor is None:
            if len(self._open) >= self._most:
                os.close(self._open.popitem(last=False)[1])
            descriptor = self._open[number] = os.open(self._paths[number], self._flags)
            self.opened += 1
        else:
            self._open.move_to_end(number)
        return descriptor

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            os.close(self._open.popitem()[1])
