"""Writes SLOW5 and BLOW5 byte by byte to the specification, so that tests can deviate from it.

POD5 by the pod5 package.
"""

import math
import struct
import zlib
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa

PRIMARY = (
    ("char*", "read_id"),
    ("uint32_t", "read_group"),
    ("double", "digitisation"),
    ("double", "offset"),
    ("double", "range"),
    ("double", "sampling_rate"),
    ("uint64_t", "len_raw_signal"),
    ("int16_t*", "raw_signal"),
)
_CODES = {"int8_t": "b", "int16_t": "h", "int32_t": "i", "int64_t": "q", "float": "f", "enum": "B"}
_CODES |= {"uint8_t": "B", "uint16_t": "H", "uint32_t": "I", "uint64_t": "Q", "double": "d"}


def zstd(data: bytes) -> bytes:
    """One frame that tells its size, as slow5lib writes it."""
    return pa.Codec("zstd").compress(data, asbytes=True)


PRESSES: Mapping[str, tuple[int, Callable[[bytes], bytes]]] = {
    "none": (0, bytes),
    "zlib": (1, zlib.compress),
    "zstd": (2, zstd),
}


@dataclass(frozen=True, kw_only=True)
class Written:
    """A read as it is to be written; what is in `fields` is written as the file's types say."""

    read_id: str | bytes = "read"
    group: int = 0
    digitisation: float = 8192.0
    offset: float = -240.0
    range: float = 1437.5
    rate: float = 5000.0
    samples: Sequence[int] = (500, 510, 490)
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class File:
    """All of a file; `pack` makes a record's bytes of its content."""

    reads: Sequence[Written] = (Written(),)
    attributes: Mapping[str, Sequence[str]] = field(default_factory=lambda: {"run_id": ["run"]})
    groups: int = 1
    types: Mapping[str, str] = field(default_factory=dict)
    """Type of each auxiliary field by its name."""
    press: str = "zstd"
    svb: bool = True
    version: tuple[int, int, int] = (0, 2, 0)
    pack: Callable[[int, bytes], bytes] | None = None
    """Compresses a record in another way; given its number and its content."""

    def header(self) -> str:
        """The text that both forms have."""
        kinds = [kind for kind, _ in PRIMARY] + list(self.types.values())
        names = [name for _, name in PRIMARY] + list(self.types)
        lines = [
            *("\t".join(["@" + name, *values]) for name, values in self.attributes.items()),
            "#" + "\t".join(kinds),
            "#" + "\t".join(names),
        ]
        return "\n".join(lines) + "\n"

    def slow5(self) -> bytes:
        """As text."""
        version = ".".join(map(str, self.version))
        head = f"#slow5_version\t{version}\n#num_read_groups\t{self.groups}\n{self.header()}"
        return head.encode() + b"".join(self._line(read) for read in self.reads)

    def _line(self, read: Written) -> bytes:
        told = (read.group, read.digitisation, read.offset, read.range, read.rate)
        columns = [
            *(f"{one:g}" for one in told),
            str(len(read.samples)),
            ",".join(map(str, read.samples)),
            *(_text(kind, read.fields[name]) for name, kind in self.types.items()),
        ]
        return b"\t".join([_bytes(read.read_id), *(one.encode() for one in columns)]) + b"\n"

    def blow5(self) -> bytes:
        """As binary."""
        code, pack = PRESSES[self.press]
        text = self.header().encode()
        head = b"BLOW5\1" + bytes(self.version) + bytes([code]) + struct.pack("<I", self.groups)
        head += bytes([int(self.svb)])
        data = head.ljust(64, b"\0") + struct.pack("<I", len(text)) + text
        for number, read in enumerate(self.reads):
            content = self.content(read)
            record = self.pack(number, content) if self.pack else pack(content)
            data += struct.pack("<Q", len(record)) + record
        return data + b"5WOLB"

    def content(self, read: Written) -> bytes:
        """A record before it is compressed."""
        name = _bytes(read.read_id)
        samples = np.array(read.samples, np.int16)
        signal = svb_zd(samples) if self.svb else samples.tobytes()
        told = read.group, read.digitisation, read.offset, read.range, read.rate
        stored = len(signal) if self.svb else len(samples)
        data = struct.pack("<H", len(name)) + name + struct.pack("<IddddQ", *told, stored) + signal
        for field_name, kind in self.types.items():
            data += _stored(kind, read.fields[field_name])
        return data


def _text(kind: str, value: object) -> str:
    if kind.endswith("*") and isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return ",".join(map(str, value)) or "."
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _stored(kind: str, value: Any) -> bytes:
    base = kind.partition("{")[0]
    if kind == "char*":
        text = value if isinstance(value, bytes) else str(value).encode()
        return struct.pack("<Q", len(text)) + text
    if base == "char":
        return _bytes(value)
    if base.endswith("*"):
        code = _CODES[base.removesuffix("*")]
        return struct.pack(f"<Q{len(value)}{code}", len(value), *value)
    return struct.pack("<" + _CODES[base], value)


def svb_zd(samples: "np.ndarray[tuple[int], np.dtype[np.int16]]") -> bytes:
    """Compressed signal: StreamVByte of zigzagged differences, value by value."""
    controls, data, before = bytearray(-(-len(samples) // 4)), bytearray(), 0
    for place, sample in enumerate(samples.tolist()):
        difference, before = sample - before, sample
        value = 2 * difference if difference >= 0 else -2 * difference - 1
        size = max(1, (value.bit_length() + 7) // 8)
        controls[place // 4] |= (size - 1) << (2 * (place % 4))
        data += value.to_bytes(size, "little")
    return struct.pack("<I", len(samples)) + bytes(controls) + bytes(data)


def write(path: Path, file: File) -> Path:
    """Write a file as its name's end says."""
    path.write_bytes(file.slow5() if path.suffix == ".slow5" else file.blow5())
    return path


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def write_pod5(
    path: Path,
    signals: Sequence[Sequence[int]],
    ids: Sequence[UUID],
    *,
    unknown: Container[int] = (),
    packed: bool = True,
) -> Path:
    """Reads of two runs in turn; those of these numbers have an offset that is no number."""
    import pod5
    from pod5.writer import SignalType

    runs = [_run("run-one"), _run("run-other")]
    kind = SignalType.VbzSignal if packed else SignalType.UncompressedSignal
    with pod5.Writer(path, software_name="tests", signal_compression_type=kind) as writer:
        for number, (read_id, samples) in enumerate(zip(ids, signals, strict=True)):
            offset = math.nan if number in unknown else -240.0
            writer.add_read(
                pod5.Read(
                    read_id=read_id,
                    pore=pod5.Pore(channel=1 + number, well=1 + number % 4, pore_type="not_set"),
                    calibration=pod5.Calibration(offset=offset, scale=0.175),
                    read_number=number,
                    start_sample=1000 * number,
                    median_before=220.0,
                    end_reason=pod5.EndReason(pod5.EndReasonEnum.SIGNAL_POSITIVE, False),
                    run_info=runs[number % 2],
                    signal=np.array(samples, np.int16),
                )
            )
    return path


def _run(name: str) -> Any:
    import pod5

    moment = datetime(2024, 1, 1, tzinfo=UTC)
    texts = ("experiment_name", "flow_cell_product_code", "protocol_name", "protocol_run_id")
    texts += ("sample_id", "sequencing_kit", "sequencer_position", "sequencer_position_type")
    texts += ("software", "system_name", "system_type")
    return pod5.RunInfo(
        acquisition_id=name,
        acquisition_start_time=moment,
        protocol_start_time=moment,
        adc_max=8191,
        adc_min=0,
        context_tags={"sample_frequency": "5000"},
        tracking_id={"run_id": name},
        sample_rate=5000,
        flow_cell_id=f"PAK-{name}",
        **dict.fromkeys(texts, "text"),
    )
