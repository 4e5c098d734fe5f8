"""Hadoop's MapFile: a folder with sorted records in `data` and, in `index`, where some of them are.

Keys are `LongWritable` (eight bytes, big-endian), values `BytesWritable` (four bytes of length,
then the bytes).  Read as Java writes them, whatever their compression; written uncompressed,
because tiles are compressed already, from a temporary file in which objects wait until all are
there.
"""

from __future__ import annotations

import os
import queue
import struct
import tempfile
import threading
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import gt

from workloads.tiles.stores.sequence_file import (
    SYNC_ESCAPE,
    SYNC_SIZE,
    BadSequenceFile,
    PairReader,
    ReadRange,
    SequenceFileHeader,
    Window,
    read_header,
)


class Readers:
    """Readers of files, of which only so many are open; who finds all in use waits."""

    def __init__(self, opened: Callable[[str], ReadRange | None], most: int) -> None:
        self._opened = opened
        # The one that was used last is taken first, so that no more are opened than are needed.
        self._places: queue.LifoQueue[tuple[str, ReadRange] | None] = queue.LifoQueue()
        for _ in range(most):
            self._places.put(None)

    @contextmanager
    def one(self, name: str) -> Iterator[ReadRange]:
        """A reader of that file for one thread; after a failure it is not used again.

        Raises FileNotFoundError where there is no such file any more.
        """
        place, keep = self._places.get(), None
        try:
            read = place[1] if place is not None and place[0] == name else self._opened(name)
            if read is None:
                raise FileNotFoundError(2, "No such file", name)
            yield read
            keep = name, read
        finally:
            self._places.put(keep)


LONG = "org.apache.hadoop.io.LongWritable"
BYTES = "org.apache.hadoop.io.BytesWritable"
_SYNC_INTERVAL = 100 << 10  # bytes from one marker to the next, as Hadoop has it since 3.0
_RECORDS = "records"
_LONGEST_MERGED = 8 << 20
_RECORD = struct.Struct(">iiqi")  # both lengths, the key, the length of the bytes
_INDEX_RECORD = struct.Struct(">iiqq")

type Write = Callable[[bytes], object]


class MapFileWriter:
    """Writes the two files of a MapFile: `data` while records are appended, then `index`."""

    def __init__(self, data: Write, interval: int) -> None:
        self._data, self._interval = data, interval
        self._entries = bytearray()
        self._sync = os.urandom(SYNC_SIZE)
        header = SequenceFileHeader(key_class=LONG, value_class=BYTES, sync=self._sync).encode()
        self._data(header)
        self._position = len(header)
        self._synced = 0
        self._count = 0
        self._last: int | None = None

    def append(self, key: int, value: bytes) -> None:
        """Write a record; raises ValueError unless its key is greater than the one before."""
        if self._last is not None and key <= self._last:
            raise ValueError(f"key {key} comes after {self._last}")
        if self._count % self._interval == 0:
            self._entries += _INDEX_RECORD.pack(16, 8, key, self._position)
        self._last = key
        self._count += 1
        marker = b""
        if self._position >= self._synced + _SYNC_INTERVAL:
            marker = SYNC_ESCAPE + self._sync
            self._synced = self._position + len(marker)
        size = len(value)
        record = marker + _RECORD.pack(12 + size, 8, key, size) + value
        self._data(record)
        self._position += len(record)

    def index(self) -> bytes:
        """The whole of `index`, after the last record; it says how many there are."""
        header = SequenceFileHeader(
            key_class=LONG,
            value_class=LONG,
            sync=os.urandom(SYNC_SIZE),
            metadata={_RECORDS: str(self._count)},
        )
        return header.encode() + self._entries


class MapIndex:
    """The index of a MapFile: keys, and the positions in `data` from where they are found."""

    def __init__(self, read: ReadRange, size: int) -> None:
        header = read_header(read, size)
        _expect(header, LONG, LONG)
        records = header.metadata.get(_RECORDS, "")
        self.records = int(records) if records.isdecimal() else None
        """How many records there are; None where its writer does not say it."""
        window = Window(read, header.end, size)
        self.keys, self.positions = array("q"), array("q")
        for key, position in PairReader(header).walk(window):
            self.keys.append(_long(key))
            self.positions.append(_long(position))
        for column in (self.keys, self.positions):
            if any(map(gt, column, column[1:])):
                raise BadSequenceFile("its entries are not in order")

    def segment(self, key: int) -> int:
        """The number of the entry from which the key is to be looked for; -1 = it is not there.

        That is the last entry that is not behind the key.  An index that names every record tells
        by itself which keys there are.
        """
        entry = bisect_right(self.keys, key) - 1
        if entry >= 0 and len(self.keys) == self.records and self.keys[entry] != key:
            return -1
        return entry


class MapData:
    """Finds records in `data`.  It has no state of its own, so that threads may share it."""

    def __init__(self, index: MapIndex, read: ReadRange, size: int) -> None:
        self._index, self._size = index, size
        header = read_header(read, size)
        _expect(header, LONG, BYTES)
        self._pairs = PairReader(header)
        self._start = header.end
        positions = index.positions
        if positions and not header.end <= positions[0] <= positions[-1] < size:
            raise BadSequenceFile("its index names places outside of it")

    def get(self, read: ReadRange, key: int) -> bytes | None:
        segment = self._index.segment(key)
        return self._find(read, (key,), segment, segment).get(key)

    def get_many(self, read: ReadRange, keys: Iterable[int]) -> dict[int, bytes]:
        """The values of those keys that are there.

        Neighbouring stretches of the file are read as one.
        """
        values: dict[int, bytes] = {}
        for group, first, last in self._stretches(sorted(set(keys))):
            values |= self._find(read, group, first, last)
        return values

    def count(self, read: ReadRange) -> int:
        """How many records there are; all are read where the index does not say it."""
        records = self._index.records
        return sum(1 for _ in self.walk(read)) if records is None else records

    def keys(self, read: ReadRange) -> Iterator[int]:
        if self._index.records == len(self._index.keys):
            yield from self._index.keys
        else:
            yield from (key for key, _ in self.walk(read))

    def walk(self, read: ReadRange) -> Iterator[tuple[int, bytes]]:
        for key, value in self._pairs.walk(Window(read, self._start, self._size)):
            yield _long(key), _bytes(value)

    def _stretches(self, keys: Sequence[int]) -> Iterator[tuple[list[int], int, int]]:
        """Keys whose stretches lie side by side, with the first and the last stretch."""
        group: list[int] = []
        first = last = -1
        for key in keys:
            segment = self._index.segment(key)
            if segment < 0:
                continue
            if group and segment != last and not self._joins(first, last, segment):
                yield group, first, last
                group = []
            if not group:
                first = segment
            group.append(key)
            last = segment
        if group:
            yield group, first, last

    def _joins(self, first: int, last: int, segment: int) -> bool:
        if self._pairs.header.compression == "block" or segment != last + 1:
            return False
        return self._end(segment) - self._index.positions[first] <= _LONGEST_MERGED

    def _end(self, segment: int) -> int:
        positions = self._index.positions
        return positions[segment + 1] if segment + 1 < len(positions) else self._size

    def _find(
        self, read: ReadRange, keys: Sequence[int], first: int, last: int
    ) -> dict[int, bytes]:
        values: dict[int, bytes] = {}
        if first < 0:
            return values
        start, end = self._index.positions[first], self._end(last)
        if self._pairs.header.compression == "block":
            # The next entry names the first key that was added after its block began, so that the
            # keys before it can lie in that block too.
            window = Window(read, start, self._size)
        elif first == last:
            window = Window(read, start, end)
        else:
            window = Window(read, start, end, piece=end - start)
        among = set(keys)
        for encoded, value in self._pairs.walk(window):
            key = _long(encoded)
            if key in among:
                values[key] = _bytes(value)
            if key >= keys[-1]:
                break
        return values


def _expect(header: SequenceFileHeader, key_class: str, value_class: str) -> None:
    there = (header.key_class, header.value_class)
    if there != (key_class, value_class):
        raise BadSequenceFile(
            f"it holds pairs of {there[0]} and {there[1]}, not of {key_class} and {value_class}"
        )


def _long(data: bytes) -> int:
    if len(data) != 8:
        raise BadSequenceFile(f"a long of {len(data)} bytes")
    return int.from_bytes(data, "big", signed=True)


def _bytes(data: bytes) -> bytes:
    if len(data) < 4 or int.from_bytes(data[:4], "big") != len(data) - 4:
        raise BadSequenceFile(f"the length in a value of {len(data)} bytes is wrong")
    return data[4:]


class Spill:
    """Takes objects from many threads in any order, and gives them back by key.

    The file has no name, so that nothing is left of it whatever happens to the process.  Of several
    objects with one key the last is kept.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 -- closed by `close`
        self._places: dict[int, tuple[int, int]] = {}
        self._end = 0
        self._lock = threading.Lock()

    def put(self, key: int, value: bytes) -> None:
        with self._lock:
            start = self._end
            self._end += len(value)
        written = 0
        while written < len(value):
            written += os.pwrite(self._file.fileno(), memoryview(value)[written:], start + written)
        with self._lock:
            self._places[key] = start, len(value)

    def __len__(self) -> int:
        return len(self._places)

    def sorted(self) -> Iterator[tuple[int, bytes]]:
        """Keys and objects, in the order of the keys; after the last `put`."""
        for key in sorted(self._places):
            start, size = self._places[key]
            yield key, os.pread(self._file.fileno(), size, start)

    def close(self) -> None:
        self._file.close()
