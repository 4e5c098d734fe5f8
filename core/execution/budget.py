"""Measuring until it can be told: which trials of a plan with a budget are worth their time.

Every spec is measured `repeats` times.  After that each block holds only the specs about which a
question is open: a claim that cannot be judged yet, a setting that may still be the best.  Where
the machine disturbed one of its trials, the next one is a repeat of it, and the calmer of the two
counts.  Of a block that does not fit into the time, as many questions are left as do fit, each with
all that it needs: of a study with many cells, some claims.  The run ends when nothing is open, or
when no question fits any more.

Looking after every block makes it likelier that chance looks like an answer.  So a claim, and a
difference of two settings, is closed only by evidence that is stricter than what its judgement asks
for (`STRICTER` in `core.study.judge_claims`, `STOP_BELOW`); the levels for the best of several
settings are strict enough for repeated looks.  `selfcheck statistics` simulates what comes of it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from functools import cache
from itertools import chain

from msgspec import structs

from core.execution.disturbed import slots_to_repeat
from core.host.environment import describe_environment
from core.plan.schedule import Plan, Slot
from core.result.outcome import Cancelled
from core.result.result import Trial

_AMPLE = 3
"""Blocks of all that is planned which must fit into the time left, or else what is open comes first
once all were measured twice.  `selfcheck statistics` gives the same error rates for either."""

type StillOpen = Callable[[Sequence[Trial]], Collection[Set[str]]]
"""From all trials so far, the open questions: of each, the digests of the specs it is about."""
type Clock = Callable[[], float]


class Budget:
    """Knows how much time is left, and what to spend it on."""

    def __init__(
        self,
        plan: Plan,
        still_open: StillOpen | None,
        measured: Sequence[Trial] = (),
        clock: Clock = time.monotonic,
    ) -> None:
        self._machine = describe_environment()
        self._plan = plan
        self._still_open = still_open
        self._trials = [trial for trial in measured if not isinstance(trial.outcome, Cancelled)]
        self._ended = 0
        self._clock = clock
        self._begun = clock()
        self._last = self._begun, 0
        """When the last block ended, and how many trials had ended by then."""
        self._each = 0.0
        """Seconds that a trial takes."""
        self.decided: frozenset[str] = frozenset()
        """Digests of the specs that are not measured any more."""

    def take(self, trial: Trial) -> None:
        """A trial has ended."""
        self._ended += 1
        if not isinstance(trial.outcome, Cancelled):
            self._trials.append(trial)

    def next(self, block: Sequence[Slot]) -> tuple[Slot, ...] | None:
        """The slots of a block that are worth their time; None if nothing is, in any block."""
        self._look_at_the_clock()
        counts = Counter(trial.spec_digest for trial in self._trials)
        specs = {spec.digest for spec in self._plan.specs}
        few = {digest for digest in specs if counts[digest] < self._plan.repeats}
        questions = cache(self._questions)  # asked only where the answer counts, and once
        needed = few or specs.intersection(chain(*questions()))
        if few and not self._fits(_AMPLE * len(few)) and min(counts[one] for one in specs) > 1:
            # Time is short: better spend it on those that are open than on repeats of all.
            needed = specs.intersection(chain(*questions()))
        self.decided = frozenset(specs - needed)
        slots = [slot for slot in block if slot.spec.digest in needed]
        if not self._fits(len(slots)):
            slots = self._of_what_fits(slots, questions())
        if not slots:
            return None
        return tuple(slots if few else self._in_place_of_disturbed(slots))

    def _of_what_fits(self, slots: Sequence[Slot], questions: Collection[Set[str]]) -> list[Slot]:
        """Those of as many questions as there is time for, each with all that it needs."""
        there, chosen = {slot.spec.digest for slot in slots}, set[str]()
        for specs in questions:
            more = chosen | (specs & there)
            if self._fits(len(more)):
                chosen = more
        return [slot for slot in slots if slot.spec.digest in chosen]

    def _in_place_of_disturbed(self, slots: Sequence[Slot]) -> Iterator[Slot]:
        """The same settings; one with a disturbed trial repeats that one, if it is worth it."""
        disturbed: dict[str, Slot] = {}
        for slot in slots_to_repeat(self._plan, self._trials, self._machine):
            disturbed.setdefault(slot.spec.digest, slot)
        for slot in slots:
            first = disturbed.get(slot.spec.digest, slot)
            yield structs.replace(slot, index=first.index)

    def _questions(self) -> Collection[Set[str]]:
        return self._still_open(tuple(self._trials)) if self._still_open else ()

    def _look_at_the_clock(self) -> None:
        """At the end of a block: how long it took, for each of its trials."""
        now = self._clock()
        ended = self._ended - self._last[1]
        if ended:
            self._each = max((now - self._begun) / self._ended, (now - self._last[0]) / ended)
        self._last = now, self._ended

    def _fits(self, trials: int) -> bool:
        """Whether so many trials still end in time; the first block always runs."""
        if not self._ended:
            return True
        return self._last[0] - self._begun + self._each * trials <= self._plan.budget
