"""One trial on its own, in processes of its own."""

from __future__ import annotations

from core.plan.schedule import Slot
from core.plan.spec import RunSpec
from core.result.result import Trial
from core.trial.cancel import Cancel
from core.trial.live_trial import run_trial
from core.trial.trial_events import TrialEnded


def one_trial(spec: RunSpec) -> Trial:
    """What became of it."""
    events = run_trial(Slot(0, 0, spec), "a-run", Cancel())
    (trial,) = [event.trial for event in events if isinstance(event, TrialEnded)]
    return trial
