"""Formats, and what each of them holds that equal runs write differently.

A reader takes what a file holds, decompressed, from its start.  It yields what counts and counts
what does not; what it leaves unread counts as it is.
"""

from __future__ import annotations

import json
import os
import re
import struct
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from core import tr
from workloads.command.index_files import MAGIC, of_index

_CHUNK = 1 << 20
_LONGEST_HEADER = 1 << 28
"""Bytes of a header in a binary file; where it says more, it is damaged."""
_LONGEST_JSON = 8 << 20
"""Bytes; of a larger one all counts."""

type Reader = Callable[[IO[bytes], Counter[str], bool], Iterator[bytes]]

SAM_HEADERS = (b"@HD\t", b"@SQ\t", b"@RG\t", b"@PG\t", b"@CO\t")
RECORDS = frozenset({"BAM", "BCF"})
"""Binary formats that are read record by record."""
BINARY = RECORDS | {"tar", "zip", "index"}

_OF_COMMAND = re.compile(
    rb"(@PG)\t"
    rb"|(@CO)\t.*command"
    rb"|(\#+[ \t]*[\w .-]{0,40}?(?:command|cmd|date|time)[\w .-]{0,20}?)[ \t]*[:=]"
    rb"|(\#+[ \t]*[\w .-]{1,40}):.*\bcommand:",
    re.IGNORECASE | re.VERBOSE,
)
"""A line of a header that names the command or the day; its group is what it is called."""
_KEYS = re.compile(
    r"command(_?line)?|cmd(_?line)?|date|time_?stamp|(start|end|run|wall|elapsed)_?time",
    re.IGNORECASE,
)


def format_of(head: bytes) -> str:
    """By how the content begins; empty = none that is known."""
    for magic, name in {b"BAM\1": "BAM", b"BCF\2": "BCF", b"PK\3\4": "zip"}.items():
        if head.startswith(magic):
            return name
    if head.startswith(MAGIC):
        return "index"
    if head[257:262] == b"ustar":
        return "tar"
    if head.startswith((b"#", *SAM_HEADERS)):
        return "header"
    return "JSON" if head.lstrip().startswith(b"{") and b"\0" not in head else ""


def rest_of(source: IO[bytes]) -> Iterator[bytes]:
    while chunk := source.read(_CHUNK):
        yield chunk


def _exactly(source: IO[bytes], size: int) -> bytes:
    data = source.read(size)
    if len(data) < size:
        raise EOFError(tr("it ends before its end"))
    return data


def _of_header(source: IO[bytes], left_out: Counter[str], _: bool) -> Iterator[bytes]:
    """Text, the first lines of which begin with `#` or as the header of a SAM file."""
    while line := source.readline(_CHUNK):
        if not line.startswith((b"#", *SAM_HEADERS)):
            yield line
            return
        if not _is_of_command(line, left_out):
            yield line


def _is_of_command(line: bytes, left_out: Counter[str]) -> bool:
    if (match := _OF_COMMAND.match(line)) is None:
        return False
    name = next(group for group in match.groups() if group is not None).decode("utf-8", "replace")
    left_out[tr("lines that begin with {start}", start=name.rstrip())] += 1
    return True


def _of_bam(source: IO[bytes], left_out: Counter[str], whole: bool) -> Iterator[bytes]:
    _exactly(source, 4)
    header = [*_binary_header(source, left_out), number := _exactly(source, 4)]
    for _ in range(*struct.unpack("<I", number)):
        length = _exactly(source, 4)
        header.append(length + _exactly(source, struct.unpack("<I", length)[0] + 4))
    yield b"".join(header)
    while whole and (length := source.read(4)):
        yield length + _exactly(source, *struct.unpack("<I", length))


def _of_bcf(source: IO[bytes], left_out: Counter[str], whole: bool) -> Iterator[bytes]:
    yield b"".join([_exactly(source, 5), *_binary_header(source, left_out)])
    while whole and (lengths := source.read(8)):
        yield lengths + _exactly(source, sum(struct.unpack("<II", lengths)))


def _binary_header(source: IO[bytes], left_out: Counter[str]) -> Iterator[bytes]:
    (size,) = struct.unpack("<I", _exactly(source, 4))
    if size > _LONGEST_HEADER:
        raise ValueError(tr("its header is too long"))
    for line in _exactly(source, size).rstrip(b"\0").splitlines(keepends=True):
        if not _is_of_command(line, left_out):
            yield line


def _of_json(source: IO[bytes], left_out: Counter[str], _: bool) -> Iterator[bytes]:
    """As it is written, unless the outermost object has keys that are left out."""
    text = source.read(_LONGEST_JSON + 1)
    document: object = None
    if len(text) <= _LONGEST_JSON:
        with suppress(ValueError, RecursionError):
            document = json.loads(text)
    if isinstance(document, dict):
        # What is a text there is said of the run; a list may be a column of a table.
        keys = [key for key in document if isinstance(document[key], str) and _KEYS.fullmatch(key)]
        for key in keys:
            left_out[tr("the key {name}", name=key)] += 1
            del document[key]
        if keys:
            text = json.dumps(document, indent=0).encode() + b"\n"
    yield text


_BLOCK = 512
_TIME, _SUM = slice(136, 148), slice(148, 156)


def _of_tar(source: IO[bytes], left_out: Counter[str], _: bool) -> Iterator[bytes]:
    """Each member's header without its time, and without the sum over the header."""
    while block := source.read(_BLOCK):
        if len(block) < _BLOCK or block[257:262] != b"ustar":
            yield block  # the end, which is zeros
            return
        header = bytearray(block)
        size = _size_in_tar(block[124:136])
        padded = -(-size // _BLOCK) * _BLOCK
        left_out[tr("times of members")] += 1
        header[_TIME], header[_SUM] = bytes(12), bytes(8)
        if chr(block[156]) in "xg":
            if size > _LONGEST_HEADER:
                raise ValueError(tr("its header is too long"))
            # Its name holds the number of a process, and its size depends on the times.
            header[:100], header[124:136] = bytes(100), bytes(12)
            yield bytes(header) + _without_times(_exactly(source, padded)[:size])
            continue
        yield bytes(header)
        while padded:
            part = _exactly(source, min(padded, _CHUNK))
            padded -= len(part)
            yield part


def _size_in_tar(written: bytes) -> int:
    """Octal digits, or a binary number behind a byte that says so."""
    if written[0] == 0x80:
        return int.from_bytes(written[1:])
    return int(written.strip(b" \0") or b"0", 8)


def _without_times(records: bytes) -> bytes:
    """The records of an extended header, each of which begins with its own length."""
    timeless, at = b"", 0
    while at < len(records):
        length = int(records[at:].partition(b" ")[0])
        if length < 1:
            raise ValueError(tr("its header is damaged"))
        record = records[at : at + length]
        at += length
        if record.partition(b" ")[2].partition(b"=")[0] not in {b"mtime", b"atime", b"ctime"}:
            timeless += record
    return timeless


_END_OF_ZIP = b"PK\5\6"
_REST_OF_END = 18


def of_zip(file: Path, left_out: Counter[str]) -> Iterator[bytes]:
    """Each member's name, kind and content, in the order of the archive's list."""
    with zipfile.ZipFile(file) as archive, file.open("rb") as raw:
        raw.seek(-len(_END_OF_ZIP) - _REST_OF_END - len(archive.comment), os.SEEK_END)
        if raw.read(len(_END_OF_ZIP)) != _END_OF_ZIP:
            raise ValueError(tr("it does not end where its list ends"))
        yield archive.comment
        for member in archive.infolist():
            left_out[tr("times of members")] += 1
            about = (member.filename, member.file_size, member.external_attr, member.comment)
            yield f"{about}\n".encode("utf-8", "surrogateescape")
            with archive.open(member) as opened:
                yield from rest_of(opened)


READERS: Mapping[str, Reader] = {
    "header": _of_header,
    "BAM": _of_bam,
    "BCF": _of_bcf,
    "JSON": _of_json,
    "tar": _of_tar,
    "index": of_index,
}
