"""Shape of the signals that can be generated."""

from __future__ import annotations

from dataclasses import dataclass

from core import flag, integer, real


@dataclass(frozen=True, kw_only=True)
class SignalShape:
    """The same reads as BLOW5 and POD5."""

    reads: int = integer(4000, low=1, high=10_000_000, scale="log10", help="Reads in each file.")
    median_length: int = integer(
        14_000,
        low=1,
        high=10_000_000,
        scale="log10",
        unit="samples",
        help="Median length of a read; lengths are log-normal.",
    )
    spread: float = real(
        0.5,
        low=0,
        high=3,
        help="Standard deviation of the logarithm of the lengths; 0 makes all equally long.",
    )
    variants: bool = flag(
        True, help="Write BLOW5 with zlib and without compression too, not with zstd alone."
    )
    seed: int = integer(1, low=0, high=2**31 - 1, help="Seed of all signals and names.")
