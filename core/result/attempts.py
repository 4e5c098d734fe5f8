"""Trials that were measured again: which attempt at a slot counts.

A slot of a plan has one index, and every attempt at it has that index.  There are two reasons for
another attempt.  A trial that was cancelled is measured again in its block when its run is resumed.
A disturbed trial is measured again in a later block (`core.execution.disturbed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from core.host.environment import Environment
from core.result.disturbance import disturbance
from core.result.outcome import Cancelled

if TYPE_CHECKING:
    from core.result.result import Trial


def counted(trials: Sequence[Trial], environment: Environment) -> tuple[Trial, ...]:
    """The trials that count, in their order.

    A trial that was not cancelled counts, unless its slot was measured again and both attempts are
    valid: then the one that was less disturbed counts, whatever their figures.  What crashed,
    failed or returned wrong data counts always.

    A shortened trial counts unless its slot has a trial that was not cancelled; of several
    shortened ones, the one with the most turns counts.
    """
    chosen = {id(one) for slot in _slots(trials) for one in _of_slot(slot, environment)}
    return tuple(trial for trial in trials if id(trial) in chosen)


def replaced(trials: Sequence[Trial], environment: Environment) -> tuple[Trial, ...]:
    """The trials that could count and do not, because another attempt at their slot does."""
    counting = {id(trial) for trial in counted(trials, environment)}
    return tuple(
        trial
        for trial in trials
        if id(trial) not in counting
        and (trial.shortened or not isinstance(trial.outcome, Cancelled))
    )


def _slots(trials: Sequence[Trial]) -> Iterator[list[Trial]]:
    found: dict[tuple[str, int], list[Trial]] = {}
    for trial in trials:
        found.setdefault((trial.spec_digest, trial.index), []).append(trial)
    yield from found.values()


def _of_slot(attempts: Sequence[Trial], environment: Environment) -> Iterator[Trial]:
    whole = [trial for trial in attempts if not isinstance(trial.outcome, Cancelled)]
    if not whole:
        shortened = [trial for trial in attempts if trial.shortened]
        if shortened:
            yield max(reversed(shortened), key=lambda trial: len(trial.turns))
        return
    told = {id(one): found for one in whole if (found := _of_valid(one, environment)) is not None}
    several = len({trial.block for trial in whole if id(trial) in told}) == len(told) > 1
    least = min(told, key=told.__getitem__, default=None)
    for trial in whole:
        if not several or id(trial) == least or id(trial) not in told:
            yield trial


def _of_valid(trial: Trial, environment: Environment) -> float | None:
    """How much a trial was disturbed; None where that is unknown, or it counts in any case."""
    return disturbance(trial, environment) if trial.valid else None


def better_of(cut: Trial, kept: Trial | None) -> Trial:
    """A trial in turns at its end, or what was kept of it before, where only that counts.

    When it is cut off there may be too little time to verify its last seconds.  Whatever is known
    to be wrong by then counts.
    """
    lost = isinstance(cut.outcome, Cancelled) and not cut.shortened
    if kept is None or not (lost and kept.shortened) or cut.errors or cut.wrong:
        return cut
    return msgspec.structs.replace(kept, outcome=cut.outcome, moments=cut.moments)


def worth_showing(trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """The trials of a run without those cancelled ones that are not shortened and came again."""
    last = {trial.index: trial for trial in trials}
    others = {
        trial.index
        for trial in trials
        if trial.shortened or not isinstance(trial.outcome, Cancelled)
    }
    return tuple(
        trial
        for trial in trials
        if not isinstance(trial.outcome, Cancelled)
        or trial.shortened
        or (last[trial.index] is trial and trial.index not in others)
    )
