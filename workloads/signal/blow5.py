"""SLOW5 and BLOW5 as the oracle reads them: written from the specification, without slow5lib."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from core import reading, show, tr
from workloads.signal import slow5record
from workloads.signal.damage import ODD, Undecodable, Unknown, damaged, unknown
from workloads.signal.reads import Read
from workloads.signal.slow5header import Header, header_of

END = b"5WOLB"


@dataclass(frozen=True)
class Record:
    """A record's place and, unless only places are wanted, its read."""

    offset: int
    size: int
    """Its bytes in the file, including the length before it or the line's end."""
    read: Read | None


def read_header(path: Path) -> Header:
    """The header of a file; raises DatasetError."""
    with reading(path), path.open("rb") as file:
        return header_of(file, path)


def require_end(path: Path) -> None:
    """Raise DatasetError for a BLOW5 file that does not end with its end marker.

    Going from record to record shows what it has instead: it was cut off, or something follows the
    marker.
    """
    with reading(path), path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        size = file.tell()
        file.seek(max(0, size - len(END)))
        if file.read() == END:
            return
        file.seek(0)
        header = header_of(file, path)
        for _ in _binary(file, header, path):
            pass


def records(path: Path, most: int) -> Iterator[Record]:
    """All records in order, the first `most` with their reads; raises DatasetError.

    Missing records are noticed: every record's length and the end marker are checked.
    """
    with reading(path), path.open("rb") as file:
        header = header_of(file, path)
        places = _lines(file, header, path) if header.text else _binary(file, header, path)
        for number, (offset, size, content) in enumerate(places):
            yield Record(offset, size, _parsed(content, header, path, number, most))


def _parsed(
    content: Callable[[], bytes], header: Header, path: Path, number: int, most: int
) -> Read | None:
    if number >= most:
        return None
    parse = slow5record.read_line if header.text else slow5record.read_binary
    try:
        return parse(content(), header)
    except Unknown as form:
        raise unknown(path, form) from form
    except (Undecodable, MemoryError, *ODD) as error:
        told = {"number": number + 1, "why": error}
        raise damaged(path, tr("has a damaged record, number {number}: {why}", **told)) from error


type _Place = tuple[int, int, Callable[[], bytes]]


def _binary(file: BinaryIO, header: Header, path: Path) -> Iterator[_Place]:
    file.seek(0, os.SEEK_END)
    end = file.tell()
    file.seek(header.first)
    offset = header.first
    while True:
        length = file.read(8)
        left = end - offset
        if length == END and left == len(END):
            return
        size = int.from_bytes(length, "little")
        if len(length) < 8 or 8 + size > left:
            raise damaged(path, _broken(length, offset, end))
        yield offset, 8 + size, lambda size=size: file.read(size)  # type: ignore[misc]
        offset += 8 + size
        file.seek(offset)


def _broken(length: bytes, offset: int, size: int) -> str:
    """What is wrong where neither a record begins nor the file, of that size, ends."""
    if length.startswith(END):
        count = size - offset - len(END)
        return tr("has more after its end marker: {size}", size=show(count, "bytes"))
    if not length:
        return tr("lacks its end marker, so it was cut off")
    if len(length) < 8:
        return tr("was cut off or damaged at byte {offset}", offset=f"{offset:,}")
    whole = offset + 8 + int.from_bytes(length, "little") + len(END)
    told = {"size": f"{size:,}", "whole": f"{whole:,}", "offset": f"{offset:,}"}
    return tr(
        "was cut off after {size} of at least {whole} bytes, or damaged at byte {offset}", **told
    )


def _lines(file: BinaryIO, header: Header, path: Path) -> Iterator[_Place]:
    offset = header.first
    file.seek(offset)
    for line in file:
        if not line.endswith(b"\n"):
            raise damaged(path, tr("ends within its last line"))
        yield offset, len(line), lambda line=line: line[:-1]  # type: ignore[misc]
        offset += len(line)
