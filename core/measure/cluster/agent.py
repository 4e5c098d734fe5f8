"""What a Dask worker runs for one trial: one node's part of it, as at home.

`serve` is the Dask task: a plain function of the installed package, sent by name, with one text as
its argument.  It calls the coordinator and takes a `LiveTrial` through its steps on request.

The seam is the node and not the process: with each process of a node told from afar, its counters,
page cache, time limits and end would be watched over a network, and lost with it.  So an agent is
what `core.measure.trial.live_trial` is at home, and sends what it has seen twice a second.  It ends
everything when the coordinator is silent or its Dask worker closes, and the kernel ends everything
with it (`core.measure.machine.end_signals.tie`).

Whether a node has what the trial needs, and the same as here, is judged before any clock runs.
"""

from __future__ import annotations

import asyncio
import platform
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import lru_cache
from queue import Empty, SimpleQueue
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import msgspec

from core.language import UNKNOWN, DatasetError, Seconds, SluiceError, sluice_version, tr
from core.measure.cluster import node_messages as messages
from core.measure.cluster.node_counters import Images
from core.measure.cluster.node_messages import EventLoop, Message, NodeLine
from core.measure.machine.machine_name import machine_name
from core.measure.machine.processor import usable_cores
from core.measure.trial.cancel import Cancel
from core.measure.trial.child_handle import Listener
from core.measure.trial.child_shutdown import USUAL_GRACE
from core.measure.trial.counters import Head
from core.measure.trial.live_trial import LiveTrial
from core.measure.trial.trial_value import never_started, versions_of
from core.vocabulary import Dataset, MomentTaken, PhaseChanged, RunSpec, TrialEvent, registry

if TYPE_CHECKING:
    from core.vocabulary import Reading, Trial


def fitness_of(spec: RunSpec, run_id: str) -> messages.Fitness:
    """Whether this machine is fit for a trial; the dataset is looked at once in a run."""
    try:
        fingerprint, network = _dataset(spec.dataset, run_id)
        return messages.Fitness(
            workload=spec.setting.workload.version,
            versions=versions_of(spec),
            fingerprint=fingerprint,
            network=network,
        )
    except (SluiceError, OSError) as error:
        return messages.Fitness(trouble=str(error))


@lru_cache(maxsize=16)
def _dataset(dataset: Dataset, _run_id: str) -> tuple[str, str]:
    """Fingerprint, and the type of its file system if that is one of a network."""
    from core.measure.machine.file_system import describe_file_system

    if not dataset.local:
        return dataset.fingerprint, ""
    path, kind = dataset.path, registry.dataset_kind(dataset.kind)
    if not path.exists() or not kind.recognises(path):
        raise DatasetError(
            tr("{path} is not there", path=path),
            tr("put the data where all nodes have it at the same path"),
        )
    system = describe_file_system(path)
    return kind.open(path).fingerprint, system.type if system.network else ""


def misfits(
    hello: messages.Hello, fitness: messages.Fitness, spec: RunSpec, versions: dict[str, str]
) -> str:
    """A difference between a node and here, and what to install; empty if there is none.

    `versions`: those that the trial would use here.
    """
    return next(_differences(hello, fitness, spec, versions), "")


def _differences(
    hello: messages.Hello, fitness: messages.Fitness, spec: RunSpec, versions: dict[str, str]
) -> Iterator[str]:
    if hello.python != platform.python_version():
        yield _differs("Python", hello.python, platform.python_version(), "")
    if hello.sluice != sluice_version():
        yield _differs("Sluice", hello.sluice, sluice_version(), "sluice")
    if fitness.trouble:
        yield fitness.trouble
    for name, here in versions.items():
        there = fitness.versions.get(name, UNKNOWN)
        if there != here:
            yield _differs(name, there, here, name)
    if fitness.workload != spec.version:
        yield _differs(spec.workload, str(fitness.workload), str(spec.version), "sluice")
    if fitness.fingerprint != spec.dataset.fingerprint:
        yield tr(
            "{path} is other data there; put the same where all nodes have it at that path",
            path=spec.dataset.location,
        )


def _differs(name: str, there: str, here: str, distribution: str) -> str:
    difference = tr("it has {name} {there}, and here is {here}", name=name, there=there, here=here)
    requirement = f"pip install {distribution}=={here}" if distribution else f"{name} {here}"
    return f"{difference}; {tr('install there: {what}', what=requirement)}"


PERIOD = 500_000_000
"""Nanoseconds between two looks that are sent."""
_TICK: Seconds = 0.1
_DIAL: Seconds = 30.0
_LEAVING = ("closing", "closing_gracefully", "closed", "failed", "stopping", "stopped")


def serve(enlistment: str) -> str:
    """Carry out one node's part of a trial; returns how it ended, for Dask's own pages."""
    from distributed import get_worker
    from distributed.comm import connect

    decoded = msgspec.json.decode(enlistment, type=messages.Enlistment)
    worker = get_worker()
    with EventLoop() as loop:
        how = worker.security.get_connection_args("worker")
        comm = loop.run(
            connect(decoded.contact, timeout=_DIAL, deserialize=False, **how), 2 * _DIAL
        )
        agent = Agent(decoded, loop, worker)
        agent.line = NodeLine(loop, comm, agent.heard)
        serving = loop.start(agent.line.serve(decoded.silence))
        guarding = loop.start(agent.guard())
        try:
            return agent.live()
        finally:
            guarding.cancel()
            agent.line.hang_up()
            serving.exception(_DIAL)


class Agent:
    """One node's part of one trial."""

    line: NodeLine

    def __init__(self, enlistment: messages.Enlistment, loop: EventLoop, worker: Any) -> None:
        self._enlistment = enlistment
        self._loop = loop
        self._worker = worker
        self._heard: SimpleQueue[Message | None] = SimpleQueue()
        self._cancel = Cancel()
        self._why = ""
        self._live: LiveTrial | None = None
        """While its counters can be looked at."""
        self._images: Images | None = None
        self._reading: Reading | None = None
        self._drained = False
        self._stage = ""
        self._progressed = 0.0

    def heard(self, _line: NodeLine, message: Message | None) -> None:
        """Take in a message, in the loop's thread; None = the coordinator is gone."""
        match message:
            case None | messages.Dismiss():
                self._why = self._why or ("the coordinator is gone" if message is None else "")
                self._cancel.request()
            case messages.DrainNodes() if (live := self._live) is not None:
                live.block.words[Head.DRAINED] = perf_counter_ns()
        self._heard.put(message)

    async def guard(self) -> None:
        """End the trial once the Dask worker closes, as it does without its scheduler."""
        while self._worker.status.name not in _LEAVING:
            await asyncio.sleep(_TICK)
        self._why = f"its Dask worker is {self._worker.status.name.replace('_', ' ')}"
        self._cancel.request()

    def live(self) -> str:
        self.line.send(
            messages.Hello(
                token=self._enlistment.token,
                node=self._enlistment.node,
                host=platform.node(),
                machine=machine_name(),
                cores=max(1, round(usable_cores())),
                python=platform.python_version(),
                sluice=sluice_version(),
            )
        )
        assigned = self._next(messages.Assign)
        if assigned is None:
            return "dismissed"
        self.line.send(fitness_of(assigned.slot.spec, assigned.run_id))
        if self._next(messages.PrepareNode) is None:
            return "dismissed"
        trial = self._trial(assigned)
        bare = msgspec.structs.replace(trial, moments=())
        self.line.send(messages.NodeEnded(trial=bare, why=self._why))
        return type(trial.outcome).__name__

    def _next[M: Message](self, kind: type[M], live: LiveTrial | None = None) -> M | None:
        """The next message of that kind; None if the trial is over before it comes.

        Meanwhile the trial rests, and its time limits with it.
        """
        while not self._cancel.requested and (live is None or live.outcome is None):
            with suppress(Empty):
                if isinstance(message := self._heard.get(timeout=_TICK), kind):
                    return message
            if live is not None:
                live.listener.drain()
                live.look_after()
        return None

    def _trial(self, assigned: messages.Assign) -> Trial:
        started = time.time()
        listener = Listener(self._cancel)
        with ExitStack() as resources:
            try:
                live = LiveTrial(assigned.slot, assigned.run_id, listener, resources, USUAL_GRACE)
            except (OSError, SluiceError) as error:
                return never_started(assigned.slot, started, error)
            live.node = self._enlistment.node
            self._images = Images(live.block)
            self._carry_out(live)
            return live.trial(started)

    def _carry_out(self, live: LiveTrial) -> None:
        self._relay(live.prepare())
        if live.outcome is None:
            ready = live.processes[0].ready
            self.line.send(
                messages.NodePrepared(steps=ready.steps if ready else (), tallies=live.tallies)
            )
            begin = self._rest(live, messages.Begin)
            if begin is not None:
                self._measure(live, begin.at)
        self._relay(live.finish())
        self._relay(live.remove_leftovers())
        self._send_counters(0)

    def _rest[M: Message](self, live: LiveTrial, kind: type[M]) -> M | None:
        live.rest()
        message = self._next(kind, live)
        live.look_after()
        live.resume()
        return message

    def _measure(self, live: LiveTrial, at: int) -> None:
        self._live = live
        looking = self._loop.start(self._look(at))
        for event in live.measure(at):
            if isinstance(event, MomentTaken):
                self._reading = event.moment.reading
                if not self._drained and live.block.words[Head.DRAINED]:
                    self._drained = True
                    self.line.send(messages.Drained())
            else:
                self._relay(iter([event]))
        self._live = None
        looking.cancel()
        self._loop.run(asyncio.sleep(0), _DIAL)  # whatever looked is through
        self._send_counters(0)
        if live.outcome is None:
            self.line.send(messages.NodeMeasured())
            self._rest(live, messages.Finish)

    async def _look(self, at: int) -> None:
        """Look at the counters when the clock of the trial shows a whole number of periods."""
        number = 0
        while True:
            number += 1
            await asyncio.sleep(max(0, at + number * PERIOD - perf_counter_ns()) / 1e9)
            self._send_counters(number)

    def _send_counters(self, number: int) -> None:
        assert self._images is not None
        self.line.send(
            messages.CounterUpdate(
                number=number,
                clock=perf_counter_ns(),
                image=self._images.next(),
                reading=self._reading,
            )
        )

    def _relay(self, events: Iterator[TrialEvent]) -> None:
        """Tell every stage, and what goes on in one no more often than the coordinator looks."""
        for event in events:
            if not isinstance(event, PhaseChanged):
                continue
            now = perf_counter_ns()
            if event.phase == self._stage and now - self._progressed < PERIOD:
                continue
            self._stage, self._progressed = event.phase, now
            self.line.send(event)
