"""Trials that were measured again: which attempt at a slot counts.

A slot of a plan has one index.  A trial that was cancelled is measured again under the same index
when its run is resumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.result.outcome import Cancelled

if TYPE_CHECKING:
    from core.result.result import Trial


def counted(trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """The trials of one spec that count, in their order.

    Every trial that was not cancelled counts.  A shortened one counts unless its slot has such a
    trial; of several shortened ones of a slot, the one with the most turns counts.
    """
    whole = {trial.index for trial in trials if not isinstance(trial.outcome, Cancelled)}
    longest: dict[int, Trial] = {}
    for trial in trials:
        if not trial.shortened or trial.index in whole:
            continue
        before = longest.get(trial.index)
        if before is None or len(trial.turns) >= len(before.turns):
            longest[trial.index] = trial
    return tuple(
        trial
        for trial in trials
        if not isinstance(trial.outcome, Cancelled) or longest.get(trial.index) is trial
    )


def replaced(trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """The trials of one spec that were enough to count, and do not, because of another attempt."""
    counting = {id(trial) for trial in counted(trials)}
    return tuple(trial for trial in trials if trial.shortened and id(trial) not in counting)


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
