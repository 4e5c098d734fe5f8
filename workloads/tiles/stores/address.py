"""Addresses of remote stores, taken apart."""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from core import InvalidParameter, SluiceError, tr

type Host = tuple[str, int]


@dataclass(frozen=True, kw_only=True)
class Form:
    """What addresses of one store look like."""

    shown: str
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


def parse_address(written: str, form: Form) -> Address:
    """`scheme://host:port,host:port/part/part`; raises InvalidParameter that shows the form."""
    scheme = form.shown.partition("://")[0]
    found = re.fullmatch(rf"{scheme}://([^/?#@]+)(?:/([^?#]*))?", written)
    if not found:
        raise _refused(form, written)
    hosts = tuple(_host(host, form, written) for host in found[1].split(","))
    parts = tuple(unquote(part) for part in (found[2] or "").split("/") if part)
    least = form.shown.count("/") - 2
    if not least <= len(parts) <= form.most_parts:
        raise _refused(form, written)
    return Address(hosts=hosts, parts=parts)


def _host(written: str, form: Form, address: str) -> Host:
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]\s]+))(?::(\d{1,5}))?", written)
    port = int(found[3] or form.port) if found else 0
    if not found or not 0 < port < 1 << 16:
        raise _refused(form, address)
    return found[1] or found[2], port


def _refused(form: Form, address: str) -> InvalidParameter:
    return InvalidParameter(
        "address",
        tr("{address!r} is no address of this store", address=address),
        tr("write it as {form}", form=form.shown),
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
