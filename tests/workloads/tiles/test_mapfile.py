"""MapFiles: written and read here, and read as Java writes them."""

from __future__ import annotations

import bz2
import gzip
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workloads.tiles.stores.mapfile import BYTES, LONG, MapData, MapFileWriter, MapIndex
from workloads.tiles.stores.sequence_file import (
    SYNC_ESCAPE,
    BadSequenceFile,
    Window,
    read_header,
    read_vint,
    text,
    vint,
)

pytestmark = pytest.mark.quick

longs = st.integers(-(2**63), 2**63 - 1)
layers = st.dictionaries(longs, st.binary(max_size=40), max_size=40)
intervals = st.integers(1, 20)

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


def written(layer: Mapping[int, bytes], interval: int) -> tuple[bytes, bytes]:
    data = bytearray()
    writer = MapFileWriter(data.extend, interval)
    for key in sorted(layer):
        writer.append(key, layer[key])
    return bytes(data), writer.index()


def opened(data: bytes, index: bytes) -> tuple[MapData, MemoryFile]:
    file = MemoryFile(data)
    entries = MapIndex(MemoryFile(index).read, len(index))
    found = MapData(entries, file.read, len(data))
    file.ranges.clear()
    return found, file


def has(data: bytes, index: bytes, layer: Mapping[int, bytes], others: set[int]) -> None:
    found, file = opened(data, index)
    asked = [*layer, *others]
    assert [found.get(file.read, key) for key in asked] == [layer.get(key) for key in asked]
    assert found.get_many(file.read, [*asked, *asked]) == dict(layer)
    assert list(found.walk(file.read)) == sorted(layer.items())
    assert found.count(file.read) == len(layer)


@given(longs)
@example(-112)
@example(-113)
@example(127)
@example(128)
def test_that_a_variable_length_integer_is_read_as_it_was_written(value: int) -> None:
    encoded = vint(value)
    for behind in (b"rest", b""):
        assert read_vint(encoded + behind, 0) == (value, len(encoded))
    with pytest.raises(IndexError):
        read_vint(encoded[:-1], 0)
    assert Window(MemoryFile(encoded).read, 0, len(encoded)).take_vint() == value


@pytest.mark.parametrize(
    ("value", "encoded"),
    [(0, "00"), (-112, "90"), (127, "7f"), (128, "8f80"), (-113, "8770"), (256, "8e0100")],
)
def test_that_variable_length_integers_are_those_of_hadoop(value: int, encoded: str) -> None:
    assert vint(value).hex() == encoded


@given(layers, intervals, st.sets(longs, max_size=5))
def test_that_a_mapfile_gives_back_what_was_written_and_nothing_else(
    layer: dict[int, bytes], interval: int, others: set[int]
) -> None:
    has(*written(layer, interval), layer, others - set(layer))


@given(layers, intervals, st.integers(1, 7), st.sets(longs, max_size=5))
@pytest.mark.parametrize("compression", ["none", "record", "block"])
def test_that_a_mapfile_of_java_is_read_whatever_its_compression(
    compression: str, layer: dict[int, bytes], interval: int, per_block: int, others: set[int]
) -> None:
    java = JavaMapFile(compression, interval, per_block)
    has(*java.write(sorted(layer.items())), layer, others - set(layer))


@pytest.mark.parametrize(
    ("codec", "pack"),
    [
        ("DefaultCodec", zlib.compress),
        ("DeflateCodec", zlib.compress),
        ("GzipCodec", gzip.compress),
        ("BZip2Codec", bz2.compress),
    ],
)
@pytest.mark.parametrize("compression", ["record", "block"])
def test_that_each_codec_is_read(
    compression: str, codec: str, pack: Callable[[bytes], bytes]
) -> None:
    layer = {key: bytes([key]) * 100 for key in range(30)}
    java = JavaMapFile(compression, 4, codec=codec, pack=pack)
    has(*java.write(sorted(layer.items())), layer, {-1, 30})


def test_that_a_tile_costs_one_read_where_every_tile_is_in_the_index() -> None:
    layer = {key: bytes(5000) for key in range(100)}
    found, file = opened(*written(layer, interval=1))
    assert found.get(file.read, 50) == layer[50]
    assert len(file.ranges) == 1
    assert file.ranges[0][1] < 5100


def test_that_neighbours_are_read_at_once_and_others_apart() -> None:
    layer = {key: bytes(5000) for key in range(100)}
    found, file = opened(*written(layer, interval=1))
    assert len(found.get_many(file.read, [7, 5, 6, 80, 5])) == 4
    assert len(file.ranges) == 2


def test_that_no_more_than_some_megabytes_are_read_at_once() -> None:
    layer = {key: bytes(1 << 20) for key in range(20)}
    found, file = opened(*written(layer, interval=1))
    assert found.get_many(file.read, range(20)) == layer
    assert max(size for _, size in file.ranges) <= 8 << 20


def test_that_a_hole_before_the_first_tile_costs_no_read() -> None:
    found, file = opened(*written({5: b"tile"}, 1))
    assert found.get(file.read, 4) is None
    assert not file.ranges


@pytest.mark.parametrize(("interval", "reads"), [(1, 0), (2, 1)])
def test_that_a_hole_costs_no_read_where_every_tile_is_in_the_index(
    interval: int, reads: int
) -> None:
    found, file = opened(*written(dict.fromkeys(range(0, 20, 2), b"tile"), interval))
    assert found.get(file.read, 7) is None
    assert found.get_many(file.read, [7, 7]) == {}
    assert len(file.ranges) == 2 * reads


def test_that_keys_out_of_order_are_refused() -> None:
    writer = MapFileWriter(bytearray().extend, 1)
    writer.append(2, b"")
    with pytest.raises(ValueError, match="key 2 comes after 2"):
        writer.append(2, b"")


def test_that_sync_markers_stand_every_hundred_kibibytes() -> None:
    data, _ = written({key: bytes(10_000) for key in range(100)}, 1)
    sync = read_header(MemoryFile(data).read, len(data)).sync
    assert 9 <= data.count(b"\xff\xff\xff\xff" + sync) <= 10


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "does not begin with SEQ"),
        (b"PAR1" + bytes(100), "does not begin with SEQ"),
        (b"SEQ\x05" + bytes(100), "version is 5"),
        (b"SEQ\x06\x20short", "ends within its header"),
        (header("Key", "Value", "none"), "pairs of Key and Value"),
        (header(LONG, BYTES, "block", "SnappyCodec"), "compressed by .*SnappyCodec"),
    ],
)
def test_that_a_file_of_another_kind_is_refused_with_its_reason(data: bytes, told: str) -> None:
    _, index = written({}, 1)
    with pytest.raises(BadSequenceFile, match=told):
        opened(data, index)


START = header(LONG, BYTES, "none")
RECORD = header(LONG, BYTES, "record")
BLOCK = header(LONG, BYTES, "block")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (START + record(long(1), value_of(b"tile"))[:-1], "ends within a record"),
        (START + b"\xff\xff\xff\xff" + bytes(16), "another than the header's"),
        (START + record(bytes(9), value_of(b"")), "a long of 9 bytes"),
        (START + record(long(1), bytes(3)), "length in a value"),
        (START + record(long(1), value_of(b"tile") + b"!"), "length in a value"),
        (START + b"\0\0\0\1\0\0\0\2abc", "a key of 2 bytes in a record of 1"),
        (START + b"\x80\0\0\0\0\0\0\2abc", "a key of 2 bytes"),
        (RECORD + record(long(1), b"not packed"), "cannot be decompressed"),
        (BLOCK + bytes(20), "begin with a sync marker"),
        (BLOCK + b"\xff\xff\xff\xff" + SYNC + vint(1) + vint(-5), "a length of -5"),
        (
            BLOCK + b"\xff\xff\xff\xff" + SYNC + vint(2) + 4 * (vint(8) + zlib.compress(b"")),
            "fewer lengths",
        ),
    ],
)
def test_that_damage_is_told_and_never_taken_for_a_hole(data: bytes, told: str) -> None:
    start = read_header(MemoryFile(data).read, len(data)).end
    found, file = opened(data, header(LONG, LONG, "none") + record(long(1), long(start)))
    with pytest.raises(BadSequenceFile, match=told):
        found.get(file.read, 1)


@pytest.mark.parametrize("entries", [[(1, 0)], [(1, 10**6)], [(2, 200), (1, 210)]])
def test_that_an_index_of_another_file_is_told(entries: list[tuple[int, int]]) -> None:
    data, _ = written({1: bytes(1000), 2: b""}, 1)
    records = b"".join(record(long(key), long(place)) for key, place in entries)
    with pytest.raises(BadSequenceFile, match=r"not in order|outside of it"):
        opened(data, header(LONG, LONG, "none") + records)


@given(st.data())
def test_that_a_flipped_byte_never_raises_anything_else(draw: st.DataObject) -> None:
    layer = {key: bytes([key]) * 20 for key in range(12)}
    compression = draw.draw(st.sampled_from(["none", "record", "block"]))
    files = list(JavaMapFile(compression, 2).write(sorted(layer.items())))
    which = draw.draw(st.integers(0, 1))
    at = draw.draw(st.integers(0, len(files[which]) - 1))
    damaged = bytearray(files[which])
    damaged[at] ^= draw.draw(st.integers(1, 255))
    files[which] = bytes(damaged)
    try:
        found, file = opened(*files)
        for key in layer:
            found.get(file.read, key)
    except BadSequenceFile:
        pass
