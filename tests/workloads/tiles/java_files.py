"""MapFiles as Java writes them, in all compressions: an encoder of the tests' own."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from workloads.tiles.stores.mapfile import BYTES, LONG
from workloads.tiles.stores.sequence_file import SYNC_ESCAPE, text, vint

SYNC = bytes(range(16))


@dataclass
class MemoryFile:
    """A file that is read by ranges, and remembers which."""

    data: bytes
    ranges: list[tuple[int, int]] = field(default_factory=list)

    def read(self, start: int, size: int) -> bytes:
        self.ranges.append((start, size))
        return self.data[start : start + size]


def header(
    key_class: str, value_class: str, compression: str, codec: str = "DefaultCodec"
) -> bytes:
    start = b"SEQ\x06" + text(key_class) + text(value_class)
    start += bytes([compression != "none", compression == "block"])
    if compression != "none":
        start += text("org.apache.hadoop.io.compress." + codec)
    pairs = text("written by") + text("the tests")
    return start + struct.pack(">i", 1) + pairs + SYNC


def value_of(tile: bytes) -> bytes:
    return struct.pack(">i", len(tile)) + tile


def long(number: int) -> bytes:
    return struct.pack(">q", number)


def block(pairs: Sequence[tuple[bytes, bytes]], pack: Callable[[bytes], bytes]) -> bytes:
    buffers = (
        b"".join(vint(len(key)) for key, _ in pairs),
        b"".join(key for key, _ in pairs),
        b"".join(vint(len(value)) for _, value in pairs),
        b"".join(value for _, value in pairs),
    )
    packed = b"".join(vint(len(pack(buffer))) + pack(buffer) for buffer in buffers)
    return SYNC_ESCAPE + SYNC + vint(len(pairs)) + packed


def record(key: bytes, value: bytes) -> bytes:
    return struct.pack(">ii", len(key) + len(value), len(key)) + key + value


@dataclass
class JavaMapFile:
    """What `MapFile.Writer` makes: an index in blocks, with entries only where data has grown."""

    compression: str
    interval: int
    per_block: int = 3
    """Records in one block of data; Java counts bytes instead."""
    per_sync: int = 5
    """Records between two sync markers."""
    codec: str = "DefaultCodec"
    pack: Callable[[bytes], bytes] = zlib.compress

    def write(self, tiles: Sequence[tuple[int, bytes]]) -> tuple[bytes, bytes]:
        """The bytes of `data` and of `index`."""
        data = header(LONG, BYTES, self.compression, self.codec)
        entries: list[tuple[bytes, bytes]] = []
        waiting: list[tuple[bytes, bytes]] = []
        last_position, last_count = -1, -self.interval
        for count, (key, tile) in enumerate(tiles):
            if count >= last_count + self.interval and len(data) > last_position:
                entries.append((long(key), long(len(data))))
                last_position, last_count = len(data), count
            if self.compression == "block":
                waiting.append((long(key), value_of(tile)))
                if len(waiting) == self.per_block:
                    data += block(waiting, self.pack)
                    waiting = []
                continue
            if count % self.per_sync == self.per_sync - 1:
                data += SYNC_ESCAPE + SYNC
            value = value_of(tile)
            data += record(long(key), self.pack(value) if self.compression == "record" else value)
        if waiting:
            data += block(waiting, self.pack)
        index = header(LONG, LONG, "block", self.codec)
        if entries:
            index += block(entries, self.pack)
        return data, index
