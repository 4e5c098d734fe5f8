"""A proxy before a server that does to some requests what networks and busy servers do."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Literal

type Act = Literal["pass", "silence", "drop", "refuse"]
type Acts = Callable[[int], Act]
"""What becomes of an upload, by its number from 1."""

_REFUSAL = (
    b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
)
_SLOW_DOWN = (
    b"HTTP/1.1 503 Slow Down\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(_REFUSAL)
) + _REFUSAL


class _Proxy:
    def __init__(self, port: int, acts: Acts, cut_after: int) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self._port, self._acts, self._left = port, acts, cut_after
        self._numbers = count(1)
        self._open: list[socket.socket] = []

    def accept(self) -> None:
        """Take connections until the server is closed."""
        with suppress(OSError):
            while True:
                client, _ = self.server.accept()
                upstream = socket.create_connection(("127.0.0.1", self._port))
                self._open += [client, upstream]
                for forward in (self._ask, self._say):
                    thread = threading.Thread(target=forward, args=(client, upstream), daemon=True)
                    thread.start()

    def _ask(self, client: socket.socket, upstream: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(1 << 16):
                act = self._acts(next(self._numbers)) if data.startswith(b"PUT") else "pass"
                if act == "silence":
                    return
                if act == "refuse":
                    client.sendall(_SLOW_DOWN)
                if act != "pass":
                    break
                upstream.sendall(data)
        _hang_up(client, upstream)

    def _say(self, client: socket.socket, upstream: socket.socket) -> None:
        with suppress(OSError):
            while data := upstream.recv(1 << 16):
                before, self._left = self._left, self._left - len(data)
                if before > 0 >= self._left:
                    client.sendall(data[:before])
                    break
                client.sendall(data)
        _hang_up(client, upstream)

    def close(self) -> None:
        for one in (self.server, *self._open):
            _hang_up(one)
            one.close()


def _hang_up(*sockets: socket.socket) -> None:
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


@contextmanager
def faulty(port: int, acts: Acts = lambda number: "pass", cut_after: int = 0) -> Iterator[int]:
    """The proxy's port.  After `cut_after` bytes of all answers one connection is cut, if not 0."""
    proxy = _Proxy(port, acts, cut_after)
    thread = threading.Thread(target=proxy.accept, daemon=True)
    thread.start()
    try:
        yield proxy.server.getsockname()[1]
    finally:
        proxy.close()
        thread.join()
