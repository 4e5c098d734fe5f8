"""A proxy before a server that does to some requests what networks and busy servers do."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Literal

type Act = Literal["pass", "silence", "drop", "cut", "refuse", "throttle"]
"""`drop` breaks the connection before a request has arrived, `cut` in the middle of it."""
type Acts = Callable[[int], Act]
"""What becomes of a request with the method that is disturbed, by its number from 1."""

_REFUSAL = (
    b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
)
_REST = b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(_REFUSAL) + _REFUSAL
_REFUSALS = {
    "refuse": b"HTTP/1.1 503 Slow Down\r\n" + _REST,
    "throttle": b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\n" + _REST,
}


class _Proxy:
    def __init__(self, port: int, acts: Acts, cut_after: int, method: bytes) -> None:
        self._method = method
        self.server = socket.create_server(("127.0.0.1", 0))
        self._port, self._acts, self._left = port, acts, cut_after
        self._numbers = count(1)
        self._open: list[socket.socket] = []

    def accept(self) -> None:
        """Take connections until the server is closed."""
        with suppress(OSError):
            while True:
                client, _ = self.server.accept()
                try:
                    upstream = socket.create_connection(("127.0.0.1", self._port))
                except OSError:  # as the server, which is gone
                    client.close()
                    continue
                self._open += [client, upstream]
                threading.Thread(target=self._serve, args=(client, upstream), daemon=True).start()

    def _serve(self, client: socket.socket, upstream: socket.socket) -> None:
        answers = threading.Thread(target=self._say, args=(client, upstream), daemon=True)
        answers.start()
        self._ask(client, upstream)
        answers.join()
        for one in (client, upstream):  # else the client could send on into a full buffer
            one.close()

    def _ask(self, client: socket.socket, upstream: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(1 << 16):
                disturbed = data.startswith(self._method + b" ")
                act = self._acts(next(self._numbers)) if disturbed else "pass"
                if act == "silence":
                    return
                if act in _REFUSALS:
                    client.sendall(_REFUSALS[act])
                if act not in ("pass", "cut"):
                    break
                upstream.sendall(data)
                if act == "cut":
                    upstream.sendall(client.recv(1 << 16))
                    break
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
def faulty(
    port: int,
    acts: Acts = lambda number: "pass",
    cut_after: int = 0,
    method: bytes = b"PUT",
) -> Iterator[int]:
    """The proxy's port.  After `cut_after` bytes of all answers one connection is cut, if not 0."""
    proxy = _Proxy(port, acts, cut_after, method)
    thread = threading.Thread(target=proxy.accept, daemon=True)
    thread.start()
    try:
        yield proxy.server.getsockname()[1]
    finally:
        proxy.close()
        thread.join()
