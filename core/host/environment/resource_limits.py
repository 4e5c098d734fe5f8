"""Limits the operating system sets to a process."""

from __future__ import annotations

from pathlib import Path

import msgspec

from core.host.environment import kernel_files

# Control groups of version 1 say "no limit" with the largest multiple of a page.
_ALMOST_ENDLESS = 1 << 62


class ResourceLimits(msgspec.Struct, frozen=True, kw_only=True):
    """None where there is no limit, or none that the platform tells."""

    open_files_soft: int | None
    open_files_hard: int | None
    open_files_system: int | None
    """Of all processes together (fs.file-max)."""
    processes_soft: int | None
    """Processes and threads of this user (RLIMIT_NPROC); root is exempt."""
    processes_hard: int | None
    address_space_soft: int | None
    """Bytes (RLIMIT_AS)."""
    address_space_hard: int | None
    group_memory: int | None
    """Bytes the tightest control group around this process allows, page cache included."""


def describe_limits(*, root: Path = kernel_files.ROOT) -> ResourceLimits:
    """The limits children of this process will inherit."""
    open_files = _limit("RLIMIT_NOFILE")
    processes = _limit("RLIMIT_NPROC")
    address_space = _limit("RLIMIT_AS")
    return ResourceLimits(
        open_files_soft=open_files[0],
        open_files_hard=open_files[1],
        open_files_system=_finite(kernel_files.read_integer(root / "proc/sys/fs/file-max")),
        processes_soft=processes[0],
        processes_hard=processes[1],
        address_space_soft=address_space[0],
        address_space_hard=address_space[1],
        group_memory=_group_memory(root),
    )


def _limit(name: str) -> tuple[int | None, int | None]:
    try:
        import resource
    except ImportError:
        return None, None
    if not hasattr(resource, name):
        return None, None
    soft, hard = resource.getrlimit(getattr(resource, name))
    endless = resource.RLIM_INFINITY
    return (None if soft == endless else soft), (None if hard == endless else hard)


def _group_memory(root: Path) -> int | None:
    limits = []
    for group in kernel_files.control_groups(root, "memory"):
        for name in ("memory.max", "memory.limit_in_bytes"):
            limit = _finite(kernel_files.read_integer(group / name))
            if limit is not None:
                limits.append(limit)
    return min(limits, default=None)


def _finite(limit: int | None) -> int | None:
    return None if limit is None or limit >= _ALMOST_ENDLESS else limit
