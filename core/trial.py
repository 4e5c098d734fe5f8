"""The near side of the process boundary: runs a trial in children, watches and ends them.

`run_trial` yields what is to be seen and ends with the trial itself.  Nothing the children do
raises here: failing, crashing, hanging and flooding their output are outcomes.
"""

from __future__ import annotations

import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

import msgspec

from core import registry
from core.cancel import Cancel
from core.dataset import Dataset
from core.errors import SluiceError
from core.events import Event, MomentTaken, PhaseChanged, TrialEnded
from core.moments import Observer, totals
from core.outcome import Cancelled, Complaint, Completed, Failed, Outcome, TimedOut, crash_from
from core.pagecache import Residency, evict, residency, warm
from core.plan import Slot
from core.process import STAGES, Process
from core.result import PageCacheProof, Trial
from core.sampling import Sampler
from core.telemetry import Block
from core.texts import safe, secrets_of
from core.units import Seconds
from core.versions import versions_of
from core.words import Assignment, Close, Doing, Go

_TICK = 0.1  # s between two looks
_LONGEST_ITEM = 1000
_EVICTED_AT_ONCE = 16  # files between two looks whether the trial is still wanted
ON_PAGES = {
    "as-is": "looking at the page cache",
    "warm": "warming the page cache",
    "cold": "evicting the page cache",
}
"""What is done before the clock, by the state of the page cache that was asked for."""


@dataclass(frozen=True, kw_only=True)
class Grace:
    """Seconds that each step of ending children may take."""

    asked: Seconds = 0.5
    terminated: Seconds = 0.15
    killed: Seconds = 5.0


def run_trial(
    slot: Slot, run_id: str, cancel: Cancel, *, grace: Grace = Grace()
) -> Iterator[Event]:
    """Run one trial to its end, whatever that is; the last event is its `TrialEnded`."""
    started = time.time()
    with ExitStack() as held:
        try:
            flight = _Flight(slot, run_id, cancel, held, grace)
        except (OSError, SluiceError) as error:
            trial = Trial(
                index=slot.index,
                block=slot.block,
                spec_digest=slot.spec.digest,
                started=started,
                outcome=_unstarted(error),
            )
        else:
            yield from flight.fly()
            trial = flight.trial(started)
    yield TrialEnded(trial=trial)


class _Over(Exception):
    """The outcome was settled while the parent was busy itself."""


class _Flight:
    """One trial while it runs; `held` gives everything back that it takes."""

    def __init__(
        self, slot: Slot, run_id: str, cancel: Cancel, held: ExitStack, grace: Grace
    ) -> None:
        self.slot = slot
        self.grace = grace
        self.spec = slot.spec
        self.load = slot.spec.load
        self.run_id = run_id
        self.cancel = cancel
        self.outcome: Outcome | None = None
        self.processes: list[Process] = []
        self.notes: list[str] = []
        self.cold: tuple[Residency | None, Residency | None] = (None, None)
        self.went = False
        self.own_stage = ""
        """What this process itself is busy with, while the children wait for it."""
        self.files = _files(self.spec.dataset)
        self.block = Block.create(self.load.processes * self.load.threads)
        held.callback(self.block.close)
        self.observer = Observer(self.block)
        held.callback(self.observer.close)
        self.selector = selectors.PollSelector()
        self.selector.register(cancel, selectors.EVENT_READ)
        held.callback(self.land)
        self.landed = False
        self.deadline = time.monotonic() + self.load.deadline
        self.moved_at = time.monotonic()
        self.moved_what: tuple[int, ...] = ()
        self.next_tick = 0.0

    def fly(self) -> Iterator[Event]:
        """From the first process to the last, yielding what is to be seen."""
        yield self._phase(Doing("starting"))
        self._start()
        yield from self._watch(lambda: all(process.ready for process in self.processes))
        yield from self._prepare_page_cache()
        if self.outcome is None:
            yield self._phase(Doing("measuring"))
            self._go()
        yield from self._watch(self._all_measured)
        if self.outcome is None:
            self._clock_stopped()
        yield from self._watch(self._all_gone)
        self.outcome = self.outcome or Completed()
        self.land()

    # Starting and watching.

    def _start(self) -> None:
        try:
            for place in range(self.load.processes):
                process = Process.start(self.block.fd)
                self.processes.append(process)
                self.selector.register(process.hear, selectors.EVENT_READ, process)
                process.tell(
                    Assignment(
                        spec=self.spec, process=place, run_id=self.run_id, slots=self.block.slots
                    )
                )
        except OSError as error:
            self.outcome = _unstarted(error)

    def _go(self) -> None:
        roots = [self.spec.dataset.path] if self.files else []
        try:
            sampler = Sampler([process.popen.pid for process in self.processes], roots)
        except OSError as error:  # no descriptors left to look at the children with
            self.outcome = _unstarted(error)
            return
        self.went = True
        self.observer.clock_started(sampler)
        self._move()
        for process in self.processes:
            process.stage = "measuring"
            process.tell(Go())

    def _clock_stopped(self) -> None:
        self.observer.look(complete=True)
        self.cold = (self.cold[0], self._residency())
        self._move()
        for process in self.processes:
            process.tell(Close())

    def _watch(self, arrived: Callable[[], bool]) -> Iterator[Event]:
        """Listen and look until all arrived where they should, or the trial's outcome is clear."""
        while self.outcome is None and not arrived():
            for word in self._listen(max(0.0, self.next_tick - time.monotonic())):
                yield self._phase(word)
            if self._tick() and self.went and not self._all_measured():
                yield MomentTaken(index=self.slot.index, moment=self.observer.look())
            self._judge(arrived)
        if self.outcome is None:  # of those that are gone something may be known only now
            self.outcome = self._ended()

    def _listen(self, wait: float) -> Iterator[Doing]:
        """Wait for words, or for cancelling; those that are to be seen."""
        for key, _ in self.selector.select(wait):
            process = key.data
            if process is None:
                continue
            words = process.listen()
            if process.silent:
                self.selector.unregister(process.hear)
            if words:
                self._move()
            yield from (word for word in words if isinstance(word, Doing))

    def _tick(self) -> bool:
        now = time.monotonic()
        if now < self.next_tick:
            return False
        self.next_tick = now + _TICK
        for process in self.processes:
            process.bound_output()
        return True

    def _phase(self, doing: Doing) -> PhaseChanged:
        return PhaseChanged(
            index=self.slot.index,
            phase=doing.stage,
            detail=doing.detail,
            done=doing.done,
            total=doing.total,
            unit=doing.unit,
        )

    def _all_measured(self) -> bool:
        return all(process.measured for process in self.processes)

    def _all_gone(self) -> bool:
        return all(process.gone() for process in self.processes)

    # Page cache.

    def _prepare_page_cache(self) -> Iterator[Event]:
        if self.outcome is not None or not self.files:
            return
        self.own_stage = ON_PAGES[self.load.page_cache]
        if self.load.page_cache != "as-is":
            yield self._phase(Doing(self.own_stage))
        with suppress(_Over):
            if self.load.page_cache == "cold":
                for first in range(0, len(self.files), _EVICTED_AT_ONCE):
                    evict(self.files[first : first + _EVICTED_AT_ONCE])
                    self._look_up()
            elif self.load.page_cache == "warm":
                warm(self.files, lambda done, total: self._look_up())
            self.cold = (self._residency(), None)
            self._look_up()
        self.own_stage = ""
        self._move()

    def _look_up(self) -> None:
        """Between two pieces of the parent's own work: raise `_Over` once it is for nothing."""
        if self._tick() or self.cancel.requested:
            self._move()
            self._judge(lambda: False)
        if self.outcome is not None:
            raise _Over

    def _residency(self) -> Residency | None:
        """How much of the dataset is in the page cache; not all is looked at once cancelled."""
        if not self.files:
            return None
        return residency(takewhile(lambda _: not self.cancel.requested, self.files))

    # Endings.

    def _judge(self, arrived: Callable[[], bool]) -> None:
        """Set the outcome where the trial cannot go on, or is not wanted any more."""
        self.outcome = self._ended()
        if self.outcome is None and self.cancel.requested:
            self.outcome = Cancelled(stage=self._stage())
        elif self.outcome is None and not arrived():
            self.outcome = self._late()

    def _ended(self) -> Outcome | None:
        """How a child has ended the trial on its own, if one has."""
        # The dead first: to find them is to hear what they said last, that something broke for one.
        dead = next((process for process in self.processes if process.died), None)
        broken = next((process.broke for process in self.processes if process.broke), None)
        if broken is not None:
            return Failed(
                stage=broken.stage, error=broken.error, message=broken.message, trace=broken.trace
            )
        if dead is None or self.cancel.requested:
            return None
        told = dead.popen.returncode, dead.stage, dead.last_words()
        return crash_from(*told, self._item([dead]))

    def _late(self) -> TimedOut | None:
        now = time.monotonic()
        moved = self.observer.movement()
        if moved != self.moved_what:
            self.moved_what = moved
            self.moved_at = now
        if now > self.deadline:
            return TimedOut(stage=self._stage(), limit=self.load.deadline, stalled=False)
        if now - self.moved_at > self.load.stall:
            item = self._item(self.processes)
            return TimedOut(stage=self._stage(), limit=self.load.stall, stalled=True, item=item)
        return None

    def _item(self, processes: Sequence[Process]) -> str:
        """What those processes are at: what their workers noted, else what they said last."""
        told: list[str] = []
        for process in processes:
            first = self.processes.index(process) * self.load.threads
            notes = self.block.notes(range(first, first + self.load.threads))
            told += notes or [process.detail]
        return "; ".join(dict.fromkeys(text for text in told if text))[:_LONGEST_ITEM]

    def _stage(self) -> str:
        """What the trial is at: what its hindmost process is at."""
        stages = [process.stage for process in self.processes]
        return self.own_stage or min(stages, key=STAGES.index, default=STAGES[0])

    def _move(self) -> None:
        self.moved_at = time.monotonic()

    def land(self) -> None:
        """End what still runs: ask, terminate, kill, each with its deadline; then let go of it."""
        if self.landed:
            return
        self.landed = True
        self.selector.unregister(self.cancel)  # it would stay readable
        if any(process.running for process in self.processes):
            if self.went:
                self.observer.look()
            self._ask()
            for number, limit in (
                (signal.SIGTERM, self.grace.terminated),
                (signal.SIGKILL, self.grace.killed),
            ):
                for process in self.processes:
                    if process.running:
                        process.signal(number)
                self._wait_for_ends(limit)
        list(self._listen(0))  # the last words of those that are gone
        for process in self.processes:
            if process.running:  # the kernel holds it, on a dead server's file for instance
                self.notes.append(f"process {process.popen.pid} could not be ended")
            process.close()

    def _ask(self) -> None:
        """Have the workers stop and the jobs closed, where somebody is there to listen."""
        self.block.stop()
        if all(STAGES.index(process.stage) < _LISTENING for process in self.processes):
            return
        for process in self.processes:
            process.tell(Close())
        self._wait_for_ends(self.grace.asked)

    def _wait_for_ends(self, limit: float) -> None:
        until = time.monotonic() + limit
        while running := [process for process in self.processes if process.running]:
            left = until - time.monotonic()
            if left <= 0:
                break
            if all(process.silent for process in running):
                with suppress(subprocess.TimeoutExpired):
                    running[0].popen.wait(left)
            else:
                list(self._listen(left))

    # The trial as a value.

    def trial(self, started: float) -> Trial:
        """Everything that happened, after `fly`."""
        assert self.outcome is not None
        ready = [process.ready for process in self.processes if process.ready]
        verified = [process.verified for process in self.processes if process.verified]
        if self.went and len(verified) < len(self.processes):
            self.notes.append("not every result could be verified before the end")
        first = ready[0] if ready else None
        found = Trial(
            index=self.slot.index,
            block=self.slot.block,
            spec_digest=self.spec.digest,
            started=started,
            outcome=self.outcome,
            unit=first.unit if first else "operation",
            steps=first.steps if first else (),
            workers=totals(self.block, self.load, len(first.steps)) if first and self.went else (),
            histogram=self.observer.histogram() if self.went else b"",
            first=self.observer.first,
            last=self.observer.last,
            baseline_rss=sum(word.baseline_rss for word in ready),
            complaints=_merged([complaint for word in verified for complaint in word.complaints]),
            counters=_summed([word.counters for word in verified]),
            self_cost=max((word.self_cost for word in verified), default=0.0),
            verification=sum(word.verification for word in verified) / 1e9,
            page_cache=PageCacheProof(
                wanted=self.load.page_cache, before=self.cold[0], after=self.cold[1]
            ),
            versions=versions_of(self.spec) if first else {},
            notes=tuple(self.notes),
        )
        # Moments are numbers: they are spared the search for secrets.
        told = safe(found, secrets_of([self.spec]))
        return msgspec.structs.replace(told, moments=self.observer.moments)


_LISTENING = STAGES.index("warming up")  # from here on a child notices that it should stop


def _unstarted(error: OSError | SluiceError) -> Failed:
    return Failed(stage=STAGES[0], error=type(error).__name__, message=str(error))


def _merged(complaints: Sequence[Complaint]) -> tuple[Complaint, ...]:
    found: dict[tuple[bool, str], Complaint] = {}
    for complaint in complaints:
        before = found.get((complaint.wrong_data, complaint.text))
        found[complaint.wrong_data, complaint.text] = (
            msgspec.structs.replace(before, count=before.count + complaint.count)
            if before
            else complaint
        )
    return tuple(sorted(found.values(), key=lambda complaint: -complaint.count))


def _summed(counters: Sequence[dict[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for one in counters for name in one)
    return {name: sum(one.get(name, 0.0) for one in counters) for name in names}


@lru_cache(maxsize=8)
def _files(dataset: Dataset) -> tuple[Path, ...]:
    """The local files of a dataset; none where it is remote."""
    if not dataset.local:
        return ()
    return tuple(registry.dataset_kind(dataset.kind).files(dataset.path))
