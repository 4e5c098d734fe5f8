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

from core.catalog.workload_job import Step
from core.result.histogram import BUCKETS, count_each, count_into
from core.trial.counters import COUNTS, NOTE, Count

SHARE = 0.005
"""Largest share of the time that timing single operations may take."""
_WARMING = 3  # operations before a timed one; with only one the 99th percentile is 10 % too high
_STEADY = 8  # chunks over which the usual pace is averaged
_REHEARSED, _TIMES = 64, 25
# Factor on the cost when nothing else is done: between other operations the code is always cold.
_COLD = 1.5
_NO_LATENCIES = memoryview(bytes(8 * BUCKETS)).cast("q")


type ClockRan = Callable[[int, int], None]
"""Receives when operations began and ended, in ns."""


class Draw(NamedTuple):
    """Items in order, with those set apart that are to be timed."""

    timed: Sequence[tuple[Sequence[Any], Sequence[Any], int]]
    """Each: items to perform; a few more, of which the last is timed; and how many items come
    before these few."""
    rest: Sequence[Any]


class Singles:
    """One worker's timed operations."""

    def __init__(
        self, words: memoryview, steps: Sequence[Step], random: Random | None = None
    ) -> None:
        self.every = 1
        """One in this many operations is timed, on average."""
        self.waiting: list[int] = []
        """Nanoseconds of results not checked yet; they include reading the clock."""
        self._words = words
        self._buckets = words[COUNTS:-NOTE]
        # A harness in C looks at a clock that costs it next to nothing.
        self._looks = len(steps) if steps[0].at_once is None else 0
        self._latencies: list[int] = []
        self._reported_waiting: list[Sequence[int]] = []
        """As `waiting`, from a harness in C: whole arrays of int64, which nobody takes apart."""
        self._reported: list[Sequence[int]] = []
        self._usual = 0.0
        self._costs = costs(spread=steps[0].spread is not None)
        # It has no fixed seed: otherwise each trial would time the same items, and repeats would
        # not show how far off that is.
        self._random = random or Random()
        self._scale = 0.0
        self._several = False

    def reset(self) -> None:
        """Forget the latencies, but keep how often to time."""
        self.drop()
        self._latencies.clear()
        self._reported.clear()
        self._buckets[:] = _NO_LATENCIES

    def wait_for(self, took: Sequence[int]) -> None:
        """Take in the latencies of a batch that was performed at once, in ns."""
        self._reported_waiting.append(took)

    def drop(self) -> None:
        self.waiting.clear()
        self._reported_waiting.clear()

    def draw(self, items: Sequence[Any]) -> Draw:
        """Choose which of these items are timed."""
        timed: list[tuple[Sequence[Any], Sequence[Any], int]] = []
        first, size, scale = 0, len(items), self._scale
        random = self._random.random
        # The gaps are as if a coin were thrown for each item.  What is left of the last gap is
        # dropped: a coin does not remember its earlier throws either.
        while (index := first + int(scale * log(1.0 - random()))) < size:
            # A few before it take the same path, to warm it: the first one after many others
            # takes up to a tenth longer than the next.
            warm = max(index - _WARMING, first)
            timed.append((items[first:warm], items[warm : index + 1], warm))
            first = index + 1
        return Draw(timed, items[first:] if first else items)

    def settle(self, *, single: bool) -> None:
        """Keep the waiting latencies if each result is that of a single operation of the workload.

        After any item with several operations nothing is kept: items that happen to be one, such
        as the last batch of a file, say nothing about the others.
        """
        if not single and not self._several:
            self._several = True
            self.reset()
            self._words[Count.TIMED] = self._words[Count.TIMED_SQUARES] = 0
        if not self._several:
            self._latencies += self.waiting
            self._reported += self._reported_waiting
        self.drop()

    def take_off(self, paused: int) -> None:
        """Shorten the waiting latencies by so many ns altogether, each by the same."""
        share = paused // max(1, len(self.waiting))
        self.waiting[:] = [max(took - share, 0) for took in self.waiting]

    def pace(self, each: int) -> None:
        """Choose how often to time one, now that each operation takes `each` ns."""
        self._usual += (each - self._usual) / (_STEADY if self._usual else 1)
        # One disturbed chunk must not cause the whole next one to be timed.
        least = self._costs.timing / (SHARE * max(min(each, self._usual), 1.0))
        self.use(1 << max(ceil(least) - 1, 0).bit_length())

    def use(self, every: int) -> None:
        """From now on, time one operation in `every`."""
        if every != self.every:
            self.count()
            self.every = every
            self._scale = 1.0 / log1p(-1.0 / every) if every > 1 else 0.0

    def count(self) -> None:
        """Add the latencies to the worker's slot."""
        if self._reported:
            self._count_reported()
        latencies, every, words = self._latencies, self.every, self._words
        if not latencies:
            return
        looking = self._costs.looking * self._looks
        words[Count.TIMED] += len(latencies)
        words[Count.TIMED_SQUARES] += len(latencies) * every * every
        if "numpy" in modules:  # if the import did not pay off earlier, it does not now
            import numpy as np

            taken = np.maximum(np.array(latencies, np.int64) - looking, 0)
            count_into(taken, np.frombuffer(self._buckets, np.int64), every)
        else:
            count_each([max(took - looking, 0) for took in latencies], self._buckets, every)
        latencies.clear()

    def _count_reported(self) -> None:
        import numpy as np

        taken = np.concatenate([np.asarray(one, np.int64) for one in self._reported])
        self._reported.clear()
        self._words[Count.TIMED] += len(taken)
        self._words[Count.TIMED_SQUARES] += len(taken)
        count_into(taken, np.frombuffer(self._buckets, np.int64), 1)


def perform_drawn(  # noqa: PLR0913 -- what is performed, and where its figures go
    step: Step,
    drawn: Draw,
    results: list[Any],
    latencies: list[int],
    ran: ClockRan,
    *,
    sized: bool = False,
) -> None:
    """Perform all items in order, and time those that were drawn.

    `ran` always receives the start and the end, also after an error.  `sized`: `perform` returns
    the length of the result that `spread` returns, and lengths are kept.
    """
    if step.spread is None:
        _call(step.perform, drawn, results, latencies, ran)
    else:
        _spread(step.spread, drawn, results, latencies, ran, sized=sized)


def _call(
    perform: Callable[[Any], Any],
    drawn: Draw,
    results: list[Any],
    latencies: list[int],
    ran: ClockRan,
) -> None:
    got, timed, clock = results.append, latencies.append, perf_counter_ns
    several, rest = drawn
    started = clock()
    try:
        took = 0
        for before, near, _ in several:
            for item in before:  # for functions written in Python this is faster than map
                got(perform(item))
            for item in near:
                begun = clock()
                result = perform(item)
                took = clock() - begun
                got(result)
            timed(took)
        for item in rest:
            got(perform(item))
    finally:
        ran(started, clock())


def _spread(  # noqa: PLR0913 -- see perform_drawn
    perform: Callable[..., Any],
    drawn: Draw,
    results: list[Any],
    latencies: list[int],
    ran: ClockRan,
    *,
    sized: bool,
) -> None:
    """An operation's StopIteration silently ends `starmap`; then nothing more is performed."""
    extend, got, timed, clock = results.extend, results.append, latencies.append, perf_counter_ns
    had = len(results)
    several, rest = drawn
    started = clock()
    try:
        took = 0
        for before, near, index in several:
            extend(map(len, starmap(perform, before)) if sized else starmap(perform, before))
            if len(results) - had < index:
                return
            for item in near:
                begun = clock()
                result = perform(*item)
                took = clock() - begun
                got(len(result) if sized else result)
            timed(took)
        extend(map(len, starmap(perform, rest)) if sized else starmap(perform, rest))
    finally:
        ran(started, clock())


class Costs(NamedTuple):
    """Lowest nanoseconds measured, because disturbances are not part of the cost."""

    looking: int
    """Between two readings of the clock with nothing in between."""
    timing: float
    """What timing adds to an operation."""


@lru_cache(maxsize=2)
def costs(*, spread: bool) -> Costs:
    """What timing costs here; the first call takes a millisecond.

    `spread`: whether operations receive the parts of their items as arguments.
    """
    step = Step("nothing", _nothing, spread=is_ if spread else None)
    timed = min(_rehearsal(step, _REHEARSED) for _ in range(_TIMES))
    untimed = min(_rehearsal(step, 0) for _ in range(_TIMES))
    return Costs(
        looking=min(_two_readings() for _ in range(_REHEARSED)),
        timing=max(1.0, _COLD * (timed - untimed) / _REHEARSED),
    )


def _two_readings() -> int:
    begun = perf_counter_ns()
    return perf_counter_ns() - begun


def _rehearsal(step: Step, timed: int) -> int:
    """Nanoseconds that operations which do nothing take if `timed` of them are timed."""
    near = ((None, None),) * (_WARMING + 1)
    several = [((), near, len(near) * index) for index in range(timed)]
    drawn = Draw(several, near * (_REHEARSED - timed))
    results: list[Any] = []
    latencies: list[int] = []
    took: list[int] = []
    perform_drawn(step, drawn, results, latencies, lambda begun, ended: took.append(ended - begun))
    return took[0]


def _nothing(item: object) -> object:
    return item
