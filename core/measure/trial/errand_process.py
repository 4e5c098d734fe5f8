"""Helper processes: the tasks of workloads outside trials, each in a child of its own.

A task places data in a store before trials, audits the arrived data of trials whose processes died,
removes leftovers of trials from a store, or catalogues a user's own data, which stays in place.
The parent watches a task as it watches a trial: crashing, hanging and being cancelled are values.
`do_task` runs in the child.
"""

from __future__ import annotations

import math
import secrets
import selectors
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from core.language import (
    ReportProgress,
    Seconds,
    SluiceError,
    UsageError,
    names_below,
    remembered,
    safe,
)
from core.measure.local_datasets import new_folder
from core.measure.machine.folders import index_folder
from core.measure.machine.out_of_memory import kernel_kills
from core.measure.machine.processes.process_tree import kill_stamped
from core.measure.machine.processes.supervisor import Supervisor
from core.measure.machine.processes.survivors import Survivor
from core.measure.machine.sampler import Sampler
from core.measure.machine.shared_files import lock_of, locked
from core.measure.machine.shortages import shortage
from core.measure.plain_reads import forget_files
from core.measure.trial.cancel import Cancel
from core.measure.trial.child_handle import ChildProcess
from core.measure.trial.child_shutdown import LEAST_READ, measures_programs, memory_failure
from core.measure.trial.counters import SharedCounters
from core.measure.trial.leftovers import Leftover, claimed, leftovers
from core.measure.trial.messages import Broke, Finished, FromChild, HelperDone, HelperTask
from core.measure.trial.trial_value import unstarted
from core.vocabulary import (
    Cancelled,
    Completed,
    Context,
    Dataset,
    Failed,
    Load,
    Outcome,
    PhaseProgress,
    Reading,
    Remains,
    RunSpec,
    Slot,
    TimedOut,
    build,
    crash_from,
    dataset_kind,
    describe,
    registry,
    values_of,
    work_of,
)

AFTER_CANCEL: Seconds = 10.0
"""How long after a request to cancel leftovers may still be removed, in all."""
_TICK: Seconds = 0.1


class HelperProcess:
    """Does one task; afterwards `outcome` says how it ended, and `done` what it returned."""

    def __init__(
        self,
        task: HelperTask,
        cancel: Cancel,
        *,
        stall: Seconds,
        deadline: Seconds = math.inf,
        memory_limit: int = 0,
    ) -> None:
        """The task may take `stall` without progress and without reading.

        It may take `deadline` in all; a task that refers may take as much for each step that it
        reports, because a trial takes as long as one step.  `memory_limit` is in bytes, 0 = none.
        """
        self.outcome: Outcome = Cancelled(stage=task.stage)
        self.done = HelperDone(0)
        self._task = task
        self._cancel = cancel
        self._stall = stall
        self._deadline = deadline
        self._memory_limit = memory_limit
        self._doing = ""
        """The step that it reported last."""
        self.survivors: tuple[Survivor, ...] = ()
        """Its processes that could not be ended."""
        self._kills = kernel_kills()
        self._read = 0
        """Bytes that its processes had read when they moved last."""
        self._grace = AFTER_CANCEL if task.what == "clean-up" else 0.0

    def run(self) -> Iterator[PhaseProgress]:
        """Run it to its end, whatever it is; yields its progress."""
        block = SharedCounters.create(1)
        with ExitStack() as resources:
            resources.callback(block.close)
            try:
                supervisor = resources.enter_context(Supervisor())
                process = ChildProcess.start(supervisor, block.fd)
            except OSError as error:
                self.outcome = Failed(
                    stage=self._task.stage, error=type(error).__name__, message=str(error)
                )
                return
            resources.callback(process.close)
            process.send(self._task)
            try:
                sampler = resources.enter_context(Sampler([process.child.pid], ()))
            except OSError as error:  # no descriptors left to look at it
                self.outcome = unstarted(error)
                return
            yield from self._watch(process, sampler)
        self.survivors = process.survivors()

    @property
    def why(self) -> str:
        """Why the task did not reach its end; empty if it did."""
        return "" if isinstance(self.outcome, Completed) else describe(self.outcome)

    def _watch(self, process: ChildProcess, sampler: Sampler) -> Iterator[PhaseProgress]:
        moved = began = time.monotonic()
        with selectors.PollSelector() as selector:
            selector.register(process.hear, selectors.EVENT_READ)
            while True:
                selector.select(_TICK)
                messages = process.listen()
                reading = self._reading(sampler)
                if messages or self._reads(reading):
                    moved = time.monotonic()
                if self._doing != process.detail:
                    self._doing = process.detail
                    began = time.monotonic() if self._task.what == "refer" else began
                yield from (message for message in messages if isinstance(message, PhaseProgress))
                ended = (
                    self._ended(process)
                    or self._late(moved, began)
                    or self._too_large(process, reading)
                )
                yield from process.late_progress()
                if ended is not None:
                    # Not every text in an outcome comes through the child's own messages.
                    self.outcome = safe(ended, remembered())
                    return

    def _ended(self, process: ChildProcess) -> Outcome | None:
        if process.gone() or process.broke or process.finished:
            if process.broke is not None:
                broke = process.broke
                return Failed(
                    stage=self._task.stage,
                    error=broke.error,
                    message=broke.message,
                    trace=broke.trace,
                )
            if process.done is not None and process.finished:
                self.done = process.done
                return Completed()
            process.child.wait(math.inf)
            last = process.child.code or 0, self._task.stage, process.last_output()
            return crash_from(*last, "", kills=kernel_kills() - self._kills)
        return None

    def _late(self, moved: float, began: float) -> Outcome | None:
        now, stage = time.monotonic(), self._task.stage
        if self._cancel.requested and now - self._cancel.since >= self._grace:
            return Cancelled(stage=stage)
        if now - moved > self._stall:
            return TimedOut(stage=stage, limit=self._stall, stalled=True, item=self._doing)
        if now - began > self._deadline:
            return TimedOut(stage=stage, limit=self._deadline, stalled=False, item=self._doing)
        return None

    @staticmethod
    def _reading(sampler: Sampler) -> Reading | None:
        with suppress(OSError):  # no descriptors left to look at a new process
            return sampler.read(time.monotonic(), complete=True)
        return None

    def _reads(self, reading: Reading | None) -> bool:
        """Whether it has read since it moved last: reading a large file sends no messages."""
        read = 0 if reading is None else max(reading.read_chars or 0, reading.read_bytes or 0)
        moved = read - self._read > LEAST_READ
        if moved or read < self._read:
            self._read = read
        return moved

    def _too_large(self, process: ChildProcess, reading: Reading | None) -> Outcome | None:
        return memory_failure(
            self._task.stage,
            limit=self._memory_limit,
            resident=0 if reading is None else reading.rss,
            processes=[process],
            of_programs=measures_programs(self._task.workload),
        )


_PLACED: dict[str, dict[tuple[object, ...], Outcome]] = {}
"""The data that the latest run has placed, with the outcome; another run places anew."""


class Placing:
    """Places the data of one spec, and makes the reference for its results.

    Afterwards `outcome` is how that ended, now or before.
    """

    def __init__(self, slot: Slot, run_id: str, cancel: Cancel) -> None:
        self.outcome: Outcome = Completed()
        self.notes: list[str] = []
        """Processes that it left running."""
        self.counters: list[dict[str, float]] = []
        """What was counted, where it was done now."""
        self._slot = slot
        self._spec = slot.spec
        self._run_id = run_id
        self._cancel = cancel

    def run(self) -> Iterator[PhaseProgress]:
        """Do it unless this run has done so; yields the progress."""
        tasks = self._tasks()
        if not tasks:
            return
        if self._run_id not in _PLACED:
            _PLACED.clear()
        key, outcomes = work_of(self._spec), _PLACED.setdefault(self._run_id, {})
        if key not in outcomes:
            for task in tasks:
                yield PhaseProgress(task.stage)
                runner = HelperProcess(
                    task,
                    self._cancel,
                    stall=silence(self._spec),
                    deadline=_deadline(self._spec.load, task),
                    memory_limit=self._spec.load.memory_limit,
                )
                yield from runner.run()
                self.outcome = runner.outcome
                self.notes += map(str, runner.survivors)
                self.counters.append(runner.done.counters)
                if not isinstance(self.outcome, Completed):
                    break
            forget_files()
            if not isinstance(self.outcome, Cancelled):
                outcomes[key] = self.outcome
            return
        self.outcome = outcomes[key]

    def _tasks(self) -> list[HelperTask]:
        spec, tasks = self._spec, list[HelperTask]()
        try:
            setting = spec.setting
            refers = setting.workload.refers(setting.parameters)
        except SluiceError:  # the trial itself says so
            return []
        about = HelperTask(
            what="place", workload=spec.workload, parameters=spec.parameters, dataset=spec.dataset
        )
        if setting.has_own("place"):
            tasks.append(about)
        if refers:
            threads = self._slot.fewest or spec.load.threads
            load = replace(spec.load, threads=threads, processes=1)
            mark = f"{self._run_id}-{self._slot.index}-{secrets.token_hex(2)}"
            tasks.append(
                structs.replace(about, what="refer", load=load, run_id=self._run_id, mark=mark)
            )
        return tasks


_SILENCE = 5
"""Stalls for which a task may be silent: the transfer of a single object is not seen."""


def silence(spec: RunSpec) -> Seconds:
    """How long a task for a spec may be silent."""
    return _SILENCE * spec.load.stall


def _deadline(load: Load, task: HelperTask) -> Seconds:
    """How long a task before a trial may take.

    Placed data is larger than the part that a trial fetches, and its progress is seen: only a
    deadline of the user's ends the placing.
    """
    return math.inf if task.what == "place" and load.deadline == Load().deadline else load.deadline


def late_audit(spec: RunSpec, mark: str, cancel: Cancel) -> HelperProcess:
    """Audits the arrived data of a trial whose own processes could not report it."""
    task = HelperTask(
        what="audit",
        workload=spec.workload,
        parameters=spec.parameters,
        dataset=spec.dataset,
        mark=mark,
    )
    return HelperProcess(task, cancel, stall=silence(spec), deadline=spec.load.deadline)


def leftover_removal(leftover: Leftover, cancel: Cancel, stall: Seconds) -> HelperProcess:
    """Removes one leftover; `done.count` says how much is gone."""
    task = HelperTask(
        what="clean-up",
        workload=leftover.workload,
        parameters=leftover.parameters,
        mark=leftover.mark,
    )
    return HelperProcess(task, cancel, stall=stall)


@dataclass(frozen=True)
class RemovedLeftover:
    """The result of removing one leftover; `why` is empty if nothing is left of it."""

    leftover: Leftover
    count: int
    why: str


def remove_leftovers(
    cancel: Cancel, *, stall: Seconds
) -> Iterator[PhaseProgress | RemovedLeftover]:
    """Remove the leftovers of dead runs one by one; yields the progress and the results."""
    for leftover in leftovers():
        if cancel.requested:
            return
        with claimed(leftover.mark) as removal:
            if not removal.mine:
                continue
            kill_stamped(f"/{leftover.mark}-")  # a surviving client may still write there
            removing = leftover_removal(leftover, cancel, stall)
            yield from removing.run()
            removal.done = not removing.why
        yield RemovedLeftover(leftover, removing.done.count, removing.why)


class NotAdoptedError(SluiceError):
    """Adopting did not reach its end; nothing of it remains."""


class MistakenAdoptionError(NotAdoptedError, UsageError):
    """The data cannot be adopted as requested, for example because of a mistaken address."""


class Adoption:
    """Catalogues data of a kind in a folder; afterwards `dataset` can be measured."""

    def __init__(self, kind: str, wishes: Any, folder: Path) -> None:
        """`wishes` is what the kind's `adoption` declares; the folder is absent or empty."""
        self.dataset: Dataset | None = None
        self._kind = kind
        self._wishes = wishes
        self._folder = folder.absolute()

    def run(self, cancel: Cancel, *, stall: Seconds) -> Iterator[PhaseProgress]:
        """Catalogue the data, unless the task is silent for `stall`; yields the progress.

        Raises UsageError; NotAdoptedError, also if it was cancelled; MistakenAdoptionError, which
        is both, if the kind of data raised a UsageError.
        """
        with locked(lock_of(self._folder)), new_folder(self._folder) as new:
            task = HelperTask(
                what="adopt",
                kind=self._kind,
                parameters=values_of(self._wishes),
                folder=str(new),
            )
            runner = HelperProcess(task, cancel, stall=stall)
            yield from runner.run()
            if not isinstance(runner.outcome, Completed):
                raise _not_adopted(runner.outcome)
        self.dataset = dataset_kind(self._kind).open(self._folder)


def _not_adopted(outcome: Outcome) -> NotAdoptedError:
    """A mistake of the user's in its own words; any other outcome as trials describe it."""
    if not isinstance(outcome, Failed) or outcome.trace:
        return NotAdoptedError(describe(outcome))
    mistaken = outcome.error in names_below(UsageError)
    return (MistakenAdoptionError if mistaken else NotAdoptedError)(outcome.message)


def do_task(task: HelperTask, send: Callable[[FromChild], None]) -> None:
    """Do a task, and send its progress and its end, whatever the workload raises."""
    send(PhaseProgress(task.stage))
    try:
        send(_do(task, send))
    except BaseException as error:  # noqa: BLE001 -- the workload's code may raise anything; this is where it ends
        send(Broke.by(error, task.stage, shortage(error)))
    else:
        send(Finished())


def _do(task: HelperTask, send: Callable[[FromChild], None]) -> HelperDone:
    def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        send(PhaseProgress(task.stage, doing, done, total, unit))

    if task.what == "adopt":
        kind = registry.dataset_kind(task.kind)
        assert kind.adoption is not None
        kind.adopt(build(kind.adoption, task.parameters), Path(task.folder), report)
        return HelperDone(0)
    return _do_for_trials(task, report)


def _do_for_trials(task: HelperTask, report: ReportProgress) -> HelperDone:
    workload = registry.load_workload(task.workload)
    parameters = build(workload.parameters, task.parameters)
    for driver in workload.drivers(parameters):
        driver.require()
    if task.what == "clean-up":
        removed = workload.remove_leftovers(task.mark, parameters, report)
        return HelperDone(removed, counters=dict(workload.counted(parameters)))
    assert task.dataset is not None
    if task.what == "audit":
        return _as_done(workload.remains(task.mark, task.dataset, parameters, report))
    text = ""
    if task.what in {"refer", "try"}:
        context = Context(
            dataset=task.dataset,
            parameters=parameters,
            load=task.load or Load(),
            process=0,
            run_id=task.run_id,
            mark=task.mark,
            cache=index_folder(task.dataset.fingerprint),
            report=report,
        )
        if task.what == "try":
            text = workload.try_once(context)
        else:
            workload.open(context).close()
    else:
        workload.place(task.dataset, parameters, report)
    return HelperDone(0, counters=dict(workload.counted(parameters)), text=text)


def _as_done(remains: Remains | None) -> HelperDone:
    if remains is None:
        return HelperDone(0)
    from core.measure.trial.operation_timer import Complaints  # which only children have

    complaints = Complaints()
    for fault in remains.faults:
        complaints.add_fault(fault)
    counters = {name: float(count) for name, count in remains.counters.items()}
    return HelperDone(remains.verified, tuple(complaints.by_kind.values()), counters)
