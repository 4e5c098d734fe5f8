"""The event stream of a run: the same for the terminal, the window and a log.

The engine yields these; `msgspec.json.encode` of each is one line of `--json`.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from core.vocabulary import (
    Advice,
    Diagnosis,
    MomentTaken,
    PhaseChanged,
    Plan,
    ReadingTaken,
    RoundBegun,
    TrialEnded,
    TrialKept,
    TrialStarted,
)

__all__ = [
    "Advised",
    "Decided",
    "Diagnosed",
    "Event",
    "Explained",
    "MomentTaken",
    "PhaseChanged",
    "ReadingTaken",
    "RoundBegun",
    "RunEnded",
    "RunPlanned",
    "TrialEnded",
    "TrialKept",
    "TrialStarted",
]
"""With those of trials: a viewer finds every event here."""


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
