"""One trial on the nodes of a cluster: enlists agents, starts them together, and hears them out.

The steps are those of `core.measure.trial.live_trial`; all nodes take one before the next begins.
Nothing is measured here: counters follow those of the agents, so that a lost node's figures until
then remain.  Every end of a node is an outcome.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from functools import partial
from itertools import batched
from queue import Empty, SimpleQueue
from time import perf_counter_ns

from core.language import Seconds, show_seconds, tr
from core.measure.cluster import node_messages as messages
from core.measure.cluster.agent import PERIOD, misfits
from core.measure.cluster.connection import Connection
from core.measure.cluster.merged_trial import Node, clocks_known, merged, on_node, together
from core.measure.cluster.node_counters import NodeCounters, Trip, offset_of
from core.measure.cluster.node_messages import Message, NodeLine
from core.measure.trial.cancel import Cancel
from core.measure.trial.child_handle import STAGES
from core.measure.trial.observer import Observer
from core.measure.trial.trial_value import versions_of
from core.vocabulary import (
    Cancelled,
    Completed,
    Failed,
    MomentTaken,
    Outcome,
    PhaseChanged,
    PhaseProgress,
    Reading,
    Slot,
    TrialEnded,
    TrialEvent,
)

_AT_ONCE = 4
"""Nodes whose clocks are asked at the same time: more would wait for each other here."""
_TICK: Seconds = 0.1
_LEAD: Seconds = 0.3
"""From the word to begin to the beginning: the word arrives, and processes are looked at."""
_LATE: Seconds = 0.3
"""After which a look at the nodes does not wait for the rest of them."""
_ENDING: Seconds = 20.0
"""For agents to end their processes: more than the steps of a shutdown take together."""


class ClusterTrial:
    """One trial on several nodes while it runs; `outcome` is set once it is clear."""

    def __init__(self, connection: Connection, slot: Slot, run_id: str, cancel: Cancel) -> None:
        self.slot = slot
        self.load = slot.spec.load
        self.nodes: list[Node] = []
        self.outcome: Outcome | None = None
        self.began = 0
        """When all clocks were to start, in ns of ours."""
        self.node_counters = NodeCounters(self.load.nodes, self.load.workers)
        self.observer = Observer(self.node_counters, cores=1.0)
        self._connection = connection
        self._run_id = run_id
        self._cancel = cancel
        self._heard: SimpleQueue[tuple[NodeLine, Message | None]] = SimpleQueue()
        self._looks = 0
        self._draining = False
        self._progress: list[PhaseChanged] = []
        """The nodes' progress since the last event."""

    def run(self) -> Iterator[TrialEvent]:
        """Run it to its end, whatever it is; the last event is its `TrialEnded`."""
        started = time.time()
        try:
            yield from self._steps()
            yield from self._end()
        finally:
            self._connection.release([node.placed for node in self.nodes])
        yield TrialEnded(trial=merged(self, started))

    def _steps(self) -> Iterator[TrialEvent]:
        for step in (
            self._enlist,
            self._gather,
            self._compare,
            self._prepare,
            self._measure,
            self._finish,
        ):
            if self.outcome is None:
                yield from step()

    # Before the clock.

    def _enlist(self) -> Iterator[TrialEvent]:
        yield PhaseChanged(index=self.slot.index, phase=STAGES[0])
        patience = self._connection.patience(self.load.nodes)
        placing = self._connection.enlist(self.load.nodes, self._hear)
        while not wait([placing], _TICK).done:
            yield self._gathered(min(self._connection.workers, self.load.nodes), awaited=True)
            if self._cancel.requested:
                placing.cancel()
                self.outcome = Cancelled(stage=STAGES[0])
                return
        try:
            placed = placing.result()
        except (TimeoutError, OSError) as error:
            self.outcome = self._failed("FewWorkers", self._too_few(error, patience))
            return
        self.nodes = [Node(number, one) for number, one in enumerate(placed)]

    def _gathered(self, there: int, *, awaited: bool = False) -> PhaseChanged:
        here = PhaseProgress(
            STAGES[0], done=there, total=self.load.nodes, unit="nodes", awaited=awaited
        )
        return PhaseChanged.of(self.slot.index, here)

    def _too_few(self, error: BaseException, patience: Seconds) -> str:
        address, count = self._connection.address, self.load.nodes
        if not isinstance(error, TimeoutError):
            return f"{address}: {error}"
        if not patience:
            return tr(
                "{address} still has no worker; start one",
                "{address} still has fewer than {count} workers; start more, or ask for fewer "
                "nodes",
                count=count,
                address=address,
            )
        return tr(
            "{address} did not have a worker within {limit}; start one",
            "{address} did not have {count} workers within {limit}; start more, or ask for fewer "
            "nodes",
            count=count,
            address=address,
            limit=show_seconds(patience),
        )

    def _gather(self) -> Iterator[TrialEvent]:
        until = time.monotonic() + self._connection.limits.joining
        for _ in self._until(lambda: all(node.hello for node in self.nodes)):
            for node in self.nodes:
                node.lost = node.lost or node.placed.error
            if time.monotonic() > until:
                missing = next(node for node in self.nodes if node.hello is None)
                missing.lost = tr(
                    "it did not come within {limit}; it is busy with other tasks, or stopped",
                    limit=show_seconds(self._connection.limits.joining),
                )
            yield self._gathered(sum(node.hello is not None for node in self.nodes))
        cores = {node.hello.machine: node.hello.cores for node in self.nodes if node.hello}
        self.observer = Observer(self.node_counters, cores=float(sum(cores.values())) or None)

    def _compare(self) -> Iterator[TrialEvent]:
        """Refuse nodes that have something else than we have."""
        yield from self._synchronise()
        self._send(messages.Assign(slot=self.slot, run_id=self._run_id))
        yield from self._events_until(lambda: all(node.fitness for node in self.nodes))
        versions = versions_of(self.slot.spec)
        for node in self.nodes:
            if self.outcome is None and node.hello is not None and node.fitness is not None:
                why = misfits(node.hello, node.fitness, self.slot.spec, versions)
                if why:
                    self.outcome = self._failed(
                        "UnequalNode", f"{node.name(len(self.nodes))}: {why}"
                    )

    def _synchronise(self) -> Iterator[TrialEvent]:
        for some in batched(self.nodes, _AT_ONCE):
            for node in some:
                node.trips = []
                node.trip_began = perf_counter_ns()
                node.send(messages.Ping(0))
            yield from self._events_until(partial(clocks_known, some))
        for node in self.nodes:
            if node.trips:
                node.offset = offset_of(node.trips)
                self.node_counters.synchronise(node.number, node.offset)

    def _prepare(self) -> Iterator[TrialEvent]:
        """The first node may have to place the data in its store; then the others find it there."""
        first = self.nodes[0]
        first.send(messages.PrepareNode())
        yield from self._events_until(lambda: first.stage in STAGES[1:] or bool(first.prepared))
        for node in self.nodes[1:]:
            node.send(messages.PrepareNode())
        yield from self._events_until(lambda: all(node.prepared for node in self.nodes))
        if self.outcome is None:
            yield from self._synchronise()

    # While the clock runs.

    def _measure(self) -> Iterator[TrialEvent]:
        yield PhaseChanged(index=self.slot.index, phase="measuring")
        longest = max(trip.back - trip.began for node in self.nodes for trip in node.trips)
        self.began = perf_counter_ns() + round(1e9 * _LEAD) + longest
        for node in self.nodes:
            node.stage = "measuring"
            node.send(messages.Begin(node.offset.theirs(self.began)))
        prepared = self.nodes[0].prepared
        self.observer.tallies = prepared.tallies if prepared else ()
        self.observer.clock_started(self)
        for _ in self._until(lambda: all(node.measured for node in self.nodes)):
            yield from self._phases()
            if self._is_seen():
                self._looks += 1
                at = self._looks * PERIOD / 1e9
                yield MomentTaken(index=self.slot.index, moment=self.observer.look(counted_at=at))

    def _is_seen(self) -> bool:
        """Whether all nodes have been seen once more, or some will not be in time."""
        number = self._looks + 1
        since = (perf_counter_ns() - self.began - number * PERIOD) / 1e9
        waited_for = [node for node in self.nodes if not node.over and not node.measured]
        return since > 0 and (since > _LATE or all(node.looks >= number for node in waited_for))

    def read(self, at: float, complete: bool = False) -> Reading | None:
        """What the processes of all nodes were doing when they were last seen."""
        return together([node.reading for node in self.nodes if node.reading], at)

    def close(self) -> None:
        """Nothing here is held open."""

    # After the clock.

    def _finish(self) -> Iterator[TrialEvent]:
        self._send(messages.Finish())
        yield from self._events_until(lambda: all(node.ended for node in self.nodes))
        if self.outcome is None:
            self.outcome = Completed()

    def _end(self) -> Iterator[TrialEvent]:
        """Have all nodes end that have not, and wait for what they have measured."""
        self._send(messages.Dismiss())
        until = time.monotonic() + _ENDING
        while any(node.line and not node.over for node in self.nodes):
            if time.monotonic() > until:
                break
            self._take(_TICK)
            yield from self._phases()
        for node in self.nodes:
            if node.line is not None:
                node.line.hang_up()
            if node.ended is None and node.clock:
                self.node_counters.lose(node.number, node.clock)

    # Hearing.

    def _hear(self, line: NodeLine, message: Message | None) -> None:
        """Called in the loop; only round trips are answered there, at once."""
        if isinstance(message, messages.Pong):
            self._came_back(self.nodes[line.node], message)
        else:
            self._heard.put((line, message))

    def _came_back(self, node: Node, pong: messages.Pong) -> None:
        now = perf_counter_ns()
        node.trips.append(Trip(node.trip_began, pong.clock, now))
        if not node.clock_known:
            node.trip_began = perf_counter_ns()
            node.send(messages.Ping(pong.number + 1))

    def _events_until(self, arrived: Callable[[], bool]) -> Iterator[TrialEvent]:
        for _ in self._until(arrived):
            yield from self._phases()

    def _until(self, arrived: Callable[[], bool]) -> Iterator[None]:
        """Hear the nodes until it is so, or the outcome is clear; yields after each of them."""
        while self.outcome is None and not arrived():
            self._take(_TICK)
            yield
            self._judge()

    def _take(self, wait: Seconds) -> None:
        """Take in all that was heard; waits for the first of it."""
        try:
            self._take_one(*self._heard.get(timeout=wait))
            while True:
                self._take_one(*self._heard.get_nowait())
        except Empty:
            pass

    def _take_one(self, line: NodeLine, message: Message | None) -> None:  # noqa: C901 -- one case each
        node = self.nodes[line.node]
        if node.line is not None and node.line is not line:
            line.hang_up()  # Dask has run a task once more
            return
        match message:
            case messages.Hello():
                node.line, node.hello = line, message
            case None:
                node.lost = node.lost or ("" if node.ended else self._silent(node))
            case messages.Fitness():
                node.fitness = message
            case PhaseChanged(phase=stage):
                node.stage = stage
                self._progress.append(message)
            case messages.NodePrepared():
                node.prepared, node.stage = message, "waiting"
            case messages.CounterUpdate():
                self._take_counters(node, message)
            case messages.Drained() if not self._draining:
                self._draining = True  # told once: it would be the square of the nodes
                self._send(messages.DrainNodes())
            case messages.NodeMeasured():
                node.measured, node.stage = True, "ending"
            case messages.NodeEnded():
                node.ended = message

    def _take_counters(self, node: Node, update: messages.CounterUpdate) -> None:
        try:
            self.node_counters.add(node.number, update.image)
        except (ValueError, zlib.error):
            node.lost = node.lost or tr("what it said of its counters is damaged")
            return
        node.looks = max(node.looks, update.number)
        node.clock = update.clock
        node.reading = update.reading or node.reading

    def _silent(self, node: Node) -> str:
        """Why a node that has not ended its part says no more."""
        if self._connection.lost:
            return tr("its scheduler is gone, and it with it")
        return tr(
            "it is gone: its Dask worker was killed, or was not heard of for {limit}",
            limit=show_seconds(self._connection.limits.silence),
        )

    def _judge(self) -> None:
        """Set the outcome if the trial cannot go on or was cancelled."""
        if self.outcome is None and self._cancel.requested:
            self.outcome = Cancelled(stage=self._stage)
        for node in self.nodes:
            if self.outcome is None and node.lost:
                message = f"{node.name(len(self.nodes))}: {node.lost}"
                self.outcome = self._failed("NodeLost", message, node.stage)
            if self.outcome is None and node.ended is not None:
                self._judge_ended(node, node.ended)
        if self.outcome is None and self._connection.lost:
            message = tr("the scheduler {address} is gone", address=self._connection.address)
            self.outcome = self._failed("SchedulerLost", message, self._stage)

    def _judge_ended(self, node: Node, ended: messages.NodeEnded) -> None:
        name, outcome = node.name(len(self.nodes)), ended.trial.outcome
        if isinstance(outcome, Cancelled):
            message = f"{name}: {ended.why or tr('it has ended its part')}"
            self.outcome = self._failed("NodeLost", message, outcome.stage)
        elif not isinstance(outcome, Completed):
            self.outcome = on_node(outcome, name)

    @property
    def _stage(self) -> str:
        """The stage of the node furthest behind."""
        stages = [node.stage for node in self.nodes if node.stage in STAGES]
        return min(stages, key=STAGES.index, default=STAGES[0])

    def _send(self, message: Message) -> None:
        for node in self.nodes:
            node.send(message)

    def _failed(self, error: str, message: str, stage: str = STAGES[0]) -> Failed:
        return Failed(stage=stage, error=error, message=message)

    def _phases(self) -> Iterator[PhaseChanged]:
        """The nodes' progress, in the stage of the one furthest behind."""
        reported, self._progress = self._progress, []
        for one in reported:
            if one.phase == self._stage or one.phase not in STAGES:
                yield PhaseChanged.of(self.slot.index, one)
