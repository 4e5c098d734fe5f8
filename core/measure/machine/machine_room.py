"""The room of this machine for this user: on disks, in memory, for processes."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from core.measure.machine import kernel_files

_ALMOST_ENDLESS = 1 << 62  # version 1 of control groups says "no limit" with a number like this


class DiskRoom(NamedTuple):
    """The room of a file system for this user, as it reports it."""

    free: int
    """Bytes; less than are free where a quota of the file system leaves less."""
    whole: int
    files: int | None
    """How many more it can hold; None where it has no such limit."""


class MemoryRoom(NamedTuple):
    """Bytes that are available, of how many."""

    available: int
    whole: int


def disk_room(folder: Path) -> DiskRoom:
    """Of the file system of a folder; raises OSError."""
    status = os.statvfs(folder)
    unit = status.f_frsize
    files = status.f_favail if status.f_files else None
    return DiskRoom(status.f_bavail * unit, status.f_blocks * unit, files)


def memory_room() -> MemoryRoom:
    """Of the whole machine."""
    import psutil  # type: ignore[import-untyped, unused-ignore]

    memory = psutil.virtual_memory()
    return MemoryRoom(memory.available, memory.total)


def group_memory(root: Path = kernel_files.ROOT) -> MemoryRoom | None:
    """Of the control group around this process with the least; None without a limit.

    Its page cache counts as available.
    """
    rooms = [room for group in kernel_files.control_groups(root, "memory") if (room := _of(group))]
    return min(rooms, default=None)


def _of(group: Path) -> MemoryRoom | None:
    for limit, used, cache in (
        ("memory.max", "memory.current", "file"),
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache"),
    ):
        with suppress(OSError, ValueError, KeyError):  # no limit, or no such file
            most = int((group / limit).read_text())
            lines = (group / "memory.stat").read_text().splitlines()
            stat = dict(line.split() for line in lines)
            available = most - int((group / used).read_text()) + int(stat[cache])
            return MemoryRoom(available, most) if most < _ALMOST_ENDLESS else None
    return None


def group_processes(root: Path = kernel_files.ROOT) -> tuple[int, int] | None:
    """Processes and threads in the fullest control group around this process, and its limit.

    None without a limit.
    """
    groups = []
    for group in kernel_files.control_groups(root, "pids"):
        most = kernel_files.read_integer(group / "pids.max")
        used = kernel_files.read_integer(group / "pids.current")
        if most is not None and used is not None:
            groups.append((used, most))
    return min(groups, key=lambda one: one[1] - one[0], default=None)
