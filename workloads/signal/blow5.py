"""SLOW5 and BLOW5 as the oracle reads them: written from the specification, without slow5lib."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from core import DatasetError, say
from workloads.signal.codecs import Undecodable, inflate, svb_zd, unzstd
from workloads.signal.reads import Read, channel_of, run_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC = b"BLOW5\1"
TEXT_MAGIC = b"#slow5_version"
END = b"5WOLB"
_NEWEST = (1, 1, 0)
_FIXED = 64  # bytes before the length of the header's text
_LONGEST_HEADER = 1 << 28
RECORD_PRESS = ("none", "zlib", "zstd")
SIGNAL_PRESS = ("none", "svb-zd", "ex-zd")
_UNPACKED: dict[str, Callable[[bytes], bytes]] = {
    "none": bytes,
    "zlib": inflate,
    "zstd": unzstd,
}
_TYPES = {
    "int8_t": "b",
    "int16_t": "h",
    "int32_t": "i",
    "int64_t": "q",
    "uint8_t": "B",
    "uint16_t": "H",
    "uint32_t": "I",
    "uint64_t": "Q",
    "float": "f",
    "double": "d",
    "char": "c",
    "enum": "B",
}
_PRIMARY = 8  # columns of every file
_WANTED = ("channel_number", "read_number", "start_mux", "start_time")


@dataclass(frozen=True)
class Header:
    """What a file says of itself before its first record."""

    text: bool
    record_press: str
    signal_press: str
    groups: tuple[Mapping[str, str], ...]
    fields: tuple[tuple[str, str], ...]
    """Auxiliary fields: name and type."""
    first: int
    """Where the first record begins."""

    @property
    def press(self) -> str:
        """`zstd/svb-zd`."""
        return "text" if self.text else f"{self.record_press}/{self.signal_press}"


@dataclass(frozen=True)
class Record:
    """A record's place, and what is in it unless only places were asked for."""

    offset: int
    size: int
    """With what belongs to it in the file: the length before it, the line's end."""
    read: Read | None


def read_header(path: Path) -> Header:
    """The header of a file; raises DatasetError."""
    try:
        with path.open("rb") as file:
            return _header(file, path)
    except OSError as error:
        raise DatasetError(
            say("{path} cannot be read: {why}", path=path, why=error.strerror)
        ) from error


def require_end(path: Path) -> None:
    """Raise DatasetError for a BLOW5 file that lacks its end marker: it was cut off."""
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        size = file.tell()
        file.seek(max(0, size - len(END)))
        if file.read() != END:
            raise _damaged(path, say("lacks its end marker, so it was cut off"))


def records(path: Path, most: int) -> Iterator[Record]:
    """All records in order, the first `most` with what is in them; raises DatasetError.

    Nothing that is left out goes unnoticed: every record's length and the end marker are looked at.
    """
    with path.open("rb") as file:
        header = _header(file, path)
        places = _lines(file, header, path) if header.text else _binary(file, header, path)
        for number, (offset, size, content) in enumerate(places):
            yield Record(offset, size, _parsed(content, header, path, number, most))


def _parsed(
    content: Callable[[], bytes], header: Header, path: Path, number: int, most: int
) -> Read | None:
    if number >= most:
        return None
    parse = _read_line if header.text else _read_binary
    try:
        return parse(content(), header)
    except (Undecodable, struct.error, ValueError, IndexError, UnicodeDecodeError) as error:
        raise _damaged(path, f"has a damaged record, number {number + 1}: {error}") from error


def _damaged(path: Path, how: str) -> DatasetError:
    return DatasetError(f"{path} {how}", say("fetch or write it again"))


# The header.


def _header(file: BinaryIO, path: Path) -> Header:
    fixed = file.read(_FIXED)
    if fixed.startswith(TEXT_MAGIC):
        file.seek(0)
        return _text_header(file, path)
    if not fixed.startswith(MAGIC):
        raise DatasetError(f"{path} is not BLOW5", "name a file that slow5tools can read")
    if len(fixed) < _FIXED:
        raise _damaged(path, say("ends within its header"))
    version = tuple(fixed[6:9])
    _require_version(version, path)
    press = _named(RECORD_PRESS, fixed[9], path), _named(SIGNAL_PRESS, fixed[14], path)
    size = int.from_bytes(file.read(4), "little")
    text = file.read(min(size, _LONGEST_HEADER))
    if len(text) < size:
        raise _damaged(path, say("ends within its header"))
    groups = int.from_bytes(fixed[10:14], "little")
    attributes, fields = _attributes(text.splitlines(), groups, path)
    return Header(False, *press, attributes, fields, _FIXED + 4 + size)


def _text_header(file: BinaryIO, path: Path) -> Header:
    lines: list[bytes] = []
    for line in file:
        lines.append(line.rstrip(b"\n"))
        if line.startswith(b"#read_id") or len(lines) > 100_000:
            break
    try:
        version = tuple(map(int, lines[0].split(b"\t")[1].split(b".")))
        groups = int(lines[1].split(b"\t")[1])
    except (IndexError, ValueError) as error:
        raise _damaged(path, say("has a damaged header")) from error
    _require_version(version, path)
    attributes, fields = _attributes(lines[2:], groups, path)
    return Header(True, "none", "none", attributes, fields, file.tell())


def _require_version(version: tuple[int, ...], path: Path) -> None:
    if len(version) != 3 or max(version) > 255 or version > _NEWEST:
        told = ".".join(map(str, version))
        raise DatasetError(f"{path} has SLOW5 version {told}", "convert it with slow5tools")


def _named(names: tuple[str, ...], code: int, path: Path) -> str:
    if code >= len(names):
        raise DatasetError(f"{path} is compressed in a way that is not known here: {code}")
    return names[code]


def _attributes(
    lines: list[bytes], count: int, path: Path
) -> tuple[tuple[Mapping[str, str], ...], tuple[tuple[str, str], ...]]:
    if not 1 <= count <= 1_000_000:
        raise _damaged(path, f"says it has {count} read groups")
    groups: list[dict[str, str]] = [{} for _ in range(count)]
    types: list[str] = []
    names: list[str] = []
    for line in lines:
        first, *values = line.decode("utf-8", "replace").split("\t")
        if first.startswith("@"):
            for group, value in zip(groups, values, strict=False):
                group[first[1:]] = value
        elif first.startswith("#read_id"):
            names = [first[1:], *values]
        elif first.startswith("#"):
            types = [first[1:], *values]
    if len(names) < _PRIMARY or len(names) != len(types):
        raise _damaged(path, say("has a damaged header: its columns are not told"))
    return tuple(groups), tuple(zip(names[_PRIMARY:], types[_PRIMARY:], strict=True))


# The records.

type _Place = tuple[int, int, Callable[[], bytes]]


def _binary(file: BinaryIO, header: Header, path: Path) -> Iterator[_Place]:
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
            raise _damaged(path, f"was cut off or damaged at byte {offset:,}")
        yield offset, 8 + size, lambda size=size: file.read(size)  # type: ignore[misc]
        offset += 8 + size
        file.seek(offset)


def _lines(file: BinaryIO, header: Header, path: Path) -> Iterator[_Place]:
    offset = header.first
    file.seek(offset)
    for line in file:
        if not line.endswith(b"\n"):
            raise _damaged(path, say("was cut off within its last line"))
        yield offset, len(line), lambda line=line: line[:-1]  # type: ignore[misc]
        offset += len(line)


def _read_binary(content: bytes, header: Header) -> Read:
    data = _UNPACKED[header.record_press](content)
    (length,) = struct.unpack_from("<H", data)
    read_id = data[2 : 2 + length].decode()
    group, digitisation, offset, span, rate, stored = struct.unpack_from(
        "<IddddQ", data, 2 + length
    )
    start = 2 + length + 44
    stop = start + (2 * stored if header.signal_press == "none" else stored)
    if stop > len(data):
        raise Undecodable("its signal is cut off")
    samples = _signal(data[start:stop], header.signal_press)
    fields = _fields(data, stop, header)
    return _read(read_id, (span / digitisation, offset, rate), samples, fields, header, group)


def _signal(data: bytes, press: str) -> NDArray[np.int16]:
    import numpy as np

    match press:
        case "none":
            return np.frombuffer(data, np.int16)
        case "svb-zd":
            return svb_zd(data)
    raise Undecodable(f"{press} cannot be verified, so it is not measured")


def _fields(data: bytes, at: int, header: Header) -> dict[str, Any]:
    """The auxiliary fields that are wanted; all must be passed, and end where the record ends."""
    found: dict[str, Any] = {}
    for name, kind in header.fields:
        many = "*" in kind
        code = _TYPES.get(kind.split("{")[0].rstrip("*"))
        if code is None:
            raise Undecodable(f"its field {name} has the unknown type {kind}")
        count = 1
        if many:
            (count,) = struct.unpack_from("<Q", data, at)
            at += 8
        size = count * struct.calcsize(code)
        if at + size > len(data):
            raise Undecodable(f"its field {name} is cut off")
        if name in _WANTED:
            found[name] = (
                data[at : at + size].decode("utf-8", "replace")
                if many
                else _present(struct.unpack_from(f"<{code}", data, at)[0], code)
            )
        at += size
    if at != len(data):
        raise Undecodable("it is longer than its fields")
    return found


def _present(value: Any, code: str) -> Any:
    """The value, or None where it is the greatest of its type, which stands for a missing one."""
    bits = 8 * struct.calcsize(code)
    greatest = {"b": 7, "h": 15, "i": 31, "q": 63}.get(code, bits)
    return None if code in "bhiqBHIQ" and value == (1 << greatest) - 1 else value


def _read_line(line: bytes, header: Header) -> Read:
    import numpy as np

    columns = line.split(b"\t")
    if len(columns) != _PRIMARY + len(header.fields):
        raise Undecodable(f"it has {len(columns)} columns")
    digitisation, offset, span, rate = map(float, columns[2:6])
    told = columns[7].split(b",") if columns[7] else []
    samples = np.array(told, dtype=np.int64).astype(np.int16)
    if len(samples) != int(columns[6]):
        raise Undecodable("it has another number of samples than it says")
    fields: dict[str, Any] = {}
    for (name, kind), value in zip(header.fields, columns[_PRIMARY:], strict=True):
        if name in _WANTED and value != b".":
            fields[name] = value.decode() if "*" in kind else int(value)
    calibration = (span / digitisation, offset, rate)
    return _read(columns[0].decode(), calibration, samples, fields, header, int(columns[1]))


def _read(
    read_id: str,
    calibration: tuple[float, float, float],
    samples: NDArray[np.int16],
    fields: Mapping[str, Any],
    header: Header,
    group: int,
) -> Read:
    import numpy as np

    channel, number, mux, start = (fields.get(name) for name in _WANTED)
    return Read(
        read_id,
        *calibration,
        len(samples),
        int(samples.sum(dtype=np.int64)),
        channel_of(channel),
        number,
        mux,
        start,
        *run_texts(header.groups[group]),
    )
