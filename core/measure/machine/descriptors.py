"""How many descriptors this process has of how many, and whether the machine has room for more."""

from __future__ import annotations

import errno
import os
import resource  # at the top: without descriptors nothing can be imported
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol

from core.measure.machine.machine_room import group_memory, memory_room

_SPARE = 8
"""An operation that failed may have given back so many before anybody looks."""
_MOST_TRIED = 1 << 16
"""Descriptors that are tried one by one where no folder lists them."""
NONE_LEFT = (errno.EMFILE, errno.ENFILE)


class Descriptors(NamedTuple):
    """How many a process has open, and how many it may have."""

    used: int
    limit: int

    @property
    def used_up(self) -> bool:
        """Whether hardly one is left."""
        return self.used + _SPARE >= self.limit


def descriptors() -> Descriptors | None:
    """Those of this process now; None without a limit."""
    limit = descriptor_limit()
    if limit is None:
        return None
    with suppress(OSError):
        if used := os.stat("/proc/self/fd").st_size:  # since Linux 6.2, without opening anything
            return Descriptors(used, limit)
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            return Descriptors(len(os.listdir(folder)) - 1, limit)  # without that of the listing
        except OSError as error:
            if error.errno in NONE_LEFT:
                return Descriptors(limit, limit)
    return Descriptors(sum(map(_is_open, range(min(limit, _MOST_TRIED)))), limit)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def descriptor_limit() -> int | None:
    """How many descriptors a process may have, children too; None without a limit."""
    return limits(resource.RLIMIT_NOFILE)[0]


def limits(kind: int) -> tuple[int | None, int | None]:
    """The soft and the hard limit of this process; None without one, or if it is unknown."""
    try:
        soft, hard = resource.getrlimit(kind)
    except OSError:  # a container may forbid the call
        return None, None
    endless = resource.RLIM_INFINITY
    return (None if soft == endless else soft), (None if hard == endless else hard)


_RESERVE = 0.1
"""Share of all memory that is reserved for other programs and the page cache."""
_GROWTH = 1.5
"""Factor on the memory of the largest ready setting, as it grows while it is measured."""
_OWN_FDS = 128
_FDS_OF_PROCESS = 16
"""Descriptors of this process per child: pipes, output, six for sampling, and shared memory."""


class Room(Protocol):
    def another(self, taken: Sequence[int], processes: int, coming: int) -> bool:
        """`taken`: resident bytes of each that is ready; `processes`: with the next one.

        `coming`: how many are not ready yet, the next one among them.
        """


class MachineRoom:
    """The room on this machine; if it is unknown, there is room."""

    def another(self, taken: Sequence[int], processes: int, coming: int) -> bool:
        """Whether memory and descriptors are left for one more."""
        limit = descriptor_limit()
        if limit is not None and _OWN_FDS + _FDS_OF_PROCESS * processes > limit:
            return False
        available, whole = memory_room()
        if (group := group_memory()) is not None:
            available, whole = min(available, group.available), min(whole, group.whole)
        return bool(available - _RESERVE * whole > _GROWTH * max(taken, default=0) * coming)


def resident(pids: Sequence[int]) -> int:
    """Resident bytes of these processes; ended ones count 0."""
    import psutil

    total = 0
    for pid in pids:
        with suppress(psutil.Error):
            total += psutil.Process(pid).memory_info().rss
    return total
