"""One trial on its own, in processes of its own."""

from __future__ import annotations

from patience import PATIENCE

from core.measure.trial.cancel import Cancel
from core.measure.trial.live_trial import run_trial
from core.run.blocks import new_run_id
from core.vocabulary.dataset import Dataset
from core.vocabulary.events import TrialEnded
from core.vocabulary.plan import Slot
from core.vocabulary.spec import RunSpec
from core.vocabulary.specs_from_values import specify
from core.vocabulary.trial import Trial


def one_pass(workload: str, dataset: Dataset, **values: object) -> Trial:
    """What became of a pass over all items, with time enough on a busy machine."""
    load = {"duration": 0.0, "warm_up": 0.0, "stall": PATIENCE, "deadline": 2 * PATIENCE}
    return one_trial(specify(workload, dataset, values | load))


def one_trial(spec: RunSpec) -> Trial:
    """What became of it."""
    events = run_trial(Slot(0, 0, spec), new_run_id(), Cancel())
    (trial,) = [event.trial for event in events if isinstance(event, TrialEnded)]
    return trial
