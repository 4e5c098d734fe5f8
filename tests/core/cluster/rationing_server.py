"""A store whose limits are known: a program that rations its answers, to all and to each node.

Every answer takes as long at least.  Two token buckets let requests through, each as many a second
as its limit says and a few at once after a pause: one is of all nodes together, and one of each.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import defaultdict
from hashlib import sha256

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


if __name__ == "__main__":
    asyncio.run(main())
