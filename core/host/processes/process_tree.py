"""What a program has started, however far away it has gone: looked for, ended, collected."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36  # of prctl.h
STAMP = "SLUICE_OPERATION"
"""The variable by which a process is known as one of ours, wherever it has gone."""

_GONE = (ProcessLookupError, PermissionError)  # macOS says EPERM for zombies
_PROC = Path("/proc")


def take_in_orphans(*, yes: bool) -> None:
    """Become the parent of what loses its own below this process (Linux), or no longer."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(yes), 0, 0, 0)


def signal_group(group: int, number: signal.Signals) -> None:
    """Send a signal to a process group, if there is one."""
    with suppress(*_GONE):
        os.killpg(group, number)


def kill(pid: int) -> None:
    """Send SIGKILL to a process, if there is one."""
    with suppress(*_GONE):
        os.kill(pid, signal.SIGKILL)


def collect(pid: int) -> None:
    """Wait for a child that was killed or has ended."""
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def children_of(pid: int) -> Collection[int]:
    """The processes that it has started or taken in, ended ones too; none where /proc is not."""
    found: list[int] = []
    with suppress(OSError):
        for task in (_PROC / str(pid) / "task").iterdir():
            with suppress(OSError):
                found += map(int, (task / "children").read_text().split())
    return found


def descendants_of(pid: int) -> Iterator[int]:
    """All below a process, parents first."""
    for child in children_of(pid):
        yield child
        yield from descendants_of(child)


def has_ended(pid: int) -> bool:
    """Whether a child of ours only waits to be collected, or was."""
    if hasattr(os, "waitid"):
        try:
            return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True
    import psutil

    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True


def name_of(pid: int) -> str:
    """The program's name as the kernel has it; its number where that is not told."""
    with suppress(OSError):
        return (_PROC / str(pid) / "comm").read_bytes().decode("utf-8", "replace").strip()
    return str(pid)


def stamp_of(pid: int) -> str:
    """The stamp that a process began with; empty where it has none, or that is not told."""
    with suppress(OSError):
        variables = (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
        start = f"{STAMP}=".encode()
        found = next((one for one in variables if one.startswith(start)), start)
        return found.removeprefix(start).decode("utf-8", "replace")
    return ""


def stamped_with(part: str) -> Collection[int]:
    """All processes of the machine with that part in their stamp and a slash, where /proc tells."""
    try:
        pids = [int(name) for name in os.listdir(_PROC) if name.isdecimal()]
    except OSError:
        return []
    return [pid for pid in pids if part in f"{stamp_of(pid)}/"]


def session_of(pid: int) -> int:
    """The session of a process; 0 if it is gone."""
    with suppress(*_GONE):
        return os.getsid(pid)
    return 0
