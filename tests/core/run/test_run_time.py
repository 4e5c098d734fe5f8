"""The one estimator of time: what it expects, how it corrects itself, and what it remembers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import building
import msgspec
import pytest

from core.measure import seconds_of, seconds_of_plan
from core.run.run_time import RunTime
from core.vocabulary import (
    Event,
    Explained,
    Moment,
    MomentTaken,
    PhaseChanged,
    Plan,
    RoundBegun,
    RunEnded,
    RunPlanned,
    RunSpec,
    Timing,
    TrialEnded,
    TrialStarted,
)

pytestmark = pytest.mark.quick

AROUND = Timing().ready + Timing().ending
SPECS = tuple(building.spec(threads=threads) for threads in (1, 2))


@pytest.fixture(autouse=True)
def nothing_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))


class Run:
    """A run by a clock of its own."""

    def __init__(self, plan: Plan, trials: int = 0) -> None:
        self.now = 0.0
        self.time = RunTime(clock=lambda: self.now)
        self.promised: list[tuple[float, float]] = []
        """When, and the time of the whole run as it was told then."""
        self.take(0.0, RunPlanned(plan=plan, trials=trials or plan.least_trials, seconds=0.0))

    def take(self, after: float, *events: Event) -> None:
        """So many seconds later these events come."""
        self.now += after
        for event in events:
            self.time.take(event)
        self.promised.append((self.now, self.time.elapsed + self.time.left))

    def worst_after(self, share: float) -> float:
        """The largest factor between what was promised and what the run took, from then on."""
        told = [promised for at, promised in self.promised if at >= share * self.now]
        return max(max(one / self.now, self.now / one) for one in told)


def moment(at: float, operations: int = 100) -> Moment:
    return Moment(
        at=at, operations=(operations,), cpu=(0,), bytes=0, errors=0, wrong=0, p50=0, p99=0,
        reading=None,
    )  # fmt: skip


def one_by_one(
    run: Run, trials: Sequence[tuple[int, RunSpec]], ready: float, wall: float, ending: float
) -> None:
    """Trials that get ready, are measured and end in so many seconds each."""
    for index, spec in trials:
        run.take(0.0, TrialStarted(index=index, block=0, of=len(trials), spec=spec))
        for _ in range(10):
            run.take(ready / 10, PhaseChanged(index=index, phase="preparing"))
        run.take(0.0, PhaseChanged(index=index, phase="measuring"))
        for step in range(1, 11):
            at = step / 10 * spec.load.duration
            run.take(wall / 10, MomentTaken(index=index, moment=moment(at)))
        run.take(0.0, PhaseChanged(index=index, phase="verifying"))
        run.take(ending, TrialEnded(trial=building.trial(spec, index=index)))


def in_turns(run: Run, ending: float, rounds: int = 30) -> None:
    """Both get ready in 0.9 s each, take turns of 0.1 s in 0.2 s each, and end in so many each."""
    for index, spec in enumerate(SPECS):
        run.take(0.0, TrialStarted(index=index, block=0, of=2, spec=spec))
        run.take(0.9, PhaseChanged(index=index, phase="warming up"))
    for number in range(rounds):
        run.take(0.0, RoundBegun(number=number, left=rounds - number, trials=(0, 1)))
        for index in (0, 1):
            taken = moment((number + 1) / rounds * 3.0)
            run.take(0.2, MomentTaken(index=index, moment=taken))
    for index, spec in enumerate(SPECS):
        run.take(0.0, PhaseChanged(index=index, phase="closing"))
        run.take(ending, TrialEnded(trial=building.trial(spec, index=index)))


PLAN = building.plan(SPECS, repeats=3, turns="off")
TRIALS = [(index, SPECS[index % 2]) for index in range(6)]


@pytest.mark.parametrize(
    ("ready", "wall", "ending"),
    [(0.85, 3.0, 0.15), (6.0, 3.0, 0.2), (0.8, 9.0, 0.2), (0.8, 3.0, 8.0)],
    ids=["as expected", "prepares for long", "verifies between", "verifies at the end"],
)
def test_that_what_is_promised_comes_true_from_the_first_trial_on(
    ready: float, wall: float, ending: float
) -> None:
    run = Run(PLAN)
    one_by_one(run, TRIALS, ready, wall, ending)
    assert run.worst_after(1 / 6 + 0.01) < 1.1


def test_that_time_left_shrinks_to_nothing() -> None:
    run = Run(PLAN)
    one_by_one(run, TRIALS, 0.85, 3.0, 0.15)
    run.take(0.0, RunEnded(trials=6, of=6, cancelled=False))
    assert run.time.left == 0
    ends = [promised - at for at, promised in run.promised]
    assert all(later <= sooner + 0.1 for sooner, later in pairwise(ends))


def test_that_a_second_run_of_the_same_is_known_before_it_begins() -> None:
    run = Run(PLAN)
    one_by_one(run, TRIALS, 6.0, 9.0, 2.0)
    run.time.keep()
    assert seconds_of_plan(PLAN) == pytest.approx(6 * 17.0, rel=0.01)
    again = Run(PLAN)
    one_by_one(again, TRIALS, 6.0, 9.0, 2.0)
    assert again.worst_after(0.0) < 1.1


def test_that_the_same_work_is_known_under_another_load_and_for_another_time() -> None:
    run = Run(PLAN)
    one_by_one(run, TRIALS, 6.0, 3.0, 2.0)
    run.time.keep()
    more = building.spec(threads=8, duration=30.0)
    assert seconds_of([more], "off") == pytest.approx(6.0 + 30.0 + 2.0, rel=0.01)
    other = building.spec("raw", parameters={"block": 4096})
    assert seconds_of([other], "off") == pytest.approx(AROUND + 3.5, rel=0.01)


def test_that_operations_that_are_longer_than_a_trial_are_known_after_the_first() -> None:
    specs = tuple(building.spec(threads=threads, warm_up=0.0) for threads in (1, 2))
    plan = building.plan(specs, repeats=3, turns="off")
    run = Run(plan)
    for index in range(6):
        spec = specs[index % 2]
        run.take(0.0, TrialStarted(index=index, block=0, of=6, spec=spec))
        run.take(0.4, PhaseChanged(index=index, phase="measuring"))
        for second in range(20):  # its clock goes on beyond the 3 s of its trial
            run.take(1.0, MomentTaken(index=index, moment=moment(second + 1.0, 0)))
        long = building.trial(spec, index=index, rate=spec.load.threads / 20, seconds=20.0)
        run.take(0.2, TrialEnded(trial=long))
    assert run.worst_after(1 / 6 + 0.01) < 1.1
    run.time.keep()
    assert seconds_of_plan(plan) == pytest.approx(6 * 20.6, rel=0.02)


def test_that_settings_in_turns_are_followed_through_their_rounds() -> None:
    """Each turn of 0.1 s takes twice as long, because of run-ins and verification between."""
    run = Run(building.plan(SPECS, turns="auto"))
    in_turns(run, ending=0.2)
    assert run.worst_after(0.2) < 1.3
    assert run.worst_after(0.5) < 1.05


def test_that_the_end_of_settings_in_turns_does_not_grow_with_their_time() -> None:
    run = Run(building.plan(SPECS, turns="auto"))
    in_turns(run, ending=6.0)
    run.time.keep()
    more = [building.spec(threads=threads, duration=30.0) for threads in (1, 2)]
    assert seconds_of(more) == pytest.approx(2 * (0.9 + 60.0 + 6.0), rel=0.05)


def test_that_a_budget_is_what_is_left_unless_two_trials_take_longer() -> None:
    plan = msgspec.structs.replace(PLAN, budget=60.0)
    run = Run(plan)
    run.take(10.0, TrialStarted(index=0, block=0, of=2, spec=SPECS[0]))
    assert run.time.left == pytest.approx(50.0)
    short = Run(msgspec.structs.replace(PLAN, budget=2.0))
    assert short.time.left == pytest.approx(2 * (AROUND + 3.5))
    assert seconds_of_plan(plan) == 60.0
    many = building.plan([building.spec(threads=count) for count in range(1, 40)], budget=2.0)
    assert Run(many).time.left < 3 * (AROUND + 3.5)


def test_that_a_trial_that_overruns_a_budget_is_left_no_more_than_until_it_is_ended() -> None:
    run = Run(msgspec.structs.replace(PLAN, budget=60.0))
    for index, spec in enumerate(SPECS):
        run.take(1.0, TrialStarted(index=index, block=0, of=2, spec=spec))
        run.take(1.0, TrialEnded(trial=building.trial(spec, index=index)))
    run.take(0.0, TrialStarted(index=2, block=1, of=2, spec=SPECS[0]))
    run.take(40.0, PhaseChanged(index=2, phase="measuring"))
    run.take(17.0, PhaseChanged(index=2, phase="verifying"))
    for _ in range(3):
        run.now += 1.0
        assert 0.0 <= run.time.left <= 1.1 * 60.0 - run.time.elapsed


def test_that_a_worker_that_is_waited_for_makes_no_trial_to_come_longer() -> None:
    run = Run(Plan(title="", specs=SPECS, repeats=3))
    run.take(0.0, TrialStarted(index=0, block=0, of=6, spec=SPECS[0]))
    before = run.time.left
    for _ in range(50):
        run.take(0.1, PhaseChanged(index=0, phase="starting", done=1, total=2, awaited=True))
        assert run.time.left == pytest.approx(before)


def test_that_a_search_expects_as_many_trials_as_it_says() -> None:
    plan = building.plan(SPECS, adaptive=True)
    run = Run(plan, trials=4)
    run.take(0.0, Explained(text="", trials=0, expected=4, seconds=0.0))
    one_by_one(run, TRIALS[:4], 0.85, 3.0, 0.15)
    assert run.worst_after(0.0) < 1.1


def test_that_what_cannot_be_read_is_not_known(tmp_path: Path) -> None:
    run = Run(PLAN)
    one_by_one(run, TRIALS, 6.0, 3.0, 2.0)
    run.time.keep()
    (tmp_path / "state" / "timings.json").write_text("[]")
    assert seconds_of_plan(PLAN) == pytest.approx(6 * (AROUND + 3.5))
