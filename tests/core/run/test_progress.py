"""What is known of a run while it goes on, also where several trials are open at once."""

from __future__ import annotations

import building
import pytest

from core.run import RunProgress
from core.vocabulary import (
    Cancelled,
    Decided,
    Event,
    Moment,
    MomentTaken,
    PhaseChanged,
    RoundBegun,
    RunEnded,
    RunPlanned,
    TrialEnded,
    TrialStarted,
)

pytestmark = pytest.mark.quick

SPECS = tuple(building.spec(threads=threads) for threads in (1, 2))
PLAN = building.plan(list(SPECS), repeats=1)


def moment(at: float, errors: int = 0) -> Moment:
    return Moment(
        at=at, operations=(round(1000 * at),), cpu=(0,), bytes=0, errors=errors, wrong=1, p50=0,
        p99=0, reading=None,
    )  # fmt: skip


def watched(*events: Event) -> RunProgress:
    watch = RunProgress()
    started = [
        TrialStarted(index=index, block=0, of=2, spec=spec) for index, spec in enumerate(SPECS)
    ]
    for event in (RunPlanned(plan=PLAN, trials=2, seconds=9.0), *started, *events):
        watch.take(event)
    return watch


def turns(number: int, left: int) -> tuple[Event, ...]:
    duration = SPECS[0].load.duration
    return (
        RoundBegun(number=number, left=left, trials=(1, 0)),
        PhaseChanged(index=1, phase="measuring"),
        MomentTaken(index=1, moment=moment(duration / 2, errors=2)),
        PhaseChanged(index=0, phase="measuring"),
        MomentTaken(index=0, moment=moment(duration / 4, errors=3)),
    )


def test_that_the_round_and_what_remains_are_named_where_settings_take_turns() -> None:
    watch = watched(*turns(11, 20))
    assert watch.phase == "measuring: round 12 of 31"
    assert watch.what == "2 settings in turns"
    assert watch.rate == ""
    assert watched(*turns(11, 0)).phase == "measuring: round 12"


def test_that_all_open_trials_count_for_what_is_done_and_went_wrong() -> None:
    watch = watched(*turns(0, 20))
    assert watch.within == pytest.approx(0.75, rel=0.02)
    assert (watch.errors, watch.wrong) == (5, 2)
    watch.take(TrialEnded(trial=building.trial(SPECS[1], index=1)))
    assert watch.done == 1
    assert watch.within == pytest.approx(0.25, rel=0.02)
    assert (watch.errors, watch.wrong) == (3, 1)


def test_that_the_trial_that_ended_is_named_and_not_the_one_that_was_heard_of_last() -> None:
    watch = watched(*turns(0, 20))
    watch.take(TrialEnded(trial=building.trial(SPECS[1], index=1)))
    assert watch.ended == watch.name_of(SPECS[1])
    assert watch.ended != watch.name_of(SPECS[0])


def test_that_a_trial_on_its_own_is_named_with_its_rate() -> None:
    watch = RunProgress()
    watch.take(RunPlanned(plan=PLAN, trials=2, seconds=9.0))
    watch.take(TrialStarted(index=0, block=0, of=2, spec=SPECS[0]))
    watch.take(PhaseChanged(index=0, phase="measuring"))
    watch.take(MomentTaken(index=0, moment=moment(1.0)))
    assert watch.phase == "measuring"
    assert watch.what == watch.name_of(SPECS[0])
    assert watch.rate


def test_that_it_is_told_how_many_settings_are_open() -> None:
    watch = watched(*turns(0, 20))
    assert watch.decision == ""
    watch.take(Decided(specs=(SPECS[1].digest,)))
    assert watch.decision == "1 of 2 settings still open"
    assert watch.decided == {SPECS[1].digest}
    watch.take(Decided(specs=(SPECS[0].digest, SPECS[1].digest)))
    assert watch.decision == "no setting is open any more"


def test_that_bare_files_do_not_count_among_the_settings_that_are_decided() -> None:
    bare = building.spec(workload="raw", parameters={"block": 4096})
    watch = RunProgress()
    watch.take(RunPlanned(plan=building.plan([*SPECS, bare]), trials=3, seconds=9.0))
    watch.take(Decided(specs=(SPECS[0].digest, bare.digest)))
    assert watch.decision == "1 of 2 settings still open"


def test_that_a_budget_counts_trials_and_not_how_many_there_will_be() -> None:
    plan = building.plan([building.spec()], repeats=3, budget=1e9)
    watch = watched(RunPlanned(plan=plan, trials=3, seconds=1e9))
    for index in range(5):
        watch.take(TrialEnded(trial=building.trial(building.spec(), index=index)))
    assert watch.count == "5"
    assert 0.0 <= watch.share < 0.01
    watch.take(RunEnded(trials=5, of=5, cancelled=False))
    assert watch.share == 1.0


def test_that_a_spent_budget_is_not_shown_as_done_before_the_end() -> None:
    now = [0.0]
    watch = RunProgress(clock=lambda: now[0])
    plan = building.plan([building.spec()], repeats=3, budget=10.0)
    watch.take(RunPlanned(plan=plan, trials=3, seconds=10.0))
    now[0] = 5.0
    assert watch.share == pytest.approx(0.5)
    now[0] = 12.0
    assert watch.share < 1.0


def test_that_the_share_of_a_run_without_a_budget_is_that_of_its_trials() -> None:
    plan = building.plan([building.spec()], repeats=4)
    watch = watched(RunPlanned(plan=plan, trials=4, seconds=12.0))
    watch.take(TrialEnded(trial=building.trial(building.spec())))
    assert (watch.count, watch.share) == ("1/4", 0.25)


def test_that_preparing_says_how_long_it_will_go_on() -> None:
    now = [100.0]
    watch = RunProgress(clock=lambda: now[0])

    def prepared(done: int, detail: str = "preparing answers") -> str:
        watch.take(
            PhaseChanged(
                index=0, phase="preparing", detail=detail, done=done, total=400, unit="bases"
            )
        )
        return watch.phase

    assert prepared(0) == "preparing: preparing answers 0/400 bases"
    now[0] += 10
    assert prepared(100) == "preparing: preparing answers 100/400 bases, 30 s left"
    assert prepared(0, "opening") == "preparing: opening 0/400 bases"


def test_that_a_trial_that_was_cancelled_is_not_counted_as_measured() -> None:
    cut = building.trial(SPECS[1], index=1, outcome=Cancelled(stage="measuring"))
    watch = watched(
        TrialEnded(trial=building.trial(SPECS[0], index=0)),
        TrialEnded(trial=cut),
        RunEnded(trials=2, of=6, cancelled=True),
    )
    assert watch.kept == 1
