"""The nodes of a trial as the coordinator knows them, and one trial out of theirs.

Counts, latencies and times come from the counters of all nodes, those of lost ones too; all else
comes from the trials that ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from core.language import safe, show_seconds, tr
from core.measure.cluster.connection import PlacedAgent
from core.measure.cluster.node_counters import ClockOffset, Trip, is_too_uncertain, offset_of
from core.measure.cluster.node_messages import (
    Fitness,
    Hello,
    Message,
    NodeEnded,
    NodeLine,
    NodePrepared,
)
from core.measure.machine.page_cache import the_first
from core.measure.machine.readings import known_sum
from core.measure.machine.secrets import secrets_of
from core.measure.trial.child_handle import STAGES
from core.measure.trial.trial_value import UNVERIFIED, merged_complaints, summed_counters, totals
from core.vocabulary import (
    Crashed,
    Failed,
    Histogram,
    Latencies,
    MachineNoise,
    NodeFigures,
    Outcome,
    PageCacheProof,
    Reading,
    Residency,
    TimedOut,
    Trial,
    WorkerTotals,
    describe_all,
)

if TYPE_CHECKING:
    from core.measure.cluster.cluster_trial import ClusterTrial

_FEWEST_TRIPS, _MOST_TRIPS = 16, 50
_SHARP = 1_000_000
"""Nanoseconds; a clock that is known as well is asked no more."""


@dataclass
class Node:
    """One node, with its messages so far."""

    number: int
    placed: PlacedAgent
    line: NodeLine | None = None
    hello: Hello | None = None
    fitness: Fitness | None = None
    trips: list[Trip] = field(default_factory=list)
    trip_began: int = 0
    """When the round trip under way began."""
    offset: ClockOffset = field(default_factory=lambda: ClockOffset(0, 0))
    stage: str = STAGES[0]
    prepared: NodePrepared | None = None
    looks: int = 0
    clock: int = 0
    """Its clock at the last look at its counters."""
    reading: Reading | None = None
    measured: bool = False
    ended: NodeEnded | None = None
    lost: str = ""
    """Why nothing more will come of it."""

    @property
    def over(self) -> bool:
        return bool(self.lost) or self.ended is not None

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
        numbered = tr("node {number} of {of}", number=self.number + 1, of=of)
        return f"{numbered} ({self.placed.address}{host})"


def clocks_known(nodes: Iterable[Node]) -> bool:
    """Whether the clocks of these were asked often enough."""
    return all(node.clock_known for node in nodes)


def merged(running: ClusterTrial, started: float) -> Trial:
    assert running.outcome is not None
    ended = [node.ended.trial for node in running.nodes if node.ended]
    first = ended[0] if ended else None
    lasts = [one.last for one in ended if one.last]
    steps = next((node.prepared.steps for node in running.nodes if node.prepared), ())
    workers = totals(running.node_counters, running.load, len(steps)) if running.began else ()
    whole = Trial(
        index=running.slot.index,
        block=running.slot.block,
        spec_digest=running.slot.spec.digest,
        started=started,
        outcome=running.outcome,
        unit=first.unit if first else "operation",
        steps=steps,
        workers=workers,
        histogram=running.observer.histogram() if running.began else b"",
        latency_map=running.observer.latency_map() if running.began else b"",
        first=together([one.first for one in ended if one.first], 0.0) or running.observer.first,
        last=together(lasts, max(one.at for one in lasts)) if lasts else None,
        baseline_rss=sum(one.baseline_rss for one in ended),
        start_up=max((one.start_up for one in ended), default=0.0),
        client_threads=sum(one.client_threads for one in ended),
        bound_cores=tuple(core for one in ended for core in one.bound_cores),
        complaints=merged_complaints([one for trial in ended for one in trial.complaints]),
        counters=summed_counters([one.counters for one in ended]),
        self_cost=max((one.self_cost for one in ended), default=0.0),
        verification=sum(one.verification for one in ended),
        page_cache=_page_cache([one.page_cache for one in ended if one.page_cache]),
        versions=first.versions if first else {},
        notes=(*_notes(running, ended), *notes_on_clocks(running.nodes, workers)),
        doubt=_doubts(running),
        noise=_noise(running.nodes),
        nodes=tuple(_figures(running, node) for node in running.nodes),
    )
    sanitised = safe(whole, secrets_of([running.slot.spec]))
    return msgspec.structs.replace(sanitised, moments=running.observer.moments)


def _doubts(running: ClusterTrial) -> str:
    return " ".join(
        f"{node.name(len(running.nodes))}: {node.ended.trial.doubt}"
        for node in running.nodes
        if node.ended and node.ended.trial.doubt
    )


def on_node(outcome: Outcome, name: str) -> Outcome:
    """The same outcome, which says on which node."""
    match outcome:
        case Failed(message=message):
            return msgspec.structs.replace(outcome, message=f"{name}: {message}")
        case Crashed(item=item) | TimedOut(item=item):
            located = f"{item}, {name}" if item else name
            return msgspec.structs.replace(outcome, item=located)
    return outcome


def together(readings: Sequence[Reading], at: float) -> Reading | None:
    """The sum of one look at each node; a figure that one node lacks is unknown."""
    if not readings:
        return None
    sums: dict[str, Any] = {
        name: known_sum([getattr(one, name) for one in readings])
        for name in Reading.__struct_fields__
        if name != "at"
    }
    return Reading(at=at, **sums)


def _notes(running: ClusterTrial, ended: Sequence[Trial]) -> Iterator[str]:
    for node in running.nodes:
        if node.ended is not None:
            name = node.name(len(running.nodes))
            yield from (f"{name}: {note}" for note in node.ended.trial.notes)
    if running.began and len(ended) < len(running.nodes):
        yield UNVERIFIED


def notes_on_clocks(nodes: Sequence[Node], workers: Sequence[WorkerTotals]) -> Iterator[str]:
    """A note if some node's clock is not known well enough for so short a trial.

    Each worker counts in windows by its own clock, so only who worked at the same time is in doubt,
    unless there were no windows: then all is over the time from the first start to the last end.
    """
    length = max((one.ended - one.started for one in workers), default=0) / 1e9
    worst = max(nodes, key=lambda node: node.offset.uncertainty, default=None)
    if worst is None or not is_too_uncertain(worst.offset.uncertainty / 1e9, length):
        return
    figures = {
        "node": worst.name(len(nodes)),
        "uncertainty": show_seconds(worst.offset.uncertainty / 1e9),
        "length": show_seconds(length),
    }
    if any(one.window for one in workers):
        yield tr(
            "{node}: its clock is known to ± {uncertainty}, and the trial took {length}; for as "
            "long it may have worked without the others",
            **figures,
        )
    else:
        yield tr(
            "{node}: its clock is known to ± {uncertainty}, and the trial took {length}; by as "
            "much the time is uncertain that its throughput is based on",
            **figures,
        )


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
    proofs = [one for one in nodes if one is not None]
    if not proofs or len(proofs) < len(nodes):
        return None
    return Residency(
        files=proofs[0].files,
        resident_pages=sum(one.resident_pages for one in proofs),
        total_pages=sum(one.total_pages for one in proofs),
        resident_bytes=sum(one.resident_bytes for one in proofs),
        total_bytes=sum(one.total_bytes for one in proofs),
        method="+".join(dict.fromkeys(one.method for one in proofs)),
        # Nodes that see the same files have the same problems.
        problems=the_first(list(dict.fromkeys(text for one in proofs for text in one.problems))),
    )


def _noise(nodes: Sequence[Node]) -> MachineNoise | None:
    """What all machines did besides; each is seen by every node that is on it."""
    machines: dict[str, list[MachineNoise]] = {}
    for node in nodes:
        if node.hello is not None and node.ended is not None and node.ended.trial.noise:
            machines.setdefault(node.hello.machine, []).append(node.ended.trial.noise)
    if not machines:
        return None
    each = [_noise_of(noises) for noises in machines.values()]
    return MachineNoise(
        seconds=max(one.seconds for one in each),
        cores=sum(one.cores for one in each),
        servers=sum(one.servers for one in each),
        **{name: known_sum([getattr(one, name) for one in each]) for name in _NOISES},
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


def _noise_of(noises: Sequence[MachineNoise]) -> MachineNoise:
    """Of one machine: what a node used is no other's noise."""
    own = known_sum([one.own for one in noises])
    first = max(noises, key=lambda one: one.seconds)
    others = first.others
    if others is not None and own is not None and first.own is not None:
        others = max(0.0, others - (own - first.own))
    return msgspec.structs.replace(first, own=own, others=others)


def _figures(running: ClusterTrial, node: Node) -> NodeFigures:
    trial = node.ended.trial if node.ended else None
    each = running.load.processes
    counted = (
        totals(running.node_counters.of(node.number), running.load, 0) if running.began else ()
    )
    started = running.node_counters.first_start(node.number)
    p50, p99 = _percentiles(running, node)
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
        late=(started - running.began) / 1e9 if started is not None else None,
        operations=sum(worker.operations for worker in counted),
        p50=p50,
        p99=p99,
        peak_rss=_most(trial, node, "peak_rss"),
        fds=_most(trial, node, "fds"),
        network=node.fitness.network if node.fitness else "",
        sent=node.line.received if node.line else 0,
    )


def _percentiles(running: ClusterTrial, node: Node) -> tuple[int, int]:
    latencies = Latencies(
        histogram=Histogram.of(running.node_counters.latencies_of(node.number)),
        squares=running.node_counters.of(node.number).squares(),
    )
    percentiles = (latencies.percentile(percent) for percent in (50.0, 99.0))
    p50, p99 = (round(one.value) if one and one.resolvable else 0 for one in percentiles)
    return p50, p99


def _most(trial: Trial | None, node: Node, figure: str) -> int | None:
    """The highest that a figure of its processes was seen at."""
    readings: Iterable[Reading | None] = (
        *((trial.first, trial.last) if trial else ()),
        node.reading,
    )
    values = [getattr(one, figure) for one in readings if one is not None]
    return max((value for value in values if value is not None), default=None)
