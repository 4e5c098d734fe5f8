"""The state of a run by its events so far, for the terminal and the app alike.

Events arrive here once, and every view of a run reads its state here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.judge import first_so_far
from core.language import marked, show_count, show_left, tr, tr_word
from core.measure import BARE, without_bare_files
from core.run.run_time import RunTime
from core.vocabulary import (
    Advised,
    Cancelled,
    Decided,
    Diagnosed,
    Explained,
    Moment,
    MomentTaken,
    PhaseChanged,
    Plan,
    ReadingTaken,
    RoundBegun,
    RunEnded,
    RunPlanned,
    TrialEnded,
    TrialStarted,
    differing,
    label,
)

if TYPE_CHECKING:
    from core.language import Seconds
    from core.vocabulary import Advice, Diagnosis, Event, RunSpec, Trial


_ALMOST = 0.99
"""The most of a budget's time that is shown as gone before the run has ended."""


class Newest(NamedTuple):
    """The newest moment of one trial, and the one before it."""

    trial: int
    spec: RunSpec
    now: Moment
    before: Moment | None


class RunProgress:
    """Takes a run's events and knows its progress and its results.

    Several trials can run at once, in turns.  `spec` and `moment` belong to the trial of the last
    event.
    """

    def __init__(self, since: Seconds = 0.0, clock: Callable[[], Seconds] = time.monotonic) -> None:
        """`since`: how long ago the run began."""
        self._clock = clock
        self.of = 0
        self.done = 0
        self.trials: list[Trial] = []
        """All trials that have ended, including those from before the run was resumed."""
        self.earlier: Sequence[tuple[Trial, str]] = ()
        """Trials from before the run was resumed, with their names."""
        self.newest: Newest | None = None
        """Of the first open trial, or of the last one while no open trial has moments.

        Before anything is measured, the use of the trial in preparation (`Moment.before_clock`).
        """
        self.measuring = False
        """Whether any setting is being measured, or was."""
        self.explanation = ""
        """What a search is about to do, and why."""
        self.advice: Advice | None = None
        self.diagnosis: Diagnosis | None = None
        self.over: RunEnded | None = None
        self.spec: RunSpec | None = None
        self.phase = ""
        self.moment: Moment | None = None
        self.decided: frozenset[str] = frozenset()
        """Digests of the settings that need no more trials."""
        self._settings: frozenset[str] = frozenset()
        self._bare: frozenset[str] = frozenset()
        """Digests of the specs that are only a reference for the settings."""
        self._open: dict[int, RunSpec] = {}
        self._moments: dict[int, Moment] = {}
        self._in_turns = False
        self._varying: dict[str, tuple[str, ...]] = {}
        self.open_ended = False
        """Whether its questions decide how many trials there are."""
        self._stage = ("", "", 0), 0, 0.0
        """The stage of preparing, and how much of it was done since when."""
        self._time = RunTime(since, clock)

    def take(self, event: Event) -> None:  # noqa: C901 -- one case for each event
        self._time.take(event)
        match event:
            case RunPlanned(plan=plan, trials=trials):
                self.of = trials
                self._begin(plan)
            case Explained(text=text, expected=expected):
                self.explanation, self.of = text, expected
            case Decided(specs=specs):
                self.decided = frozenset(specs)
            case TrialStarted(index=index, spec=spec):
                self._open[index] = spec
                self._in_turns = False
                self.spec, self.moment, self.phase = spec, None, tr_word("starting")
            case RoundBegun(number=number, left=rounds):
                self._in_turns = True
                self.phase = _round(number, rounds)
            case PhaseChanged(phase=phase) if phase != "measuring" or not self._in_turns:
                # For trials in turns the round says more.
                self.phase = self._doing(event)
            case ReadingTaken(index=index, reading=reading):
                self._follow_preparing(index, Moment.before_clock(reading))
            case MomentTaken(index=index, moment=moment):
                self.spec = self._open.get(index, self.spec)
                self._follow(index, moment)
                self._moments[index] = self.moment = moment
            case TrialEnded(trial=trial):
                self.done += 1
                self.trials.append(trial)
                self.spec = self._open.pop(trial.index, self.spec)
                self.moment = self._moments.pop(trial.index, None)
            case Advised(advice=advice):
                self.advice = advice
            case Diagnosed(diagnosis=diagnosis):
                self.diagnosis = diagnosis
            case RunEnded():
                self.phase, self.over = tr_word("done"), event

    def _begin(self, plan: Plan) -> None:
        self.open_ended = plan.open_ended
        self._varying = _varying(plan.specs)
        self._settings = frozenset(each.digest for each in without_bare_files(plan.specs))
        self._bare = frozenset(each.digest for each in plan.specs) - self._settings
        names = {spec.digest: self.name_of(spec) for spec in plan.specs if self.counts(spec)}
        earlier = [trial for trial in self.trials if trial.spec_digest in names]
        self.earlier = [(trial, names[trial.spec_digest]) for trial in earlier]

    def _follow(self, index: int, moment: Moment) -> None:
        """Keep the newest moment of the first trial, until it has ended and another has moments."""
        last, spec = self.newest, self._open.get(index)
        if spec is None or not self.counts(spec):
            return
        if not self.measuring:
            self.measuring, last = True, None
        if last is None or last.trial == index or last.trial not in self._open:
            self.newest = Newest(index, spec, moment, self._moments.get(index))

    def _follow_preparing(self, index: int, moment: Moment) -> None:
        """Keep the use of the trial in preparation, until a trial is measured."""
        last, spec = self.newest, self._open.get(index)
        if spec is not None and self.counts(spec) and not self.measuring:
            before = last.now if last is not None and last.trial == index else None
            self.newest = Newest(index, spec, moment, before)

    def counts(self, spec: RunSpec) -> bool:
        """Whether a spec is one of the settings, and not only their reference.

        The throughput of bare files would flatten the curves of all readers.
        """
        return spec.digest not in self._bare

    def _doing(self, now: PhaseChanged) -> str:
        """`warming up: reading 3/12 files, 40 s left`."""
        amount = (
            f" {marked(f'{now.done:,}/{now.total:,}')} {tr_word(now.unit)}" if now.total else ""
        )
        about = f": {tr_word(now.detail)}" if now.detail and now.detail != now.phase else ""
        time_left = self._left_of_stage((now.phase, now.detail, now.total), now.done)
        return f"{tr_word(now.phase)}{about}{amount.rstrip()}{time_left}"

    def _left_of_stage(self, stage: tuple[str, str, int], done: int) -> str:
        """`, 40 s left` once a stage has gone on for a second."""
        now = self._clock()
        if stage != self._stage[0] or done < self._stage[1]:
            self._stage = stage, done, now
        _, first, since = self._stage
        total = stage[-1]
        if now - since < 1 or not first < done < total:
            return ""
        seconds_left = (now - since) / (done - first) * (total - done)
        return tr(", {time} left", time=show_left(seconds_left))

    @property
    def stage(self) -> int:
        """0 while it prepares, 1 while it starts and warms up, 2 once it measures."""
        return 2 if self.trials or self.measuring else 1 if self.spec is not None else 0

    @property
    def elapsed(self) -> Seconds:
        """Since the run began."""
        return self._time.elapsed

    @property
    def seconds_left(self) -> Seconds:
        """Time until the end, as far as it is known."""
        return self._time.left

    @property
    def left(self) -> str:
        """Remaining time; at most, where questions may be answered sooner."""
        time_left = show_left(self.seconds_left)
        return tr("at most {time}", time=time_left) if self.open_ended else time_left

    @property
    def share(self) -> float:
        """How much of the run is done, from 0 to 1; of its time, where questions decide its end."""
        if self.over is not None and not self.over.cancelled:
            return 1.0
        if self.open_ended:
            elapsed = self.elapsed
            return min(elapsed / max(elapsed + self.seconds_left, elapsed, 1e-9), _ALMOST)
        return min((self.done + self.within) / max(self.of, 1), 1.0)

    @property
    def count(self) -> str:
        """`3/12` trials done; `3` where their number is not known."""
        done = show_count(self.done)
        return done if self.open_ended else f"{done}/{show_count(self.of)}"

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
        live = sum(moment.errors for moment in self._moments.values())
        return live + sum(trial.errors for trial in self.trials)

    @property
    def kept(self) -> int:
        """How many of its trials were measured: what was cancelled in the middle was not."""
        assert self.over is not None
        broken = (isinstance(t.outcome, Cancelled) and not t.shortened for t in self.trials)
        return self.over.trials - sum(broken)

    @property
    def wrong(self) -> int:
        live = sum(moment.wrong for moment in self._moments.values())
        return live + sum(trial.wrong for trial in self.trials)

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
        """How many settings are still open, once some are decided."""
        if not self.decided:
            return ""
        count, of = len(self.decided & self._settings), len(self._settings)
        if count == of:
            return tr("no setting is open any more")
        return tr("{count} of {of} settings still open", count=of - count, of=of)

    def name_of(self, spec: RunSpec) -> str:
        """What sets trials of that spec apart from the run's others."""
        return label(spec, self._varying.get(spec.workload, ()))

    @property
    def ended(self) -> str:
        """What sets the trial that has just ended apart from the others."""
        return self.name_of(self.spec) if self.spec is not None else ""

    @property
    def rate(self) -> str:
        """The first figure so far in this trial; empty while several trials run."""
        if self.moment is None or self.several:
            return ""
        return first_so_far(self.moment, self.spec.workload)[1] if self.spec is not None else ""

    @property
    def so_far(self) -> dict[str, float]:
        """The first figure so far of the settings whose trials run, by the digests of their specs.

        What only warms up, or has done nothing, has none.
        """
        figures = {
            self._open[index].digest: first_so_far(moment, self._open[index].workload)[0]
            for index, moment in self._moments.items()
            if index in self._open and self.counts(self._open[index])
        }
        return {setting: value for setting, value in figures.items() if value is not None}


def _round(number: int, rounds_left: int) -> str:
    if not rounds_left:
        return tr("measuring: round {number}", number=number + 1)
    return tr("measuring: round {number} of {of}", number=number + 1, of=number + rounds_left)


def _varying(specs: Sequence[RunSpec]) -> dict[str, tuple[str, ...]]:
    """The parameters that tell the specs of a workload apart, by workload."""
    names = dict.fromkeys(spec.workload for spec in specs)
    # The bare files are there beside others for comparison.
    own = [name for name in names if name not in BARE]
    return {
        name: (
            *(("workload",) if len(own) > 1 or (own and name in BARE) else ()),
            *differing([spec for spec in specs if spec.workload == name]),
        )
        for name in names
    }
