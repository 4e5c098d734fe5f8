"""How far the monotonic clock of a node is from ours, by round trips.

A node says what its clock shows while a round trip is under way.  That was at some moment between
leaving and coming back, so half of the shortest trip bounds the error, whatever the network does:
trips that are held up on one way only are longer.  Dask's own calls take milliseconds, and were
found to be off by 31 ms; hence trips over the comm of the agent, many of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from core.language.units import Seconds

MOST_UNCERTAIN = 0.05
"""Share of a trial's length; the nodes of a trial that cannot be told better do not start it."""


class Trip(NamedTuple):
    """One round trip, in ns: two looks at our clock, and one at theirs in between."""

    left: int
    theirs: int
    back: int


class ClockOffset(NamedTuple):
    """How many ns a node's clock is ahead of ours, and by how much that may be wrong."""

    ahead: int
    uncertainty: int

    def theirs(self, ours: int) -> int:
        """What their clock will show."""
        return ours + self.ahead


def offset_of(trips: Iterable[Trip]) -> ClockOffset:
    """From the shortest trip; raises ValueError without any."""
    best = min(trips, key=lambda trip: trip.back - trip.left)
    middle = (best.left + best.back) // 2
    return ClockOffset(best.theirs - middle, -((best.left - best.back) // 2))


def is_too_uncertain(uncertainty: float, length: Seconds) -> bool:
    """Whether that many seconds matter in a trial of that length; 0 = not known before it ends."""
    return length > 0 and uncertainty >= MOST_UNCERTAIN * length
