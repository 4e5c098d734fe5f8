"""Hadoop's SequenceFile, version 6: pairs of keys and values as they lie in a file.

    header      "SEQ" 6, class of keys, class of values, compressed?, in blocks?, [codec],
                metadata, a sync marker of 16 random bytes
    record      length of key and value, length of the key, key, value (which may be compressed)
    sync        -1 in place of a record's length, and the marker; about every 100 KiB
    block       -1, the marker, number of records, and four compressed buffers: lengths of the keys,
                keys, lengths of the values, values

Lengths of records are big-endian ints, all others are Hadoop's own variable-length integers.
Source: the API documentation of `org.apache.hadoop.io.SequenceFile` and `WritableUtils`.
"""

from __future__ import annotations

import bz2
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

type ReadRange = Callable[[int, int], bytes]
"""Gives that many bytes from that position of a file; fewer only where the file ends."""

SYNC_SIZE = 16
SYNC_ESCAPE = b"\xff\xff\xff\xff"
_MAGIC = b"SEQ\x06"
_FIRST_LOOK = 4096
_LONGEST_HEADER = 16 << 20
_LONGEST = (1 << 31) - 1  # Java's arrays


class BadSequenceFile(ValueError):
    """The bytes are not those of a SequenceFile that can be read here; says what is wrong."""


# Gzip's header is told by its own first bytes; Hadoop's default codec is zlib's format.
_CODECS: dict[str, Callable[[bytes], bytes]] = {
    "DefaultCodec": zlib.decompress,
    "DeflateCodec": zlib.decompress,
    "GzipCodec": lambda packed: zlib.decompress(packed, wbits=31),
    "BZip2Codec": bz2.decompress,
}


def vint(value: int) -> bytes:
    """A variable-length integer as Hadoop writes it: one byte for -112…127, else up to nine."""
    if -112 <= value <= 127:
        return struct.pack("b", value)
    lead = -112
    if value < 0:
        value, lead = ~value, -120
    size = (value.bit_length() + 7) // 8
    return struct.pack("b", lead - size) + value.to_bytes(size, "big")


def read_vint(data: bytes, position: int) -> tuple[int, int]:
    """The variable-length integer there, and the position behind it; raises IndexError."""
    first = data[position] - 256 if data[position] > 127 else data[position]
    if first >= -112:
        return first, position + 1
    negative = first < -120
    end = position + 1 + (-120 - first if negative else -112 - first)
    if end > len(data):
        raise IndexError(position)
    value = int.from_bytes(data[position + 1 : end], "big")
    return (~value if negative else value), end


def text(written: str) -> bytes:
    """A text as Hadoop writes it: its length in bytes, and UTF-8."""
    encoded = written.encode()
    return vint(len(encoded)) + encoded


def _read_text(data: bytes, position: int) -> tuple[str, int]:
    size, start = read_vint(data, position)
    if size < 0 or start + size > len(data):
        raise IndexError(position)
    return data[start : start + size].decode(), start + size


@dataclass(frozen=True, kw_only=True)
class SequenceFileHeader:
    """What stands before the first record."""

    key_class: str
    value_class: str
    compression: Literal["none", "record", "block"] = "none"
    codec: str = ""
    sync: bytes
    metadata: Mapping[str, str] = field(default_factory=dict)
    """What its writer says about it; Hadoop's own classes say nothing."""
    end: int = 0
    """Position of the first record or block."""

    def encode(self) -> bytes:
        """The header of an uncompressed file."""
        classes = text(self.key_class) + text(self.value_class)
        pairs = b"".join(text(name) + text(value) for name, value in self.metadata.items())
        return (
            _MAGIC + classes + b"\0\0" + struct.pack(">i", len(self.metadata)) + pairs + self.sync
        )


def read_header(read: ReadRange, size: int) -> SequenceFileHeader:
    """The header of a file of that size; raises BadSequenceFile."""
    look = _FIRST_LOOK
    while True:
        data = read(0, min(look, size))
        if data[:3] != _MAGIC[:3]:
            raise BadSequenceFile("it does not begin with SEQ")
        if data[3:4] != _MAGIC[3:]:
            version = data[3] if len(data) > 3 else "missing"
            raise BadSequenceFile(f"its version is {version}; only 6 can be read")
        try:
            return _parse_header(data)
        except (IndexError, struct.error):
            if look >= min(size, _LONGEST_HEADER):
                raise BadSequenceFile("it ends within its header") from None
            look *= 8
        except UnicodeDecodeError:
            raise BadSequenceFile("its header holds text that is not UTF-8") from None


def _parse_header(data: bytes) -> SequenceFileHeader:
    key_class, position = _read_text(data, len(_MAGIC))
    value_class, position = _read_text(data, position)
    compressed, in_blocks = data[position], data[position + 1]
    position += 2
    codec = ""
    if compressed:
        codec, position = _read_text(data, position)
    (pairs,) = struct.unpack_from(">i", data, position)
    position += 4
    metadata = {}
    for _ in range(pairs):
        name, position = _read_text(data, position)
        metadata[name], position = _read_text(data, position)
    end = position + SYNC_SIZE
    if end > len(data):
        raise IndexError(position)
    return SequenceFileHeader(
        key_class=key_class,
        value_class=value_class,
        compression=("block" if in_blocks else "record") if compressed else "none",
        codec=codec,
        sync=data[position:end],
        metadata=metadata,
        end=end,
    )


class Window:
    """A part of a file that is read forwards, in pieces."""

    def __init__(self, read: ReadRange, position: int, end: int, piece: int = 1 << 20) -> None:
        self._read, self._end, self._piece = read, end, piece
        self._data, self._at = b"", 0
        self._loaded = position

    @property
    def over(self) -> bool:
        return self._at == len(self._data) and self._loaded >= self._end

    def take(self, size: int) -> bytes:
        """The next bytes; raises BadSequenceFile where the part ends before."""
        if size < 0 or size > _LONGEST:
            raise BadSequenceFile(f"it holds a length of {size}")
        missing = size - (len(self._data) - self._at)
        if missing > 0:
            self._load(missing)
        piece = self._data[self._at : self._at + size]
        self._at += size
        return piece

    def _load(self, missing: int) -> None:
        if missing > self._end - self._loaded:
            raise BadSequenceFile("it ends within a record")
        size = min(max(missing, self._piece), self._end - self._loaded)
        more = self._read(self._loaded, size)
        if len(more) != size:
            raise BadSequenceFile(f"{len(more)} of {size} bytes came from {self._loaded}")
        self._data = self._data[self._at :] + more if self._at < len(self._data) else more
        self._at = 0
        self._loaded += size

    def take_vint(self) -> int:
        first = self.take(1)
        lead = first[0] - 256 if first[0] > 127 else first[0]
        if lead >= -112:
            return lead
        return read_vint(first + self.take(-120 - lead if lead < -120 else -112 - lead), 0)[0]


class PairReader:
    """Reads pairs of a file with that header; raises BadSequenceFile for an unknown codec."""

    def __init__(self, header: SequenceFileHeader) -> None:
        self.header = header
        codec = header.codec.rpartition(".")[2]
        if header.codec and codec not in _CODECS:
            codecs = ", ".join(_CODECS)
            raise BadSequenceFile(f"it is compressed by {header.codec}; known are {codecs}")
        self._expand = _CODECS.get(codec, bytes)

    def walk(self, window: Window) -> Iterator[tuple[bytes, bytes]]:
        """Keys and values, from the start of a record or of a block (or of a sync before it)."""
        return self._blocks(window) if self.header.compression == "block" else self._records(window)

    def _records(self, window: Window) -> Iterator[tuple[bytes, bytes]]:
        compressed = self.header.compression == "record"
        while not window.over:
            length = window.take(4)
            if length == SYNC_ESCAPE:
                self._expect_sync(window)
                continue
            (both,) = struct.unpack(">i", length)
            (first,) = struct.unpack(">i", window.take(4))
            if not 0 <= first <= both:
                raise BadSequenceFile(f"a key of {first} bytes in a record of {both}")
            key, value = window.take(first), window.take(both - first)
            yield key, self._expanded(value) if compressed else value

    def _blocks(self, window: Window) -> Iterator[tuple[bytes, bytes]]:
        while not window.over:
            if window.take(4) != SYNC_ESCAPE:
                raise BadSequenceFile("a block does not begin with a sync marker")
            self._expect_sync(window)
            count = window.take_vint()
            buffers = [self._expanded(window.take(window.take_vint())) for _ in range(4)]
            keys = _split(buffers[0], buffers[1], count)
            yield from zip(keys, _split(buffers[2], buffers[3], count), strict=True)

    def _expect_sync(self, window: Window) -> None:
        if window.take(SYNC_SIZE) != self.header.sync:
            raise BadSequenceFile("a sync marker is another than the header's")

    def _expanded(self, packed: bytes) -> bytes:
        try:
            return self._expand(packed)
        except (zlib.error, OSError, ValueError) as error:
            raise BadSequenceFile(f"it cannot be decompressed: {error}") from error


def _split(lengths: bytes, data: bytes, count: int) -> Iterator[bytes]:
    at = start = 0
    for _ in range(count):
        try:
            size, at = read_vint(lengths, at)
        except IndexError:
            raise BadSequenceFile("a block has fewer lengths than records") from None
        if size < 0 or start + size > len(data):
            raise BadSequenceFile("a block has less data than its lengths say")
        yield data[start : start + size]
        start += size
