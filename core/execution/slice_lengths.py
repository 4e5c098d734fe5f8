"""How long the slices of each setting are, in a run whose settings take turns.

A tenth of a second at first: short enough that what disturbs one turn mostly disturbs the next one,
too.  Slices are longer where operations are slow, and where the first halves of slices show another
throughput than the rest, because caches are cold at the start: what is special to it must be a
small part of a turn.  One block tells little of that, so the slices of earlier blocks are taken
into account.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.language.units import Seconds
from core.result.slices import CARRY_OVER, Slice, carry_over
from core.trial.windows import several_rounds

SLICE = 0.1
"""Seconds of a turn at first."""
LONGEST = 1.0
"""Seconds up to which a slice is lengthened because of carry-over."""
_LARGEST_PART = 0.2
"""Of a trial's time, up to which it is lengthened for that: rounds must be left to be paired, and
where much else runs chance looks like carry-over now and then."""
MOST_SLICES = 2000
"""Of one trial: a trial of a day has slices of 43 s, and its session stays small."""
JUDGED_EVERY = 10
"""Slices between two looks at how long they must be."""
_FEWEST_SLICES = 10
_OPERATIONS = 10
"""In a slice, unless that makes it longer than `LONGEST`."""


def slice_for(operation: Seconds, duration: Seconds, workers: int = 1) -> Seconds:
    """How long a slice is for operations of this length: ten of them, or one if they are slow.

    Operations that run over its end count by the share that lay inside, which is nearly right:
    with ten operations the rest is little.  Five are enough if a trial would have fewer than ten
    slices.
    """
    several = _OPERATIONS * operation
    if duration:
        several = min(several, max(duration / _FEWEST_SLICES, several / 2))
    return max(
        SLICE,
        min(several, max(LONGEST, operation)),
        duration / MOST_SLICES,
        several_rounds(workers),
    )


@dataclass
class SliceLengths:
    """What a run knows of its settings' slices, by the digest of their specs."""

    _lengths: dict[str, Seconds] = field(default_factory=dict)
    _earlier: dict[str, list[Slice]] = field(default_factory=dict)
    """Slices of that length, of trials that are over."""

    def first(
        self, digest: str, operation: Seconds, duration: Seconds, workers: int = 1
    ) -> Seconds:
        """For a trial that begins; `operation` is how long one took in its warm-up."""
        return max(self._lengths.get(digest, 0.0), slice_for(operation, duration, workers))

    def lengthened(
        self, digest: str, length: Seconds, slices: Sequence[Slice], workers: int, duration: Seconds
    ) -> Seconds:
        """What the length must be after these slices of it; never shorter than it was."""
        told = [*self._earlier.get(digest, ()), *slices]
        done = sum(one.items for one in told)
        active = sum(one.active for one in told) / 1e9 * workers
        longer = slice_for(active / done if done else 0.0, duration, workers)
        found = carry_over(told)
        if found is not None and found.proven:
            # What the start does to a slice is less of a longer one, in proportion.
            times = max(2.0, found.least / CARRY_OVER)
            most = min(LONGEST, _LARGEST_PART * duration) if duration else LONGEST
            longer = max(longer, min(most, times * length))
        if longer <= length:
            return length
        self._lengths[digest] = longer
        self._earlier.pop(digest, None)
        return longer

    def over(self, digest: str, slices: Sequence[Slice]) -> None:
        """A trial is over whose last slices, all of one length, were these."""
        earlier = self._earlier.setdefault(digest, [])
        earlier += slices
        del earlier[:-MOST_SLICES]
