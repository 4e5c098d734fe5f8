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
    run_id = f"sluice-{uuid.uuid4().hex[:12]}"
    yield RunPlanned(plan=plan, trials=len(todo), seconds=plan.seconds)
    done = 0
    for slot in todo:
        if cancel.requested:
            break
        yield TrialStarted(index=slot.index, block=slot.block, of=len(todo), spec=slot.spec)
        for event in run_trial(slot, run_id, cancel):
            done += isinstance(event, TrialEnded)
            yield event
    yield RunEnded(trials=done, of=len(todo), cancelled=cancel.requested)
