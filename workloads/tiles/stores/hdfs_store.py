"""Tiles on HDFS: a MapFile for each layer, through hdfs-native.

PATH/LAYER/data, PATH/LAYER/index     the MapFile, which Hadoop's own classes can read
PATH/LAYER/manifest                   beside it; `MapFile.Reader` does not look at it
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, override

from hdfs_native import Client, WriteOptions

from core import SluiceError, tr
from workloads.tiles.stores.address import Form, parse_address
from workloads.tiles.stores.mapfile import MapData, MapFileWriter, MapIndex
from workloads.tiles.stores.reader_cache import Readers
from workloads.tiles.stores.sequence_file import BadSequenceFile, ReadRange
from workloads.tiles.stores.settings import seconds, whole, words
from workloads.tiles.stores.spill import Spill
from workloads.tiles.stores.store import Opening, Store

FORM = Form(shown="hdfs://host:port/path", port=8020, most_parts=64)


class HdfsStore(Store):
    """A layer in a MapFile.

    A MapFile is written in the order of its keys and cannot be added to.  So what is put waits in a
    local temporary file, and `finish` sorts it and writes the MapFile: **the time of `finish` is
    part of the time of writing**.  What is there already is merged with it.
    """

    def __init__(self, opening: Opening) -> None:
        address = parse_address(opening.address, FORM)
        self._folder = "/" + "/".join((*address.parts, opening.layer))
        self._interval = whole(opening, "index_interval")
        self._most_readers = whole(opening, "reader_cache")
        self._client = _connect(opening)
        self._spill = Spill()
        self._lock = threading.Lock()
        self._layer: _Layer | None = None
        try:
            self._reading()
        except BadSequenceFile as error:
            raise SluiceError(
                tr("{folder} is no MapFile of tiles: {reason}", folder=self._folder, reason=error),
                tr("choose another folder, or remove that one"),
            ) from error
        except (OSError, RuntimeError) as error:
            raise SluiceError(
                tr(
                    "HDFS does not give {folder}: {reason}",
                    folder=self._folder,
                    reason=_told(error),
                ),
                tr("check what the user may do there"),
            ) from error

    @override
    def get(self, key: int) -> bytes | None:
        """One positioned read of the stretch that the index names, or of several pieces of it."""
        layer = self._reading()
        if layer is None:
            return None
        with layer.readers.one() as read:
            return layer.data.get(read, key)

    @override
    def get_many(self, keys: Sequence[int]) -> Sequence[bytes | None]:
        """By positioned reads, one for neighbours."""
        layer = self._reading()
        if layer is None:
            return [None] * len(keys)
        with layer.readers.one() as read:
            found = layer.data.get_many(read, keys)
        return [found.get(key) for key in keys]

    @override
    def put(self, key: int, value: bytes) -> None:
        """Keep it for `finish`, in a local temporary file."""
        self._spill.put(key, value)

    @override
    def put_many(self, objects: Sequence[tuple[int, bytes]]) -> None:
        """Keep them for `finish`, in a local temporary file; of none, make the folder."""
        if not objects:
            self._client.mkdirs(self._folder, create_parent=True)
        for key, value in objects:
            self._spill.put(key, value)

    @override
    def finish(self) -> None:
        """Write the MapFile."""
        with self._lock:
            if not len(self._spill):
                return
            self._write()
            self._spill.close()
            self._spill, self._layer = Spill(), None

    @override
    def manifest(self) -> bytes | None:
        """A small file."""
        read, size = self._open("manifest")
        return None if read is None else read(0, size)

    @override
    def set_manifest(self, value: bytes) -> None:
        """Written beside its place and renamed, so that it is there whole or not at all."""
        self._client.mkdirs(self._folder, create_parent=True)
        with self._created("manifest.new") as write:
            write(value)
        self._take("manifest")

    @override
    def remove(self) -> int:
        """Delete the folder; an object is a file of it."""
        try:
            files = list(self._client.list_status(self._folder, True))
        except FileNotFoundError:
            return 0
        self._client.delete(self._folder, True)
        self._layer = None
        return sum(1 for status in files if not status.isdir)

    @override
    def close(self) -> None:
        """Forget the readers; hdfs-native has nothing to be closed."""
        self._layer = None
        self._spill.close()

    def _write(self) -> None:
        self._client.mkdirs(self._folder, create_parent=True)
        index: list[bytes] = []
        with self._created("data.new") as write:
            writer = MapFileWriter(write, index.append, self._interval)
            for key, value in self._merged():
                writer.append(key, value)
        with self._created("index.new") as write:
            write(b"".join(index))
        for name in ("data", "index"):
            self._take(name)

    def _merged(self) -> Iterator[tuple[int, bytes]]:
        layer = self._load()
        if layer is None:
            yield from self._spill.sorted()
            return
        with layer.readers.one() as read:
            yield from merged(layer.data.walk(read), self._spill.sorted())

    @contextmanager
    def _created(self, name: str) -> Iterator[Callable[[bytes], object]]:
        file = self._client.create(f"{self._folder}/{name}", WriteOptions(overwrite=True))
        yield file.write
        file.close()

    def _take(self, name: str) -> None:
        self._client.rename(f"{self._folder}/{name}.new", f"{self._folder}/{name}", True)

    def _reading(self) -> _Layer | None:
        """The MapFile as it was when it was first wanted; None where there is none."""
        layer = self._layer
        if layer is None:
            with self._lock:
                layer = self._layer = self._layer or self._load()
        return layer

    def _load(self) -> _Layer | None:
        read_index, index_size = self._open("index")
        read, size = self._open("data")
        if read_index is None or read is None:
            return None
        data = MapData(MapIndex(read_index, index_size), read, size)
        return _Layer(data, Readers(lambda: self._open("data")[0], self._most_readers))

    def _open(self, name: str) -> tuple[ReadRange, int] | tuple[None, int]:
        try:
            reader = self._client.read(f"{self._folder}/{name}")
        except FileNotFoundError:
            return None, 0
        return reader.read_range, len(reader)


@dataclass(frozen=True)
class _Layer:
    data: MapData
    readers: Readers


def merged(
    old: Iterator[tuple[int, bytes]], new: Iterator[tuple[int, bytes]]
) -> Iterator[tuple[int, bytes]]:
    """Both in one order; where both have a key, the new one's object."""
    waiting = next(old, None)
    for key, value in new:
        while waiting is not None and waiting[0] < key:
            yield waiting
            waiting = next(old, None)
        if waiting is not None and waiting[0] == key:
            waiting = next(old, None)
        yield key, value
    if waiting is not None:
        yield waiting
    yield from old


def _told(error: Exception) -> str:
    """Hadoop's words without the places in its code where it said them."""
    return str(error).partition("\\n\\tat ")[0].partition("\n")[0]


def _connect(opening: Opening) -> Any:
    """A client; raises SluiceError unless the name node answers it."""
    if user := words(opening, "user"):
        # hdfs-native takes the name from there only.
        os.environ["HADOOP_USER_NAME"] = user
    authority = opening.address.removeprefix("hdfs://").partition("/")[0]
    settings = {
        "dfs.client.socket-timeout": str(round(1000 * seconds(opening, "timeout"))),
        # By default it tries for minutes, in silence, where nobody listens.
        "dfs.client.failover.max.attempts": "1",
    }
    try:
        client = Client(f"hdfs://{authority}", settings)
        client.get_file_info("/")
    except (OSError, RuntimeError, ValueError) as error:
        raise SluiceError(
            tr("there is no HDFS at {place}: {reason}", place=authority, reason=_told(error)),
            tr("start the server, or correct the address"),
        ) from error
    return client
