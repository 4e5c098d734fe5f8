"""Tiles on HDFS: a MapFile for each layer, through hdfs-native.

PATH/LAYER/part-00001-…/data, index   a MapFile, which Hadoop's own classes can read
PATH/LAYER/data, index                another, where other programs have written the layer
PATH/LAYER/_…                         what is being written, or was not finished
PATH/LAYER/manifest

A file that is written is closed by hdfs-native, which sleeps half a second where the name node does
not know yet that the last block is there: that is counted as `asleep seconds`.
"""

from __future__ import annotations

import functools
import os
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread
from typing import Any, override

from hdfs_native import Client, WriteOptions

from core import SluiceError, Step, tr
from workloads.shared.servers import look_at_server, make_room, wait_longer
from workloads.tiles.stores.mapfile import MapData, MapFileWriter, MapIndex, Readers, Spill
from workloads.tiles.stores.sequence_file import BadSequenceFile, ReadRange
from workloads.tiles.stores.store import (
    ASLEEP,
    AddressForm,
    Opening,
    Store,
    parse_address,
)

type MapFiles = Mapping[str, MapData]
"""MapFiles by the path of their `data`, the latest first."""

FORM = AddressForm(example="hdfs://host:port/path", port=8020, most_parts=64)
_MANIFEST = "manifest"
_FULL = ("could only be written to", "DSQuotaExceeded", "No space left")


def asleep_in_close(seconds: float) -> float:
    """For how much of the time that a `close` took hdfs-native slept.

    It asks the name node whether the file is complete, which it is once the data node has reported
    the last block, a few ms after it was written.  If not yet, it sleeps half a second, then twice
    as long each time (`COMPLETE_RETRY_DELAY_MS` in its `file.rs`); no setting changes that.
    """
    slept, pause = 0.0, 0.5
    while slept + pause <= seconds:
        slept += pause
        pause *= 2
    return slept


class HdfsStore(Store):
    """A layer in MapFiles, usually one.

    A MapFile is written in the order of its keys and cannot be added to.  So what is put waits in a
    local temporary file, and `finish` sorts it and writes a MapFile.  What is put later, or by
    another process, is a MapFile of its own; of one key the latest counts.  `put_now`, which is
    measured, makes a MapFile of its objects at once: few at a time are slow, as they are on HDFS.
    """

    failures = (OSError, RuntimeError)

    def __init__(self, opening: Opening) -> None:
        address = parse_address(opening.address, FORM)
        self._folder = "/" + "/".join((*address.parts, opening.layer))
        self._interval = opening.parameters.index_interval
        self._tally = opening.tally
        self._client = _connect(opening)
        self._readers = Readers(lambda name: self._open(name)[0], opening.parameters.reader_cache)
        self._spill = Spill()
        self._lock = threading.Lock()
        self._parts: MapFiles = {}
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
                    reason=_message_of(error),
                ),
                tr("check what the user may do there"),
            ) from error

    @override
    def remedy(self, error: Exception) -> str:
        """By words of Hadoop's: hdfs-native has one kind of error for most."""
        message = str(error)
        if any(words in message for words in _FULL):
            return make_room()
        return wait_longer() if "timed out" in message.lower() else look_at_server()

    @override
    def get(self, key: int) -> bytes | None:
        """One positioned read of the stretch that the index names, or of several pieces of it."""
        for name, part in self._reading().items():
            with self._readers.one(name) as read:
                value = part.get(read, key)
            if value is not None:
                return value
        return None

    @override
    def get_many(self, keys: Sequence[int]) -> Sequence[bytes | None]:
        """By positioned reads, one for neighbours."""
        values: dict[int, bytes] = {}
        for name, part in self._reading().items():
            with self._readers.one(name) as read:
                values |= part.get_many(read, (key for key in keys if key not in values))
        return [values.get(key) for key in keys]

    @override
    def keys(self) -> Iterable[int]:
        """From indexes that name every record; other MapFiles are read as a whole."""
        keys: set[int] = set()
        for name, part in self._reading().items():
            with self._readers.one(name) as read:
                keys.update(part.keys(read))
        return keys

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
    def put_now(self, objects: Sequence[tuple[int, bytes]]) -> None:
        self._write_part(sorted(dict(objects).items()))
        self._parts = {}

    @override
    def finish(self) -> None:
        with self._lock:
            if not len(self._spill):
                return
            self._write_part(self._spill.sorted())
            self._forget()

    def _write_part(self, objects: Iterable[tuple[int, bytes]]) -> None:
        """Write a MapFile of objects in the order of their keys: there whole or not at all."""
        unique = uuid.uuid4().hex[:12]
        folder = f"{self._folder}/_{unique}"
        self._client.mkdirs(folder, create_parent=True)
        with self._created(f"{folder}/data") as write:
            writer = MapFileWriter(write, self._interval)
            for key, value in objects:
                writer.append(key, value)
        with self._created(f"{folder}/index") as write:
            write(writer.index())
        number = len(self._folders())
        self._client.rename(folder, f"{self._folder}/part-{number:05}-{unique}")

    @override
    def manifest(self) -> bytes | None:
        read, size = self._open(f"{self._folder}/{_MANIFEST}")
        return None if read is None else read(0, size)

    @override
    def set_manifest(self, value: bytes) -> None:
        """Written beside its place and renamed, so that it is there whole or not at all."""
        place = f"{self._folder}/{_MANIFEST}"
        new = f"{self._folder}/_{uuid.uuid4().hex[:12]}"
        self._client.mkdirs(self._folder, create_parent=True)
        with self._created(new) as write:
            write(value)
        self._client.rename(new, place, True)

    @override
    def remove(self) -> int:
        """Delete the folder, after its tiles were counted; what was not finished counts as one."""
        removed = sum(
            1 for status in self._there() if _name(status)[0] == "_" or _name(status) == _MANIFEST
        )
        removed += sum(map(self._tiles, self._folders()))
        self._client.delete(self._folder, True)
        with self._lock:
            self._forget()
        return removed

    @override
    def close(self) -> None:
        self._forget()
        self._spill.close()

    def _forget(self) -> None:
        """Begin anew: nothing is put, and what is there will be looked at again."""
        self._spill.close()
        self._spill, self._parts = Spill(), {}

    def _tiles(self, folder: str) -> int:
        """How many tiles are in a MapFile; 0 where it is damaged, as one that was cut off is."""
        try:
            part = self._part(folder)
            if part is None:
                return 0
            with self._readers.one(f"{folder}/data") as read:
                return part.count(read)
        except BadSequenceFile:
            return 0

    @contextmanager
    def _created(self, path: str) -> Iterator[Callable[[bytes], object]]:
        file = self._client.create(path, WriteOptions(overwrite=True))
        yield file.write
        if slept := asleep_in_close(Step.seconds_of(file.close)):
            self._tally(ASLEEP, slept)

    def _reading(self) -> MapFiles:
        """The MapFiles as they were when they were first wanted, the latest first."""
        parts = self._parts
        if not parts:
            with self._lock:
                parts = self._parts = self._parts or self._load()
        return parts

    def _load(self) -> MapFiles:
        opened = ((folder, self._part(folder)) for folder in reversed(self._folders()))
        return {f"{folder}/data": part for folder, part in opened if part is not None}

    def _folders(self) -> list[str]:
        """Folders that can be MapFiles: the layer's own, as other programs write it, and parts."""
        folders = (status for status in self._there() if status.isdir)
        parts = (one.path for one in folders if not _name(one).startswith("_"))
        return [self._folder, *sorted(parts)]

    def _there(self) -> list[Any]:
        """What is in the folder of the layer; nothing where there is none."""
        try:
            return list(self._client.list_status(self._folder))
        except FileNotFoundError:
            return []

    def _part(self, folder: str) -> MapData | None:
        read_index, index_size = self._open(f"{folder}/index")
        read, size = self._open(f"{folder}/data")
        if read_index is None or read is None:
            return None
        return MapData(MapIndex(read_index, index_size), read, size)

    def _open(self, path: str) -> tuple[ReadRange, int] | tuple[None, int]:
        try:
            reader = self._client.read(path)
        except FileNotFoundError:
            return None, 0
        return reader.read_range, len(reader)


def _name(status: Any) -> str:
    return str(status.path).rpartition("/")[2]


def _message_of(error: Exception) -> str:
    """Hadoop's words without the places in its code where it said them."""
    return str(error).partition("\\n\\tat ")[0].partition("\n")[0]


def _connect(opening: Opening) -> Any:
    """A client; raises SluiceError unless the name node answers it."""
    if user := opening.parameters.user:
        # hdfs-native takes the name from there only.
        os.environ["HADOOP_USER_NAME"] = user
    authority = opening.address.removeprefix("hdfs://").partition("/")[0]
    timeout = opening.parameters.timeout
    try:
        client = _shared_client(authority, round(1000 * timeout), user, os.getpid())
        _require_answer(client, timeout)
    except (OSError, RuntimeError, ValueError) as error:
        raise SluiceError(
            tr("there is no HDFS at {place}: {reason}", place=authority, reason=_message_of(error)),
            tr("start the server, or correct the address"),
        ) from error
    return client


def _require_answer(client: Any, timeout: float) -> None:
    """Raise what the name node raises, or TimeoutError.

    hdfs-native itself waits for ever where somebody takes the connection and says nothing, as a
    server of something else may.
    """
    answer: Future[object] = Future()

    def ask() -> None:
        try:
            answer.set_result(client.get_file_info("/"))
        except (OSError, RuntimeError, ValueError) as error:
            answer.set_exception(error)

    Thread(target=ask, name="ask the name node", daemon=True).start()
    try:
        answer.result(timeout)
    except TimeoutError as error:
        raise TimeoutError(str(error) or tr("no answer within {time:g} s", time=timeout)) from None


@functools.cache
def _shared_client(authority: str, timeout: int, user: str, process: int) -> Any:
    """The one client of a process for a place, with a timeout in milliseconds.

    Connections to data nodes are kept for a whole process, but end with the client that opened
    them: of two clients the one that goes away breaks reads of the other ("All DataNodes failed").
    """
    settings = {
        "dfs.client.socket-timeout": str(timeout),
        # By default it tries for minutes, in silence, where nobody listens.
        "dfs.client.failover.max.attempts": "1",
    }
    return Client(f"hdfs://{authority}", settings)
