"""The machine a result was measured on, and what about it disturbs a measurement.

Nothing here names the machine, its network, its users or the contents of environment variables:
a result can be shown to anybody.
"""

from __future__ import annotations

import platform
import resource
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from core.language import show_size, tr
from core.measure.machine import kernel_files, processor
from core.measure.machine.descriptors import limits
from core.measure.machine.machine_room import group_memory
from core.vocabulary import Environment

_CONTAINER_FILES = {
    ".dockerenv": "docker",
    "run/.containerenv": "podman",
    ".singularity.d": "apptainer",
    "run/host/container-manager": "flatpak or similar",
}
_CONTAINER_GROUPS = ("kubepods", "docker", "libpod", "lxc", "containerd")
_VENDORS = {
    "qemu": "QEMU",
    "kvm": "KVM",
    "amazon ec2": "Amazon EC2",
    "google compute": "Google Compute Engine",
    "vmware": "VMware",
    "virtualbox": "VirtualBox",
    "innotek": "VirtualBox",
    "xen": "Xen",
    "parallels": "Parallels",
    "openstack": "OpenStack",
    "virtual machine": "Hyper-V",
}


def find_container(root: Path) -> str | None:
    """What kind of container this is, or None where nothing hints at one."""
    named = kernel_files.read_text(root / "run/systemd/container")
    if named:
        return named
    for name, kind in _CONTAINER_FILES.items():
        if (root / name).exists():
            return kind
    groups = kernel_files.read_text(root / "proc/1/cgroup") or ""
    return next((kind for kind in _CONTAINER_GROUPS if kind in groups), None)


def find_virtualisation(root: Path) -> str | None:
    """What kind of virtual machine this is, or None where nothing hints at one."""
    if "microsoft" in (kernel_files.read_text(root / "proc/sys/kernel/osrelease") or "").lower():
        return "WSL"
    firmware = " ".join(
        kernel_files.read_text(root / "sys/class/dmi/id" / name) or ""
        for name in ("sys_vendor", "product_name", "bios_vendor")
    ).lower()
    for mark, kind in _VENDORS.items():
        if mark in firmware:
            return kind
    named = kernel_files.read_text(root / "sys/hypervisor/type")
    if named:
        return named
    flags = kernel_files.read_fields(root / "proc/cpuinfo").get("flags", "").split()
    return "unknown hypervisor" if "hypervisor" in flags else None


_GIBIBYTE = 1 << 30


def describe_environment(
    distributions: Iterable[str] = (), *, root: Path = kernel_files.ROOT
) -> Environment:
    """The machine as it is now; `root` is where /proc, /sys and /etc are looked for."""
    from core.language import UNKNOWN, version_of

    versions = {name: version_of(name) for name in distributions}
    memory, swap, swap_used = _memory(root)
    low, high = processor.frequencies(root)
    return Environment(
        machine_id=_machine_id(root),
        os=_operating_system(root),
        kernel=kernel_files.read_text(root / "proc/sys/kernel/osrelease") or platform.release(),
        architecture=platform.machine(),
        cpu_model=processor.model(root),
        logical_cores=processor.logical_cores(root),
        physical_cores=processor.physical_cores(root),
        affinity_cores=processor.affinity_cores(root),
        quota_cores=processor.quota_cores(root),
        memory_bytes=memory,
        memory_room=_memory_room(root),
        swap_bytes=swap,
        swap_used_bytes=swap_used,
        cpu_governor=processor.governor(root),
        cpu_frequency_low=low,
        cpu_frequency_high=high,
        load_average=kernel_files.load_average(root),
        container=find_container(root),
        virtualisation=find_virtualisation(root),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        gil_enabled=getattr(sys, "_is_gil_enabled", lambda: True)(),
        versions={name: version for name, version in versions.items() if version != UNKNOWN},
        job_cores=processor.job_cores(),
    )


def digest(environment: Environment) -> str:
    """Equal for measurements on the same machine with the same system on it.

    It leaves out what varies from boot to boot (load, the last few MiB of memory) and what is
    compared separately (usable cores, Python, library versions).
    """
    import hashlib

    kernel = ".".join(environment.kernel.split("-")[0].split(".")[:2])
    same = (
        environment.machine_id,
        environment.os,
        kernel,
        environment.cpu_model,
        environment.logical_cores,
        environment.physical_cores,
        round(environment.memory_bytes / _GIBIBYTE),
    )
    return hashlib.sha256(msgspec.json.encode(same)).hexdigest()[:16]


def _machine_id(root: Path) -> str:
    for name in ("etc/machine-id", "var/lib/dbus/machine-id"):
        text = kernel_files.read_text(root / name)
        if text and text != "uninitialized":
            return kernel_files.pseudonym(text)
    return kernel_files.pseudonym(platform.node())


def _operating_system(root: Path) -> str:
    release = kernel_files.read_fields(root / "etc/os-release", "=")
    if release:
        return release.get("PRETTY_NAME", release.get("NAME", "Linux")).strip("\"'")
    if sys.platform == "darwin":
        return f"macOS {platform.mac_ver()[0]}"
    return f"{platform.system()} {platform.release()}"


def _memory(root: Path) -> tuple[int, int, int]:
    fields = kernel_files.read_fields(root / "proc/meminfo")
    if "MemTotal" in fields:
        total, swap, free = (
            1024 * int(fields.get(name, "0").split()[0])
            for name in ("MemTotal", "SwapTotal", "SwapFree")
        )
        return total, swap, max(swap - free, 0)  # containers may claim more free than there is
    import psutil  # type: ignore[import-untyped, unused-ignore]

    swaps = psutil.swap_memory()
    return psutil.virtual_memory().total, swaps.total, swaps.used


def _memory_room(root: Path) -> int | None:
    available = kernel_files.read_fields(root / "proc/meminfo").get("MemAvailable", "").split()
    of_machine = [1024 * int(available[0])] if available else []
    group = group_memory(root)
    return min([*of_machine, *([max(group.available, 0)] if group else [])], default=None)


# Control groups of version 1 say "no limit" with the largest multiple of a page.
_ALMOST_ENDLESS = 1 << 62


class ResourceLimits(msgspec.Struct, frozen=True, kw_only=True):
    """None where there is no limit, or none that the platform tells."""

    open_files_soft: int | None = None
    open_files_hard: int | None = None
    processes_soft: int | None = None
    """Processes and threads of this user (RLIMIT_NPROC); root is exempt."""
    address_space_soft: int | None = None
    """Bytes (RLIMIT_AS)."""
    group_memory: int | None = None
    """Bytes the tightest control group around this process allows, page cache included."""


def describe_limits(*, root: Path = kernel_files.ROOT) -> ResourceLimits:
    """The limits children of this process will inherit."""
    open_files_soft, open_files_hard = limits(resource.RLIMIT_NOFILE)
    return ResourceLimits(
        open_files_soft=open_files_soft,
        open_files_hard=open_files_hard,
        processes_soft=limits(resource.RLIMIT_NPROC)[0],
        address_space_soft=limits(resource.RLIMIT_AS)[0],
        group_memory=_group_memory(root),
    )


def _group_memory(root: Path) -> int | None:
    limits = [
        limit
        for group in kernel_files.control_groups(root, "memory")
        for name in ("memory.max", "memory.limit_in_bytes")
        if (limit := kernel_files.read_integer(group / name)) is not None
        and limit < _ALMOST_ENDLESS
    ]
    return min(limits, default=None)


# Caches of open files are measured up to this size.
_WANTED_OPEN_FILES = 4096
_WANTED_PROCESSES = 1024


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
        threads = limits.processes_soft
        yield Warning(
            tr("All your processes together may have only {count:,} threads.", count=threads),
            f"ulimit -u {_WANTED_PROCESSES}",
        )
    if limits.address_space_soft is not None:
        yield Warning(
            tr(
                "Address space is limited to {size}: readers that map files will fail early.",
                size=show_size(limits.address_space_soft),
            ),
            "ulimit -v unlimited",
        )
    if limits.group_memory is not None and limits.group_memory < environment.memory_bytes:
        yield Warning(
            tr(
                "The control group allows {size} of {whole} memory, page cache included.",
                size=show_size(limits.group_memory),
                whole=show_size(environment.memory_bytes),
            ),
            tr("Give the container or job more memory, or use datasets that fit."),
        )


def _about_cores(environment: Environment) -> Iterator[Warning]:
    quota, bound = environment.quota_cores, environment.affinity_cores
    cores = environment.logical_cores
    if quota is not None and quota < bound:
        yield Warning(
            tr(
                "A quota allows the time of {quota:g} cores, of {cores}: with more threads, all of "
                "them are stopped in every period.",
                quota=quota,
                cores=bound,
            ),
            tr("Give the container or job whole cores (a cpuset) instead of a quota."),
        )
    if bound < cores:
        yield Warning(
            tr("Only {count} of {cores} cores may be used.", count=bound, cores=cores),
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
            tr("{size} of swap are in use.", size=show_size(environment.swap_used_bytes)),
            tr("Free memory, then: sudo swapoff -a && sudo swapon -a"),
        )
