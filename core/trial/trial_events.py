"""What one trial tells while it runs; a part of the event stream of a run."""

from __future__ import annotations

import msgspec

from core.plan.spec import RunSpec
from core.result.moments import Moment
from core.result.result import Trial


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
    """A trial in turns as far as it has come, as if it had been cut off here, without its moments.

    For whoever keeps it: a trial of one piece is over soon, but all of a block that takes turns
    would be lost with it.
    """

    trial: Trial


class TrialEnded(msgspec.Struct, frozen=True, kw_only=True, tag="trial-ended"):
    """The trial is over; everything about it is in the trial."""

    trial: Trial


type TrialEvent = TrialStarted | PhaseChanged | MomentTaken | RoundBegun | TrialKept | TrialEnded
