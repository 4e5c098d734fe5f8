"""How long trials take here: as the same took before, or else as their specs say.

A trial has three parts: it gets ready, is measured, and ends.  What a run has seen of them is kept
for the next one (`remember`), by what was measured and under what load, but not for how long: that
may change from run to run.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from core.catalog.parameters import values_of
from core.errors import SluiceError
from core.host.atomic_write import put_in_place
from core.host.folders import make_private, state_folder
from core.language.units import Seconds
from core.plan.spec import BESIDE_THE_POINT, RunSpec

if TYPE_CHECKING:
    from core.plan.schedule import Plan

_READY: Seconds = 0.35
_ENDING: Seconds = 0.15
"""Two trials at a time, on two cores."""
AROUND: Seconds = _READY + _ENDING
"""Of a trial, spent on starting its children and ending them."""
_RUN_INS = 1.5
"""Times as long as they are measured several workers work where settings take turns of 0.1 s: each
turn has a run-in of 0.05 s."""
_MOST = 2000
"""Settings of which it is known how long they took."""
_NOT_ASKED = BESIDE_THE_POINT | {"duration", "warm_up"}


class Parts(NamedTuple):
    """Seconds that a trial adds to the time of its run."""

    ready: Seconds
    measured: Seconds
    ending: Seconds

    @property
    def whole(self) -> Seconds:
        """All of them."""
        return sum(self)


type _Positive = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class Timing(msgspec.Struct, frozen=True, array_like=True):
    """How long trials of one setting took."""

    ready: _Positive = _READY
    """Seconds before the clock, without the warm-up."""
    stretch: _Positive = 1.0
    """Seconds on the wall for each second that is measured: run-ins, and verification between."""
    ending: _Positive = _ENDING
    operation: _Positive = 0.0
    """Seconds of one operation; of one that is longer than a trial each trial has a whole one."""


def lasting(seconds: Seconds, operation: Seconds) -> Seconds:
    """At least so long, and a whole number of operations."""
    return math.ceil(seconds / operation) * operation if operation > 0 else seconds


def measured_time(spec: RunSpec, timing: Timing) -> Seconds:
    """Seconds for which its workers have to be measured; 1 where something else limits them."""
    return lasting(spec.load.duration or 1.0, timing.operation)


def parts_of(spec: RunSpec, timing: Timing) -> Parts:
    """What a trial of that spec takes with such a timing."""
    warm_up = 0.0 if spec.load.warm_up_operations else spec.load.warm_up
    return Parts(
        timing.ready + lasting(warm_up, timing.operation),
        timing.stretch * measured_time(spec, timing),
        timing.ending,
    )


def timing_of(spec: RunSpec, parts: Parts, operation: Seconds) -> Timing:
    """The other way round: the timing of trials that took so long."""
    nominal = parts_of(spec, Timing(ready=0.0, operation=operation))
    return Timing(
        max(parts.ready - nominal.ready, 0.0),
        parts.measured / max(nominal.measured, 1e-9),
        parts.ending,
        operation,
    )


class Experience:
    """How long trials took on this machine before."""

    def __init__(self, known: Mapping[str, Timing]) -> None:
        self.known = known

    def timing(self, spec: RunSpec, *, together: bool) -> Timing:
        """Of the same setting; or of the same work under another load, or of its workload at all.

        `together`: whether it takes turns with others.
        """
        same, work, workload = _keys(spec, together=together)
        if (found := self.known.get(same)) is not None:
            return found
        stretch = _RUN_INS if together and spec.load.threads * spec.load.processes > 1 else 1.0
        if (found := self.known.get(work)) is not None:
            return msgspec.structs.replace(found, stretch=max(stretch, found.stretch))
        found = self.known.get(workload, Timing())
        return Timing(found.ready, stretch, found.ending)


def _keys(spec: RunSpec, *, together: bool) -> tuple[str, str, str]:
    load = {name: told for name, told in values_of(spec.load).items() if name not in _NOT_ASKED}
    work = (spec.workload, spec.parameters, spec.dataset.fingerprint or spec.dataset.location)
    every = ((*work, load, together), (*work, together), (spec.workload, together))
    return tuple(map(_key, every))  # type: ignore[return-value]


def _key(told: object) -> str:
    text = msgspec.json.encode(told, order="deterministic")
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def experience() -> Experience:
    """What is kept; nothing where it cannot be read."""
    with suppress(OSError, SluiceError):
        file = _file()
        return Experience(_read(file, file.stat().st_mtime_ns))
    return Experience({})


@lru_cache(maxsize=1)
def _read(file: Path, changed: int) -> Mapping[str, Timing]:
    """`changed`: when, for the cache."""
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Timing])
    return {}


def _file() -> Path:
    return state_folder() / "timings.json"


def remember(seen: Sequence[tuple[RunSpec, Timing]], *, together: bool) -> None:
    """Keep how long trials took; where nothing can be written, nothing is kept."""
    known = dict(experience().known)
    for spec, timing in seen:
        for key in reversed(_keys(spec, together=together)):
            known.pop(key, None)  # the newest last
            known[key] = timing
    with suppress(OSError, SluiceError):
        file = _file()
        make_private(file.parent)
        with put_in_place(file, overwrite=True) as new:
            new.write_bytes(msgspec.json.encode(dict(list(known.items())[-_MOST:])))


def are_together(specs: Sequence[RunSpec], turns: str) -> bool:
    """Whether these take turns, as far as it is known before."""
    return turns != "off" and len(specs) > 1


def timings_of(specs: Sequence[RunSpec], turns: str) -> list[Timing]:
    """How long a trial of each of these is expected to take."""
    known, together = experience(), are_together(specs, turns)
    return [known.timing(spec, together=together) for spec in specs]


def seconds_of(specs: Sequence[RunSpec], turns: str = "auto") -> Seconds:
    """Expected time of one trial of each of these."""
    timings = timings_of(specs, turns)
    return sum(parts_of(*one).whole for one in zip(specs, timings, strict=True))


def seconds_of_plan(plan: Plan) -> Seconds:
    """Expected time of all trials; with a budget all of it, since questions may be answered sooner,
    or what one trial of each takes, where that is longer.
    """
    each = seconds_of(plan.specs, plan.turns)
    return max(plan.budget, each) if plan.budget else plan.repeats * each
