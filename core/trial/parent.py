"""The near side of the process boundary: runs a trial in children, watches and ends them.

`run_trial` yields events and ends with the trial itself.  Nothing the children do
raises here: failing, crashing, hanging and flooding their output are outcomes.

Its parts: `child_process` is one child, `listener` hears them all, `observer` reads their counters,
`page_cache` prepares the page cache, `watchdog` judges whether the trial can go on, `shutdown` ends
the children, `trial_value` says what has happened, and `live` takes the steps in order.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

from core.errors import SluiceError
from core.plan.schedule import Slot
from core.trial.cancel import Cancel
from core.trial.listener import USUAL_GRACE, Grace, Listener
from core.trial.live_trial import LiveTrial
from core.trial.trial_events import TrialEnded, TrialEvent
from core.trial.trial_value import never_started


def run_trial(
    slot: Slot, run_id: str, cancel: Cancel, *, grace: Grace = USUAL_GRACE
) -> Iterator[TrialEvent]:
    """Run one trial to its end, whatever it is; the last event is its `TrialEnded`."""
    started = time.time()
    with ExitStack() as held:
        try:
            live = LiveTrial(slot, run_id, Listener(cancel), held, grace)
        except (OSError, SluiceError) as error:
            trial = never_started(slot, started, error)
        else:
            yield from live.carry_out()
            yield from live.sweep()
            trial = live.trial(started)
    yield TrialEnded(trial=trial)
