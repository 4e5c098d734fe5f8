"""The counters and clocks of all nodes, as if they were in one block and showed one time.

An agent takes an image of its block twice a second: the counts of every worker, and the latencies
of all its workers, summed.  It sends what has changed since the last image, compressed, which is
little: a slot has 24 kB, nearly all of them buckets that stay 0.  Words are added up as whole
numbers, doubles too, so the sums are exact however many images there were, and merging nodes is
laying them side by side.

A node says what its clock shows while a round trip is under way.  That was at some moment between
leaving and coming back, so half of the shortest trip bounds the error, whatever the network does:
trips that are held up on one way only are longer.  Dask's own calls take milliseconds, and were
found to be off by 31 ms; hence trips over the comm of the agent, many of them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.language import Seconds
from core.measure.trial.counters import (
    COUNTS,
    HEADER,
    MILLIONTHS,
    NOTE,
    SLOT,
    TALLIED,
    TALLIES,
    Count,
    SharedCounters,
    State,
)
from core.vocabulary import BUCKETS, inflated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


MOST_UNCERTAIN = 0.05
"""Share of a trial's length up to which nodes count as having worked together."""


class Trip(NamedTuple):
    """One round trip, in ns: two looks at our clock, and one at theirs in between."""

    began: int
    theirs: int
    back: int


class ClockOffset(NamedTuple):
    """How many ns a node's clock is ahead of ours, and by how much that may be wrong."""

    ahead: int
    uncertainty: int

    def theirs(self, ours: int) -> int:
        return ours + self.ahead


def offset_of(trips: Iterable[Trip]) -> ClockOffset:
    """From the shortest trip; raises ValueError without any."""
    best = min(trips, key=lambda trip: trip.back - trip.began)
    middle = (best.began + best.back) // 2
    return ClockOffset(best.theirs - middle, -((best.began - best.back) // 2))


def is_too_uncertain(uncertainty: float, length: Seconds) -> bool:
    """Whether that many seconds matter in a trial of that length; 0 = it measured nothing."""
    return length > 0 and uncertainty >= MOST_UNCERTAIN * length


_TIMES = (Count.STARTED, Count.ENDED, Count.OWN)
"""Words that show the node's clock; 0 = has not happened."""
_LEVEL = 1  # of zlib: packing must not take time from what is being measured


class Images:
    """The images of one block, each as its difference from the one before."""

    def __init__(self, block: SharedCounters) -> None:
        self._block = block
        self._before: NDArray[np.int64] | int = 0

    def next(self) -> bytes:
        image = self._image()
        changed, self._before = image - self._before, image
        return zlib.compress(changed.astype("<i8").tobytes(), _LEVEL)

    def _image(self) -> NDArray[np.int64]:
        import numpy as np

        slots = np.asarray(self._block.words)[HEADER:].reshape(self._block.slots, SLOT)
        latencies = slots[:, COUNTS:-NOTE].sum(axis=0)
        return np.concatenate([slots[:, :COUNTS].ravel(), latencies])


class NodeCounters:
    """The counters of all nodes, in our time; the same to look at as a `SharedCounters`."""

    def __init__(self, nodes: int, each: int) -> None:
        import numpy as np

        self.slots = nodes * each
        """Workers of all nodes."""
        self._counts = np.zeros((nodes, each, COUNTS), np.int64)
        self._latencies = np.zeros((nodes, BUCKETS), np.int64)
        self._offsets = np.zeros((nodes, 1), np.int64)

    def synchronise(self, node: int, offset: ClockOffset) -> None:
        """Show the times of that node on our clock."""
        self._offsets[node] = offset.ahead

    def add(self, node: int, image: bytes) -> None:
        """Take in an image; raises ValueError or zlib.error for what is none."""
        import numpy as np

        size = 8 * (self._counts[node].size + BUCKETS)
        changed = np.frombuffer(inflated(image, size), "<i8")
        if changed.nbytes != size:
            raise ValueError("an image of another size")
        self._counts[node] += changed[:-BUCKETS].reshape(self._counts[node].shape)
        self._latencies[node] += changed[-BUCKETS:]

    def lose(self, node: int, clock: int) -> None:
        """The node is gone: its workers count until its clock showed that."""
        ended = self._counts[node, :, Count.ENDED]
        ended[(ended == 0) & (self._counts[node, :, Count.STARTED] != 0)] = clock
        self._counts[node, :, Count.STATE] = State.DONE

    def of(self, node: int) -> NodeCounters:
        part = NodeCounters.__new__(NodeCounters)
        part.slots = self._counts.shape[1]
        part._counts = self._counts[node : node + 1]
        part._latencies = self._latencies[node : node + 1]
        part._offsets = self._offsets[node : node + 1]
        return part

    def counts(self) -> list[list[int]]:
        counts = self._counts.copy()
        for word in _TIMES:
            times = counts[:, :, word]
            times[...] = (times - self._offsets) * (times != 0)
        rows: list[list[int]] = counts.reshape(-1, COUNTS).tolist()
        doubles = counts.view(float).reshape(-1, COUNTS)[:, MILLIONTHS:]
        for row, millionths in zip(rows, doubles.tolist(), strict=True):
            row[MILLIONTHS:] = map(int, millionths)
        return rows

    @property
    def window(self) -> tuple[int, int]:
        """When the window of the turn begins and ends: that stays on its node."""
        return 0, 0

    def latencies(self) -> NDArray[np.int64]:
        """The latencies of all nodes, summed; int64, BUCKETS long."""
        summed: NDArray[np.int64] = self._latencies.sum(axis=0)
        return summed

    def latencies_of(self, node: int) -> NDArray[np.int64]:
        own: NDArray[np.int64] = self._latencies[node]
        return own

    def squares(self) -> int:
        return int(self._counts[:, :, Count.TIMED_SQUARES].sum())

    def tallies(self, names: Sequence[str]) -> dict[str, float]:
        """What the workload has counted under these names, summed over all workers."""
        return {
            name: float(self._counts.view(float)[:, :, TALLIES + index].sum()) / TALLIED
            for index, name in enumerate(names)
        }

    def first_start(self, node: int) -> int | None:
        """When the first worker of a node started, in ns of our clock; None before that."""
        started = self._counts[node, :, Count.STARTED]
        began = started[started != 0]
        return int(began.min() - self._offsets[node, 0]) if began.size else None
