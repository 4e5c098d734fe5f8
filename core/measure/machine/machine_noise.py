"""What else a machine did while a trial ran: other processes, the hypervisor, throttling.

It is seen from outside, a few files at the start and at the end of a trial, or of each of its
turns.  A look takes some 0.1 ms on a machine of a few cores and falls into nobody's time.

The CPU time of others is that of the whole machine without that of the trial's processes, of the
lab's servers that it asks, and of Sluice itself.  The kernel's own threads are among the others,
interrupts are not: those are mostly the trial's own.  The kernel counts the machine's time in ticks
of 10 ms, so the figure of a trial below a second is rough.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.measure.machine import kernel_files
from core.vocabulary import MachineNoise, stolen_share

_TICKS = 100
"""A second; the kernel tells the time of the whole machine in these on every platform."""


@dataclass(frozen=True)
class MachineCounters:
    """The machine's counters at one moment, in seconds; None if the platform does not report it."""

    at: float
    cores: int
    busy: float | None = None
    steal: float | None = None
    throttles: int | None = None
    throttled: float | None = None


def look_at_machine(root: Path = kernel_files.ROOT) -> MachineCounters:
    """Read the counters; `root` is where /proc and /sys are looked for."""
    at = time.monotonic()
    lines = (kernel_files.read_text(root / "proc/stat") or "").splitlines()
    if not lines:
        return _through_psutil(at)
    # proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal; guests are in the first.
    ticks = [int(word) for word in lines[0].split()[1:]]
    throttles, throttled = _throttling(root)
    return MachineCounters(
        at=at,
        cores=max(1, sum(line.startswith("cpu") for line in lines) - 1),
        busy=sum(ticks[:3]) / _TICKS,
        steal=ticks[7] / _TICKS if len(ticks) > 7 else None,
        throttles=throttles,
        throttled=throttled,
    )


def _through_psutil(at: float) -> MachineCounters:
    cores = os.cpu_count() or 1
    try:
        import psutil  # type: ignore[import-untyped, unused-ignore]

        times = psutil.cpu_times()
    except (OSError, ImportError):  # no descriptor is left to read anything
        return MachineCounters(at=at, cores=cores)
    return MachineCounters(at=at, cores=cores, busy=times.user + times.system + times.nice)


@cache
def _quotas(root: Path) -> tuple[Path, ...]:
    """Where the groups around this process tell of their quotas; found once, a process stays."""
    return tuple(group / "cpu.stat" for group in kernel_files.control_groups(root, "cpu"))


def _throttling(root: Path) -> tuple[int | None, float | None]:
    """How often and how long quotas stopped the groups around this process, all levels summed."""
    times: list[int] = []
    seconds: list[float] = []
    for statistics in _quotas(root):
        fields = kernel_files.read_fields(statistics, " ")
        if "nr_throttled" in fields:
            times.append(int(fields["nr_throttled"]))
        if "throttled_usec" in fields:
            seconds.append(int(fields["throttled_usec"]) / 1e6)
        elif "throttled_time" in fields:  # version 1, in ns
            seconds.append(int(fields["throttled_time"]) / 1e9)
    return sum(times) if times else None, sum(seconds) if seconds else None


def _overheated(root: Path) -> int | None:
    counters = "sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count"
    try:
        counts = [kernel_files.read_integer(path) for path in root.glob(counters)]
    except OSError:  # as above
        return None
    numbers = [count for count in counts if count is not None]
    return sum(numbers) if numbers else None


@dataclass(frozen=True)
class _Begun:
    machine: MachineCounters
    sluice: float
    servers: Mapping[int, float]
    own: float | None

    def served_until(self, now: Mapping[int, float]) -> float:
        """CPU seconds of the servers since then; those of one that has died are not known."""
        return sum(max(now[one] - then, 0.0) for one, then in self.servers.items() if one in now)


class TurnNoise(NamedTuple):
    """Of one time in which a trial had the clock."""

    stolen: float
    """Share of the wanted core time that the hypervisor took; 0 = unknown."""
    others: float | None
    """Cores that other programs used; None if unknown."""


NO_NOISE = TurnNoise(0.0, None)


class NoiseMeter:
    """Adds up what the machine does during the times between `begin` and `end`."""

    def __init__(
        self,
        look: Callable[[], MachineCounters] = look_at_machine,
        sluice: Callable[[], float] = time.process_time,
        root: Path = kernel_files.ROOT,
        servers: Callable[[], Mapping[int, float]] = dict,
    ) -> None:
        """CPU seconds so far: `sluice` of this process, `servers` of those of the lab, by id."""
        self._look = look
        self._sluice = sluice
        self._servers = servers
        self._root = root
        self._begun: _Begun | None = None
        self._served = 0.0
        self._seconds = self._timed = 0.0
        """Seconds of all turns, and of those in which the CPU time of the trial is known."""
        self._cores = 1
        self._sums: dict[str, float | None] = {}
        self._heat: int | None = None
        self._load: float | None = None
        self._looked = False

    def begin(self, own: float | None) -> None:
        """The trial has the clock; its processes have used `own` CPU seconds so far."""
        if not self._looked:
            self._looked = True
            self._heat, self._load = _overheated(self._root), _load(self._root)
        self._begun = _Begun(self._look(), self._sluice(), self._servers(), own)

    def end(self, own: float | None) -> TurnNoise:
        """It has the clock no more; without a `begin` before, nothing happens."""
        if self._begun is None:
            return NO_NOISE
        begun, self._begun = self._begun, None
        before = begun.machine
        now = self._look()
        mine = None if own is None or begun.own is None else own - begun.own
        if mine is not None and mine < 0:  # it falls where a process of the trial has ended
            mine = None
        busy = _gained(before.busy, now.busy)
        served, others = begun.served_until(self._servers()), None
        self._served += served
        if busy is not None and mine is not None:
            others = busy - mine - served - (self._sluice() - begun.sluice)
        steal = _gained(before.steal, now.steal)
        self._seconds += now.at - before.at
        self._cores = now.cores
        if mine is not None:
            self._timed += now.at - before.at
            self._add("own", mine)
            self._add("others", others)
        self._add("steal", steal)
        for name in ("throttles", "throttled"):
            self._add(name, _gained(getattr(before, name), getattr(now, name)))
        return TurnNoise(
            stolen=stolen_share(steal, mine, None if others is None else others + served),
            others=None if others is None else max(others, 0.0) / max(now.at - before.at, 1e-9),
        )

    def _add(self, name: str, gained: float | None) -> None:
        so_far = self._sums.get(name, 0.0)
        self._sums[name] = None if gained is None or so_far is None else so_far + gained

    def _in_all(self, name: str) -> float | None:
        """A turn in which the CPU time of the trial is not known counts as the others do."""
        total = self._sums.get(name)
        return total * (self._seconds / self._timed) if total and self._timed > 0 else total

    def noise(self) -> MachineNoise | None:
        """What happened so far; None before the first `end`."""
        if not self._sums:
            return None
        throttles, heat = self._sums["throttles"], _gained(self._heat, _overheated(self._root))
        return MachineNoise(
            seconds=self._seconds,
            cores=self._cores,
            others=_positive(self._in_all("others")),
            servers=self._served,
            own=self._in_all("own"),
            steal=_positive(self._sums["steal"]),
            throttles=None if throttles is None else max(round(throttles), 0),
            throttled=_positive(self._sums["throttled"]),
            overheated=None if heat is None else max(round(heat), 0),
            load_before=self._load,
            load_after=_load(self._root),
        )


def _load(root: Path) -> float | None:
    loads = kernel_files.load_average(root)
    return None if loads is None else loads[0]


def _gained(before: float | None, now: float | None) -> float | None:
    return None if before is None or now is None else now - before


def _positive(seconds: float | None) -> float | None:
    """The ticks of two counters do not fall together, so a difference can be a little below 0."""
    return None if seconds is None else max(seconds, 0.0)
