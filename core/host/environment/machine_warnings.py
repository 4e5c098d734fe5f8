"""What about a machine disturbs a measurement, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from core.host.environment import kernel_files
from core.host.environment.machine import Environment
from core.language.translation import marked, tr

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


# Caches of open files are measured up to this size.
_WANTED_OPEN_FILES = 4096
_WANTED_PROCESSES = 1024
_GIBIBYTE = 1 << 30


class Warning(msgspec.Struct, frozen=True):  # noqa: A001
    """A fact that will disturb measurements, and what removes it."""

    text: str
    remedy: str


def warnings(limits: ResourceLimits, environment: Environment) -> list[Warning]:
    """The most harmful first: what makes runs fail, then what makes them wrong."""
    return [
        *_about_limits(limits, environment),
        *_about_cores(environment),
        *_about_set_up(environment),
    ]


def lasting(environment: Environment) -> list[Warning]:
    """What slows it down for as long as nobody changes its set-up; not what goes on just now."""
    return [*_about_cores(environment), *_about_set_up(environment)]


def _about_limits(limits: ResourceLimits, environment: Environment) -> Iterator[Warning]:
    soft, hard = limits.open_files_soft, limits.open_files_hard
    if soft is not None and soft < _WANTED_OPEN_FILES:
        enough = hard is None or hard >= _WANTED_OPEN_FILES
        yield Warning(
            tr("A process may open only {count:,} files at once.", count=soft),
            f"ulimit -n {_WANTED_OPEN_FILES if enough else hard}"
            + ("" if enough else " (more needs an administrator: nofile in limits.conf)"),
        )
    if limits.processes_soft is not None and limits.processes_soft < _WANTED_PROCESSES:
        yield Warning(
            tr(
                "All your processes together may have only {count:,} threads.",
                count=limits.processes_soft,
            ),
            f"ulimit -u {_WANTED_PROCESSES}",
        )
    if limits.address_space_soft is not None:
        yield Warning(
            tr(
                "Address space is limited to {size}: readers that map files will fail early.",
                size=_gibibytes(limits.address_space_soft),
            ),
            "ulimit -v unlimited",
        )
    if limits.group_memory is not None and limits.group_memory < environment.memory_bytes:
        yield Warning(
            tr(
                "The control group allows {size} of {whole} memory, page cache included.",
                size=_gibibytes(limits.group_memory),
                whole=_gibibytes(environment.memory_bytes),
            ),
            tr("Give the container or job more memory, or use datasets that fit."),
        )


def _about_cores(environment: Environment) -> Iterator[Warning]:
    quota, cores = environment.quota_cores, environment.logical_cores
    if quota is not None and quota < environment.affinity_cores:
        yield Warning(
            tr(
                "A quota allows the time of {quota:g} cores, of {cores}: with more threads, all of "
                "them are stopped in every period.",
                quota=quota,
                cores=environment.affinity_cores,
            ),
            tr("Give the container or job whole cores (a cpuset) instead of a quota."),
        )
    if environment.affinity_cores < cores:
        yield Warning(
            tr(
                "Only {count} of {cores} cores may be used.",
                count=environment.affinity_cores,
                cores=cores,
            ),
            tr("Start it without taskset, or ask the job scheduler for more cores."),
        )


def _about_set_up(environment: Environment) -> Iterator[Warning]:
    governors = set((environment.cpu_governor or "").split(",")) - {""}
    if "powersave" in governors:
        yield Warning(
            tr("The CPU governor is powersave: clock rates lag behind the load."),
            "sudo cpupower frequency-set -g performance",
        )
    if environment.swap_used_bytes > 0:
        yield Warning(
            tr("{size} of swap are in use.", size=_gibibytes(environment.swap_used_bytes)),
            tr("Free memory, then: sudo swapoff -a && sudo swapon -a"),
        )


def _gibibytes(size: int) -> str:
    return f"{marked(format(size / _GIBIBYTE, '.1f'))} GiB"
