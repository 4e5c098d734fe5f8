"""What every fetch must return, read by own code from the bytes themselves.

Indexes beside the data are taken as hints: at the place they name, the header must name the
sequence and the lines must be as long as they say.  BGZF blocks are found by walking their
headers.  So neither a wrong index nor a fault of a library goes unseen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from core import DatasetError, Tell, written_once
from workloads.fasta.bgzf import Content
from workloads.fasta.fai import Record
from workloads.fasta.indexes import Source
from workloads.fasta.sampling import Wanted

_SHORT = 64
_SPACE = b" \t\r\n\v\f"
_HEADER = 4096

type Expected = str | tuple[int, bytes]
"""The bases themselves, or where there are many their number and digest."""


class Fetch(NamedTuple):
    """One item of work, and what must come of it."""

    where: str
    name: str
    start: int
    stop: int
    expected: Expected


class _Kept(msgspec.Struct, frozen=True):
    checksum: bytes
    fetches: msgspec.Raw


def told(bases: str) -> Expected:
    """The compact form in which bases are compared."""
    if len(bases) <= _SHORT:
        return bases
    return len(bases), hashlib.blake2b(bases.encode(), digest_size=8).digest()


def complaint(expected: Expected, bases: object) -> str:
    """What is wrong with fetched bases; empty when right."""
    if not isinstance(bases, str):
        return f"not text but {type(bases).__name__}"
    wanted = len(expected) if isinstance(expected, str) else expected[0]
    if len(bases) != wanted:
        return f"{'short' if len(bases) < wanted else 'long'}: {len(bases):,} of {wanted:,} bases"
    return "" if told(bases) == expected else "wrong bases"


def kept_fetches(path: Path, compute: Callable[[], list[Fetch]]) -> list[Fetch]:
    """The fetches kept in a file, computed once and again where the file is damaged."""

    def write(unfinished: Path) -> None:
        packed = msgspec.msgpack.encode(compute())
        kept = _Kept(_checksum(packed), msgspec.Raw(packed))
        unfinished.write_bytes(msgspec.msgpack.encode(kept))

    fetches = _read(written_once(path, write))
    if fetches is None:
        path.unlink(missing_ok=True)
        fetches = _read(written_once(path, write))
    if fetches is None:
        raise DatasetError(f"{path} cannot be kept", "make room in the cache folder")
    return fetches


def _checksum(packed: bytes) -> bytes:
    return hashlib.blake2b(packed, digest_size=16).digest()


def _read(path: Path) -> list[Fetch] | None:
    try:
        kept = msgspec.msgpack.decode(path.read_bytes(), type=_Kept)
        if _checksum(bytes(kept.fetches)) != kept.checksum:
            return None
        return msgspec.msgpack.decode(kept.fetches, type=list[Fetch])
    except (OSError, msgspec.DecodeError):
        return None


def answer(wanted: Sequence[Wanted], sources: Mapping[str, Source], tell: Tell) -> list[Fetch]:
    """The fetches with what they must return, in the same order; raises DatasetError."""
    by_file: dict[str, list[int]] = {}
    for place, one in enumerate(wanted):
        by_file.setdefault(one.file, []).append(place)
    expected: dict[int, Expected] = {}
    for done, (file, places) in enumerate(by_file.items()):
        tell("preparing answers", done, len(by_file), "file")
        expected |= _answer_file(sources[file], wanted, places)
    return [Fetch(*one[:4], expected[place]) for place, one in enumerate(wanted)]


def _answer_file(
    source: Source, wanted: Sequence[Wanted], places: Sequence[int]
) -> dict[int, Expected]:
    records = {record.name: record for record in source.records()}
    for place in places:
        if wanted[place].sequence not in records:
            raise DatasetError(
                f"{source.fai} does not list {wanted[place].sequence} of {source.path.name}",
                "delete the index or build it again",
            )
    # In the order of the file, so that each BGZF block is inflated once.
    ordered = sorted(places, key=lambda place: records[wanted[place].sequence].offset)
    with source.form.open(source.path) as content:
        return {
            place: told(_bases(content, records[wanted[place].sequence], wanted[place], source))
            for place in ordered
        }


def _bases(content: Content, record: Record, wanted: Wanted, source: Source) -> str:
    if wanted.start == wanted.stop:
        return ""
    begin, end = record.place(wanted.start), record.place(wanted.stop - 1) + 1
    line = begin - (wanted.start % record.line_bases if record.line_bases else 0)
    read = content.read(line - 1, end - line + 1 + record.line_width)
    bases = read[begin - line + 1 : end - line + 1].translate(None, _SPACE)
    rest = read[end - line + 1 :]
    at_header = _header(content, record.offset) == record.name
    whole_line = read[:1] == b"\n" and b">" not in bases
    complete = len(bases) == wanted.stop - wanted.start
    ends_there = wanted.stop < record.length or rest.lstrip(_SPACE)[:1] in {b"", b">"}
    if not (at_header and whole_line and complete and ends_there):
        raise DatasetError(
            f"{source.fai} does not fit {source.path.name} at {record.name}",
            "delete the index or build it again",
        )
    return bases.decode("ascii", "replace")


def _header(content: Content, offset: int) -> str:
    """Name in the header line that ends right before an offset; empty where there is none."""
    span = _HEADER
    while True:
        start = max(0, offset - span)
        _, newline, line = content.read(start, offset - start)[:-1].rpartition(b"\n")
        if newline or not start:
            break
        span *= 8  # some headers list hundreds of names
    words = line[1:].split(None, 1)
    return words[0].decode(errors="replace") if line[:1] == b">" and words else ""
