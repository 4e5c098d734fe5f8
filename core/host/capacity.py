"""How many settings fit at once: the memory and descriptors left on this machine."""

from __future__ import annotations

import resource
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

_RESERVE = 0.1
"""Share of all memory that is reserved for other programs and the page cache."""
_GROWTH = 1.5
"""Factor on the memory of the largest ready setting, as it grows while it is measured."""
_OWN_FDS = 128
_FDS_OF_PROCESS = 16
"""Descriptors of this process per child: pipes, output, six for sampling, and shared memory."""
_GROUP = Path("/sys/fs/cgroup")


class Room(Protocol):
    """Says whether one more setting fits beside those that are alive."""

    def another(self, taken: Sequence[int], processes: int, coming: int) -> bool:
        """`taken`: resident bytes of each that is ready; `processes`: with the next one.

        `coming`: how many are not ready yet, the next one among them.
        """


class MachineRoom:
    """The room on this machine; where it is unknown, there is room."""

    def another(self, taken: Sequence[int], processes: int, coming: int) -> bool:
        """Whether memory and descriptors are left for one more."""
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and _OWN_FDS + _FDS_OF_PROCESS * processes > soft:
            return False
        import psutil

        memory = psutil.virtual_memory()
        available, whole = memory.available, memory.total
        if (group := _group()) is not None:
            available, whole = min(available, group[0]), min(whole, group[1])
        return bool(available - _RESERVE * whole > _GROWTH * max(taken, default=0) * coming)


def _group() -> tuple[int, int] | None:
    """Bytes that the control group has left, its page cache included, and its limit."""
    with suppress(OSError, ValueError, KeyError):  # no limit, or no such file
        limit = int((_GROUP / "memory.max").read_text())
        used = int((_GROUP / "memory.current").read_text())
        lines = (_GROUP / "memory.stat").read_text().splitlines()
        stat = {name: int(value) for name, value in map(str.split, lines)}
        return limit - used + stat["file"], limit
    return None


def resident(pids: Sequence[int]) -> int:
    """Resident bytes of these processes; ended ones count 0."""
    import psutil

    found = 0
    for pid in pids:
        with suppress(psutil.Error):
            found += psutil.Process(pid).memory_info().rss
    return found
