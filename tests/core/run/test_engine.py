"""The engine: order, cancelling between and within trials, and the one stream of events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measure import Cancel, seconds_of_plan
from core.run import Session, recorded
from core.run.engine import run
from core.vocabulary import (
    Cancelled,
    Crashed,
    Event,
    Failed,
    PhaseChanged,
    Plan,
    RunEnded,
    RunPlanned,
    Slot,
    TrialEnded,
    TrialKept,
    TrialStarted,
)

pytestmark = pytest.mark.quick

PLAN = building.plan([building.spec(threads=threads) for threads in (1, 2, 4)], repeats=4, seed=7)


@pytest.fixture
def cancel() -> Iterator[Cancel]:
    cancel = Cancel()
    yield cancel
    cancel.close()


class Fake:
    """Runs trials without running anything; tells what it was asked for."""

    def __init__(self, also: Callable[[Slot, Cancel], None] = lambda slot, cancel: None) -> None:
        self.slots: list[Slot] = []
        self.run_ids: set[str] = set()
        self.closed = 0
        self._also = also

    def __call__(self, slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        self.slots.append(slot)
        self.run_ids.add(run_id)
        try:
            yield PhaseChanged(index=slot.index, phase="starting")
            self._also(slot, cancel)
            outcome = Cancelled(stage="measuring") if cancel.requested else None
            yield TrialEnded(trial=building.trial(slot.spec, index=slot.index, outcome=outcome))
        finally:
            self.closed += 1


def test_that_trials_run_in_the_order_of_the_plan(cancel: Cancel) -> None:
    fake = Fake()
    list(run(PLAN, cancel, run_trial=fake))
    assert tuple(fake.slots) == PLAN.slots()


def test_that_what_a_user_gave_wrong_is_tried_once(cancel: Cancel) -> None:
    wrong = Failed(stage="preparing", error="InvalidParameter", message="regions: none")
    floor = building.spec(workload="raw")
    plan = building.plan([building.spec(), floor], repeats=3, seed=7, turns="off")

    def refuse(refused: Collection[str], slot: Slot, *_: object) -> Iterator[Event]:
        outcome = wrong if slot.spec.digest in refused else None
        yield TrialEnded(trial=building.trial(slot.spec, index=slot.index, outcome=outcome))

    def digests(*refused: str) -> list[str]:
        events = run(plan, cancel, run_trial=partial(refuse, refused))
        return [event.trial.spec_digest for event in events if isinstance(event, TrialEnded)]

    of_own, of_floor = (spec.digest for spec in plan.specs)
    assert digests(of_own).count(of_own) == 1
    assert len(digests(of_own)) == 2
    assert sorted(map(digests(of_floor).count, (of_own, of_floor))) == [1, 3]


def test_that_blocks_are_carried_out_whole_and_in_their_order_where_settings_take_turns(
    cancel: Cancel,
) -> None:
    blocks: list[tuple[Slot, ...]] = []

    def carry_out(slots: Sequence[Slot], run_id: str, cancel: Cancel, of: int) -> Iterator[Event]:
        assert of == 11
        blocks.append(tuple(slots))
        if len(blocks) == 3:
            cancel.request()
        for slot in slots:
            yield TrialEnded(trial=building.trial(slot.spec, index=slot.index))

    plan = msgspec.structs.replace(PLAN, turns="auto")
    events = list(run(plan, cancel, slots=plan.slots()[1:], run_block=carry_out))
    assert [[slot.index for slot in block] for block in blocks] == [[1, 2], [3, 4, 5], [6, 7, 8]]
    assert events[-1] == RunEnded(trials=8, of=11, cancelled=True)


def test_that_a_plan_has_no_turns_unless_it_says_so() -> None:
    """So that a session of before is taken up as it was begun."""
    assert msgspec.json.decode(b'{"title":"t","specs":[]}', type=Plan).turns == "off"


def test_that_all_trials_of_a_run_share_its_id_and_runs_differ(cancel: Cancel) -> None:
    first, second = Fake(), Fake()
    list(run(PLAN, cancel, run_trial=first))
    list(run(PLAN, cancel, run_trial=second))
    assert len(first.run_ids) == len(second.run_ids) == 1
    assert first.run_ids != second.run_ids


def test_that_the_stream_is_plan_then_trials_then_end(cancel: Cancel) -> None:
    events = list(run(PLAN, cancel, run_trial=Fake()))
    assert events[0] == RunPlanned(plan=PLAN, trials=12, seconds=seconds_of_plan(PLAN))
    assert events[-1] == RunEnded(trials=12, of=12, cancelled=False)
    kinds = [type(event) for event in events[1:-1]]
    assert kinds == [TrialStarted, PhaseChanged, TrialEnded] * 12


def test_that_only_the_remaining_slots_run_when_some_are_given(cancel: Cancel) -> None:
    fake = Fake()
    left = PLAN.slots()[9:]
    events = list(run(PLAN, cancel, slots=left, run_trial=fake))
    assert tuple(fake.slots) == left
    assert events[-1] == RunEnded(trials=3, of=3, cancelled=False)


def test_that_cancelling_before_the_first_trial_runs_none(cancel: Cancel) -> None:
    fake = Fake()
    cancel.request()
    events = list(run(PLAN, cancel, run_trial=fake))
    assert not fake.slots
    assert events[-1] == RunEnded(trials=0, of=12, cancelled=True)


@given(at=st.integers(0, 11))
def test_that_cancelling_within_a_trial_keeps_it_and_runs_no_other(at: int) -> None:
    cancel = Cancel()
    fake = Fake(lambda slot, cancel: cancel.request() if slot.index == at else None)
    events = list(run(PLAN, cancel, run_trial=fake))
    trials = [event.trial for event in events if isinstance(event, TrialEnded)]
    assert [trial.index for trial in trials] == list(range(at + 1))
    assert isinstance(trials[-1].outcome, Cancelled)
    assert events[-1] == RunEnded(trials=at + 1, of=12, cancelled=True)
    cancel.close()


def test_that_a_trial_that_does_not_complete_stops_nothing(cancel: Cancel) -> None:
    def crashing(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        outcome = Crashed(stage="measuring", signal="SIGSEGV")
        yield TrialEnded(trial=building.trial(slot.spec, index=slot.index, outcome=outcome))

    assert list(run(PLAN, cancel, run_trial=crashing))[-1] == RunEnded(
        trials=12, of=12, cancelled=False
    )


def test_that_a_watcher_who_leaves_ends_the_trial(cancel: Cancel) -> None:
    fake = Fake()
    events = run(PLAN, cancel, run_trial=fake)
    next(event for event in events if isinstance(event, PhaseChanged))
    events.close()  # type: ignore[attr-defined]
    assert fake.closed == 1
    assert len(fake.slots) == 1


def session_of(folder: Path, plan: Plan) -> tuple[Session, int]:
    session = Session.create(folder / "a.sluice")
    return session, session.begin_run(plan, building.environment(), {}, ("sluice",))


def test_that_a_trial_is_recorded_before_it_is_passed_on(tmp_path: Path, cancel: Cancel) -> None:
    session, number = session_of(tmp_path, PLAN)
    with session:
        for event in recorded(run(PLAN, cancel, run_trial=Fake()), session, number):
            if isinstance(event, TrialEnded):
                assert event.trial in session.trials(number)
        assert session.run(number).how == "completed"


def test_that_trials_are_recorded_with_what_their_user_pays_and_shown_with_what_is_said_then(
    tmp_path: Path, cancel: Cancel
) -> None:
    terms = {"request_price": "0.5 EUR", "gigabyte_price": "2"}
    session, number = session_of(tmp_path, msgspec.structs.replace(PLAN, terms=terms))
    with session:
        list(recorded(run(PLAN, cancel, run_trial=Fake()), session, number))
        prices = {(one.request_price, one.byte_price) for one in session.trials(number)}
        shown = [
            one for result in session.results(number, byte_price=1e-9) for one in result.trials
        ]
    assert prices == {(0.0005, 2e-9)}
    assert {(one.request_price, one.byte_price) for one in shown} == {(0.0005, 1e-9)}


def test_that_a_cancelled_run_is_recorded_as_such(tmp_path: Path, cancel: Cancel) -> None:
    session, number = session_of(tmp_path, PLAN)
    fake = Fake(lambda slot, cancel: cancel.request() if slot.index == 2 else None)
    with session:
        list(recorded(run(PLAN, cancel, run_trial=fake), session, number))
        assert session.run(number).how == "cancelled"
        assert [type(trial.outcome).__name__ for trial in session.trials(number)] == [
            "Completed",
            "Completed",
            "Cancelled",
        ]
        assert [slot.index for slot in session.remaining(number)] == list(range(2, 12))


def test_that_a_run_given_up_midway_is_not_recorded_as_ended(
    tmp_path: Path, cancel: Cancel
) -> None:
    session, number = session_of(tmp_path, PLAN)
    with session:
        events = recorded(run(PLAN, cancel, run_trial=Fake()), session, number)
        next(event for event in events if isinstance(event, TrialEnded))
        events.close()  # type: ignore[attr-defined]
        assert session.run(number).how is None
        assert len(session.trials(number)) == 1


def test_that_what_a_trial_has_so_far_is_kept_and_gives_way_to_its_end(
    tmp_path: Path, cancel: Cancel
) -> None:
    """Killed in between, the session has what was told last; and it is measured again."""

    def carry_out(slots: Sequence[Slot], run_id: str, cancel: Cancel, of: int) -> Iterator[Event]:
        for seconds in (1.0, 2.0):
            for slot in slots:
                yield so_far(slot, seconds)
        for slot in slots:
            yield TrialEnded(trial=building.trial(slot.spec, index=slot.index, block=slot.block))

    def so_far(slot: Slot, seconds: float) -> Event:
        outcome = Cancelled(stage="measuring")
        trial = building.trial(
            slot.spec, index=slot.index, block=slot.block, outcome=outcome, seconds=seconds
        )
        return TrialKept(trial=trial)

    plan = msgspec.structs.replace(PLAN, turns="auto")
    session, number = session_of(tmp_path, plan)
    with session:
        events = recorded(run(plan, cancel, run_block=carry_out), session, number)
        first = next(event for event in events if isinstance(event, TrialEnded))
        with Session.read(session.path) as seen:  # as it would be found after a kill -9
            kept = seen.trials(number)
            assert [trial.index for trial in kept] == [0, 1, 2]
            assert kept[0] == first.trial
            assert [trial.last_done for trial in kept[1:]] == pytest.approx([2.0, 2.0])
            assert [slot.index for slot in seen.remaining(number)] == list(range(1, 12))
        assert not any(isinstance(event, TrialKept) for event in events)
        trials = session.trials(number)
        assert [trial.index for trial in trials] == list(range(12))
        assert not any(isinstance(trial.outcome, Cancelled) for trial in trials)
