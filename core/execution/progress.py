"""The progress of a run, shared by the terminal and the window."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.analysis.rates import rate_between
from core.catalog.registry import leading
from core.execution.events import Decided, Explained, RunEnded, RunPlanned
from core.language.translation import marked, tr, tr_word
from core.language.units import show_count, show_left, show_rate, show_seconds
from core.plan.floor import without_bare_files
from core.plan.labels import label
from core.plan.spec import differing
from core.result.metrics import METRICS
from core.trial.trial_events import MomentTaken, PhaseChanged, RoundBegun, TrialEnded, TrialStarted

if TYPE_CHECKING:
    from core.execution.events import Event
    from core.language.units import Seconds
    from core.plan.spec import RunSpec
    from core.result.moments import Moment


class RunProgress:
    """Takes a run's events and knows how far it has got.

    Several trials can run at once, in turns.  `spec` and `moment` are those of the trial that sent
    the last event.
    """

    def __init__(self, since: Seconds = 0.0, clock: Callable[[], Seconds] = time.monotonic) -> None:
        """`since`: how long ago the run began."""
        self._clock = clock
        self.of = 0
        self.done = 0
        self.spec: RunSpec | None = None
        self.phase = ""
        self.moment: Moment | None = None
        self.decided: frozenset[str] = frozenset()
        """Digests of the settings that are not measured any more."""
        self._settings: frozenset[str] = frozenset()
        self._open: dict[int, RunSpec] = {}
        self._moments: dict[int, Moment] = {}
        self._in_turns = False
        self._varying: dict[str, tuple[str, ...]] = {}
        self._seconds = 0.0
        self.budget = 0.0
        """Seconds for the whole run; 0 if its trials are counted beforehand."""
        self._over = False
        self._stage = ("", ""), 0, 0.0
        """Which stage of preparing, and how much of it was done when."""
        self._started = self._clock() - since

    def take(self, event: Event) -> None:  # noqa: C901 -- one case for each event
        """Remember what the event says."""
        match event:
            case RunPlanned(plan=plan, trials=trials, seconds=seconds):
                self.of, self._seconds = trials, seconds
                self.budget = plan.budget
                self._varying = _varying(plan.specs)
                self._settings = frozenset(each.digest for each in without_bare_files(plan.specs))
            case Explained(expected=expected):
                self.of = expected
            case Decided(specs=specs):
                self.decided = frozenset(specs)
            case TrialStarted(index=index, spec=spec):
                self._open[index] = spec
                self._in_turns = False
                self.spec, self.moment, self.phase = spec, None, tr_word("starting")
            case RoundBegun(number=number, left=rounds):
                self._in_turns = True
                self.phase = _round(number, rounds)
            case PhaseChanged(phase="measuring") if self._in_turns:
                pass  # the round says more
            case PhaseChanged(phase=phase, detail=detail, done=done, total=total, unit=unit):
                amount = (
                    f" {marked(f'{done:,}/{total:,}')} {tr_word(unit)}".rstrip() if total else ""
                )
                about = f": {tr_word(detail)}" if detail and detail != phase else ""
                left = self._left_of_stage((phase, detail), done, total)
                self.phase = f"{tr_word(phase)}{about}{amount}{left}"
            case MomentTaken(index=index, moment=moment):
                self._moments[index] = self.moment = moment
                self.spec = self._open.get(index, self.spec)
            case TrialEnded(trial=trial):
                self.done += 1
                self.spec = self._open.pop(trial.index, self.spec)
                self.moment = self._moments.pop(trial.index, None)
            case RunEnded(cancelled=cancelled):
                self.phase, self._over = tr_word("done"), not cancelled
            case _:
                pass

    def _left_of_stage(self, stage: tuple[str, str], done: int, total: int) -> str:
        """`, 40 s left` once a stage has gone on for a second."""
        now = self._clock()
        if stage != self._stage[0] or done < self._stage[1]:
            self._stage = stage, done, now
        _, first, since = self._stage
        if now - since < 1 or not first < done < total:
            return ""
        left = (now - since) / (done - first) * (total - done)
        return tr(", {time} left", time=show_left(left))

    @property
    def elapsed(self) -> Seconds:
        """Since the run began."""
        return self._clock() - self._started

    @property
    def left(self) -> str:
        """Remaining time, from the progress so far or, at first, from the plan.

        With a budget, what is left of it: questions may be answered sooner.
        """
        if self.budget:
            return show_left(self.budget - self.elapsed)
        done = self.done + self.within
        known = self.done or done >= 1
        left = self.elapsed / done * (self.of - done) if known else self._seconds - self.elapsed
        return show_left(left)

    @property
    def share(self) -> float:
        """How much of the run is done, from 0 to 1; with a budget, how much of its time is gone."""
        if self._over:
            return 1.0
        if self.budget:
            return min(self.elapsed / self.budget, 1.0)
        return min((self.done + self.within) / max(self.of, 1), 1.0)

    @property
    def count(self) -> str:
        """`3/12` trials done; with a budget, where their number is not known, `3`."""
        done = show_count(self.done)
        return done if self.budget else f"{done}/{show_count(self.of)}"

    @property
    def within(self) -> float:
        """How much of the running trials is done, as a number of trials."""
        shares = (
            max(0.0, min(1.0, self._moments[index].at / spec.load.duration))
            for index, spec in self._open.items()
            if index in self._moments and spec.load.duration
        )
        return 0.99 * sum(shares)

    @property
    def errors(self) -> int:
        """Failed operations so far of the trials that have not ended."""
        return sum(moment.errors for moment in self._moments.values())

    @property
    def wrong(self) -> int:
        """Operations with wrong data so far of the trials that have not ended."""
        return sum(moment.wrong for moment in self._moments.values())

    @property
    def several(self) -> bool:
        """Whether more than one trial is being measured."""
        return self._in_turns and len(self._open) > 1

    @property
    def what(self) -> str:
        """What sets the current trial apart, `threads 4 · cache lru`; or how many take turns."""
        if self.several:
            return tr("{count} settings in turns", count=len(self._open))
        return self.name_of(self.spec) if self.spec is not None else ""

    @property
    def decision(self) -> str:
        """How many settings are not measured any more, because nothing is open about them."""
        if not self.decided:
            return ""
        count, of = len(self.decided & self._settings), len(self._settings)
        return tr("{count} of {of} settings not measured any more", count=count, of=of)

    def name_of(self, spec: RunSpec) -> str:
        """What sets trials of that spec apart from the run's others."""
        return label(spec, self._varying.get(spec.workload, ()))

    @property
    def ended(self) -> str:
        """What sets the trial that has just ended apart from the others."""
        return self.name_of(self.spec) if self.spec is not None else ""

    @property
    def rate(self) -> str:
        """The first figure so far in this trial; empty where there are several."""
        if self.moment is None or self.several:
            return ""
        rate = rate_between(None, self.moment)
        if not rate or self.spec is None:
            return ""
        first = METRICS[leading(self.spec.workload)[0]]
        return show_rate(rate) if first.unit == "rate" else show_seconds(1 / rate)


def _round(number: int, left: int) -> str:
    if not left:
        return tr("measuring: round {number}", number=number + 1)
    return tr("measuring: round {number} of {of}", number=number + 1, of=number + left)


def _varying(specs: Sequence[RunSpec]) -> dict[str, tuple[str, ...]]:
    """By workload the parameters that tell its specs apart."""
    names = dict.fromkeys(spec.workload for spec in specs)
    several = len(names) > 1
    return {
        name: (
            *(("workload",) if several else ()),
            *differing([spec for spec in specs if spec.workload == name]),
        )
        for name in names
    }
