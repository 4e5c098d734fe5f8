"""Which share of the cores other programs take just now, and which programs those are."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from core.host.environment import kernel_files
from core.host.machine_noise import NoiseMeter
from core.language.translation import marked, tr
from core.language.units import Seconds, show_share

BUSY = 0.2
"""Share of the cores from which others are worth a remark; below it a desktop is at rest."""
SHORT = 0.3
"""Seconds that show it: the kernel counts the machine's time in ticks of 10 ms."""
_NAMED = 3
_WORTH_A_NAME = 0.1
"""Cores; the rest are many that do next to nothing."""
_USER, _SYSTEM = 11, 12
"""Fields of /proc/PID/stat, counted from behind the name (proc_pid_stat(5) has them as 14, 15)."""


class OtherPrograms(msgspec.Struct, frozen=True, kw_only=True):
    """What other programs took while they were watched."""

    share: float
    """Of the machine's cores."""
    programs: tuple[tuple[str, float], ...] = ()
    """Names with cores on average, those first that took most; empty where that is not told."""

    @property
    def busy(self) -> bool:
        """Whether that disturbs what is measured."""
        return self.share > BUSY

    @property
    def sentence(self) -> str:
        """What to know before measuring."""
        return tr(
            "Other programs take {share} of the cores: wait until quiet, or measure anyway.",
            share=show_share(self.share),
        )

    @property
    def who(self) -> str:
        """`python3 (1.9 cores), gzip (0.4 cores)`; empty where it is not known."""
        return ", ".join(
            tr("{program} ({cores} cores)", program=name, cores=marked(f"{cores:.1f}"))
            for name, cores in self.programs
        )


class WatchOthers:
    """Watches from now on; what Sluice itself and its children use is not counted."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._before = dict(_cpu_seconds())
        self._meter = NoiseMeter(sluice=_of_sluice)
        self._meter.begin(0.0)

    def seen(
        self, seconds: Seconds = SHORT, wait: Callable[[Seconds], None] = time.sleep
    ) -> OtherPrograms | None:
        """What others took, seen for at least so long; None where the platform is silent."""
        wait(max(0.0, self._began + seconds - time.monotonic()))
        self._meter.end(0.0)
        noise = self._meter.noise()
        share = noise.others_share if noise is not None else None
        if share is None:
            return None
        took = _gained(self._before, dict(_cpu_seconds()), time.monotonic() - self._began)
        return OtherPrograms(share=share, programs=tuple(took))


def _of_sluice() -> float:
    """CPU seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


def _gained(
    before: Mapping[int, tuple[str, float]], now: Mapping[int, tuple[str, float]], seconds: Seconds
) -> Sequence[tuple[str, float]]:
    """Cores by name of the program, of the few that took most."""
    cores: defaultdict[str, float] = defaultdict(float)
    for pid, (name, used) in now.items():
        cores[name] += (used - before.get(pid, (name, 0.0))[1]) / max(seconds, 0.01)
    most = sorted(cores.items(), key=lambda one: -one[1])[:_NAMED]
    return [(name, took) for name, took in most if took >= _WORTH_A_NAME]


def _cpu_seconds(root: Path = kernel_files.ROOT) -> Iterator[tuple[int, tuple[str, float]]]:
    """Name and CPU seconds of each other process, where /proc tells."""
    tick = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
    with suppress(OSError):
        for entry in os.listdir(root / "proc"):
            if not entry.isdecimal() or int(entry) == os.getpid():
                continue
            text = kernel_files.read_text(root / "proc" / entry / "stat") or ""
            start, _, rest = text.rpartition(")")  # a name may have brackets itself
            fields = rest.split()
            if len(fields) > _SYSTEM:
                name = start.partition("(")[2]
                used = (int(fields[_USER]) + int(fields[_SYSTEM])) / tick
                yield int(entry), (name, used)
