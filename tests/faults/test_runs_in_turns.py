"""Runs in turns with real children: disturbed trials come again, a search outlives a crash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import building
import msgspec
from rigged import RiggedParameters
from running import OPERATIONS, Rig
from test_deaths import AMID

from core.measure import Cancel, describe_environment
from core.run import Session, recorded
from core.run.budget import slots_to_repeat
from core.run.engine import run
from core.run.run_search import run_search
from core.run.sample_layout import SearchTerms
from core.run.search_plan import Search
from core.tell.tables.result_tables import tabulate_trials
from core.vocabulary import (
    Advised,
    Axis,
    Completed,
    Crashed,
    Event,
    MachineNoise,
    Plan,
    Slot,
    Trial,
    TrialEnded,
)

CALM = MachineNoise(seconds=1.0, cores=8, others=0.0, steal=0.0)
DISTURBED = msgspec.structs.replace(CALM, steal=4.0)


def with_noise(events: Iterable[Event], noisy: set[int]) -> Iterator[Event]:
    """The same events, as if the machine had disturbed those trials, and no others."""
    for event in events:
        if isinstance(event, TrialEnded):
            noise = DISTURBED if event.trial.index in noisy else CALM
            yield TrialEnded(trial=msgspec.structs.replace(event.trial, noise=noise, first=None))
        else:
            yield event


def test_that_disturbed_trials_are_measured_again_in_turns_and_replaced(
    rig: Rig, tmp_path: Path
) -> None:
    specs = tuple(rig.spec(pace=0.002, operations=100, threads=threads) for threads in (1, 2, 3))
    plan = Plan(title="repeats", specs=specs, repeats=2, turns="auto")
    machine = describe_environment()
    disturbed = {slot.index for slot in plan.slots() if slot.block == 1 and slot.spec != specs[2]}
    with Session.create(tmp_path / "a.sluice") as session:
        number = session.begin_run(plan, machine, {}, [])

        def carry_out(slots: Sequence[Slot], noisy: set[int]) -> list[Trial]:
            cancel = Cancel()
            events = with_noise(run(plan, cancel, slots=slots), noisy)
            seen = list(recorded(events, session, number))
            cancel.close()
            return [event.trial for event in seen if isinstance(event, TrialEnded)]

        trials = carry_out(plan.slots(), disturbed)
        due = slots_to_repeat(plan, trials, machine)
        assert {slot.index for slot in due} == disturbed
        assert {slot.block for slot in due} == {2}
        again = carry_out(due, set())
        assert slots_to_repeat(plan, trials + again, machine) == ()
        results = session.results(number)
        assert session.remaining(number) == ()
    assert all(trial.valid and len(trial.turns) > 1 for trial in again)
    for result in results:
        blocks = [trial.block for trial in result.finished_trials]
        assert blocks == ([0, 1] if result.spec == specs[2] else [0, 2])
    endings = [cell.text for cell in tabulate_trials(results).column("ending")]
    assert endings.count("completed, disturbed, measured again") == 2
    assert len(endings) == 8


SLOW: dict[str, Any] = {"pace": 0.002, "operations": OPERATIONS}
"""Takes some turns for its operations."""


def test_that_a_child_that_crashes_in_its_turn_fails_only_its_own_setting(rig: Rig) -> None:
    search = Search(
        title="tune rigged",
        base=rig.spec(**SLOW, **AMID),
        parameters=RiggedParameters,
        threads=Axis("threads", (1, 2)),
        second=Axis("act", ("nothing", "segfault")),
        terms=SearchTerms(most_trials=8),
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
