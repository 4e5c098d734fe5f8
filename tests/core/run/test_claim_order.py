"""A study with a budget is measured claim by claim."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import building
import msgspec
import pytest

from core.judge import load_study, open_claims
from core.run.budget import Budget
from core.run.claim_order import ClaimOrder, TimeOf
from core.vocabulary import FEWEST_TO_STOP, Crashed, RunSpec, Trial, TrialEnded

pytestmark = pytest.mark.quick

_WHOLE = load_study("svfs-threads")
STUDY = msgspec.structs.replace(_WHOLE, claims=_WHOLE.claims[3:5])
"""Claims that 64 threads neither gain nor lose: coalesced, then split."""
SPECS = {
    label: result.spec
    for label, result in STUDY.results_by_label(building.study_of_costs()).items()
}
PLAN = building.plan(list(SPECS.values()), repeats=3, study=STUDY.name, budget=600.0)
FIRST = {"Python coalesced, 1 thread", "Python coalesced, 64 threads"}
SECOND = {"Python un-coalesced, split by 1 thread", "Python un-coalesced, split by 64 threads"}
STEADY = (100.0, 100.1, 99.9)


@pytest.fixture
def order() -> ClaimOrder:
    return ClaimOrder(PLAN, STUDY, building.environment())


def seconds_each(seconds: float, slow: Collection[str] = (), slowness: float = 1.0) -> TimeOf:
    """So many for a trial of any cell, and `slowness` times as many for those with these labels."""
    digests = {SPECS[label].digest for label in slow}

    def time_of(specs: Iterable[RunSpec]) -> float:
        return sum(seconds * (slowness if spec.digest in digests else 1.0) for spec in specs)

    return time_of


def labels(digests: Collection[str]) -> set[str]:
    return {label for label, spec in SPECS.items() if spec.digest in digests}


def trials(cells: Collection[str], rates: Sequence[float]) -> list[Trial]:
    """A trial of each cell in each block; the cells differ in how their noise falls."""
    return [
        building.trial(
            SPECS[label],
            index=100 * block + list(SPECS).index(label),
            block=block,
            rate=rates[(block + place) % len(rates)],
        )
        for place, label in enumerate(sorted(cells))
        for block in range(len(rates))
    ]


def test_that_a_block_holds_the_cells_of_one_claim_until_it_is_told(order: ClaimOrder) -> None:
    assert labels(order.next([], seconds_each(1.0), 600.0).block) == FIRST
    too_few = trials(FIRST, STEADY[:2])
    assert labels(order.next(too_few, seconds_each(1.0), 600.0).block) == FIRST
    told = order.next(trials(FIRST, STEADY), seconds_each(1.0), 600.0)
    assert labels(told.block) == SECOND
    assert labels(told.decided) == FIRST


def test_that_the_claim_that_takes_least_time_comes_first(order: ClaimOrder) -> None:
    time_of = seconds_each(1.0, slow=FIRST, slowness=20.0)
    assert labels(order.next([], time_of, 600.0).block) == SECOND
    wide = trials(SECOND, (100.0, 140.0, 75.0, 60.0))
    assert labels(order.next(wide, seconds_each(1.0), 600.0).block) == FIRST, "that takes five"


def test_that_a_claim_that_cannot_be_told_in_time_waits_and_then_gets_the_rest(
    order: ClaimOrder,
) -> None:
    wide = trials(FIRST, (100.0, 140.0, 75.0, 60.0))
    time_of = seconds_each(1.0, slow=SECOND, slowness=4.0)
    assert labels(order.next(wide, time_of, 600.0).block) == SECOND
    told = [*wide, *trials(SECOND, STEADY)]
    assert labels(order.next(told, time_of, 3.0).block) == FIRST


def test_that_cells_which_no_claim_needs_come_last_and_as_many_as_fit(order: ClaimOrder) -> None:
    told = [*trials(FIRST, STEADY), *trials(SECOND, STEADY)]
    rest = order.next(told, seconds_each(1.0), 4.5)
    assert len(rest.block) == 4
    assert not labels(rest.block) & (FIRST | SECOND)
    assert not order.next(told, seconds_each(1.0), 0.5).block


def test_that_a_cell_that_fails_is_not_waited_for(order: ClaimOrder) -> None:
    crash = Crashed(stage="measuring", signal="SIGSEGV")
    broken = [msgspec.structs.replace(one, outcome=crash) for one in trials(FIRST, STEADY[:1])]
    assert labels(order.next(broken, seconds_each(1.0), 600.0).block) == SECOND


def test_that_a_budget_ends_with_the_claims_for_which_there_was_time() -> None:
    now = 0.0
    plan = msgspec.structs.replace(PLAN, budget=30.0)
    budget = Budget(plan, None, clock=lambda: now)
    blocks: list[set[str]] = []
    for number in range(20):
        slots = budget.next([slot for slot in plan.slots() if slot.block == number])
        if slots is None:
            break
        blocks.append(labels([slot.spec.digest for slot in slots]))
        for slot in slots:
            now += 2.0
            rate = 1e6 / slot.spec.load.threads
            trial = building.trial(slot.spec, index=slot.index, block=slot.block, rate=rate)
            budget.take(TrialEnded(trial=trial))
    cells = [{claim.cell, claim.to} for claim in _WHOLE.claims if claim.kind == "ratio"]
    assert all(block in cells for block in blocks[:-1])
    assert blocks[0] == blocks[1] == blocks[2] != blocks[3]
    assert 24.0 <= now <= 30.0


def test_that_a_claim_of_no_difference_is_expected_to_take_longer_than_one_of_a_direction() -> None:
    """Before anything is measured: that nothing is gained by as much as 5 % takes many trials."""
    study = load_study("geotrellis-writers", 2.0)
    cells = {label for claim in study.claims for label in (claim.cell, claim.to)}
    first, second, *_ = open_claims(study, {}, cells)
    assert first.more == FEWEST_TO_STOP
    assert second.more is not None
    assert second.more > first.more


def test_that_one_trial_of_a_claim_of_which_little_is_seen_is_enough_to_go_on_to_the_next() -> None:
    """Of the directions of two stores: without a gain one takes long to tell."""
    study = load_study("svfs-threads")
    study = msgspec.structs.replace(study, claims=study.claims[:2])
    order = ClaimOrder(PLAN, study, building.environment())
    first, second = ({claim.cell, claim.to} for claim in study.claims)
    assert labels(order.next([], seconds_each(1.0), 60.0).block) == first
    same = order.next(trials(first, (100.0,)), seconds_each(1.0), 60.0)
    assert labels(same.block) == second
    plain = [
        building.trial(SPECS[label], index=at, rate=100.0 + 100.0 * (label == study.claims[0].to))
        for at, label in enumerate(sorted(first))
    ]
    assert labels(order.next(plain, seconds_each(1.0), 60.0).block) == first


def test_that_a_block_in_which_a_cell_was_measured_before_is_left_for_the_next() -> None:
    """A resumed run offers what is left of each block; cells of a claim are measured together."""
    budget = Budget(PLAN, None)
    needed = {slot.spec.digest for slot in budget.next(PLAN.slots()[: len(PLAN.specs)]) or ()}
    assert len(needed) == 2
    rest = [slot for slot in PLAN.slots()[: len(PLAN.specs)] if slot.spec.digest != min(needed)]
    assert budget.next(rest) == ()
