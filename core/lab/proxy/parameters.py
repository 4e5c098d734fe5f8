"""What the proxy can be told to do, declared once."""

from __future__ import annotations

from dataclasses import dataclass

from core.catalog.parameters import integer, real, text


@dataclass(frozen=True, kw_only=True)
class ProxyParameters:
    """How far away and how busy the server behind the proxy seems to be; 0 = no limit."""

    of: str = text("", help="What it stands in front of: a server of the lab, or HOST:PORT.")
    latency: float = real(
        0.0, low=0.0, high=60.0, unit="seconds", help="Added to every round trip, half each way."
    )
    jitter: float = real(
        0.0, low=0.0, high=60.0, unit="seconds", help="By which the latency differs, at most."
    )
    rate: float = real(
        0.0,
        low=0.0,
        high=1e6,
        unit="requests/s",
        help="Requests a second above which HTTP is answered with 503 SlowDown; 0 = no limit.",
    )
    burst: int = integer(
        0,
        low=0,
        high=10**6,
        unit="requests",
        help="Requests that may come at once; 0 = those of a tenth of a second.",
    )
    bandwidth: int = integer(
        0,
        low=0,
        high=10**12,
        unit="bytes",
        help="Bytes a second in each direction, of all connections together; 0 = no limit.",
    )
    connections: int = integer(
        0,
        low=0,
        high=10**5,
        unit="connections",
        help="Connections at a time above which more are closed at once; 0 = no limit.",
    )
