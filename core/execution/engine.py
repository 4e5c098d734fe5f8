"""Runs plans: the order of trials, cancelling between and within them, one event stream.

The engine never prints and does not know who watches.  It is given the functions that run a
trial and a block, so that order and cancelling are tested without starting a process.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from core.execution.events import Event, RunEnded, RunPlanned
from core.execution.turns import Rotation
from core.plan.schedule import Plan, Slot
from core.trial.cancel import Cancel
from core.trial.parent import run_trial as run_real_trial
from core.trial.trial_events import TrialEnded, TrialStarted

type RunTrial = Callable[[Slot, str, Cancel], Iterator[Event]]
type RunBlock = Callable[[Sequence[Slot], str, Cancel, int], Iterator[Event]]


def run(
    plan: Plan,
    cancel: Cancel,
    *,
    slots: Sequence[Slot] | None = None,
    run_trial: RunTrial = run_real_trial,
    run_block: RunBlock | None = None,
) -> Iterator[Event]:
    """Run a plan's trials in its order, or only the remaining `slots`.

    Those of one block take turns, unless the plan forbids it; `run_block` carries them out.
    Ends early once `cancel` is requested; what was measured is in the events already yielded.
    """
    todo = plan.slots() if slots is None else tuple(slots)
    yield RunPlanned(plan=plan, trials=len(todo), seconds=plan.seconds)
    run_id, done = new_run_id(), 0
    if plan.turns == "off":
        events = carry_out(todo, run_id, cancel, of=len(todo), run_trial=run_trial)
    else:
        events = _in_turns(
            todo,
            run_id,
            cancel,
            run_block=run_block or Rotation(seed=plan.seed, run_trial=run_trial),
        )
    for event in events:
        done += isinstance(event, TrialEnded)
        yield event
    yield RunEnded(trials=done, of=len(todo), cancelled=cancel.requested)


def new_run_id() -> str:
    """A mark for everything that the trials of one run leave outside this machine."""
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


def _in_turns(
    slots: Sequence[Slot], run_id: str, cancel: Cancel, *, run_block: RunBlock
) -> Iterator[Event]:
    """Run these block by block, until `cancel` is requested."""
    for _, block in groupby(slots, key=lambda slot: slot.block):
        if cancel.requested:
            return
        yield from run_block(tuple(block), run_id, cancel, len(slots))
