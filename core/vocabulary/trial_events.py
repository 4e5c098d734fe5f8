"""The events of one running trial; they are part of the event stream of a run."""

from __future__ import annotations

import msgspec

from core.language import Name, Whole
from core.vocabulary.machine import Reading
from core.vocabulary.moments import Moment
from core.vocabulary.spec import RunSpec
from core.vocabulary.trial import Trial


class PhaseProgress(msgspec.Struct, frozen=True, tag="phase-progress"):
    """A stage began or made progress; `total` 0 = unknown."""

    phase: Name
    detail: str = ""
    done: Whole = 0
    total: Whole = 0
    unit: str = ""


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
        """What a trial's process or node has told, as an event of that trial."""
        fields = msgspec.structs.asdict(progress)
        return PhaseChanged(**{**fields, "index": index})


class ReadingTaken(msgspec.Struct, frozen=True, kw_only=True, tag="reading-taken"):
    """One look at the processes of a trial that is prepared; none is kept."""

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
