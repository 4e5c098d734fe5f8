"""Latency histograms: integer counts in log-linear buckets, and the figures in them.

Only this module defines the buckets. Each whole value below 128 ns has a separate bucket; above,
every octave is divided into 64. So every bucket is at most 1/64 (1.6 %) of its value wide. The
scheme is that of HdrHistogram (Tene, 2012) with 6 bits per octave.

numpy is imported when `count_into` is called.
"""

from __future__ import annotations

import math
import operator
import struct
import zlib
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TooMuchError(zlib.error):
    """More is packed than the limit allows."""


def inflated(packed: bytes, most: int) -> bytes:
    """The unpacked bytes; raises zlib.error, which `TooMuchError` is too."""
    return inflated_with_rest(packed, most)[0]


def inflated_with_rest(packed: bytes, most: int) -> tuple[bytes, bytes]:
    """The unpacked bytes, and the bytes behind the packed ones; raises zlib.error."""
    stream = zlib.decompressobj()
    content = stream.decompress(packed, most + 1)
    if len(content) > most:
        raise TooMuchError(f"more than {most:,} bytes are packed in it")
    if not stream.eof:
        raise zlib.error("it is cut short")
    return content, stream.unused_data


SUB_BITS = 6
SUB_BUCKETS = 1 << SUB_BITS
_WHOLE = 2 * SUB_BUCKETS  # ns; below, each whole value has its bucket
LARGEST = (1 << 50) - 1  # ns, 13 days; longer operations count as this long

MOST_COUNTED = 1 << 50  # operations in a bucket; sums over thousands of trials fit into 64 bits

PERCENTILES = (50.0, 90.0, 95.0, 99.0, 99.9, 99.99)
ENOUGH_ABOVE = 10
_UNPACKED = 1024  # histograms in the cache, some 3 kB each; a session of a day has more trials
_SURE = 1.96  # standard errors on either side of a 95 % interval


def bucket_of(value: int) -> int:
    """Index of the bucket that holds `value` ns; above `LARGEST` the last one.

    Raises ValueError below 0.
    """
    if value < _WHOLE:
        if value < 0:
            raise ValueError(f"a duration cannot be negative: {value} ns")
        return value
    if value > LARGEST:  # noqa: PLR1730 -- a call takes longer, and meters count in front of others
        value = LARGEST
    octave = value.bit_length() - (SUB_BITS + 1)
    return (octave << SUB_BITS) + (value >> octave)


BUCKETS = bucket_of(LARGEST) + 1


def bounds(index: int) -> tuple[int, int]:
    """Smallest and largest whole ns that bucket `index` holds. ValueError outside 0…BUCKETS-1."""
    if not 0 <= index < BUCKETS:
        raise ValueError(f"bucket {index} is not one of 0…{BUCKETS - 1}")
    if index < 2 * SUB_BUCKETS:
        return index, index
    octave = (index >> SUB_BITS) - 1
    first = (index & (SUB_BUCKETS - 1)) + SUB_BUCKETS
    return first << octave, ((first + 1) << octave) - 1


def count_into(durations: NDArray[np.int64], counts: NDArray[np.int64], weight: int = 1) -> None:
    """Add `durations` (1-D, ns) to `counts` (BUCKETS long) in place, each where `bucket_of` says.

    Each counts for `weight` operations.

    The bucket comes from the bits of the value as a double: exponent and the six highest bits of
    the mantissa are adjacent and give the index up to a constant. Exact below 2**53 ns.

    Raises ValueError for a negative duration or counts of another length.
    """
    import numpy as np

    if counts.shape != (BUCKETS,):
        raise ValueError(f"expected {BUCKETS} counts, got shape {counts.shape}")
    index = durations.astype(np.float64).view(np.int64)
    index >>= 52 - SUB_BITS
    index -= ((1023 + SUB_BITS) << SUB_BITS) - SUB_BUCKETS
    # Below 64 the bits give less than the value, and the value is the index.
    np.maximum(index, np.minimum(durations, SUB_BUCKETS), out=index)
    np.minimum(index, BUCKETS - 1, out=index)
    counts += weight * np.bincount(index, minlength=BUCKETS)


def count_each(durations: Iterable[int], counts: memoryview, weight: int = 1) -> None:
    """Like `count_into`, but without numpy, which is faster for few durations."""
    for duration, times in Counter(durations).items():
        counts[bucket_of(duration)] += weight * times


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many operations took how long: only the buckets that hold any, a hundred or so."""

    buckets: Sequence[int]
    """Their indexes, ascending."""
    counts: Sequence[int]
    """Operations in each of them."""

    @classmethod
    def of(cls, counts: NDArray[np.int64]) -> Histogram:
        """From the counts of all buckets (BUCKETS long), as a trial's shared counters hold them.

        Raises ValueError for counts of another length or below 0.
        """
        if counts.shape != (BUCKETS,):
            raise ValueError(f"expected {BUCKETS} counts, got shape {counts.shape}")
        if counts.min() < 0:
            raise ValueError("a count cannot be negative")
        (filled,) = counts.nonzero()
        return cls(array("H", filled.tolist()), array("Q", counts[filled].tolist()))

    @property
    def total(self) -> int:
        return sum(self.counts)


def merged(histograms: Iterable[Histogram]) -> Histogram:
    """Sum histograms bucket by bucket. Exact: the buckets are the same everywhere.

    Percentiles themselves cannot be merged.
    """
    sums = [0] * BUCKETS
    for one in histograms:
        for bucket, count in zip(one.buckets, one.counts, strict=True):
            sums[bucket] += count
    filled = [bucket for bucket, count in enumerate(sums) if count]
    return Histogram(array("H", filled), array("Q", [sums[bucket] for bucket in filled]))


@dataclass(frozen=True, kw_only=True)
class Percentile:
    """`value` in ns lies within the bucket `low`…`high`.

    `resolvable` is False if chance decides the value.
    """

    percent: float
    value: float
    low: int
    high: int
    resolvable: bool


def resolves(sample: float, percent: float) -> bool:
    """Whether a sample of that many operations has at least ten above a percentile.

    The number beyond a quantile is Poisson-distributed. With fewer than ten, its share is uncertain
    by more than a third and the value is that of single operations; so p99.99 needs 100,000
    operations.
    Source: Coles, "Extreme Values" (2001), §7.
    """
    # Rounded, because with floats 0.01 % of 100,000 is 9.999999999998899.
    return round(sample * (100.0 - percent) / 100.0, 6) >= ENOUGH_ABOVE


def percentile(
    histogram: Histogram, percent: float, sample: float | None = None
) -> Percentile | None:
    """The smallest duration that at least `percent` of all operations did not exceed.

    None without operations.

    `sample`: how many operations it is based on, if not each was timed.  The value is the middle of
    its bucket, at most 0.8 % off.
    Resolvable: the sample `resolves` it, and its 95 % interval is at most half the value.  If one
    operation in 1,000 stalls, p99.9 lies on the edge between both kinds, and chance decides on
    which side it is in a sample.

    Raises ValueError for a percent outside 0…100.
    Sources: nearest rank, Hyndman & Fan, "Sample quantiles in statistical packages", American
    Statistician 50 (1996), definition 1; the interval by ranks, Hahn & Meeker, "Statistical
    Intervals" (1991), §5.2, with the normal approximation to the binomial.
    """
    if not 0.0 <= percent <= 100.0:
        raise ValueError(f"a percentile lies between 0 and 100, not {percent}")
    below = list(accumulate(histogram.counts))
    if not below or not below[-1]:
        return None
    size = below[-1] if sample is None else sample
    low, high = _bucket_at(histogram, below, percent)
    value = (low + high) / 2.0
    share = percent / 100.0
    half = 100.0 * _SURE * math.sqrt(share * (1.0 - share) / size)
    least, _ = _bucket_at(histogram, below, max(percent - half, 0.0))
    _, most = _bucket_at(histogram, below, min(percent + half, 100.0))
    return Percentile(
        percent=percent,
        value=value,
        low=low,
        high=high,
        resolvable=resolves(size, percent) and most - least <= max(value / 2.0, high - low),
    )


def _bucket_at(histogram: Histogram, below: Sequence[int], percent: float) -> tuple[int, int]:
    """Bounds of the bucket that reaches `percent`; `below`: cumulative sums of the counts."""
    # Rounded first: 99.99 % of 100,000 is 99,990, but 99,990.00000000001 with floats.
    rank = max(1, math.ceil(round(below[-1] * percent / 100.0, 6)))
    return bounds(histogram.buckets[bisect_left(below, rank)])


def to_bytes(histogram: Histogram) -> bytes:
    """Pack it for storage: zlib over little-endian (index: u16, count: u64) pairs."""
    pairs = map(_PAIR.pack, histogram.buckets, histogram.counts)
    return zlib.compress(b"".join(pairs))


@lru_cache(maxsize=_UNPACKED)
def from_bytes(packed: bytes) -> Histogram:
    """Undo `to_bytes`. Raises ValueError if the bytes are not what it wrote.

    The latest are cached: a table asks each trial for one percentile after the other.
    """
    try:
        pairs = list(_PAIR.iter_unpack(inflated(packed, BUCKETS * _PAIR.size)))
    except (zlib.error, struct.error) as error:
        raise ValueError(f"not a packed histogram: {error}") from error
    buckets = array("H", [bucket for bucket, _ in pairs])
    if not all(map(operator.lt, buckets, buckets[1:])):
        raise ValueError("not a packed histogram: its buckets do not ascend")
    if buckets and buckets[-1] >= BUCKETS:
        raise ValueError(f"not a packed histogram: bucket {buckets[-1]} of {BUCKETS}")
    return Histogram(buckets, array("Q", [count for _, count in pairs]))


_PAIR = struct.Struct("<HQ")


@dataclass(frozen=True, kw_only=True)
class Latencies:
    """How long operations took; covers only operations that were timed one by one."""

    histogram: Histogram
    """A timed operation counts for all operations that it stands for."""
    squares: int
    """Sum of squares of how many each timed one stands for; if all were timed, their number."""

    @classmethod
    def together(cls, parts: Iterable[Latencies]) -> Latencies:
        several = list(parts)
        return cls(
            histogram=merged(one.histogram for one in several),
            squares=sum(one.squares for one in several),
        )

    @property
    def sample(self) -> float:
        """How many operations would give the same information if each were timed.

        Source: Kish, "Survey Sampling" (1965), §11.7 (effective size of a weighted sample).
        """
        total = self.histogram.total
        return total * total / self.squares if self.squares > 0 else 0.0

    def percentile(self, percent: float) -> Percentile | None:
        """A percentile; None if the timed operations are not enough for it."""
        sample = self.sample
        if not resolves(sample, percent):
            return None
        estimate = percentile(self.histogram, percent, sample)
        return estimate if estimate is not None and estimate.resolvable else None

    def seconds(self, quantile: float) -> float | None:
        """Seconds within which that share of the operations ended; None if not resolvable."""
        estimate = self.percentile(100.0 * quantile)
        return estimate.value / 1e9 if estimate else None

    @property
    def longest(self) -> float | None:
        """Seconds of the longest operation, at most 0.8 % off; None unless each was timed."""
        histogram = self.histogram
        if not histogram.total or self.squares != histogram.total:
            return None
        return sum(bounds(histogram.buckets[-1])) / 2e9

    def percentiles(self, percents: Sequence[float] = PERCENTILES) -> tuple[Percentile, ...]:
        """Several percentiles in the same order, without those that are not resolvable."""
        estimates = map(self.percentile, percents)
        return tuple(one for one in estimates if one is not None)


def longest(parts: Sequence[Latencies | None], quantile: float) -> float | None:
    """The longest time, in seconds, within which that share ended in any of several trials.

    If it is not resolvable in each trial, the time of all trials together; None if that is not
    resolvable either, or if a trial has no latencies.
    """
    recorded = [one for one in parts if one is not None]
    if not recorded or len(recorded) < len(parts):
        return None
    times = [time for one in recorded if (time := one.seconds(quantile)) is not None]
    if len(times) == len(recorded):
        return max(times)
    return Latencies.together(recorded).seconds(quantile)
