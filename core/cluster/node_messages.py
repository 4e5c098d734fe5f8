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
               ◀────────────── Seen, twice a second; Drained, Measured
    Drain      ──────────────▶ a worker of another node has nothing more to do
    Finish     ──────────────▶ verifies and closes
               ◀────────────── PhaseChanged … Seen, Landed: the trial of this node
    Dismiss    ──────────────▶ ends, also before any of these
    Alive      ◀─────────────▶ every second

No code and no pickle is among it: the comms are told not to deserialise, and the spec travels as
what a session could hold.  No secret is, either: agents have those of their workers' environment.
"""

from __future__ import annotations

import msgspec

from core.host.sampling import Reading
from core.language.bounded import Cores, Finite, Natural, Whole
from core.language.sanitise import Name, remembered, safe
from core.plan.schedule import Slot
from core.result.result import Trial
from core.trial.trial_events import PhaseChanged


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
    """The agent is there."""

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
    """What does your clock show?"""

    number: Natural


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """This, in ns of its monotonic clock."""

    number: Natural
    clock: Whole


class Alive(msgspec.Struct, frozen=True, tag="alive"):
    """Nothing else."""


class Assign(msgspec.Struct, frozen=True, kw_only=True, tag="assign"):
    """What is to be measured."""

    slot: Slot
    run_id: str


class PrepareNode(msgspec.Struct, frozen=True, tag="prepare"):
    """All nodes are fit for it."""


class Begin(msgspec.Struct, frozen=True, tag="begin"):
    """Start the clock at this time of your own monotonic clock, in ns."""

    at: Whole


class Drain(msgspec.Struct, frozen=True, tag="drain"):
    """The interval in which all workers of all nodes were active is over."""


class Finish(msgspec.Struct, frozen=True, tag="finish"):
    """All nodes have measured."""


class Dismiss(msgspec.Struct, frozen=True, tag="dismiss"):
    """End now, and say what was measured so far."""


class Fitness(msgspec.Struct, frozen=True, kw_only=True, tag="fitness"):
    """What this node has of what a trial needs."""

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


class Seen(msgspec.Struct, frozen=True, kw_only=True, tag="seen"):
    """The counters since the last look, packed by `core.cluster.mirror.Images`."""

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


class Landed(msgspec.Struct, frozen=True, kw_only=True, tag="landed"):
    """All is over on this node, and no process is left."""

    trial: Trial
    """Without its moments."""
    why: str = ""
    """Why the node gave up by itself, such as that its Dask worker closes."""


type ToAgent = Ping | Alive | Assign | PrepareNode | Begin | Drain | Finish | Dismiss
type FromAgent = (
    Hello
    | Pong
    | Alive
    | Fitness
    | PhaseChanged
    | NodePrepared
    | Seen
    | Drained
    | NodeMeasured
    | Landed
)
type Message = ToAgent | FromAgent

_MESSAGES: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(Message)


def packed(message: msgspec.Struct) -> bytes:
    """A message as bytes; text from outside is sanitised, and secrets are replaced."""
    told = message if isinstance(message, Seen) else safe(message, remembered())
    return msgspec.msgpack.encode(told)


def unpacked(told: bytes) -> Message:
    """The message; raises MsgspecError for anything else."""
    return _MESSAGES.decode(told)
