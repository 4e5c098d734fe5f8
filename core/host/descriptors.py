"""Whether this process has run out of descriptors, which libraries say in words of their own.

SQLite is "unable to open database file", htslib "could not load index", boto3 "could not connect to
the endpoint": so the process's own descriptors are held against its limit.
"""

from __future__ import annotations

import errno
import os
import resource  # at the top: without descriptors nothing can be imported
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from core.language.translation import tr

_SPARE = 8
"""An operation that failed may have given back so many before anybody looks."""
_NONE_LEFT = (errno.EMFILE, errno.ENFILE)


class Descriptors(NamedTuple):
    """How many a process has open, and how many it may have."""

    used: int
    limit: int

    @property
    def used_up(self) -> bool:
        """Whether hardly one is left."""
        return self.used + _SPARE >= self.limit


def descriptors() -> Descriptors | None:
    """Those of this process now; None without a limit, or where they cannot be counted."""
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
            if error.errno in _NONE_LEFT:
                return Descriptors(limit, limit)
    return None


def descriptor_limit() -> int | None:
    """How many descriptors a process may have, children too; None without a limit."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def shortage(error: BaseException, look: Callable[[], Descriptors | None] = descriptors) -> str:
    """Why an error came, and what to do, if it came for want of descriptors; or else empty.

    To be called as soon as the error is there: what it unwinds gives descriptors back.
    """
    reported = any(isinstance(one, OSError) and one.errno in _NONE_LEFT for one in _causes(error))
    seen = look()
    if seen is None or not (reported or seen.used_up):
        return tr("too many open files: {advice}", advice=_advice()) if reported else ""
    return tr(
        "too many open files, {used} of at most {limit}: {advice}",
        used=min(seen.used, seen.limit),  # inherited ones may have numbers beyond the limit
        limit=seen.limit,
        advice=_advice(),
    )


def _advice() -> str:
    return tr("keep fewer open (fewer threads, a smaller cache) or raise `ulimit -n`")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


_RESERVE = 0.1
"""Share of all memory that is reserved for other programs and the page cache."""
_GROWTH = 1.5
"""Factor on the memory of the largest ready setting, as it grows while it is measured."""
_OWN_FDS = 128
_FDS_OF_PROCESS = 16
"""Descriptors of this process per child: pipes, output, six for sampling, and shared memory."""
_GROUP = Path("/sys/fs/cgroup")


class Room(Protocol):
    def another(self, taken: Sequence[int], processes: int, coming: int) -> bool:
        """`taken`: resident bytes of each that is ready; `processes`: with the next one.

        `coming`: how many are not ready yet, the next one among them.
        """


class MachineRoom:
    """The room on this machine; where it is unknown, there is room."""

    def another(self, taken: Sequence[int], processes: int, coming: int) -> bool:
        """Whether memory and descriptors are left for one more."""
        limit = descriptor_limit()
        if limit is not None and _OWN_FDS + _FDS_OF_PROCESS * processes > limit:
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

    total = 0
    for pid in pids:
        with suppress(psutil.Error):
            total += psutil.Process(pid).memory_info().rss
    return total
