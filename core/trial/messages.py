"""What the two sides of the process boundary say to each other, as JSON lines.

Numbers that change while the clock runs are in the telemetry block; words are for stages,
endings and what is known only once.

    near side (parent)        far side (child)
    Assignment ──────────────▶ opens the workload, enters the workers, warms up
               ◀────────────── Doing … Ready
    Go         ──────────────▶ the clock runs
               ◀────────────── Measured
         or, where settings take turns:
    Go         ──────────────▶ the workers wait
    Turn       ──────────────▶ the clock runs
               ◀────────────── Turned: the workers wait again
    Turn       ──────────────▶ …
               ◀────────────── Measured
    Close      ──────────────▶ verifies what was kept
               ◀────────────── Doing … Verified
                               lets go of everything
               ◀────────────── Finished; ends itself and what it has started

A child that was asked to Close before it heard Go lets go at once; one that is asked while its
workers wait for a turn has them end.  At any time it may say
Broke: the workload's code raised.
"""

from __future__ import annotations

import msgspec

from core.language.sanitise import safe
from core.plan.spec import RunSpec
from core.result.outcome import Complaint


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """First line to the child: what it is to do."""

    spec: RunSpec
    process: int
    run_id: str
    slots: int
    """Slots of the whole block; this process has those from process × threads."""


class Go(msgspec.Struct, frozen=True, tag="go"):
    """Start the clock; where settings take `turns`, it stands still until the first Turn."""

    turns: bool = False


class Turn(msgspec.Struct, frozen=True, tag="turn"):
    """Work for as long as stands in the block's header, or until there is no more to do."""


class Close(msgspec.Struct, frozen=True, tag="close"):
    """Verify what was kept, if anything was measured, and let go of everything."""


class Doing(msgspec.Struct, frozen=True, tag="doing"):
    """A stage began or got on; `total` 0 = unknown."""

    stage: str
    detail: str = ""
    done: int = 0
    total: int = 0
    unit: str = ""


class Ready(msgspec.Struct, frozen=True, kw_only=True, tag="ready"):
    """Everything before the clock is done."""

    workers: int
    steps: tuple[str, ...]
    unit: str
    baseline_rss: int
    operation: int = 0
    """Nanoseconds that an operation took at the end of the warm-up, of the slowest worker; 0 = not
    known."""


class Turned(msgspec.Struct, frozen=True, tag="turned"):
    """The turn is over: every worker waits or has done all its work."""


class ClockStopped(msgspec.Struct, frozen=True, tag="measured"):
    """The clock has stopped; nothing was closed yet."""


class Verified(msgspec.Struct, frozen=True, kw_only=True, tag="verified"):
    """Every result was judged; nothing was closed yet."""

    complaints: tuple[Complaint, ...]
    counters: dict[str, float]
    verification: int
    """Nanoseconds, during and after the run, all workers."""
    self_cost: float
    """Nanoseconds that the loop adds to each operation at the pace of the first worker's run."""


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """Everything is closed."""


class Broke(msgspec.Struct, frozen=True, kw_only=True, tag="broke"):
    """The workload's code raised outside an operation."""

    stage: str
    error: str
    message: str
    trace: str


type ToChild = Go | Turn | Close
type FromChild = Doing | Ready | Turned | ClockStopped | Verified | Finished | Broke


def encode_message(word: msgspec.Struct) -> bytes:
    """One word as a line; texts from outside, such as file names, are made fit for it."""
    return msgspec.json.encode(safe(word, {})) + b"\n"
