"""Tiles in Accumulo: a table for each layer, a row for each tile, through its own Java client.

The client runs in this process.  `java/AccumuloTiles.java`, shipped as a compiled class,
hands over one array of bytes at a time: bytes that cross one by one would cost more than Accumulo.
"""

from __future__ import annotations

import faulthandler
import struct
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, override

from core import SluiceError, Unavailable, cache_folder, command_text, find_java, tr
from workloads.shared.servers import look_at_server, wait_longer
from workloads.tiles.stores.store import (
    Address,
    AddressForm,
    Opening,
    Store,
    joined,
    key_names_remedy,
    parse_address,
    password_in,
    require_listener,
    table_name,
)

_STARTING = threading.Lock()


def start_java(classpath: Sequence[Path], heap: int) -> Any:
    """The module `jpype` with Java running; `heap` in bytes.

    Java is started once in a process and cannot be started again: later calls add to its classpath.

    It takes SIGSEGV for itself, because it finds null pointers by it, and so does `faulthandler`,
    whose handler would take these for crashes.  So `faulthandler` is off from here on; a crash is
    told by Java itself, on the error output, and ends the process by SIGABRT.  SIGINT, SIGTERM and
    SIGHUP stay with Python (`-Xrs`).  The main thread keeps its whole stack: Java would guard it
    at 1 MiB, and whatever calls itself deeper there, Java or not, would end without a word.
    """
    import jpype

    with _STARTING:
        if jpype.isJVMStarted():
            for path in classpath:
                jpype.addClassPath(str(path))
            return jpype
        library = find_java()
        faulthandler.disable()
        jpype.startJVM(
            str(library),
            "-Xrs",
            f"-Xmx{heap}",
            "-XX:+ErrorFileToStderr",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+DisablePrimordialThreadGuardPages",
            "-Dlog4j2.level=FATAL",
            "-Djava.net.preferIPv4Stack=true",
            classpath=[str(path) for path in classpath],
            convertStrings=True,
            # True leaves SIGINT as it is; False would have JPype handle it in Java.
            interrupt=True,
        )
        return jpype


FORM = AddressForm(example="accumulo://zookeeper:port/instance/namespace", port=2181, most_parts=2)
_HELPER = Path(__file__).parent / "java"
_CORE = "accumulo-core-*.jar"
_LONGEST_NAME = 1024
_TILE = struct.Struct(">qi")  # key and length, before the bytes


class AccumuloStore(Store):
    """A layer in a table of a namespace.

    A tile can be read as soon as `put` returns: it flushes its BatchWriter, so that it is in the
    servers' logs.  The table is created by the first `put` or `put_many`, also by one of nothing,
    and never by reading.  `set_manifest` has the servers move all of it into files, where a layer
    is read from that was not written a moment ago.
    """

    def __init__(self, opening: Opening) -> None:
        address = parse_address(opening.address, FORM)
        timeout = opening.parameters.timeout
        require_listener(address.hosts, timeout)
        jars = accumulo_jars(opening.parameters.jars)
        jpype = start_java((_HELPER, *jars), opening.parameters.java_heap)
        self.failures = (jpype.JException,)
        self._array = jpype.JArray(jpype.JByte)
        self._creating = threading.Lock()
        self._created = False
        namespace = address.parts[1]
        table = f"{namespace}.{table_name(opening.layer, _LONGEST_NAME)}"
        self._tiles = _connect(jpype, address, opening, table)
        try:
            self._require_namespace(namespace, create=opening.parameters.create)
        except jpype.JException as error:
            self.close()
            raise SluiceError(
                tr("Accumulo does not give {name!r}: {reason}", name=namespace, reason=error),
                tr("correct the address, or what the user may do there"),
            ) from error
        except SluiceError:
            self.close()
            raise

    @override
    def remedy(self, error: Exception) -> str:
        """By the names of Java's exceptions."""
        message = str(error)
        # This client's own: of a server's memory only its log speaks.
        if "OutOfMemoryError" in message:
            return tr(
                "Java's memory in Accumulo's client is full: use fewer threads, a smaller batch or"
                " a larger {parameter}",
                parameter="java_heap",
            )
        late = "TimedOut" in message or "no answer within" in message
        if not late or "ZooKeeper" in message:
            return look_at_server()
        if "no tablet server" in message or self._tiles.isWithoutServers():
            return tr(
                "no tablet server runs any more: look into its log, and whether its disk is full"
            )
        return wait_longer()

    @override
    def get(self, key: int) -> bytes | None:
        value = self._tiles.get(key)
        return None if value is None else bytes(value)

    @override
    def get_many(self, keys: Sequence[int]) -> Sequence[bytes | None]:
        """By a BatchScanner with as many query threads as the parameter `batch_threads` says."""
        values = dict(self._arriving(keys)) if keys else {}
        return [values.get(key) for key in keys]

    @override
    def keys(self) -> Iterable[int]:
        import jpype

        try:
            rows = bytes(self._tiles.keys())
        except jpype.JClass("java.lang.IllegalStateException") as error:
            raise SluiceError(
                tr("the table is no layer of tiles: {reason}", reason=error), key_names_remedy()
            ) from error
        return {key for (key,) in struct.iter_unpack(">q", rows)}

    @override
    def put(self, key: int, value: bytes) -> None:
        """By a BatchWriter that no other thread uses meanwhile."""
        self._require_table()
        self._tiles.put(key, self._array(value))

    @override
    def put_many(self, objects: Sequence[tuple[int, bytes]]) -> None:
        self._require_table()
        if objects:
            packed = b"".join(_TILE.pack(key, len(value)) + value for key, value in objects)
            self._tiles.putMany(self._array(packed))

    @override
    def manifest(self) -> bytes | None:
        """A row of the table whose name is no key."""
        value = self._tiles.manifest()
        return None if value is None else bytes(value)

    @override
    def set_manifest(self, value: bytes) -> None:
        """A row of the table; then all of it is moved into files."""
        self._require_table()
        self._tiles.setManifest(self._array(value))
        self._tiles.flush()

    @override
    def remove(self) -> int:
        self._created = False
        return int(self._tiles.remove())

    @override
    def close(self) -> None:
        """Close the client; Java goes on until the process ends."""
        self._tiles.close()

    def _arriving(self, keys: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        batch = self._tiles.getMany(self._array(struct.pack(f">{len(keys)}q", *keys)))
        if batch is None:
            return
        try:
            while (chunk := batch.next()) is not None:
                yield from unpacked(bytes(chunk))
        finally:
            batch.close()

    def _require_table(self) -> None:
        if not self._created:
            with self._creating:
                if not self._created:
                    self._tiles.create()
                    self._created = True

    def _require_namespace(self, name: str, *, create: bool) -> None:
        if self._tiles.namespaceExists(name):
            return
        if not create:
            raise SluiceError(
                tr("Accumulo has no namespace {name!r}", name=name),
                tr(
                    "set create, or create it in Accumulo's shell: {statement}",
                    statement=f"createnamespace {name}",
                ),
            )
        self._tiles.createNamespace(name)


def unpacked(chunk: bytes) -> Iterator[tuple[int, bytes]]:
    """Keys and tiles, from key, length and bytes one after the other."""
    at = 0
    while at < len(chunk):
        key, size = _TILE.unpack_from(chunk, at)
        at += _TILE.size
        yield key, chunk[at : at + size]
        at += size


def accumulo_jars(folder: str) -> list[Path]:
    """The jars of Accumulo's client, in that folder or as the lab has fetched them.

    Raises Unavailable with what to do.
    """
    fetched = (cache_folder() / "lab").glob(f"accumulo-*/**/{_CORE}")
    for core in Path(folder).glob(_CORE) if folder else fetched:
        return sorted(core.parent.glob("*.jar"))
    raise Unavailable(
        tr("unavailable: Accumulo's client is not in {place}", place=folder or tr("the cache")),
        tr("fetch them with: {command}", command=command_text("lab", "start", "accumulo")),
    )


def _connect(jpype: Any, address: Address, opening: Opening, table: str) -> Any:
    place = ",".join(map(joined, address.hosts))
    user = opening.parameters.user
    try:
        tiles = jpype.JClass("AccumuloTiles")(
            address.parts[0],
            place,
            user,
            password_in(opening),
            table,
            round(1000 * opening.parameters.timeout),
            opening.parameters.batch_threads,
        )
        try:
            if tiles.logIn():
                return tiles
        except BaseException:
            tiles.close()
            raise
        reason = f"{user}"
    except jpype.JException as error:
        reason = str(error)
        if not reason.startswith("org.apache.accumulo.core.client.AccumuloSecurityException"):
            raise SluiceError(
                tr("there is no Accumulo at {place}: {reason}", place=place, reason=reason),
                tr("start the server, or correct the address"),
            ) from error
    raise SluiceError(
        tr("Accumulo at {place} refuses the login: {reason}", place=place, reason=reason),
        tr("correct user and password"),
    )
