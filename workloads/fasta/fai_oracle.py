"""FASTA indexes (`.fai`): read, written, made from the data, and held against it.

One record per sequence: name, length in bases, offset of the first base in the content,
bases and bytes per line.  All lines of a sequence but the last must be equally long.

Readers trust an index: one of other data, or a truncated one, makes a correct reader return wrong
bases, fail or crash.  So it is compared with the data before any reader is opened with it.
The scanner checks equally long lines many at a time; only those at the ends of sequences and of
pieces one by one.
"""

from __future__ import annotations

import re
import shlex
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from core import DatasetError, content_of, reading, tr
from workloads.fasta.bgzf_oracle import GZIP_MAGIC, BgzfBlock
from workloads.fasta.fai_table import FaiRecord, FaiRows

if TYPE_CHECKING:
    from workloads.fasta.fai_table import Numbers

# Neither a sign nor blanks nor more digits than any file has bytes: readers differ on these.
_LINE = re.compile(rb"([^\t]+)" + rb"\t([0-9]{1,18})" * 4 + rb"\r?")


def by_name(records: Iterable[FaiRecord]) -> dict[str, FaiRecord]:
    """The records by name; of several with one name the first counts, as in htslib."""
    records_by_name: dict[str, FaiRecord] = {}
    for record in records:
        records_by_name.setdefault(record.name, record)
    return records_by_name


def read_fai(path: Path) -> dict[str, FaiRecord]:
    """The records of an index file; raises DatasetError."""
    with reading(path):
        lines = content_of(path).split(b"\n")
    if not lines[-1]:
        lines.pop()
    return by_name(_record(path, number, line) for number, line in enumerate(lines, start=1))


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


def _record(path: Path, number: int, line: bytes) -> FaiRecord:
    if fields := _LINE.fullmatch(line):
        name, *numbers = fields.groups()
        with suppress(UnicodeDecodeError):
            return FaiRecord(name.decode(), *map(int, numbers))
    cause = tr("{path} is not a FASTA index: see its line {number:,}", path=path, number=number)
    raise unfit(path, cause)


def fai(records: Iterable[FaiRecord]) -> bytes:
    return b"".join([b"%b\t%d\t%d\t%d\t%d\n" % (one[0].encode(), *one[1:]) for one in records])


def lists(index: Path, rows: FaiRows) -> bool:
    """Whether an index file is what samtools writes for these records."""
    with reading(index), index.open("rb") as file:
        return all(file.read(len(lines)) == lines for lines in rows.lines()) and not file.read(1)


_WIDEST = 1 << 31
"""Bytes of a line at which htslib's numbers overflow."""
_LINE_END = 2
"""Bytes of the line end that the last line can lack, and that some indexers count."""


def misfit(known: Mapping[str, FaiRecord], found: Mapping[str, FaiRecord]) -> str:
    """What is wrong with an index's records, compared with those of the file; empty if nothing.

    Sequences without bases can be missing, because some indexers leave them out.
    """
    for name in known:
        if name not in found:
            return tr("it lists {sequence}, which is not there", sequence=name)
    records = {name: record for name, record in found.items() if record.length}
    if lacking := len(records.keys() - known.keys()):
        return tr(
            "it lists {listed:,} of 1 sequence",
            "it lists {listed:,} of {count:,} sequences",
            count=len(records),
            listed=len(records) - lacking,
        )
    differences = (_differing(known[name], record) for name, record in records.items())
    return next(filter(None, differences), "")


def _differing(listed: FaiRecord, found: FaiRecord) -> str:
    if listed.length != found.length:
        facts = {"sequence": found.name, "listed": listed.length, "found": found.length}
        return tr("it gives {sequence} a length of {listed:,}, not {found:,}", **facts)
    if listed.offset != found.offset:
        facts = {"sequence": found.name, "listed": listed.offset, "found": found.offset}
        return tr("it has {sequence} begin at byte {listed:,}, not {found:,}", **facts)
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
    lacking = there - set(listed)
    for block in blocks:
        place = block.file_start, block.content_start
        if block.content_bytes and block.file_start and place in lacking:
            return tr("it lacks the block at byte {start:,}", start=block.file_start)
    return ""


SPACE = b" \t\r\v\f"
_GRAPHIC = bytes(range(0x21, 0x7F))
"""Letters of bases.  htslib counts only these when it builds an index, but fetches bases by place:
readers return different results for a sequence with other letters."""


def scan(pieces: Iterable[bytes], path: Path) -> Iterator[FaiRecord]:
    """The records of FASTA content, in order; raises DatasetError where it cannot be indexed."""
    return chain.from_iterable(_scanned(pieces, path))


def scan_all(pieces: Iterable[bytes], path: Path) -> FaiRows:
    """All records of FASTA content as a table; raises DatasetError likewise."""
    return FaiRows.of(_scanned(pieces, path))


def _scanned(pieces: Iterable[bytes], path: Path) -> Iterator[Iterable[FaiRecord]]:
    scanner = _Scanner(path)
    for lines in _whole_lines(pieces):
        yield from scanner.take(lines)
    yield scanner.finish()
    if scanner.name is None:
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
    if last_line := b"".join(begun):
        yield last_line


class _Scanner:
    """Takes whole lines, gives the records that they end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._position = 0
        """Bytes of content before the lines that are being taken."""
        self.name: str | None = None
        """Of the sequence under way."""
        self._offset = self._length = self._bases = self._width = 0
        self._ended = False
        self._blank = False
        """Whether an empty line was there, behind which no base may come."""

    def take(self, lines: bytes) -> Iterator[Iterable[FaiRecord]]:
        """Take the next lines; gives the records that they end."""
        first = 0 if lines.startswith(b">") else lines.find(b"\n>") + 1
        last = lines.rfind(b"\n>") + 1
        if lines.count(b"\n>", first, last) >= _MANY:
            rows = rows_of(lines[first:last], self._position + first)
            if rows is not None:
                yield self._take_some(lines[:first])
                yield self.finish()
                yield rows
                self.name = None
                self._position += last - first
                lines = lines[last:]
        yield self._take_some(lines)

    def _take_some(self, lines: bytes) -> Iterator[FaiRecord]:
        at = 0
        while at < len(lines):
            if lines.startswith(b">", at):
                yield from self.finish()
                end = _line_end(lines, at)
                self._begin(lines[at:end], self._position + end)
            else:
                end = lines.find(b"\n>", at) + 1 or len(lines)
                self._take_sequence(lines, at, end)
            at = end
        self._position += len(lines)

    def finish(self) -> Iterator[FaiRecord]:
        """The record under way, if there is one."""
        if self.name is not None:
            yield FaiRecord(self.name, self._length, self._offset, self._bases, self._width)

    def _begin(self, header: bytes, offset: int) -> None:
        words = header[1:].split(None, 1)
        if not words:
            cause = tr("{path} has a header without a name", path=self._path)
            raise DatasetError(cause, tr("name the sequence"))
        try:
            self.name = words[0].decode()
        except UnicodeDecodeError:
            cause = tr("{path} has a sequence whose name is not UTF-8", path=self._path)
            raise DatasetError(cause, tr("rename it")) from None
        if "\0" in self.name:
            cause = tr("{path} has a sequence whose name has a zero byte", path=self._path)
            raise DatasetError(cause, tr("rename it"))
        self._offset = offset
        self._length = self._bases = self._width = 0
        self._ended = self._blank = False
        # A file of an old Mac is one long header; elsewhere it is a stray byte behind a name.
        if re.search(rb"\r>|\r[A-Za-z*-]+\r?\n?$", header):
            raise DatasetError(
                tr("{path} ends its lines with CR alone, as old Macs did", path=self._path),
                tr("change that: {command}", command=self._command(r"tr '\r' '\n'")),
            )

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
        if self.name is None:
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
            where = {"path": self._path, "name": self.name}
            raise DatasetError(
                tr("{path} has an empty line in the sequence {name}", **where)
                if blank
                else tr("{path} has lines of different lengths in the sequence {name}", **where),
                # `fold` would fold long headers, too.
                tr("fold it again: {command}", command=self._command("seqtk seq -l 60 -")),
            )
        if not self._bases:
            self._bases, self._width = len(bases), width
        self._ended = (len(bases), width) != (self._bases, self._width)
        self._length += len(bases)

    def _foreign(self, others: bytes) -> DatasetError:
        where = {"path": self._path, "name": self.name}
        if others.isspace():
            cause = tr("{path} has white space inside the sequence {name}", **where)
        else:
            where["byte"] = f"0x{others.lstrip()[0]:02X}"
            cause = tr(
                "{path} has the byte {byte} inside the sequence {name}, which is no base", **where
            )
        return DatasetError(cause, tr("remove it"))


_MANY = 4
"""Whole records from which on arrays are faster."""


def rows_of(lines: bytes, position: int) -> FaiRows | None:
    """These whole records, of which the first header is at that position of the content.

    None where any is not as most are, so that it must be looked at by itself.
    """
    import numpy as np

    if b"\r" in lines or b"\0" in lines or not lines.isascii():
        return None
    data = np.frombuffer(lines, np.uint8)
    letters = np.zeros(256, bool)
    letters[list(_GRAPHIC)] = True
    others = np.flatnonzero(~letters[data])
    ends = others[data[others] == ord("\n")]
    starts = np.concatenate(([0], ends[:-1] + 1))
    lengths = ends - starts
    is_head = data[starts] == ord(">")
    heads = np.flatnonzero(is_head)
    counts = np.diff(heads, append=len(ends)) - 1
    if not counts.all() or not is_head[ends.searchsorted(others[data[others] != ord("\n")])].all():
        return None
    first = np.cumsum(counts) - counts
    bases = lengths[~is_head]
    if not _are_lines_alike(bases, first, counts):
        return None
    name_starts = starts[heads] + 1
    name_ends = others[others.searchsorted(name_starts)]
    blanks = np.frombuffer(SPACE + b"\n", np.uint8)
    if (name_starts == name_ends).any() or not np.isin(data[name_ends], blanks).all():
        return None
    places = zip(name_starts.tolist(), name_ends.tolist(), strict=True)
    names = [lines[start:end] for start, end in places]
    width = bases[first]
    offsets = position + starts[heads + 1]
    numbers = np.stack((np.add.reduceat(bases, first), offsets, width, width + 1), axis=1)
    return FaiRows(b"\n".join((*names, b"")), numbers)


def _are_lines_alike(bases: Numbers, first: Numbers, counts: Numbers) -> bool:
    """Whether all lines of each sequence are equally long, but the last, which can be shorter.

    bases: of each line; first: the line at which each sequence begins; counts: its lines.
    """
    import numpy as np

    width, last = bases[first], first + counts - 1
    alike = bases == np.repeat(width, counts)
    alike[last] = bases[last] <= width
    return bool(bases.all() and alike.all())


def _line_end(lines: bytes, start: int) -> int:
    return lines.find(b"\n", start) + 1 or len(lines)
