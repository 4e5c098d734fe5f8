"""How long a thread was ready to run but had no core, by the kernel's account."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple


class RunQueue:
    """The waits of the thread that makes this, if the kernel reports them."""

    def __init__(self) -> None:
        try:
            self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self._file = -1

    def nanoseconds(self) -> int:
        """Since the thread began; 0 if unknown."""
        # On a core, in the queue for one (both ns), time slices; empty without accounting.
        fields = os.pread(self._file, 64, 0).split() if self._file >= 0 else []
        return int(fields[1]) if len(fields) == 3 else 0

    @property
    def known(self) -> bool:
        """Whether the kernel keeps such accounts at all: a thread that runs was on a core."""
        return self._file >= 0 and os.pread(self._file, 64, 0).split()[:1] not in ([], [b"0"])

    def close(self) -> None:
        """Close the kernel's file."""
        if self._file >= 0:
            os.close(self._file)


class Waits(NamedTuple):
    """What a thread has waited since it began."""

    queued: int
    """For a core, in ns; 0 if unknown."""
    times: int
    """How often it gave its core up to wait for something else; 0 if unknown."""


class WaitsOfAll(NamedTuple):
    """The same of all threads of some processes."""

    queued: int
    times: int
    computing: int
    """How many of them ran at least a tenth as long as the busiest."""


NO_WAITS = Waits(0, 0)


def waits_so_far() -> Waits:
    """Of this thread; no file is left open, as the open files of a trial are one of its figures."""
    queue = RunQueue()
    queued = queue.nanoseconds()
    queue.close()
    return Waits(queued, resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw if _LINUX else 0)


_LINUX = sys.platform == "linux"


def waits_of(pids: Iterable[int]) -> WaitsOfAll | None:
    """Those of all threads that these processes have now; None where the kernel reports none.

    Threads that run less than a tenth as long as the busiest only give the others their work: how
    often they wait is not counted.
    """
    threads = [one for pid in pids for one in _threads_of(pid)]
    if not any(one.running for one in threads):
        return None
    busy = max(one.running for one in threads) / _BUSIEST
    return WaitsOfAll(
        queued=sum(one.queued for one in threads),
        times=sum(one.times for one in threads if one.running >= busy),
        computing=sum(one.running >= busy for one in threads),
    )


_BUSIEST = 10


class _Thread(NamedTuple):
    running: int
    queued: int
    times: int


def _threads_of(pid: int) -> Iterator[_Thread]:
    folder = Path(f"/proc/{pid}/task")
    with suppress(OSError):  # it has ended
        for thread in os.listdir(folder):
            with suppress(OSError, ValueError):
                running, queued, _ = map(int, (folder / thread / "schedstat").read_bytes().split())
                status = (folder / thread / "status").read_bytes()
                times = int(status.rpartition(b"\nvoluntary_ctxt_switches:")[2].split()[0])
                yield _Thread(running, queued, times)


@cache
def waits_are_known() -> bool:
    """Whether the kernel reports them."""
    queue = RunQueue()
    counts = queue.known
    queue.close()
    return counts
