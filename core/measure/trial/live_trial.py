"""One trial, step by step: the near side of the process boundary.

`run_trial` yields events and ends with the trial itself.  `child_group` has its children,
`observer` reads their counters, `child_shutdown` judges whether it can go on, and `trial_value`
says what has happened.

A trial in one piece goes through all steps without a stop.  If settings take turns
(`core.run.round_robin`), several trials are active at once, and their owner calls the steps:
`prepare`, `turn` as often as needed, `finish`.  Between its steps a trial rests, and its time
limits pause.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from time import perf_counter_ns

import msgspec

from core.language import DatasetError, Seconds, SluiceError, command_text, tr
from core.measure.machine.machine_noise import NO_NOISE
from core.measure.trial.cancel import Cancel
from core.measure.trial.child_group import LISTENING, ON_PAGES, TICK, TrialProcesses
from core.measure.trial.child_handle import STAGES, Listener
from core.measure.trial.child_shutdown import USUAL_GRACE, Grace, measures_programs
from core.measure.trial.counters import ENDLESS, Count, Head
from core.measure.trial.errand_process import (
    Placing,
    late_audit,
    leftover_removal,
    silence,
)
from core.measure.trial.messages import Check, Close, HelperDone, Turn
from core.measure.trial.trial_value import can_be_audited, count_in, never_started, trial_of
from core.measure.trial.windows import run_in_for, window_for
from core.vocabulary import (
    Cancelled,
    Completed,
    Failed,
    MomentTaken,
    Outcome,
    PhaseProgress,
    Slot,
    TimedOut,
    Trial,
    TrialEnded,
    TrialEvent,
    describe_all,
)

_OVERDUE = 0.5  # s after the end that a short turn should have
CHECKED = 0.15
"""Part of the time of a turn for which results are performed again to be compared."""


class _Over(Exception):
    """The outcome became clear while the parent itself was busy."""


def first_sample_due(turn: Seconds) -> Seconds:
    """When the first look in a turn of that length is due; others follow every tick.

    The last look comes half a tick before the turn's end, which brings one anyway: work is counted
    every 20 ms, so that two looks in quick succession show a throughput that never was.  A short
    turn is not worth a look until its end is long overdue, because the last turn of a trial also
    verifies the results that were held back.
    """
    if turn < 2.5 * TICK:
        return turn + _OVERDUE
    return TICK if math.isinf(turn) else TICK + (turn - 1.5 * TICK) % TICK


class LiveTrial(TrialProcesses):
    """One trial while it runs, step by step."""

    closing = False
    measured_ns = 0
    """For how many ns the trial was measured so far."""
    audited: HelperDone | None = None
    """The audit of its arrived data, if its own processes could not report it."""
    rested: float | None = None
    """When its rest began, in monotonic seconds; None while it does not rest."""

    def carry_out(self) -> Iterator[TrialEvent]:
        yield from self.prepare()
        yield from self.measure()
        yield from self.finish()

    def prepare(self) -> Iterator[TrialEvent]:
        """The first step: everything before the clock."""
        yield from self.start()
        yield from self.make_ready()

    def start(self) -> Iterator[TrialEvent]:
        """The first part of `prepare`: start the processes, which get ready by themselves.

        Before that the data is placed in its store, unless it is there.
        """
        with suppress(OSError, SluiceError):  # raised again as the processes start
            self.data.begin(placed=False)
        placing = Placing(self.slot, self.run_id, self.cancel)
        began = time.monotonic()
        yield from map(self.phase, placing.run())
        self.notes += placing.notes
        self.counters += placing.counters
        self.watchdog.rested(time.monotonic() - began)
        if isinstance(placing.outcome, Completed):
            yield self.phase(PhaseProgress("starting"))
            self.start_processes()
        else:
            self.outcome = placing.outcome

    def make_ready(self) -> Iterator[TrialEvent]:
        """The second part of `prepare`: wait until they are ready."""
        yield from self.watch(lambda: all(process.ready for process in self.processes))
        yield from self._prepare_page_cache()

    def measure(self, at: int = 0) -> Iterator[TrialEvent]:
        """The second step, of a trial in one piece: the clock runs, until all work is done.

        It starts when our monotonic clock shows `at`, in ns.
        """
        if self.outcome is None:
            yield self.phase(PhaseProgress("measuring"))
            self.start_clock(at=at)
        while not self.settled() and not self.work_done:
            window = window_for(self.load, self.operation, self.workers)
            yield from self.turn(None if self._is_whole or window is None else window)
            self.rest()
            yield from self.check()
            self.resume()

    # Taking turns.

    def turn(
        self, seconds: float | None, number: int | None = None, zero: int = 0
    ) -> Iterator[TrialEvent]:
        """Measure for that time, or for all of its time left; then its workers wait.

        `number`: the round, if the trial takes turns; `zero`: the begin of the first turn of all,
        in ns.
        """
        if not self.clock_started:
            yield self.phase(PhaseProgress("measuring"))
            self.start_clock()
        if self.settled():
            return
        began = perf_counter_ns()
        self.observer.round = number
        self._give_turn(seconds)
        yield from self.watch(lambda: all(one.turned or one.measured for one in self.processes))
        complete = all(one.turned or one.measured for one in self.processes)
        first = not self.measured_ns
        self.measured_ns += self.block.measured
        limit = round(CHECKED * self.block.measured) if self.load.duration else 0
        self.block.words[Head.CHECK_TIME] = limit
        moment = self.observer.look() if complete and not self.settled() else None
        noise = self.noise.end(self.observer.used) if moment is not None else NO_NOISE
        if number is not None and (complete or not isinstance(self.outcome, Cancelled)):
            self.turns.ended(number, began - zero, noise)
        if not self.settled() and not self.all_measured():
            # Short turns end before anything checks the deadline.
            self.outcome = self.watchdog.judge(lambda: False)
        if not self.settled() and moment is not None and (first or not self.work_done):
            self.next_tick = 0.0
            self.tick()
            yield MomentTaken(index=self.slot.index, moment=moment)

    def _give_turn(self, seconds: float | None) -> None:
        self.watchdog.moved()
        self.noise.begin(self.observer.used)
        run_in = run_in_for(self.load, self.operation, self.workers)
        length = self._ns_left if seconds is None else min(round(1e9 * seconds), self._ns_left)
        self.block.give_turn(length, round(1e9 * run_in))
        for process in self.processes:
            process.turned = process.measured
            if not process.measured:
                process.send(Turn())
        expected = run_in + length / 1e9 if length < ENDLESS else math.inf
        self.next_tick = time.monotonic() + first_sample_due(expected)

    def check(self) -> Iterator[TrialEvent]:
        """Have the measured work verified in the rest, which costs none of the trial's own time.

        Repeated operations for that may take a part of the time of the last turn, or any time if
        the trial is over after some operations.
        """
        # Results of the last turn are verified at the end.
        if not self.clock_started or self.settled() or self.work_done:
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
                process.send(Check())
        self.checking = True
        yield from self.watch(lambda: all(one.checked or one.measured for one in self.processes))
        self.checking = False
        for process in self.processes:
            if process.checked and not self.settled():
                process.stage = "measuring"
        self.rested = began

    def finish(self) -> Iterator[TrialEvent]:
        """The last step: everything after the clock, to the end of the last process."""
        self.close()
        yield from self.watch(self.all_gone)
        yield from self._audit_late()
        self.outcome = self.outcome or Completed()
        self.end()

    def close(self) -> None:
        """The first part of `finish`: the processes verify and close, by themselves."""
        if self.outcome is None and not self.closing:
            self.closing = True
            self._clock_stopped()

    def _audit_late(self) -> Iterator[TrialEvent]:
        """After a timeout: let jobs that audit their writes do so, as long as they answer."""
        ready = [process.ready for process in self.processes]
        audits = all(message is not None and message.audits for message in ready)
        if not (isinstance(self.outcome, TimedOut) and audits and self.clock_started):
            return
        if self.closing:
            return
        self.closing = True
        self.block.stop()
        self._clock_stopped()
        begun = heard = time.monotonic()
        while not self.all_gone() and not self.cancel.requested:
            for live, message in self.listener.listen(TICK):
                heard = time.monotonic() if live is self else heard
                live.watchdog.moved()
                if isinstance(message, PhaseProgress):
                    yield live.phase(message)
            now = time.monotonic()
            if now - heard > self.grace.audited or now - begun > self.load.deadline:
                break
        yield from self.late_phases()

    @property
    def _ns_left(self) -> int:
        """For how many more ns its workers have to be measured."""
        whole = round(1e9 * self.load.duration)
        remainder = whole - self.measured_ns
        if self.run_by_run and remainder < 5e8 * self.operation:  # a run more goes far beyond
            remainder = 0
        return max(remainder, 1) if whole else ENDLESS

    @property
    def _is_whole(self) -> bool:
        """Whether it is one window: the clock of its only worker stands still by itself."""
        return all(process.ready is not None and process.ready.whole for process in self.processes)

    @property
    def run_by_run(self) -> bool:
        """Whether a turn is a single run of a program, unless runs are short: each is whole."""
        return self._is_whole and measures_programs(self.spec.workload)

    @property
    def work_done(self) -> bool:
        """Whether all its work is done, or its time is over."""
        return self.all_measured() or (self._ns_left == 1 and self.load.duration > 0)

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

    def _clock_stopped(self) -> None:
        self.observer.look(complete=True)
        self.noise.end(self.observer.used)
        self.page_cache.clock_stopped()
        self.watchdog.moved()
        for process in self.processes:
            process.send(Close())

    # Page cache.

    def _prepare_page_cache(self) -> Iterator[TrialEvent]:
        if self.outcome is not None or not self.page_cache.files:
            return
        self.watchdog.own_stage = ON_PAGES[self.load.page_cache]
        if self.load.page_cache != "as-is":
            yield self.phase(PhaseProgress(self.watchdog.own_stage))
        with suppress(_Over):
            self.page_cache.prepare(self._raise_if_over)
            self._raise_if_over()
        self.watchdog.own_stage = ""
        self.watchdog.moved()

    def _raise_if_over(self) -> None:
        """Called between pieces of the parent's own work: raises `_Over` once more is useless."""
        if self.tick() or self.cancel.requested:
            self.watchdog.moved()
            self.outcome = self.watchdog.judge(lambda: False)
        if self.outcome is not None:
            raise _Over

    # Endings, and the trial as a value.

    def remove_leftovers(self) -> Iterator[TrialEvent]:
        """After its end: audit its arrived data, if its own processes could not, and remove them.

        Each step has a child of its own; only data outside this machine is removed.
        """
        yield from self._audit_remains()
        if self.entry is None or self.leftover is None:
            return
        removal = leftover_removal(self.leftover, self.cancel, silence(self.spec))
        yield from map(self.phase, removal.run())
        self.counters.append(removal.done.counters)
        begun = any(STAGES.index(one.stage) >= LISTENING for one in self.processes)
        if not removal.why or not begun or self.leftover.gone:
            self.entry.remove()
            return
        where = f" in {self.leftover.address}" if self.leftover.address else ""
        self.notes.append(
            f"what it has left{where} was not removed, {removal.why}; "
            f"`{command_text('leftovers', '--remove')}` removes it"
        )

    def _audit_remains(self) -> Iterator[TrialEvent]:
        verified = all(process.verified for process in self.processes)
        if not self.clock_started or verified or not can_be_audited(self.spec, self.outcome):
            return
        audit = late_audit(self.spec, self.mark, self.cancel)
        yield from map(self.phase, audit.run())
        if audit.why:  # nobody knows what arrived
            self.notes.append(f"what arrived was not audited: {audit.why}")
        else:
            self.audited = audit.done
            count_in(self.block, audit.done)

    def trial(self, started: float) -> Trial:
        assert self.outcome is not None
        return trial_of(self, started, self._judged_by_data(self.outcome))

    def _judged_by_data(self, outcome: Outcome) -> Outcome:
        """The outcome, unless the data has changed: figures of changing data mean nothing."""
        change = self.data.change()
        if self.data.partial:
            self.notes.append(
                tr("it has so many files that only a part was looked at for changes after it")
            )
        changed = Failed(stage="measuring", error=DatasetError.__name__, message=change)
        match outcome:
            case _ if not change:
                return outcome
            case Completed():
                return changed
            case Cancelled() if self.turns:  # it could count
                return changed
            case Failed():  # most likely because of that
                self.notes.append(describe_all(outcome))
                return msgspec.structs.replace(changed, stage=outcome.stage, trace=outcome.trace)
            case _:
                self.notes.append(change)
                return outcome

    def trial_so_far(self, started: float) -> Trial:
        """The trial as if it were cut off now, in its rest, without the moments."""
        self.resume()
        self.observer.look(complete=True)
        self.rest()
        trial = trial_of(self, started, Cancelled(stage=self.watchdog.stage))
        return msgspec.structs.replace(trial, moments=())


def run_trial(
    slot: Slot, run_id: str, cancel: Cancel, *, grace: Grace = USUAL_GRACE
) -> Iterator[TrialEvent]:
    """Run one trial to its end, whatever it is; the last event is its `TrialEnded`."""
    started = time.time()
    with ExitStack() as resources:
        try:
            live = LiveTrial(slot, run_id, Listener(cancel), resources, grace)
        except (OSError, SluiceError) as error:
            trial = never_started(slot, started, error)
        else:
            yield from live.carry_out()
            yield from live.remove_leftovers()
            trial = live.trial(started)
    yield TrialEnded(trial=trial)
