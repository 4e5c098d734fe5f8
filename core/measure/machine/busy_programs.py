"""The share of the cores that other programs take just now, their names, and when they rest."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from core.language import Seconds, marked, show_share, tr
from core.measure.machine import kernel_files
from core.measure.machine.lab_records import LAB_KEEPER
from core.measure.machine.machine_noise import NoiseMeter

BUSY = 0.2
"""Share of the cores from which others are worth a remark; below it a desktop is at rest."""
SHORT = 0.3
"""Seconds that show it: the kernel counts the machine's time in ticks of 10 ms."""
QUIET = 0.1
"""Share of the cores: half of what is worth a remark, so that it is not busy again at once."""
QUIET_FOR = 3.0
"""Seconds for which it has to stay below."""
_EACH = 0.5
_NAMED = 3
_WORTH_A_NAME = 0.1
"""Cores; the rest are many that do next to nothing."""
_PARENT, _USED, _COLLECTED = 1, slice(11, 13), slice(13, 15)
"""Fields of /proc/PID/stat, counted from behind the name (proc_pid_stat(5) has them as 4, 14…)."""


class OtherPrograms(msgspec.Struct, frozen=True, kw_only=True):
    """What other programs took while they were watched."""

    share: float
    """Of the machine's cores."""
    programs: tuple[tuple[str, float], ...] = ()
    """Names with cores on average, those first that took most; empty if that is unknown."""
    cores: int = 1
    """Of the machine."""
    own: float = 0.0
    """Cores that Sluice and all that it has started took meanwhile."""

    @property
    def taken(self) -> float:
        """Cores that the others took."""
        return self.share * self.cores

    @property
    def busy(self) -> bool:
        return self.share > BUSY

    @property
    def sentence(self) -> str:
        return tr(
            "Other programs take {share} of the cores: wait until quiet, or measure anyway.",
            share=show_share(self.share),
        )

    @property
    def told(self) -> str:
        """The same with their names, for places that have buttons to act on it."""
        if not self.programs:
            return tr("Other programs take {share} of the cores", share=show_share(self.share))
        return tr(
            "Other programs take {share} of the cores: {programs}",
            share=show_share(self.share),
            programs=self.names,
        )

    @property
    def names(self) -> str:
        """`python3, gzip`; empty if it is unknown."""
        return ", ".join(name for name, _ in self.programs)

    @property
    def who(self) -> str:
        """`python3 (1.9 cores), gzip (0.4 cores)`; empty if it is unknown."""
        return ", ".join(
            tr("{program} ({cores} cores)", program=name, cores=marked(f"{cores:.1f}"))
            for name, cores in self.programs
        )


type Look = Callable[[], OtherPrograms | None]
type Say = Callable[[OtherPrograms, Seconds, Seconds], None]
"""Hears the other programs, the waiting time so far, and how long it has been quiet."""


class WatchOthers:
    """Watches from now on; what Sluice itself and all that it has started use is not counted."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._now: Mapping[int, _Process] = {}
        self._used = 0.0
        self._meter = NoiseMeter(sluice=self._of_sluice)
        self._meter.begin(0.0)
        self._before, self._used_before = self._now, self._used

    def seen(
        self, seconds: Seconds = SHORT, wait: Callable[[Seconds], None] = time.sleep
    ) -> OtherPrograms | None:
        """What others took, seen for at least so long; None if the platform does not report it."""
        wait(max(0.0, self._began + seconds - time.monotonic()))
        self._meter.end(0.0)
        noise = self._meter.noise()
        if noise is None or (share := noise.others_share) is None:
            return None
        gone = time.monotonic() - self._began
        return OtherPrograms(
            share=share,
            programs=tuple(_gained(self._before, self._now, gone)),
            cores=noise.cores,
            own=max(self._used - self._used_before, 0.0) / max(gone, 0.01),
        )

    def _of_sluice(self) -> float:
        """CPU seconds of this process, of its children that have ended, and of those that run."""
        self._now = dict(_processes())
        running = (self._now[pid] for pid in _ours(self._now) if pid in self._now)
        self._used = sum(os.times()[:4]) + sum(one.used + one.collected for one in running)
        return self._used


def until_quiet(
    longest: Seconds,
    say: Say,
    look: Look = lambda: WatchOthers().seen(_EACH),
    clock: Callable[[], Seconds] = time.monotonic,
) -> OtherPrograms | None:
    """Look until it was quiet for long enough; returns what was seen last if that took too long.

    A machine that does not tell what others take is not waited for.
    """
    began = quiet_since = clock()
    while (others := look()) is not None:
        now = clock()
        if others.share >= QUIET:
            quiet_since = now
        say(others, now - began, now - quiet_since)
        if now - quiet_since >= QUIET_FOR:
            return None
        if now - began >= longest:
            return others
    return None


class _Process(NamedTuple):
    """One process but this one; CPU seconds of its own, and of its children that have ended."""

    name: str
    parent: int
    used: float
    collected: float


def _ours(processes: Mapping[int, _Process]) -> set[int]:
    """This process and all that it has started, however far down."""
    ours = {os.getpid()}
    while more := {pid for pid, one in processes.items() if one.parent in ours} - ours:
        ours |= more
    return ours


def _gained(
    before: Mapping[int, _Process], now: Mapping[int, _Process], seconds: Seconds
) -> Sequence[tuple[str, float]]:
    """Cores by name of the program, of the few others that took most."""
    cores: defaultdict[str, float] = defaultdict(float)
    for pid in now.keys() - _ours(now):
        if used := now[pid].used - (before[pid].used if pid in before else 0.0):
            cores[_name(pid, now)] += used / max(seconds, 0.01)
    most = sorted(cores.items(), key=lambda one: -one[1])[:_NAMED]
    return [(name, took) for name, took in most if took >= _WORTH_A_NAME]


def _name(pid: int, processes: Mapping[int, _Process]) -> str:
    """Its program's name; the lab's servers, which any Sluice may have started, share one.

    By their own names, such as java, a user would look for them elsewhere.
    """
    at = pid
    while at in processes:
        command = kernel_files.read_text(kernel_files.ROOT / "proc" / str(at) / "cmdline") or ""
        if LAB_KEEPER in command.split("\0"):
            return tr("Sluice's lab servers")
        at = processes[at].parent
    return processes[pid].name


def _processes(root: Path = kernel_files.ROOT) -> Iterator[tuple[int, _Process]]:
    """Each other process by its id, where /proc tells."""
    tick = os.sysconf("SC_CLK_TCK")
    with suppress(OSError):
        for entry in os.listdir(root / "proc"):
            if not entry.isdecimal() or int(entry) == os.getpid():
                continue
            text = kernel_files.read_text(root / "proc" / entry / "stat") or ""
            start, _, numbers = text.rpartition(")")  # a name may have brackets itself
            fields = numbers.split()
            if len(fields) > _COLLECTED.stop:
                yield (
                    int(entry),
                    _Process(
                        name=start.partition("(")[2],
                        parent=int(fields[_PARENT]),
                        used=sum(map(int, fields[_USED])) / tick,
                        collected=sum(map(int, fields[_COLLECTED])) / tick,
                    ),
                )
