"""The nodes of a trial as the coordinator knows them, and one trial out of theirs.

Counts, latencies and times come from the counters of all nodes, those of lost ones too; what is
known only once comes from the trials that landed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from core.cluster.connection import PlacedAgent
from core.cluster.node_counters import ClockOffset, Trip, offset_of
from core.cluster.node_messages import Fitness, Hello, Landed, Message, NodeLine, NodePrepared
from core.host.machine_noise import MachineNoise
from core.host.page_cache import Residency
from core.host.readings import Reading
from core.language.sanitise import safe
from core.language.translation import tr
from core.plan.spec import secrets_of
from core.result.histogram import Histogram, Latencies
from core.result.outcome import Crashed, Failed, Outcome, TimedOut, describe_all
from core.result.result import Trial
from core.result.trial_record import NodeFigures, PageCacheProof
from core.trial.child_process import STAGES
from core.trial.trial_value import UNVERIFIED, merged_complaints, summed_counters, totals

if TYPE_CHECKING:
    from core.cluster.cluster_trial import ClusterTrial

_FEWEST_TRIPS, _MOST_TRIPS = 16, 50
_SHARP = 1_000_000
"""Nanoseconds; a clock that is known as well is asked no more."""


@dataclass
class Node:
    """What it is and what it has said so far."""

    number: int
    placed: PlacedAgent
    line: NodeLine | None = None
    hello: Hello | None = None
    fitness: Fitness | None = None
    trips: list[Trip] = field(default_factory=list)
    left: int = 0
    """When the round trip under way began."""
    offset: ClockOffset = field(default_factory=lambda: ClockOffset(0, 0))
    stage: str = STAGES[0]
    prepared: NodePrepared | None = None
    seen: int = 0
    clock: int = 0
    """Its clock, when its counters were last seen."""
    reading: Reading | None = None
    measured: bool = False
    landed: Landed | None = None
    lost: str = ""
    """Why nothing more will come of it."""

    @property
    def over(self) -> bool:
        return bool(self.lost) or self.landed is not None

    @property
    def clock_known(self) -> bool:
        trips = len(self.trips)
        if trips < _FEWEST_TRIPS:
            return False
        return trips >= _MOST_TRIPS or offset_of(self.trips).uncertainty <= _SHARP

    def send(self, message: Message) -> None:
        if self.line is not None and not self.over:
            self.line.send(message)

    def name(self, of: int) -> str:
        """For messages: `node 2 of 4 (tcp://10.0.0.2:40123 on host-2)`."""
        host = f" {tr('on {host}', host=self.hello.host)}" if self.hello else ""
        told = tr("node {number} of {of}", number=self.number + 1, of=of)
        return f"{told} ({self.placed.address}{host})"


def clocks_known(nodes: Iterable[Node]) -> bool:
    """Whether the clocks of these were asked often enough."""
    return all(node.clock_known for node in nodes)


def merged(far: ClusterTrial, started: float) -> Trial:
    assert far.outcome is not None
    landed = [node.landed.trial for node in far.nodes if node.landed]
    first = landed[0] if landed else None
    steps = next((node.prepared.steps for node in far.nodes if node.prepared), ())
    found = Trial(
        index=far.slot.index,
        block=far.slot.block,
        spec_digest=far.slot.spec.digest,
        started=started,
        outcome=far.outcome,
        unit=first.unit if first else "operation",
        steps=steps,
        workers=totals(far.node_counters, far.load, len(steps)) if far.began else (),
        histogram=far.observer.histogram() if far.began else b"",
        latency_map=far.observer.latency_map() if far.began else b"",
        first=together([one.first for one in landed if one.first], 0.0) or far.observer.first,
        last=_last(landed),
        baseline_rss=sum(one.baseline_rss for one in landed),
        start_up=max((one.start_up for one in landed), default=0.0),
        client_threads=sum(one.client_threads for one in landed),
        bound_cores=tuple(core for one in landed for core in one.bound_cores),
        complaints=merged_complaints([one for trial in landed for one in trial.complaints]),
        counters=summed_counters([one.counters for one in landed]),
        self_cost=max((one.self_cost for one in landed), default=0.0),
        verification=sum(one.verification for one in landed),
        page_cache=_page_cache([one.page_cache for one in landed if one.page_cache]),
        versions=first.versions if first else {},
        notes=tuple(_notes(far, landed)),
        noise=_noise(far.nodes),
        nodes=tuple(_figures(far, node) for node in far.nodes),
    )
    told = safe(found, secrets_of([far.slot.spec]))
    return msgspec.structs.replace(told, moments=far.observer.moments)


def on_node(outcome: Outcome, name: str) -> Outcome:
    """The same outcome, which says on which node."""
    match outcome:
        case Failed(message=message):
            return msgspec.structs.replace(outcome, message=f"{name}: {message}")
        case Crashed(item=item) | TimedOut(item=item):
            told = f"{item}, {name}" if item else name
            return msgspec.structs.replace(outcome, item=told)
    return outcome


def together(readings: Sequence[Reading], at: float) -> Reading | None:
    """The sum of one look at each node; unknown where it is on one of them."""
    if not readings:
        return None
    sums = {
        name: _sum([getattr(one, name) for one in readings])
        for name in Reading.__struct_fields__
        if name != "at"
    }
    return Reading(at=at, **sums)


def _sum(values: Sequence[Any]) -> Any:
    return None if any(value is None for value in values) else sum(values)


def _last(landed: Sequence[Trial]) -> Reading | None:
    lasts = [one.last for one in landed if one.last]
    return together(lasts, max(one.at for one in lasts)) if lasts else None


def _notes(far: ClusterTrial, landed: Sequence[Trial]) -> Iterator[str]:
    for node in far.nodes:
        if node.landed is not None:
            name = node.name(len(far.nodes))
            yield from (f"{name}: {note}" for note in node.landed.trial.notes)
    if far.began and len(landed) < len(far.nodes):
        yield UNVERIFIED


def _page_cache(proofs: Sequence[PageCacheProof]) -> PageCacheProof | None:
    """Of all nodes together: cold only where it was cold on each of them."""
    if not proofs:
        return None
    return PageCacheProof(
        wanted=proofs[0].wanted,
        before=_residency([one.before for one in proofs]),
        after=_residency([one.after for one in proofs]),
    )


def _residency(nodes: Sequence[Residency | None]) -> Residency | None:
    known = [one for one in nodes if one is not None]
    if not known or len(known) < len(nodes):
        return None
    return Residency(
        files=known[0].files,
        resident_pages=sum(one.resident_pages for one in known),
        total_pages=sum(one.total_pages for one in known),
        resident_bytes=sum(one.resident_bytes for one in known),
        total_bytes=sum(one.total_bytes for one in known),
        method="+".join(dict.fromkeys(one.method for one in known)),
        problems=tuple(problem for one in known for problem in one.problems),
    )


def _noise(nodes: Sequence[Node]) -> MachineNoise | None:
    """What all machines did besides; each is seen by every node that is on it."""
    machines: dict[str, list[MachineNoise]] = {}
    for node in nodes:
        if node.hello is not None and node.landed is not None and node.landed.trial.noise:
            machines.setdefault(node.hello.machine, []).append(node.landed.trial.noise)
    if not machines:
        return None
    each = [_noise_of(seen) for seen in machines.values()]
    return MachineNoise(
        seconds=max(one.seconds for one in each),
        cores=sum(one.cores for one in each),
        servers=sum(one.servers for one in each),
        **{name: _sum([getattr(one, name) for one in each]) for name in _NOISES},
    )


_NOISES = (
    "others",
    "steal",
    "own",
    "throttles",
    "throttled",
    "overheated",
    "load_before",
    "load_after",
)
"""What is added up over machines."""


def _noise_of(seen: Sequence[MachineNoise]) -> MachineNoise:
    """Of one machine: what a node used is no other's noise."""
    own = _sum([one.own for one in seen])
    first = max(seen, key=lambda one: one.seconds)
    others = first.others
    if others is not None and own is not None and first.own is not None:
        others = max(0.0, others - (own - first.own))
    return msgspec.structs.replace(first, own=own, others=others)


def _figures(far: ClusterTrial, node: Node) -> NodeFigures:
    trial = node.landed.trial if node.landed else None
    each = far.load.processes
    counted = totals(far.node_counters.of(node.number), far.load, 0) if far.began else ()
    started = far.node_counters.first_start(node.number)
    p50, p99 = _percentiles(far, node)
    return NodeFigures(
        address=node.placed.address,
        host=node.hello.host if node.hello else "",
        machine=node.hello.machine if node.hello else "",
        cores=node.hello.cores if node.hello else 1,
        first_process=node.number * each,
        processes=each,
        ended=node.lost or (describe_all(trial.outcome) if trial else tr("never began")),
        ahead=node.offset.ahead / 1e9,
        uncertainty=node.offset.uncertainty / 1e9,
        late=(started - far.began) / 1e9 if started is not None else None,
        operations=sum(worker.operations for worker in counted),
        p50=p50,
        p99=p99,
        peak_rss=_most(trial, node, "peak_rss"),
        fds=_most(trial, node, "fds"),
        network=node.fitness.network if node.fitness else "",
        sent=node.line.received if node.line else 0,
    )


def _percentiles(far: ClusterTrial, node: Node) -> tuple[int, int]:
    found = Latencies(
        histogram=Histogram.of(far.node_counters.latencies_of(node.number)),
        squares=far.node_counters.of(node.number).squares(),
    )
    told = (found.percentile(percent) for percent in (50.0, 99.0))
    p50, p99 = (round(one.value) if one and one.resolvable else 0 for one in told)
    return p50, p99


def _most(trial: Trial | None, node: Node, figure: str) -> int | None:
    """The highest that a figure of its processes was seen at."""
    readings: Iterable[Reading | None] = (
        *((trial.first, trial.last) if trial else ()),
        node.reading,
    )
    found = [getattr(one, figure) for one in readings if one is not None]
    return max((value for value in found if value is not None), default=None)
