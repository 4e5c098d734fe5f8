"""The lengths of windows, run-ins and slices of turns; the work done in each turn.

A window is the time in which workers measure together before they verify.  Threads that have slept
are often woken on one core, where they do not contend for the interpreter's lock, and only after
some 30 ms does the scheduler know them well enough to spread them: two threads on blocks of 64 KiB
were 8 to 12 % faster in windows of 0.1 s than in whole trials, and are 1 to 2 % apart with a run-in
(`bench_turns.py --pairs 3 --quiet`).  Binding each thread to another core for a moment does not
help: they come together again.

Where threads are more than cores, or wait for the interpreter's lock, they run one after the other.
A window must outlast several such rounds, or it measures threads that never ran.

A slice is the turn of one setting.  It has a tenth of a second at first: short enough that a
disturbance of one turn mostly disturbs the next one, too.  Slices are longer if operations are
slow, or if the first halves of slices show another throughput than the second, because caches are
cold at the start: the effects of the start must be a small part of a turn.  One block shows little
of them, so the slices of earlier blocks count too.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.language import Seconds
from core.measure.machine.processor import usable_cores
from core.measure.trial.counters import TALLIED, Count, SharedCounters
from core.vocabulary import CARRY_OVER, UNKNOWN, Load, Slice, carry_over, pack

if TYPE_CHECKING:
    from core.measure.machine.machine_noise import TurnNoise
    from core.measure.trial.live_trial import LiveTrial
    from core.vocabulary import Trial

RUN_IN: Seconds = 0.05
"""Run-in before each window of several workers."""
_LATENCIES = 2
"""Operations of each worker in a run-in: workers that start in step do not wait for each other yet,
as they do later."""
_PART = 4
"""A run-in takes at most one part in this many of a trial's time, or there is none."""
WINDOW: Seconds = 1.0
"""Length for a trial in one piece."""
_OPERATIONS = 20
"""The fewest operations in such a window."""
_SHIFT: Seconds = 0.005
"""How long a thread keeps a core, or the interpreter's lock, while others wait for it."""
_ROUNDS = 3


def several_rounds(workers: int) -> Seconds:
    """The least length of a window in which all of so many workers run several times."""
    return _ROUNDS * _SHIFT * workers if workers > usable_cores() else 0.0


def run_in_for(load: Load, operation: Seconds, workers: int) -> Seconds:
    """The length of the run-in of each window, for operations this long; 0 = none.

    There is none if a trial is over after some operations, or after one pass with a cold page
    cache: run-ins might use them all up.
    """
    some = not load.duration or load.operations or load.page_cache == "cold"
    if workers == 1 or some:
        return 0.0
    length = max(RUN_IN, several_rounds(workers) / _ROUNDS, _LATENCIES * operation)
    return length if length <= max(RUN_IN, load.duration / _PART) else 0.0


def window_for(load: Load, operation: Seconds, workers: int) -> Seconds | None:
    """The length of a window of a trial in one piece; None = that of the trial."""
    length = max(WINDOW, _OPERATIONS * operation, several_rounds(workers))
    return None if load.duration and length > load.duration / 2 else length


SLICE = 0.1
"""Seconds of a turn at first."""
LONGEST = 1.0
"""Seconds up to which a slice is lengthened because of carry-over."""
_LARGEST_PART = 0.2
"""Share of a trial's time up to which carry-over lengthens a slice: enough rounds must remain for
pairs, and on a busy machine chance sometimes looks like carry-over."""
MOST_SLICES = 2000
"""The most slices of one trial: a trial of a day has slices of 43 s, and a small session."""
JUDGED_EVERY = 10
"""Slices between two checks of their length."""
_FEWEST_SLICES = 10
_OPERATIONS_IN_SLICE = 10
"""The fewest operations in a slice, unless it becomes longer than `LONGEST` for them."""


def slice_for(
    operation: Seconds, duration: Seconds, workers: int = 1, *, one_by_one: bool = False
) -> Seconds:
    """How long a slice is for operations of this length: ten of them, or one if they are slow.

    Operations that run over its end count by the share inside, which is nearly right: with ten
    operations the error is small.  Five are enough if a trial would have fewer than ten slices.
    `one_by_one`: each counts whole, so that a slice is over within the first.
    """
    several = operation / 2 if one_by_one else _OPERATIONS_IN_SLICE * operation
    if duration and not one_by_one:
        several = min(several, max(duration / _FEWEST_SLICES, several / 2))
    return max(
        SLICE,
        min(several, max(LONGEST, operation)),
        duration / MOST_SLICES,
        several_rounds(workers),
    )


@dataclass
class SliceLengths:
    """The slices of a run's settings so far, by the digest of their specs."""

    _lengths: dict[str, Seconds] = field(default_factory=dict)
    _earlier: dict[str, list[Slice]] = field(default_factory=dict)
    """Slices of the current length, from trials that are over."""

    def first(
        self,
        digest: str,
        operation: Seconds,
        duration: Seconds,
        workers: int = 1,
        *,
        one_by_one: bool = False,
    ) -> Seconds:
        """The length for a trial that begins; `operation`: the time of one in its warm-up."""
        own = slice_for(operation, duration, workers, one_by_one=one_by_one)
        return max(self._lengths.get(digest, 0.0), own)

    def lengthened(
        self, digest: str, length: Seconds, slices: Sequence[Slice], workers: int, duration: Seconds
    ) -> Seconds:
        """The length after these slices of the current length; it never gets shorter."""
        all_slices = [*self._earlier.get(digest, ()), *slices]
        done = sum(one.items for one in all_slices)
        active = sum(one.active for one in all_slices) / 1e9 * workers
        longer = slice_for(active / done if done else 0.0, duration, workers)
        carried_over = carry_over(all_slices)
        if carried_over is not None and carried_over.proven:
            # The effect of the start shrinks in proportion to the length of a slice.
            times = max(2.0, carried_over.least / CARRY_OVER)
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


@dataclass
class Participant:
    """One setting that takes turns."""

    live: LiveTrial
    resources: ExitStack
    started: float
    length: float
    judged: int = 0
    """The first slice of its current length."""
    from_: int = 0
    """Active ns when its group began."""
    goal: float = 0.0
    """Active ns that it should have at the group's end; 0 = until its operations are done."""
    trial_so_far: Trial | None = None
    """The trial as it was last reported."""

    @property
    def share(self) -> float:
        """The share of its time in this group that is over; 0 if it has no fixed time."""
        if not self.goal:
            return 0.0
        return (self.live.measured_ns - self.from_) / max(self.goal - self.from_, 1)

    @property
    def overlong(self) -> Seconds:
        """The length of its slices where an operation makes them longer than others can get."""
        return self.length if self.length > LONGEST else 0.0

    @property
    def spent(self) -> bool:
        """Whether another slice would exceed its time in this group by half a slice or more."""
        return self.share > 0 and self.share + 0.5 * self.slice_share > 1 - 1e-9

    @property
    def slice_share(self) -> float:
        """The share that one more slice adds."""
        return 1e9 * self.length / max(self.goal - self.from_, 1) if self.goal else 0.0


class TurnLog:
    """The work of a trial in each of its turns, from its block."""

    def __init__(self, block: SharedCounters) -> None:
        self._block = block
        self._columns = array("q")
        """The numbers of all turns in a row: as objects, a day of turns takes some 100 MB."""
        self._before = (0,) * (len(_OF_TURN) + 1)

    def __len__(self) -> int:
        return len(self._columns) // len(Slice.__struct_fields__)

    def ended(self, number: int, began: int, noise: TurnNoise) -> None:
        """A turn of round `number` is over; `began` is in ns since the first turn of all."""
        now = _so_far(self._block)
        did = [after - before for after, before in zip(now, self._before, strict=True)]
        self._before = now
        *did, cpu, queued, done = did
        stolen = round(noise.stolen * did[0])
        others = UNKNOWN if noise.others is None else round(noise.others * did[0])
        self._columns.extend((number, began, *did, stolen, done, others, cpu, queued))

    def slices(self, first: int = 0) -> tuple[Slice, ...]:
        """The turns from index `first` on."""
        width = len(Slice.__struct_fields__)
        return tuple(
            Slice(*self._columns[at : at + width])
            for at in range(first * width, len(self._columns), width)
        )

    @property
    def packed(self) -> bytes:
        return pack(self.slices())


_OF_TURN = (
    Count.WINDOW_TIME,
    Count.WINDOW_OPERATIONS,
    Count.WINDOW_ITEMS,
    Count.WINDOW_BYTES,
    Count.ERRORS,
    Count.WRONG,
    Count.EARLY_TIME,
    Count.EARLY_ITEMS,
    Count.WINDOW_CPU,
    Count.WINDOW_QUEUED,
)
"""The fields of a `Slice` between its start and its stolen time, and its last two."""


def _so_far(block: SharedCounters) -> tuple[int, ...]:
    counts = [slot for slot in block.counts() if slot[Count.STARTED]]
    sums = {count: sum(slot[count] for slot in counts) for count in _OF_TURN}
    for time in (Count.WINDOW_TIME, Count.EARLY_TIME):
        sums[time] //= max(len(counts), 1)
    for count in (Count.WINDOW_OPERATIONS, Count.WINDOW_ITEMS, Count.EARLY_ITEMS):
        # Rounding the sums so far, not the differences: no error adds up.
        sums[count] = round(sums[count] / TALLIED)
    done = sum(slot[Count.OPERATIONS] + slot[Count.ERRORS] for slot in counts)
    return (*sums.values(), done)
