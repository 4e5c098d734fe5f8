"""A store whose limits are known, and `rationed:Rationed`, a workload that reads from it.

The store is this file as a program.  Every answer takes as long at least.  Two token buckets let
requests through, each as many a second as its limit says and a few at once after a pause: one is of
all nodes together, and one of each.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, override

from core import Context, Job, Step, Workload, integer

LATENCY = 0.028
RATE = 100.0
"""Answers a second to all nodes together."""
RATE_OF_NODE = 50.0
"""To each of them."""
_SAVED = 0.02
"""Seconds for which an unused bucket saves tokens."""


def answer_to(item: int) -> bytes:
    """What the store holds."""
    return sha256(item.to_bytes(8)).digest()


class Bucket:
    """Lets so many through each second."""

    def __init__(self, rate: float) -> None:
        self._each = 1 / rate
        self._next = 0.0

    def take(self, now: float) -> float:
        """When the next token is there."""
        self._next = max(self._next, now - _SAVED) + self._each
        return self._next


class RationingServer:
    """Answers each line `NODE ITEM` with the item's 32 bytes."""

    def __init__(self) -> None:
        self._all = Bucket(RATE)
        self._nodes = defaultdict[bytes, Bucket](lambda: Bucket(RATE_OF_NODE))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until it is closed."""
        while line := await reader.readline():
            node, item = line.split()
            now = time.monotonic()
            at = max(now + LATENCY, self._nodes[node].take(now), self._all.take(now))
            await asyncio.sleep(at - now)
            writer.write(answer_to(int(item)))
        writer.close()


async def main() -> None:
    server = await asyncio.start_server(RationingServer().serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)  # until nobody holds it any more


ITEMS = 1000
_SIZE = len(answer_to(0))


@dataclass(frozen=True, kw_only=True)
class RationedParameters:
    port: int = integer(1, low=1, high=65535, help="Where the store listens on this machine.")


class RationedJob(Job[int, bytes]):
    def __init__(self, port: int) -> None:
        self.items = range(ITEMS)
        self._port = port
        self._node = Path.home().name
        """Dask workers of tests have a home each."""

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        with (
            socket.create_connection(("127.0.0.1", self._port)) as store,
            store.makefile("rb") as answers,
        ):

            def read(item: int) -> bytes:
                store.sendall(f"{self._node} {item}\n".encode())
                return answers.read(_SIZE)

            yield (Step("read", read),)

    @override
    def check(self, item: int, result: bytes) -> str:
        return "" if result == answer_to(item) else "other bytes"


class Rationed(Workload[RationedParameters]):
    name = "rationed"
    unit = "answer"
    parameters = RationedParameters
    dataset_kinds = ("files",)

    @override
    def open(self, context: Context[RationedParameters]) -> Job[Any, Any]:
        return RationedJob(context.parameters.port)


if __name__ == "__main__":
    asyncio.run(main())
