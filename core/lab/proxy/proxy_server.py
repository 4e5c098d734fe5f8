"""The proxy's own process: `python -P -m core.lab.proxy.proxy_server SETTINGS`, a line of JSON.

One process, so that the count of requests and the token bucket are exact.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from dataclasses import dataclass

from core.lab.proxy.line import Link
from core.lab.proxy.proxy_connection import ProxyClient
from core.lab.proxy.shared import Shared, TokenBucket


@dataclass(frozen=True, kw_only=True)
class ProxySettings:
    """What one proxy does; 0 = no limit."""

    port: int
    status_port: int
    host_of: str
    port_of: int
    latency: float = 0.0
    jitter: float = 0.0
    rate: float = 0.0
    burst: int = 0
    bandwidth: int = 0
    connections: int = 0

    def shared(self) -> Shared:
        """What all connections of the proxy share."""
        # Half of the latency each way: a round trip is late by all of it.
        links = [
            Link(delay=self.latency / 2, jitter=self.jitter / 2, bandwidth=self.bandwidth)
            for _ in range(2)
        ]
        return Shared(
            upstream=(self.host_of, self.port_of),
            up=links[0],
            down=links[1],
            bucket=TokenBucket(self.rate, self.burst or self.rate / 10) if self.rate else None,
            most=self.connections,
        )


async def serve(settings: ProxySettings) -> None:
    """Serve until SIGTERM."""
    loop = asyncio.get_running_loop()
    shared = settings.shared()

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(json.dumps(shared.counted()).encode())
        writer.close()

    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    host = "127.0.0.1"
    held = (
        await loop.create_server(lambda: ProxyClient(shared), host, settings.port, backlog=1024),
        await asyncio.start_server(tell, host, settings.status_port),
    )
    await ended.wait()
    for server in held:  # the connections that are left end with the process
        server.close()


def main(arguments: list[str]) -> None:
    """Run until told to end."""
    asyncio.run(serve(ProxySettings(**json.loads(arguments[0]))))


if __name__ == "__main__":
    main(sys.argv[1:])
