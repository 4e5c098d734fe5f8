"""What all readers share: which reads are requested, how results are checked, and POD5's maps."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import batched, groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, Protocol, override

from core import InvalidParameter, Job, SluiceError, Step, Weight, tr
from workloads.shared.text_lists import lines_of, refused_line
from workloads.signal.catalogue import Catalogue
from workloads.signal.reads import Read, Sums, differing

MOST_OPEN = 64
"""Files of a job that stay open; others are closed when nobody has them any more."""
_MAPS = Path("/proc/self/maps")


class ReadRequest(NamedTuple):
    """One operation: some reads of one file, by their numbers."""

    file: int
    numbers: Sequence[int]


def in_order(catalogues: Sequence[Catalogue], batch: int) -> list[ReadRequest]:
    """All reads of all files in order, in batches that end where a file ends."""
    return [
        ReadRequest(file, range(first, min(first + batch, len(one.reads))))
        for file, one in enumerate(catalogues)
        for first in range(0, len(one.reads), batch)
    ]


def shuffled(catalogues: Sequence[Catalogue], batch: int, seed: int) -> list[ReadRequest]:
    """All reads in an order drawn from the seed, which is the same for every format."""
    drawn = random.Random(seed)
    requests = []
    for file, one in enumerate(catalogues):
        numbers = sorted(one.numbers.values(), key=lambda number: one.reads[number].read_id)
        drawn.shuffle(numbers)
        requests += [ReadRequest(file, some) for some in batched(numbers, batch)]
    return requests


def listed(catalogues: Sequence[Catalogue], batch: int, path: Path) -> list[ReadRequest]:
    """The reads that a file lists, in its order; raises InvalidParameter for an unknown one."""
    # Several in a line are several reads; a name stands for its first line.
    ids: dict[str, int] = {}
    for line in lines_of(path, "read_list"):
        for name in line.text.split():
            ids.setdefault(name, line.number)
    located = {
        name: (file, number)
        # The last entry of a name stays: in reverse, it is that of the first file which has it.
        for file, one in reversed(list(enumerate(catalogues)))
        for name, number in one.numbers.items()
    }
    unknown = next((name for name in ids if name not in located), None)
    remedy = tr("list one read id on each line")
    if unknown is not None:
        why = tr("no read is named {name}", name=unknown)
        raise refused_line(path, ids[unknown], why, "read_list", remedy)
    if not ids:
        raise InvalidParameter("read_list", tr("{path} lists no read", path=path), remedy)
    requests = []
    for file, group in groupby((located[name] for name in ids), key=itemgetter(0)):
        numbers = (number for _, number in group)
        requests += [ReadRequest(file, some) for some in batched(numbers, batch)]
    return requests


@dataclass(frozen=True)
class SignalReads:
    """What a job reads, and how."""

    catalogues: Sequence[Catalogue]
    items: Sequence[ReadRequest]
    threads: int
    cache: Path
    by_id: bool
    mapped: bool
    """Through a memory map, where the reader has a choice."""


class BatchResult(Protocol):
    """A reader's result for a batch: reads whose fields are decoded when they are checked."""

    bytes: int
    """In the file."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Read]: ...

    def reads(self, sums: Sums) -> Iterator[Read]:
        """All of them; `sums` spares adding up the samples again."""
        ...


class SignalJob(Job[ReadRequest, BatchResult]):
    """Batches of reads, one at a time; a reader's threads work within a batch."""

    workers = 1
    checking = "between"
    held = 1

    def __init__(self, reads: SignalReads) -> None:
        self.catalogues, self.items = reads.catalogues, reads.items
        self.threads, self.by_id, self.mapped = reads.threads, reads.by_id, reads.mapped
        folders = {one.path.parent for one in self.catalogues}
        self._root = os.path.commonpath(folders) if folders else ""

    @override
    def describe(self, item: ReadRequest) -> str:
        text = self.read_of(item, 0)
        count = len(item.numbers)
        if count > 1:
            text = f"{count:,} reads, {text} to {self.read_of(item, count - 1)}"
        return f"{self.file_of(item)}: {text}"

    def file_of(self, item: ReadRequest) -> str:
        """The name of an item's file in messages."""
        return str(self.catalogues[item.file].path.relative_to(self._root))

    def read_of(self, item: ReadRequest, index: int) -> str:
        """A read of an item, likewise."""
        number = item.numbers[index]
        return f"read {self.catalogues[item.file].reads[number].read_id} (number {number + 1:,})"

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield self.steps()

    def steps(self) -> tuple[Step, ...]:
        raise NotImplementedError

    @override
    def check(self, item: ReadRequest, result: BatchResult) -> str:
        """Compare every field of every read, and a digest of its samples, with the oracle's."""
        reads = self.catalogues[item.file].reads
        if len(result) != len(item.numbers):
            return f"{len(result):,} of {len(item.numbers):,} reads"
        expected: dict[str, list[Read]] = {}  # a file may have an id more than once
        sums: dict[tuple[int, int], int] = {}
        for number in item.numbers:
            read = reads[number]
            expected.setdefault(read.read_id, []).append(read)
            sums[read.length, read.crc] = read.sum
        for got in result.reads(sums):
            candidates = expected.get(got[0])
            if not candidates:
                return f"read {got[0]} was not asked for, or not so often"
            if got in candidates:
                candidates.remove(got)
                continue
            closest = min(candidates, key=lambda read: len(differing(read, got)))
            if names := differing(closest, got):
                fields = ", ".join("samples" if name == "crc" else name for name in names)
                return f"read {got[0]} differs from what the oracle finds: {fields}"
            candidates.remove(closest)
        return ""

    @override
    def weigh(self, results: Sequence[BatchResult]) -> Weight:
        return Weight(sum(map(len, results)), sum(one.bytes for one in results))

    def ids(self, item: ReadRequest) -> list[str]:
        reads = self.catalogues[item.file].reads
        return [reads[number].read_id for number in item.numbers]

    def stored(self, item: ReadRequest) -> int:
        """Its bytes in the file."""
        places = self.catalogues[item.file].places
        return sum(places[number].bytes for number in item.numbers)

    @override
    def counters(self) -> Mapping[str, float]:
        return {"reads of a pass": sum(len(item.numbers) for item in self.items)}


class Pod5Error(SluiceError):
    """A library of POD5's returned an error."""


class Pod5Job(SignalJob):
    """Files that are mapped or not, which is checked: the libraries fall back silently."""

    @contextmanager
    def checked_mapping(self, path: Path) -> Iterator[None]:
        """Raise SluiceError where the opened file is mapped but should not be, or the reverse."""
        before = _mapped_bytes(path)
        yield
        after = _mapped_bytes(path)
        if before is None or after is None:
            return
        if self.mapped and after <= before:
            raise SluiceError(
                f"{path} was not mapped: the library fell back to plain reads",
                "choose the reader with plain reads",
            )
        if after > before and not self.mapped:
            raise SluiceError(f"{path} was mapped though plain reads were asked for")

    @override
    def counters(self) -> Mapping[str, float]:
        """With the bytes of the files that are mapped, by the process's maps."""
        mapped = sum(_mapped_bytes(one.path) or 0 for one in self.catalogues)
        return {**super().counters(), "bytes mapped": mapped}


def _mapped_bytes(path: Path) -> int | None:
    """Bytes of a file that are mapped into this process; None where that is unknown."""
    try:
        lines = _MAPS.read_bytes().splitlines()
    except OSError:
        return None
    name = os.fsencode(path.resolve()).replace(b"\n", b"\\012")  # as the kernel writes it
    columns = (line.split(maxsplit=5) for line in lines)
    stretches = (parts[0].split(b"-") for parts in columns if parts[5:] == [name])
    return sum(int(end, 16) - int(first, 16) for first, end in stretches)
