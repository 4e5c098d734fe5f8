"""What the stand-in of Synapse can be told to do, declared once."""

from __future__ import annotations

from dataclasses import dataclass

from core.catalog.parameters import choice, integer, real


@dataclass(frozen=True, kw_only=True)
class SynapseParameters:
    """How far away, how busy and how unreliable the service seems to be; 0 = not at all."""

    store: str = choice(
        "disk",
        options={
            "disk": "A folder, by a storage of its own that can be slow and fail on purpose.",
            "s3": "The lab's S3, at presigned URLs of its own, as the real service has it.",
        },
        help="Where the bytes of files are kept.",
    )
    latency: float = real(
        0.0, low=0.0, high=60.0, unit="seconds", help="Added to every request, before its answer."
    )
    bandwidth: int = integer(
        0,
        low=0,
        high=10**12,
        unit="bytes",
        help="Bytes of files a second in each direction, of all transfers together; 0 = no limit.",
    )
    throttled: float = real(
        0.0,
        low=0.0,
        high=1.0,
        help="Share of the service's requests that are answered with 429 and Retry-After.",
    )
    failing: float = real(
        0.0, low=0.0, high=1.0, help="Share of all requests that are answered with 500."
    )
    unavailable: float = real(
        0.0, low=0.0, high=1.0, help="Share of all requests that are answered with 503."
    )
    dropped: float = real(
        0.0,
        low=0.0,
        high=1.0,
        help="Share of all requests whose connection is cut, those of files in the middle.",
    )
    stalled: float = real(
        0.0,
        low=0.0,
        high=1.0,
        help="Share of the requests of files that stop in the middle and never go on.",
    )
    retry_after: float = real(
        1.0, low=0.0, high=3600.0, unit="seconds", help="What 429 asks the client to wait."
    )
    expiry: float = real(
        900.0,
        low=1.0,
        high=604_800.0,
        unit="seconds",
        help="How long presigned URLs are valid; whole seconds.",
    )
    fault_seed: int = integer(
        1, low=0, high=2**31, help="Faults are drawn from it, so that they can be repeated."
    )
