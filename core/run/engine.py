"""Runs plans: the order of trials, cancelling between and within them, one event stream.

The engine never prints and does not know who watches.  It is given the functions that run a
trial and a block, so that order and cancelling are tested without starting a process.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from core.language import tr
from core.measure import Cancel, fork_servers, seconds_of_plan, without_bare_files
from core.measure import run_trial as run_real_trial
from core.run.blocks import RunBlock, RunTrial, TimeLimit, in_one_piece, new_run_id
from core.run.round_robin import block_runner
from core.vocabulary import (
    Decided,
    Event,
    Explained,
    Plan,
    RunEnded,
    RunPlanned,
    Slot,
    Trial,
    TrialEnded,
    is_refusal,
)

if TYPE_CHECKING:
    from core.run.budget import Budget, StillOpen

_WHOLE = "turns are shorter than words need between nodes"


def run(  # noqa: PLR0913 -- what is to be measured, and the seams of the tests
    plan: Plan,
    cancel: Cancel,
    *,
    slots: Sequence[Slot] | None = None,
    measured: Sequence[Trial] = (),
    still_open: StillOpen | None = None,
    run_trial: RunTrial = run_real_trial,
    run_block: RunBlock | None = None,
) -> Iterator[Event]:
    """Run a plan's trials in its order, or only the remaining `slots`.

    The trials of a block take turns, unless the plan forbids it or has one setting; `run_block`
    runs them. Ends early once `cancel` is requested; what was measured is in the events already
    yielded.

    A spec whose trial was refused, such as for a name that the data lacks, is not tried again. A
    plan with a budget, or until it is sure, also ends once `still_open` names no question any more,
    or the time is up.
    `measured`: the trials of the plan from before, if it is resumed.
    """
    todo = plan.slots() if slots is None else tuple(slots)
    budget: Budget | None = None
    if plan.open_ended:
        from core.run.budget import Budget  # brings along what judges

        budget = Budget(plan, still_open, measured)
        plan = budget.plan
    of = plan.least_trials if budget else len(todo)
    yield RunPlanned(plan=plan, trials=of, seconds=seconds_of_plan(plan))
    done = 0
    alone = len(plan.specs) < 2 or (budget is not None and budget.short)
    run_block = run_block or block_runner("off" if alone else plan.turns, plan.seed, run_trial)
    refused: set[str] = set()
    answers = {spec.digest for spec in without_bare_files(plan.specs)}
    run_id = new_run_id()
    with fork_servers(run_id, plan.seed, plan.specs):
        for event in _blocks(todo, run_id, cancel, run_block, budget, of, refused):
            if isinstance(event, TrialEnded):
                done += 1
                if is_refusal(event.trial.outcome):
                    refused.add(event.trial.spec_digest)
                    if refused >= answers:  # a reference alone is of no use
                        refused |= {spec.digest for spec in plan.specs}
            yield event
    ended = done if (budget or refused) and not cancel.requested else of
    yield RunEnded(trials=done, of=max(ended, done), cancelled=cancel.requested)


def _blocks(  # noqa: PLR0913 -- what is run, and what ends it
    slots: Sequence[Slot],
    run_id: str,
    cancel: Cancel,
    run_block: RunBlock,
    budget: Budget | None,
    of: int,
    refused: Collection[str],
) -> Iterator[Event]:
    """Run the slots block by block, until `cancel` is requested or the budget ends the run.

    `refused`: digests of specs that are not tried again; more come while it runs.
    """
    for _, planned in groupby(slots, key=lambda slot: slot.block):
        if cancel.requested:
            return
        block = tuple(slot for slot in planned if slot.spec.digest not in refused)
        if not block:
            continue
        if budget is None:
            yield from run_block(block, run_id, cancel, of)
            continue
        decided = budget.decided
        slots_left = budget.next(block)
        if budget.decided != decided:
            yield Decided(specs=tuple(sorted(budget.decided)))
        if slots_left is None or budget.over:
            return
        if slots_left:
            yield from _within(budget, slots_left, cancel, run_block, run_id, of)


def _within(  # noqa: PLR0913 -- a block, and what ends it
    budget: Budget,
    slots: Sequence[Slot],
    cancel: Cancel,
    run_block: RunBlock,
    run_id: str,
    of: int,
) -> Iterator[Event]:
    """Run one block, and end it once the budget is over."""
    with TimeLimit(math.inf, cancel) as limit:
        for event in run_block(slots, run_id, limit.cancel, of):
            budget.take(event)
            yield event
            if (warning := budget.warning) is not None:
                yield warning
            if budget.over:
                limit.cancel.request()


def carried_out(
    cluster: str, plan: Plan, carry_out: Callable[..., Iterator[Event]]
) -> Iterator[Event]:
    """The events of `carry_out`, such as `run`, on this machine or on the nodes of a cluster.

    On a cluster `carry_out` gets `run_trial` and `run_block`.  Raises SluiceError if it does not
    answer.
    """
    if not cluster:
        yield from carry_out()
        return
    from core.measure import ClusterTrial, Connection

    def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        return ClusterTrial(connection, slot, run_id, cancel).run()

    def run_block(slots: Sequence[Slot], run_id: str, cancel: Cancel, of: int) -> Iterator[Event]:
        in_turns = plan.turns != "off" and len(slots) > 1
        return in_one_piece(run_trial, slots, run_id, cancel, of, _WHOLE if in_turns else "")

    yield _explained(plan, tr("connecting to the cluster {address}", address=cluster))
    with Connection(cluster) as connection:
        yield _explained(plan, tr("measuring on the cluster {address}", address=cluster))
        yield from carry_out(run_trial=run_trial, run_block=run_block)


def _explained(plan: Plan, text: str) -> Explained:
    return Explained(text=text, trials=0, expected=plan.most_trials, seconds=0.0)
