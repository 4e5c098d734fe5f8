"""One trial on its own, in processes of its own."""

from __future__ import annotations

from patience import PATIENCE

from core.catalog.dataset import Dataset
from core.execution.engine import new_run_id
from core.plan.schedule import Slot
from core.plan.spec import RunSpec
from core.plan.specify import specify
from core.result.result import Trial
from core.trial.cancel import Cancel
from core.trial.live_trial import run_trial
from core.trial.trial_events import TrialEnded


def one_pass(workload: str, dataset: Dataset, **values: object) -> Trial:
    """What became of a pass over all items, with time enough on a busy machine."""
    load = {"duration": 0.0, "warm_up": 0.0, "stall": PATIENCE, "deadline": 2 * PATIENCE}
    return one_trial(specify(workload, dataset, values | load))


def one_trial(spec: RunSpec) -> Trial:
    """What became of it."""
    events = run_trial(Slot(0, 0, spec), new_run_id(), Cancel())
    (trial,) = [event.trial for event in events if isinstance(event, TrialEnded)]
    return trial
