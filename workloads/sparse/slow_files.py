"""Slow files: a local one that is made slow, a server of ranges on this machine, and real ones."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import override

from core import SluiceError
from workloads.shared.objects import ObjectClient

_PARTIAL = 206


class Delay:
    def __init__(self, latency: float, bandwidth: int) -> None:
        self._latency, self._bandwidth = latency, bandwidth
        self._never = Event()

    def of(self, length: int) -> None:
        """Wait as long as a request for `length` bytes takes."""
        seconds = self._latency + (length / self._bandwidth if self._bandwidth else 0.0)
        if seconds:
            self._never.wait(seconds)


class RangeSource(ABC):
    """Hands out ranges of one file; each worker has its own."""

    @abstractmethod
    def fetch(self, position: int, length: int) -> bytes:
        """The bytes of a range that lies within the file; raises SluiceError, OSError."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""


class SlowFile(RangeSource):
    def __init__(self, path: Path, delay: Delay) -> None:
        self._descriptor = os.open(path, os.O_RDONLY)
        self._delay = delay

    @override
    def fetch(self, position: int, length: int) -> bytes:
        self._delay.of(length)
        return os.pread(self._descriptor, length, position)

    @override
    def close(self) -> None:
        os.close(self._descriptor)


class HttpFile(RangeSource):
    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)

    @override
    def fetch(self, position: int, length: int) -> bytes:
        span = {"Range": f"bytes={position}-{position + length - 1}"}
        self._connection.request("GET", "/", headers=span)
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.status != _PARTIAL:
            raise SluiceError(f"the server answered {answer.status} {answer.reason}")
        return body

    @override
    def close(self) -> None:
        self._connection.close()


class ObjectFile(RangeSource):
    """An object on a server, by a client that all workers share and that others close."""

    def __init__(self, objects: ObjectClient, name: str) -> None:
        self._objects, self._name = objects, name

    @override
    def fetch(self, position: int, length: int) -> bytes:
        return self._objects.get_range(self._name, position, length)

    @override
    def close(self) -> None:
        """Nothing here: the client goes on."""


class RangeServer:
    """Serves ranges of one file on the loopback interface, each after a delay."""

    def __init__(self, path: Path, delay: Delay) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        size = os.fstat(descriptor).st_size

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Header and body in one segment, or the second would wait for an acknowledgement.
            wbufsize = -1
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                span = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
                first, last = map(int, span.groups()) if span else (0, size - 1)
                if first >= size or last < first:
                    self.send_error(416)
                    return
                body = os.pread(descriptor, min(last + 1, size) - first, first)
                delay.of(len(body))
                self.send_response(_PARTIAL)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Content-Range", f"bytes {first}-{first + len(body) - 1}/{size}")
                self.end_headers()
                self.wfile.write(body)

            @override
            def log_message(self, format: str, *args: object) -> None:
                """Print nothing: the output belongs to the engine."""

        self._descriptor = descriptor
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = Thread(
            target=self._server.serve_forever, args=(0.05,), name="range server", daemon=True
        )
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        os.close(self._descriptor)
