"""The processor: its model and speed, its cores, and how a process is bound to some of them."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from core.language import MOST_CORES, Unavailable, tr
from core.measure.machine import kernel_files
from core.vocabulary import usable

# Where Linux says the model, per architecture: x86, then POWER, s390 and some ARM boards.
_MODEL_FIELDS = ("model name", "cpu", "Processor", "processor 0", "Model", "Hardware")
_CPUS = "sys/devices/system/cpu/cpu[0-9]*"


def model(root: Path) -> str:
    fields = kernel_files.read_fields(root / "proc/cpuinfo")
    for name in _MODEL_FIELDS:
        if fields.get(name):
            return fields[name]
    if "CPU part" in fields:
        # ARM gives numbers only; together they stand for one design.
        return f"ARM {fields.get('CPU implementer', '?')} {fields['CPU part']}"
    if sys.platform == "darwin":
        return _brand_on_mac() or platform.machine()
    return platform.processor() or platform.machine()


def logical_cores(root: Path) -> int:
    online = _expand(kernel_files.read_text(root / "sys/devices/system/cpu/online"))
    return len(online) or os.cpu_count() or 1


def physical_cores(root: Path) -> int | None:
    if (root / "proc/self").is_dir():
        siblings = _texts(root, "topology/core_cpus_list")
        return len(siblings or _texts(root, "topology/thread_siblings_list")) or None
    import psutil  # type: ignore[import-untyped, unused-ignore]

    count: int | None = psutil.cpu_count(logical=False)
    return count


def affinity_cores(root: Path = kernel_files.ROOT) -> int:
    """Cores that this process is allowed to run on."""
    allowed = kernel_files.read_fields(root / "proc/self/status").get("Cpus_allowed_list")
    if allowed is not None:
        # The list may name cores that do not exist.
        online = _expand(kernel_files.read_text(root / "sys/devices/system/cpu/online"))
        return len(_expand(allowed) & online if online else _expand(allowed)) or 1
    return logical_cores(root)


def quota_cores(root: Path) -> float | None:
    """The tightest limit of all control groups around this process."""
    quotas = []
    for group in kernel_files.control_groups(root, "cpu"):
        words = (kernel_files.read_text(group / "cpu.max") or "").split()
        if len(words) != 2:
            quota = kernel_files.read_text(group / "cpu.cfs_quota_us")
            period = kernel_files.read_text(group / "cpu.cfs_period_us")
            words = [quota, period] if quota and period else []
        if words and words[0] not in ("max", "-1"):
            # Some containers have a quota that is as good as none.
            quotas.append(min(int(words[0]) / int(words[1]), MOST_CORES))
    return min(quotas, default=None)


def usable_cores() -> float:
    """Cores that this process may keep busy."""
    return usable(affinity_cores(), quota_cores(kernel_files.ROOT))


def job_cores(variables: Mapping[str, str] = os.environ) -> int:
    """Cores that SLURM says it has granted to a task, whether it enforces that or not; else 0."""
    granted = variables.get("SLURM_CPUS_PER_TASK", "")
    return min(int(granted), MOST_CORES) if granted.isdecimal() and granted.isascii() else 0


def governor(root: Path) -> str | None:
    """Governors of all cores, joined by commas where they differ."""
    return ",".join(sorted(_texts(root, "cpufreq/scaling_governor"))) or None


def _texts(root: Path, name: str) -> set[str]:
    """What a file of that name says of each core, where it says something."""
    texts = map(kernel_files.read_text, root.glob(f"{_CPUS}/{name}"))
    return {text for text in texts if text}


def frequencies(root: Path) -> tuple[int | None, int | None]:
    """Lowest and highest of all cores, in hertz; the kernel gives kilohertz."""
    folders = list(root.glob(f"{_CPUS}/cpufreq"))
    low = [kernel_files.read_integer(folder / "cpuinfo_min_freq") for folder in folders]
    high = [kernel_files.read_integer(folder / "cpuinfo_max_freq") for folder in folders]
    return (
        min((1000 * value for value in low if value), default=None),
        max((1000 * value for value in high if value), default=None),
    )


def _expand(ranges: str | None) -> set[int]:
    """`0-2,5` as {0, 1, 2, 5}."""
    cores: set[int] = set()
    for part in (ranges or "").split(","):
        first, _, last = part.partition("-")
        if first.strip():
            cores.update(range(int(first), int(last or first) + 1))
    return cores


def _brand_on_mac() -> str | None:
    import ctypes

    libc = ctypes.CDLL(None)
    brand = ctypes.create_string_buffer(256)
    size = ctypes.c_size_t(len(brand))
    if libc.sysctlbyname(b"machdep.cpu.brand_string", brand, ctypes.byref(size), None, 0) != 0:
        return None
    return brand.value.decode(errors="replace")


_THREADS = Path("/proc/self/task")


def allowed_cores() -> tuple[int, ...]:
    """Numbers of the cores that this process may run on; none where the system binds nobody."""
    if not hasattr(os, "sched_setaffinity"):  # macOS
        return ()
    with suppress(OSError):  # a container may forbid the call
        return tuple(sorted(os.sched_getaffinity(0)))
    listed = kernel_files.read_fields(kernel_files.ROOT / "proc/self/status")
    return tuple(sorted(_expand(listed.get("Cpus_allowed_list"))))


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
