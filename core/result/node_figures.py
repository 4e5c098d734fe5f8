"""What stays visible of each node of a trial that ran on several machines."""

from __future__ import annotations

import msgspec

from core.language.sanitise import Cores, Finite, Name, Natural


class NodeFigures(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One node of a trial; its workers are those of its processes."""

    address: Name
    """Of its Dask worker."""
    host: Name
    machine: Name
    """The same for nodes on one machine."""
    cores: Cores
    first_process: Natural
    processes: Natural
    """Its processes are so many, from the first on."""
    ended: str
    """How its part of the trial ended, or why it was lost."""
    ahead: Finite = 0.0
    """Seconds that its monotonic clock was ahead of the coordinator's."""
    uncertainty: Finite = 0.0
    """By how much that may be wrong: half of the shortest round trip."""
    late: Finite | None = None
    """Seconds from the agreed start to the start of its first worker; None if none started."""
    operations: Natural = 0
    p50: Natural = 0
    """Nanoseconds; 0 where too few operations were timed."""
    p99: Natural = 0
    peak_rss: Natural | None = None
    fds: Natural | None = None
    """Most open files of its processes."""
    network: str = ""
    """Type of the file system of the dataset there, if it is one of a network."""
    sent: Natural = 0
    """Bytes of its messages."""
