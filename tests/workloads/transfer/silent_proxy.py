"""A proxy before a server that lets some uploads through, and then says nothing to any other."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count


class _Proxy:
    def __init__(self, uploads: int, port: int) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self._uploads, self._port = uploads, port
        self._seen = count(1)
        self._open: list[socket.socket] = []

    def accept(self) -> None:
        """Take connections until the server is closed."""
        with suppress(OSError):
            while True:
                client, _ = self.server.accept()
                upstream = socket.create_connection(("127.0.0.1", self._port))
                self._open += [client, upstream]
                for forward, ends in ((self._ask, (client, upstream)), (_say, (upstream, client))):
                    threading.Thread(target=forward, args=ends, daemon=True).start()

    def _ask(self, client: socket.socket, upstream: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(1 << 16):
                if data.startswith(b"PUT") and next(self._seen) > self._uploads:
                    return
                upstream.sendall(data)

    def close(self) -> None:
        self.server.shutdown(socket.SHUT_RDWR)
        for one in (self.server, *self._open):
            one.close()


def _say(upstream: socket.socket, client: socket.socket) -> None:
    with suppress(OSError):
        while data := upstream.recv(1 << 16):
            client.sendall(data)
        client.shutdown(socket.SHUT_RDWR)


@contextmanager
def silent_after(uploads: int, port: int) -> Iterator[int]:
    """The proxy's port; requests that are no uploads are always answered."""
    proxy = _Proxy(uploads, port)
    thread = threading.Thread(target=proxy.accept, daemon=True)
    thread.start()
    try:
        yield proxy.server.getsockname()[1]
    finally:
        proxy.close()
        thread.join()
