"""Shape of the signals that can be generated."""

from __future__ import annotations

from dataclasses import dataclass

from core import flag, integer, real
from workloads.shared.lengths import usual_sum

_PACKED = 0.83  # bytes of a sample that is compressed, in each format
_FIELDS = 150  # bytes of a read's other fields


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

    @property
    def room(self) -> int:
        """About how many bytes on disk all files take."""
        samples = usual_sum(self.reads, self.median_length, self.spread)
        files = 4 if self.variants else 2
        each = 3 * _PACKED + 2 if self.variants else 2 * _PACKED
        return round(each * samples + files * _FIELDS * self.reads)
