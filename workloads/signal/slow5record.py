"""Decodes records of SLOW5 and BLOW5 by the specification."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workloads.signal import slow5types
from workloads.signal.codecs import ex_zd, inflate, svb_zd, unzstd
from workloads.signal.damage import Undecodable
from workloads.signal.reads import Read, channel_of, run_texts, sample_facts, scale_of
from workloads.signal.slow5header import PRIMARY, WANTED, Header

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_UNPACKED: Mapping[str, Callable[[bytes], bytes]] = {
    "none": bytes,
    "zlib": inflate,
    "zstd": unzstd,
}
_FIXED = struct.Struct("<IddddQ")  # read group to the length of the signal
_SAMPLE = rb"(?:0|-?[1-9][0-9]{0,17})"
_SAMPLES = re.compile(rb"%b(?:,%b)*" % (_SAMPLE, _SAMPLE))
_UNFIT = (Undecodable, UnicodeDecodeError, struct.error)
_LEAST, _GREATEST = -(2**15), 2**15 - 1


def read_binary(content: bytes, header: Header) -> Read:
    """The read of a record's bytes, the length before it left out; raises Undecodable."""
    data = _UNPACKED[header.record_press](content)
    if len(data) < 2:
        raise Undecodable("it is empty")
    start = 2 + int.from_bytes(data[:2], "little")
    if len(data) < start + _FIXED.size:
        raise Undecodable("it is shorter than its first columns")
    read_id = _named(0, slow5types.text_of, data[2:start])
    group, digitisation, offset, span, rate, count = _FIXED.unpack_from(data, start)
    start += _FIXED.size
    stop = start + (2 * count if header.signal_press == "none" else count)
    if stop > len(data):
        raise Undecodable("its signal is cut off")
    samples = _signal(data[start:stop], header.signal_press)
    calibration = (scale_of(span, digitisation), offset, rate)
    fields = _stored(data, stop, header)
    return _read(read_id, calibration, samples, fields, _texts(header, group))


def _signal(data: bytes, press: str) -> NDArray[np.int16]:
    import numpy as np

    match press:
        case "none":
            return np.frombuffer(data, "<i2")
        case "svb-zd":
            return svb_zd(data)
        case "ex-zd":
            return ex_zd(data)
    raise AssertionError("unreachable: headers have no other")


def _stored(data: bytes, at: int, header: Header) -> dict[str, Any]:
    """The wanted auxiliary fields; all are checked, and must end where the record ends."""
    found: dict[str, Any] = {}
    name = ""
    try:
        for name, kind in header.fields:
            content, at = slow5types.stored(kind, data, at)
            value = slow5types.value_of(kind, content)
            if name in WANTED:
                found[name] = value
    except _UNFIT as error:
        raise Undecodable(f"its {name} {error}") from error
    if at != len(data):
        raise Undecodable("it is longer than its fields")
    return found


def read_line(line: bytes, header: Header) -> Read:
    """The read of a line without its end; raises Undecodable."""
    columns = line.split(b"\t")
    if len(columns) != len(PRIMARY) + len(header.fields):
        raise Undecodable(f"it has {len(columns)} columns")
    if b"\0" in line:
        raise Undecodable("it has a zero byte")
    read_id, group, count = (
        _named(place, parse, columns[place])
        for place, parse in ((0, bytes.decode), (1, slow5types.integer), (6, slow5types.integer))
    )
    digitisation, offset, span, rate = (
        _named(place, slow5types.real, columns[place]) for place in range(2, 6)
    )
    samples = _numbers(columns[7])
    if len(samples) != count:
        raise Undecodable("it has another number of samples than it says")
    calibration = (scale_of(span, digitisation), offset, rate)
    fields = _told(columns[len(PRIMARY) :], header)
    return _read(read_id, calibration, samples, fields, _texts(header, group))


def _named(place: int, parse: Callable[[bytes], Any], text: bytes) -> Any:
    try:
        return parse(text)
    except _UNFIT as error:
        raise Undecodable(f"its {PRIMARY[place][0]} {error}") from error


def _told(columns: Sequence[bytes], header: Header) -> dict[str, Any]:
    """The wanted auxiliary fields; all are checked."""
    found: dict[str, Any] = {}
    name = ""
    try:
        for (name, kind), text in zip(header.fields, columns, strict=True):
            value = slow5types.written(kind, text)
            if name in WANTED:
                found[name] = value
    except _UNFIT as error:
        raise Undecodable(f"its {name} {error}") from error
    return found


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


def _texts(header: Header, group: int) -> Mapping[str, str]:
    if not 0 <= group < len(header.groups):
        raise Undecodable(f"its read group {group:,} is none of {len(header.groups):,}")
    return header.groups[group]


def _read(
    read_id: str,
    calibration: tuple[float, float, float],
    samples: NDArray[np.int16],
    fields: Mapping[str, Any],
    texts: Mapping[str, str],
) -> Read:
    channel, number, mux, start = (fields.get(name) for name in WANTED)
    return Read(
        read_id,
        *calibration,
        *sample_facts(samples),
        channel_of(channel),
        number,
        mux,
        start,
        *run_texts(texts),
    )
