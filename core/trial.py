"""The near side of the process boundary: starts a trial's children, watches and ends them.

`run_trial` yields what is to be seen and ends with the trial itself.  Nothing the children do
raises here: failing, crashing, hanging and flooding their output are outcomes.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import IO

import msgspec

from core import registry
from core.cancel import Cancel
from core.dataset import Dataset
from core.events import Event, MomentTaken, PhaseChanged, TrialEnded
from core.moments import Observer, totals
from core.outcome import Cancelled, Completed, Failed, Outcome, TimedOut, crash_from
from core.pagecache import Residency, evict, residency, warm
from core.plan import Slot
from core.result import Complaint, PageCacheProof, Trial
from core.sampling import Sampler
from core.telemetry import Block
from core.words import (
    Assignment,
    Broke,
    Close,
    Doing,
    Finished,
    FromChild,
    Go,
    Measured,
    Ready,
    line,
)

_TICK = 0.1  # s between two looks
_ASKED, _TERMINATED, _KILLED = 0.4, 0.2, 5.0  # s that each step of ending children may take
_MOST_OUTPUT = 2**20  # bytes of a child's output kept on disk
_LAST_WORDS = 4000  # bytes of it that go into a crash


@dataclass
class _Process:
    """One child as seen from here."""

    popen: subprocess.Popen[bytes]
    say: int
    hear: int
    output: IO[bytes]
    stage: str = "starting"
    ready: Ready | None = None
    measured: bool = False
    finished: Finished | None = None
    broke: Broke | None = None
    buffered: bytes = b""
    silent: bool = False
    """The child's end of the pipe is closed."""
    left_at: float = 0.0

    def tell(self, word: msgspec.Struct) -> None:
        """Say a word; that a child is gone already is noticed when it is next listened to."""
        with suppress(BrokenPipeError):
            os.write(self.say, line(word))

    def hang_up(self) -> None:
        """The pipe has ended: the child has left, or is about to."""
        self.silent = True
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(_TICK)

    def gone(self) -> bool:
        """Whether it has left and everything it said was heard.

        A grandchild that was forked without a program of its own can hold the pipe open, so
        the pipe's end is not waited for much longer than the process's.
        """
        if self.popen.poll() is None:
            return False
        self.left_at = self.left_at or time.monotonic()
        return self.silent or time.monotonic() - self.left_at > _TICK

    def last_words(self) -> str:
        """The end of what it wrote to stdout and stderr."""
        size = os.fstat(self.output.fileno()).st_size
        tail = os.pread(self.output.fileno(), _LAST_WORDS, max(0, size - _LAST_WORDS))
        return tail.decode("utf-8", "replace").strip("\0")

    def bound_output(self) -> None:
        """Keep a flood of output from filling the disk (the file is in append mode)."""
        if os.fstat(self.output.fileno()).st_size > _MOST_OUTPUT:
            os.ftruncate(self.output.fileno(), 0)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the child and everything it has started."""
        with suppress(ProcessLookupError, PermissionError):  # gone; macOS says EPERM for zombies
            os.killpg(self.popen.pid, number)


def child_command(hear: int, say: int, block: int) -> list[str]:
    """The command that starts a child; in a frozen app the app re-enters itself."""
    start = (
        [sys.executable]
        if getattr(sys, "frozen", False)
        else [sys.executable, "-P", "-m", "core.child"]
    )
    told = {"hear": hear, "say": say, "block": block, "parent": os.getpid()}
    return [*start, *(f"--{name}={number}" for name, number in told.items())]


def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
    """Run one trial to its end, whatever that is; the last event is its `TrialEnded`."""
    flight = _Flight(slot, run_id, cancel)
    try:
        yield from flight.fly()
    finally:
        flight.land()
    yield TrialEnded(trial=flight.trial())


@dataclass
class _Flight:
    """One trial while it runs."""

    slot: Slot
    run_id: str
    cancel: Cancel
    outcome: Outcome | None = None
    stage: str = "starting"
    notes: list[str] = field(default_factory=list)
    processes: list[_Process] = field(default_factory=list)
    cold: tuple[Residency | None, Residency | None] = (None, None)
    went: bool = False

    def __post_init__(self) -> None:
        self.spec = self.slot.spec
        self.load = self.spec.load
        self.started = time.time()
        self.block = Block.create(self.load.processes * self.load.threads)
        self.files = _files(self.spec.dataset)
        self.observer = Observer(self.block)
        self.deadline = time.monotonic() + self.load.deadline
        self.moved_at = time.monotonic()
        self._moved_what: tuple[int, ...] = ()
        self._words = 0
        self._next_tick = 0.0

    def fly(self) -> Iterator[Event]:
        """From the first process to the last, yielding what is to be seen."""
        yield self._phase("starting")
        for place in range(self.load.processes):
            self.processes.append(self._start(place))
        yield from self._watch(lambda: all(process.ready for process in self.processes))
        yield from self._prepare_page_cache()
        if self.outcome is None:
            yield self._phase("measuring")
            self._go()
        yield from self._watch(lambda: all(process.measured for process in self.processes))
        if self.outcome is None:
            self._clock_stopped()
        yield from self._watch(self._all_gone)
        self.outcome = self.outcome or Completed()

    # Starting and watching.

    def _start(self, place: int) -> _Process:
        child_hears, we_say = os.pipe()
        we_hear, child_says = os.pipe()
        output = tempfile.TemporaryFile("ab+")  # noqa: SIM115 -- closed by land()
        try:
            popen = subprocess.Popen(
                child_command(child_hears, child_says, self.block.fd),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(child_hears, child_says, self.block.fd),
                start_new_session=True,  # Ctrl+C in a terminal is ours alone to act upon
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        finally:
            os.close(child_hears)
            os.close(child_says)
        os.set_blocking(we_hear, False)
        process = _Process(popen, we_say, we_hear, output)
        process.tell(
            Assignment(spec=self.spec, process=place, run_id=self.run_id, slots=self.block.slots)
        )
        return process

    def _go(self) -> None:
        self.went = True
        roots = [self.spec.dataset.path] if self.files else []
        self.observer.clock_started(
            Sampler([process.popen.pid for process in self.processes], roots)
        )
        self._move()
        for process in self.processes:
            process.stage = "measuring"
            process.tell(Go())

    def _clock_stopped(self) -> None:
        self.observer.look(complete=True)
        self.cold = (self.cold[0], residency(self.files) if self.files else None)
        self._move()
        for process in self.processes:
            process.tell(Close())

    def _watch(self, arrived: Callable[[], bool]) -> Iterator[Event]:
        """Listen and look until all arrived where they should, or the trial's outcome is clear."""
        while self.outcome is None and not arrived():
            yield from self._listen()
            yield from self._tick()
            self._judge_progress(arrived)

    def _listen(self) -> Iterator[Event]:
        talking = {process.hear: process for process in self.processes if not process.silent}
        wait = max(0.0, self._next_tick - time.monotonic())
        heard, _, _ = select.select([*talking, self.cancel.fileno()], [], [], wait)
        for fd in talking.keys() & set(heard):
            for word in self._read(talking[fd]):
                yield from self._take(talking[fd], word)

    def _read(self, process: _Process) -> list[FromChild]:
        try:
            read = os.read(process.hear, 2**20)
        except BlockingIOError:
            return []
        if not read:
            process.hang_up()
        *lines, process.buffered = (process.buffered + read).split(b"\n")
        self._words += len(lines)
        return [msgspec.json.decode(told, type=FromChild) for told in lines]

    def _take(self, process: _Process, word: FromChild) -> Iterator[Event]:
        match word:
            case Doing(stage=stage):
                process.stage = stage
                yield self._phase(stage, word)
            case Ready():
                process.ready = word
                process.stage = "waiting"
            case Measured():
                process.measured = True
                process.stage = "ending"
            case Finished():
                process.finished = word
            case Broke():
                process.broke = word

    def _phase(self, stage: str, word: Doing | None = None) -> PhaseChanged:
        self.stage = stage
        detail = word or Doing(stage)
        return PhaseChanged(
            index=self.slot.index,
            phase=stage,
            detail=detail.detail,
            done=detail.done,
            total=detail.total,
            unit=detail.unit,
        )

    def _tick(self) -> Iterator[Event]:
        now = time.monotonic()
        if now < self._next_tick:
            return
        self._next_tick = now + _TICK
        for process in self.processes:
            process.bound_output()
        if self.went and not all(process.measured for process in self.processes):
            yield MomentTaken(index=self.slot.index, moment=self.observer.look())

    # Page cache.

    def _prepare_page_cache(self) -> Iterator[Event]:
        if self.outcome is not None or not self.files:
            return
        wanted = self.load.page_cache
        if wanted == "cold":
            yield self._phase("evicting the page cache")
            evict(self.files)
        elif wanted == "warm":
            yield self._phase("warming the page cache")
            warm(self.files)
        self.cold = (residency(self.files), None)
        self._move()
        if self.cancel.requested:
            self.outcome = Cancelled(stage=self.stage)

    # Endings.

    def _judge_progress(self, arrived: Callable[[], bool]) -> None:
        """Set the outcome where the trial cannot go on."""
        now = time.monotonic()
        moved = (self._words, *self.observer.movement())
        if moved != self._moved_what:
            self._moved_what = moved
            self.moved_at = now
        broken = next((process.broke for process in self.processes if process.broke), None)
        if broken is not None:
            self.outcome = Failed(
                stage=broken.stage, error=broken.error, message=broken.message, trace=broken.trace
            )
        elif self.cancel.requested:
            self.outcome = Cancelled(stage=self.stage)
        elif dead := self._dead():
            self.outcome = crash_from(dead.popen.returncode, dead.stage, dead.last_words())
        elif not arrived() and now > self.deadline:
            self.outcome = TimedOut(stage=self.stage, limit=self.load.deadline, stalled=False)
        elif not arrived() and now - self.moved_at > self.load.stall:
            self.outcome = TimedOut(stage=self.stage, limit=self.load.stall, stalled=True)

    def _dead(self) -> _Process | None:
        """A process that has left without having finished."""
        for process in self.processes:
            if process.gone() and process.finished is None and process.broke is None:
                return process
        return None

    def _all_gone(self) -> bool:
        return all(process.gone() for process in self.processes)

    def _move(self) -> None:
        self.moved_at = time.monotonic()

    def land(self) -> None:
        """End what still runs: ask, terminate, kill, each with its deadline; then let go of everything."""
        if any(process.popen.poll() is None for process in self.processes):
            self.block.stop()
            if self.went:
                self._wait_for(
                    lambda: all(process.measured or process.silent for process in self.processes),
                    _ASKED,
                )
                if all(process.measured for process in self.processes):
                    self._clock_stopped()
                    self._wait_for(self._all_gone, _ASKED)
            for number, limit in ((signal.SIGTERM, _TERMINATED), (signal.SIGKILL, _KILLED)):
                if not self._all_gone():
                    for process in self.processes:
                        process.signal(number)
                    self._wait_for(self._all_gone, limit)
        for process in self.processes:
            process.signal(signal.SIGKILL)  # whatever it has left behind in its group
            process.popen.wait()
            os.close(process.say)
            os.close(process.hear)
            process.output.close()

    def _wait_for(self, arrived: Callable[[], bool], limit: float) -> None:
        until = time.monotonic() + limit
        while not arrived() and (left := until - time.monotonic()) > 0:
            talking = {process.hear: process for process in self.processes if not process.silent}
            for fd in select.select(list(talking), [], [], min(left, _TICK if talking else 0.01))[
                0
            ]:
                for word in self._read(talking[fd]):
                    list(self._take(talking[fd], word))

    # The trial as a value.

    def trial(self) -> Trial:
        """Everything that happened, after `land`."""
        assert self.outcome is not None
        ready = next((process.ready for process in self.processes if process.ready), None)
        finished = [process.finished for process in self.processes if process.finished]
        if self.went and len(finished) < len(self.processes):
            self.notes.append("not every result could be verified before the end")
        trial = Trial(
            index=self.slot.index,
            block=self.slot.block,
            spec_digest=self.spec.digest,
            started=self.started,
            outcome=self.outcome,
            unit=ready.unit if ready else "operation",
            steps=ready.steps if ready else (),
            workers=totals(self.block, self.load, len(ready.steps)) if ready and self.went else (),
            histogram=self.observer.histogram() if self.went else b"",
            moments=tuple(self.observer.moments),
            last=self.observer.last,
            baseline_rss=sum(
                process.ready.baseline_rss for process in self.processes if process.ready
            ),
            complaints=_merged([complaint for word in finished for complaint in word.complaints]),
            counters=_summed([word.counters for word in finished]),
            self_cost=max((word.self_cost for word in finished), default=0.0),
            verification=sum(word.verification for word in finished) / 1e9,
            page_cache=PageCacheProof(
                wanted=self.load.page_cache, before=self.cold[0], after=self.cold[1]
            ),
            versions=ready.versions if ready else {},
            notes=tuple(self.notes),
        )
        self.block.close()
        return trial


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
