"""How long a trial takes: its three parts, and the timing behind them."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import msgspec

from core.language import Seconds
from core.vocabulary.spec import RunSpec


class Parts(NamedTuple):
    """Seconds that a trial adds to the time of its run."""

    ready: Seconds
    measured: Seconds
    ending: Seconds

    @property
    def whole(self) -> Seconds:
        return sum(self)


type _Positive = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class Timing(msgspec.Struct, frozen=True, array_like=True):
    """How long trials of one setting took; by default two at a time on two cores."""

    ready: _Positive = 0.35
    """Seconds before the clock, without the warm-up."""
    stretch: _Positive = 1.0
    """Seconds on the wall for each second that is measured: run-ins, and verification between."""
    ending: _Positive = 0.15
    operation: _Positive = 0.0
    """Seconds of one operation; each trial has at least one whole operation."""


def lasting(seconds: Seconds, operation: Seconds) -> Seconds:
    """At least so long, and a whole number of operations."""
    return math.ceil(seconds / operation) * operation if operation > 0 else seconds


def measured_time(spec: RunSpec, timing: Timing) -> Seconds:
    """Seconds for which the workers are measured; 1 where the spec sets no duration."""
    return lasting(spec.load.duration or 1.0, timing.operation)


def parts_of(spec: RunSpec, timing: Timing) -> Parts:
    """The times of a trial of that spec with such a timing."""
    warm_up = 0.0 if spec.load.warm_up_operations else spec.load.warm_up
    return Parts(
        timing.ready + lasting(warm_up, timing.operation),
        timing.stretch * measured_time(spec, timing),
        timing.ending,
    )


def timing_of(spec: RunSpec, parts: Parts, operation: Seconds) -> Timing:
    """The reverse of `parts_of`: the timing behind the parts of a trial."""
    nominal = parts_of(spec, Timing(ready=0.0, operation=operation))
    return Timing(
        max(parts.ready - nominal.ready, 0.0),
        parts.measured / max(nominal.measured, 1e-9),
        parts.ending,
        operation,
    )
