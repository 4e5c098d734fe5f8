"""Reads records of SLOW5 and BLOW5 strictly by the specification, without slow5lib."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from core import reading, show, tr
from workloads.signal import slow5_fields_oracle
from workloads.signal.codec_oracle import ex_zd, inflate, svb_zd, unzstd
from workloads.signal.reads import (
    AUXILIARY,
    ODD,
    Read,
    Run,
    Undecodable,
    Unknown,
    blow5_read,
    damaged,
    run_texts,
    sample_facts,
    unknown,
)
from workloads.signal.slow5_fields_oracle import PRIMARY, Slow5Header, column_value, header_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_UNPACKED: Mapping[str, Callable[[bytes], bytes]] = {"none": bytes, "zlib": inflate, "zstd": unzstd}
_FIXED = struct.Struct("<IddddQ")  # read group to the length of the signal
_SAMPLE = rb"(?:0|-?[1-9][0-9]{0,17})"
_SAMPLES = re.compile(rb"%b(?:,%b)*" % (_SAMPLE, _SAMPLE))
_UNFIT = (Undecodable, UnicodeDecodeError, struct.error)
_LEAST, _GREATEST = -(2**15), 2**15 - 1


def read_binary(content: bytes, header: Slow5Header) -> Read:
    """The read of a record's bytes, the length before it left out; raises Undecodable."""
    data = _UNPACKED[header.record_press](content)
    if len(data) < 2:
        raise Undecodable("it is empty")
    start = 2 + int.from_bytes(data[:2], "little")
    if len(data) < start + _FIXED.size:
        raise Undecodable("it is shorter than its first columns")
    read_id = _named(0, slow5_fields_oracle.text_of, data[2:start])
    group, *calibration, count = _FIXED.unpack_from(data, start)
    start += _FIXED.size
    stop = start + (2 * count if header.signal_press == "none" else count)
    if stop > len(data):
        raise Undecodable("its signal is cut off")
    samples = _SAMPLES_OF[header.signal_press](data[start:stop])
    fields = _binary_fields(data, stop, header)
    facts = sample_facts(samples)
    return blow5_read(read_id, calibration, facts, fields.get, _run(header, group))


def _raw_samples(data: bytes) -> NDArray[np.int16]:
    import numpy as np

    return np.frombuffer(data, "<i2")


_SAMPLES_OF = {"none": _raw_samples, "svb-zd": svb_zd, "ex-zd": ex_zd}


def _binary_fields(data: bytes, at: int, header: Slow5Header) -> dict[str, Any]:
    """The wanted auxiliary fields, which must end where the record ends."""

    def parse(kind: str) -> int | str | None:
        nonlocal at
        content, at = slow5_fields_oracle.value_bytes(kind, data, at)
        return slow5_fields_oracle.value_of(kind, content)

    fields = _auxiliary_fields(header, parse)
    if at != len(data):
        raise Undecodable("it is longer than its fields")
    return fields


def read_line(line: bytes, header: Slow5Header) -> Read:
    """The read of a line without its end; raises Undecodable."""
    columns = line.split(b"\t")
    if len(columns) != len(PRIMARY) + len(header.fields):
        raise Undecodable(f"it has {len(columns)} columns")
    if b"\0" in line:
        raise Undecodable("it has a zero byte")
    integer, real = slow5_fields_oracle.parse_integer, slow5_fields_oracle.parse_real
    parsers: tuple[Callable[[bytes], Any], ...] = (bytes.decode, integer, *[real] * 4, integer)
    read_id, group, *calibration, count = (
        _named(place, parse, columns[place]) for place, parse in enumerate(parsers)
    )
    samples = _numbers(columns[7])
    if len(samples) != count:
        raise Undecodable("it has another number of samples than it says")
    texts = iter(columns[len(PRIMARY) :])
    fields = _auxiliary_fields(header, lambda kind: column_value(kind, next(texts)))
    facts = sample_facts(samples)
    return blow5_read(read_id, calibration, facts, fields.get, _run(header, group))


def _named(place: int, parse: Callable[[bytes], Any], text: bytes) -> Any:
    try:
        return parse(text)
    except _UNFIT as error:
        raise Undecodable(f"its {PRIMARY[place][0]} {error}") from error


def _auxiliary_fields(header: Slow5Header, parse: Callable[[str], Any]) -> dict[str, Any]:
    """The wanted auxiliary fields; all are parsed one after the other, each by its type."""
    fields: dict[str, Any] = {}
    for name, kind in header.fields:
        try:
            value = parse(kind)
        except _UNFIT as error:
            raise Undecodable(f"its {name} {error}") from error
        if name in AUXILIARY:
            fields[name] = value
    return fields


def _numbers(text: bytes) -> NDArray[np.int16]:
    import numpy as np

    if not text:
        return np.empty(0, np.int16)
    if not _SAMPLES.fullmatch(text):
        raise Undecodable("its samples are no integers")
    wide = np.array(text.split(b",")).astype(np.int64)
    if wide.min() < _LEAST or wide.max() > _GREATEST:
        raise Undecodable("a sample has more than 16 bits")
    return wide.astype(np.int16)


def _run(header: Slow5Header, group: int) -> Run:
    if not 0 <= group < len(header.groups):
        raise Undecodable(f"its read group {group:,} is none of {len(header.groups):,}")
    return run_texts(header.groups[group])


END = b"5WOLB"


@dataclass(frozen=True)
class LocatedRecord:
    """A record's place and, unless only places are wanted, its read."""

    offset: int
    size: int
    """Its bytes in the file, including the length before it or the line's end."""
    read: Read | None


def read_header(path: Path) -> Slow5Header:
    """The header of a file; raises DatasetError."""
    with reading(path), path.open("rb") as file:
        return header_of(file, path)


def suffix_of(path: Path) -> str:
    """The ending of a name by which slow5lib takes a file for what it is."""
    return ".slow5" if read_header(path).text else ".blow5"


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


def records(path: Path, most: int) -> Iterator[LocatedRecord]:
    """All records in order, the first `most` with their reads; raises DatasetError.

    Missing records are noticed: every record's length and the end marker are checked.
    """
    with reading(path), path.open("rb") as file:
        header = header_of(file, path)
        places = _lines(file, header, path) if header.text else _binary(file, header, path)
        for number, (offset, size, content) in enumerate(places):
            yield LocatedRecord(offset, size, _parsed(content, header, path, number, most))


def _parsed(
    content: Callable[[], bytes], header: Slow5Header, path: Path, number: int, most: int
) -> Read | None:
    if number >= most:
        return None
    parse = read_line if header.text else read_binary
    try:
        return parse(content(), header)
    except Unknown as form:
        raise unknown(path, form) from form
    except (Undecodable, MemoryError, *ODD) as error:
        facts = {"number": number + 1, "why": error}
        raise damaged(path, tr("has a damaged record, number {number}: {why}", **facts)) from error


type _Place = tuple[int, int, Callable[[], bytes]]


def _binary(file: BinaryIO, header: Slow5Header, path: Path) -> Iterator[_Place]:
    file.seek(0, os.SEEK_END)
    end = file.tell()
    file.seek(header.first)
    offset = header.first
    while True:
        length = file.read(8)
        if length == END and offset + len(END) == end:
            return
        size = int.from_bytes(length, "little")
        if len(length) < 8 or offset + 8 + size > end:
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
    facts = {"size": f"{size:,}", "whole": f"{whole:,}", "offset": f"{offset:,}"}
    return tr(
        "was cut off after {size} of at least {whole} bytes, or damaged at byte {offset}", **facts
    )


def _lines(file: BinaryIO, header: Slow5Header, path: Path) -> Iterator[_Place]:
    offset = header.first
    file.seek(offset)
    for line in file:
        if not line.endswith(b"\n"):
            raise damaged(path, tr("ends within its last line"))
        yield offset, len(line), lambda line=line: line[:-1]  # type: ignore[misc]
        offset += len(line)
