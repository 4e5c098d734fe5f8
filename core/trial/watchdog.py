"""Whether a trial can go on: children alive, not cancelled, moving, and within its time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from core.catalog.load import Load
from core.language.units import Seconds
from core.result.outcome import Cancelled, Failed, Outcome, TimedOut, crash_from
from core.trial.cancel import Cancel
from core.trial.child_process import STAGES, Process
from core.trial.counters import Block

_LONGEST_ITEM = 1000


class Watchdog:
    """Watches one trial; the time limits pause while the trial rests."""

    def __init__(
        self,
        processes: Sequence[Process],
        block: Block,
        movement: Callable[[], tuple[int, ...]],
        load: Load,
        cancel: Cancel,
    ) -> None:
        """`processes` may grow later; `movement` changes whenever any worker makes progress."""
        self.own_stage = ""
        """What this process itself is busy with, while the children wait for it."""
        self._processes = processes
        self._block = block
        self._movement = movement
        self._load = load
        self._cancel = cancel
        self._deadline = time.monotonic() + load.deadline
        self._moved_at = time.monotonic()
        self._moved_what: tuple[int, ...] = ()

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
            return self._late()
        return outcome

    def ended(self) -> Outcome | None:
        """The outcome if a child has ended the trial by itself, else None."""
        # Look for dead processes first: `died` also hears their last words, such as Broke.
        dead = next((process for process in self._processes if process.died), None)
        broken = next((process.broke for process in self._processes if process.broke), None)
        if broken is not None:
            return Failed(
                stage=broken.stage, error=broken.error, message=broken.message, trace=broken.trace
            )
        if dead is None or self._cancel.requested:
            return None
        told = dead.popen.returncode, dead.stage, dead.last_words()
        return crash_from(*told, self._item([dead]))

    def _late(self) -> TimedOut | None:
        now = time.monotonic()
        moved = self._movement()
        if moved != self._moved_what:
            self._moved_what = moved
            self._moved_at = now
        if now > self._deadline:
            return TimedOut(stage=self.stage, limit=self._load.deadline, stalled=False)
        if now - self._moved_at > self._load.stall:
            item = self._item(self._processes)
            return TimedOut(stage=self.stage, limit=self._load.stall, stalled=True, item=item)
        return None

    def _item(self, processes: Sequence[Process]) -> str:
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
