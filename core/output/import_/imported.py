"""A measurement by another program."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """Throughputs of one configuration, comparable with those of a result."""

    label: str
    unit: str
    """What is counted, in the singular: `run`, `operation`, `byte`."""
    values: tuple[float, ...]
    """Units per second, one value for each repetition; none where the measurement is not valid."""
    source: str
    """The program and, where it tells, its version."""
    ending: str = "completed"
    parameters: Mapping[str, str] = {}
    """Values that set it apart from others of the same scan."""
    latencies: Mapping[str, float] = {}
    """Seconds by percentile, such as `p99`, in which that share of the operations ended."""
    reads: bool = True
    """False for what only wrote, or did both."""
    cold: bool = False
    """Whether its files were taken out of the page cache, or past it."""
