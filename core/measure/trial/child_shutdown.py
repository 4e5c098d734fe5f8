"""Ends the child processes of trials: when, and how.

A trial goes on while its children are alive, moving, not cancelled, and within time and memory.
Then they get a request to end, SIGTERM, and SIGKILL, each with its grace; the processes that they
have started are killed with them (`core.measure.machine.processes.supervisor`).
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.language import Seconds, show_size, tr
from core.measure.machine.out_of_memory import kernel_kills
from core.measure.machine.processes.process_tree import programs_memory
from core.measure.trial.cancel import Cancel
from core.measure.trial.child_handle import STAGES, ChildProcess, Listener
from core.measure.trial.counters import SharedCounters
from core.vocabulary import (
    Cancelled,
    Failed,
    OfPrograms,
    Outcome,
    RunSpec,
    TimedOut,
    crash_from,
    registry,
)

if TYPE_CHECKING:
    from core.measure.trial.child_group import TrialProcesses
    from core.measure.trial.observer import Observer

_LONGEST_ITEM = 1000
_TIMED = ("warming up", "waiting", "measuring", "ending")
"""Stages in which operations are performed."""
LEAST_READ = 64 << 10
"""Bytes that must be read to count as progress: a connection that is kept alive reads, too."""
_BUSY = 5
"""Stalls for which children may compute while nothing else moves."""
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
        spec: RunSpec,
        cancel: Cancel,
    ) -> None:
        """`processes` may grow later; the observer sees whether any worker makes progress."""
        self.own_stage = ""
        """The work of this process itself, while the children wait for it."""
        self._processes = processes
        self._block = block
        self._observer = observer
        self._load = load = spec.load
        self._cancel = cancel
        self._of_programs = measures_programs(spec.workload)
        self._kills = kernel_kills()
        self._deadline = time.monotonic() + load.deadline
        self._moved_at = time.monotonic()
        self._moved_what: tuple[int, ...] = ()
        self._used: tuple[float, Seconds, int] | None = None
        """A look at their use while nothing else moved: its time, their CPU time and bytes read."""

    def moved(self) -> None:
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
        last = dead.child.code or 0, dead.stage, dead.last_output()
        return crash_from(*last, self._item([dead]), kills=kernel_kills() - self._kills)

    def _late(self) -> TimedOut | None:
        now = time.monotonic()
        moved = self._observer.movement()
        if moved != self._moved_what:
            self._moved_what = moved
            self._moved_at = now
        if now > self._deadline:
            # While operations run, all of them together take too long, not one item.
            item = "" if self.own_stage or self.stage in _TIMED else self._item(self._processes)
            return TimedOut(stage=self.stage, limit=self._load.deadline, stalled=False, item=item)
        if now - self._moved_at > self._load.stall and not self._busy(now):
            item = self._item(self._processes)
            return TimedOut(stage=self.stage, limit=self._load.stall, stalled=True, item=item)
        return None

    def _too_large(self) -> Failed | None:
        return memory_failure(
            self.stage,
            limit=self._load.memory_limit,
            resident=self._observer.resident,
            processes=self._processes,
            of_programs=self._of_programs or OfPrograms.CPU in self._observer.tallies,
        )

    def _busy(self, now: float) -> bool:
        """Whether the trial computes without counting, as in an import or a long operation.

        A reader in an endless loop computes, too: after some stalls it counts as stalled.  Reading
        outside the clock, such as of the right answers, is progress for as long as it takes.
        """
        if now - self._moved_at > _BUSY * self._load.stall:
            return False
        if self._used is None or self._used[0] < self._moved_at:
            self._used = now, *self._usage()
            return True
        since, cpu_before, read_before = self._used
        if now - since < min(_LOOK, self._load.stall):
            return True
        cpu, read = self._usage()
        self._used = None
        if read - read_before > LEAST_READ and self.stage not in _TIMED:
            self.moved()
        used = cpu - cpu_before
        # CPU time falls when a process ends without a wait, or where the system forgets it.
        return used < 0 or used > _COMPUTES * (now - since)

    def _usage(self) -> tuple[Seconds, int]:
        """CPU time and bytes read of all children and descendants, also of those that ended."""
        import psutil

        seconds, read = 0.0, 0
        for process in self._processes:
            with suppress(psutil.Error, OSError):
                one = psutil.Process(process.child.pid)
                for part in (one, *one.children(recursive=True)):
                    with suppress(psutil.Error, AttributeError):  # macOS tells no bytes
                        # Ended children count too: an operation may be many of them.
                        seconds += sum(part.cpu_times()[:4])
                        read += part.io_counters().read_chars
        return seconds, read

    def _item(self, processes: Sequence[ChildProcess]) -> str:
        """The items that these processes work on, by their workers' notes or their last steps."""
        items: list[str] = []
        for process in processes:
            first = self._processes.index(process) * self._load.threads
            notes = self._block.notes(range(first, first + self._load.threads))
            items += notes or [process.detail]
        return "; ".join(dict.fromkeys(text for text in items if text))[:_LONGEST_ITEM]

    @property
    def stage(self) -> str:
        """The work of this process itself, or else the stage of the child furthest behind."""
        stages = [process.stage for process in self._processes]
        return self.own_stage or min(stages, key=STAGES.index, default=STAGES[0])


def measures_programs(workload: str) -> bool:
    """Whether the memory of a workload's programs stands for the memory of its trials."""
    return OfPrograms.CPU in registry.counters(workload)


def memory_failure(
    stage: str,
    *,
    limit: int,
    resident: int,
    processes: Sequence[ChildProcess],
    of_programs: bool,
) -> Failed | None:
    """The failure if processes have more bytes resident than `limit`; 0 = no limit.

    `of_programs`: only the programs that they have started count.
    """
    if limit and resident > limit and of_programs:
        resident = sum(programs_memory(process.child.pid) for process in processes)
    if not limit or resident <= limit:
        return None
    return Failed(
        stage=stage,
        error="MemoryLimit",
        message=tr(
            "its processes took {resident} of memory, and may take {limit}",
            resident=show_size(resident),
            limit=show_size(limit),
        ),
    )


@dataclass(frozen=True, kw_only=True)
class Grace:
    """Seconds that each step of ending children may take."""

    audited: Seconds = 10.0
    """Silence after a timeout, for jobs that audit their own writes."""
    requested: Seconds = 0.5
    terminated: Seconds = 0.15
    killed: Seconds = 5.0


USUAL_GRACE = Grace()


def shut_down(live_trials: Sequence[TrialProcesses]) -> None:
    """End the running processes of trials that share a listener: ask, terminate, kill.

    Each step has the deadline of the most patient trial; several take no longer than one alone.
    """
    living = [live for live in live_trials if not live.ended]
    if not living:
        return
    listener = living[0].listener
    graces = [live.grace for live in living]
    processes = [process for live in living for process in live.processes]
    for live in living:
        live.ended = True
    with listener.ignoring_cancel():
        running = [live for live in living if any(process.running for process in live.processes)]
        if any([live.ask_to_stop() for live in running]):  # noqa: C419 -- all of them
            _wait_for_ends(listener, processes, max(grace.requested for grace in graces))
        for number, limit in (
            (signal.SIGTERM, max(grace.terminated for grace in graces)),
            (signal.SIGKILL, max(grace.killed for grace in graces)),
        ):
            for process in processes:
                if process.running:
                    process.child.signal(number)
            _wait_for_ends(listener, processes, limit)
        listener.drain()  # the last words of those that are gone
    for live in living:
        live.release()


def _wait_for_ends(listener: Listener, processes: Sequence[ChildProcess], limit: float) -> None:
    until = time.monotonic() + limit
    while running := [process for process in processes if process.running]:
        seconds_left = until - time.monotonic()
        if seconds_left <= 0:
            break
        if all(process.silent for process in running):
            running[0].child.wait(seconds_left)
        else:
            listener.drain(seconds_left)
