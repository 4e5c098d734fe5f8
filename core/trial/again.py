"""Results that are dropped while the clock runs, and compared when it stands still.

Large results cannot be held until the end of a window: each would need fresh memory, where a
program that reads them uses the same again.  So while a window lasts they are weighed and dropped,
and between two windows the same threads perform a part of the same items once more and compare
each result.  The same items, because what was read once is in the page cache, so that nothing is
read ahead for the next window.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.catalog.workload import Job, Step, Weight
from core.trial.counters import SLOT
from core.trial.performer import Complaints, Performer
from core.trial.single_timing import Singles

type Positions = range | list[int]

_FIRST_EACH = 50_000
"""Ns for one that is compared, as long as none was."""


class Again:
    """What one worker has to perform again."""

    def __init__(self, job: Job[Any, Any], steps: tuple[Step, ...], complaints: Complaints) -> None:
        self.sized = type(job).weigh is Job.weigh
        """Whether the length of a result is its weight, which C can take and drop the result."""
        self.measured = (
            steps
            if steps[0].at_once is not None
            else (*steps[:-1], _sizing(steps[-1]) if self.sized else _weighing(job, steps[-1]))
        )
        """The steps of the window: the last gives the weight of the result and drops it."""
        self.done: list[Positions] = []
        """What was performed and not compared yet."""
        self.each = _FIRST_EACH
        """Nanoseconds that it took lately to perform and compare one again, beside the others."""
        self._job = job
        self._weighed = self.measured is not steps
        # Figures of what is performed again are nobody's.
        self._words = memoryview(bytearray(8 * SLOT)).cast("q")
        self._singles = Singles(self._words, steps)
        self._performer = Performer(job, steps, self._words, self._singles, complaints, alone=False)

    def weigh(self, results: Sequence[Any]) -> Weight:
        """The weight of results of a window."""
        if not self._weighed:
            return self._job.weigh(results)
        if self.sized:
            return Weight(len(results), sum(results))
        operations = sum(weight.operations for weight in results)
        return Weight(operations, sum(weight.bytes for weight in results))

    def remember(self, positions: range, items: Sequence[Any], done: Sequence[Any]) -> None:
        """These positions were performed, those `items` that are not `done` in vain."""
        if len(done) == len(items):
            self.done.append(positions)
            return
        fine = iter(done)
        following = next(fine, None)
        told: list[int] = []
        for position, item in zip(positions, items, strict=True):
            if item is following or item == following:
                told.append(position)
                following = next(fine, None)
        if told:
            self.done.append(told)

    def drawn(self, most: int) -> Iterator[Positions]:
        """What was performed, in parts of at most `most`, in an order drawn anew; then forgotten.

        Each part is as likely to be compared as any other, also where time is for some only.
        """
        parts = [
            positions[first : first + most]
            for positions in self.done
            for first in range(0, len(positions), most)
        ]
        self.done.clear()
        random.shuffle(parts)
        return iter(parts)

    def perform(self, items: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any], int]:
        """Perform them; returns those that succeeded, their results, and how many failed."""
        done, results = self._performer.perform(items, comparing=True)
        self._singles.drop()
        return done, results, len(items) - len(done)


def _sizing(step: Step) -> Step:
    """Its performer takes the length where `spread` makes the result."""
    perform = step.perform
    return replace(step, perform=lambda item: len(perform(item)))


def _weighing(job: Job[Any, Any], step: Step) -> Step:
    perform, spread, weigh = step.perform, step.spread, job.weigh

    def performed(item: Any) -> Weight:
        return weigh((perform(item),))

    return replace(step, perform=performed, spread=_spread(weigh, spread))


def _spread(
    weigh: Callable[[Sequence[Any]], Weight], spread: Callable[..., Any] | None
) -> Callable[..., Weight] | None:
    return None if spread is None else lambda *parts: weigh((spread(*parts),))


@dataclass
class Kept:
    """Results held back for verification after the run, and how much room is left for more."""

    room: int
    results: list[tuple[Sequence[Any], Sequence[Any]]] = field(default_factory=list)

    def keep(self, items: Sequence[Any], results: Sequence[Any], size: int) -> bool:
        """Hold these back if there is room."""
        needed = size + 100 * len(results)  # a rough cost of the objects themselves
        if needed > self.room:
            return False
        self.room -= needed
        self.keep_anyway(items, results)
        return True

    def keep_anyway(self, items: Sequence[Any], results: Sequence[Any]) -> None:
        """Hold these back though there is no room: the last ones of a window."""
        self.results.append((items, results))
