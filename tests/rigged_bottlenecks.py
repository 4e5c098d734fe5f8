"""Workloads that are held up by one known thing each, for the diagnosis to name.

They are reached as `rigged_bottlenecks:Class`.  Being rigs of the harness's own tests they may do
what workloads must not: sleep, and look at the clock.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import random
import resource
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, override
from urllib.parse import urlsplit

from core import Context, Job, Step, Workload, text

_BLOCK = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """No parameters but a note that tells specs apart."""

    note: str = text("", help="Any text.")


class RiggedJob(Job[int, bytes]):
    """Operations on numbers; every result is right."""

    items: Sequence[int] = range(1, 4097)

    def __init__(self, *steps: tuple[str, Callable[[Any], Any]]) -> None:
        self._steps = tuple(Step(name, perform) for name, perform in steps)

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield self._steps

    @override
    def check(self, item: int, result: bytes) -> str:
        return ""


class RiggedWorkload(Workload[Nothing]):
    """What all rigs share."""

    unit = "operation"
    parameters = Nothing
    dataset_kinds = ()

    @override
    def open(self, context: Context[Nothing]) -> Job[Any, Any]:
        return RiggedJob(("work", self.operation(context)))

    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        raise NotImplementedError


class LockedSleep(RiggedWorkload):
    """Every operation waits while it holds a lock that all threads of the process share."""

    name = "locked-sleep"

    @override
    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        lock = threading.Lock()

        def work(item: int) -> bytes:
            with lock:
                time.sleep(0.004)
            return b"x"

        return work


class LockedHash(RiggedWorkload):
    """Every operation computes without the GIL while it holds a lock that all threads share."""

    name = "locked-hash"

    @override
    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        lock, block = threading.Lock(), bytes(32 * _BLOCK)

        def work(item: int) -> bytes:
            with lock:
                return hashlib.sha256(block).digest()

        return work


class PythonDecode(RiggedWorkload):
    """Decodes in Python, byte by byte."""

    name = "python-decode"

    @override
    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        packed = bytes(range(256)) * 8

        def work(item: int) -> bytes:
            return bytes((byte * 7 + item) & 255 for byte in packed)

        return work


class SleepingDevice(RiggedWorkload):
    """Waits as for a disk that serves any number of requests at once."""

    name = "sleeping-device"

    @override
    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        def work(item: int) -> bytes:
            time.sleep(0.005)
            return b"x"

        return work


class ManyFiles(RiggedWorkload):
    """Opens files and never closes them, under a low limit."""

    name = "many-files"

    @override
    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
        place, held = context.dataset.path, []

        def work(item: int) -> bytes:
            held.append(place.open("rb"))
            return b"x"

        return work


class PinnedHash(RiggedWorkload):
    """Hashes without the GIL on the one core it is pinned to."""

    name = "pinned-hash"

    @override
    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        block = bytes(_BLOCK)
        return lambda item: hashlib.sha256(block).digest()


class FreeHash(RiggedWorkload):
    """Hashes without the GIL on all cores: scales as far as these go."""

    name = "free-hash"

    @override
    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        block = bytes(_BLOCK)
        return lambda item: hashlib.sha256(block).digest()


class TinyOperations(RiggedWorkload):
    """Does next to nothing, so that the harness is most of what is measured."""

    name = "tiny-operations"

    @override
    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        return lambda item: b"x"


class Inflate(RiggedWorkload):
    """Reads little and decompresses much, in steps of their own."""

    name = "inflate"

    @override
    def open(self, context: Context[Nothing]) -> Job[Any, Any]:
        packed = zlib.compress(random.Random(1).randbytes(_BLOCK // 4) * 4, 1)
        return RiggedJob(("read", lambda item: packed), ("decompress", zlib.decompress))


class _Remote(RiggedWorkload):
    """Asks the server at the dataset's URL."""

    @override
    def open(self, context: Context[Nothing]) -> Job[Any, Any]:
        return RemoteJob(urlsplit(context.dataset.location).netloc)


class RemoteJob(RiggedJob):
    """One connection for each worker; what the server turns away is tried again."""

    def __init__(self, server: str) -> None:
        super().__init__()
        self._server = server
        self._lock = threading.Lock()
        self._counted = {"retries": 0.0, "backoff seconds": 0.0}

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        connection = http.client.HTTPConnection(self._server)

        def get(item: int) -> bytes:
            while True:
                connection.request("GET", f"/{item}")
                answer = connection.getresponse()
                body = answer.read()
                if answer.status == 200:
                    return body
                wait = float(answer.headers["Retry-After"])
                with self._lock:
                    self._counted["retries"] += 1
                    self._counted["backoff seconds"] += wait
                time.sleep(wait)

        try:
            yield (Step("get", get),)
        finally:
            connection.close()

    @override
    def counters(self) -> Mapping[str, float]:
        return self._counted


class SlowServer(_Remote):
    """Asks a server that takes its time."""

    name = "slow-server"


class BusyServer(_Remote):
    """Asks a server that turns most requests away."""

    name = "busy-server"


@contextmanager
def serving(delay: float, *, admitted: int = 1) -> Iterator[str]:
    """The URL of a server that waits so long, and admits one request of so many."""
    count = iter(range(10**9))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            time.sleep(delay)
            turned_away = next(count) % admitted != 0
            self.send_response(503 if turned_away else 200)
            if turned_away:
                self.send_header("Retry-After", "0.01")
            self.send_header("Content-Length", "1")
            self.end_headers()
            self.wfile.write(b"x")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


class LeakingReader(RiggedWorkload):
    """Opens a file for each operation, some hundreds a second, and never closes it."""

    name = "leaking-reader"

    @override
    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        kept = []

        def work(item: int) -> bytes:
            time.sleep(0.004)
            kept.append(os.open(os.devnull, os.O_RDONLY))
            return b"x"

        return work
