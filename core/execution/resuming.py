"""Goes on with a run that was interrupted, from where it stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.execution.cluster_words import cluster_of
from core.execution.request import Task, rest_of_plan
from core.plan.floor import require_data
from core.session.plan_trust import require_trust

if TYPE_CHECKING:
    from core.result.result import Trial
    from core.session import Run, Session


@dataclass(frozen=True, kw_only=True)
class Rest:
    """What is left of a run, and what it has."""

    run: Run
    trials: tuple[Trial, ...]
    """Its trials that are not measured again."""
    task: Task


def rest_of_run(session: Session, number: int) -> Rest:
    """What measures the rest of a run.

    Raises NotTrusted for a run from elsewhere, DatasetError without its data, and what
    `check_cluster` raises.
    """
    run = session.run(number)
    require_trust(run)
    require_data(run.plan.specs)
    trials = session.trials(number)
    slots = session.remaining(number, trials)
    again = {slot.index for slot in slots}
    kept = tuple(trial for trial in trials if trial.index not in again)
    task = rest_of_plan(run.plan, slots, kept, cluster_of(run.command))
    return Rest(run=run, trials=kept, task=task)
