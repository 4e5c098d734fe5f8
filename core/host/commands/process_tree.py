"""What a program has started, however far away it has gone: looked for, ended, collected."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

STAMP = "SLUICE_OPERATION"
"""The variable by which a program is known as one of a trial's, wherever it has gone."""

_PR_SET_CHILD_SUBREAPER = 36  # of prctl.h
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
    """Whether a child only waits to be collected."""
    with suppress(OSError):
        stat = (_PROC / str(pid) / "stat").read_bytes()
        # The name before the last bracket may itself hold brackets and spaces.
        return stat[stat.rindex(b")") + 2 :][:1] in b"ZX"
    return True


def name_of(pid: int) -> str:
    """The program's name as the kernel has it; its number where that is not told."""
    with suppress(OSError):
        return (_PROC / str(pid) / "comm").read_bytes().decode("utf-8", "replace").strip()
    return str(pid)


def carries(pid: int, word: str) -> bool:
    """Whether such a NAME=VALUE is in the environment that a process began with."""
    with suppress(OSError):
        return word.encode() in (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    return False


def session_of(pid: int) -> int:
    """The session of a process; 0 if it is gone."""
    with suppress(*_GONE):
        return os.getsid(pid)
    return 0


def programs_memory(pid: int) -> int:
    """Bytes resident of the stamped programs below a process and all that they have started.

    What several share counts once, where the system tells.
    """
    import psutil

    found: list[psutil.Process] = []
    with suppress(psutil.Error):
        for child in psutil.Process(pid).children():
            with suppress(psutil.Error):
                if STAMP in child.environ():
                    found += [child, *child.children(recursive=True)]
    return sum(map(_memory_of, found))


def _memory_of(process: psutil.Process) -> int:
    import psutil

    with suppress(psutil.Error):
        known = process.memory_full_info()
        return int(getattr(known, "pss", known.rss))
    return 0
