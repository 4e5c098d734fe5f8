"""FASTA indexes (`.fai`): read, written, and held against the data beside them.

One record per sequence: name, length in bases, offset of the first base in the content,
bases and bytes per line.  All lines of a sequence but the last must be equally long.

Readers trust an index: one of other data, or a truncated one, makes a correct reader return wrong
bases, fail or crash.  So it is compared with the data before any reader is opened with it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from core import DatasetError, content_of, reading, tr
from workloads.fasta.bgzf import BgzfBlock

# Neither a sign nor blanks nor more digits than any file has bytes: readers differ on these.
_LINE = re.compile(rb"([^\t]+)" + rb"\t([0-9]{1,18})" * 4 + rb"\r?")


class FaiRecord(NamedTuple):
    """Where a sequence is and how it is laid out; lengths in bases, the rest in bytes."""

    name: str
    length: int
    offset: int
    line_bases: int
    line_width: int

    def place(self, base: int) -> int:
        if not self.line_bases:
            return self.offset
        lines, rest = divmod(base, self.line_bases)
        return self.offset + lines * self.line_width + rest


def read_fai(path: Path) -> list[FaiRecord]:
    """The records of an index file, later ones of a repeated name left out; raises DatasetError."""
    with reading(path):
        lines = content_of(path).split(b"\n")
    if not lines[-1]:
        lines.pop()
    records: dict[str, FaiRecord] = {}
    for number, line in enumerate(lines, start=1):
        record = _record(line)
        if record is None:
            raise unfit(
                path,
                tr(
                    "{path} is not a FASTA index: see its line {number:,}", path=path, number=number
                ),
            )
        records.setdefault(record.name, record)
    return list(records.values())


def unfit(index: Path, cause: str) -> DatasetError:
    """The error for an index that cannot be used, with the remedy."""
    return DatasetError(
        cause,
        tr(
            "delete {name}, so that one is made where your data is not touched, or make it again"
            " with samtools faidx",
            name=index.name,
        ),
    )


def _record(line: bytes) -> FaiRecord | None:
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    name, *numbers = found.groups()
    try:
        return FaiRecord(name.decode(), *map(int, numbers))
    except UnicodeDecodeError:
        return None


def fai(records: Iterable[FaiRecord]) -> bytes:
    lines = ("\t".join(map(str, record)) + "\n" for record in records)
    return "".join(lines).encode()


_WIDEST = 1 << 31
"""Bytes of a line at which htslib's numbers overflow."""
_LINE_END = 2
"""Bytes of the line end that the last line can lack, and that some indexers count."""


def misfit(listed: Iterable[FaiRecord], records: Iterable[FaiRecord]) -> str:
    """What is wrong with an index's records, compared with those of the file; empty if nothing.

    Sequences without bases can be missing, because some indexers leave them out.
    """
    found = {record.name: record for record in records}
    known = {record.name: record for record in listed}
    for name in known:
        if name not in found:
            return tr("it lists {sequence}, which is not there", sequence=name)
    wanted = {name: record for name, record in found.items() if record.length}
    if lacking := len(wanted.keys() - known.keys()):
        return tr(
            "it lists {listed:,} of 1 sequence",
            "it lists {listed:,} of {count:,} sequences",
            count=len(wanted),
            listed=len(wanted) - lacking,
        )
    return next(
        filter(None, (_differing(known[name], record) for name, record in wanted.items())), ""
    )


def _differing(listed: FaiRecord, found: FaiRecord) -> str:
    if listed.length != found.length:
        return tr(
            "it gives {sequence} a length of {listed:,}, not {found:,}",
            sequence=found.name,
            listed=listed.length,
            found=found.length,
        )
    if listed.offset != found.offset:
        return tr(
            "it has {sequence} begin at byte {listed:,}, not {found:,}",
            sequence=found.name,
            listed=listed.offset,
            found=found.offset,
        )
    if not same_lines(listed, found):
        return tr(
            "it gives {sequence} a line length of {bases:,} ({width:,} B with the line's end), not"
            " {found:,} ({bytes:,} B)",
            sequence=found.name,
            bases=listed.line_bases,
            width=listed.line_width,
            found=found.line_bases,
            bytes=found.line_width,
        )
    return ""


def same_lines(listed: FaiRecord, found: FaiRecord) -> bool:
    """Whether every base is where the listed line length puts it."""
    if found.length > found.line_bases:
        return listed[3:] == found[3:]
    # A single line needs neither its end nor the width of a full line to be right.
    surplus = listed.line_width - listed.line_bases - (found.line_width - found.line_bases)
    return found.length <= listed.line_bases <= listed.line_width < _WIDEST and surplus <= _LINE_END


def misfit_of_blocks(path: Path, blocks: Sequence[BgzfBlock]) -> str:
    """What is wrong with a `.gzi`, compared with all blocks of the file; empty if nothing."""
    try:
        data = content_of(path)
    except OSError as error:
        return tr("it cannot be read: {why}", why=error.strerror)
    if len(data) < 8 or len(data) != 8 + 16 * struct.unpack_from("<Q", data)[0]:
        return tr("it is not an index of BGZF blocks")
    listed = list(struct.iter_unpack("<QQ", data[8:]))
    there = {(block.file_start, block.content_start) for block in blocks}
    for start, content in listed:
        if (start, content) not in there:
            return tr(
                "it has the content from byte {content:,} on in a block at byte {start:,}, where"
                " none begins with that",
                start=start,
                content=content,
            )
    if any(after < before for before, after in pairwise(listed)):
        return tr("its blocks are not in order")
    known = set(listed)
    for block in blocks:
        place = block.file_start, block.content_start
        if block.content_bytes and block.file_start and place not in known:
            return tr("it lacks the block at byte {start:,}", start=block.file_start)
    return ""
