"""One node of a trial as the coordinator knows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.cluster.clock_offset import ClockOffset, Trip
from core.cluster.connection import PlacedAgent
from core.cluster.lines import Line
from core.cluster.node_messages import Fitness, Hello, Landed, Message, NodePrepared
from core.host.sampling import Reading
from core.language.translation import tr
from core.trial.child_process import STAGES


@dataclass
class Node:
    """What it is and what it has said so far."""

    number: int
    placed: PlacedAgent
    line: Line | None = None
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
        """Whether nothing more will come of it."""
        return bool(self.lost) or self.landed is not None

    def tell(self, message: Message) -> None:
        if self.line is not None and not self.over:
            self.line.tell(message)

    def name(self, of: int) -> str:
        """For messages: `node 2 of 4 (tcp://10.0.0.2:40123 on host-2)`."""
        host = f" {tr('on {host}', host=self.hello.host)}" if self.hello else ""
        told = tr("node {number} of {of}", number=self.number + 1, of=of)
        return f"{told} ({self.placed.address}{host})"
