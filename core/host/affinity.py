"""Binds a process, and everything it starts, to some of the cores that it may run on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.errors import Unavailable
from core.language.translation import tr

_THREADS = Path("/proc/self/task")


def allowed_cores() -> tuple[int, ...]:
    """Numbers of the cores that this process may run on; none where the system binds nobody."""
    if not hasattr(os, "sched_setaffinity"):  # macOS
        return ()
    return tuple(sorted(os.sched_getaffinity(0)))


def require_cores(count: int, allowed: Sequence[int]) -> None:
    """Raise Unavailable unless a process can be bound to so many of these; 0 binds to none."""
    if count and not allowed:
        raise Unavailable(
            tr("this system does not bind programs to cores"), tr("leave cores at 0, which is all")
        )
    if count > len(allowed):
        raise Unavailable(
            tr(
                "{count} cores were asked for, and {allowed} may be used here",
                count=count,
                allowed=len(allowed),
            ),
            tr("ask for fewer cores"),
        )


def bind_to_cores(count: int) -> tuple[int, ...]:
    """Bind this process to the first of the cores that it may run on; returns their numbers.

    What it starts from now on inherits that: threads, programs, Java.  0 binds to none and returns
    none.  Raises Unavailable.
    """
    if not count:
        return ()
    allowed = allowed_cores()
    require_cores(count, allowed)
    chosen = allowed[:count]
    # The call binds one thread only, and some may run already.
    threads = [int(one.name) for one in _THREADS.iterdir()] if _THREADS.is_dir() else [0]
    for thread in threads:
        with suppress(ProcessLookupError):  # it has ended meanwhile
            os.sched_setaffinity(thread, chosen)
    return chosen
