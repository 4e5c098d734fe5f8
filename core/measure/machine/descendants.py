"""What a process has started, and what CPU it and that took; what starts programs is not loaded."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
STAMP = "SLUICE_OPERATION"
"""The variable by which a process is known as one of ours, wherever it has gone."""
GUARD: Mapping[str, str] = {STAMP: "guard"}
"""The environment of what is Sluice's own beside a trial, and no part of that: a guard, which ends
by itself once what it guards is removed, a proxy in front of a server, and what these start."""


def children_of(pid: int) -> Collection[int]:
    """The processes that it has started or taken in, ended ones too; none where /proc is not."""
    pids: list[int] = []
    with suppress(OSError):
        for task in (_PROC / str(pid) / "task").iterdir():
            with suppress(OSError):
                pids += map(int, (task / "children").read_text().split())
    return pids


def descendants_of(pid: int) -> Iterator[int]:
    """All below a process, parents first."""
    for child in children_of(pid):
        yield child
        yield from descendants_of(child)


def stamp_of(pid: int) -> str:
    """The stamp that a process began with; empty where it has none, or that is unknown."""
    with suppress(OSError):
        variables = (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
        start = f"{STAMP}=".encode()
        variable = next((one for one in variables if one.startswith(start)), start)
        return variable.removeprefix(start).decode("utf-8", "replace")
    return ""


def is_guard(pid: int) -> bool:
    return stamp_of(pid) == GUARD[STAMP]


def cpu_of_process() -> int:
    """CPU ns of all threads of this process, and of the programs that it has waited for."""
    return time.process_time_ns() + cpu_of_ended()


def cpu_of_ended() -> int:
    """CPU ns of the programs that this process has waited for."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(1e9 * (ended.ru_utime + ended.ru_stime))


def cpu_of_programs() -> int:
    """CPU ns of what this process has started and not waited for; 0 where /proc is not."""
    ticks = 0
    for pid in descendants_of(os.getpid()):
        with suppress(OSError, ValueError):
            if is_guard(pid):
                continue
            stat = (_PROC / str(pid) / "stat").read_bytes()
            # After the name, which may itself hold brackets and spaces: state, parent, …
            ticks += sum(map(int, stat[stat.rindex(b")") + 2 :].split()[_TIMES]))
    return 10**9 * ticks // os.sysconf("SC_CLK_TCK")


_TIMES = slice(11, 15)
"""Of its own in the program and in the kernel, and of those that it has waited for."""
