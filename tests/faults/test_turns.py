"""The table of deaths where settings take turns: each ends as its own outcome, the others go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from running import OPERATIONS, Rig, bare
from test_deaths import DEATHS, HANGS, Death, valid

from core.cancel import Cancel
from core.engine import run
from core.events import Event, MomentTaken, PhaseChanged, RoundBegun, TrialEnded, TrialKept
from core.outcome import Cancelled, Completed, Crashed, TimedOut
from core.plan import Plan
from core.result import Trial
from core.turns import Rotation

STEADY: dict[str, Any] = {"pace": 0.002, "operations": OPERATIONS}
"""Takes some turns for its operations, and dies of nothing."""


@dataclass
class Company:
    """Settings that take turns, and what is seen of them."""

    events: list[Event] = field(default_factory=list)
    seconds: float = 0.0
    """From the cancelling to the end."""

    @property
    def trials(self) -> list[Trial]:
        """In the order of the plan's specs, as far as they were begun."""
        return [event.trial for event in self.events if isinstance(event, TrialEnded)]

    def of(self, rig: Rig, **wishes: Any) -> Trial:
        digest = rig.spec(**wishes).digest
        (found,) = [trial for trial in self.trials if trial.spec_digest == digest]
        return found

    def run(
        self,
        rig: Rig,
        settings: Sequence[dict[str, Any]],
        *,
        until: Callable[[Event], bool] = lambda event: False,
        rotation: Rotation | None = None,
    ) -> Company:
        """Run one block of these; cancel at the first event that has reached where it should."""
        specs = tuple(rig.spec(**wishes) for wishes in settings)
        plan = Plan(title="turns", specs=specs, repeats=1, turns="auto")
        cancel = Cancel()
        asked = 0.0
        for event in run(plan, cancel, run_block=rotation):
            self.events.append(event)
            if not asked and until(event):
                asked = time.monotonic()
                cancel.request()
        self.seconds = time.monotonic() - asked if asked else 0.0
        cancel.close()
        return self


def in_turns(trial: Trial) -> bool:
    return len(trial.turns) > 1 and sum(one.operations for one in trial.turns) == trial.operations


def slow(wishes: dict[str, Any]) -> dict[str, Any]:
    """The same wishes at a pace at which there are several turns before it happens."""
    return {"pace": 0.002} | wishes


@pytest.mark.parametrize("death", DEATHS, ids=lambda death: death.name)
def test_that_a_death_in_turns_has_its_outcome_and_the_other_goes_on(
    rig: Rig, death: Death
) -> None:
    company = Company().run(rig, [slow(death.wishes), STEADY])
    trial = company.of(rig, **slow(death.wishes))
    assert bare(trial.outcome) == death.outcome, trial
    for holds in death.also:
        assert holds(trial), trial
    other = company.of(rig, **STEADY)
    assert valid(other), other
    assert in_turns(other), other


@pytest.mark.parametrize("hang", HANGS, ids=lambda hang: str(hang[0]))
def test_that_a_hanging_child_is_ended_as_stalled_and_the_other_goes_on(
    rig: Rig, hang: tuple[dict[str, Any], str, Callable[[Trial], bool]]
) -> None:
    wishes, stage, kept = hang
    hanging = slow(wishes | {"stall": rig.patience})
    company = Company().run(rig, [hanging, STEADY])
    trial = company.of(rig, **hanging)
    assert trial.outcome == TimedOut(stage=stage, limit=rig.patience, stalled=True)
    assert kept(trial)
    assert valid(company.of(rig, **STEADY))


def test_that_limits_on_time_leave_out_the_time_that_a_trial_waits(rig: Rig) -> None:
    """The slow one's turns take far longer than the other may stall."""
    quick = STEADY | {"operations": 300, "stall": rig.patience, "deadline": 900}
    lame = {"pace": rig.patience * 1.2, "operations": 2, "stall": 300, "deadline": 900}
    company = Company().run(rig, [quick, lame])
    assert company.of(rig, **quick).outcome == Completed()
    assert company.of(rig, **lame).outcome == Completed()


def test_that_a_deadline_counts_the_own_turns_of_a_trial(rig: Rig) -> None:
    late = {"pace": 0.01, "operations": 10**6, "deadline": rig.patience}
    company = Company().run(rig, [late, STEADY])
    trial = company.of(rig, **late)
    assert trial.outcome == TimedOut(stage="measuring", limit=rig.patience, stalled=False)
    assert trial.counters  # it heeded the stop and was verified
    assert valid(company.of(rig, **STEADY))


def test_that_a_child_that_dies_while_it_waits_ends_its_own_trial(rig: Rig) -> None:
    """A thread that the job left behind kills its process, whoever has the turn."""
    dying = STEADY | {"act": "die-later", "at": "open", "operations": 10**6}
    company = Company().run(rig, [dying, STEADY | {"operations": 2000}])
    assert bare(company.of(rig, **dying).outcome) == Crashed(stage="measuring", signal="SIGKILL")
    assert valid_but_for_count(company.of(rig, **STEADY | {"operations": 2000}))


def valid_but_for_count(trial: Trial) -> bool:
    return trial.valid and not trial.notes


def worked(times: int) -> Callable[[Event], bool]:
    seen = []

    def reached(event: Event) -> bool:
        if isinstance(event, MomentTaken) and sum(event.moment.operations) > 0:
            seen.append(event)
        return len(seen) >= times

    return reached


LONG: dict[str, Any] = {"pace": 0.001, "operations": 10**9}
CANCELLINGS = (
    ([LONG, LONG | {"threads": 2}, LONG | {"processes": 2}], worked(8), "measuring"),
    ([LONG, LONG | {"act": "hang", "first": 20}], worked(2), "measuring"),
    ([LONG, LONG | {"act": "hang-gil", "first": 20}], worked(2), "measuring"),
    (
        [LONG, LONG | {"act": "hang-deaf", "at": "open"}],
        lambda event: isinstance(event, PhaseChanged) and event.phase == "preparing",
        "",
    ),
)


@pytest.mark.parametrize("case", CANCELLINGS, ids=lambda case: str(case[0][1]))
def test_that_cancelling_ends_all_that_take_turns_within_a_second(
    rig: Rig, pace: float, case: tuple[list[dict[str, Any]], Callable[[Event], bool], str]
) -> None:
    settings, until, stage = case
    company = Company().run(rig, settings, until=until)
    assert company.trials
    assert all(isinstance(trial.outcome, Cancelled) for trial in company.trials)
    if stage:
        assert len(company.trials) == len(settings)
        assert sum(trial.operations > 0 for trial in company.trials) > 1
    assert company.seconds <= max(1.0, 2 * pace)


def test_that_the_rounds_give_everybody_one_turn_in_an_order_of_their_own(rig: Rig) -> None:
    settings = [STEADY | {"threads": threads} for threads in (1, 2, 3)]
    company = Company().run(rig, [one | {"operations": 3000} for one in settings])
    rounds = [event for event in company.events if isinstance(event, RoundBegun)]
    assert [event.number for event in rounds] == list(range(len(rounds)))
    assert {frozenset(event.trials) for event in rounds[:5]} == {frozenset((0, 1, 2))}
    assert len({event.trials for event in rounds}) > 1
    for trial in company.trials:
        assert in_turns(trial)
        assert [one.round for one in trial.turns] == sorted({one.round for one in trial.turns})


def test_that_a_trial_has_its_own_time_and_no_more_in_turns(rig: Rig) -> None:
    timed = [
        {"duration": duration, "pace": 0.002, "operations": 0, "threads": threads}
        for duration, threads in ((1.0, 1), (2.0, 2))
    ]
    company = Company().run(rig, timed)
    for wishes in timed:
        trial = company.of(rig, **wishes)
        assert trial.valid, trial
        assert trial.elapsed == pytest.approx(wishes["duration"], rel=0.3)
        assert trial.last_done == pytest.approx(wishes["duration"], rel=0.3)
        assert trial.moments[-1].at == pytest.approx(wishes["duration"], rel=0.5)
        # Nobody works while another has the turn: each answers what its own time allows.
        assert trial.operations <= wishes["duration"] / 0.002 * wishes["threads"] * 1.3
    short, long = (company.of(rig, **wishes).turns for wishes in timed)
    # The shorter one is spread over the same time as the longer one.
    assert short[-1].began > 0.6 * long[-1].began


def test_that_an_operation_longer_than_a_slice_ends_before_the_turn_passes_on(rig: Rig) -> None:
    lame = {"pace": 0.3, "operations": 6, "warm_up": 0}
    company = Company().run(rig, [lame, STEADY])
    trial = company.of(rig, **lame)
    assert trial.outcome == Completed()
    assert all(one.operations >= 1 for one in trial.turns)
    assert in_turns(trial)


@dataclass
class Narrow:
    """A machine with room for so many settings."""

    most: int
    alive: list[int] = field(default_factory=list)

    def another(self, taken: Sequence[int], processes: int) -> bool:
        assert all(size > 0 for size in taken)
        self.alive.append(len(taken))
        return len(taken) < self.most


@pytest.mark.parametrize("most", [1, 2, 3])
def test_that_settings_without_room_for_all_come_in_groups_with_an_anchor(
    rig: Rig, most: int
) -> None:
    settings = [
        {"duration": 0.6, "pace": 0.002, "operations": 0, "threads": threads}
        for threads in (1, 2, 3, 4, 5)
    ]
    room = Narrow(most)
    company = Company().run(rig, settings, rotation=Rotation(seed=1, room=room))
    assert len(company.trials) == 5
    assert all(trial.valid for trial in company.trials), company.trials
    assert max(room.alive) <= most
    if most == 1:
        return
    rounds = {trial.index: {one.round for one in trial.turns} for trial in company.trials}
    everywhere = [
        index for index, own in rounds.items() if all(own & others for others in rounds.values())
    ]
    assert everywhere == [0]  # the first of the block's order


def test_that_trials_in_turns_are_told_before_their_end(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.turns.KEPT_EVERY", 0.2)
    company = Company().run(rig, [STEADY | {"operations": 1000}, STEADY])
    kept = [event.trial for event in company.events if isinstance(event, TrialKept)]
    assert kept
    for trial in kept:
        assert isinstance(trial.outcome, Cancelled)
        assert trial.operations > 0
        assert trial.throughput is None


@pytest.fixture
def rigged_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from rigged import Rigged

    monkeypatch.setattr(Rigged, "turns", False)


@pytest.mark.usefixtures("rigged_apart")
def test_that_a_workload_that_cannot_stand_still_runs_in_one_piece_and_says_so(rig: Rig) -> None:
    company = Company().run(rig, [STEADY, STEADY | {"threads": 2}])
    assert all(trial.valid and not trial.slices and trial.apart for trial in company.trials)


def test_that_a_cold_page_cache_runs_in_one_piece_and_says_so(rig: Rig) -> None:
    cold = STEADY | {"page_cache": "cold"}
    settings = [STEADY, STEADY | {"threads": 2}, cold]
    company = Company().run(rig, settings)
    assert company.of(rig, **cold).apart
    assert not company.of(rig, **cold).slices
    assert all(in_turns(company.of(rig, **wishes)) for wishes in settings[:2])


def test_that_a_single_setting_runs_in_one_piece(rig: Rig) -> None:
    (trial,) = Company().run(rig, [STEADY]).trials
    assert trial.valid
    assert not trial.slices
    assert not trial.apart
