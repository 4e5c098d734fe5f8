"""A web server of ranges of one file that counts what GDAL asks it, and can be hostile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import override

_PARTIAL, _ALL, _MOVED = 206, 200, 302


class RangeServer(ThreadingHTTPServer):
    """Answers every path with the same bytes, until it is told to be hostile."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, content: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.content, self.fault = content, ""
        self.requests = self.bodies = 0
        self.over, self.lock = Event(), Lock()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/raster.tif"

    def reset(self) -> None:
        self.requests = self.bodies = 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # header and body in one segment
    disable_nagle_algorithm = True
    server: RangeServer

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        server, fault = self.server, self.server.fault
        if fault.isdigit():
            self.send_error(int(fault))
            return
        if fault == "loop":
            self.send_response(_MOVED)
            self.send_header("Location", self.path)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        size = len(server.content)
        span = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        ranged = span is not None and fault != "whole"
        first = int(span[1]) if span and ranged else 0
        last = min(int(span[2] or size), size - 1) if span and ranged else size - 1
        if fault == "other range":
            first, last = first + 100, last + 100
        part = server.content[first : last + 1]
        self.send_response(_PARTIAL if ranged else _ALL)
        self.send_header("Content-Length", str(len(part)))
        self.send_header("Accept-Ranges", "bytes")
        if ranged:
            self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{size}")
        self.end_headers()
        if not body:
            part = b""
        self._count(part)
        if fault == "cut":
            self.wfile.write(part[: len(part) // 2])
            self.close_connection = True
        elif fault == "slow" and body:
            server.over.wait()
        else:
            self.wfile.write(part)

    def _count(self, part: bytes) -> None:
        if not self.headers.get("User-Agent", "").startswith("GDAL"):
            return  # of those who judge
        with self.server.lock:
            self.server.requests += 1
            self.server.bodies += len(part)

    def handle(self) -> None:
        with suppress(ConnectionError):  # a client that does not wait for the rest
            super().handle()

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@contextmanager
def serving(content: bytes) -> Iterator[RangeServer]:
    server = RangeServer(content)
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
