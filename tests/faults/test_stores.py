"""What trials do for workloads whose data is in a store elsewhere."""

from __future__ import annotations

import re
from typing import Any

import rigged_store
from patience import PATIENCE
from running import LOAD, Rig, carried_out

from core.plan.schedule import Slot
from core.plan.specify import specify
from core.result.outcome import Completed, Failed, TimedOut
from core.result.result import Trial

OPERATIONS = 60


def trial(rig: Rig, **values: Any) -> Trial:
    load: dict[str, Any] = {**LOAD, "operations": OPERATIONS, "threads": 2}
    return carried_out(Slot(0, 0, specify(rigged_store.NAME, rig.data, load | values)))


def test_that_what_is_counted_live_is_in_every_moment_and_in_the_counters(rig: Rig) -> None:
    done = trial(rig, warm_up=0.01)
    assert done.outcome == Completed()
    assert done.counters == {
        "retries": 2 * OPERATIONS,
        "503": 0,
        "backoff seconds": OPERATIONS / 4,
    }
    assert all(list(one.tallies) == list(rigged_store.TALLIES) for one in done.moments)
    assert done.moments[-1].tallies == done.counters
    assert done.tallies == rigged_store.TALLIES


def test_that_what_was_counted_is_known_of_a_trial_that_hangs(rig: Rig) -> None:
    seconds = max(3.0, 6 * rig.pace)
    while True:
        done = trial(rig, act="hang", operations=100, threads=1, deadline=seconds, stall=PATIENCE)
        assert isinstance(done.outcome, TimedOut)
        if done.outcome.stage == "measuring" or seconds > PATIENCE:
            break
        seconds *= 4
    assert done.counters["retries"] == 200


def test_that_more_than_eight_tallies_are_a_mistake_of_the_workload(rig: Rig) -> None:
    done = trial(rig, act="miscount")
    assert isinstance(done.outcome, Failed)
    assert re.search("at most 8 tallies", done.outcome.message)
