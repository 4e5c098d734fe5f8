"""One trial on its own, in processes of its own."""

from __future__ import annotations

from patience import PATIENCE

from core.measure import Cancel, run_trial
from core.run.blocks import new_run_id
from core.vocabulary import Dataset, RunSpec, Slot, Trial, TrialEnded, specify


def one_pass(workload: str, dataset: Dataset, **values: object) -> Trial:
    """What became of a pass over all items, with time enough on a busy machine."""
    load = {"duration": 0.0, "warm_up": 0.0, "stall": PATIENCE, "deadline": 2 * PATIENCE}
    return one_trial(specify(workload, dataset, values | load))


def one_trial(spec: RunSpec) -> Trial:
    """What became of it."""
    events = run_trial(Slot(0, 0, spec), new_run_id(), Cancel())
    (trial,) = [event.trial for event in events if isinstance(event, TrialEnded)]
    return trial
