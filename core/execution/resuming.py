"""Goes on with a run that was interrupted, from where it stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import SluiceError, UnknownName
from core.execution.cluster_words import cluster_of
from core.execution.task import Task, rest_of_plan
from core.language.translation import tr
from core.plan.floor import found_again, require_data
from core.session.plan_trust import require_trust

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.catalog.dataset import Dataset
    from core.plan.spec import RunSpec
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


def data_changes(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """How the data differs from what these were planned for, as far as that can be told.

    Raises DatasetError where it is gone.  It takes as long as looking at all files.
    """
    require_data(specs)
    datasets = dict.fromkeys(spec.dataset for spec in specs)
    return tuple(change for change in map(_change, datasets) if change)


def _change(dataset: Dataset) -> str:
    try:
        found_again(dataset)
    except UnknownName:
        place = dataset.location
        return tr("{path} cannot be compared: nobody knows its kind here", path=place)
    except SluiceError as error:
        return error.cause
    return ""
