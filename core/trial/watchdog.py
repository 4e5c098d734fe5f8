"""Whether a trial can go on: children alive, not cancelled, moving, within time and memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from core.catalog.load import Load
from core.catalog.workload_job import OfPrograms
from core.host.processes.process_tree import programs_memory
from core.language.translation import tr
from core.language.units import Seconds, show_size
from core.result.outcome import Cancelled, Failed, Outcome, TimedOut, crash_from
from core.trial.cancel import Cancel
from core.trial.child_process import STAGES, ChildProcess
from core.trial.counters import SharedCounters

if TYPE_CHECKING:
    from core.trial.observer import Observer

_LONGEST_ITEM = 1000
_BUSY = 5
"""Stalls for which children may compute without anything else that moves."""
_LOOK: Seconds = 0.5
"""Between two looks at their CPU time."""
_COMPUTES = 0.03
"""Share of a core above which a child computes: on a crowded machine it does not get much."""


class Watchdog:
    """Watches one trial; the time limits pause while the trial rests."""

    def __init__(
        self,
        processes: Sequence[ChildProcess],
        block: SharedCounters,
        observer: Observer,
        load: Load,
        cancel: Cancel,
    ) -> None:
        """`processes` may grow later; the observer sees whether any worker makes progress."""
        self.own_stage = ""
        """What this process itself is busy with, while the children wait for it."""
        self._processes = processes
        self._block = block
        self._observer = observer
        self._load = load
        self._cancel = cancel
        self._deadline = time.monotonic() + load.deadline
        self._moved_at = time.monotonic()
        self._moved_what: tuple[int, ...] = ()
        self._looked: tuple[float, Seconds] | None = None
        """When their CPU time was read while nothing else moved, and what it was."""

    def moved(self) -> None:
        """The trial has made progress."""
        self._moved_at = time.monotonic()

    def rested(self, waited: Seconds) -> None:
        """The trial has rested for this time, which does not count towards its limits."""
        self._deadline += waited
        self._moved_at += waited

    def judge(self, arrived: Callable[[], bool]) -> Outcome | None:
        """The outcome if the trial cannot go on or was cancelled, else None."""
        outcome = self.ended()
        if outcome is None and self._cancel.requested:
            return Cancelled(stage=self.stage)
        if outcome is None and not arrived():
            return self._late() or self._too_large()
        return outcome

    def ended(self) -> Outcome | None:
        """The outcome if a child has ended the trial by itself, else None."""
        # Look for dead processes first: `died` also hears their last words, such as Broke.
        dead = next((process for process in self._processes if process.died), None)
        broken = next((process.broke for process in self._processes if process.broke), None)
        if broken is not None:
            return Failed(
                stage=broken.stage,
                error=broken.error,
                message=broken.message,
                trace=broken.trace,
                item=broken.item,
            )
        if dead is None or self._cancel.requested:
            return None
        told = dead.child.code or 0, dead.stage, dead.last_words()
        return crash_from(*told, self._item([dead]))

    def _late(self) -> TimedOut | None:
        now = time.monotonic()
        moved = self._observer.movement()
        if moved != self._moved_what:
            self._moved_what = moved
            self._moved_at = now
        if now > self._deadline:
            return TimedOut(stage=self.stage, limit=self._load.deadline, stalled=False)
        if now - self._moved_at > self._load.stall and not self._busy(now):
            item = self._item(self._processes)
            return TimedOut(stage=self.stage, limit=self._load.stall, stalled=True, item=item)
        return None

    def _too_large(self) -> Failed | None:
        limit, resident = self._load.memory_limit, self._observer.resident
        if limit and resident > limit and OfPrograms.CPU in self._observer.tallies:
            resident = sum(programs_memory(process.child.pid) for process in self._processes)
        if not limit or resident <= limit:
            return None
        return Failed(
            stage=self.stage,
            error="MemoryLimit",
            message=tr(
                "its processes took {resident} of memory, and may take {limit}",
                resident=show_size(resident),
                limit=show_size(limit),
            ),
        )

    def _busy(self, now: float) -> bool:
        """Whether nothing is counted because it computes, as an import or a long operation does.

        A reader that turns in a circle computes, too: after some such times it counts as stalled.
        """
        if now - self._moved_at > _BUSY * self._load.stall:
            return False
        if self._looked is None or self._looked[0] < self._moved_at:
            self._looked = now, self._cpu()
            return True
        since, before = self._looked
        if now - since < min(_LOOK, self._load.stall):
            return True
        used = self._cpu() - before
        self._looked = None
        return used > _COMPUTES * (now - since)

    def _cpu(self) -> Seconds:
        """CPU time of all children and of what they have started."""
        import psutil

        found = 0.0
        for process in self._processes:
            with suppress(psutil.Error, OSError):
                one = psutil.Process(process.child.pid)
                for part in (one, *one.children(recursive=True)):
                    with suppress(psutil.Error):
                        times = part.cpu_times()
                        found += times.user + times.system
        return found

    def _item(self, processes: Sequence[ChildProcess]) -> str:
        """What those processes work on: the notes of their workers, or else what they said last."""
        told: list[str] = []
        for process in processes:
            first = self._processes.index(process) * self._load.threads
            notes = self._block.notes(range(first, first + self._load.threads))
            told += notes or [process.detail]
        return "; ".join(dict.fromkeys(text for text in told if text))[:_LONGEST_ITEM]

    @property
    def stage(self) -> str:
        """What this process itself is busy with, or else the stage of the child furthest behind."""
        stages = [process.stage for process in self._processes]
        return self.own_stage or min(stages, key=STAGES.index, default=STAGES[0])
