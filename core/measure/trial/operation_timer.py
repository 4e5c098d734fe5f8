"""Performing items: within a chunk the worker's clock runs only here.

An error that the reader under test raises is counted and kept as a complaint; the rest goes on.
After errors in a row there is a pause, which grows with them: a server that refuses at once would
otherwise be asked as fast as it can refuse, with no core left to recover on.

Large results cannot be held until the end of a window: each would need fresh memory, where a
program that reads them uses the same again.  So while a window lasts they are weighed and dropped,
and between two windows the same threads perform a part of the same items once more (`Again`) and
compare each result.  The same items, because what was read once is in the page cache, so that
nothing is read ahead for the next window.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import sub
from time import perf_counter_ns, sleep
from typing import Any

from core.language import InvalidParameter, Seconds, SluiceError, beginning, remembered, said
from core.measure.machine.shortages import shortage
from core.measure.trial.counters import Count, SharedCounters
from core.measure.trial.sampled_timing import Singles, perform_drawn
from core.measure.trial.turn_gate import TurnTaker
from core.vocabulary import AtOnce, Complaint, Fault, Job, Step, Weight

_KINDS_OF_COMPLAINT = 20
_LONGEST_COMPLAINT = 800
_NUMBERS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+")


@dataclass
class Complaints:
    """The errors of operations by kind, with counts and the first case of each."""

    by_kind: dict[tuple[bool, str], Complaint] = field(default_factory=dict)

    def add(
        self, *, wrong_data: bool, text: str, item: str, count: int = 1, kind: str = ""
    ) -> None:
        """Count `count` more; cases that differ only in numbers or UUIDs are one kind."""
        key = (wrong_data, kind or _NUMBERS.sub("#", text)[:120])
        if key not in self.by_kind and len(self.by_kind) >= _KINDS_OF_COMPLAINT:
            key = (wrong_data, "")
            text = "other"
        before = self.by_kind.get(key)
        self.by_kind[key] = Complaint(
            wrong_data=wrong_data,
            text=before.text if before else beginning(text, _LONGEST_COMPLAINT, remembered()),
            count=count + (before.count if before else 0),
            first_item=before.first_item if before else beginning(item, 200, remembered()),
        )

    def add_fault(self, fault: Fault, item: str = "") -> None:
        """Count a fault; `item`: the item at fault, if the fault does not name it."""
        self.add(wrong_data=fault.wrong_data, text=fault.text, item=fault.item or item)

    def merge(self, other: Complaints) -> None:
        """Count another worker's complaints too, even while it goes on."""
        for (wrong, kind), one in other.by_kind.copy().items():
            self.add(
                wrong_data=wrong, text=one.text, item=one.first_item, count=one.count, kind=kind
            )


_LONGEST_ERROR = 500
_ERRORS_WITHOUT_PAUSE = 2
"""Errors in a row; fewer are no reason to wait."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.25
"""Seconds; each error in a row doubles it.  A turn may end so much later."""


def pause_after(errors: int) -> Seconds:
    """How long a worker waits after so many errors in a row; 0 after few."""
    doublings = min(errors - _ERRORS_WITHOUT_PAUSE - 1, 16)
    return min(_FIRST_PAUSE * 2**doublings, _LONGEST_PAUSE) if doublings >= 0 else 0.0


class OperationTimer:
    """Performs the items of one worker; times each one separately, or only a random subset."""

    def __init__(  # noqa: PLR0913 -- a job, where its figures go, and whose clock it is
        self,
        job: Job[Any, Any],
        steps: tuple[Step, ...],
        words: memoryview,
        singles: Singles,
        complaints: Complaints,
        *,
        alone: bool,
        length: Callable[[Any], int] | None = None,
    ) -> None:
        """`alone`: its clock stands still outside operations, as no other worker measures then.

        `length`: what is kept of each result of the only step.
        """
        self.took = 0
        """Nanoseconds spent performing items."""
        self.stopped = 0
        """When the worker's clock last stopped, in ns."""
        self.batched = False
        """Whether only a random subset is timed."""
        self.turn_taker: TurnTaker | None = None
        """Has the clock of the trial's only worker, once it takes turns."""
        self._errors_in_row = 0
        self._job = job
        self._steps = steps
        self._words = words
        self._singles = singles
        self._complaints = complaints
        self._alone = alone
        self._length = length
        self._attempt = self._attempt_each if len(steps) == 1 else self._attempt_steps

    def batch(self) -> None:
        """Time only a random subset from now on; of several steps, or in C, all are timed."""
        if len(self._steps) == 1 and self._steps[0].at_once is None:
            self.batched = True
            self._attempt = self._attempt_batch

    def perform(
        self, items: Sequence[Any], *, comparing: bool = False
    ) -> tuple[Sequence[Any], Sequence[Any]]:
        """Perform the items in order; returns those that succeeded and their results.

        `comparing`: between the windows, when nothing is measured.
        """
        at_once = self._steps[0].at_once
        if at_once is not None:
            return self._perform_at_once(at_once, items, comparing=comparing)
        results: list[Any] = []
        failed: list[int] = []
        waiting = items
        while True:
            try:
                self._attempt(waiting, results)
                if len(results) + len(failed) < len(items):
                    raise StopIteration  # an operation raised it, and `starmap` took it for its end
            except InvalidParameter:  # each other operation would say the same
                raise
            except Exception as error:  # noqa: BLE001 -- a reader may raise anything: a result
                index = len(results) + len(failed)
                failed.append(index)
                waiting = items[index + 1 :]
                self._complain(items[index], error)
            else:
                break
        self._errors_in_row = _last_in_row(failed, len(items), self._errors_in_row)
        if self._errors_in_row > _ERRORS_WITHOUT_PAUSE:
            self._wait(pause_after(self._errors_in_row))
        return _without(items, failed), results

    def _wait(self, seconds: Seconds) -> None:
        """Wait within the window: a failing store is slow, and its clock does not pause."""
        sleep(seconds)
        now = perf_counter_ns()
        self.took += now - self.stopped
        self.stopped = now

    def _perform_at_once(
        self,
        at_once: Callable[[Sequence[Any], bool], AtOnce],
        items: Sequence[Any],
        *,
        comparing: bool,
    ) -> tuple[Sequence[Any], Sequence[Any]]:
        """Perform them in one call, which times itself: the rest of the call is a pause."""
        self._clock_starts()
        done = at_once(items, comparing)
        ended = perf_counter_ns()
        self._clock_ran(ended - done.time, ended)
        self._singles.add_waiting(done.took)
        for index, error in done.failures:
            self._complain(items[index], error)
        return _without(items, [index for index, _ in done.failures]), done.results

    def _complain(self, item: Any, error: Exception) -> None:
        self._words[Count.ERRORS] += 1  # now: the next operation may hang
        described = self._job.describe(item)
        self._complaints.add(wrong_data=False, text=self._text_of(error), item=described)

    def _text_of(self, error: Exception) -> str:
        """The reader's own text, and a remedy; an error of ours needs no name.

        The look at the descriptors comes first: another thread may close some at any moment.
        """
        lacking = shortage(error)
        name = "" if isinstance(error, SluiceError) else type(error).__name__
        whole = f"{name}: {said(error)}".strip(": ")
        text = beginning(whole, _LONGEST_ERROR, remembered())
        remedy = lacking or self._job.remedy(error)
        return f"{text} ({remedy})" if remedy else text

    def _attempt_batch(self, items: Sequence[Any], results: list[Any]) -> None:
        singles = self._singles
        drawn = singles.draw(items)
        clock = (self._clock_starts, self._clock_ran)
        perform_drawn(self._steps[0], drawn, results, singles.waiting, clock, length=self._length)

    def _pause(self, nanoseconds: int) -> None:
        if self._alone:
            self._words[Count.PAUSED] += nanoseconds

    def _clock_starts(self) -> int:
        """When operations begin, in ns: what is between this and the first of them is timed."""
        if self.turn_taker is not None:
            if self._steps[0].apart:  # after which it runs
                self.turn_taker.cpu_counts()
            else:
                self.turn_taker.clock_runs()
        return perf_counter_ns()

    def _clock_ran(self, begun: int, ended: int) -> None:
        if self.turn_taker is not None:
            self.turn_taker.clock_stands()
        self._pause(begun - self.stopped)
        self.took += ended - begun
        self.stopped = ended

    def _attempt_each(self, items: Sequence[Any], results: list[Any]) -> None:
        got, clock, perform = results.append, perf_counter_ns, self._steps[0].perform
        if self._length is not None:
            perform = _sizing(self._steps[0], self._length).perform
        ends = [self._clock_starts()]
        ended = ends.append
        try:
            for item in items:
                got(perform(item))
                ended(clock())
        finally:
            self._clock_ran(ends[0], clock())
            self._singles.waiting.extend(map(sub, ends[1:], ends))

    def _attempt_steps(self, items: Sequence[Any], results: list[Any]) -> None:
        performs, clock = [step.perform for step in self._steps], perf_counter_ns
        steps, had, first = len(performs), len(results), int(self._steps[0].apart)
        ends = [self._clock_starts()]
        ended = ends.append
        try:
            for item in items:
                value = item
                for perform in performs:
                    value = perform(value)
                    ended(clock())
                results.append(value)
        finally:
            self._clock_ran(ends[0], clock())
            del ends[1 + (len(results) - had) * steps :]  # times of an operation that failed
            for index in range(steps):
                phase = sum(map(sub, ends[index + 1 :: steps], ends[index::steps]))
                self._words[Count.PHASES + index] += phase
                if index < first:
                    self._pause(phase)
                    self.took -= phase
            self._singles.waiting.extend(map(sub, ends[steps::steps], ends[first::steps]))


def _last_in_row(failed: Sequence[int], size: int, before: int) -> int:
    """How many of `size` items failed in a row at the end; `before`: of earlier items."""
    in_row = 0
    for index in reversed(failed):
        if index != size - 1 - in_row:
            break
        in_row += 1
    return in_row + (before if in_row == size else 0)


def _without(items: Sequence[Any], places: Sequence[int]) -> Sequence[Any]:
    """The items without those at these places."""
    if not places:
        return items
    lost = set(places)
    return [item for index, item in enumerate(items) if index not in lost]


type Positions = range | list[int]

_FIRST_EACH = 50_000
"""Ns per compared item, until one was compared."""


class Again:
    """The items that one worker has to perform again."""

    def __init__(self, job: Job[Any, Any], steps: tuple[Step, ...], complaints: Complaints) -> None:
        length = len if job.length is None and type(job).weigh is Job.weigh else job.length
        self._sized = length is not None
        """Whether the length of a result is its weight, which C can take and drop the result."""
        self.length = length if len(steps) == 1 else None
        """What the timer of the window keeps of each result of the only step."""
        self.measured = steps
        """The steps of the window: the last gives the weight of the result and drops it, unless the
        timer does."""
        if steps[0].at_once is None and self.length is None:
            last = _sizing(steps[-1], length) if length else _weighing(job, steps[-1])
            self.measured = (*steps[:-1], last)
        self.done: list[Positions] = []
        """Items that were performed and not compared yet."""
        self.each = _FIRST_EACH
        """Nanoseconds that it took lately to repeat and compare one item, beside the other
        workers."""
        self._job = job
        self._weighed = steps[0].at_once is None
        # Figures of repeated items belong to nobody.
        self._words = SharedCounters.unshared(1).slot(0)
        self._singles = Singles(self._words, steps)
        self._timer = OperationTimer(
            job, steps, self._words, self._singles, complaints, alone=False
        )

    def weigh(self, results: Sequence[Any]) -> Weight:
        if not self._weighed:
            return self._job.weigh(results)
        if self._sized:
            return self._job.weigh_lengths(results)
        operations = sum(weight.operations for weight in results)
        return Weight(operations, sum(weight.bytes for weight in results))

    def remember(self, positions: range, items: Sequence[Any], done: Sequence[Any]) -> None:
        """Remember these positions as performed, except for failed `items`, not in `done`."""
        if len(done) == len(items):
            self.done.append(positions)
            return
        fine = iter(done)
        following = next(fine, None)
        succeeded: list[int] = []
        for position, item in zip(positions, items, strict=True):
            if item is following or item == following:
                succeeded.append(position)
                following = next(fine, None)
        if succeeded:
            self.done.append(succeeded)

    def drawn(self, most: int) -> Iterator[Positions]:
        """The performed items in parts of at most `most`, in a newly drawn order; then forgotten.

        Each part is equally likely to be compared, even if there is time for only a few.
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
        done, results = self._timer.perform(items, comparing=True)
        self._singles.drop_waiting()
        return done, results, len(items) - len(done)


def _sizing(step: Step, length: Callable[[Any], int]) -> Step:
    perform = step.perform
    return replace(step, perform=lambda item: length(perform(item)))


def _weighing(job: Job[Any, Any], step: Step) -> Step:
    perform, spread, weigh = step.perform, step.spread, job.weigh
    return replace(
        step,
        perform=lambda item: weigh((perform(item),)),
        spread=None if spread is None else lambda *parts: weigh((spread(*parts),)),
    )


@dataclass
class HeldBack:
    """Results held back for verification after the run, and how much room is left for more."""

    room: int
    results: list[tuple[Sequence[Any], Sequence[Any]]] = field(default_factory=list)

    def keep(self, items: Sequence[Any], results: Sequence[Any], size: int) -> bool:
        """Hold these back if there is room."""
        cost = size + 100 * len(results)  # a rough cost of the objects themselves
        if cost > self.room:
            return False
        self.room -= cost
        self.keep_anyway(items, results)
        return True

    def keep_anyway(self, items: Sequence[Any], results: Sequence[Any]) -> None:
        """Hold these back although there is no room: the last results of a window."""
        self.results.append((items, results))
