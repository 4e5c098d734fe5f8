"""What about a machine disturbs a measurement, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from core.host.environment.machine import Environment
from core.host.environment.resource_limits import ResourceLimits
from core.language.translation import marked, tr

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
                "A quota allows {quota:g} cores' worth of time on {cores} cores: with more "
                "threads, all of them are stopped in every period.",
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
