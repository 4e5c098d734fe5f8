"""What the coordinator of a trial and the agents on its nodes say to each other, as msgpack.

    coordinator               agent, in a Dask worker
               ◀────────────── Hello: who it is, and what it has installed
    Ping       ──────────────▶ (many)
               ◀────────────── Pong: its clock
    Assign     ──────────────▶ looks what it has of what the trial needs
               ◀────────────── Fitness
    Prepare    ──────────────▶ starts the child processes of this node, as at home
               ◀────────────── PhaseChanged … Prepared
    Begin      ──────────────▶ waits until its clock shows that time; then the clock runs
               ◀────────────── CounterUpdate, twice a second; Drained, Measured
    DrainNodes ──────────────▶ a worker of another node has nothing more to do
    Finish     ──────────────▶ verifies and closes
               ◀────────────── PhaseChanged … CounterUpdate, NodeEnded: the trial of this node
    Dismiss    ──────────────▶ ends, also before any of these
    Alive      ◀─────────────▶ every second

They hold no code and no pickle: the comms do not deserialise, and the spec travels as a session
stores it.  They hold no secret, either: agents have those of their workers' environment.

Dask's comms carry them, so that TLS, host names and interfaces are settled by Dask's own settings.
They live in an event loop of a thread of its own on either side: a trial is taken through its steps
by a thread that waits for processes, and an answer to a `Ping` must not wait.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from time import perf_counter_ns
from typing import Any, Self

import msgspec

from core.language import Cores, Finite, Name, Natural, Seconds, Whole, remembered, safe
from core.vocabulary import PhaseChanged, Reading, Slot, Trial


class Enlistment(msgspec.Struct, frozen=True, kw_only=True):
    """The argument of the Dask task: where the coordinator is, and for which node."""

    contact: str
    """Address of the coordinator, as Dask writes it."""
    token: str
    """Shows that a caller was invited; it is no secret of the user's."""
    node: Natural
    silence: Finite
    """Seconds without a word after which either side holds the other to be gone."""


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag="hello"):
    token: str
    node: Natural
    host: Name
    """Of the machine it is on."""
    machine: Name
    """Tells machines apart that have the same name, and is the same for all nodes on one."""
    cores: Cores
    python: str
    sluice: str


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    number: Natural


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """This, in ns of its monotonic clock."""

    number: Natural
    clock: Whole


class Alive(msgspec.Struct, frozen=True, tag="alive"):
    """Nothing else."""


class Assign(msgspec.Struct, frozen=True, kw_only=True, tag="assign"):
    slot: Slot
    run_id: str


class PrepareNode(msgspec.Struct, frozen=True, tag="prepare"):
    """All nodes are fit for it."""


class Begin(msgspec.Struct, frozen=True, tag="begin"):
    """Start the clock at this time of your own monotonic clock, in ns."""

    at: Whole


class DrainNodes(msgspec.Struct, frozen=True, tag="drain"):
    """The interval in which all workers of all nodes were active is over."""


class Finish(msgspec.Struct, frozen=True, tag="finish"):
    """All nodes have measured."""


class Dismiss(msgspec.Struct, frozen=True, tag="dismiss"):
    """End now, and say what was measured so far."""


class Fitness(msgspec.Struct, frozen=True, kw_only=True, tag="fitness"):
    """The workload, versions and data of this node."""

    workload: Natural = 0
    """Version of the workload."""
    versions: dict[Name, str] = {}
    fingerprint: str = ""
    """Of the dataset as this node sees it; empty where it is on a server."""
    trouble: str = ""
    """Why it cannot be said, such as a dataset that is not there."""
    network: str = ""
    """Type of the file system of the dataset, if it is one of a network."""


class NodePrepared(msgspec.Struct, frozen=True, kw_only=True, tag="prepared"):
    """Everything before the clock is done."""

    steps: tuple[Name, ...]
    tallies: tuple[Name, ...]


class CounterUpdate(msgspec.Struct, frozen=True, kw_only=True, tag="counters"):
    """The counters since the last look, packed by `core.measure.cluster.node_counters.Images`."""

    number: Natural
    """Of the look, counted from the start of the clock; 0 for one that is out of turn."""
    clock: Whole
    """When, in ns of the node's clock."""
    image: bytes
    reading: Reading | None


class Drained(msgspec.Struct, frozen=True, tag="drained"):
    """A worker of this node has nothing more to do."""


class NodeMeasured(msgspec.Struct, frozen=True, tag="clock-stopped"):
    """All workers of this node have done their work."""


class NodeEnded(msgspec.Struct, frozen=True, kw_only=True, tag="ended"):
    """All is over on this node, and no process is left."""

    trial: Trial
    """Without its moments."""
    why: str = ""
    """Why the node gave up by itself, such as that its Dask worker closes."""


type ToAgent = Ping | Alive | Assign | PrepareNode | Begin | DrainNodes | Finish | Dismiss
type FromAgent = (
    Hello
    | Pong
    | Alive
    | Fitness
    | PhaseChanged
    | NodePrepared
    | CounterUpdate
    | Drained
    | NodeMeasured
    | NodeEnded
)
type Message = ToAgent | FromAgent

_MESSAGES: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(Message)


def packed(message: msgspec.Struct) -> bytes:
    """A message as bytes; text from outside is sanitised, and secrets are replaced."""
    sanitised = message if isinstance(message, CounterUpdate) else safe(message, remembered())
    return msgspec.msgpack.encode(sanitised)


def unpacked(data: bytes) -> Message:
    """The message; raises MsgspecError for anything else."""
    return _MESSAGES.decode(data)


_LAST_WORDS: Seconds = 5.0
"""For what is still to be sent when a line is closed."""


class EventLoop:
    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="nodes", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        async def cancel_all() -> None:
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        with suppress(TimeoutError):
            self.run(cancel_all(), _LAST_WORDS)
        # Timers of Dask's comms may fire just now, and would be told as never retrieved.
        self._loop.set_exception_handler(lambda _loop, _context: None)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def start[T](self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run[T](self, work: Coroutine[Any, Any, T], timeout: Seconds) -> T:
        """Do work in the loop; raises what it raises, and TimeoutError."""
        return self.start(asyncio.wait_for(work, timeout)).result()

    def soon(self, act: Callable[..., object], *arguments: object) -> None:
        """Have something short done in the loop, from any thread; not after its end."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(act, *arguments)


class NodeLine:
    """One comm: sends from any thread, and calls `heard` in the loop for each message.

    `heard` gets None once nothing more will come: the comm is closed, the other side was silent
    for too long, or it said what is no message.
    """

    def __init__(
        self, loop: EventLoop, comm: Any, heard: Callable[[NodeLine, Message | None], None]
    ) -> None:
        self._loop = loop
        self._comm = comm
        self._heard = heard
        self._outgoing: asyncio.Queue[Message | None] = asyncio.Queue()
        self._heard_at = self._sent_at = time.monotonic()
        self.node = -1
        """Which node is at the other end; -1 = not known yet."""
        self.token = ""
        """What it knew its trial by."""
        self.sent = self.received = 0
        """Bytes of messages."""

    def send(self, message: Message) -> None:
        """Send a message soon; if the other side is gone, `heard` says so."""
        self._loop.soon(self._outgoing.put_nowait, message)

    def hang_up(self) -> None:
        """Close it after what is still to be sent."""
        self._loop.soon(self._outgoing.put_nowait, None)

    async def serve(self, silence: Seconds) -> None:
        """Hear and tell until either side closes it, or nothing comes for `silence` seconds."""
        others = [
            asyncio.ensure_future(one) for one in (self._send_all(), self._beat(silence / 10))
        ]
        watch = asyncio.ensure_future(self._watch(silence))
        try:
            hearing = asyncio.ensure_future(self._hear())
            everything = {hearing, watch, *others}
            await asyncio.wait(everything, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in everything:
                one.cancel()
            await asyncio.gather(*everything, return_exceptions=True)
            self._comm.abort()
            self._heard(self, None)

    async def _hear(self) -> None:
        from distributed.comm import CommClosedError

        with suppress(CommClosedError, OSError, msgspec.MsgspecError):
            while True:
                data = await self._comm.read()
                if not isinstance(data, bytes):
                    return
                self._heard_at = time.monotonic()
                self.received += len(data)
                match message := unpacked(data):
                    case Ping(number=number):
                        self._outgoing.put_nowait(Pong(number, perf_counter_ns()))
                    case Alive():
                        pass
                    case _:
                        self._heard(self, message)

    async def _send_all(self) -> None:
        from distributed.comm import CommClosedError

        with suppress(CommClosedError, OSError):
            while (message := await self._outgoing.get()) is not None:
                data = packed(message)
                self.sent += len(data)
                self._sent_at = time.monotonic()
                await self._comm.write(data)
            await asyncio.wait_for(self._comm.close(), _LAST_WORDS)

    async def _beat(self, every: Seconds) -> None:
        """Show that we are there while no other message does."""
        while True:
            await asyncio.sleep(every)
            if time.monotonic() - self._sent_at >= every:
                self._outgoing.put_nowait(Alive())

    async def _watch(self, silence: Seconds) -> None:
        """Return once the other side was silent for too long; a pause of our own is no silence."""
        while True:
            slept = time.monotonic()
            await asyncio.sleep(silence / 10)
            late = time.monotonic() - slept - silence / 10
            self._heard_at += max(0.0, late)
            if time.monotonic() - self._heard_at > silence:
                return
