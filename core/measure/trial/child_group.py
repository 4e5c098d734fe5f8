"""The processes of a trial: started, listened to through their pipes, and ended.

`LiveTrial` decides what comes next in a trial's life, and has it done here, in this order:

    start_processes   the children load, prepare and warm up by themselves
    watch             until all are ready
    start_clock       once; the workers wait for their first turn
    watch             after each Turn until it is over, and after each Check until all is verified
    watch             after Close until all are gone
    end               what still runs is ended, and everything is released

`watch` also returns once the outcome is clear, and then only `end` is left.  `end` is called in any
case, at the latest by the ExitStack that the trial was given; a second call does nothing.  Several
trials that share a listener are ended at once by `shut_down`.

Nothing that children do raises here: failing, crashing, hanging and flooding their output are
outcomes.  All are ended with a request first, then SIGTERM, then SIGKILL, each with its grace.
"""

from __future__ import annotations

import secrets
import select
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import takewhile
from pathlib import Path
from time import perf_counter_ns

from core.language import SluiceError
from core.measure.machine.lab_records import ServersClock
from core.measure.machine.machine_noise import NoiseMeter
from core.measure.machine.page_cache import drop, not_on_disk, residency, warm
from core.measure.machine.processes.supervisor import Supervisor
from core.measure.machine.processor import allowed_cores, require_cores
from core.measure.machine.sampler import Sampler
from core.measure.plain_reads import files_of, roots_of
from core.measure.trial.cancel import Cancel
from core.measure.trial.child_handle import STAGES, ChildProcess, Listener
from core.measure.trial.child_shutdown import Grace, Watchdog, shut_down
from core.measure.trial.counters import Head, SharedCounters
from core.measure.trial.data_watch import DataWatch
from core.measure.trial.fork_server import origin_of
from core.measure.trial.leftovers import LeftoverEntry, leftover_of
from core.measure.trial.messages import Assignment, Close
from core.measure.trial.observer import Observer
from core.measure.trial.trial_value import unstarted
from core.measure.trial.windows import TurnLog
from core.vocabulary import (
    Cancelled,
    FileList,
    MomentTaken,
    Outcome,
    PageCacheProof,
    PhaseChanged,
    PhaseProgress,
    ReadingTaken,
    Residency,
    RunSpec,
    Slot,
    TrialEvent,
)

TICK = 0.1  # s between two looks
LISTENING = STAGES.index("warming up")
"""From here on a child notices that it should stop, and its workers work."""


class TrialProcesses:
    """The processes of one trial, from `start_processes` to `end`; see above who calls what."""

    node = 0
    """The number of this machine, of as many as the load has."""
    began = 0
    """When its children began to start, in ns."""
    clock_started = False
    checking = False
    """Whether its workers verify in its rest."""
    ended = False
    """Whether `shut_down` has begun to end it, which happens once."""
    outcome: Outcome | None = None
    """None while it can go on."""
    next_tick = 0.0
    """When the next look is due, in monotonic seconds."""
    entry: LeftoverEntry | None = None
    """The record of what it may leave outside this machine."""
    _early: Sampler | None = None
    """Looks at its children until the clock starts.

    Not the observer's sampler: early readings must cost and change nothing there.
    """
    _latest: Sampler | None = None
    """The sampler that looks at them now."""

    def __init__(
        self, slot: Slot, run_id: str, listener: Listener, resources: ExitStack, grace: Grace
    ) -> None:
        """`held` ends the processes and releases everything, unless that is done before."""
        self.slot = slot
        self.spec = slot.spec
        self.load = slot.spec.load
        self.run_id = run_id
        self.listener = listener
        self.cancel = listener.cancel
        self.grace = grace
        self.notes: list[str] = []
        self.counters: list[dict[str, float]] = []
        """What helper processes have counted for it."""
        self.processes: list[ChildProcess] = []
        self._supervision = ExitStack()
        self.mark = f"{run_id}-{slot.index}-{secrets.token_hex(2)}"
        self.leftover = leftover_of(self.spec, self.mark, time.time())
        resources.callback(self._close_entry)
        self.page_cache = PageCache(self.spec, self.cancel)
        self.data = DataWatch(self.spec, run_id)
        self.block = SharedCounters.create(self.load.workers)
        resources.callback(self.block.close)
        self.observer = Observer(self.block, duration=self.load.duration)
        resources.callback(self.observer.close)
        self.turns = TurnLog(self.block)
        self._servers = ServersClock(self.spec.parameters.values())
        self.noise = NoiseMeter(servers=self._cpu_of_servers)
        self.watchdog = Watchdog(self.processes, self.block, self.observer, self.spec, self.cancel)
        resources.callback(self.end)  # before what it uses is closed

    # Starting.

    def start_processes(self) -> None:
        """Start all children and send their assignments; the outcome tells if that fails."""
        try:
            supervisor = self._supervision.enter_context(Supervisor(self.mark))
            self.began = perf_counter_ns()
            require_cores(self.load.cores, allowed_cores())
            self.page_cache.find_files()
            with suppress(SluiceError):  # the children raise it again
                self.data.begin(placed=True)
            if self.leftover is not None:
                self.entry = LeftoverEntry(self.leftover)
            origin = origin_of(self.run_id, self.slot)
            for number in range(self.load.processes):
                process = ChildProcess.start(supervisor, self.block.fd, origin)
                self.processes.append(process)
                self.listener.add(process, self)
                process.send(
                    Assignment(
                        spec=self.spec,
                        process=number,
                        node=self.node,
                        run_id=self.run_id,
                        mark=self.mark,
                        slots=self.block.slots,
                    )
                )
            self._latest = self._early = self._supervision.enter_context(self._sampler())
        except (OSError, SluiceError) as error:
            self.outcome = unstarted(error)

    def start_clock(self, at: int = 0) -> None:
        """Start the clock when our monotonic clock shows `at`, in ns; all children are ready."""
        try:
            sampler = self._sampler()
        except OSError as error:  # no descriptors left to look at the children
            self.outcome = unstarted(error)
            return
        if self._early is not None:
            self._early.close()
        self._latest = sampler
        self.clock_started = True
        self.observer.tallies = self.tallies
        self.observer.clock_started(sampler)
        self.block.words[Head.WORKERS] = self.workers
        self.watchdog.moved()
        # Cancelling ends the wait, and is noticed after it.
        select.select([self.cancel], [], [], max(0, at - perf_counter_ns()) / 1e9)
        for process in self.processes:
            process.stage = "measuring"

    def _cpu_of_servers(self) -> Mapping[int, float]:
        """CPU seconds so far of the lab's servers, and of proxies of the trial's own."""
        of_lab = self._servers() if self._servers else {}
        return {**of_lab, **self._latest.cpu_of_guards()} if self._latest else of_lab

    def _sampler(self) -> Sampler:
        return Sampler([process.child.pid for process in self.processes], roots_of(self.spec))

    # Watching.

    def watch(self, arrived: Callable[[], bool]) -> Iterator[TrialEvent]:
        """Listen and look until `arrived` is true or the trial's outcome is clear."""
        while self.outcome is None and not arrived():
            for live, message in self.listener.listen(max(0.0, self.next_tick - time.monotonic())):
                live.watchdog.moved()
                if isinstance(message, PhaseProgress):
                    yield live.phase(message)
            if self.tick():
                yield from self._sample()
            self.outcome = self.watchdog.judge(arrived)
        if self.outcome is None:  # the end of a child may become known only now
            self.outcome = self.watchdog.ended()
        yield from self.late_phases()

    def _sample(self) -> Iterator[TrialEvent]:
        """A look at the trial; before the clock starts only at the use of its processes."""
        if self.clock_started:
            if not (self.checking or self.all_measured()):
                yield MomentTaken(index=self.slot.index, moment=self.observer.look())
        elif self._early is not None:
            with suppress(OSError):  # no descriptors left to look at a new process
                reading = self._early.read((perf_counter_ns() - self.began) / 1e9)
                if reading is not None:
                    self.observer.resident = reading.rss  # the limit holds from the start
                    yield ReadingTaken(index=self.slot.index, reading=reading)

    def late_phases(self) -> Iterator[PhaseChanged]:
        """The progress that children sent just before their end, while nobody listened."""
        for process in self.processes:
            yield from map(self.phase, process.late_progress())

    def tick(self) -> bool:
        """Do the work of each look, if one is due; returns whether it was."""
        now = time.monotonic()
        if now < self.next_tick:
            return False
        self.next_tick = now + TICK
        for process in self.processes:
            process.bound_output()
        return True

    def phase(self, doing: PhaseProgress) -> PhaseChanged:
        return PhaseChanged.of(self.slot.index, doing)

    def settled(self) -> bool:
        return self.outcome is not None

    def all_measured(self) -> bool:
        """Whether the clock has stopped in all its processes."""
        return all(process.measured for process in self.processes)

    def all_gone(self) -> bool:
        return all(process.gone() for process in self.processes)

    @property
    def operation(self) -> float:
        """Seconds that an operation took at the end of the warm-up; 0 if unknown."""
        operations = (process.ready.operation for process in self.processes if process.ready)
        return max(operations, default=0) / 1e9

    @property
    def workers(self) -> int:
        return sum(process.ready.workers for process in self.processes if process.ready)

    @property
    def tallies(self) -> tuple[str, ...]:
        """Names of what the workload counts live; all processes have the same."""
        ready = (process.ready for process in self.processes)
        return next((message.tallies for message in ready if message), ())

    # Ending.

    def end(self) -> None:
        shut_down([self])

    def ask_to_stop(self) -> bool:
        """Ask workers to stop and jobs to close; returns whether the children can listen yet."""
        if self.clock_started:
            # A cancelled trial in turns may count; then its peaks count too.
            counts = isinstance(self.outcome, Cancelled) and len(self.turns) > 0
            self.observer.look(complete=counts)
            if not counts:  # or else its last turn was not complete
                self.noise.end(self.observer.used)
        self.block.stop()
        if all(STAGES.index(process.stage) < LISTENING for process in self.processes):
            return False
        for process in self.processes:
            process.send(Close())
        return True

    def release(self) -> None:
        """Release everything, after all processes that can be ended have ended."""
        if (
            self.processes and self._latest is not None
        ):  # after a crash only this knows the survivors
            self.processes[0].child.see(self._latest.running())
        for process in self.processes:
            self.listener.remove(process)
            process.close()
        self._supervision.close()
        for process in self.processes:
            self.notes += map(str, process.survivors())

    def _close_entry(self) -> None:
        if self.entry is not None:
            self.entry.close()


ON_PAGES = {
    "as-is": "looking at the page cache",
    "warm": "warming the page cache",
    "cold": "evicting the page cache",
}
"""The step before the clock starts, by the target state of the page cache."""


class PageCache:
    """How much of the files that a trial reads is in memory; a remote store has no files."""

    def __init__(self, spec: RunSpec, cancel: Cancel) -> None:
        self.files: Sequence[Path] = ()
        self.doubt = ""
        """A reason to doubt cold figures, in a sentence."""
        self._spec = spec
        self._target = spec.load.page_cache
        self._cancel = cancel
        self._before: Residency | None = None
        self._after: Residency | None = None

    def find_files(self) -> None:
        """List the files, unless they are read past it; raises OSError and SluiceError."""
        with suppress(SluiceError):  # of a workload that is unknown here: the child says so
            setting = self._spec.setting
            if "page_cache" in setting.workload.irrelevant(setting.parameters):
                return
        self.files = files_of(self._spec)

    def prepare(self, check: Callable[[], None]) -> None:
        """Evict or warm the files; calls `check` in between, which may raise."""
        if self._target == "cold":
            drop(_each(FileList.names_in(self.files), check))
            self.doubt = not_on_disk(self.files)
        elif self._target == "warm":
            warm(self.files, lambda done, total: check())
        self._before = self._residency()

    def clock_stopped(self) -> None:
        """Measure it again, before anything is verified."""
        self._after = self._residency()

    @property
    def proof(self) -> PageCacheProof | None:
        """The target state and the measured states; None if the trial reads no files."""
        if not self.files:
            return None
        return PageCacheProof(wanted=self._target, before=self._before, after=self._after)

    def _residency(self) -> Residency | None:
        """How much of the files is in the page cache; stops early after a request to cancel."""
        if not self.files:
            return None
        return residency(
            takewhile(lambda _: not self._cancel.requested, FileList.names_in(self.files))
        )


def _each(names: Iterable[str], check: Callable[[], None]) -> Iterator[str]:
    """The same names; calls `check` now and then, which may raise."""
    for number, name in enumerate(names):
        if number % _BETWEEN_CHECKS == 0:
            check()
        yield name


_BETWEEN_CHECKS = 16  # files that are evicted between two checks that the trial is still wanted
