"""The workload: positioned reads of whole blocks, with as little Python as there can be.

`os.pread` fills a fresh bytes object, which costs less than handing out buffers, as long as
malloc keeps the memory of freed ones: given back to the system after each batch, its page
faults would take two thirds of the speed.  Results of about 256 KiB in all are alive at once;
more, with the second looks at them, would fall out of the processor's cache.  Both were measured
against fio's psync (`python -m core selfcheck`).
"""

from __future__ import annotations

import ctypes
import os
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import override

from core import Context, DatasetError, Job, Step, Workload, choice, dataset_kind, integer
from workloads.raw.blocks import Blocks, Extent

_ALIVE = 256 * 1024
_MOST_OPEN = 256
_LISTED = 1 << 19
"""Most blocks that are listed beforehand; each takes about 100 bytes."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of mallopt, from malloc.h
_LARGEST_KEPT = 32 << 20  # the most that glibc allows


@dataclass(frozen=True, kw_only=True)
class RawParameters:
    """How the files are read."""

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


class RawRead(Workload[RawParameters]):
    """Reads blocks of whatever files a dataset has."""

    name = "raw"
    unit = "block"
    parameters = RawParameters
    dataset_kinds = ()

    @override
    def open(self, context: Context[RawParameters]) -> Job[Extent, bytes]:
        """Find the files and, unless there are too many, open them."""
        _keep_freed_memory()
        dataset = context.dataset
        paths = list(dataset_kind(dataset.kind).files(dataset.path))
        try:
            sizes = [path.stat().st_size for path in paths]
        except OSError as error:
            raise DatasetError(f"{error.filename} cannot be read: {error.strerror}") from error
        block = context.parameters.block_size
        seed = context.load.seed if context.parameters.access == "random" else None
        if len(paths) <= _MOST_OPEN:
            return SharedJob(paths, sizes, block, seed)
        return NumberedJob(paths, sizes, block, seed, max(4, _MOST_OPEN // context.load.threads))


class _RawJob(Job[Extent, bytes]):
    """What both ways to keep files open have in common.

    A result is compared with a second read through a descriptor of its own, at a place found
    anew from the path.  Not with a memory map: a file that shrinks under a map kills the
    process, and mapped pages would count as its memory.
    """

    checking = "between"

    def __init__(
        self,
        paths: Sequence[Path],
        names: Sequence[int],
        sizes: Sequence[int],
        block: int,
        seed: int | None,
    ) -> None:
        blocks = Blocks(sizes, names, block, seed)
        self.items = list(blocks) if len(blocks) <= _LISTED else blocks
        self.held = max(1, _ALIVE // block)
        self._path = dict(zip(names, paths, strict=True))
        self._second: dict[int, int] = {}
        self._lock = Lock()

    def check(self, item: Extent, result: bytes) -> str:
        """Compare with what a second look finds there."""
        file, length, offset = item
        if len(result) != length:
            return f"short: {len(result):,} of {length:,} bytes"
        return (
            ""
            if self._look(file, length, offset) == result
            else "other bytes than a second look finds"
        )

    def _look(self, file: int, length: int, offset: int) -> bytes:
        with self._lock:
            if file not in self._second:
                if len(self._second) >= _MOST_OPEN:
                    os.close(self._second.pop(next(iter(self._second))))
                self._second[file] = os.open(self._path[file], os.O_RDONLY)
            # Under the lock, lest another thread's look closes the descriptor.
            return os.pread(self._second[file], length, offset)

    def close(self) -> None:
        """Close the descriptors of the second looks."""
        while self._second:
            os.close(self._second.popitem()[1])


class SharedJob(_RawJob):
    """Few files: all are open throughout, shared by the workers."""

    def __init__(
        self, paths: Sequence[Path], sizes: Sequence[int], block: int, seed: int | None
    ) -> None:
        self._descriptors: list[int] = []
        try:
            for path in paths:
                self._descriptors.append(os.open(path, os.O_RDONLY))
        except OSError as error:
            self._close_files()
            raise DatasetError(f"{error.filename} cannot be read: {error.strerror}") from error
        super().__init__(paths, self._descriptors, sizes, block, seed)

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        """One positioned read."""
        pread = os.pread

        def read(extent: Extent) -> bytes:
            descriptor, length, offset = extent
            return pread(descriptor, length, offset)

        yield (Step("read", read, spread=pread),)

    def counters(self) -> Mapping[str, float]:
        """Every file was opened once."""
        return {"files opened": len(self._descriptors)}

    def close(self) -> None:
        """Close all files."""
        super().close()
        self._close_files()

    def _close_files(self) -> None:
        while self._descriptors:
            os.close(self._descriptors.pop())


class NumberedJob(_RawJob):
    """Many files: every worker keeps the last ones open that it read."""

    def __init__(
        self,
        paths: Sequence[Path],
        sizes: Sequence[int],
        block: int,
        seed: int | None,
        most_open: int,
    ) -> None:
        super().__init__(paths, range(len(paths)), sizes, block, seed)
        self._most_open = most_open
        self._opened: list[_LastFiles] = []

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        """One positioned read, after opening the file where it is not open."""
        pread = os.pread
        files = _LastFiles(self._path, self._most_open)
        self._opened.append(files)

        def read(extent: Extent) -> bytes:
            number, length, offset = extent
            return pread(files.descriptor(number), length, offset)

        try:
            yield (Step("read", read),)
        finally:
            files.close()

    def counters(self) -> Mapping[str, float]:
        """How often a file was opened, over all workers."""
        return {"files opened": sum(files.opens for files in self._opened)}


class _LastFiles:
    """Descriptors of the files that one worker read last."""

    def __init__(self, paths: Mapping[int, Path], most: int) -> None:
        self._paths = paths
        self._most = most
        self._open: OrderedDict[int, int] = OrderedDict()
        self.opens = 0

    def descriptor(self, number: int) -> int:
        """The file's descriptor, opened where need be."""
        found = self._open.get(number)
        if found is None:
            if len(self._open) >= self._most:
                os.close(self._open.popitem(last=False)[1])
            found = self._open[number] = os.open(self._paths[number], os.O_RDONLY)
            self.opens += 1
        else:
            self._open.move_to_end(number)
        return found

    def close(self) -> None:
        """Close them all."""
        while self._open:
            os.close(self._open.popitem()[1])


def _keep_freed_memory() -> None:
    """Have this process keep and use again what results of any size have freed (glibc only)."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(_TRIM_THRESHOLD, 2**31 - 1)
        libc.mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT)
