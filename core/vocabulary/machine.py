"""Records of a machine: its hardware, its file systems, readings of a trial and of other programs.

Sizes are in bytes, times in seconds.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from core.language import MOST_CORES, Cores, Finite, Natural, tr


def usable(bound: int, quota: float | None) -> float:
    """Cores to keep busy of those that a process is bound to, with its quota of their time."""
    return min(bound, quota or bound)


class Environment(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes in bytes, frequencies in hertz; None where the platform reports none."""

    machine_id: str
    """Identifies the machine without naming it."""
    os: str
    kernel: str
    architecture: str
    cpu_model: str
    logical_cores: Cores
    physical_cores: Cores | None
    affinity_cores: Cores
    """Cores this process may run on."""
    quota_cores: Annotated[float, msgspec.Meta(gt=0, le=MOST_CORES)] | None
    """Cores' worth of time its control groups allow; None without a quota."""
    memory_bytes: Natural
    memory_room: Natural | None = None
    """What programs could still take, in their control groups too; None = not recorded."""
    swap_bytes: Natural
    swap_used_bytes: Natural
    cpu_governor: str | None
    cpu_frequency_low: Natural | None
    cpu_frequency_high: Natural | None
    load_average: tuple[Finite, Finite, Finite] | None
    """Runnable threads over the last 1, 5 and 15 minutes, before anything was run."""
    container: str | None
    virtualisation: str | None
    python: str
    gil_enabled: bool
    versions: dict[str, str]
    """Versions of the named distributions that are installed."""
    job_cores: Natural = 0
    """Cores that a scheduler says it has granted, as in SLURM_CPUS_PER_TASK; 0 = nobody says."""

    @property
    def usable_cores(self) -> float:
        return usable(self.affinity_cores, self.quota_cores)

    @property
    def machine_text(self) -> str:
        """`Ryzen 9, 8 cores`."""
        return f"{self.cpu_model}, {self.cores_text}"

    @property
    def cores_text(self) -> str:
        return tr("1 core", "{count:g} cores", count=self.usable_cores)

    @property
    def overload(self) -> float:
        """Threads per core that wanted to run before the first trial; 0 where it is unknown.

        It covers the whole machine, as the load does: a job on 4 of 64 cores has neighbours.
        """
        return self.load_average[0] / self.logical_cores if self.load_average else 0.0


class FileSystem(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes in bytes; None where the platform reports none."""

    mount_point: str
    """With `*` in place of user names."""
    device: str
    """A device below /dev, or a pseudonym: other sources may name hosts and users."""
    type: str
    options: tuple[str, ...]
    """Without options whose values may name hosts, users or secrets."""
    total_bytes: int
    """0 = unknown."""
    free_bytes: int
    """Free for this user."""
    rotational: bool | None
    """As the kernel has it: virtual disks often claim to rotate."""
    network: bool
    encryption: str = ""
    """The layer that decrypts its disk, as far as it can be seen from here; empty = none."""
    compressed: bool = False
    """Whether it compresses its files, as far as it can be seen from here."""


PROVEN_COLD = 0.001
"""Largest resident share at which a run still counts as cold."""


class Problem(msgspec.Struct, frozen=True):
    path: str
    text: str


class Residency(msgspec.Struct, frozen=True, kw_only=True):
    """How much of some files the page cache holds; files with a problem are left out."""

    files: Natural
    """Regular files looked at; several names of one file count once."""
    resident_pages: Natural
    total_pages: Natural
    resident_bytes: Natural
    total_bytes: Natural
    method: str
    """`cachestat`, `mincore`, both joined by `+`, or `none` where there was nothing to ask."""
    problems: tuple[Problem, ...] = ()

    @property
    def fraction(self) -> float:
        """Resident share, 0 to 1; 0 where there are no pages."""
        return self.resident_pages / self.total_pages if self.total_pages else 0.0


def is_proven_cold(residency: Residency) -> bool:
    """Whether at most 0.1 % is resident, with every file examined and at least one."""
    return (
        residency.files > 0
        and not residency.problems
        and residency.resident_pages <= PROVEN_COLD * residency.total_pages
    )


class Reading(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One sample of all living processes of a trial, summed over them.

    Sizes are in bytes, times in seconds. None stands for values that the platform does
    not report, and for costly ones that were skipped this time.

    A process that ended leaves every sum but `peak_rss`, so a counter can fall from one
    reading to the next when `processes` changes. The CPU time and the I/O of a child that
    its parent has waited for live on in the parent's own figures.
    """

    at: Finite
    """Since the trial's clock zero, as given by the caller."""
    processes: Natural
    rss: Natural
    """Pages shared between processes are counted in each of them."""
    rss_anonymous: Natural | None
    rss_file: Natural | None
    peak_rss: Natural | None
    """Sum of the peaks of all processes seen so far: an upper bound of the joint peak.  Between two
    looks at the kernel's own peaks, the highest sample."""
    fds: Natural | None
    dataset_fds: Natural | None
    """Open files that lie in the dataset."""
    threads: Natural
    cpu_user: Finite
    cpu_system: Finite
    read_bytes: Natural | None
    """Fetched from storage, without bytes from the page cache."""
    written_bytes: Natural | None
    read_chars: Natural | None
    """Returned by read calls, from wherever. Reads through a memory map are in neither."""
    written_chars: Natural | None
    read_calls: Natural | None
    write_calls: Natural | None
    switches_voluntary: Natural | None
    """Context switches of the threads alive now: the thread waited for something."""
    switches_involuntary: Natural | None
    """Context switches of the threads alive now: the core was taken away."""
    queued: Finite | None = None
    """Seconds that the threads alive now were ready to run while others had the cores."""


class MachineNoise(msgspec.Struct, frozen=True, kw_only=True):
    """Other activity of the machine while a trial had the clock; None where it is not reported."""

    seconds: Finite
    """For how long the machine was looked at: the trial's turns, or from its start to its end."""
    cores: Natural
    """Logical cores of the machine."""
    others: Finite | None = None
    """CPU seconds of all processes but the trial's, the servers' and Sluice itself."""
    servers: Finite = 0.0
    """CPU seconds of the lab's servers, where the trial asks one of them."""
    steal: Finite | None = None
    """CPU seconds that the hypervisor gave to other virtual machines."""
    own: Finite | None = None
    """CPU seconds of the trial's processes."""
    throttles: Natural | None = None
    """How often a quota stopped the control groups of this process."""
    throttled: Finite | None = None
    """Seconds for which it stopped them, summed over their cores."""
    overheated: Natural | None = None
    """How often a core slowed down because of heat, from the first look to the last."""
    load_before: Finite | None = None
    """Load average over a minute at the first look."""
    load_after: Finite | None = None
    """The same at the last look; the trial's own threads are part of it."""

    @property
    def others_share(self) -> float | None:
        """Share of the machine's cores that other processes used."""
        return self._of_cores(self.others)

    @property
    def steal_share(self) -> float | None:
        """Share of the machine's cores that the hypervisor took."""
        return self._of_cores(self.steal)

    @property
    def throttled_share(self) -> float | None:
        """Share of the machine's core time for which a quota stopped this process's groups."""
        return self._of_cores(self.throttled)

    @property
    def stolen_share(self) -> float:
        """Share of the core time wanted by all processes that the hypervisor took; 0 = unknown.

        It takes from all alike, so this is also the trial's share.
        """
        others = None if self.others is None else self.others + self.servers
        return stolen_share(self.steal, self.own, others)

    def _of_cores(self, seconds: float | None) -> float | None:
        whole = self.seconds * self.cores
        # The machine counts in ticks, which can begin before our seconds do.
        return min(seconds / whole, 1.0) if seconds is not None and whole > 0 else None


def stolen_share(steal: float | None, own: float | None, others: float | None) -> float:
    """Share of wanted core time that was stolen, from three CPU times; 0 if one is unknown."""
    if steal is None or own is None or others is None or steal <= 0:
        return 0.0
    return steal / (steal + max(own, 0.0) + max(others, 0.0))
