"""The frame of a POD5 file: its signatures, its footer, and the tables named there."""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path
from uuid import UUID

from core import DatasetError, reading, show, tr
from workloads.signal.reads import damaged

MAGIC = b"\x8bPOD\r\n\x1a\n"
READS, SIGNAL, RUN_INFO = 0, 1, 4
"""Kinds of tables."""
_MARKER = 16  # bytes of the section marker, which follows the first signature and precedes the last
_TAIL = 8 + _MARKER + len(MAGIC)  # length of the footer, section marker, signature
_LONGEST_FOOTER = 1 << 20
_SEARCHED = 64 << 20  # bytes at a file's end that are searched for its end signature
_VERSION = re.compile(rb"\d{1,9}\.\d{1,9}\.\d{1,9}")


def require_end(path: Path) -> None:
    """Raise DatasetError for a file that does not end with its end signature, or lacks a table."""
    with reading(path), path.open("rb") as file:
        tables = tables_of(file.fileno(), path)
    for kind, name in ((READS, "reads"), (SIGNAL, "signals")):
        if kind not in tables:
            raise damaged(path, f"has no table of {name}")


def identifiers(path: Path) -> tuple[bytes, bytes]:
    """A file's section marker and its identifier, as they stand in it; raises DatasetError."""
    with reading(path), path.open("rb") as file:
        footer = _footer(file.fileno(), path)
        return os.pread(file.fileno(), _MARKER, len(MAGIC)), footer.text(0)


def tables_of(descriptor: int, path: Path) -> dict[int, tuple[int, int]]:
    """Offset and length of each embedded table by kind, from the footer; raises DatasetError."""
    size = os.fstat(descriptor).st_size
    footer = _footer(descriptor, path)
    try:
        UUID(footer.text(0).decode("ascii"))
        footer.text(1)
        if not _VERSION.fullmatch(footer.text(2)):
            raise ValueError("no version")
        places = footer.contents()
    except (struct.error, IndexError, ValueError) as error:
        raise damaged(path, tr("has a damaged footer")) from error
    for offset, stretch in places.values():
        if offset < 0 or stretch < 0 or offset + stretch > size:
            raise damaged(path, tr("has a footer that points outside of it"))
    return places


def _footer(descriptor: int, path: Path) -> _Footer:
    size = os.fstat(descriptor).st_size
    if os.pread(descriptor, len(MAGIC), 0) != MAGIC:
        raise DatasetError(f"{path} is not POD5", "name a file that pod5 can read")
    tail = os.pread(descriptor, _TAIL, max(0, size - _TAIL))
    if size < 2 * _TAIL or not tail.endswith(MAGIC):
        raise damaged(path, *_without_end(descriptor, size, path))
    (length,) = struct.unpack_from("<q", tail)
    if not 0 < length <= min(size - 2 * _TAIL, _LONGEST_FOOTER):
        raise damaged(path, tr("has a damaged footer"))
    return _Footer(os.pread(descriptor, length, size - _TAIL - length))


def _without_end(descriptor: int, size: int, path: Path) -> tuple[str, str]:
    """What is wrong with the end signature, which is missing or followed by something; a remedy."""
    searched = min(size, _SEARCHED)
    marker = os.pread(descriptor, _MARKER, len(MAGIC))
    end = os.pread(descriptor, searched, size - searched).rfind(marker + MAGIC)
    if end >= 0:
        more = searched - end - _MARKER - len(MAGIC)
        return tr("has more after its end signature: {size}", size=show(more, "bytes")), ""
    remedy = tr(
        "if nobody writes it any more, `pod5 recover {path}` saves what is whole in it", path=path
    )
    if searched == size:
        return tr("lacks its end signature, so it was cut off or is not finished"), remedy
    return tr("does not end with its end signature: it was cut off, or much follows it"), remedy


class _Footer:
    """A FlatBuffer with one table: identifier, software, version, and the embedded files."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def text(self, number: int) -> bytes:
        """A field that is text; raises struct.error or IndexError for what is no such buffer."""
        at = self._field(self._get("<I", 0), number)
        if not at:
            raise IndexError(number)
        at += self._get("<I", at)
        length = self._get("<I", at)
        if at + 4 + length > len(self._data):
            raise IndexError(length)
        return self._data[at + 4 : at + 4 + length]

    def contents(self) -> dict[int, tuple[int, int]]:
        """Offset and length by kind; raises as `text`."""
        field = self._field(self._get("<I", 0), 3)
        if not field:
            return {}
        listed = field + self._get("<I", field)
        found: dict[int, tuple[int, int]] = {}
        for place in range(min(self._get("<I", listed), 64)):
            at = listed + 4 + 4 * place
            table = at + self._get("<I", at)
            offset, length, form, kind = (self._field(table, number) for number in range(4))
            if form and self._get("<h", form):
                raise IndexError("not Feather")
            found[self._get("<h", kind) if kind else 0] = (
                self._get("<q", offset) if offset else 0,
                self._get("<q", length) if length else 0,
            )
        if not found.keys() <= set(range(5)):  # two kinds of indexes are declared, too
            raise IndexError("a table of no known kind")
        return found

    def _field(self, table: int, number: int) -> int:
        """Where a table's field is; 0 where it is left out."""
        described = table - self._get("<i", table)
        place = 4 + 2 * number
        if place >= self._get("<H", described):
            return 0
        offset = self._get("<H", described + place)
        return table + offset if offset else 0

    def _get(self, form: str, at: int) -> int:
        if at < 0:
            raise IndexError(at)
        (value,) = struct.unpack_from(form, self._data, at)
        return int(value)
