"""Measuring until it can be told, or until the time is up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judge import advise
from core.judge.comparison import compare
from core.judge.questions import open_settings
from core.measure import Cancel, describe_environment, find_dataset
from core.run import Request, task_of
from core.run.budget import Budget, questions_of
from core.run.engine import run
from core.vocabulary import (
    ENOUGH,
    MOST_REPEATS,
    Axis,
    Cancelled,
    Decided,
    Event,
    MachineNoise,
    Plan,
    RoundBegun,
    RunEnded,
    RunPlanned,
    Slot,
    Trial,
    TrialEnded,
    TrialStarted,
    VerdictKind,
    collect,
)
from core.vocabulary.plan import MOST_BLOCKS

pytestmark = pytest.mark.quick

SPECS = [building.spec(threads=threads) for threads in (1, 2, 4)]
PLAN = building.plan(SPECS, repeats=3, seed=7, budget=1e6)


@pytest.fixture
def cancel() -> Iterator[Cancel]:
    cancel = Cancel()
    yield cancel
    cancel.close()


def measured(slots: Sequence[Slot], run_id: str, cancel: Cancel, of: int) -> Iterator[Event]:
    """A block in which everything goes well."""
    for slot in slots:
        trial = building.trial(slot.spec, index=slot.index)
        yield TrialEnded(trial=msgspec.structs.replace(trial, block=slot.block))


def trials_of(events: Sequence[Event]) -> list[Trial]:
    return [event.trial for event in events if isinstance(event, TrialEnded)]


def decided_in(events: Sequence[Event]) -> list[frozenset[str]]:
    return [frozenset(event.specs) for event in events if isinstance(event, Decided)]


def test_that_only_what_is_open_is_measured_beyond_the_repeats(cancel: Cancel) -> None:
    wanted = [{SPECS[0].digest, SPECS[2].digest}]

    def still_open(trials: Sequence[Trial]) -> list[set[str]]:
        return wanted if len(trials) < 3 * 3 + 2 * 2 else []

    events = list(run(PLAN, cancel, still_open=still_open, run_block=measured))
    counts = Counter(trial.spec_digest for trial in trials_of(events))
    assert counts == {SPECS[0].digest: 5, SPECS[1].digest: 3, SPECS[2].digest: 5}
    assert decided_in(events) == [{SPECS[1].digest}, {spec.digest for spec in SPECS}]
    assert events[-1] == RunEnded(trials=13, of=13, cancelled=False)


def test_that_nothing_is_asked_before_every_setting_was_repeated(cancel: Cancel) -> None:
    seen: list[int] = []

    def still_open(trials: Sequence[Trial]) -> list[set[str]]:
        seen.append(len(trials))
        return []

    events = list(run(PLAN, cancel, still_open=still_open, run_block=measured))
    assert seen == [9]
    assert len(trials_of(events)) == 9


def test_that_a_setting_that_was_decided_is_measured_again_if_it_is_open_again(
    cancel: Cancel,
) -> None:
    answers = iter([[{SPECS[0].digest}], [{SPECS[1].digest}], []])
    events = list(run(PLAN, cancel, still_open=lambda _: next(answers), run_block=measured))
    last = [trial.spec_digest for trial in trials_of(events)][9:]
    assert last == [SPECS[0].digest, SPECS[1].digest]


def sweep_of(rates: Sequence[float], cancel: Cancel) -> tuple[Plan, list[Event]]:
    """A run until it is sure of settings with these rates, each 1 % more in every second block."""
    specs = [building.spec(threads=1 + at) for at in range(len(rates))]
    plan = building.plan(specs, repeats=MOST_REPEATS, until_sure=True)
    of_spec = {spec.digest: rate for spec, rate in zip(specs, rates, strict=True)}

    def waver(slots: Sequence[Slot], run_id: str, cancel: Cancel, of: int) -> Iterator[Event]:
        for at, slot in enumerate(slots):
            rate = of_spec[slot.spec.digest] * (1.01 if (at + slot.block) % 2 else 1.0)
            trial = building.trial(slot.spec, index=slot.index, block=slot.block, rate=rate)
            yield TrialEnded(trial=msgspec.structs.replace(trial, started=100.0 * slot.block + at))

    return plan, list(run(plan, cancel, still_open=questions_of(plan), run_block=waver))


def test_that_what_is_far_behind_is_measured_once_and_the_end_comes_with_the_answer(
    cancel: Cancel,
) -> None:
    plan, events = sweep_of([1000.0, 1900.0, 1890.0, 600.0, 500.0], cancel)
    counts = Counter(trial.spec_digest for trial in trials_of(events))
    assert [counts[spec.digest] for spec in plan.specs[3:]] == [1, 1]
    assert 2 <= counts[plan.specs[1].digest] < MOST_REPEATS
    advice = advise(collect(plan.specs, trials_of(events), describe_environment(), {}))
    assert advice is not None
    assert advice.confident
    assert advice.values == {"threads": 2}
    assert events[-1] == RunEnded(
        trials=len(trials_of(events)), of=len(trials_of(events)), cancelled=False
    )


def test_that_a_run_that_is_never_sure_ends_with_its_most_repeats(cancel: Cancel) -> None:
    plan = msgspec.structs.replace(PLAN, budget=0.0, until_sure=True, repeats=4)
    everything = {spec.digest for spec in SPECS}
    events = list(run(plan, cancel, still_open=lambda _: [everything], run_block=measured))
    assert len(trials_of(events)) == 4 * len(SPECS)


class Watch:
    """A clock that goes on by some seconds for each trial."""

    def __init__(self, seconds: float) -> None:
        self.now, self.seconds = 0.0, seconds

    def __call__(self) -> float:
        return self.now


def blocks_of(budget: Budget, watch: Watch) -> list[set[str]]:
    """The settings of each block that a budget carries out."""
    done: list[set[str]] = []
    for number in range(MOST_BLOCKS):
        slots = budget.next([slot for slot in PLAN.slots() if slot.block == number])
        if slots is None:
            break
        done.append({slot.spec.digest for slot in slots})
        for slot in slots:
            watch.now += watch.seconds
            budget.take(TrialEnded(trial=building.trial(slot.spec, index=slot.index)))
    return done


@given(st.floats(min_value=0.5, max_value=50.0), st.floats(min_value=1.0, max_value=500.0))
def test_that_a_block_begins_only_if_it_fits_into_the_time(seconds: float, time: float) -> None:
    watch = Watch(seconds)
    plan = msgspec.structs.replace(PLAN, budget=time)
    everything = {spec.digest for spec in SPECS}
    budget = Budget(plan, lambda _: [everything], clock=watch)
    blocks = blocks_of(budget, watch)
    assert len(blocks) == max(1, min(MOST_BLOCKS, int(time / (3 * seconds) + 1e-9)))


def test_that_where_time_is_short_only_what_is_open_is_measured_a_third_time() -> None:
    watch = Watch(1.0)
    budget = Budget(
        msgspec.structs.replace(PLAN, budget=8.5), lambda _: [{SPECS[1].digest}], clock=watch
    )
    assert [len(block) for block in blocks_of(budget, watch)] == [3, 3, 1, 1]


def test_that_time_for_a_part_of_a_block_goes_to_whole_questions() -> None:
    """A block of three takes 3 s; of the time, 2 s are left, enough for one of two questions."""
    watch = Watch(1.0)
    questions = [{SPECS[0].digest, SPECS[2].digest}, {SPECS[1].digest, SPECS[2].digest}]
    budget = Budget(msgspec.structs.replace(PLAN, budget=5.5), lambda _: questions, clock=watch)
    assert blocks_of(budget, watch) == [{spec.digest for spec in SPECS}, questions[0]]
    assert not budget.decided, "what there was no time for is not decided"


def test_that_a_disturbed_trial_is_repeated_if_its_setting_is_still_open(cancel: Cancel) -> None:
    """The hypervisor takes a third of the time in the second block, of all settings."""
    steal = {0: 0.0, 1: 0.4, 2: 0.0, 3: 0.0, 4: 0.0}

    def noisy(slots: Sequence[Slot], run_id: str, cancel: Cancel, of: int) -> Iterator[Event]:
        for slot in slots:
            share = steal[slot.block] * slot.spec.load.threads
            noise = MachineNoise(seconds=1.0, cores=8, others=0.0, steal=share)
            trial = building.trial(slot.spec, index=slot.index, block=slot.block, noise=noise)
            yield TrialEnded(trial=trial)

    answers = iter([[{SPECS[0].digest}], [{SPECS[0].digest}], []])
    events = list(run(PLAN, cancel, still_open=lambda _: next(answers), run_block=noisy))
    trials = trials_of(events)
    (disturbed,) = (
        trial for trial in trials if trial.block == 1 and trial.spec_digest == SPECS[0].digest
    )
    assert [(trial.index, trial.block) for trial in trials[9:]] == [
        (disturbed.index, 3),
        (next(s.index for s in PLAN.slots() if s.block == 4 and s.spec == SPECS[0]), 4),
    ]
    (result, *_) = collect(PLAN.specs, trials, building.environment(), {})
    assert [trial.block for trial in result.finished_trials] == [0, 2, 3, 4]


def test_that_the_progress_expects_the_repeats_and_the_whole_time(cancel: Cancel) -> None:
    events = list(run(PLAN, cancel, still_open=lambda _: [], run_block=measured))
    assert events[0] == RunPlanned(plan=PLAN, trials=9, seconds=1e6)


def test_that_a_resumed_run_knows_what_was_told_before(cancel: Cancel) -> None:
    first = list(run(PLAN, cancel, still_open=lambda _: [], run_block=measured))
    before = [*trials_of(first)[:-1], _cancelled(trials_of(first)[-1])]
    done = {trial.index for trial in before[:-1]}
    rest = [slot for slot in PLAN.slots() if slot.index not in done]
    again = run(
        PLAN, cancel, slots=rest, measured=before, still_open=lambda _: [], run_block=measured
    )
    assert [trial.index for trial in trials_of(list(again))] == [before[-1].index]


def test_that_a_resumed_run_has_the_time_that_it_has_not_used() -> None:
    """Two trials of 2 s, an hour's pause, and one more."""
    spec = SPECS[0]
    times = (1000.0, 1005.0, 4605.0)
    before = [
        msgspec.structs.replace(building.trial(spec, index=index), started=started)
        for index, started in enumerate(times)
    ]
    plan = msgspec.structs.replace(PLAN, budget=60.0)
    assert Budget(plan, None, before).plan.budget == pytest.approx(60.0 - 5.0 - 2.0 - 2.0)
    spent = msgspec.structs.replace(PLAN, budget=3.0)
    assert 0.0 < Budget(spent, None, before).plan.budget < 0.1


def _cancelled(trial: Trial) -> Trial:
    return msgspec.structs.replace(trial, outcome=Cancelled(stage="measuring"))


def _trials(plan: Plan, rates: dict[str, Sequence[float]]) -> list[Trial]:
    """Trials of a plan with these rates per block, by the digest of the spec."""
    results = [building.good(spec, *rates[spec.digest]) for spec in plan.specs]
    return [trial for result in results for trial in result.trials]


def test_that_settings_which_may_be_the_best_stay_open_and_slower_ones_do_not() -> None:
    near, far = (100.0, 101.0, 99.0), (10.0, 10.1, 9.9)
    wide = (90.0, 110.0, 100.0)
    rates = dict(zip([spec.digest for spec in SPECS], (near, wide, far), strict=True))
    (left,) = questions_of(PLAN)(_trials(PLAN, rates))
    assert left == {SPECS[0].digest, SPECS[1].digest}


def test_that_a_plainly_best_setting_leaves_nothing_open() -> None:
    rates = {
        spec.digest: tuple(100.0 * factor + jitter for jitter in (-0.2, 0.0, 0.2))
        for spec, factor in zip(SPECS, (1, 2, 4), strict=True)
    }
    assert not questions_of(PLAN)(_trials(PLAN, rates))


def test_that_a_single_setting_is_open_until_its_interval_is_narrow() -> None:
    plan = building.plan(SPECS[:1], repeats=3, budget=60.0)
    wide = {SPECS[0].digest: (80.0, 120.0, 100.0)}
    narrow = {SPECS[0].digest: (99.5, 100.5, 100.0)}
    assert [*questions_of(plan)(_trials(plan, wide))] == [{SPECS[0].digest}]
    assert not questions_of(plan)(_trials(plan, narrow))


def test_that_what_only_explains_is_never_open() -> None:
    plan = building.plan(SPECS[:2], repeats=3, budget=60.0)
    rates = {SPECS[0].digest: (80.0, 120.0, 100.0), SPECS[1].digest: (70.0, 130.0, 100.0)}
    (left,) = questions_of(plan, frozenset({SPECS[1].digest}))(_trials(plan, rates))
    assert left == {SPECS[0].digest}


def test_that_a_pair_is_open_until_its_verdict_is_told() -> None:
    pairs = ((SPECS[0].digest, SPECS[1].digest), (SPECS[0].digest, SPECS[2].digest))
    plan = msgspec.structs.replace(PLAN, pairs=pairs)
    rates = {
        SPECS[0].digest: (99.0, 100.0, 101.0, 100.0, 100.0),
        SPECS[1].digest: (95.0, 105.0, 99.0, 111.0, 100.0),
        SPECS[2].digest: (199.0, 201.0, 200.0, 200.5, 200.0),
    }
    (left,) = questions_of(plan)(_trials(plan, rates))
    assert left == {SPECS[0].digest, SPECS[1].digest}


PLAIN = (100.0, 101.0, 99.0), (109.1, 108.0, 107.5)
"""These show which is the best, but are too few for a verdict, which asks for more."""


def test_that_two_settings_are_open_until_their_verdict_is_told() -> None:
    plan = building.plan(SPECS[:2], repeats=3, budget=60.0)
    rates = dict(zip([spec.digest for spec in plan.specs], PLAIN, strict=True))
    trials = _trials(plan, rates)
    assert not open_settings(collect(plan.specs, trials, building.environment(), {}), {})
    assert [*questions_of(plan)(trials)] == [{SPECS[0].digest, SPECS[1].digest}]
    told = _trials(plan, {digest: 4 * some for digest, some in rates.items()})
    assert compare(*collect(plan.specs, told, building.environment(), {})).kind is (
        VerdictKind.FASTER
    )
    assert not questions_of(plan)(told)


def test_that_what_the_best_threads_bring_is_open_until_its_verdict_is_told() -> None:
    """Which is best is sure from all settings together, before its pair with one thread is."""
    specs = [building.spec(threads=threads) for threads in (1, 2, 4)]
    plan = building.plan(specs, repeats=2, budget=60.0)
    of = (100.0, 104.0), (201.0, 190.0), (150.0, 151.0)
    rates = {spec.digest: some for spec, some in zip(specs, of, strict=True)}
    trials = _trials(plan, rates)
    assert not open_settings(collect(specs, trials, building.environment(), {}), {})
    assert [*questions_of(plan)(trials)] == [{specs[0].digest, specs[1].digest}]
    told = msgspec.structs.replace(plan, repeats=8)
    assert not questions_of(told)(_trials(told, {name: 4 * some for name, some in rates.items()}))


def test_that_versions_are_open_until_each_verdict_is_told() -> None:
    specs = [
        building.spec("command", parameters={"version": version}, threads=threads)
        for version in ("v1", "v2")
        for threads in (1, 2)
    ]
    plan = building.plan(specs, repeats=3, budget=60.0)
    rates = {
        spec.digest: tuple(spec.load.threads * rate for rate in PLAIN[number // 2])
        for number, spec in enumerate(specs)
    }
    trials = _trials(plan, rates)
    assert not open_settings(collect(plan.specs, trials, building.environment(), {}), {})
    one, two, other_one, other_two = (spec.digest for spec in specs)
    assert [*questions_of(plan)(trials)] == [{one, other_one}, {two, other_two}]


def test_that_no_verdict_is_waited_for_between_draws_or_with_what_breaks_a_limit() -> None:
    seeds = building.plan([building.spec(seed=seed) for seed in (1, 2)], repeats=3, budget=60.0)
    rates = dict(zip([spec.digest for spec in seeds.specs], PLAIN, strict=True))
    assert not questions_of(seeds)(_trials(seeds, rates))
    plan = building.plan(SPECS[:2], repeats=3, budget=60.0, terms={"most_files": 1})
    rates = dict(zip([spec.digest for spec in plan.specs], PLAIN, strict=True))
    assert not questions_of(plan)(_trials(plan, rates))


def test_that_a_difference_is_measured_until_it_is_surer_than_a_verdict_asks() -> None:
    """Otherwise looking after every block finds differences that are not there."""
    pairs = ((SPECS[0].digest, SPECS[1].digest),)
    plan = msgspec.structs.replace(PLAN, specs=tuple(SPECS[:2]), pairs=pairs)
    rates = {
        SPECS[0].digest: (100.0, 100.0, 100.0, 100.0, 100.0, 100.0),
        SPECS[1].digest: (103.0, 105.0, 102.0, 104.0, 103.5, 104.5),
    }
    trials = _trials(plan, rates)
    verdict = compare(*collect(plan.specs, trials, building.environment(), {}))
    assert verdict.kind is VerdictKind.FASTER
    assert [*questions_of(plan)(trials)] == [{SPECS[0].digest, SPECS[1].digest}]
    surer = {**rates, SPECS[1].digest: (103.9, 104.1, 104.0, 103.9, 104.1, 104.0)}
    assert not questions_of(plan)(_trials(plan, surer))


def test_that_a_spent_budget_ends_a_block_once_two_settings_can_be_compared(
    cancel: Cancel,
) -> None:
    def obedient(slots: Sequence[Slot], run_id: str, cancel: Cancel, of: int) -> Iterator[Event]:
        for event in measured(slots, run_id, cancel, of):
            if cancel.requested:
                return
            yield event

    plan = msgspec.structs.replace(PLAN, budget=1e-6)
    events = list(run(plan, cancel, still_open=lambda _: [], run_block=obedient))
    assert len(trials_of(events)) == 2
    assert events[-1] == RunEnded(trials=2, of=2, cancelled=False)
    assert not cancel.requested


def test_that_a_spent_budget_waits_for_an_answer_and_for_no_more() -> None:
    watch = Watch(0.0)
    budget = Budget(msgspec.structs.replace(PLAN, budget=10.0), None, clock=watch)
    watch.now = 10.5
    budget.take(RoundBegun(number=ENOUGH, left=5, trials=(0, 1, 2)))
    assert not budget.over
    watch.now = 11.5
    assert budget.over
    budget.take(RoundBegun(number=ENOUGH - 1, left=5, trials=(0, 1, 2)))
    assert not budget.over
    for index in (0, 1):
        budget.take(TrialEnded(trial=building.trial(SPECS[index], index=index)))
    assert budget.over


def test_that_a_budget_that_cannot_hold_is_told_of_as_soon_as_it_shows() -> None:
    """Of three settings the first has not even got ready within half of the time."""
    watch = Watch(0.0)
    budget = Budget(msgspec.structs.replace(PLAN, budget=40.0), None, clock=watch)
    budget.take(TrialStarted(index=0, block=0, of=3, spec=SPECS[0]))
    assert budget.warning is None
    watch.now = 20.0
    told = budget.warning
    assert told is not None
    assert "the time limit is 40 s" in told.text
    assert budget.warning is None, "once is enough"


def test_that_a_budget_that_cannot_hold_is_told_of_before_the_start(tmp_path: Path) -> None:
    place = tmp_path / "some.bin"
    place.write_bytes(bytes(1 << 16))
    data = find_dataset("raw", place)
    values = {"duration": 20.0}
    wanted = Request(workload="raw", values=values, axes=(Axis("threads", (1, 2)),), floor=False)
    assert task_of(wanted, data).warnings == ()
    short = task_of(msgspec.structs.replace(wanted, budget=30.0), data)
    assert any("the time limit is 30 s" in said for said in short.warnings)
    assert task_of(msgspec.structs.replace(wanted, budget=90.0), data).warnings == ()
