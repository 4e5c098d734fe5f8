"""Reads signals without Sluice's oracle: the judge of the oracle and of the readers in the tests.

SLOW5 and BLOW5 by a plain decoder, value by value, with zlib and with zstd's own library; and by
pyslow5.  POD5 by the pod5 package.  Each gives all reads as lists of what can be kept as JSON.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import logging
import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

type Told = list[Any]
"""Id, scale, offset and rate as hexadecimal, samples and their SHA-256, channel, number, mux, start
and run."""

SIZES = {"int8_t": "b", "int16_t": "h", "int32_t": "i", "int64_t": "q", "char": "c", "enum": "B"}
SIZES |= {"uint8_t": "B", "uint16_t": "H", "uint32_t": "I", "uint64_t": "Q"}
SIZES |= {"float": "f", "double": "d"}


class Refused(Exception):
    """A decoder does not take the file."""


def told(
    read_id: str,
    calibration: tuple[float, float, float],
    samples: Any,
    fields: tuple[Any, Any, Any, Any],
    run: str | None,
) -> Told:
    """One read as a list."""
    plain = np.array(samples, "<i2")
    numbers = [None if value is None else int(value) for value in fields]
    return [
        read_id,
        *(value.hex() if value == value else "nan" for value in map(float, calibration)),
        len(plain),
        hashlib.sha256(plain.tobytes()).hexdigest(),
        *numbers,
        run or ".",
    ]


# SLOW5 and BLOW5 by the specification.


def by_specification(path: Path) -> list[Told]:
    """All reads of a SLOW5 or BLOW5 file."""
    data = path.read_bytes()
    try:
        return _text(data) if data.startswith(b"#slow5_version") else _binary(data)
    except (struct.error, ValueError, IndexError, KeyError, zlib.error, OverflowError) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error


def _binary(data: bytes) -> list[Told]:
    if data[:6] != b"BLOW5\1" or data[-5:] != b"5WOLB":
        raise Refused("no magic numbers")
    version, record_press, signal_press = tuple(data[6:9]), data[9], data[14]
    if version < (0, 2, 0):
        signal_press = 0
    groups, size = struct.unpack_from("<I", data, 10)[0], struct.unpack_from("<I", data, 64)[0]
    runs, columns = _header(data[68 : 68 + size].decode(), groups)
    at, found = 68 + size, []
    while at < len(data) - 5:
        (length,) = struct.unpack_from("<Q", data, at)
        if at + 8 + length > len(data) - 5:
            raise Refused("a record is longer than the file")
        record = data[at + 8 : at + 8 + length]
        content = {0: bytes, 1: zlib_whole, 2: zstd_whole}[record_press](record)
        found.append(_record(content, signal_press, runs, columns))
        at += 8 + length
    return found


def _header(text: str, groups: int) -> tuple[list[str], list[tuple[str, str]]]:
    lines = text.removesuffix("\n").split("\n")
    if not text.endswith("\n") or "\0" in text:
        raise Refused("the header does not end, or has a zero byte")
    *attributes, types, names = lines
    if not types.startswith("#char*\tuint32_t\tdouble\tdouble\tdouble\tdouble\tuint64_t\tint16_t*"):
        raise Refused("no types")
    first = "#read_id\tread_group\tdigitisation\toffset\trange\tsampling_rate\tlen_raw_signal\traw_signal"
    if not names.startswith(first):
        raise Refused("no names")
    runs = ["."] * groups
    for line in attributes:
        name, *values = line.split("\t")
        if not name.startswith("@") or len(values) != groups:
            raise Refused("no attribute")
        if name == "@run_id":
            runs = values
    columns = list(zip(names.split("\t")[8:], types.split("\t")[8:], strict=True))
    return runs, columns


def _record(data: bytes, press: int, runs: list[str], columns: list[tuple[str, str]]) -> Told:
    (length,) = struct.unpack_from("<H", data)
    read_id = data[2 : 2 + length].decode()
    at = 2 + length
    group, digitisation, offset, span, rate, count = struct.unpack_from("<IddddQ", data, at)
    at += 44
    size = 2 * count if press == 0 else count
    if at + size > len(data):
        raise Refused("the signal is longer than its record")
    samples = {0: _plain, 1: stream_v_byte}[press](data[at : at + size])
    at += size
    fields: dict[str, Any] = {}
    for name, kind in columns:
        base, many = kind.partition("{")[0].removesuffix("*"), "*" in kind.partition("{")[0]
        n = 1
        if many:
            (n,) = struct.unpack_from("<Q", data, at)
            at += 8
        if many and base == "char":
            fields[name] = data[at : at + n].decode()
        elif not many:
            (value,) = struct.unpack_from("<" + SIZES[base], data, at)
            fields[name] = _without_greatest(base, value)
        at += n * struct.calcsize(SIZES[base])
    if at != len(data):
        raise Refused("the fields do not end where the record does")
    scale = float(np.float64(span) / np.float64(digitisation))
    return told(read_id, (scale, offset, rate), samples, _four(fields), runs[group])


def _without_greatest(base: str, value: Any) -> Any:
    if "int" not in base:
        return None
    bits = struct.calcsize(SIZES[base]) * 8 - (not base.startswith("u"))
    return None if value == 2**bits - 1 else value


def _four(fields: Mapping[str, Any]) -> tuple[Any, Any, Any, Any]:
    channel = fields.get("channel_number")
    if isinstance(channel, str):
        channel = int(channel) if channel.isdecimal() else None
    number, mux, start = (fields.get(name) for name in ("read_number", "start_mux", "start_time"))
    return channel, number, mux, start


def _plain(data: bytes) -> Any:
    return np.frombuffer(data, "<i2")


def stream_v_byte(data: bytes) -> list[int]:
    """Samples of svb-zd, one after the other."""
    (count,) = struct.unpack_from("<I", data)
    at, before, samples = 4 + (count + 3) // 4, 0, []
    for number in range(count):
        size = 1 + (data[4 + number // 4] >> (2 * (number % 4)) & 3)
        value = int.from_bytes(data[at : at + size], "little")
        if at + size > len(data):
            raise Refused("the signal is cut off")
        at += size
        before = (before + ((value >> 1) ^ -(value & 1)) + 2**15) % 2**16 - 2**15
        samples.append(before)
    if at != len(data):
        raise Refused("the signal goes on")
    return samples


def zlib_whole(data: bytes) -> bytes:
    """What zlib has compressed."""
    stream = zlib.decompressobj()
    found = stream.decompress(data)
    if not stream.eof or stream.unused_data:
        raise Refused("zlib's stream does not end where the record does")
    return found


def zstd_whole(data: bytes) -> bytes:
    """What zstd has compressed, by the library that pyslow5 brings."""
    library = _zstd()
    size = library.ZSTD_getFrameContentSize(data, len(data))
    if size >= 2**40:
        raise Refused("zstd does not know the size")
    memory = ctypes.create_string_buffer(size or 1)
    got = library.ZSTD_decompress(memory, size, data, len(data))
    if library.ZSTD_isError(got) or got != size:
        raise Refused("zstd fails")
    return memory.raw[:size]


def _zstd() -> Any:
    spec = importlib.util.find_spec("pyslow5")
    assert spec is not None
    assert spec.origin is not None
    (path,) = (Path(spec.origin).parent / "pyslow5.libs").glob("libzstd*")
    library = ctypes.CDLL(str(path))
    size = ctypes.c_size_t
    library.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    library.ZSTD_getFrameContentSize.argtypes = (ctypes.c_char_p, size)
    library.ZSTD_decompress.restype = size
    library.ZSTD_decompress.argtypes = (ctypes.c_char_p, size, ctypes.c_char_p, size)
    library.ZSTD_isError.argtypes = (size,)
    return library


def _text(data: bytes) -> list[Told]:
    head, types_line, rest = data.partition(b"#char*\t")
    if b"\0" in data or not data.endswith(b"\n") or not types_line:
        raise Refused("no text")
    first, second, *attributes = head.decode().split("\n")
    names = ("#slow5_version", "#num_read_groups")
    if [line.split("\t")[0] for line in (first, second)] != list(names):
        raise Refused("no version, or no number of groups")
    types, columns, *lines = rest.decode().split("\n")
    text = "\n".join([*attributes[:-1], f"#char*\t{types}", columns, ""])
    groups = _whole(second.split("\t")[1])
    runs, fields = _header(text, groups)
    return [_line(line, runs, fields) for line in lines[:-1]]


def _line(line: str, runs: list[str], columns: list[tuple[str, str]]) -> Told:
    read_id, group, digitisation, offset, span, rate, count, signal, *rest = line.split("\t")
    samples = [_whole(one) for one in signal.split(",")] if signal else []
    if len(samples) != _whole(count) or len(rest) != len(columns):
        raise Refused("samples or columns are missing")
    if samples and not -(2**15) <= min(samples) <= max(samples) < 2**15:
        raise Refused("a sample does not fit")
    fields: dict[str, Any] = {}
    for (name, kind), text in zip(columns, rest, strict=True):
        base = kind.partition("{")[0]
        parts = text.split(",") if base.endswith("*") and base != "char*" else [text]
        values = [_value(base.removesuffix("*") if base != "char*" else base, one) for one in parts]
        fields[name] = values[0] if not base.endswith("*") or base == "char*" else None
    scale = float(np.float64(_real(span)) / np.float64(_real(digitisation)))
    calibration = (scale, _real(offset), _real(rate))
    return told(read_id, calibration, samples, _four(fields), runs[_whole(group)])


def _value(base: str, text: str) -> Any:
    if text == ".":
        return None
    if base == "char*":
        return text
    if base == "char":
        return None if len(text) == 1 else struct.pack("c", text.encode())
    if base in ("float", "double"):
        struct.pack(SIZES[base], _real(text))
        return None
    struct.pack(SIZES[base], _whole(text))
    return _without_greatest(base, _whole(text))


def _whole(text: str) -> int:
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or (digits[0] == "0" and text != "0"):
        raise Refused(f"no integer: {text}")
    return int(text)


def _real(text: str) -> float:
    if not text or set(text) - set("0123456789.-") or "-" in text[1:]:
        raise Refused(f"no number: {text}")
    value = float(text)
    if abs(value) == float("inf"):
        raise Refused(f"too large: {text}")
    return value


# By the libraries.


def by_pyslow5(path: Path) -> list[Told]:
    """All reads, by pyslow5; it may end the process."""
    import pyslow5

    said = _Said()
    logger = logging.getLogger("pyslow5")
    file = pyslow5.Open(str(path), "r")
    logger.handlers[:], logger.propagate = [said], False
    found = []
    try:
        kinds = dict(zip(file.get_aux_names(), file.get_aux_types(), strict=True))
        for record in file.seq_reads(aux="all"):
            fields = {name: record.get(name) for name in kinds}
            with np.errstate(all="ignore"):
                scale = np.float64(record["range"]) / np.float64(record["digitisation"])
            run = "."
            if "run_id" in file.get_header_names():
                run = file.get_header_value("run_id", read_group=record["read_group"])
            found.append(
                told(
                    record["read_id"],
                    (scale, record["offset"], record["sampling_rate"]),
                    record["signal"],
                    _without_greatest_of(fields),
                    run,
                )
            )
    except (UnicodeDecodeError, AttributeError, TypeError, ValueError) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error
    if said.errors:  # it ends as if the file did
        raise Refused(said.errors[0])
    return found


class _Said(logging.Handler):
    """What pyslow5 logs as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.errors.append(record.getMessage())


def _without_greatest_of(fields: Mapping[str, Any]) -> tuple[Any, Any, Any, Any]:
    greatest = {"read_number": 2**31 - 1, "start_mux": 2**8 - 1, "start_time": 2**64 - 1}
    return _four(
        {
            name: None if value is not None and value == greatest.get(name) else value
            for name, value in fields.items()
        }
    )


def by_pod5(path: Path) -> list[Told]:
    """All reads, by the pod5 package; it may end the process."""
    import pod5

    found = []
    try:
        with pod5.Reader(path) as reader:
            for record in reader.reads():
                run, pore, calibration = record.run_info, record.pore, record.calibration
                found.append(
                    told(
                        str(record.read_id),
                        (calibration.scale, calibration.offset, float(run.sample_rate)),
                        record.signal,
                        (pore.channel, record.read_number, pore.well, record.start_sample),
                        run.acquisition_id,
                    )
                )
    except Exception as error:
        raise Refused(f"{type(error).__name__}: {error}") from error
    return found


DECODERS: Mapping[str, tuple[Callable[[Path], list[Told]], ...]] = {
    "blow5": (by_specification, by_pyslow5),
    "pod5": (by_pod5,),
}
