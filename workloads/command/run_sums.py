"""What the runs of a job took, all workers together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from threading import Lock

from core import OfPrograms, Peaks, Ran, one_line


class RunSums:
    """Sums and peaks of runs; of a warm-up there are none."""

    def __init__(self) -> None:
        self._peaks: dict[int, Peaks] = {}
        """By worker: what several run at once, they have together."""
        self._waits: Counter[str] = Counter()
        """Looks at pipes, and in how many of them one program waited for another."""
        self._limits: Counter[str] = Counter()
        """Runs in which a variable of the environment limits threads."""
        self._to_stdout = 0
        """Bytes that runs wrote there."""
        self._queued: float | None = 0.0
        """Seconds for which threads of all runs waited for a core; None = not known of some."""
        self._gave_up = 0.0
        """How often they gave a core up."""
        self._system = 0.0
        """Seconds that the kernel computed for them."""
        self._seconds = 0.0
        """On the wall: of several at once each has its own."""
        self._lock = Lock()

    def add(self, ran: Ran, worker: int, to_stdout: int) -> None:
        with self._lock:
            peaks = self._peaks.setdefault(worker, Peaks())
            for field in fields(Peaks):
                most = max(getattr(peaks, field.name), getattr(ran.peaks, field.name))
                setattr(peaks, field.name, most)
            waits = {one_line(OfPrograms.WAITS.join(who)): n for who, n in ran.waits.items()}
            joined = {one_line(OfPrograms.INTO.join(who)): n for who, n in ran.joined.items()}
            self._waits.update({OfPrograms.PIPES: ran.pipe_looks} | joined | waits)
            self._to_stdout += to_stdout
            if self._queued is not None:
                self._queued = None if ran.queued is None else self._queued + ran.queued
            self._gave_up += ran.gave_up
            self._system += ran.system
            self._limits.update(f"{OfPrograms.LIMIT}{name}" for name in ran.limits)
            self._seconds += ran.seconds

    def counters(self) -> Mapping[str, float]:
        """The most that runs had, all workers together, and what they wrote to stdout.

        What is not known, because no run was long enough to be seen, is left out, but for memory:
        where that is missing, the trial's own would be told.
        """
        peaks = self._peaks.values()
        most = {
            "processes at most": sum(one.processes for one in peaks),
            OfPrograms.THREADS: sum(one.threads for one in peaks),
            OfPrograms.COMPUTING: sum(one.computing for one in peaks),
            OfPrograms.DISK: sum(one.disk for one in peaks),
            OfPrograms.FILES: sum(one.files for one in peaks),
        }
        return {
            OfPrograms.PEAK: sum(one.memory for one in peaks),
            **{name: value for name, value in most.items() if value},
            **({OfPrograms.TO_STDOUT: self._to_stdout} if self._to_stdout else {}),
            **(
                {}
                if self._queued is None
                else {OfPrograms.QUEUED: self._queued, OfPrograms.GAVE_UP: self._gave_up}
            ),
            OfPrograms.SYSTEM: self._system,
            **self._limits,
            **(self._waits if self._waits[OfPrograms.PIPES] else {}),
            "looks at a run at most": max((one.looks for one in peaks), default=0),
            "wall seconds": self._seconds,
        }
