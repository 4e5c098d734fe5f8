"""The way between a client and its server: how long it is, and what is counted on it.

With all at 0 the client speaks to the server itself, and the kernel's figures of its connections
are taken (`sockets`): a proxy in Python would be slower than fast clients.  Else the lab's proxy
stands in front of the server, as a process of the trial's own, and counts.

    with linked(address, parameters) as link:
        client = open_client(link.address)
        …
        link.counted()  # {"wire bytes": …, "sent bytes": …, "connections": …}

What nobody can count is not among the counts.  A job has `link.bytes_so_far()` as its
`counts_so_far`, `link.connections()` among its counters, `link.notes` as its notes, and its client
adds to the tallies of what only it knows: `requests`, `retries`, `refusals`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol
from urllib.parse import SplitResult, urlsplit, urlunsplit

from core import InvalidParameter, tr
from workloads.shared.servers import (
    CONNECTIONS,
    PROXY,
    RECEIVED,
    REFUSALS,
    REQUESTS,
    SENT,
    LinkParameters,
    s3_address,
)

if TYPE_CHECKING:
    from core import TrialProxy
    from workloads.shared.sockets import Connections

__all__ = ["LINK", "NO_LINK", "Link", "LinkParameters", "is_linkable", "linked", "require_linkable"]

SEGMENTS = "segments"
"""Of the kernel's count without TLS: the requests of a client that sends heads alone."""
LINK = ("round_trip", "link_bandwidth", "request_rate")
"""Their names: each value has an answer of its own, as no two ways are compared."""


class Linked(Protocol):
    """The parameters of a workload that has these among others."""

    @property
    def round_trip(self) -> float: ...
    @property
    def link_bandwidth(self) -> int: ...
    @property
    def request_rate(self) -> float: ...


@dataclass(frozen=True)
class Link:
    address: str
    """What the client connects to, in the form of the server's own address."""
    with_segments: Callable[[], Mapping[str, float]] = dict
    """As `counted`, and `SEGMENTS`, which are requests of few clients."""
    notes: list[str] = field(default_factory=list)
    """What was not counted, for a job's `notes`; it grows."""

    def counted(self) -> Mapping[str, float]:
        """All since the beginning, by the names above, as far as somebody counts it."""
        counts = self.with_segments()
        return {name: count for name, count in counts.items() if name != SEGMENTS}

    def bytes_so_far(self) -> Mapping[str, float]:
        """For `Job.counts_so_far`, where the client counts its requests itself."""
        counts = self.counted()
        return {name: counts[name] for name in (RECEIVED, SENT, PROXY) if name in counts}

    def connections(self) -> Mapping[str, float]:
        """Those that were opened from the beginning on, for a job's `counters`."""
        counts = self.counted()
        return {name: counts[name] for name in (CONNECTIONS,) if name in counts}


NO_LINK = Link("")
"""To what is no server, or one that is not counted."""


@contextmanager
def linked(address: str, parameters: Linked, processes: int = 1) -> Iterator[Link]:
    """The way to a server, in the process that goes it; raises InvalidParameter, SluiceError.

    `address`: `http://…`, or `s3://…?endpoint=http://…`; with `https` only a way without a proxy.
    `processes`: of the trial, each of which gets its part of bandwidth and rate.
    """
    url = _url_of(address)
    port = url.port or {"http": 80}.get(url.scheme, 443)
    limits = {
        "latency": parameters.round_trip,
        "bandwidth": parameters.link_bandwidth // processes,
        "rate": parameters.request_rate / processes,
    }
    if not any(limits.values()):
        from workloads.shared.sockets import Connections  # which a list of workloads does not need

        try:
            connections = Connections(url.hostname or "", port, alone=processes == 1)
        except OSError as error:
            yield Link(address, notes=[_not_counted(error)])
            return
        with connections:
            yield _counted_by_kernel(address, connections, plain=url.scheme == "http")
        return
    require_linkable(address, parameters)
    from core import TrialProxy

    with closing(TrialProxy(url.hostname or "", port, limits)) as proxy:
        here = url._replace(netloc=f"127.0.0.1:{proxy.port}")
        yield Link(
            address.replace(urlunsplit(url), urlunsplit(here)), lambda: _counted_by_proxy(proxy)
        )


def is_linkable(address: str) -> bool:
    """Whether a proxy can stand in front of the server."""
    return _url_of(address).scheme == "http"


def require_linkable(address: str, parameters: Linked) -> None:
    """Raise InvalidParameter where the parameters ask for a proxy, and none can be there."""
    names = [name for name in LINK if getattr(parameters, name)]
    if names and not is_linkable(address):
        raise InvalidParameter(
            names[0],
            tr("no proxy can stand in front of {address}: it is encrypted", address=address),
            tr(
                "leave out {names}, or give the address of a server without TLS",
                names=", ".join(names),
            ),
        )


def _url_of(address: str) -> SplitResult:
    """The server's own URL, without what stands behind its place."""
    endpoint = s3_address(address).endpoint if address.startswith("s3://") else address
    parts = urlsplit(endpoint)
    return parts._replace(scheme=parts.scheme or "https", path="", query="", fragment="")


def _counted_by_kernel(address: str, connections: Connections, *, plain: bool) -> Link:
    notes: list[str] = []

    def counted() -> Mapping[str, float]:
        try:
            carried = connections.carried()
        except OSError as error:
            if (note := _not_counted(error)) not in notes:
                notes.append(note)
            return {}
        counts = {RECEIVED: carried.received, SENT: carried.sent, CONNECTIONS: carried.connections}
        return counts | ({SEGMENTS: carried.segments} if plain else {})

    return Link(address, counted, notes)


def _not_counted(error: OSError) -> str:
    return tr("not all bytes on the wire are counted: {why}", why=error)


def _counted_by_proxy(proxy: TrialProxy) -> Mapping[str, float]:
    counts = proxy.counted()
    return {
        REQUESTS: counts["requests"],
        REFUSALS: counts["503"],
        RECEIVED: counts["bytes down"],
        SENT: counts["bytes up"],
        CONNECTIONS: counts["connections"],
        PROXY: counts["CPU seconds"],
    }
