"""FASTA indexes (`.fai`): read and written.

One record per sequence: name, length in bases, offset of the first base in the content,
bases and bytes per line.  All lines of a sequence but the last must be equally long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from core import DatasetError, content_of, reading, tr

# Neither a sign nor blanks nor more digits than any file has bytes: readers differ on these.
_LINE = re.compile(rb"([^\t]+)" + rb"\t([0-9]{1,18})" * 4 + rb"\r?")


class Record(NamedTuple):
    """Where a sequence is and how it is laid out; lengths in bases, the rest in bytes."""

    name: str
    length: int
    offset: int
    line_bases: int
    line_width: int

    def place(self, base: int) -> int:
        """Offset of a base in the content."""
        if not self.line_bases:
            return self.offset
        lines, rest = divmod(base, self.line_bases)
        return self.offset + lines * self.line_width + rest


def read_fai(path: Path) -> list[Record]:
    """The records of an index file, later ones of a repeated name left out; raises DatasetError."""
    with reading(path):
        lines = content_of(path).split(b"\n")
    if not lines[-1]:
        lines.pop()
    records: dict[str, Record] = {}
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


def _record(line: bytes) -> Record | None:
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    name, *numbers = found.groups()
    try:
        return Record(name.decode(), *map(int, numbers))
    except UnicodeDecodeError:
        return None


def fai(records: Iterable[Record]) -> bytes:
    """The bytes of an index file."""
    lines = ("\t".join(map(str, record)) + "\n" for record in records)
    return "".join(lines).encode()
