"""Finds the sequences of FASTA content by reading all of it.

Equally long lines are checked many at a time; only lines at the ends of sequences and of pieces are
checked one by one.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from core import DatasetError, tr
from workloads.fasta.bgzf import GZIP_MAGIC
from workloads.fasta.fai import FaiRecord

SPACE = b" \t\r\v\f"
_GRAPHIC = bytes(range(0x21, 0x7F))
"""Letters of bases.  htslib counts only these when it builds an index, but fetches bases by place:
readers return different results for a sequence with other letters."""


def scan(pieces: Iterable[bytes], path: Path, *, every: bool = False) -> Iterator[FaiRecord]:
    """The records of FASTA content, in order; raises DatasetError where it cannot be indexed.

    It gives only the first of several sequences with one name, as htslib does, unless `every` one
    is wanted.
    """
    scanner = _Scanner(path, every=every)
    for lines in _whole_lines(pieces):
        yield from scanner.take(lines)
    yield from scanner.finish()
    if not scanner.found:
        raise DatasetError(tr("{path} holds no sequence", path=path))


def _whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes cut behind line ends; a line that spans many pieces is joined once."""
    begun: list[bytes] = []
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join((*begun, piece[:end]))
            begun = []
        begun.append(piece[end:])
    if rest := b"".join(begun):
        yield rest


class _Scanner:
    """Takes whole lines, gives the records that they end."""

    def __init__(self, path: Path, *, every: bool) -> None:
        self._path, self._every = path, every
        self._position = 0
        """Bytes of content before the lines that are being taken."""
        self._seen: set[str] = set()
        self._name: str | None = None
        self._offset = self._length = self._bases = self._width = 0
        self._ended = False
        self._blank = False
        """Whether an empty line was there, behind which no base may come."""

    @property
    def found(self) -> bool:
        return bool(self._seen)

    def take(self, lines: bytes) -> Iterator[FaiRecord]:
        """Take the next lines; gives the records that they end."""
        at = 0
        while at < len(lines):
            if lines.startswith(b">", at):
                yield from self.finish()
                end = _line_end(lines, at)
                self._begin(lines[at:end], self._position + end)
                at = end
            else:
                end = lines.find(b"\n>", at) + 1 or len(lines)
                self._take_sequence(lines, at, end)
                at = end
        self._position += len(lines)

    def finish(self) -> Iterator[FaiRecord]:
        """The record under way, unless its name was there before and does not count again."""
        if self._name is not None and (self._every or self._name not in self._seen):
            self._seen.add(self._name)
            yield FaiRecord(self._name, self._length, self._offset, self._bases, self._width)

    def _begin(self, header: bytes, offset: int) -> None:
        words = header[1:].split(None, 1)
        if not words:
            raise DatasetError(
                tr("{path} has a header without a name", path=self._path), tr("name the sequence")
            )
        try:
            self._name = words[0].decode()
        except UnicodeDecodeError:
            raise DatasetError(
                tr("{path} has a sequence whose name is not UTF-8", path=self._path),
                tr("rename it"),
            ) from None
        if "\0" in self._name:
            raise DatasetError(
                tr("{path} has a sequence whose name has a zero byte", path=self._path),
                tr("rename it"),
            )
        self._offset = offset
        self._length = self._bases = self._width = 0
        self._ended = self._blank = False
        if b"\r" in header.rstrip(b"\r\n"):
            self._require_no_lone_returns(header)

    def _require_no_lone_returns(self, header: bytes) -> None:
        """A file of an old Mac is one long header; elsewhere it is a stray byte behind a name."""
        if re.search(rb"\r>|\r[A-Za-z*-]+\r?\n?$", header):
            raise DatasetError(
                tr("{path} ends its lines with CR alone, as old Macs did", path=self._path),
                tr("change that: {command}", command=self._command(r"tr '\r' '\n'")),
            )

    @property
    def _where(self) -> dict[str, object]:
        return {"path": self._path, "name": self._name}

    def _command(self, change: str) -> str:
        """The line for a shell that changes the content and keeps it packed."""
        name, packed = shlex.quote(str(self._path)), False
        with suppress(OSError), self._path.open("rb") as file:
            packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
        if packed:
            return f"bgzip -dc {name} | {change} | bgzip > NEW.fa.bgz"
        return f"{change} < {name} > NEW.fa"

    def _take_sequence(self, lines: bytes, at: int, end: int) -> None:
        """Take lines of which none is a header."""
        if not self._width:
            line, at = lines[at : _line_end(lines, at)], _line_end(lines, at)
            self._take_line(line)
        at += self._pass_alike(lines[at:end])
        while at < end:
            after = _line_end(lines, at)
            self._take_line(lines[at:after])
            at = after

    def _pass_alike(self, lines: bytes) -> int:
        """Count the leading lines that are as long as the sequence's first; gives their bytes."""
        width, bases = self._width, self._bases
        if not width or self._ended:
            return 0
        ends = lines[width - 1 :: width]
        count = len(ends) - len(ends.lstrip(b"\n"))
        alike = lines[: count * width]
        ending = lines[bases:width]
        at_ends = all(
            alike[place::width] == ending[place - bases : place - bases + 1] * count
            for place in range(bases, width)
        )
        if not at_ends or alike.translate(None, _GRAPHIC) != ending * count or ending.strip():
            return 0
        self._length += count * bases
        return len(alike)

    def _take_line(self, line: bytes) -> None:
        bases = line.rstrip(SPACE + b"\n")
        if self._name is None:
            if bases:
                raise DatasetError(tr("{path} has text before the first '>'", path=self._path))
        elif bases:
            self._lengthen(bases, len(line))
        else:
            self._ended = self._blank = True

    def _lengthen(self, bases: bytes, width: int) -> None:
        if others := bases.translate(None, _GRAPHIC):
            raise self._foreign(others)
        if self._ended or 0 < self._bases < len(bases):
            blank = self._blank and (self._ended or not self._bases)
            raise DatasetError(
                tr("{path} has an empty line in the sequence {name}", **self._where)
                if blank
                else tr(
                    "{path} has lines of different lengths in the sequence {name}", **self._where
                ),
                # `fold` would fold long headers, too.
                tr("fold it again: {command}", command=self._command("seqtk seq -l 60 -")),
            )
        if not self._bases:
            self._bases, self._width = len(bases), width
        self._ended = (len(bases), width) != (self._bases, self._width)
        self._length += len(bases)

    def _foreign(self, others: bytes) -> DatasetError:
        if others.isspace():
            cause = tr("{path} has white space inside the sequence {name}", **self._where)
        else:
            cause = tr(
                "{path} has the byte {byte} inside the sequence {name}, which is no base",
                path=self._path,
                byte=f"0x{others.lstrip()[0]:02X}",
                name=self._name,
            )
        return DatasetError(cause, tr("remove it"))


def _line_end(lines: bytes, start: int) -> int:
    return lines.find(b"\n", start) + 1 or len(lines)
