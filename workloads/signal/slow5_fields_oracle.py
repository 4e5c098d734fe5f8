"""Reads headers of SLOW5 and BLOW5 strictly by the specification, and types of auxiliary fields.

Text of such fields must be exactly as slow5lib writes it: a number with an extra sign, space or
exponent is damage, though Python and strtod would accept it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from core import DatasetError, tr
from workloads.signal.reads import AUXILIARY, Undecodable, damaged, unknown

INTEGERS = {
    "int8_t": "b",
    "int16_t": "h",
    "int32_t": "i",
    "int64_t": "q",
    "uint8_t": "B",
    "uint16_t": "H",
    "uint32_t": "I",
    "uint64_t": "Q",
}
"""Their codes in `struct`."""
TEXT = "char*"
MISSING = b"."
_CODES = INTEGERS | {"float": "f", "double": "d", "char": "c", "enum": "B"}
_KIND = re.compile(rf"({'|'.join(_CODES)})(\*?)(?:\{{(.*)\}})?", re.ASCII)
_LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_MOST_LABELS = 255
_INTEGER = re.compile(rb"0|-?[1-9][0-9]{0,19}")
_REAL = re.compile(rb"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")

MAGIC = b"BLOW5\1"
TEXT_MAGIC = b"#slow5_version"
RECORD_PRESS = ("none", "zlib", "zstd")
SIGNAL_PRESS = ("none", "svb-zd", "ex-zd")
PRIMARY = (
    ("read_id", "char*"),
    ("read_group", "uint32_t"),
    ("digitisation", "double"),
    ("offset", "double"),
    ("range", "double"),
    ("sampling_rate", "double"),
    ("len_raw_signal", "uint64_t"),
    ("raw_signal", "int16_t*"),
)
"""Columns of every file: name and type."""
_GROUPS = b"#num_read_groups"
_NAMES, _TYPES = ("#" + "\t".join(column) for column in zip(*PRIMARY, strict=True))
_NEWEST = (1, 1, 0)
_SIGNAL_PRESS_SINCE = (0, 2, 0)
_FIXED = 64  # bytes before the length of the header's text
_LONGEST = 1 << 28
_MOST_GROUPS = 1_000_000
_NUMBER = re.compile(rb"0|[1-9][0-9]{0,9}")


def is_known_type(kind: str) -> bool:
    """Whether it is the name of a type: `uint8_t`, `float*`, `enum{red,green}`."""
    parsed = _KIND.fullmatch(kind)
    if parsed is None:
        return False
    base, _, labels = parsed.groups()
    if base != "enum":
        return labels is None
    names = (labels or "").split(",")
    distinct = len(set(names)) == len(names) <= _MOST_LABELS
    return distinct and all(_LABEL.fullmatch(name) for name in names)


def base_type(kind: str) -> tuple[str, bool]:
    """A type without labels and star, and whether it is an array."""
    base = kind.partition("{")[0]
    return base.rstrip("*"), base.endswith("*")


def value_bytes(kind: str, data: bytes, at: int) -> tuple[bytes, int]:
    """The bytes of a value that begins at that byte of the data, and where they end."""
    base, is_array = base_type(kind)
    count = 1
    if is_array:
        (count,) = struct.unpack_from("<Q", data, at)
        at += 8
    end = at + count * struct.calcsize(_CODES[base])
    if end > len(data):
        raise Undecodable("is cut off")
    return data[at:end], end


def value_of(kind: str, content: bytes) -> int | str | None:
    """The integer or text in stored bytes; None for a missing one and for other types."""
    if kind == TEXT:
        return text_of(content)
    code = INTEGERS.get(kind)
    return None if code is None else integer_value(kind, struct.unpack(f"<{code}", content)[0])


def integer_value(kind: str, value: int) -> int | None:
    """An integer, or None for the greatest of its type, which stands for a missing one."""
    return None if value == greatest_of(kind) else value


@cache
def greatest_of(kind: str) -> int:
    """The greatest integer of a type."""
    bits = 8 * struct.calcsize(INTEGERS[kind])
    return (1 << (bits if kind.startswith("u") else bits - 1)) - 1


def text_of(content: bytes) -> str:
    """A text; a zero byte is an error, because it ends the text for only some readers."""
    if b"\0" in content:
        raise Undecodable("has a zero byte")
    return content.decode()


def column_value(kind: str, text: bytes) -> int | str | None:
    """The integer or text in a column of SLOW5; None as for `value_of`."""
    if kind == TEXT:
        return None if text == MISSING else text_of(text)
    base, is_array = base_type(kind)
    values = [_scalar(base, part) for part in (text.split(b",") if is_array else [text])]
    return None if is_array else values[0]


def _scalar(base: str, text: bytes) -> int | None:
    if text == MISSING:
        return None
    if base == "char":
        if len(text) != 1:
            raise Undecodable(f"is not one character: {_shown(text)}")
        return None
    value = parse_real(text) if base in ("float", "double") else parse_integer(text)
    try:
        struct.pack(f"<{_CODES[base]}", value)
    except (struct.error, OverflowError):
        raise Undecodable(f"is too large: {_shown(text)}") from None
    return integer_value(base, int(value)) if base in INTEGERS else None


def parse_integer(text: bytes) -> int:
    """An integer without needless signs and zeros."""
    if not _INTEGER.fullmatch(text):
        raise Undecodable(f"is no integer: {_shown(text)}")
    return int(text)


def parse_real(text: bytes) -> float:
    """A number of digits, point and minus, within the range of a double."""
    if not _REAL.fullmatch(text):
        raise Undecodable(f"is no number: {_shown(text)}")
    value = float(text)
    if abs(value) == float("inf"):
        raise Undecodable(f"is too large: {_shown(text)}")
    return value


def _shown(text: bytes) -> str:
    return text[:20].decode("ascii", "backslashreplace")


@dataclass(frozen=True)
class Slow5Header:
    """What a file says about itself before its first record."""

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


class _Damage(Exception):
    """What is wrong with a header's text."""


def header_of(file: BinaryIO, path: Path) -> Slow5Header:
    """The header of an open file; raises DatasetError."""
    fixed = file.read(_FIXED)
    try:
        if fixed.startswith(TEXT_MAGIC):
            file.seek(0)
            return _of_text(file, path)
        if not fixed.startswith(MAGIC):
            raise DatasetError(f"{path} is not BLOW5", "name a file that slow5tools can read")
        return _of_binary(fixed, file, path)
    except _Damage as damage:
        raise damaged(path, tr("has a damaged header: {why}", why=damage)) from damage


def _of_binary(fixed: bytes, file: BinaryIO, path: Path) -> Slow5Header:
    if len(fixed) < _FIXED:
        raise damaged(path, tr("ends within its header"))
    major, minor, patch, record_press = fixed[6:10]
    version = (major, minor, patch)
    _require_version(version, path)
    # Older files have no word for it, and slow5lib does not look there.
    signal_press = fixed[14] if version >= _SIGNAL_PRESS_SINCE else 0
    press = _named(RECORD_PRESS, record_press, path), _named(SIGNAL_PRESS, signal_press, path)
    size = int.from_bytes(file.read(4), "little")
    text = file.read(min(size, _LONGEST))
    if len(text) < size:
        raise damaged(path, tr("ends within its header"))
    if not text.endswith(b"\n"):
        raise _Damage("its text has no end")
    groups, fields = _parsed(text.split(b"\n")[:-1], int.from_bytes(fixed[10:14], "little"))
    return Slow5Header(False, *press, groups, fields, _FIXED + 4 + size)


def _of_text(file: BinaryIO, path: Path) -> Slow5Header:
    lines: list[bytes] = []
    while line := file.readline(_LONGEST):
        if not line.endswith(b"\n") or file.tell() > _LONGEST:
            raise damaged(path, tr("ends within its header"))
        lines.append(line[:-1])
        if line.startswith(b"#read_id"):
            break
    first, second = (line.split(b"\t") for line in [*lines, b"", b""][:2])
    version = tuple(_number(part) for part in b"".join(first[1:]).split(b"."))
    if first[0] != TEXT_MAGIC or len(first) != 2:
        raise _Damage("its first line is not the version")
    _require_version(version, path)
    if second[0] != _GROUPS or len(second) != 2:
        raise _Damage("its second line is not the number of read groups")
    groups, fields = _parsed(lines[2:], _number(second[1]))
    return Slow5Header(True, "none", "none", groups, fields, file.tell())


def _number(text: bytes) -> int:
    if not _NUMBER.fullmatch(text):
        raise _Damage(f"{text[:20].decode('ascii', 'backslashreplace')!r} is no number")
    return int(text)


def _require_version(version: tuple[int, ...], path: Path) -> None:
    if len(version) != 3 or max(version) > 255 or version > _NEWEST:
        text = ".".join(map(str, version))
        raise unknown(path, tr("SLOW5 version {version}", version=text))


def _named(names: tuple[str, ...], code: int, path: Path) -> str:
    if code >= len(names):
        raise unknown(path, tr("compression number {code}", code=code))
    return names[code]


def _parsed(
    lines: Sequence[bytes], count: int
) -> tuple[tuple[Mapping[str, str], ...], tuple[tuple[str, str], ...]]:
    """Attributes of each read group, and the auxiliary fields."""
    if not 1 <= count <= _MOST_GROUPS:
        raise _Damage(f"it says it has {count:,} read groups")
    try:
        decoded = [line.decode() for line in lines]
    except UnicodeDecodeError as error:
        raise _Damage("it is not UTF-8") from error
    if any("\0" in line for line in decoded):
        raise _Damage("it has a zero byte")
    types, names = decoded[-2:] if len(decoded) > 1 else ("", "")  # which are refused as columns
    return _groups(decoded[:-2], count), _fields(types, names)


def _groups(lines: Sequence[str], count: int) -> tuple[Mapping[str, str], ...]:
    groups: list[dict[str, str]] = [{} for _ in range(count)]
    for line in lines:
        name, *values = line.split("\t")
        if not name.startswith("@"):
            raise _Damage(f"{line[:40]!r} is no attribute of a read group")
        if len(values) != count:
            raise _Damage(f"{name} has {len(values):,} values for {count:,} read groups")
        if name[1:] in groups[0]:
            raise _Damage(f"{name} is there twice")
        for group, value in zip(groups, values, strict=True):
            group[name[1:]] = value
    return tuple(groups)


def _fields(type_line: str, name_line: str) -> tuple[tuple[str, str], ...]:
    lines = ((type_line, _TYPES), (name_line, _NAMES))
    if not all((line + "\t").startswith(primary + "\t") for line, primary in lines):
        raise _Damage("its columns are not those of SLOW5")
    kinds, names = (line.split("\t")[len(PRIMARY) :] for line, _ in lines)
    if len(kinds) != len(names):
        raise _Damage("its columns and their types are not equally many")
    if any(one == other for one, other in pairwise(sorted(names))):
        raise _Damage("two of its columns have the same name")
    for name, kind in zip(names, kinds, strict=True):
        if not is_known_type(kind):
            raise _Damage(f"its column {name} has the unknown type {kind!r}")
        texts = (TEXT,) if name == AUXILIARY[0] else ()
        if name in AUXILIARY and kind not in (*INTEGERS, *texts):
            raise _Damage(f"its column {name} is no number but {kind!r}")
    return tuple(zip(names, kinds, strict=True))
