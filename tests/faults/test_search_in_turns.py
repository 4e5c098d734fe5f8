"""A search in turns among settings of which one kills its child."""

from __future__ import annotations

from typing import Any

import building
from rigged import RiggedParameters
from running import OPERATIONS, Rig
from test_deaths import AMID

from core.execution.events import Advised
from core.execution.run_search import run_search
from core.execution.sample_layout import Terms
from core.execution.search_plan import Search
from core.plan.sweep import Axis
from core.result.outcome import Completed, Crashed
from core.trial.cancel import Cancel
from core.trial.trial_events import TrialEnded

SLOW: dict[str, Any] = {"pace": 0.002, "operations": OPERATIONS}
"""Takes some turns for its operations."""


def test_that_a_child_that_crashes_in_its_turn_fails_only_its_own_setting(rig: Rig) -> None:
    search = Search(
        title="tune rigged",
        base=rig.spec(**SLOW, **AMID),
        parameters=RiggedParameters,
        threads=Axis("threads", (1, 2)),
        second=Axis("act", ("nothing", "segfault")),
        terms=Terms(most_trials=8),
    )
    cancel = Cancel()
    events = list(run_search(search, building.environment(), cancel))
    cancel.close()
    trials = [event.trial for event in events if isinstance(event, TrialEnded)]
    (advised,) = [event for event in events if isinstance(event, Advised)]
    dead = [trial for trial in trials if isinstance(trial.outcome, Crashed)]
    others = [trial for trial in trials if trial not in dead]
    assert {trial.outcome.signal for trial in dead if isinstance(trial.outcome, Crashed)} == {
        "SIGSEGV"
    }
    assert len({trial.spec_digest for trial in dead}) == len(dead)
    assert all(isinstance(trial.outcome, Completed) for trial in others)
    # They took their turns beside others, which went on.
    for one in dead:
        block = [trial for trial in others if trial.block == one.block]
        assert block
        assert all(len(trial.turns) > 1 for trial in block)
    assert {dict(values)["act"] for values, _ in advised.advice.refused} == {"segfault"}
    assert advised.advice.values["act"] != "segfault"
