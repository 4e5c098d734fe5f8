"""Types of SLOW5's auxiliary fields: their binary form, their text, and missing values.

Text must be exactly as slow5lib writes it: a number with an extra sign, space or exponent is
damage, though Python and strtod would accept it.
"""

from __future__ import annotations

import re
import struct

from workloads.signal.reads import Undecodable

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


def known(kind: str) -> bool:
    """Whether that is the name of a type: `uint8_t`, `float*`, `enum{red,green}`."""
    told = _KIND.fullmatch(kind)
    if told is None:
        return False
    base, _, labels = told.groups()
    if base != "enum":
        return labels is None
    names = (labels or "").split(",")
    distinct = len(set(names)) == len(names) <= _MOST_LABELS
    return distinct and all(_LABEL.fullmatch(name) for name in names)


def plain(kind: str) -> tuple[str, bool]:
    """A type without labels and star, and whether it is an array."""
    base = kind.partition("{")[0]
    return base.rstrip("*"), base.endswith("*")


def stored(kind: str, data: bytes, at: int) -> tuple[bytes, int]:
    """The bytes of a value that begins there, and where they end."""
    base, many = plain(kind)
    count = 1
    if many:
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
    return None if code is None else present(kind, struct.unpack(f"<{code}", content)[0])


def present(kind: str, value: int) -> int | None:
    """An integer, or None for the greatest of its type, which stands for a missing one."""
    return None if value == greatest(kind) else value


def greatest(kind: str) -> int:
    """The greatest integer of a type."""
    bits = 8 * struct.calcsize(INTEGERS[kind])
    return (1 << (bits if kind.startswith("u") else bits - 1)) - 1


def text_of(content: bytes) -> str:
    """A text; a zero byte is an error, because it ends the text for only some readers."""
    if b"\0" in content:
        raise Undecodable("has a zero byte")
    return content.decode()


def written(kind: str, text: bytes) -> int | str | None:
    """The integer or text in a column of SLOW5; None as for `value_of`."""
    if kind == TEXT:
        return None if text == MISSING else text_of(text)
    base, many = plain(kind)
    found = [_scalar(base, part) for part in (text.split(b",") if many else [text])]
    return None if many else found[0]


def _scalar(base: str, text: bytes) -> int | None:
    if text == MISSING:
        return None
    if base == "char":
        if len(text) != 1:
            raise Undecodable(f"is not one character: {_shown(text)}")
        return None
    if base in ("float", "double"):
        _packed(base, real(text), text)
        return None
    value = integer(text)
    _packed(base, value, text)
    return None if base == "enum" else present(base, value)


def _packed(base: str, value: float, text: bytes) -> None:
    try:
        struct.pack(f"<{_CODES[base]}", value)
    except (struct.error, OverflowError):
        raise Undecodable(f"is too large: {_shown(text)}") from None


def integer(text: bytes) -> int:
    """An integer without needless signs and zeros."""
    if not _INTEGER.fullmatch(text):
        raise Undecodable(f"is no integer: {_shown(text)}")
    return int(text)


def real(text: bytes) -> float:
    """A number of digits, point and minus, within the range of a double."""
    if not _REAL.fullmatch(text):
        raise Undecodable(f"is no number: {_shown(text)}")
    value = float(text)
    if abs(value) == float("inf"):
        raise Undecodable(f"is too large: {_shown(text)}")
    return value


def _shown(text: bytes) -> str:
    return text[:20].decode("ascii", "backslashreplace")
