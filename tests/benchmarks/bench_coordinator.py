"""What a trial on many nodes costs the machine that coordinates it: nodes that only pretend.

    PYTHONPATH=.:tests/faults python tests/benchmarks/bench_coordinator.py
        [--nodes 1000] [--threads 64] [--seconds 20] [--json]

The coordinator is the real one, with real comms over the loopback device.  All nodes are in one
other process, which says what agents say and measures nothing: each look at its counters shows
other numbers in all of them, so that no message is smaller than a real one.  What is printed is
CPU time and memory of the coordinator's process alone, the messages and bytes that it heard, and
how long each step of the trial took.  Dask's own scheduler is not in it: it places one task per
node before the clock, and carries none of these messages.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen
from time import perf_counter_ns
from typing import IO, Any, cast, override

import msgspec

from core.language import sluice_version
from core.measure import Cancel, ClusterTrial, Connection, Count, SharedCounters
from core.measure.cluster.agent import PERIOD, fitness_of
from core.measure.cluster.connection import Deadlines, Heard, PlacedAgent
from core.measure.cluster.node_counters import Images
from core.measure.cluster.node_messages import (
    Assign,
    Begin,
    CounterUpdate,
    Drained,
    Enlistment,
    EventLoop,
    Finish,
    Fitness,
    Hello,
    Message,
    NodeEnded,
    NodeLine,
    NodeMeasured,
    NodePrepared,
    PrepareNode,
)
from core.measure.trial.counters import COUNTS, HEADER, NOTE, SLOT, State
from core.measure.trial.trial_value import totals
from core.vocabulary import (
    AnyFiles,
    Completed,
    MomentTaken,
    PhaseChanged,
    Reading,
    Slot,
    Trial,
    TrialEnded,
    specify,
)

WORKLOAD = "raw"
PLAY = "--play"


# The nodes, all in one process.


class Score:
    """What all nodes say, as all of them have the same counters."""

    def __init__(self, assigned: Assign, at: int) -> None:
        load = assigned.slot.spec.load
        self._spec = assigned.slot.spec
        self._at = at
        self._block = SharedCounters.create(load.processes * load.threads)
        self._images = Images(self._block)
        self._said: list[bytes] = []

    def image(self, number: int) -> bytes:
        """That of a look, counted from 1."""
        while len(self._said) < number:
            self._work()
            self._said.append(self._images.next())
        return self._said[number - 1]

    def _work(self) -> None:
        """Other numbers everywhere: most counts of every slot, and 200 buckets of latencies."""
        import numpy as np

        slots = np.asarray(self._block.words)[HEADER:].reshape(self._block.slots, SLOT)
        random = np.random.default_rng()
        for count in _GROWING:
            slots[:, count] += random.integers(1, 2**20, self._block.slots)
        slots[:, COUNTS + 400 : COUNTS + 600] += random.integers(0, 99, (self._block.slots, 200))
        slots[:, Count.STARTED] = self._at
        slots[:, Count.STATE] = State.RUNNING
        assert COUNTS + 600 < SLOT - NOTE

    def ended(self) -> NodeEnded:
        """The trial of every node."""
        told = Trial(
            index=0,
            block=0,
            spec_digest=self._spec.digest,
            started=time.time(),
            outcome=Completed(),
            unit="block",
            steps=("open", "read"),
            workers=totals(self._block, self._spec.load, 2),
            first=_reading(0),
            last=_reading(1),
        )
        return NodeEnded(trial=told)


_GROWING = (
    Count.OPERATIONS,
    Count.ITEMS,
    Count.BYTES,
    Count.CPU,
    Count.BOOKKEEPING,
    Count.TIMED,
    Count.TIMED_SQUARES,
    Count.PHASES,
    Count.PHASES + 1,
)


class Players:
    """All nodes."""

    def __init__(self, loop: EventLoop, fit: Fitness) -> None:
        self._loop = loop
        self._fit = fit
        self._assigned: Assign | None = None
        self._score: Score | None = None
        self._measuring: set[asyncio.Future[None]] = set()

    async def play(self, told: Enlistment) -> None:
        """Be one node: call the coordinator, and answer until it is over."""
        from distributed.comm import connect

        comm = await connect(told.contact, timeout=300, deserialize=False)
        line = NodeLine(self._loop, comm, self._heard)
        line.send(
            Hello(
                token=told.token,
                node=told.node,
                host=f"node-{told.node}",
                machine=f"machine-{told.node}",
                cores=64,
                python=platform.python_version(),
                sluice=sluice_version(),
            )
        )
        await line.serve(told.silence)

    def _heard(self, line: NodeLine, message: Message | None) -> None:
        match message:
            case Assign():
                self._assigned = message
                line.send(self._fit)
            case PrepareNode():
                line.send(NodePrepared(steps=("open", "read"), tallies=()))
            case Begin(at=at) if self._assigned is not None:
                self._score = self._score or Score(self._assigned, at)
                self._measuring.add(asyncio.ensure_future(self._measure(line, self._score, at)))
            case Finish() if self._score is not None:
                line.send(self._score.ended())
            case _:
                pass

    async def _measure(self, line: NodeLine, score: Score, at: int) -> None:
        assert self._assigned is not None
        looks = round(self._assigned.slot.spec.load.duration * 1e9 / PERIOD)
        for number in range(1, looks + 1):
            await asyncio.sleep(max(0, at + number * PERIOD - perf_counter_ns()) / 1e9)
            line.send(
                CounterUpdate(
                    number=number,
                    clock=perf_counter_ns(),
                    image=score.image(number),
                    reading=_reading(number),
                )
            )
        line.send(Drained())
        line.send(NodeMeasured())


def _reading(number: int) -> Reading:
    """As large as any."""
    many = 10**8 + number
    times = {"at": number * PERIOD / 1e9, "cpu_user": 0.1 * number, "cpu_system": 0.1 * number}
    counts = {name: many for name in Reading.__struct_fields__ if name not in (*times, "queued")}
    return Reading(**counts, **times, queued=0.1)


def play_all(asked: IO[str]) -> None:
    """Be all the nodes that one line asks for, until they are dismissed."""
    told = msgspec.json.decode(asked.readline(), type=list[Enlistment])
    fit = msgspec.json.decode(asked.readline(), type=Fitness)
    with EventLoop() as loop:
        players = Players(loop, fit)
        parts = [loop.start(players.play(one)) for one in told]
        for part in parts:
            part.result()


# The coordinator.


class Simulated(Connection):
    """A connection without a scheduler, whose nodes are in a process of players."""

    def __init__(self, fit: Fitness) -> None:
        super().__init__("tcp://nobody:1", Deadlines(silence=600.0, joining=600.0))
        self._fit = fit
        self.players: Popen[str]

    @override
    async def _open(self) -> None:
        await self._listen("tcp", "127.0.0.1")

    @property
    @override
    def lost(self) -> bool:
        return False

    @override
    def enlist(self, nodes: int, hear: Heard) -> Future[list[PlacedAgent]]:
        self._hear = hear
        told = [
            Enlistment(
                contact=self._contact, token=self._token, node=node, silence=self.limits.silence
            )
            for node in range(nodes)
        ]
        self.players = Popen([sys.executable, __file__, PLAY], stdin=PIPE, text=True)
        assert self.players.stdin is not None
        for words in (told, self._fit):
            self.players.stdin.write(f"{msgspec.json.encode(words).decode()}\n")
        self.players.stdin.flush()
        found: Future[list[PlacedAgent]] = Future()
        found.set_result([PlacedAgent(f"tcp://10.0.0.1:{node}", _Task()) for node in range(nodes)])
        return found

    @override
    def release(self, placed: Any) -> None:
        self._hear = None


class _Task:
    """A task of Dask that goes on."""

    status = "pending"


class Clock:
    """CPU and wall time of the steps of a trial."""

    def __init__(self) -> None:
        self.steps: dict[str, tuple[float, float]] = {}
        self._now = "gathering nodes"
        self._wall, self._cpu = time.monotonic(), time.process_time()

    def step(self, name: str) -> None:
        """Another step begins."""
        if name == self._now:
            return
        wall, cpu = time.monotonic(), time.process_time()
        before = self.steps.get(self._now, (0.0, 0.0))
        self.steps[self._now] = before[0] + wall - self._wall, before[1] + cpu - self._cpu
        self._now, self._wall, self._cpu = name, wall, cpu


@contextmanager
def dataset() -> Iterator[Any]:
    """A file that is looked at and never read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some.bin"
        path.write_bytes(bytes(2**20))
        yield AnyFiles().open(path)


def measure(nodes: int, threads: int, seconds: float) -> dict[str, Any]:
    """One trial; its costs by name."""
    with dataset() as data:
        spec = specify(WORKLOAD, data, {"threads": 1, "duration": seconds})
        # A plan refuses so many workers; a trial does not ask.
        spec = msgspec.structs.replace(spec, load=replace(spec.load, nodes=nodes, threads=threads))
        before = _peak()
        clock = Clock()
        with Simulated(fitness_of(spec, "a run")) as connection:
            far = ClusterTrial(connection, Slot(0, 0, spec), "a run", Cancel())
            looks, ended = [], []
            for event in far.run():
                match event:
                    case PhaseChanged(phase=phase) if phase == "measuring":
                        clock.step("measuring")
                    case MomentTaken(moment=moment):
                        looks.append(moment)
                    case TrialEnded(trial=trial):
                        ended.append(trial)
                    case _:
                        pass
                if all(node.measured for node in far.nodes) and far.nodes:
                    clock.step("ending and merging")
            clock.step("over")
            (trial,) = ended
            assert isinstance(trial.outcome, Completed), trial.outcome
            connection.players.wait()
            lines = [node.line for node in far.nodes if node.line]
            return {
                "nodes": nodes,
                "threads": threads,
                "seconds": seconds,
                "looks": len(looks),
                "share of a core": clock.steps["measuring"][1] / clock.steps["measuring"][0],
                "steps": clock.steps,
                "bytes heard": sum(line.received for line in lines),
                "bytes said": sum(line.sent for line in lines),
                "peak memory": _peak(),
                "peak memory before": before,
                "bytes of the trial": len(msgspec.msgpack.encode(_bare(trial))),
                "bytes of its moments": len(trial.moments.packed),
                "uncertainty": max(node.uncertainty for node in trial.nodes),
            }


def _bare(trial: Trial) -> Trial:
    return msgspec.structs.replace(trial, moments=())


def _peak() -> int:
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what many nodes cost their coordinator.")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--json", action="store_true", help="Print one JSON object.")
    wanted = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    found = measure(wanted.nodes, wanted.threads, wanted.seconds)
    if wanted.json:
        print(json.dumps(found))
        return
    share = found["share of a core"]
    print(f"{wanted.nodes:,} nodes × {wanted.threads} threads, seen {found['looks']} times")
    print(
        f"coordinator while measuring: {share:.1%} of a core, {share / wanted.nodes:.4%} per node"
    )
    for name, (wall, cpu) in found["steps"].items():
        print(f"  {name:20} {wall:8.2f} s, of it {cpu:.2f} s of CPU")
    per_second = found["bytes heard"] / wanted.seconds / wanted.nodes
    print(f"heard {found['bytes heard']:,} bytes ({per_second:,.0f} per node and second)")
    print(f"said {found['bytes said']:,} bytes")
    print(f"memory: {found['peak memory'] / 2**20:,.0f} MiB at most, ", end="")
    print(f"{found['peak memory before'] / 2**20:,.0f} MiB before")
    print(f"trial: {found['bytes of the trial']:,} bytes, ", end="")
    print(f"its moments {found['bytes of its moments']:,}")


if __name__ == "__main__":
    if PLAY in sys.argv:
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        play_all(cast("IO[str]", sys.stdin))
    else:
        main()
