"""The event stream of a run: the same for the terminal, the window and a log.

The engine yields these; `msgspec.json.encode` of each is one line of `--json`.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from core.language import Name, Whole
from core.vocabulary.advice import Advice
from core.vocabulary.machine import Reading
from core.vocabulary.moments import Moment
from core.vocabulary.plan import Plan
from core.vocabulary.spec import RunSpec
from core.vocabulary.trial import Trial
from core.vocabulary.verdict import Diagnosis


class PhaseProgress(msgspec.Struct, frozen=True, tag="phase-progress"):
    """A stage began or made progress; `total` 0 = unknown."""

    phase: Name
    detail: str = ""
    done: Whole = 0
    total: Whole = 0
    unit: str = ""
    awaited: bool = False
    """Whether what is missing is only waited for, which tells nothing of the trials to come."""


class TrialStarted(msgspec.Struct, frozen=True, kw_only=True, tag="trial-started"):
    """The next trial begins."""

    index: int
    block: int
    of: int
    spec: RunSpec


class PhaseChanged(PhaseProgress, frozen=True, kw_only=True, tag="phase-changed"):
    """The trial of that index enters a stage or makes progress in it."""

    index: int

    @staticmethod
    def of(index: int, progress: PhaseProgress) -> PhaseChanged:
        """Progress from a trial's process or node, as an event of that trial."""
        return PhaseChanged(**{**msgspec.structs.asdict(progress), "index": index})


class ReadingTaken(msgspec.Struct, frozen=True, kw_only=True, tag="reading-taken"):
    """One look at the processes of a trial in preparation; it is not stored."""

    index: int
    reading: Reading
    """`at`: seconds since they began to start."""


class MomentTaken(msgspec.Struct, frozen=True, kw_only=True, tag="moment-taken"):
    """One look at the running trial."""

    index: int
    moment: Moment


class RoundBegun(msgspec.Struct, frozen=True, kw_only=True, tag="round-begun"):
    """Trials that take turns begin another round."""

    number: int
    """Within their block, from 0."""
    left: int
    """Rounds left, this one included; 0 if unknown."""
    trials: tuple[int, ...]
    """Indexes of the trials that have a turn in it, in order."""


class TrialKept(msgspec.Struct, frozen=True, kw_only=True, tag="trial-kept"):
    """A trial in turns as it stands now, as if it were cut off here, without its moments.

    It can be saved early: a trial in one piece is over soon, but a crash would lose a whole block
    that takes turns.
    """

    trial: Trial


class TrialEnded(msgspec.Struct, frozen=True, kw_only=True, tag="trial-ended"):
    """The trial is over; `trial` has everything about it."""

    trial: Trial


type TrialEvent = (
    TrialStarted | PhaseChanged | ReadingTaken | MomentTaken | RoundBegun | TrialKept | TrialEnded
)


class RunPlanned(msgspec.Struct, frozen=True, kw_only=True, tag="run-planned"):
    """The first event: the plan."""

    plan: Plan
    trials: int
    seconds: float
    """Expected duration of all trials."""


class Explained(msgspec.Struct, frozen=True, kw_only=True, tag="explained"):
    """What is done next, and why, in a sentence; a search says it before each of its rounds.

    This is no phase: phases belong to a trial, and a display with one line per trial must not lose
    the reason with the trial.  A search does not know how long it takes; `expected` is its best
    guess of all trials, and grows or shrinks from round to round.
    """

    text: str
    trials: int
    """Trials done so far."""
    expected: int
    seconds: float
    """Expected time of what is left."""


class Decided(msgspec.Struct, frozen=True, kw_only=True, tag="decided"):
    """Between two blocks of a run with a budget: for which settings more trials decide nothing."""

    specs: tuple[str, ...]
    """Digests of all specs that are not measured any more, those of earlier events included."""


class Advised(msgspec.Struct, frozen=True, kw_only=True, tag="advised"):
    """What to use, once a search is done or stopped."""

    advice: Advice


class Diagnosed(msgspec.Struct, frozen=True, kw_only=True, tag="diagnosed"):
    """What limits the setting to use, or the fastest, once all was measured."""

    diagnosis: Diagnosis


class RunEnded(msgspec.Struct, frozen=True, kw_only=True, tag="run-ended"):
    """The last event."""

    trials: int
    of: int
    cancelled: bool


type Event = (
    RunPlanned
    | Explained
    | Decided
    | TrialStarted
    | PhaseChanged
    | ReadingTaken
    | MomentTaken
    | RoundBegun
    | TrialKept
    | TrialEnded
    | Advised
    | Diagnosed
    | RunEnded
)


type Consumer = Callable[[Event], object]
"""Whoever takes the events of a run, one by one."""
