"""Disturbed trials are measured again: once, not too often, and never because of their figures."""

from __future__ import annotations

from collections import Counter

import building
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.run.budget import slots_to_repeat
from core.vocabulary import (
    Cancelled,
    Crashed,
    MachineNoise,
    Plan,
    Slot,
    Trial,
    counted,
    is_disturbed,
)

pytestmark = pytest.mark.quick

SPECS = tuple(building.spec(threads=threads) for threads in (1, 2, 4))
MACHINE = building.environment()


def measured(slot: Slot, share: float, rate: float = 1000.0, **rest: object) -> Trial:
    """A trial in which the hypervisor took this share of the time that its workers wanted."""
    steal = share * slot.spec.load.threads
    return building.trial(
        slot.spec,
        index=slot.index,
        block=slot.block,
        rate=rate,
        noise=MachineNoise(seconds=1.0, cores=8, others=0.0, steal=steal),
        **rest,  # type: ignore[arg-type]
    )


def plan_of(repeats: int) -> Plan:
    return building.plan(SPECS, repeats=repeats, seed=3)


def test_that_the_disturbed_slots_come_again_in_a_block_after_all_others() -> None:
    plan = plan_of(2)
    slots = plan.slots()
    trials = [measured(slot, 0.6 if slot.index in (1, 3) else 0.0) for slot in slots]
    again = slots_to_repeat(plan, trials, MACHINE)
    assert {slot.index for slot in again} == {1, 3}
    assert all(slot.spec == slots[slot.index].spec for slot in again)
    assert min(slot.block for slot in again) == 2


def test_that_the_most_disturbed_trial_of_a_spec_comes_first() -> None:
    plan = plan_of(3)
    own = [slot for slot in plan.slots() if slot.spec == SPECS[0]]
    trials = [measured(slot, share) for slot, share in zip(own, (0.4, 0.8, 0.6), strict=True)]
    again = slots_to_repeat(plan, trials, MACHINE)
    assert [slot.index for slot in again] == [own[1].index, own[2].index, own[0].index]
    assert [slot.block for slot in again] == [3, 4, 5]


def test_that_what_crashed_or_was_cancelled_or_wrong_is_not_measured_again() -> None:
    plan = plan_of(1)
    one, two, three = plan.slots()
    trials = [
        measured(one, 0.6, outcome=Crashed(stage="measuring", signal="SIGBUS")),
        measured(two, 0.6, outcome=Cancelled(stage="measuring")),
        measured(three, 0.6, wrong=1),
    ]
    assert slots_to_repeat(plan, trials, MACHINE) == ()


def test_that_a_search_repeats_nothing_by_itself() -> None:
    plan = building.plan(SPECS, adaptive=True)
    trials = [measured(Slot(0, 0, SPECS[0]), 0.6)]
    assert slots_to_repeat(plan, trials, MACHINE) == ()


shares = st.lists(st.sampled_from([0.0, 0.04, 0.06, 0.6]), min_size=60, max_size=60)


@given(repeats=st.integers(1, 5), noise=shares, done=st.integers(0, 15))
def test_that_repeating_ends_and_each_slot_is_repeated_once_at_most(
    repeats: int, noise: list[float], done: int
) -> None:
    plan = plan_of(repeats)
    drawn = iter(noise)
    trials = [measured(slot, next(drawn)) for slot in plan.slots()[:done]]
    planned = len(trials)
    disturbed = {trial.index for trial in trials if is_disturbed(trial, MACHINE)}
    for _ in range(repeats + 1):
        due = slots_to_repeat(plan, trials, MACHINE)
        if not due:
            break
        first = [slot for slot in due if slot.block == due[0].block]
        assert len({slot.spec.digest for slot in first}) == len(first)
        assert first[0].block > max(trial.block for trial in trials)
        trials += [measured(slot, next(drawn)) for slot in first]
    assert slots_to_repeat(plan, trials, MACHINE) == ()
    again = Counter(trial.index for trial in trials[planned:])
    assert set(again) <= disturbed
    assert set(again.values()) <= {1}
    of_spec = Counter(trial.spec_digest for trial in trials[planned:])
    assert max(of_spec.values(), default=0) <= repeats
    counting = counted(trials, MACHINE)
    assert len(counting) == planned
    assert {trial.index for trial in counting} == {trial.index for trial in trials}


@given(st.lists(st.floats(100.0, 1e6), min_size=6, max_size=6), shares)
def test_that_what_is_repeated_does_not_depend_on_what_the_trials_reached(
    rates: list[float], noise: list[float]
) -> None:
    plan = plan_of(2)
    usual, other = (
        [
            measured(slot, share, rate)
            for slot, share, rate in zip(plan.slots(), noise, speeds, strict=False)
        ]
        for speeds in ([1000.0] * 6, rates)
    )
    assert slots_to_repeat(plan, usual, MACHINE) == slots_to_repeat(plan, other, MACHINE)


def test_that_a_machine_that_is_busy_all_the_time_costs_one_block_of_repeats() -> None:
    plan = plan_of(5)
    trials = [measured(slot, 0.6) for slot in plan.slots()]
    blocks = 0
    while due := slots_to_repeat(plan, trials, MACHINE):
        blocks += 1
        trials += [measured(slot, 0.4) for slot in due if slot.block == due[0].block]
    assert blocks == 1


def test_that_a_repeat_that_was_cut_off_is_due_once_more() -> None:
    plan = plan_of(1)
    trials = [measured(slot, 0.6 if slot.index == 0 else 0.0) for slot in plan.slots()]
    (due,) = slots_to_repeat(plan, trials, MACHINE)
    trials.append(measured(due, 0.0, outcome=Cancelled(stage="measuring")))
    (again,) = slots_to_repeat(plan, trials, MACHINE)
    assert again.index == due.index
    assert again.block > due.block
