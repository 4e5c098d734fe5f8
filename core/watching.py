"""What is known of a run while it goes on: the same for the terminal and the window."""

from __future__ import annotations

import time
from collections.abc import Sequence

from core.events import (
    Event,
    Explained,
    MomentTaken,
    PhaseChanged,
    RunEnded,
    RunPlanned,
    TrialEnded,
    TrialStarted,
)
from core.naming import told
from core.plan import RunSpec, differing
from core.series import Moment
from core.units import Seconds, show_left, show_rate
from core.voice import word


class Watch:
    """Takes a run's events and knows how far it has got."""

    def __init__(self) -> None:
        self.of = 0
        self.done = 0
        self.spec: RunSpec | None = None
        self.phase = ""
        self.moment: Moment | None = None
        self._varying: dict[str, tuple[str, ...]] = {}
        self._seconds = 0.0
        self._started = time.monotonic()

    def take(self, event: Event) -> None:
        """Remember what the event says."""
        match event:
            case RunPlanned(plan=plan, trials=trials, seconds=seconds):
                self.of, self._seconds = trials, seconds
                self._varying = _varying(plan.specs)
            case Explained(expected=expected):
                self.of = expected
            case TrialStarted(spec=spec):
                self.spec, self.moment, self.phase = spec, None, word("starting")
            case PhaseChanged(phase=phase, detail=detail, done=done, total=total, unit=unit):
                amount = f" {done:,}/{total:,} {word(unit)}".rstrip() if total else ""
                about = f": {word(detail)}" if detail and detail != phase else ""
                self.phase = f"{word(phase)}{about}{amount}"
            case MomentTaken(moment=moment):
                self.moment = moment
            case TrialEnded():
                self.done += 1
            case RunEnded():
                self.phase = word("done")

    @property
    def elapsed(self) -> Seconds:
        """Since the run began."""
        return time.monotonic() - self._started

    @property
    def left(self) -> str:
        """Time that is still to go, from the time gone by or, at first, from the plan."""
        done = self.done + self.within
        left = self.elapsed / done * (self.of - done) if self.done else self._seconds - self.elapsed
        return show_left(left)

    @property
    def within(self) -> float:
        """Share of the current trial that is done."""
        if self.moment is None or self.spec is None or not self.spec.load.duration:
            return 0.0
        return max(0.0, min(1.0, self.moment.at / self.spec.load.duration)) * 0.99

    @property
    def what(self) -> str:
        """What tells the current trial from the others: `threads 4 · cache lru`."""
        return self.name_of(self.spec) if self.spec is not None else ""

    def name_of(self, spec: RunSpec) -> str:
        """What tells trials of that spec from the run's others."""
        return told(spec, self._varying.get(spec.workload, ()))

    @property
    def rate(self) -> str:
        """Throughput so far in this trial."""
        if self.moment is None or self.moment.at <= 0:
            return ""
        return show_rate(sum(self.moment.operations) / self.moment.at)


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
