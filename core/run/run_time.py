"""How long a run still takes: one estimator for every promised or shown time.

It begins with the expected time of each trial (`core.measure.expected_time`) and corrects itself by
the run's events: the time between two events goes into getting ready, measuring or ending, and for
each of these parts the remaining amount is known.
"""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from core.measure import Experience, are_together, experience, remember
from core.vocabulary import (
    Completed,
    Decided,
    Explained,
    MomentTaken,
    Parts,
    PhaseChanged,
    RoundBegun,
    RunEnded,
    RunPlanned,
    TrialEnded,
    TrialStarted,
    lasting,
    parts_of,
    timing_of,
)

if TYPE_CHECKING:
    from core.language import Seconds
    from core.vocabulary import Event, Moment, Plan, RunSpec, Trial

type _TrialPart = Literal["ready", "measured", "ending"]
_AFTER_THE_CLOCK = frozenset({"ending", "verifying", "closing"})
_RECENT = 8
"""At least so many of the last trials predict the next ones: the machine's load comes and goes."""
_TRUSTED = 0.05
"""Share of a trial after which its measured pace counts as much as the expected one."""
GRACE = 0.1
"""Share of a budget by which running trials may exceed it before they are ended."""
ENOUGH_TO_COMPARE = 2
"""Settings that are measured to the end even if a budget is spent."""
_LATE = 1.1
"""After this many times its duration a trial is in an operation that outlasts it."""


class _TrialPace:
    """How many times as long as expected one part of the last trials took."""

    def __init__(self, *, late: bool) -> None:
        """`late`: the trials that have ended come all at once."""
        self._trials: deque[tuple[Seconds, Seconds]] = deque(maxlen=None if late else _RECENT)
        self._first = not late

    def over(self, few: int) -> None:
        """Remember at least the trials of one block."""
        if self._trials.maxlen is not None and few > self._trials.maxlen:
            self._trials = deque(self._trials, maxlen=few)

    def take(self, expected: Seconds, took: Seconds) -> None:
        """Add a trial; the very first start, without anything cached, counts until the next."""
        if self._first and self._trials:
            self._first = False
            self._trials.popleft()
        self._trials.append((expected, took))

    def times(self, expected: Seconds = 0.0, took: Seconds = 0.0) -> float:
        """The factor, with a trial that goes on, once it takes longer than the trials before it."""
        promised = sum(one for one, _ in self._trials)
        spent = sum(one for _, one in self._trials)
        times = spent / promised if promised > 0 else 1.0
        over = took - times * expected
        return (spent + took + over) / (promised + expected) if over > 0 < expected else times


def _more(expected: Seconds, took: Seconds) -> Seconds:
    """The time left of a part; a part that is late takes as long again as it is late."""
    return abs(expected - took)


@dataclass
class _OpenTrial:
    """A trial that runs."""

    spec: RunSpec
    part: _TrialPart = "ready"
    spent: dict[_TrialPart, Seconds] = field(
        default_factory=lambda: {"ready": 0.0, "measured": 0.0, "ending": 0.0}
    )
    moment: Moment | None = None


class RunTime:
    """Takes a run's events and knows how much time is gone and left."""

    def __init__(self, since: Seconds = 0.0, clock: Callable[[], Seconds] = time.monotonic) -> None:
        """`since`: how long ago the run began, if this comes later."""
        self._clock = clock
        self._started = self._last = clock() - since
        self._plan: Plan | None = None
        self._experience = Experience({})
        self._together = False
        self._expected: dict[str, Parts] = {}
        self._todo: Counter[str] = Counter()
        """Trials that have not started, by the digests of their specs."""
        self._decided: frozenset[str] = frozenset()
        """Digests of the specs that need no more trials, as far as is known."""
        self._coming = 0
        """Trials to come of a search, whose specs are not known."""
        self._open: dict[int, _OpenTrial] = {}
        self._current = -1
        """The trial on which time is spent."""
        self._paces: dict[_TrialPart, _TrialPace] = {
            part: _TrialPace(late=since > 0) for part in ("ready", "measured", "ending")
        }
        self._measured: dict[str, deque[Seconds]] = {}
        """Seconds that the last trials of each spec were measured."""
        self._operations: dict[str, Seconds] = {}
        self._specs: dict[str, RunSpec] = {}
        self._ended = 0
        self._block = -1

    # What is known.

    @property
    def elapsed(self) -> Seconds:
        """Since the run began."""
        return self._clock() - self._started

    @property
    def left(self) -> Seconds:
        """Until the end; at most, where questions may be answered sooner."""
        if self._plan is None or not self._plan.budget:
            return self.left_of_block
        budget, running = self._plan.budget, self._of_open()
        missing = min(ENOUGH_TO_COMPARE, len(self._plan.specs)) - self._ended - len(self._open)
        if missing > 0:
            running += missing * self.each
        elif (until_ended := (1 + GRACE) * budget - self.elapsed) > 0:
            running = min(running, until_ended)
        return max(budget - self.elapsed, running)

    @property
    def left_of_block(self) -> Seconds:
        """Until the end of the whole run, or with a budget of the block that runs."""
        return self._of_open() + self._of_waiting() if self._plan is not None else 0.0

    @property
    def each(self) -> Seconds:
        """Seconds that a trial of the run takes, on average."""
        if self._ended:
            return self.elapsed / self._ended
        specs = list(self._specs.values())
        return self.of(specs) / len(specs) if specs else 0.0

    def of(self, specs: Iterable[RunSpec]) -> Seconds:
        """The time of one more trial of each of these specs."""
        ready, ending = self._paces["ready"].times(), self._paces["ending"].times()
        seconds = 0.0
        for spec in specs:
            expected = self._parts(spec)
            seconds += ready * expected.ready + self._measuring(spec) + ending * expected.ending
        return seconds

    def _parts(self, spec: RunSpec) -> Parts:
        if (parts := self._expected.get(spec.digest)) is None:
            self._specs[spec.digest] = spec
            timing = self._experience.timing(spec, together=self._together)
            parts = self._expected[spec.digest] = parts_of(spec, timing)
            self._operations.setdefault(spec.digest, timing.operation)
        return parts

    def _measuring(self, spec: RunSpec) -> Seconds:
        """Wall-clock time for which a trial of a spec is measured."""
        if durations := self._measured.get(spec.digest):
            return sum(durations) / len(durations)
        return self._paces["measured"].times() * self._parts(spec).measured

    # What is left.

    def _of_waiting(self) -> Seconds:
        """The time of all trials that have not started yet."""
        assert self._plan is not None
        if self._plan.adaptive:
            return self._coming * self._mean()
        first = self._plan.repeats - 1 if self._plan.budget else 0
        ready = self._now_ready()
        seconds = 0.0
        for spec in self._plan.specs:
            count = max(self._todo[spec.digest] - first, 0)
            if count and spec.digest not in self._decided:
                one = self._parts(spec)
                whole = ready * one.ready + self._measuring(spec)
                seconds += count * (whole + self._paces["ending"].times() * one.ending)
        return seconds

    def _mean(self) -> Seconds:
        """The mean time of a search's trials: those to come are like those it has tried."""
        specs = [self._specs[digest] for digest in self._measured] or [*self._specs.values()]
        return self.of(specs) / len(specs) if specs else 0.0

    def _now_ready(self) -> float:
        """How many times as long as expected a start takes, with the one that goes on."""
        now = self._open.get(self._current)
        if now is None or now.part != "ready":
            return self._paces["ready"].times()
        return self._paces["ready"].times(self._parts(now.spec).ready, self._spent(now, "ready"))

    def _spent(self, of: _OpenTrial, part: _TrialPart) -> Seconds:
        """Time spent on a part of a trial, with the time since the last event."""
        current = self._open.get(self._current) is of and of.part == part
        return of.spent[part] + (self._clock() - self._last if current else 0.0)

    def _of_open(self) -> Seconds:
        ready, ending = self._paces["ready"].times(), self._paces["ending"].times()
        seconds = 0.0
        for one in self._open.values():
            expected = self._parts(one.spec)
            if one.part == "ready" and self._open.get(self._current) is one:
                seconds += _more(ready * expected.ready, self._spent(one, "ready"))
            if one.part != "ending":
                seconds += self._of_measuring(one)
                seconds += ending * expected.ending
            else:
                seconds += _more(ending * expected.ending, self._spent(one, "ending"))
        return seconds

    def _of_measuring(self, one: _OpenTrial) -> Seconds:
        """The time for which an open trial is still measured."""
        expected, spent, done = self._measuring(one.spec), one.spent["measured"], self._share(one)
        if done <= 0:
            return _more(expected, spent) if spent > expected else expected - spent
        if done < 1:
            whole = (_TRUSTED * expected + spent) / (_TRUSTED + done)
            return (1 - done) * whole
        late = one.moment is not None and one.moment.at > _LATE * (
            one.spec.load.duration or math.inf
        )
        return _more(expected, spent) if late else 0.0

    def _share(self, one: _OpenTrial) -> float:
        """The share of a trial that was measured; 0 if unknown."""
        load, moment = one.spec.load, one.moment
        if moment is None:
            return 0.0
        if load.duration:
            # Until an operation of the spec is known, as long as the last of the workload.
            digest, workload = one.spec.digest, one.spec.workload
            operation = self._operations.get(digest) or self._operations.get(workload, 0.0)
            return min(moment.at / lasting(load.duration, operation), 1.0)
        if load.operations:
            return min((moment.done + moment.errors) / load.operations, 1.0)
        return 0.0

    # What happens.

    def take(self, event: Event) -> None:  # noqa: C901 -- one case for each event
        match event:
            case RunPlanned(plan=plan, trials=trials):
                self._begin(plan, trials)
            case Explained(expected=expected, trials=done):
                self._credit(self._current)
                self._coming = max(expected - done - len(self._open), 0)
            case Decided(specs=specs):
                self._decided = frozenset(specs)
            case TrialStarted(index=index, spec=spec):
                self._credit(self._current)
                self._start(index, spec)
            case PhaseChanged(awaited=True):
                self._last = self._clock()
            case PhaseChanged(index=index, phase=phase) if index in self._open:
                self._credit(self._current)
                self._enter(index, phase)
            case RoundBegun():
                self._credit(self._current)
                for one in self._open.values():
                    self._ready(one)
            case MomentTaken(index=index, moment=moment) if index in self._open:
                self._enter(index, "measuring")
                self._credit(index)
                self._open[index].moment = moment
            case TrialEnded(trial=trial):
                self._end(trial)
            case RunEnded():
                self._open.clear()
                self._todo.clear()
                self._coming = 0

    def keep(self) -> None:
        """Remember the measured times for later runs."""
        ready, ending = self._paces["ready"].times(), self._paces["ending"].times()
        timings = []
        for digest in self._measured:
            spec, expected = self._specs[digest], self._parts(self._specs[digest])
            took = Parts(ready * expected.ready, self._measuring(spec), ending * expected.ending)
            timings.append((spec, timing_of(spec, took, self._operations[digest])))
        if timings:
            remember(timings, together=self._together)

    def _begin(self, plan: Plan, trials: int) -> None:
        self._plan, self._experience = plan, experience()
        self._together = are_together(plan.specs, plan.turns)
        self._specs = {spec.digest: spec for spec in plan.specs}
        for spec in plan.specs:
            self._parts(spec)
        for pace in self._paces.values():
            pace.over(len(plan.specs))
        if plan.adaptive:
            self._coming = trials
            return
        planned = max(plan.least_trials, 1)
        # The remaining trials of a resumed run are taken to be spread over all specs.
        each = plan.repeats if plan.open_ended else plan.repeats * trials / planned
        self._todo = Counter({spec.digest: each for spec in plan.specs})

    def _credit(self, index: int) -> None:
        """The time since the last event was spent on that trial."""
        now = self._clock()
        if (one := self._open.get(index)) is not None:
            one.spent[one.part] += now - self._last
            self._last = now

    def _start(self, index: int, spec: RunSpec) -> None:
        before = self._open.get(self._current)
        if before is not None:
            self._ready(before)
        self._open[index] = _OpenTrial(spec)
        self._current = index
        self._todo[spec.digest] -= 1
        self._coming = max(self._coming - 1, 0)
        self._parts(spec)

    def _ready(self, one: _OpenTrial) -> None:
        if one.part == "ready":
            self._paces["ready"].take(self._parts(one.spec).ready, one.spent["ready"])
            one.part = "measured"

    def _enter(self, index: int, phase: str) -> None:
        one = self._open[index]
        if phase == "measuring":
            self._ready(one)
            self._current = index
        elif phase in _AFTER_THE_CLOCK and one.part == "measured":
            one.part = "ending"
            self._current = index

    def _end(self, trial: Trial) -> None:
        index = trial.index
        if index in self._open:
            current = self._open.get(self._current)
            if current is not None and current.part == "measured":
                self._credit(self._current)
            else:
                self._credit(index)
        elif (
            spec := self._specs.get(trial.spec_digest)
        ) is not None:  # its start was not announced
            self._start(index, spec)
            self._credit(index)
        if (one := self._open.pop(index, None)) is None:
            return
        self._ended += 1
        self._ready(one)
        if not isinstance(trial.outcome, Completed) or trial.nodes:
            return
        self._paces["measured"].take(self._parts(one.spec).measured, one.spent["measured"])
        self._paces["ending"].take(self._parts(one.spec).ending, one.spent["ending"])
        durations = self._measured.setdefault(one.spec.digest, deque(maxlen=3))
        durations.append(one.spent["measured"])
        if trial.throughput:
            operation = len(trial.workers) / trial.throughput
            self._operations |= {one.spec.digest: operation, one.spec.workload: operation}
