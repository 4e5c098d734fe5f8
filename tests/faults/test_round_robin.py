"""The table of deaths where settings take turns: each ends as its own outcome, the others go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
import pytest
from leftovers import nothing_left_of_it
from patience import PATIENCE
from running import OPERATIONS, PATIENT, Rig, bare
from test_deaths import DEATHS, HANGS, Death, late, valid

from core.measure import Cancel
from core.run.engine import run
from core.run.round_robin import RoundRobin
from core.vocabulary import (
    ENOUGH,
    Cancelled,
    Completed,
    Crashed,
    Dataset,
    Event,
    MomentTaken,
    PhaseChanged,
    Plan,
    RoundBegun,
    Trial,
    TrialEnded,
    TrialKept,
    item_of,
)

STEADY: dict[str, Any] = {"pace": 0.002, "operations": OPERATIONS}
"""Takes some turns for its operations, and dies of nothing."""
AT_ONCE = 5
"""Deaths that take turns in one block."""


@dataclass
class Company:
    """Settings that take turns, and what is seen of them."""

    events: list[Event] = field(default_factory=list)
    seconds: float = 0.0
    """From the cancelling to the end."""
    turning: float = 0.0
    """From the first round to the end."""

    @property
    def trials(self) -> list[Trial]:
        """In the order of the plan's specs, as far as they were begun."""
        return [event.trial for event in self.events if isinstance(event, TrialEnded)]

    @property
    def rounds(self) -> list[RoundBegun]:
        return [event for event in self.events if isinstance(event, RoundBegun)]

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
        round_robin: RoundRobin | None = None,
        workload: str = "rigged:Rigged",
    ) -> Company:
        """Run one block of these; cancel at the first event that has reached where it should."""
        specs = tuple(
            msgspec.structs.replace(rig.spec(**wishes), workload=workload) for wishes in settings
        )
        plan = Plan(title="turns", specs=specs, repeats=1, turns="auto")
        cancel = Cancel()
        asked = begun = 0.0
        for event in run(plan, cancel, run_block=round_robin):
            self.events.append(event)
            if isinstance(event, RoundBegun):
                begun = begun or time.monotonic()
            if not asked and until(event):
                asked = time.monotonic()
                cancel.request()
        self.seconds = time.monotonic() - asked if asked else 0.0
        self.turning = time.monotonic() - begun
        cancel.close()
        return self


def in_turns(trial: Trial) -> bool:
    return (
        len(trial.turns) > 1
        and sum(one.done for one in trial.turns) == trial.operations + trial.errors
    )


def slow(wishes: dict[str, Any]) -> dict[str, Any]:
    """The same wishes at a pace at which there are several turns before it happens."""
    return {"pace": 0.002} | wishes


@pytest.fixture(scope="module")
def company_of(
    data: Dataset, pace: float, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Death], Company]:
    """Has a death take turns with some others and one that goes on; each such block runs once."""
    rig = Rig(data, pace)

    @cache
    def run_block(first: int) -> Company:
        some = [slow(death.wishes) for death in DEATHS[first : first + AT_ONCE]]
        with nothing_left_of_it(tmp_path_factory.mktemp("died")):
            return Company().run(rig, [*some, STEADY])

    return lambda death: run_block(DEATHS.index(death) // AT_ONCE * AT_ONCE)


@pytest.mark.parametrize("death", DEATHS, ids=lambda death: death.name)
def test_that_a_death_in_turns_has_its_outcome_and_the_other_goes_on(
    data: Dataset, company_of: Callable[[Death], Company], death: Death
) -> None:
    rig, company = Rig(data), company_of(death)
    trial = company.of(rig, **slow(death.wishes))
    assert bare(trial.outcome) == death.outcome, trial
    for holds in death.also:
        assert holds(trial) or ends_in_its_first_rest(death.wishes, trial), trial
    other = company.of(rig, **STEADY)
    assert valid(other), other
    assert in_turns(other), other


def ends_in_its_first_rest(wishes: dict[str, Any], trial: Trial) -> bool:
    """Whether it is in checks that this happens: in turns they come after each, and not at last."""
    return wishes.get("at") == "check" and trial.operations > 0 and trial.errors == 0


def run_into(rig: Rig, limit: str, stage: str, wishes: dict[str, Any]) -> tuple[Trial, Trial]:
    """Run into a limit at a stage, beside another trial; longer and longer until it gets there."""
    seconds = max(3.0, 6 * rig.pace)
    while True:
        limited = slow(wishes | {limit: seconds})
        round_robin = RoundRobin(seed=1, grace=PATIENT) if "act" not in wishes else None
        company = Company().run(rig, [limited, STEADY], round_robin=round_robin)
        trial = company.of(rig, **limited)
        if getattr(trial.outcome, "stage", "") == stage or seconds > PATIENCE:
            return trial, company.of(rig, **STEADY)
        seconds *= 4


@pytest.fixture(scope="module")
def hung(
    data: Dataset, pace: float, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[Trial, Trial]]:
    """What came of all that hang and of what went on beside each; some wait side by side."""
    rig = Rig(data, pace)
    with nothing_left_of_it(tmp_path_factory.mktemp("hung")), ThreadPoolExecutor(5) as pool:
        run = [pool.submit(run_into, rig, "stall", stage, wishes) for wishes, stage, _ in HANGS]
        return [one.result() for one in run]


@pytest.mark.parametrize("place", range(len(HANGS)), ids=lambda place: str(HANGS[place][0]))
def test_that_a_hanging_child_is_ended_as_stalled_and_the_other_goes_on(
    hung: list[tuple[Trial, Trial]], place: int
) -> None:
    wishes, stage, kept = HANGS[place]
    trial, other = hung[place]
    assert late(trial) == (stage, True)
    assert kept(trial) or ends_in_its_first_rest(wishes, trial)
    assert valid(other)


def test_that_limits_on_time_leave_out_the_time_that_a_trial_waits(rig: Rig) -> None:
    """The slow one's turns take longer than the other may stall, however long that is."""
    seconds = max(3.0, 6 * rig.pace)
    while True:
        quick = STEADY | {"operations": 300, "stall": seconds}
        lame = {"pace": 1.2 * seconds, "operations": 2}
        company = Company().run(rig, [quick, lame])
        outcomes = [company.of(rig, **wishes).outcome for wishes in (quick, lame)]
        if outcomes[0] == Completed() or seconds > 12:
            break
        seconds *= 4
    assert outcomes == [Completed(), Completed()]
    assert company.turning > 2 * 1.2 * seconds


def test_that_a_deadline_counts_the_own_turns_of_a_trial(rig: Rig) -> None:
    endless = {"pace": 0.01, "operations": 10**6}
    trial, other = run_into(rig, "deadline", "measuring", endless)
    assert late(trial) == ("measuring", False)
    assert trial.counters  # it heeded the stop and was verified
    assert valid(other)


def test_that_a_child_that_dies_while_it_waits_ends_its_own_trial(rig: Rig) -> None:
    dying = STEADY | {"act": "die-waiting", "first": 20, "last": 20, "operations": 10**6}
    company = Company().run(rig, [dying, STEADY | {"operations": 1000}])
    outcome = company.of(rig, **dying).outcome
    # What it has done may be verified while it waits.
    assert bare(outcome) in [
        Crashed(stage=at, signal="SIGKILL") for at in ("measuring", "verifying")
    ]
    assert not item_of(outcome)  # it was at nothing
    assert valid_but_for_count(company.of(rig, **STEADY | {"operations": 1000}))


def valid_but_for_count(trial: Trial) -> bool:
    return trial.valid and not trial.notes


def worked(times: int) -> Callable[[Event], bool]:
    seen = []

    def reached(event: Event) -> bool:
        if isinstance(event, MomentTaken) and sum(event.moment.operations) > 0:
            seen.append(event)
        return len(seen) >= times

    return reached


class Stuck:
    """Whether, since the moment before, workers that had worked have not got on."""

    def __init__(self) -> None:
        self._before: dict[int, int] = {}

    def __call__(self, event: Event) -> bool:
        if not isinstance(event, MomentTaken):
            return False
        before = self._before.get(event.index, 0)
        self._before[event.index] = sum(event.moment.operations)
        return 0 < before == self._before[event.index]


def preparing(event: Event) -> bool:
    return isinstance(event, PhaseChanged) and event.phase == "preparing"


@dataclass(frozen=True)
class Cancelling:
    """When what is cancelled, and how many will have worked at least by then."""

    settings: Sequence[dict[str, Any]]
    until: Callable[[], Callable[[Event], bool]]
    worked: int


LONG: dict[str, Any] = {"pace": 0.001, "operations": 10**9}
CANCELLINGS = (
    Cancelling([LONG, LONG | {"threads": 2}, LONG | {"processes": 2}], lambda: worked(8), 2),
    Cancelling([LONG, LONG | {"act": "hang", "first": 20}], Stuck, 1),
    Cancelling([LONG, LONG | {"act": "hang-gil", "first": 20}], Stuck, 1),
    Cancelling([LONG, LONG | {"act": "hang-deaf", "at": "open"}], lambda: preparing, 0),
)
EACH_CANCELLING = pytest.mark.parametrize(
    "case", CANCELLINGS, ids=lambda case: str(case.settings[1])
)


@EACH_CANCELLING
def test_that_cancelling_ends_all_that_take_turns_and_keeps_what_they_did(
    rig: Rig, case: Cancelling
) -> None:
    company = Company().run(rig, case.settings, until=case.until())
    assert company.trials
    assert all(isinstance(trial.outcome, Cancelled) for trial in company.trials)
    if case.worked:
        assert len(company.trials) == len(case.settings)
    assert sum(trial.operations > 0 for trial in company.trials) >= case.worked


@pytest.mark.benchmark
@EACH_CANCELLING
def test_that_cancelling_ends_all_that_take_turns_within_a_second(
    rig: Rig, case: Cancelling
) -> None:
    assert Company().run(rig, case.settings, until=case.until()).seconds <= 1.0


def test_that_the_rounds_give_everybody_one_turn_in_an_order_of_their_own(rig: Rig) -> None:
    settings = [STEADY | {"threads": threads} for threads in (1, 2, 3)]
    company = Company().run(rig, [one | {"operations": 1200} for one in settings])
    rounds = company.rounds
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
        assert trial.last_done >= trial.elapsed >= 0.99 * trial.seconds_in_turns
        assert trial.seconds_in_turns >= 0.99 * wishes["duration"]
        # Once its time is over it has no further turn, however much a slow machine overran one.
        assert sum(one.active for one in trial.turns[:-1]) < 1e9 * wishes["duration"]
        # Nobody works while another has the turn: each answers what its own time allows.
        assert trial.operations <= trial.elapsed / 0.002 * wishes["threads"]
    short, long = (company.of(rig, **wishes) for wishes in timed)
    assert long.seconds_in_turns == pytest.approx(2.0), "windows of several have their length"
    assert short.elapsed + long.elapsed <= company.turning
    beyond = short.moments[-1].at - short.elapsed
    assert 0 <= beyond <= short.workers[0].paused / 1e9, "they are by its only worker's clock"
    assert long.moments[-1].at >= 2.0
    assert short.moments[-1].at + long.moments[-1].at <= company.turning
    # The shorter one is spread over the same rounds as the longer one.
    assert short.turns[-1].round > 0.6 * long.turns[-1].round


def test_that_the_machine_s_noise_is_recorded_over_a_trial_s_own_turns(rig: Rig) -> None:
    settings = [STEADY, STEADY | {"threads": 2}]
    company = Company().run(rig, settings)
    noises = [trial.noise for trial in company.trials if trial.noise is not None]
    assert len(noises) == 2
    assert sum(noise.seconds for noise in noises) <= company.turning
    for trial, noise in zip(company.trials, noises, strict=True):
        assert noise.seconds >= trial.seconds_in_turns > 0
        assert noise.others is not None
        assert 0 <= noise.others <= noise.seconds * noise.cores + 1


def test_that_the_machine_s_noise_is_recorded_over_a_trial_in_one_piece(rig: Rig) -> None:
    (trial,) = Company().run(rig, [STEADY]).trials
    assert trial.noise is not None
    assert trial.elapsed
    assert trial.noise.seconds >= 0.9 * trial.elapsed


def test_that_long_turns_come_after_the_short_ones_which_have_had_theirs_when_time_ends(
    rig: Rig,
) -> None:
    """In the order that is drawn from this seed the longest would be the first."""
    paces = [1.4, 1.2, 0.01]
    settings = [{"pace": pace, "operations": 2, "warm_up": 0.1} for pace in paces]
    company = Company().run(rig, settings, round_robin=RoundRobin(seed=1))
    index = {pace: company.of(rig, **one).index for pace, one in zip(paces, settings, strict=True)}
    assert company.rounds[0].trials == tuple(index[pace] for pace in sorted(paces))


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

    def another(self, taken: Sequence[int], processes: int, coming: int) -> bool:
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
    company = Company().run(rig, settings, round_robin=RoundRobin(seed=1, room=room))
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


def test_that_trials_in_turns_are_told_before_their_end(rig: Rig) -> None:
    round_robin = RoundRobin(seed=1, kept_every=0.1)
    company = Company().run(rig, [STEADY | {"operations": 1000}, STEADY], round_robin=round_robin)
    kept = [event.trial for event in company.events if isinstance(event, TrialKept)]
    assert kept
    for trial in kept:
        assert isinstance(trial.outcome, Cancelled)
        assert trial.operations > 0
        assert trial.unverified == 0  # they are verified in its rest
        assert (trial.throughput is None) == (len(trial.turns) < ENOUGH)


def test_that_a_workload_that_cannot_stand_still_runs_in_one_piece_and_says_so(rig: Rig) -> None:
    company = Company().run(rig, [STEADY, STEADY | {"threads": 2}], workload="rigged:Restless")
    assert len(company.trials) == 2
    assert all(trial.valid and not trial.slices and trial.apart for trial in company.trials)


def test_that_a_cold_page_cache_runs_in_one_piece_and_says_so(rig: Rig) -> None:
    cold = STEADY | {"page_cache": "cold"}
    settings = [STEADY, STEADY | {"threads": 2}, cold]
    company = Company().run(rig, settings)
    assert company.of(rig, **cold).apart
    assert not company.of(rig, **cold).slices
    assert all(in_turns(company.of(rig, **wishes)) for wishes in settings[:2])


@pytest.mark.parametrize("page_cache", ["as-is", "cold"])
def test_that_a_single_setting_runs_in_one_piece_and_needs_no_reason(
    rig: Rig, page_cache: str
) -> None:
    (trial,) = Company().run(rig, [STEADY | {"page_cache": page_cache}]).trials
    assert trial.valid
    assert not trial.slices
    assert not trial.apart
