"""Runs plans: the order of trials, cancelling between and within them, one event stream.

The engine never prints and does not know who watches.  It is given the function that runs a
trial, so that order and cancelling are tested without starting a process.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence

from core.cancel import Cancel
from core.events import Event, RunEnded, RunPlanned, TrialEnded, TrialStarted
from core.plan import Plan, Slot
from core.trial import run_trial as run_real_trial

type RunTrial = Callable[[Slot, str, Cancel], Iterator[Event]]


def run(
    plan: Plan,
    cancel: Cancel,
    *,
    slots: Sequence[Slot] | None = None,
    run_trial: RunTrial = run_real_trial,
) -> Iterator[Event]:
    """Run a plan's trials in its order, or only those `slots` that are still to be done.

    Ends early once `cancel` is requested; what was measured is in the events already yielded.
    """
    todo = plan.slots() if slots is None else tuple(slots)
    yield RunPlanned(plan=plan, trials=len(todo), seconds=plan.seconds)
    done = 0
    for event in carry_out(todo, new_run_id(), cancel, of=len(todo), run_trial=run_trial):
        done += isinstance(event, TrialEnded)
        yield event
    yield RunEnded(trials=done, of=len(todo), cancelled=cancel.requested)


def new_run_id() -> str:
    """A mark for whatever the trials of one run leave outside this machine."""
    return f"sluice-{uuid.uuid4().hex[:12]}"


def carry_out(
    slots: Sequence[Slot], run_id: str, cancel: Cancel, *, of: int, run_trial: RunTrial
) -> Iterator[Event]:
    """Run these trials one after the other, until `cancel` is requested."""
    for slot in slots:
        if cancel.requested:
            return
        yield TrialStarted(index=slot.index, block=slot.block, of=of, spec=slot.spec)
        yield from run_trial(slot, run_id, cancel)
