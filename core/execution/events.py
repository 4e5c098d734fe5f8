"""The event stream of a run: the same for the terminal, the window and a log.

The engine yields these; `msgspec.json.encode` of each is one line of `--json`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from core.analysis.advice import Advice
from core.analysis.diagnosis.causes import Diagnosis
from core.plan.schedule import Plan, RunSpec
from core.result.moments import Moment
from core.result.outcome import Outcome
from core.result.result import Trial


class RunPlanned(msgspec.Struct, frozen=True, kw_only=True, tag="run-planned"):
    """First of all: what is going to be done."""

    plan: Plan
    trials: int
    seconds: float
    """Expected duration of all trials."""


class TrialStarted(msgspec.Struct, frozen=True, kw_only=True, tag="trial-started"):
    """The next trial begins."""

    index: int
    block: int
    of: int
    spec: RunSpec


class PhaseChanged(msgspec.Struct, frozen=True, kw_only=True, tag="phase-changed"):
    """The trial does something else, or has got on with it; `total` 0 = unknown."""

    index: int
    phase: str
    detail: str = ""
    done: int = 0
    total: int = 0
    unit: str = ""


class MomentTaken(msgspec.Struct, frozen=True, kw_only=True, tag="moment-taken"):
    """One look at the running trial."""

    index: int
    moment: Moment


class RoundBegun(msgspec.Struct, frozen=True, kw_only=True, tag="round-begun"):
    """Trials that take turns begin another round."""

    number: int
    """In their block, from 0."""
    left: int
    """Rounds that are still to come, with this one; 0 where nobody knows."""
    trials: tuple[int, ...]
    """Indexes of those that have a turn in it, in their order."""


class TrialKept(msgspec.Struct, frozen=True, kw_only=True, tag="trial-kept"):
    """What a trial that takes turns has so far, as if it had been cut off here, without its moments.

    For whoever keeps it: a trial of one piece is over soon, but all of a block that takes turns
    would be lost with it.
    """

    trial: Trial


class TrialEnded(msgspec.Struct, frozen=True, kw_only=True, tag="trial-ended"):
    """The trial is over; everything about it is in the trial."""

    trial: Trial


class Explained(msgspec.Struct, frozen=True, kw_only=True, tag="explained"):
    """What a search does next, and why, in a sentence; said before each of its rounds.

    An event of its own and no phase: phases belong to a trial, and whoever draws one line per trial
    must not lose the reason with the trial.  A search does not know how long it will take;
    `expected` is its best guess of all trials, and grows or shrinks from round to round.
    """

    text: str
    trials: int
    """Trials done so far."""
    expected: int
    seconds: float
    """Expected time of what is left."""


class Advised(msgspec.Struct, frozen=True, kw_only=True, tag="advised"):
    """What to use, once a search is done or stopped."""

    advice: Advice


class Diagnosed(msgspec.Struct, frozen=True, kw_only=True, tag="diagnosed"):
    """What limits the setting to use, or the fastest, once all was measured."""

    diagnosis: Diagnosis


class RunEnded(msgspec.Struct, frozen=True, kw_only=True, tag="run-ended"):
    """Last of all."""

    trials: int
    of: int
    cancelled: bool


type Event = (
    RunPlanned
    | Explained
    | TrialStarted
    | PhaseChanged
    | MomentTaken
    | RoundBegun
    | TrialKept
    | TrialEnded
    | Advised
    | Diagnosed
    | RunEnded
)


def outcomes(events: Sequence[Event]) -> list[Outcome]:
    """How the trials of a recorded stream ended, in order."""
    return [event.trial.outcome for event in events if isinstance(event, TrialEnded)]
