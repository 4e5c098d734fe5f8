"""What a store of tiles does, what it is opened with, and where it is.

A store holds objects by their keys, which are whole numbers, and one more object: the manifest of
the layer, written last, so that a layer is complete where there is one.  What a store raises while
it is measured is its driver's own exception in its own words.  Mistakes that are known before
(wrong credentials, nobody listening, no such bucket) are `SluiceError`s with cause and remedy.
"""

from __future__ import annotations

import re
import socket
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import unquote

from core import InvalidParameter, ServerUse, SluiceError, Value, reveal, tr
from workloads.shared.servers import Backend

if TYPE_CHECKING:
    from workloads.tiles.tile_parameters import TileParameters

ASLEEP = "asleep seconds"
"""In which a client waits by itself, though nothing was refused."""

type Host = tuple[str, int]
type CountTally = Callable[[str, float], None]


@dataclass(frozen=True, kw_only=True)
class AddressForm:
    """What addresses of one store look like."""

    example: str
    """Such as `cassandra://host:port/keyspace`; after the host come as many parts as here."""
    port: int
    """Where the address names none."""
    most_parts: int
    """Parts after the host that it may have; as many as it shows must be there."""


@dataclass(frozen=True, kw_only=True)
class Address:
    """Hosts with their ports, and what stands behind them."""

    hosts: tuple[Host, ...]
    parts: tuple[str, ...]

    @property
    def first(self) -> str:
        """The first host with its port, as users write it."""
        return joined(self.hosts[0])


def joined(host: Host) -> str:
    """`host:port`, with brackets around an address of IPv6."""
    return f"[{host[0]}]:{host[1]}" if ":" in host[0] else f"{host[0]}:{host[1]}"


CASSANDRA_ADDRESS = AddressForm(example="cassandra://host:port/keyspace", port=9042, most_parts=1)


def parse_address(written: str, form: AddressForm) -> Address:
    """`scheme://host:port,host:port/part/part`; raises InvalidParameter that shows the form."""
    scheme = form.example.partition("://")[0]
    match = re.fullmatch(rf"{scheme}://([^/?#@]+)(?:/([^?#]*))?", written)
    if not match:
        raise _refused(form, written)
    hosts = tuple(_host(host, form, written) for host in match[1].split(","))
    parts = tuple(unquote(part) for part in (match[2] or "").split("/") if part)
    least = form.example.count("/") - 2
    if not least <= len(parts) <= form.most_parts:
        raise _refused(form, written)
    return Address(hosts=hosts, parts=parts)


def _host(written: str, form: AddressForm, address: str) -> Host:
    match = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]\s]+))(?::(\d{1,5}))?", written)
    port = int(match[3] or form.port) if match else 0
    if not match or not 0 < port < 1 << 16:
        raise _refused(form, address)
    return match[1] or match[2], port


def _refused(form: AddressForm, address: str) -> InvalidParameter:
    return InvalidParameter(
        "address",
        tr("{address!r} is no address of this store", address=address),
        tr("write it as {form}", form=form.example),
    )


def require_listener(hosts: Sequence[Host], timeout: float) -> None:
    """Raise SluiceError unless somebody listens at one of these.

    Some clients try for minutes, in silence, where nobody does.
    """
    complaints = []
    for host in hosts:
        try:
            socket.create_connection(host, timeout).close()
        except OSError as error:
            complaints.append(f"{joined(host)}: {error.strerror or error}")
        else:
            return
    raise SluiceError(
        tr("nobody answers at {places}", places="; ".join(complaints)),
        tr("start the server, or correct the address"),
    )


@dataclass(frozen=True, kw_only=True)
class Opening:
    address: str
    """Location without credentials: folder, `s3://bucket/prefix?endpoint=…`, `http://host:port/path`,
    `hdfs://host:port/path`, `cassandra://host:port/keyspace`,
    `accumulo://zookeeper:port/instance/namespace`."""
    layer: str
    """Name of the layer: letters, digits, - and _."""
    threads: int
    """Threads that will use it at once."""
    parameters: TileParameters
    """Secrets are references, which `reveal` turns into what they stand for."""
    as_it_is: bool = False
    """The layer is somebody else's: nothing of it is created, changed or removed."""
    zoom: int = -1
    """Of a layer whose keys are places at one zoom; -1 = its keys tell the zoom, too."""
    format: str = ""
    """What its objects are, such as `png`; empty = as they are found."""
    tally: CountTally
    """Counts one of the row's `tallies` while it happens; from any thread."""


def key_names_remedy() -> str:
    """What to do where the objects of a layer have other names."""
    return tr("name each tile by its key, the number of its place on a Z-order curve")


def key_of(name: str) -> int:
    """The key that is the name of an object; raises SluiceError."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,18}", name):
        raise SluiceError(
            tr("{name!r} among the layer's objects is no key of a tile", name=name),
            key_names_remedy(),
        )
    return int(name)


class Store(ABC):
    """One layer of tiles in one place.

    Opened in the process that uses it; its methods are called from many threads at once.  Several
    processes may write into one layer, each through a store of its own.
    """

    failures: tuple[type[Exception], ...] = (OSError,)
    """What its driver raises where a server, a network or a disk fails."""

    local = False
    """Whether objects are files here, which cost so little that memory counts; `put` then takes
    views in place of bytes, which need not be copied first."""

    def remedy(self, error: Exception) -> str:
        """What to do about one of these failures; empty where that is not known."""
        return ""

    def prepare(self, keys: Iterable[int]) -> None:
        """Work out what can be known of these keys before they are asked for, which is timed."""

    @abstractmethod
    def get(self, key: int) -> bytes | None:
        """The object of a key; None where there is none, which is a hole."""

    def getter(self) -> Callable[[int], bytes | None]:
        """As `get`, for this thread and prepared keys: what it needs is looked up once.

        What it has counted may be told with the next `settle` only.
        """
        return self.get

    def settle(self) -> None:
        """Count what `getter` has left uncounted."""

    def get_many(self, keys: Sequence[int]) -> Sequence[bytes | None]:
        """The objects of keys, in their order, by the store's own batch form if it has one.

        A key may be given more than once.
        """
        return [self.get(key) for key in keys]

    @abstractmethod
    def keys(self) -> Iterable[int]:
        """The keys of all objects, each once, in any order; none where there is no layer.

        Raises SluiceError where something in the layer's place has no key as its name.
        """

    @abstractmethod
    def put(self, key: int, value: bytes) -> None:
        """Write the object of a key, in place of one that may be there."""

    def put_many(self, objects: Sequence[tuple[int, bytes]]) -> None:
        """Write objects by the store's own batch form if it has one."""
        for key, value in objects:
            self.put(key, value)

    def put_now(self, objects: Sequence[tuple[int, bytes]]) -> None:
        """Write objects, which are in the store when it returns: this is what is measured."""
        if len(objects) == 1:
            self.put(*objects[0])
        else:
            self.put_many(objects)

    def finish(self) -> None:
        """After the last put: what was written can be read by others from now on."""

    @abstractmethod
    def manifest(self) -> bytes | None:
        """The manifest of the layer; None where the layer is not there or not complete."""

    @abstractmethod
    def set_manifest(self, value: bytes) -> None:
        """Write the manifest, last of all."""

    @abstractmethod
    def remove(self) -> int:
        """Remove the layer and everything in it, complete or not; how many objects that were.

        No error where there is nothing.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of connections and files; called once, when no thread uses the store any more."""


@contextmanager
def explaining(store: Store) -> Iterator[None]:
    """Raise SluiceError, in the driver's own words, where the store fails in the block.

    For what is done outside operations: there a failure ends the trial.
    """
    try:
        yield
    except store.failures as error:
        name = "" if isinstance(error, SluiceError) else f"{type(error).__name__}: "
        why = f"{name}{error}"
        raise SluiceError(tr("the store failed: {why}", why=why), store.remedy(error)) from error


@dataclass(frozen=True, kw_only=True)
class StoreEntry(Backend):
    """A store; `Class(opening)` opens it."""

    remote: bool
    """Whether its objects are outside this machine's files, or behind a server's own cache."""
    linked: bool = False
    """Whether it is reached by a way with parameters of its own (`workloads.shared.link`)."""
    client_rate: int = 5000
    """Requests a second that one process makes at most, unless its client is chosen."""
    naming: str
    """Where a tile of a layer is, as users know it."""
    login: Mapping[str, Value] | None = None
    """Parameters by which the lab's server of the same name lets in; None = the lab has none."""
    clients: bool = False
    """Whether it holds objects with names, for which a client can be chosen."""
    in_front: str = ""
    """Another server of the lab that may stand in front of that one."""
    ranges: bool = False
    """Whether an address of S3 or http may hold it, too, which is then only read."""
    suffix: str | None = None
    """Of a layout of tiles by zoom, column and row, such as `.pmtiles`: how the name of a layer
    ends, empty for a folder.  None for a store of objects by key."""

    def server(self) -> ServerUse | None:
        """How the lab's server is used for it; None where the lab has none."""
        if self.login is None:
            return None
        return ServerUse(
            server=self.name,
            at={"store": self.name},
            in_front=self.in_front,
            values=dict(self.login),
        )

    def open(self, opening: Opening) -> Store:
        """The store; raises Unavailable without its driver, and SluiceError."""
        opened: Store = self.opened(opening)
        return opened


def password_in(opening: Opening) -> str:
    """The password itself, empty where none is given; raises Unavailable."""
    reference = opening.parameters.password
    return reveal(reference) if reference else ""


_DIGEST = 16


def table_name(layer: str, longest: int = 48) -> str:
    """The table of a layer: another one for each layer, and never longer than that.

    `-` becomes `_h` and `_` becomes `__`, so that no two layers share a table.  What would be too
    long ends in a digest after `_x`.  48 letters are what Cassandra allows in all its versions.
    """
    name = "tiles_" + layer.replace("_", "__").replace("-", "_h")
    if len(name) <= longest:
        return name
    digest = sha256(layer.encode()).hexdigest()[:_DIGEST]
    return name[: longest - _DIGEST - 2] + "_x" + digest
