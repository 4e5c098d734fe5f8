"""Times operations one by one, and chooses which of the short ones to time.

Reading the clock twice and storing the result costs 0.3 to 0.7 µs, so short operations cannot all
be timed.  The mean of a batch says nothing about single ones: it lies between them and the rare
stall.  So a random subset of short operations is timed, one in `every`, chosen so that this takes
about half a percent of the time.

Each operation is drawn with the same chance, independently of earlier draws: a reader with its own
period cannot fall in step with the draws, and rare stalls are met as often as they should be.  A
timed operation counts for `every`, so that nothing is skewed when operations change their pace and
a different share of them is timed.
Source: Horvitz & Thompson, "A generalization of sampling without replacement from a finite
universe", J. Am. Stat. Assoc. 47 (1952).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import starmap
from math import ceil, log, log1p
from operator import is_
from random import Random
from sys import modules
from time import perf_counter_ns
from typing import Any, NamedTuple

from core.measure.trial.counters import COUNTS, NOTE, Count
from core.vocabulary import BUCKETS, Step, count_each, count_into

SHARE = 0.005
"""Largest share of the time that timing single operations may take."""
_WARMING = 3  # operations before a timed one; with only one the 99th percentile is 10 % too high
_STEADY = 8  # chunks over which the usual pace is averaged
_NO_LATENCIES = memoryview(bytes(8 * BUCKETS)).cast("q")


type Stretch = tuple[Sequence[Any], Sequence[Any], int]
"""Items of a draw up to one that is timed: `before`, most of them; `near`, the last few, of which
the very last is timed; and `index`, that of the first of these few in the draw.  A plain tuple, as
one is made for each operation that is timed, while the worker is measured."""


class Draw(NamedTuple):
    """Items in order, with those set apart that are to be timed."""

    stretches: Sequence[Stretch]
    tail: Sequence[Any]
    """The items after the last that is timed."""


class Singles:
    """Which operations of one worker are timed singly, and how long these took.

    A latency waits until it is known whether its operation counts.  Then it is kept or dropped, and
    what is kept is counted now and then, in the buckets of the worker's slot.  Latencies come one
    by one from operations in Python, and in whole arrays of int64 from a harness in C, which times
    every operation; nobody takes these arrays apart.

                 one by one   in arrays
        waiting  `waiting`    `_waiting_arrays`
        kept     `_kept`      `_kept_arrays`
    """

    def __init__(
        self, words: memoryview, steps: Sequence[Step], random: Random | None = None
    ) -> None:
        self.every = 1
        """One in this many operations is timed, on average."""
        self.waiting: list[int] = []
        """Latencies in ns, with the cost of reading the clock in them; the timer adds them."""
        self._waiting_arrays: list[Sequence[int]] = []
        self._kept: list[int] = []
        self._kept_arrays: list[Sequence[int]] = []
        self._items_hold_several = False
        """Whether any item so far held several operations of the workload."""
        self._words = words
        self._buckets = words[COUNTS:-NOTE]
        self._costs = costs(spread=steps[0].spread is not None)
        self._clock_readings = len(steps) if steps[0].at_once is None else 0
        """How many readings of the clock are in a latency; a harness in C looks at a clock that
        costs it next to nothing."""
        self._usual_pace = 0.0
        """Nanoseconds of an operation, averaged over chunks; 0 before the first."""
        self._gap_scale = 0.0
        """Scale of the random gaps between timed operations; 0 if every operation is timed."""
        # It has no fixed seed: otherwise each trial would time the same items, and repeats would
        # not show how far off that is.
        self._random = random or Random()

    def reset(self) -> None:
        """Forget the latencies, but keep how often to time."""
        self.drop_waiting()
        self._kept.clear()
        self._kept_arrays.clear()
        self._buckets[:] = _NO_LATENCIES

    # Which operations are timed.

    def adapt_to_pace(self, each: int) -> None:
        """Choose how often to time one, now that each operation takes `each` ns."""
        self._usual_pace += (each - self._usual_pace) / (_STEADY if self._usual_pace else 1)
        # One disturbed chunk must not cause the whole next one to be timed.
        least = self._costs.timing / (SHARE * max(min(each, self._usual_pace), 1.0))
        self.time_one_in(1 << max(ceil(least) - 1, 0).bit_length())

    def time_one_in(self, every: int) -> None:
        """From now on, time one operation in `every`."""
        if every != self.every:
            self.count_kept()  # each of these stands for as many as before
            self.every = every
            self._gap_scale = 1.0 / log1p(-1.0 / every) if every > 1 else 0.0

    def draw(self, items: Sequence[Any]) -> Draw:
        """Choose which of these items are timed."""
        stretches: list[Stretch] = []
        first, size, scale = 0, len(items), self._gap_scale
        random = self._random.random
        # The gaps are as if a coin were thrown for each item.  What is left of the last gap is
        # dropped: a coin does not remember its earlier throws either.
        while (index := first + int(scale * log(1.0 - random()))) < size:
            # A few before it take the same path, to warm it: the first one after many others
            # takes up to a tenth longer than the next.
            warm = max(index - _WARMING, first)
            stretches.append((items[first:warm], items[warm : index + 1], warm))
            first = index + 1
        return Draw(stretches, items[first:] if first else items)

    # Latencies that wait.

    def add_waiting(self, took: Sequence[int]) -> None:
        """Let the latencies in ns of a batch wait; a harness in C has performed it at once."""
        self._waiting_arrays.append(took)

    def shorten_waiting(self, paused: int) -> None:
        """Shorten the latencies by so many ns altogether, each by the same."""
        share = paused // max(1, len(self.waiting))
        self.waiting[:] = [max(took - share, 0) for took in self.waiting]

    def settle_waiting(self, *, single: bool) -> None:
        """Keep the latencies if each result is `single`, that of one operation; drop them if not.

        After any item with several operations nothing is kept: items that happen to be one, such
        as the last batch of a file, say nothing about the others.
        """
        if not single and not self._items_hold_several:
            self._items_hold_several = True
            self.reset()
            self._words[Count.TIMED] = self._words[Count.TIMED_SQUARES] = 0
        if not self._items_hold_several:
            self._kept += self.waiting
            self._kept_arrays += self._waiting_arrays
        self.drop_waiting()

    def drop_waiting(self) -> None:
        self.waiting.clear()
        self._waiting_arrays.clear()

    # Kept latencies are counted.

    def count_kept(self) -> None:
        """Add the latencies that are kept to the worker's slot."""
        if self._kept_arrays:
            self._count_kept_arrays()
        raw_latencies, every, words = self._kept, self.every, self._words
        if not raw_latencies:
            return
        reading = self._costs.reading * self._clock_readings
        words[Count.TIMED] += len(raw_latencies)
        words[Count.TIMED_SQUARES] += len(raw_latencies) * every * every
        if "numpy" in modules:  # if the import did not pay off earlier, it does not now
            import numpy as np

            latencies = np.maximum(np.array(raw_latencies, np.int64) - reading, 0)
            count_into(latencies, np.frombuffer(self._buckets, np.int64), every)
        else:
            count_each([max(took - reading, 0) for took in raw_latencies], self._buckets, every)
        raw_latencies.clear()

    def _count_kept_arrays(self) -> None:
        import numpy as np

        latencies = np.concatenate([np.asarray(one, np.int64) for one in self._kept_arrays])
        self._kept_arrays.clear()
        self._words[Count.TIMED] += len(latencies)
        self._words[Count.TIMED_SQUARES] += len(latencies)
        count_into(latencies, np.frombuffer(self._buckets, np.int64), 1)


type Clock = tuple[Callable[[], int], Callable[[int, int], None]]
"""Says when operations begin, in ns, and receives when they began and ended."""


def perform_drawn(  # noqa: PLR0913 -- what is performed, and where its figures go
    step: Step,
    drawn: Draw,
    results: list[Any],
    latencies: list[int],
    worker_clock: Clock,
    *,
    length: Callable[[Any], int] | None = None,
) -> None:
    """Perform all items in order, and time those that were drawn.

    `worker_clock` always receives the start and the end, also after an error.  `length`: what is
    kept of each result.
    """
    if step.spread is not None:
        _perform_spread(step.spread, drawn, results, latencies, worker_clock, length)
    elif length is None:
        _perform_whole(step.perform, drawn, results, latencies, worker_clock)
    else:
        _perform_sized(step.perform, drawn, results, latencies, worker_clock, length)


def _perform_whole(
    perform: Callable[[Any], Any],
    drawn: Draw,
    results: list[Any],
    latencies: list[int],
    worker_clock: Clock,
) -> None:
    got, timed, clock = results.append, latencies.append, perf_counter_ns
    stretches, tail = drawn
    begin, ran = worker_clock
    started = begin()
    try:
        took = 0
        for before, near, _ in stretches:
            for item in before:  # for functions written in Python this is faster than map
                got(perform(item))
            for item in near:
                begun = clock()
                result = perform(item)
                took = clock() - begun
                got(result)
            timed(took)
        for item in tail:
            got(perform(item))
    finally:
        ran(started, clock())


def _perform_sized(  # noqa: PLR0913 -- see perform_drawn
    perform: Callable[[Any], Any],
    drawn: Draw,
    results: list[Any],
    latencies: list[int],
    worker_clock: Clock,
    length: Callable[[Any], int],
) -> None:
    """As `_perform_whole`, which one more look for each operation would slow down."""
    got, timed, clock = results.append, latencies.append, perf_counter_ns
    stretches, tail = drawn
    begin, ran = worker_clock
    started = begin()
    try:
        took = 0
        for before, near, _ in stretches:
            for item in before:
                got(length(perform(item)))
            for item in near:
                begun = clock()
                result: Any = perform(item)
                took = clock() - begun
                got(length(result))
            result = None  # before the next is there: its memory is used again
            timed(took)
        for item in tail:
            got(length(perform(item)))
    finally:
        ran(started, clock())


def _perform_spread(  # noqa: PLR0913 -- see perform_drawn
    perform: Callable[..., Any],
    drawn: Draw,
    results: list[Any],
    latencies: list[int],
    worker_clock: Clock,
    length: Callable[[Any], int] | None,
) -> None:
    """An operation's StopIteration silently ends `starmap`; then nothing more is performed."""
    extend, got, timed, clock = results.extend, results.append, latencies.append, perf_counter_ns
    had = len(results)
    stretches, tail = drawn
    begin, ran = worker_clock
    started = begin()
    try:
        took = 0
        for before, near, index in stretches:
            extend(map(length, starmap(perform, before)) if length else starmap(perform, before))
            if len(results) - had < index:
                return
            for item in near:
                begun = clock()
                result = perform(*item)
                took = clock() - begun
                got(length(result) if length else result)
            timed(took)
        extend(map(length, starmap(perform, tail)) if length else starmap(perform, tail))
    finally:
        ran(started, clock())


_REHEARSED = 64
"""Operations that do nothing, in each rehearsal."""
_REHEARSALS = 25
_COLD = 1.5
"""Factor on the measured cost of timing: between other operations its code is always cold."""


class Costs(NamedTuple):
    """Lowest nanoseconds measured, because disturbances are not part of the cost."""

    reading: int
    """Between two readings of the clock with nothing in between."""
    timing: float
    """What timing adds to an operation."""


@lru_cache(maxsize=2)
def costs(*, spread: bool) -> Costs:
    """What timing costs here; the first call takes a millisecond.

    `spread`: whether operations receive the parts of their items as arguments.
    """
    step = Step("nothing", lambda item: item, spread=is_ if spread else None)
    timed = min(_rehearsal(step, _REHEARSED) for _ in range(_REHEARSALS))
    untimed = min(_rehearsal(step, 0) for _ in range(_REHEARSALS))
    return Costs(
        reading=min(_two_readings() for _ in range(_REHEARSED)),
        timing=max(1.0, _COLD * (timed - untimed) / _REHEARSED),
    )


def _two_readings() -> int:
    begun = perf_counter_ns()
    return perf_counter_ns() - begun


def _rehearsal(step: Step, timed: int) -> int:
    """Nanoseconds of operations that do nothing, of which `timed`, all or none, are timed."""
    near = ((None, None),) * (_WARMING + 1)
    stretches = [((), near, len(near) * index) for index in range(timed)]
    drawn = Draw(stretches, near * (_REHEARSED - timed))
    results: list[Any] = []
    latencies: list[int] = []
    took: list[int] = []
    clock = (perf_counter_ns, lambda begun, ended: took.append(ended - begun))
    perform_drawn(step, drawn, results, latencies, clock)
    return took[0]
