"""What every fetch must return, read from the bytes by our own code.

Indexes beside the data are never trusted.  A file is read completely to find its sequences, and
its indexes must fit them.  In a snapshot, which can be far larger, indexes are hints: the sequence
at the given place is read completely, and must begin with its name, have the given layout, and have
the digest that is its name.  BGZF blocks are found by walking their headers.  So a wrong index or a
faulty library is noticed, and a reader is blamed for neither.

SeqRepo names a sequence by the first 24 bytes of the SHA-512 of its bases in URL-safe base64
(sha512t24u).  Source: Hart and Prlić 2020, doi:10.1371/journal.pone.0239883.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from core import DatasetError, ReportProgress, report_to_nobody, tr
from workloads.fasta.bgzf_oracle import FileContent
from workloads.fasta.fai_oracle import SPACE, misfit, read_fai, scan
from workloads.fasta.fai_table import FaiRecord
from workloads.fasta.fasta_files import IndexedFile
from workloads.fasta.sampling import PlannedFetch
from workloads.fasta.snapshots import SEQUENCE_INFO, broken
from workloads.shared.datasets import cached

_DIGEST = re.compile(r"[A-Za-z0-9_-]{32}")
_HEADER = 4096
_PIECE = 1 << 20


class SnapshotVerifier:
    """Gives the records of wanted sequences of a snapshot's files, after checking them."""

    def __init__(self, root: Path, counts: Mapping[str, int]) -> None:
        self._database = root / SEQUENCE_INFO
        self._counts = counts
        """How many sequences each file holds, as the database has it."""

    def __call__(
        self, source: IndexedFile, content: FileContent, wanted: Sequence[PlannedFetch]
    ) -> Mapping[str, FaiRecord]:
        """The records by name; raises DatasetError where data, index and database do not agree."""
        lengths = {one.sequence: one.length for one in wanted}
        records: Mapping[str, FaiRecord] = self._hints(source, wanted[0].file)
        if not records.keys() >= lengths.keys():
            records = self._looked_through(source, lengths)
        # In the order of the file, so that each BGZF block is inflated once.
        for name in sorted(lengths, key=lambda name: records[name].offset):
            if not _confirmed(content, records[name], source.path):
                records = self._looked_through(source, lengths)
            self._prove(source, content, records[name], lengths[name])
        return records

    def _hints(self, source: IndexedFile, file: str) -> dict[str, FaiRecord]:
        """What an index lists; nothing where it is plainly wrong."""
        try:
            source.require_blocks()
            records = read_fai(source.fai)
        except DatasetError:
            return {}
        return records if len(records) >= self._counts[file] else {}

    def _looked_through(
        self, source: IndexedFile, names: Mapping[str, int]
    ) -> Mapping[str, FaiRecord]:
        """All records of a file, once its indexes are found to fit and no wanted one is missing."""
        records = source.records()
        source.require_fit(records)
        for name in names:
            if name not in records:
                facts = {"path": source.path, "sequence": name, "database": self._database}
                text = tr("{path} does not hold {sequence}, which {database} says it does", **facts)
                raise broken(text)
        return records

    def _prove(
        self, source: IndexedFile, content: FileContent, record: FaiRecord, length: int
    ) -> None:
        name = record.name
        if _DIGEST.fullmatch(name) and _digest(content, record) != name:
            cause = tr(
                "{path} is damaged: the bases of {sequence} are not those that it is the digest of",
                path=source.path,
                sequence=name,
            )
            raise broken(cause)
        if length != record.length:
            lengths = {"listed": length, "found": record.length}
            cause = tr(
                "{database} is damaged: it gives {sequence} a length of {listed:,}, not {found:,}",
                database=self._database,
                sequence=name,
                **lengths,
            )
            raise broken(cause)


def _confirmed(content: FileContent, hint: FaiRecord, path: Path) -> bool:
    """Whether a sequence has the place and layout given by an index."""
    header = _header_start(content, hint.offset)
    if header is None:
        return False
    try:
        record = next(scan(_pieces(content, header), path))
    except DatasetError:  # the whole file will be looked through, which says where it is wrong
        return False
    record = record._replace(offset=record.offset + header)
    return not misfit({hint.name: hint}, {record.name: record})


def _header_start(content: FileContent, offset: int) -> int | None:
    """The start of the header line that ends right before an offset; None without one."""
    span = _HEADER
    while True:
        start = max(0, offset - span)
        before = content.read(start, offset - start)
        if len(before) < offset - start or not before.endswith(b"\n"):
            return None
        place = before.rfind(b"\n", 0, -1) + 1
        if place or not start:
            return start + place if before[place : place + 1] == b">" else None
        span *= 8  # some headers list hundreds of names


def _pieces(content: FileContent, start: int) -> Iterator[bytes]:
    size = _HEADER
    while piece := content.read(start, size):
        yield piece
        start += len(piece)
        size = min(_PIECE, size * 2)


def _digest(content: FileContent, record: FaiRecord) -> str:
    digest = hashlib.sha512()
    start, end = record.offset, record.place(record.length - 1) + 1
    while start < end and (piece := content.read(start, min(_PIECE, end - start))):
        digest.update(piece.translate(None, SPACE + b"\n"))
        start += len(piece)
    return urlsafe_b64encode(digest.digest()[:24]).decode()


_SHORT = 64

type Expected = str | tuple[int, bytes]
"""The bases themselves, or for many bases their number and digest."""


class Fetch(NamedTuple):
    """One item of work and its right answer."""

    where: str
    name: str
    start: int
    stop: int
    expected: Expected


def expected_of(bases: str) -> Expected:
    """The compact form in which bases are compared."""
    if len(bases) <= _SHORT:
        return bases
    return len(bases), hashlib.blake2b(bases.encode(), digest_size=8).digest()


def complaint(expected: Expected, bases: object) -> str:
    """What is wrong with fetched bases; empty when right."""
    if not isinstance(bases, str):
        return f"not text but {type(bases).__name__}"
    length = len(expected) if isinstance(expected, str) else expected[0]
    if len(bases) != length:
        of = tr("1 base", "{count:,} bases", count=length)
        return f"{'short' if len(bases) < length else 'long'}: {len(bases):,} of {of}"
    return "" if expected_of(bases) == expected else "wrong bases"


class StoredDraw(NamedTuple):
    fetches: list[Fetch]
    left_out: list[str]
    """Why files of a folder were left out of it."""


class Answers:
    """The fetches, and the check of their results.

    Answers are kept between trials.  Before a reader is blamed, its answers are computed again from
    the data, once: the data may have changed unnoticed, or since the trial began.
    """

    def __init__(
        self,
        place: Path,
        compute: Callable[[bool], StoredDraw],
        report: ReportProgress = report_to_nobody,
    ) -> None:
        self._drawn: Callable[[bool], StoredDraw] = lambda anew: cached(
            place, StoredDraw, lambda: compute(anew), report, anew=anew
        )
        self.fetches, self.left_out = self._drawn(False)
        self._lock = Lock()
        self._anew: dict[tuple[str, str, int, int], Expected] | None = None
        self._fault = ""

    def complaint(self, item: Fetch, bases: object) -> str:
        if not complaint(item.expected, bases):
            return ""
        with self._lock:
            if self._anew is None:
                self._anew = {}
                try:
                    self._anew = {one[:4]: one.expected for one in self._drawn(True).fetches}
                except DatasetError as error:
                    self._fault = str(error)
            expected = self._anew.get(item[:4])
        if expected is None:
            return self._fault or "the data was changed"
        return complaint(expected, bases)


def answer(
    planned: Sequence[PlannedFetch],
    sources: Mapping[str, IndexedFile],
    records_of: Callable[
        [IndexedFile, FileContent, Sequence[PlannedFetch]], Mapping[str, FaiRecord]
    ],
    report: ReportProgress,
) -> list[Fetch]:
    """The fetches with their right answers, in the same order; raises DatasetError.

    `records_of` gives the records of all wanted sequences of a file.
    """
    # Draws are with replacement, so a slice can be drawn often; its answer is worked out once.
    by_file: dict[str, dict[_Slice, PlannedFetch]] = {}
    for one in planned:
        by_file.setdefault(one.file, {})[_slice(one)] = one
    total = sum(one.stop - one.start for some in by_file.values() for one in some.values())
    expected: dict[_Slice, Expected] = {}
    done = 0
    for file, slices in by_file.items():
        source = sources[file]
        report("preparing answers", done, total, "bases")
        with source.form.open(source.path) as content:
            records = records_of(source, content, list(slices.values()))
            # In the order of the file, so that each BGZF block is inflated once.
            for key in sorted(slices, key=lambda key: (records[key[1]].offset, key[2])):
                report("preparing answers", done, total, "bases")
                one = slices[key]
                record, bases = records[one.sequence], b""
                if one.start < one.stop:
                    begin, end = record.place(one.start), record.place(one.stop - 1) + 1
                    bases = content.read(begin, end - begin).translate(None, SPACE + b"\n")
                if len(bases) != one.stop - one.start:
                    raise DatasetError(
                        tr("{path} was changed while it was read", path=source.path),
                        tr("measure on data that nobody writes"),
                    )
                expected[key] = expected_of(bases.decode("ascii", "replace"))
                done += len(bases)
    return [Fetch(*one[:4], expected[_slice(one)]) for one in planned]


type _Slice = tuple[str, str, int, int]


def _slice(one: PlannedFetch) -> _Slice:
    return one.file, one.sequence, one.start, one.stop
