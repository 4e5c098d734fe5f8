"""Sequences of a SeqRepo snapshot, each checked by its name, which is the digest of its bases.

SeqRepo names a sequence by the first 24 bytes of the SHA-512 of its bases in URL-safe base64
(sha512t24u).  Source: Hart and Prlić 2020, doi:10.1371/journal.pone.0239883.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core import DatasetError, tr
from workloads.fasta.bgzf import Content
from workloads.fasta.fai import Record
from workloads.fasta.index_checks import misfit
from workloads.fasta.indexes import Source
from workloads.fasta.sampling import Wanted
from workloads.fasta.scanning import SPACE, scan
from workloads.fasta.snapshots import SEQUENCE_INFO

_DIGEST = re.compile(r"[A-Za-z0-9_-]{32}")
_HEADER = 4096
_PIECE = 1 << 20


class Prover:
    """Gives the records of wanted sequences of a snapshot's files, after checking them."""

    def __init__(self, root: Path, counts: Mapping[str, int]) -> None:
        self._database = root / SEQUENCE_INFO
        self._counts = counts
        """How many sequences each file holds, as the database has it."""

    def __call__(
        self, source: Source, content: Content, wanted: Sequence[Wanted]
    ) -> Mapping[str, Record]:
        """The records by name; raises DatasetError where data, index and database do not agree."""
        lengths = {one.sequence: one.length for one in wanted}
        records = self._hints(source, wanted[0].file)
        if not records.keys() >= lengths.keys():
            records = self._looked_through(source, lengths)
        # In the order of the file, so that each BGZF block is inflated once.
        for name in sorted(lengths, key=lambda name: records[name].offset):
            if not _confirmed(content, records[name], source.path):
                records = self._looked_through(source, lengths)
            self._prove(source, content, records[name], lengths[name])
        return records

    def _hints(self, source: Source, file: str) -> dict[str, Record]:
        """What an index lists; nothing where it is plainly wrong."""
        try:
            source.require_blocks()
            records = {record.name: record for record in source.listed()}
        except DatasetError:
            return {}
        return records if len(records) >= self._counts[file] else {}

    def _looked_through(self, source: Source, names: Mapping[str, int]) -> dict[str, Record]:
        """All records of a file, once its indexes are found to fit and no wanted one is missing."""
        records = source.records()
        source.require_fit(records)
        found = {record.name: record for record in records}
        for name in names:
            if name not in found:
                raise DatasetError(
                    tr(
                        "{path} does not hold {sequence}, which {database} says it does",
                        path=source.path,
                        sequence=name,
                        database=self._database,
                    ),
                    tr("fetch the snapshot again"),
                )
        return found

    def _prove(self, source: Source, content: Content, record: Record, length: int) -> None:
        name = record.name
        if _DIGEST.fullmatch(name) and _digest(content, record) != name:
            raise DatasetError(
                tr(
                    "{path} is damaged: the bases of {sequence} are not those that it is the"
                    " digest of",
                    path=source.path,
                    sequence=name,
                ),
                tr("fetch the snapshot again"),
            )
        if length != record.length:
            raise DatasetError(
                tr(
                    "{database} is damaged: it gives {sequence} a length of {listed:,}, not {found:,}",
                    database=self._database,
                    sequence=name,
                    listed=length,
                    found=record.length,
                ),
                tr("fetch the snapshot again"),
            )


def _confirmed(content: Content, hint: Record, path: Path) -> bool:
    """Whether a sequence has the place and layout given by an index."""
    header = _header_start(content, hint.offset)
    if header is None:
        return False
    try:
        found = next(scan(_pieces(content, header), path))
    except DatasetError:  # the whole file will be looked through, which says where it is wrong
        return False
    return not misfit([hint], [found._replace(offset=found.offset + header)])


def _header_start(content: Content, offset: int) -> int | None:
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


def _pieces(content: Content, start: int) -> Iterator[bytes]:
    size = _HEADER
    while piece := content.read(start, size):
        yield piece
        start += len(piece)
        size = min(_PIECE, size * 2)


def _digest(content: Content, record: Record) -> str:
    digest = hashlib.sha512()
    start, end = record.offset, record.place(record.length - 1) + 1
    while start < end:
        piece = content.read(start, min(_PIECE, end - start))
        if not piece:
            break
        digest.update(piece.translate(None, SPACE + b"\n"))
        start += len(piece)
    return urlsafe_b64encode(digest.digest()[:24]).decode()
