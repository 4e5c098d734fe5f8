"""The rounds of a search as blocks in turns, with trials that take no time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import building
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from test_run_search import (
    CACHES,
    Curve,
    RunTrial,
    advice_in,
    events_of,
    knee,
    measured,
    search,
    trials_of,
)
from turning import in_turns

from core.measure import Cancel
from core.run import Request, Session, recorded, task_of
from core.run.run_search import run_search
from core.tell.card_text import answer_of, progress_of
from core.vocabulary import (
    Axis,
    Cancelled,
    Crashed,
    Event,
    Explained,
    RoundBegun,
    RunEnded,
    Slot,
    TrialEnded,
    TrialStarted,
    Turns,
)

pytestmark = pytest.mark.quick


def blocks_in(events: Sequence[Event]) -> dict[int, set[int]]:
    """The numbers of threads in each block."""
    found: dict[int, set[int]] = {}
    for event in events:
        if isinstance(event, TrialStarted):
            found.setdefault(event.block, set()).add(event.spec.load.threads)
    return found


def drifting(curve: Curve, noise: float = 0.01) -> RunTrial:
    """Trials on a machine that is up to twice as fast in some blocks as in others."""

    def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        wobble = 1 + noise * ((slot.index * 7919) % 13 - 6) / 6
        mood = 1 + 0.5 * math.sin(slot.block)
        yield TrialEnded(trial=measured(slot, curve(slot.spec) * mood * wobble))

    return run_trial


def test_that_a_round_is_one_block_whose_settings_are_all_alive_at_once() -> None:
    events = events_of(search(), trials_of(knee))
    kinds = (Explained, TrialStarted, RoundBegun, TrialEnded)
    phases = [type(event) for event in events if isinstance(event, kinds)]
    rounds = [list(group) for kind, group in groupby(phases)]
    assert [group[0] for group in rounds] == list(kinds) * (len(rounds) // 4)
    assert len(rounds) // 4 == len(blocks_in(events))


def test_that_every_block_has_a_setting_that_was_measured_before() -> None:
    before: set[int] = set()
    for met in blocks_in(events_of(search(), drifting(knee))).values():
        assert not before or met & before
        before |= met


def test_that_drift_from_block_to_block_does_not_hide_the_knee() -> None:
    advice = advice_in(events_of(search(), drifting(knee)))
    assert advice.confident
    assert advice.values == {"threads": 6}


def test_that_a_search_that_takes_no_turns_measures_one_trial_after_the_other() -> None:
    wanted = replace(search(), turns="off")
    run_trial = trials_of(knee)
    events = list(run_search(wanted, building.environment(), Cancel(), run_trial=run_trial))
    ways = [type(event) for event in events if isinstance(event, TrialStarted | TrialEnded)]
    assert ways == [TrialStarted, TrialEnded] * (len(ways) // 2)
    assert advice_in(events).values == {"threads": 6}
    assert wanted.plan.turns == "off"


@pytest.mark.parametrize("turns", ["auto", "off"])
def test_that_a_request_says_whether_the_search_takes_turns(turns: Turns) -> None:
    axes = (Axis("threads", (1, 2)),)
    request = Request(workload="raw", search=True, axes=axes, turns=turns)
    assert task_of(request, building.dataset()).plan.turns == turns
    usual = msgspec.structs.replace(request, turns="auto")
    assert task_of(usual, building.dataset()).plan.turns == "auto"


def test_that_a_child_that_crashes_in_a_block_fails_only_its_own_setting() -> None:
    def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        died = Crashed(stage="measuring", signal="SIGSEGV") if slot.spec.load.threads == 6 else None
        yield TrialEnded(trial=measured(slot, knee(slot.spec), outcome=died))

    advice = advice_in(events_of(search(threads=8), run_trial))
    assert advice.confident
    assert advice.values == {"threads": 7}
    assert [dict(values) for values, _ in advice.refused] == [{"threads": 6}]


@given(some.integers(0, 40))
@settings(max_examples=15, deadline=None)
def test_that_a_search_may_be_stopped_at_any_trial_of_a_block(after: int) -> None:
    cancel, measured_so_far = Cancel(), trials_of(knee)

    def run_trial(slot: Slot, run_id: str, cancel: Cancel) -> Iterator[Event]:
        yield from measured_so_far(slot, run_id, cancel)
        if slot.index >= after:
            cancel.request()

    events = events_of(search(), run_trial, cancel)
    ended = [event.trial for event in events if isinstance(event, TrialEnded)]
    done = [trial for trial in ended if not isinstance(trial.outcome, Cancelled)]
    advice = advice_in(events)
    assert advice.trials == len(done)
    assert not (advice.stopped and advice.confident)
    assert sorted(trial.index for trial in ended) == list(range(len(ended)))
    assert isinstance(events[-1], RunEnded)


@pytest.mark.parametrize("second", [None, CACHES], ids=["threads alone", "with a cache"])
def test_that_a_search_and_its_session_give_one_answer(tmp_path: Path, second: Axis | None) -> None:
    wanted = search(second=second)
    with Session.create(tmp_path / "tuned.sluice") as session:
        run = session.begin_run(wanted.plan, building.environment(), {}, ["sluice"])
        run_block = in_turns(drifting(knee))
        stream = run_search(wanted, building.environment(), Cancel(), run_block=run_block)
        told = advice_in(list(recorded(stream, session, run)))
        results = [result for result in session.results(run) if result.trials]
        trials = sum(len(result.trials) for result in results)
        found = answer_of(results, progress_of(session.run(run), len(results), trials)).advice
    assert found is not None
    assert (found.values, found.confident) == (told.values, told.confident)
    assert found.equals == told.equals
