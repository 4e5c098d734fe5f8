"""What a process's connections to one port have carried, as the kernel counts it: for any client.

Nothing stands in the way of the bytes: open sockets are asked (`TCP_INFO`), and the kernel tells of
each that is destroyed (`NETLINK_SOCK_DIAG`), with its last figures.  So it costs two looks for each
turn, of some microseconds for each open file.  Linux only, from 4.19 on.

Payload of TCP: heads and bodies, with TLS also its own records.  A connection that the server
closes can count one byte more, the kernel's number for its end.
"""

from __future__ import annotations

import ctypes
import os
import select
import socket
import stat
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import NamedTuple, Self

from core import tr

_SOCK_DIAG = 4  # NETLINK_SOCK_DIAG of netlink.h
_DESTROYED = 1 << 0  # the group SKNLGRP_INET_TCP_DESTROY of sock_diag.h, as a bit
_INFO = 2  # INET_DIAG_INFO of inet_diag.h, a struct tcp_info
_ATTACH_FILTER = 26  # SO_ATTACH_FILTER of asm-generic/socket.h
_LONGEST_INFO = 256
_RECEIVED, _SENT, _SENT_AGAIN = 128, 200, 208  # offsets in struct tcp_info, linux/tcp.h
_SEGMENTS, _SEGMENTS_AGAIN = 156, 100  # of data, and of all kinds
_CLOSED_BY_PEER = 8  # its first byte: TCP_CLOSE_WAIT
_HEADER, _PORTS, _PEER, _ATTRIBUTES = 16, 20, 40, 88  # offsets in a message of inet_diag.h
_BUFFER = 1 << 20
_LATE = 0.05
"""Seconds within which the kernel tells of a socket that is closed."""


class Carried(NamedTuple):
    received: int = 0
    sent: int = 0
    connections: int = 0
    """Those that were open at a look."""
    segments: int = 0
    """Sent, with data: one for each request that is a head alone, without TLS."""

    def plus(self, other: Carried) -> Carried:
        return Carried(*map(sum, zip(self, other, strict=True)))

    def minus(self, other: Carried) -> Carried:
        return Carried(*(own - of_other for own, of_other in zip(self, other, strict=True)))


class Connections:
    """The connections of this process to servers on one port."""

    def __init__(self, host: str, port: int, *, alone: bool) -> None:
        """`alone`: no other process of the trial has connections to them.

        Raises OSError where the kernel does not tell.
        """
        _require_counts()
        self._port, self._alone = port, alone
        self._lost = ""
        self._open: dict[int, Carried] = {}
        """By the local port."""
        self._untold: set[int] = set()
        """Ports of those that are closed, of which the kernel has not told: not of one that the
        client has reset."""
        self._peers = {_plain(ip_address(address)) for address in _addresses_of(host)}
        self._told: set[int] = set()
        """Ports of those that are closed, of which it has told."""
        self._ended = Carried()
        self._foreign: set[int] = {*_owned_by_port(port)}
        """Ports of connections that others had to such servers at the last look: of trials that
        close by themselves while the next one is measured."""
        self._news = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG)
        try:
            _pass_only(self._news, port)
            self._news.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
            self._news.bind((0, _DESTROYED))
            self._news.setblocking(False)
            self._before = self._look()
        except BaseException:
            self._news.close()
            raise

    def carried(self) -> Carried:
        """All since the beginning; raises OSError where some of it is not known any more."""
        total = self._look()
        if self._lost:
            raise OSError(self._lost)
        return total.minus(self._before)

    def _look(self) -> Carried:
        self._take_news()
        owned = _owned_by_port(self._port)
        now = dict(self._now())
        self._told &= owned.keys() - now.keys()
        # One without an owner may be this process's own, closed just now and not yet told of.
        closing = {port for port, is_owned in owned.items() if not is_owned} - self._foreign
        gone = (self._open.keys() | closing) - now.keys() - self._told
        while gone - self._untold and select.select([self._news], [], [], _LATE)[0]:
            self._take_news()
            gone -= self._told
        self._untold = gone
        for port in gone & self._open.keys():
            now[port] = self._open[port]
        self._open = now
        self._foreign = owned.keys() - now.keys() - closing
        total = self._ended
        for one in now.values():
            total = total.plus(one)
        return total

    def _now(self) -> Iterator[tuple[int, Carried]]:
        for name in os.listdir("/proc/self/fd"):
            with suppress(OSError):  # it is closed meanwhile, or no connection
                if not stat.S_ISSOCK(os.fstat(fd := int(name)).st_mode):
                    continue
                one = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=fd)
                try:
                    peer = one.getpeername()
                    if not isinstance(peer, tuple) or peer[1] != self._port:
                        continue
                    info = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _LONGEST_INFO)
                    self._peers.add(_plain(ip_address(peer[0].partition("%")[0])))
                    yield one.getsockname()[1], _carried(info)
                finally:
                    one.detach()  # it is the client's

    def _take_news(self) -> None:
        try:
            while True:
                self._take(self._news.recv(1 << 16))
        except BlockingIOError:
            return
        except OSError:  # ENOBUFS
            self._lost = tr("more connections were closed than the kernel could tell of")

    def _take(self, message: bytes) -> None:
        (port,) = struct.unpack_from(">H", message, _PORTS)
        size = 4 if message[_HEADER] == socket.AF_INET else 16
        peer = _plain(ip_address(message[_PEER : _PEER + size]))
        self._told.add(port)
        known = self._open.pop(port, None)
        if known is None and (peer not in self._peers or port in self._foreign):
            return  # another program's
        if known is None and not self._alone:
            self._lost = tr("a connection was closed unseen, and several processes have some")
            return
        carried = _carried(_info_in(message))
        # A helper of Sluice's may have opened and closed it while the clock stood still.
        self._ended = self._ended.plus(carried if known else carried._replace(connections=0))

    def close(self) -> None:
        self._news.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _pass_only(news: socket.socket, port: int) -> None:
    """Have the kernel drop news of sockets whose peers have another port (bpf of filter.h)."""
    load, equal, give = 0x28, 0x15, 0x06  # BPF_LD | H | ABS, BPF_JMP | JEQ | K, BPF_RET | K
    steps = ((load, 0, 0, _PORTS + 2), (equal, 0, 1, port), (give, 0, 0, 1 << 16), (give, 0, 0, 0))
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    address = ctypes.addressof(program)
    news.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, struct.pack("HxxxxxxP", len(steps), address))


def _plain(address: IPv4Address | IPv6Address) -> str:
    """That of IPv4 also where a socket of IPv6 has it."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)


def _info_in(message: bytes) -> bytes:
    at = _ATTRIBUTES
    while at + 4 <= len(message):
        length, kind = struct.unpack_from("HH", message, at)
        if kind == _INFO:
            return message[at + 4 : at + length]
        at += max(4, (length + 3) & ~3)
    return b""


def _owned_by_port(port: int) -> dict[int, bool]:
    """The local ports of all connections to that port, and whether some program has them open."""
    ports = {}
    for name in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
                _, here, there, _, _, _, _, _, _, inode, *_ = line.split()
                if int(there.rpartition(":")[2], 16) == port:
                    ports[int(here.rpartition(":")[2], 16)] = inode != "0"
    return ports


def _addresses_of(host: str) -> set[str]:
    """Those known beforehand; a client may be led to others."""
    with suppress(OSError):
        return {str(one[4][0]).partition("%")[0] for one in socket.getaddrinfo(host, None)}
    return set()


def _require_counts() -> None:
    if sys.platform != "linux":
        raise OSError(tr("only Linux tells of sockets"))
    with socket.socket() as probe:
        info = probe.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _LONGEST_INFO)
    if len(info) < _SENT_AGAIN + 8:
        raise OSError(tr("this kernel does not count the bytes of a connection"))


def _carried(info: bytes) -> Carried:
    received, sent, again = (
        struct.unpack_from("Q", info, at)[0] for at in (_RECEIVED, _SENT, _SENT_AGAIN)
    )
    segments, repeated = (
        struct.unpack_from("I", info, at)[0] for at in (_SEGMENTS, _SEGMENTS_AGAIN)
    )
    return Carried(received - (info[0] == _CLOSED_BY_PEER), sent - again, 1, segments - repeated)
