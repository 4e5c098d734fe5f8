"""The far side: what runs in each child process of a trial.

It sets up, warms up, waits for the others, measures, verifies and tears down, in that order, and
announces each stage.  Whatever the workload's code raises becomes a message to the parent; whatever
kills the process is seen from outside.  The child never outlives its parent.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
import traceback
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from math import isfinite
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import msgspec

from core.language import SluiceError, storable, when_remembered
from core.measure.machine.descendants import cpu_of_process, cpu_of_programs
from core.measure.machine.folders import index_folder
from core.measure.machine.processes.process_tree import kill_descendants, take_in_orphans
from core.measure.machine.processor import bind_to_cores
from core.measure.machine.shortages import shortage
from core.measure.machine.starting import require_threads
from core.measure.trial.counters import (
    ENDLESS,
    MOST_STEPS,
    Count,
    Cursor,
    Head,
    Queue,
    Share,
    SharedCounters,
    Stripe,
)
from core.measure.trial.forked_readers import leave_after_forks
from core.measure.trial.messages import (
    Assignment,
    Broke,
    Check,
    Checked,
    ClockStopped,
    Close,
    Complained,
    Finished,
    HelperTask,
    Hide,
    Ready,
    Survived,
    ToChild,
    Turn,
    Turned,
    Verified,
    Wire,
)
from core.measure.trial.meters import Meters, Tallies, own_cost
from core.measure.trial.operation_timer import Complaints
from core.measure.trial.turn_gate import TurnGate, WakeFor
from core.measure.trial.worker import Worker
from core.measure.trial.worker_threads import Meeting, WorkerGroup, rarely_collected, watched
from core.vocabulary import HELD_BACK, Context, Fault, Job, PhaseProgress, Step, Workload

_LONG_OPERATION = 0.1
"""Seconds of one operation, from which on a warm-up that only repeats it is left out."""


class TrialChild:
    """One process of one trial."""

    def __init__(self, wire: Wire, assigned: Assignment, block_fd: int) -> None:
        self._stage = "starting"
        self._doing = ""
        """The last step of this stage that the workload reported."""
        self._wire = wire
        self._assigned = assigned
        self._load = self._assigned.spec.load
        self._block = SharedCounters(block_fd, self._assigned.slots)
        self._group = WorkerGroup(0)
        self._job: Job[Any, Any] | None = None
        self._bound: tuple[int, ...] = ()
        self._opened = 0
        self._gained: dict[str, float] = {}
        """What the counts that others keep have gained while the clock ran."""
        self._first = assigned.process * self._load.threads
        """The first slot of this process."""
        self._tallies = Tallies(self._block, self._first, self._load.threads)
        self._meters = Meters(self._block, self._first, self._load.threads, self._tallies)

    def serve(self) -> None:
        """The whole life of the process; reports whatever the workload raises."""
        try:
            self._work()
        except BaseException as error:  # noqa: BLE001 -- the workload's code may raise anything; this is where it ends
            lacking = self._group.shortage or shortage(error)
            with suppress(BaseException):  # what follows matters more
                self._wire.at_close()
            self._wire.send(Broke.by(error, self._stage, lacking, self._item))
            self._abandon()

    @property
    def _item(self) -> str:
        """The data that is being prepared, and the step that it is in."""
        if self._stage != "preparing":
            return ""
        location = self._assigned.spec.dataset.location
        return f"{location}, {self._doing}" if self._doing else location

    def note_return(self) -> None:
        """Note that a process which the workload forked came back into the engine's code."""
        self._block.words[Head.CAME_BACK] = 1

    def _work(self) -> None:
        # Before anything is loaded: libraries start threads by the cores that they see.
        self._bound = bind_to_cores(self._load.cores)
        require_threads()
        self._enter("loading")
        setting = self._assigned.spec.setting
        workload, parameters = setting.workload, setting.parameters
        for driver in workload.drivers(parameters):
            driver.require()
        self._enter("preparing")
        take_in_orphans(yes=True)  # all that a reader starts stays known
        with rarely_collected():
            self._job = job = workload.open(self._context(parameters))
        self._tallies.declare(job.tallies)
        baseline = self._warm_up(job)
        self._announce(workload, baseline)
        if isinstance(self._wire.hear(), Turn):
            self._measure()
            self._verify(job)
            self._enter("closing")
            self._group.wait(Meeting.RELEASE)
        else:
            self._enter("closing")
            self._group.dismiss()
        self._group.join()
        self._close_job()
        self._wire.send(Finished())

    def _close_job(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.close()

    def _abandon(self) -> None:
        """End the workers and close the job, as far as possible; the parent does not wait."""
        self._block.stop()
        self._group.dismiss()
        with suppress(BaseException):
            self._group.join()
        with suppress(BaseException):
            self._close_job()

    def _context(self, parameters: Any) -> Context[Any]:
        return Context(
            dataset=self._assigned.spec.dataset,
            parameters=parameters,
            load=self._load,
            process=self._assigned.node * self._load.processes + self._assigned.process,
            run_id=self._assigned.run_id,
            mark=self._assigned.mark,
            cache=index_folder(self._assigned.spec.dataset.fingerprint),
            report=self._report,
            tally=self._tallies.of,
            meter=self._meters.of,
        )

    def _report(self, doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        self._doing = doing
        self._wire.send(PhaseProgress(self._stage, doing, done, total, unit))

    def _enter(self, stage: str) -> None:
        self._stage, self._doing = stage, ""
        self._wire.send(PhaseProgress(stage))

    def _warm_up(self, job: Job[Any, Any]) -> int:
        """Bring all workers to where the clock can start; returns the bytes resident before."""
        if not job.items:
            raise SluiceError("the dataset gives this workload nothing to do")
        count = job.workers or self._load.threads
        if count > self._load.threads:
            raise TypeError(f"a job cannot have {count} workers where the load has fewer threads")
        self._group = WorkerGroup(count)
        baseline = _resident()
        self._enter("warming up")
        self._group.start(partial(self._live, job, threading.Lock(), count))
        self._group.wait(Meeting.OPEN)
        self._opened = perf_counter_ns()
        self._group.wait(Meeting.WARM)
        job.rewind()
        return baseline

    def _live(self, job: Job[Any, Any], lock: threading.Lock, count: int, index: int) -> None:
        """The life of one worker among `count`, from its opening to its release."""
        group = self._group
        with ExitStack() as resources:
            worker = self._open_worker(job, self._first + index, HELD_BACK // count, resources)
            group.workers.append(worker)
            group.wait(Meeting.OPEN)
            self._rehearse(worker, share=index, of=count)
            group.wait(Meeting.WARM)
            worker.run_in_turns(self._cursor(job, lock, index, count), group.gate)
            group.gate.leave()
            group.wait(Meeting.ENDED)
            group.wait(Meeting.CLOSING)
            worker.verify()
            group.wait(Meeting.VERIFIED)
            group.wait(Meeting.RELEASE)

    def _measure(self) -> None:
        self._stage = "measuring"
        # A worker that hangs keeps this thread waiting, which then cannot say what went wrong.
        self._wire.at_close = self._complain
        gate = self._group.gate
        gate.returned()  # every worker waits for the turn that was given
        with watched(self._block.slot(self._first), gate), ExitStack() as resources:
            resources.callback(gate.release)
            closing = self._take_turns()
            self._group.wait(Meeting.ENDED)
        self._tallies.counting = False
        self._meters.flush()
        self._wire.send(ClockStopped())
        if not closing:
            self._wire.hear()  # Close

    def _take_turns(self) -> bool:
        """Let the workers run when it is this process's turn, until they have done all their work.

        Returns whether the parent said Close before that.
        """
        gate = self._group.gate
        message: ToChild = Turn()
        while True:
            self._tallies.counting = isinstance(message, Turn)
            self._stage = "verifying" if isinstance(message, Check) else "measuring"
            match message:
                case Turn():
                    if not self._turn(gate):
                        return False
                    self._wire.send(Turned())
                case Check():
                    gate.give(WakeFor.CHECK)
                    if not gate.returned():  # a check raised
                        return False
                    self._wire.send(Checked())
                case Close():
                    gate.release()
                    return True
            message = self._wire.hear()

    def _turn(self, gate: TurnGate) -> bool:
        """Run one turn and count its CPU time; returns whether any worker can have another turn."""
        alone = self._group.workers[0].alone
        job = self._job
        assert job is not None
        counted = job.counts_so_far()
        before = _cpu(alone=alone)
        gate.give(WakeFor.TURN)
        goes_on = gate.returned()
        self._block.slot(self._first)[Count.PROCESS_CPU] += _cpu(alone=alone) - before
        for name, count in (job.counts_so_far() if counted else {}).items():
            gained = count - counted.get(name, 0.0)
            self._gained[name] = self._gained.get(name, 0.0) + gained
        return goes_on

    def _complain(self) -> None:
        """Send the complaints so far, in case this process never gets to Verified."""
        if complaints := tuple(self._complaints().by_kind.values()):
            self._wire.send(Complained(complaints))

    def _complaints(self) -> Complaints:
        """The complaints of all workers and meters so far; works from any thread."""
        complaints = self._meters.complaints()
        for worker in self._group.workers:
            complaints.merge(worker.complaints)
        return complaints

    def _verify(self, job: Job[Any, Any]) -> None:
        self._enter("verifying")
        self._group.wait(Meeting.CLOSING)
        self._group.wait(Meeting.VERIFIED)
        verification = sum(worker.verified + worker.paused for worker in self._group.workers)
        complaints = self._complaints()
        begun = perf_counter_ns()
        faults = tuple(job.audit(self._report))
        verification += perf_counter_ns() - begun
        setting = self._assigned.spec.setting
        counted = setting.workload.counted(setting.parameters)
        every = {**self._gained, **job.counters(), **counted}
        counters = {name: float(count) for name, count in every.items()}
        cost = own_cost(self._group.workers[0], self._meters)
        self._count_audited(job, faults, complaints)
        self._wire.send(
            Verified(
                complaints=tuple(complaints.by_kind.values()),
                # JSON cannot express others, such as hits per access without any access.
                counters={name: count for name, count in counters.items() if isfinite(count)},
                verification=verification,
                self_cost=cost,
                notes=tuple(job.notes),
            )
        )

    def _count_audited(
        self, job: Job[Any, Any], faults: Sequence[Fault], complaints: Complaints
    ) -> None:
        """Count the faults of the written data.

        Only now: if this process is killed before it can report them, another one may audit.
        """
        words = self._block.slot(self._first)
        for fault in faults:
            words[Count.WRONG if fault.wrong_data else Count.ERRORS] += 1
            complaints.add_fault(fault)
        if job.metered and type(job).audit is not Job.audit:  # also what was done of a cut-off pass
            for slot in range(self._first, self._first + self._load.threads):
                self._block.slot(slot)[Count.UNVERIFIED] = 0

    def _open_worker(
        self, job: Job[Any, Any], slot: int, room: int, resources: ExitStack
    ) -> Worker:
        steps: tuple[Step, ...] = resources.enter_context(job.worker(slot % self._load.threads))
        if not 1 <= len(steps) <= MOST_STEPS:
            raise TypeError(f"an operation has 1 to {MOST_STEPS} steps, not {len(steps)}")
        workers = (job.workers or self._load.threads) * self._load.processes
        return Worker(
            job,
            steps,
            self._block.slot(slot),
            self._block.words,
            room,
            alone=job.metered or workers == 1,
        )

    def _rehearse(self, worker: Worker, *, share: int, of: int) -> None:
        # Each worker takes different items, as it will when the clock runs: workers that all open
        # the same file at once would meet contention that never occurs while measuring.
        load = self._load
        if worker.job.metered:
            return
        rehearsal = worker.job.rehearsed
        if load.warm_up_operations:
            worker.run(Share(share, of, load.warm_up_operations))
            worker.reset()
        elif rehearsal >= max(_LONG_OPERATION, load.warm_up):
            worker.each = round(1e9 * rehearsal)
        elif load.warm_up > 0:
            until = perf_counter_ns() + round(1e9 * load.warm_up)
            worker.run(Share(share, of, ENDLESS), until)
            worker.reset()

    def _cursor(self, job: Job[Any, Any], lock: threading.Lock, index: int, count: int) -> Cursor:
        load, node = self._load, self._assigned.node
        limit = load.operations or (ENDLESS if load.duration else len(job.items))
        if load.page_cache == "cold":  # what was read once is in the page cache
            limit = min(limit, job.one_pass or len(job.items))
        if load.share == "split":
            number = (node * load.processes + self._assigned.process) * count + index
            return Share(number, load.nodes * load.processes * count, limit)
        if load.nodes == 1:
            return Queue(self._block, limit, lock, alone=load.processes == 1)
        of_this_node = len(range(node, limit, load.nodes))
        queue = Queue(self._block, of_this_node, lock, alone=load.processes == 1)
        return Stripe(queue, node, load.nodes)

    def _announce(self, workload: Workload[Any], baseline: int) -> None:
        assert self._job is not None
        self._wire.send(
            Ready(
                workers=len(self._group.workers),
                steps=tuple(step.name for step in self._group.workers[0].steps),
                unit=workload.unit,
                baseline_rss=baseline,
                operation=max(worker.each for worker in self._group.workers),
                client_threads=self._job.client_threads,
                audits=type(self._job).audit is not Job.audit,
                tallies=tuple(self._job.tallies),
                notes=tuple(self._job.notes),
                cores=self._bound,
                opened=self._opened,
                whole=self._group.workers[0].alone and not self._group.workers[0].again,
            )
        )


def _cpu(*, alone: bool) -> int:
    """CPU ns of this process, for the turn of several workers, which all wait now.

    A lone worker counts by its own clock.  Only its client runs programs that go on by themselves;
    looking for them with each of several threads would take time.
    """
    return cpu_of_programs() if alone else cpu_of_process()


def _resident() -> int:
    statm = Path("/proc/self/statm")
    if statm.exists():  # costs a tenth of importing psutil
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import psutil

    return int(psutil.Process().memory_info().rss)


def _descriptor(arguments: Sequence[str], name: str) -> int:
    """The number in `--name=NUMBER`; to import argparse would hold up the trial."""
    start = f"--{name}="
    return next(int(one.removeprefix(start)) for one in arguments if one.startswith(start))


def main(arguments: list[str]) -> None:
    """Run one child; the descriptors are in the arguments."""
    hear, say, block = (_descriptor(arguments, name) for name in ("hear", "say", "block"))
    for fd in (hear, say, block):
        # Programs that the workload starts must not keep them open.
        os.set_inheritable(fd, False)
    faulthandler.enable()
    try:
        wire = Wire(hear, say)
        when_remembered(
            lambda secret, reference: wire.send(Hide(secret=storable(secret), reference=reference))
        )
        task = wire.task()
        if isinstance(task, HelperTask):
            from core.measure.trial.errand_process import (
                do_task,  # brings along the side of the parent
            )

            leave_after_forks(lambda: None)
            do_task(task, wire.send)
        else:
            child = TrialChild(wire, task, block)
            leave_after_forks(child.note_return)
            child.serve()
        if survivors := kill_descendants():  # what has left this process's group, too
            wire.send(Survived(survivors))
        # Programs of the workload end with this process, even if the parent dies at this moment.
        os.killpg(0, signal.SIGKILL)
    except (OSError, msgspec.MsgspecError, RuntimeError):
        # The engine's own descriptors or messages are broken, or no thread can be started.
        traceback.print_exc()
    finally:
        # Threads that foreign code left running must not keep the process alive, and its exit
        # handlers are not part of what is measured.
        os._exit(1)
