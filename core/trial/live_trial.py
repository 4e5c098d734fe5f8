"""One trial while it runs: starts, watches and ends its children, step by step.

A trial in one piece goes through all steps without a stop.  If settings take turns
(`core.execution.turns`), several trials are active at once, and their owner calls the steps:
`prepare`, `turn` as often as needed, `finish`.  Between its steps a trial rests, and its time
limits pause.
"""

from __future__ import annotations

import math
import secrets
import select
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from time import perf_counter_ns

import msgspec

from core.errors import SluiceError
from core.host.environment.processor import allowed_cores, require_cores
from core.host.lab_records import ServersClock
from core.host.machine_noise import NoiseMeter
from core.host.processes.supervisor import Supervisor
from core.host.sampling import Sampler
from core.language.units import Seconds
from core.plan.floor import roots_of
from core.plan.schedule import Slot
from core.result.outcome import Cancelled, Completed, Outcome, TimedOut
from core.result.result import Trial
from core.trial.child_process import STAGES, ChildProcess
from core.trial.counters import ENDLESS, Block, Count, Head
from core.trial.helper_process import (
    LateAudit,
    Placing,
    Sweeping,
    can_be_audited,
    count_in,
    silence,
)
from core.trial.ledger import LedgerEntry, leftover_of
from core.trial.listener import Grace, Listener, shut_down
from core.trial.messages import Assignment, Check, Close, Done, PhaseProgress, Turn
from core.trial.observer import Observer, TurnLog
from core.trial.page_cache import ON_PAGES, PageCache
from core.trial.trial_events import MomentTaken, PhaseChanged, TrialEvent
from core.trial.trial_value import trial_of, unstarted
from core.trial.watchdog import Watchdog
from core.trial.windows import run_in_for, window_for

_TICK = 0.1  # s between two looks
_OVERDUE = 0.5  # s after the end that a short turn should have
_LISTENING = STAGES.index("warming up")  # from here on a child notices that it should stop


CHECKED = 0.15
"""Part of the time of a turn for which results are performed again to be compared."""


class _Over(Exception):
    """The outcome became clear while the parent itself was busy."""


def first_look(turn: Seconds) -> Seconds:
    """When the first look in a turn of that length is due; others follow every tick.

    The last of them comes half a tick before the turn's end, where there is one anyway: work is
    counted every 20 ms, so of two looks that follow each other sooner the throughput is one that
    never was.  In a short turn a look would cost more than it is worth: there is one only where it
    is long overdue, since the last turn of a trial also verifies what was held back.
    """
    if turn < 2.5 * _TICK:
        return turn + _OVERDUE
    return _TICK if math.isinf(turn) else _TICK + (turn - 1.5 * _TICK) % _TICK


class LiveTrial:
    """One trial while it runs; `held` releases everything that it takes."""

    def __init__(
        self, slot: Slot, run_id: str, listener: Listener, held: ExitStack, grace: Grace
    ) -> None:
        self.slot = slot
        self.grace = grace
        self.spec = slot.spec
        self.load = slot.spec.load
        self.run_id = run_id
        self.listener = listener
        self.cancel = listener.cancel
        self.outcome: Outcome | None = None
        self.processes: list[ChildProcess] = []
        self._supervision = ExitStack()
        self.notes: list[str] = []
        self.went = False
        self.mark = f"{run_id}-{slot.index}-{secrets.token_hex(2)}"
        self.entry: LedgerEntry | None = None
        self.leftover = leftover_of(self.spec, self.mark, time.time())
        held.callback(self._close_entry)
        self.page_cache = PageCache(self.spec, self.cancel)
        self.block = Block.create(self.load.processes * self.load.threads)
        held.callback(self.block.close)
        self.observer = Observer(self.block, duration=self.load.duration)
        held.callback(self.observer.close)
        self.turns = TurnLog(self.block)
        servers = ServersClock(self.spec.parameters.values())
        self.noise = NoiseMeter(servers=servers or dict)
        held.callback(self.land)
        self.landed = False
        self.rested: float | None = None
        """When it began to rest, in monotonic seconds; None while it does not rest."""
        self.watchdog = Watchdog(self.processes, self.block, self.observer, self.load, self.cancel)
        self.next_tick = 0.0
        self.checking = False
        self.closing = False
        self.began = 0
        """When its children began to start, in ns."""
        self.node = 0
        """The number of this machine, of as many as the load has."""
        self.given = 0
        """For how many ns it was measured so far."""
        self.audited: Done | None = None
        """What was found to have arrived, where its own processes could not say so."""

    def carry_out(self) -> Iterator[TrialEvent]:
        """Run all steps without a stop, and yield the events."""
        yield from self.prepare()
        yield from self.measure()
        yield from self.finish()

    def prepare(self) -> Iterator[TrialEvent]:
        """The first step: everything before the clock."""
        yield from self.start()
        yield from self.make_ready()

    def start(self) -> Iterator[TrialEvent]:
        """The first part of `prepare`: start the processes, which get ready by themselves.

        Before, the data is placed in its store, where that is not done yet.
        """
        placing = Placing(self.slot, self.run_id, self.cancel)
        began = time.monotonic()
        yield from map(self.phase, placing.run())
        self.watchdog.rested(time.monotonic() - began)
        if isinstance(placing.outcome, Completed):
            yield self.phase(PhaseProgress("starting"))
            self._start()
        else:
            self.outcome = placing.outcome

    def make_ready(self) -> Iterator[TrialEvent]:
        """The second part of `prepare`: wait until they are ready."""
        yield from self._watch(lambda: all(process.ready for process in self.processes))
        yield from self._prepare_page_cache()

    def measure(self, at: int = 0) -> Iterator[TrialEvent]:
        """The second step, of a trial in one piece: the clock runs, until all work is done.

        It starts when our monotonic clock shows `at`, in ns.
        """
        if self.outcome is None:
            yield self.phase(PhaseProgress("measuring"))
            self._go(at=at)
        while not self._settled() and not self.work_done:
            window = window_for(self.load, self.operation, self.workers)
            yield from self.turn(None if self._is_whole or window is None else window)
            self.rest()
            yield from self.check()
            self.resume()

    def finish(self) -> Iterator[TrialEvent]:
        """The last step: everything after the clock, to the end of the last process."""
        self.close()
        yield from self._watch(self._all_gone)
        yield from self._audit_late()
        self.outcome = self.outcome or Completed()
        self.land()

    def close(self) -> None:
        """The first part of `finish`: the processes verify and close, by themselves."""
        if self.outcome is None and not self.closing:
            self.closing = True
            self._clock_stopped()

    def _audit_late(self) -> Iterator[TrialEvent]:
        """After a timeout: let those that look at what they wrote do so, as long as they answer."""
        ready = [process.ready for process in self.processes]
        audits = all(word is not None and word.audits for word in ready)
        if not isinstance(self.outcome, TimedOut) or not audits or not self.went or self.closing:
            return
        self.closing = True
        self.block.stop()
        self._clock_stopped()
        begun = heard = time.monotonic()
        while not self._all_gone() and not self.cancel.requested:
            for live, word in self.listener.listen(_TICK):
                heard = time.monotonic() if live is self else heard
                live.watchdog.moved()
                if isinstance(word, PhaseProgress):
                    yield live.phase(word)
            now = time.monotonic()
            if now - heard > self.grace.audited or now - begun > self.load.deadline:
                break
        yield from self._late_phases()

    # Taking turns.

    def turn(
        self, seconds: float | None, number: int | None = None, zero: int = 0
    ) -> Iterator[TrialEvent]:
        """Measure for that time, or for all that is left of its time; then its workers wait.

        `number`: of the round, where it takes turns; `zero`: when the first turn of all trials in
        turns began, in ns.
        """
        if not self.went:
            yield self.phase(PhaseProgress("measuring"))
            self._go()
        if self._settled():
            return
        self.watchdog.moved()
        began = perf_counter_ns()
        self.noise.begin(self.observer.used)
        run_in = run_in_for(self.load, self.operation, self.workers)
        length = self._left if seconds is None else min(round(1e9 * seconds), self._left)
        self.block.give_turn(length, round(1e9 * run_in))
        for process in self.processes:
            process.turned = process.measured
            if not process.measured:
                process.tell(Turn())
        expected = run_in + length / 1e9 if length < ENDLESS else math.inf
        self.next_tick = time.monotonic() + first_look(expected)
        yield from self._watch(lambda: all(one.turned or one.measured for one in self.processes))
        complete = all(one.turned or one.measured for one in self.processes)
        first = not self.given
        self.given += self.block.measured
        limit = round(CHECKED * self.block.measured) if self.load.duration else 0
        self.block.words[Head.CHECK_TIME] = limit
        moment = self.observer.look() if complete and not self._settled() else None
        stolen = self.noise.end(self.observer.used) if moment is not None else 0.0
        if number is not None and (complete or not isinstance(self.outcome, Cancelled)):
            self.turns.ended(number, began - zero, stolen)
        if not self._settled() and not self._all_measured():
            # Short turns end before anything checks the deadline.
            self.outcome = self.watchdog.judge(lambda: False)
        if not self._settled() and moment is not None and (first or not self.work_done):
            self.next_tick = 0.0
            self._tick()
            yield MomentTaken(index=self.slot.index, moment=moment)

    @property
    def _left(self) -> int:
        """For how many ns its workers have to be measured yet."""
        whole = round(1e9 * self.load.duration)
        return max(whole - self.given, 1) if whole else ENDLESS

    @property
    def _is_whole(self) -> bool:
        """Whether it is one window: the clock of its only worker stands still by itself."""
        return all(process.ready is not None and process.ready.whole for process in self.processes)

    def check(self) -> Iterator[TrialEvent]:
        """Have what was measured verified in its rest, which costs none of its own time.

        What has to be performed again for that gets a part of the time of the last turn, or all
        that it needs where the trial is over after some operations.
        """
        if not self.went or self._settled() or self.work_done:  # what is left is verified last
            return
        if not any(slot[Count.UNVERIFIED] for slot in self.block.counts()):
            return
        self.resume()
        began = time.monotonic()
        self.watchdog.moved()
        for process in self.processes:
            process.checked = process.measured
            if not process.measured:
                process.stage = "verifying"
                process.tell(Check())
        self.checking = True
        yield from self._watch(lambda: all(one.checked or one.measured for one in self.processes))
        self.checking = False
        for process in self.processes:
            if process.checked and not self._settled():
                process.stage = "measuring"
        self.rested = began

    def _settled(self) -> bool:
        return self.outcome is not None

    def rest(self) -> None:
        """Its turn is over; its time limits pause."""
        self.rested = time.monotonic()

    def resume(self) -> None:
        """Its time limits continue where they paused."""
        if self.rested is None:
            return
        waited = time.monotonic() - self.rested
        self.rested = None
        self.watchdog.rested(waited)
        self.observer.stood_still(round(1e9 * waited))

    def look_after(self) -> None:
        """While it rests: set the outcome if a process has died or the trial was cancelled."""
        if self.outcome is None:
            self.outcome = self.watchdog.judge(lambda: True)

    @property
    def operation(self) -> float:
        """Seconds that an operation took at the end of the warm-up; 0 if unknown."""
        told = (process.ready.operation for process in self.processes if process.ready)
        return max(told, default=0) / 1e9

    @property
    def workers(self) -> int:
        """Worker threads of all processes."""
        return sum(process.ready.workers for process in self.processes if process.ready)

    @property
    def tallies(self) -> tuple[str, ...]:
        """Names of what the workload counts live; all processes have the same."""
        ready = (process.ready for process in self.processes)
        return next((word.tallies for word in ready if word), ())

    @property
    def work_done(self) -> bool:
        """Whether all its work is done, or its time is over."""
        return self._all_measured() or (self._left == 1 and self.load.duration > 0)

    # Starting and watching.

    def _start(self) -> None:
        try:
            supervisor = self._supervision.enter_context(Supervisor(self.mark))
            self.began = perf_counter_ns()
            require_cores(self.load.cores, allowed_cores())
            self.page_cache.find_files()
            if self.leftover is not None:
                self.entry = LedgerEntry(self.leftover)
            for place in range(self.load.processes):
                process = ChildProcess.start(supervisor, self.block.fd)
                self.processes.append(process)
                self.listener.meet(process, self)
                process.tell(
                    Assignment(
                        spec=self.spec,
                        process=place,
                        node=self.node,
                        run_id=self.run_id,
                        mark=self.mark,
                        slots=self.block.slots,
                    )
                )
        except (OSError, SluiceError) as error:
            self.outcome = unstarted(error)

    def _go(self, at: int = 0) -> None:
        try:
            pids = [process.child.pid for process in self.processes]
            sampler = Sampler(pids, roots_of(self.spec))
        except OSError as error:  # no descriptors left to look at the children
            self.outcome = unstarted(error)
            return
        self.went = True
        self.observer.tallies = self.tallies
        self.observer.clock_started(sampler)
        self.block.words[Head.WORKERS] = self.workers
        self.watchdog.moved()
        # Cancelling ends the wait, and is noticed after it.
        select.select([self.cancel], [], [], max(0, at - perf_counter_ns()) / 1e9)
        for process in self.processes:
            process.stage = "measuring"

    def _clock_stopped(self) -> None:
        self.observer.look(complete=True)
        self.noise.end(self.observer.used)
        self.page_cache.clock_stopped()
        self.watchdog.moved()
        for process in self.processes:
            process.tell(Close())

    def _watch(self, arrived: Callable[[], bool]) -> Iterator[TrialEvent]:
        """Listen and look until `arrived` is true or the trial's outcome is clear."""
        while self.outcome is None and not arrived():
            for live, word in self.listener.listen(max(0.0, self.next_tick - time.monotonic())):
                live.watchdog.moved()
                if isinstance(word, PhaseProgress):
                    yield live.phase(word)
            if self._tick() and self.went and not (self.checking or self._all_measured()):
                yield MomentTaken(index=self.slot.index, moment=self.observer.look())
            self.outcome = self.watchdog.judge(arrived)
        if self.outcome is None:  # the end of a child may become known only now
            self.outcome = self.watchdog.ended()
        yield from self._late_phases()

    def _late_phases(self) -> Iterator[PhaseChanged]:
        """What children that have ended said while nobody listened."""
        words = [word for process in self.processes for word in process.late_words()]
        yield from (self.phase(word) for word in words if isinstance(word, PhaseProgress))

    def _tick(self) -> bool:
        now = time.monotonic()
        if now < self.next_tick:
            return False
        self.next_tick = now + _TICK
        for process in self.processes:
            process.bound_output()
        return True

    def phase(self, doing: PhaseProgress) -> PhaseChanged:
        """What the trial does now, as an event."""
        return PhaseChanged.of(self.slot.index, doing)

    def _all_measured(self) -> bool:
        return all(process.measured for process in self.processes)

    def _all_gone(self) -> bool:
        return all(process.gone() for process in self.processes)

    # Page cache.

    def _prepare_page_cache(self) -> Iterator[TrialEvent]:
        if self.outcome is not None or not self.page_cache.files:
            return
        self.watchdog.own_stage = ON_PAGES[self.load.page_cache]
        if self.load.page_cache != "as-is":
            yield self.phase(PhaseProgress(self.watchdog.own_stage))
        with suppress(_Over):
            self.page_cache.prepare(self._look_up)
            self._look_up()
        self.watchdog.own_stage = ""
        self.watchdog.moved()

    def _look_up(self) -> None:
        """Called between pieces of the parent's own work: raises `_Over` once that is useless."""
        if self._tick() or self.cancel.requested:
            self.watchdog.moved()
            self.outcome = self.watchdog.judge(lambda: False)
        if self.outcome is not None:
            raise _Over

    # Endings.

    def land(self) -> None:
        """End what still runs, and release it."""
        shut_down([self])

    def ask(self) -> bool:
        """Ask workers to stop and jobs to close; returns whether the children can listen yet."""
        if self.went:
            # A trial in turns may count although it is cancelled: then its peaks do, too.
            counts = isinstance(self.outcome, Cancelled) and len(self.turns) > 0
            self.observer.look(complete=counts)
            if not counts:  # or else its last turn was not complete
                self.noise.end(self.observer.used)
        self.block.stop()
        if all(STAGES.index(process.stage) < _LISTENING for process in self.processes):
            return False
        for process in self.processes:
            process.tell(Close())
        return True

    def let_go(self) -> None:
        """Release everything, after all processes that can be ended have ended."""
        for process in self.processes:
            if process.running:  # the kernel holds it, for instance on a dead server's file
                self.notes.append(f"process {process.child.pid} could not be ended")
            self.listener.forget(process)
            process.close()
        self._supervision.close()

    def sweep(self) -> Iterator[TrialEvent]:
        """After its end: look at what arrived, where its own processes could not, and remove it.

        Each in a child of its own; only what it has left outside this machine is removed.
        """
        yield from self._audit_remains()
        if self.entry is None or self.leftover is None:
            return
        sweeping = Sweeping(self.leftover, self.cancel, silence(self.spec))
        yield from map(self.phase, sweeping.run())
        if sweeping.why:
            self.notes.append(sweeping.note)
        else:
            self.entry.remove()

    def _audit_remains(self) -> Iterator[TrialEvent]:
        told = all(process.verified for process in self.processes)
        if not self.went or told or not can_be_audited(self.spec, self.outcome):
            return
        audit = LateAudit(self.spec, self.mark, self.cancel)
        yield from map(self.phase, audit.run())
        self.audited = audit.done
        if audit.done is None:
            self.notes.append(audit.note)
        else:
            count_in(self.block, audit.done)

    def _close_entry(self) -> None:
        if self.entry is not None:
            self.entry.close()

    # The trial as a value.

    def trial(self, started: float) -> Trial:
        """Everything that happened in the trial, after its end."""
        assert self.outcome is not None
        return trial_of(self, started, self.outcome)

    def trial_so_far(self, started: float) -> Trial:
        """The trial as if it were cut off now, in its rest, without the moments."""
        self.resume()
        self.observer.look(complete=True)
        self.rest()
        told = trial_of(self, started, Cancelled(stage=self.watchdog.stage))
        return msgspec.structs.replace(told, moments=())
