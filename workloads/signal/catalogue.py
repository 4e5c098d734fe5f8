"""The right answer for every read of a file: found once by the oracle, kept in the cache folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from core import ReportProgress, file_state, reading, tr, written_once
from workloads.signal import pod5_oracle, slow5_fields_oracle, slow5_records_oracle
from workloads.signal.reads import Read, Run, damaged

BLOW5, POD5 = "blow5", "pod5"
EVERY = 10**12
"""More reads than any file has."""
_ORACLE = 2
"""Increased when the same file gives other answers than before."""
_REPORT_EVERY = 500
RUN_FROM: Final = 11
"""Number of a read's own fields; the others are those of its run."""


def format_of(path: Path) -> str:
    """`blow5` (which SLOW5 is too) or `pod5`; empty for what is neither.  Raises DatasetError."""
    with reading(path), path.open("rb", buffering=0) as file:
        head = file.read(len(slow5_fields_oracle.TEXT_MAGIC))
    if head.startswith((slow5_fields_oracle.MAGIC, slow5_fields_oracle.TEXT_MAGIC)):
        return BLOW5
    return POD5 if head.startswith(pod5_oracle.MAGIC) else ""


class ReadPlace(NamedTuple):
    """Where a read is: bytes from an offset in BLOW5, a row of a batch of the table in POD5."""

    at: int
    """Offset, or batch."""
    row: int
    """0 in BLOW5."""
    bytes: int


_Number = int | None
_OwnFields = tuple[str, float, float, float, int, int, int, _Number, _Number, _Number, _Number, int]
"""Those of a read but not of its run, and the number of that."""


class _StoredCatalogue(msgspec.Struct, array_like=True):
    """A catalogue as stored: the common fields of a run's reads only once."""

    total: int
    runs: list[Run]
    reads: list[_OwnFields]
    places: list[tuple[int, int, int]]


@dataclass(frozen=True)
class Catalogue:
    """The first reads of one file: the right answer for each, and where it is."""

    path: Path
    total: int
    """Reads in the file, including those that are not wanted."""
    reads: list[Read]
    places: list[ReadPlace]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of each read by its id; the first where several share an id."""
        numbers: dict[str, int] = {}
        for number, read in enumerate(self.reads):
            numbers.setdefault(read.read_id, number)
        return numbers

    @cached_property
    def repeated(self) -> str:
        """An id that several reads share; empty where all differ."""
        ids = (read.read_id for read in self.reads)
        return next((one for number, one in enumerate(ids) if self.numbers[one] != number), "")

    @cached_property
    def identity(self) -> str:
        """Digest of ids, lengths and samples, the same for any order of reads."""
        digest = hashlib.blake2b(digest_size=16)
        for facts in sorted((read.read_id, read.length, read.crc) for read in self.reads):
            digest.update(repr(facts).encode())
        return digest.hexdigest()


def catalogue(path: Path, most: int, cache: Path, report: ReportProgress) -> Catalogue:
    """The catalogue of a file's first reads, made now or found from before; raises DatasetError."""
    folder = cache / "reads"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{file_state(path)}-{_ORACLE}"
    # All reads, from which any smaller number can be taken.
    whole = folder / f"{name}.msgpack"

    def make(unfinished: Path) -> None:
        stored = _collected(_located_reads(path, most), path, report)
        try:
            unfinished.write_bytes(msgspec.msgpack.encode(stored))
        except OverflowError as error:
            raise damaged(path, tr("has a read with a number that is out of range")) from error

    some = folder / f"{name}-{most}.msgpack"
    place = whole if whole.exists() else written_once(some, make, report)
    stored = _STORED.decode(place.read_bytes())
    if place != whole and stored.total <= most:
        written_once(whole, lambda unfinished: unfinished.hardlink_to(place))
    reads = [Read(*read[:-1], *stored.runs[read[-1]]) for read in stored.reads[:most]]
    return Catalogue(path, stored.total, reads, [ReadPlace(*one) for one in stored.places[:most]])


def count_reads(path: Path, most: int) -> int:
    """How many reads a file has, counted no further than `most`; raises DatasetError."""
    return sum(1 for _ in islice(_located_reads(path, most), most))


def _located_reads(path: Path, most: int) -> Iterator[tuple[Read | None, ReadPlace]]:
    if format_of(path) == POD5:
        for placed in pod5_oracle.reads(path, most):
            yield placed.read, ReadPlace(placed.batch, placed.row, placed.bytes)
    else:
        for record in slow5_records_oracle.records(path, most):
            yield record.read, ReadPlace(record.offset, 0, record.size)


def _collected(
    located: Iterable[tuple[Read | None, ReadPlace]], path: Path, report: ReportProgress
) -> _StoredCatalogue:
    stored = _StoredCatalogue(0, [], [], [])
    doing = f"working out what {path.name} holds"
    report(doing, 0, 0, "read")
    runs: dict[Run, int] = {}
    for read, place in located:
        stored.total += 1
        if stored.total % _REPORT_EVERY == 0:
            report(doing, stored.total, 0, "read")
        if read is not None:
            run = runs.setdefault(read[RUN_FROM:], len(runs))
            stored.reads.append((*read[:RUN_FROM], run))
            stored.places.append((place.at, place.row, place.bytes))
    stored.runs = list(runs)
    return stored


_STORED = msgspec.msgpack.Decoder(_StoredCatalogue)
"""Made once, while one thread imports: two that have msgspec learn a type at once may crash."""
