"""Where the moments of trials come to lie on the time axis, live and from a recording."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import building
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from turned import Seat, Turned, spec

from app.plots.time.intake import Intake
from app.plots.time.replay import replay
from app.plots.time.timeline import PAUSE, Span
from core import Cancel, TimePlot, Trial
from core.measure import find_dataset
from core.run.engine import run
from core.vocabulary import (
    Event,
    Moment,
    MomentTaken,
    Plan,
    RoundBegun,
    TrialEnded,
    TrialStarted,
    specify,
)

pytestmark = pytest.mark.window


def follow(intake: Intake, event: Event) -> None:
    match event:
        case TrialStarted(index=index, spec=of):
            intake.begin(index, f"threads {of.load.threads}", of.digest)
        case RoundBegun(trials=trials):
            intake.begin_round(trials)
        case MomentTaken(index=index, moment=moment):
            intake.add(index, moment)
        case TrialEnded(trial=trial):
            intake.end(trial)


def live(events: Sequence[Event]) -> Intake:
    intake = Intake()
    for event in events:
        follow(intake, event)
    intake.take_in()
    return intake


def prepared(intake: Intake, index: int, *seconds: float) -> None:
    """Looks at a trial so many seconds after its processes began to start."""
    for at in seconds:
        intake.prepare(index, Moment.before_clock(building.reading(at)))


def recorded(trials: Sequence[Trial]) -> tuple[Intake, float]:
    intake = Intake()
    threads = {spec(count).digest: count for count in range(1, 12)}
    in_order = sorted(trials, key=lambda trial: trial.index)
    end = intake.record([(one, f"threads {threads.get(one.spec_digest, 0)}") for one in in_order])
    while intake.pending:
        intake.take_slice()
    return intake, end


def without_rounds(trial: Trial) -> Trial:
    """As it was recorded before moments had rounds."""
    moments = (msgspec.structs.replace(moment, round=None) for moment in trial.moments)
    return msgspec.structs.replace(trial, moments=tuple(moments))


def times(intake: Intake) -> dict[str, list[float]]:
    """By setting the times of what is known of it."""
    return {trace.name: trace.known(None)[0].tolist() for trace in intake.traces.values()}


def test_that_settings_in_turns_lie_over_each_other_on_one_axis() -> None:
    measured = Turned()
    measured.block([spec(1), spec(2)], rounds=3)
    intake = live(measured.events)
    assert times(intake) == {
        "threads 1": pytest.approx([0.2, 0.3, 0.6]),
        "threads 2": pytest.approx([0.1, 0.4, 0.5]),
    }
    rates = {t.name: t.known(None)[1][1:, 0] for t in intake.traces.values()}
    np.testing.assert_allclose(rates["threads 1"], 1000)
    np.testing.assert_allclose(rates["threads 2"], 2000)


def test_that_what_the_first_trials_use_while_they_are_prepared_lies_before_0() -> None:
    measured = Turned()
    measured.block([spec(1), spec(2)], rounds=2)
    measured.block([spec(1), spec(2)], rounds=2)
    intake = Intake()
    for index in (0, 1):
        intake.begin(index, f"threads {index + 1}", spec(index + 1).digest)
    prepared(intake, 0, 0.2, 0.4, 0.6)
    intake.take_in()
    assert times(intake) == {"": pytest.approx([-PAUSE - 0.4, -PAUSE - 0.2, -PAUSE])}
    assert (intake.first, intake.last) == (pytest.approx(-PAUSE - 0.4), 0.0)
    prepared(intake, 1, 0.7, 1.0)
    intake.take_in()
    assert intake.first == pytest.approx(-PAUSE - 0.7), "it has moved away from 0"
    for event in measured.events:
        follow(intake, event)
        if isinstance(event, MomentTaken):
            prepared(intake, event.index, 5.0)
    intake.take_in()
    found, without = times(intake), times(live(measured.events))
    assert found == {
        "threads 1": pytest.approx(
            [-PAUSE - 0.7, -PAUSE - 0.5, -PAUSE - 0.3, *without["threads 1"]]
        ),
        "threads 2": pytest.approx([-PAUSE - 0.3, -PAUSE, *without["threads 2"]]),
    }
    assert intake.boundaries[0] == -PAUSE / 2


def test_that_of_what_is_prepared_only_the_resources_are_drawn() -> None:
    intake = Intake()
    intake.begin(0, "threads 1")
    prepared(intake, 0, 1.0, 2.0, 3.0)
    intake.take_in()
    (trace,) = intake.traces.values()
    columns = [name for plot in TimePlot.all() for name in plot.columns]
    _, rows = trace.known(None)
    known = {name for name, value in zip(columns, rows[-1], strict=True) if np.isfinite(value)}
    assert {"resident", "all", "dataset", "busiest"} <= known
    assert not {"operations", "bytes/s", "p50", "p99"} & known
    busy = columns.index("busiest")
    np.testing.assert_allclose(rows[1:, busy], 1.0)


def test_that_hours_of_preparing_take_little_memory() -> None:
    intake = Intake()
    intake.begin(0, "threads 1")
    prepared(intake, 0, *(number / 10 for number in range(20_000)))
    intake.take_in()
    (trace,) = intake.traces.values()
    assert 500 < len(trace.samples) < 1500
    assert intake.first == pytest.approx(-PAUSE - 1999.9)


def test_that_waits_between_turns_take_no_room() -> None:
    measured = Turned()
    measured.block([spec(1), spec(2)], rounds=3, wait=2.0)
    assert live(measured.events).last == pytest.approx(0.6)
    assert recorded(measured.trials)[0].last == pytest.approx(0.6)


def test_that_blocks_follow_each_other_behind_a_break() -> None:
    measured = Turned()
    measured.block([spec(1), spec(2)], rounds=2)
    measured.block([spec(1), spec(2)], rounds=2)
    intake = live(measured.events)
    assert intake.boundaries == [pytest.approx(0.4 + PAUSE / 2)]
    assert intake.last == pytest.approx(0.4 + PAUSE + 0.4)
    for trace in intake.traces.values():
        (broken,) = np.flatnonzero(np.isnan(trace.samples.values).all(axis=1))
        assert trace.samples.times[broken] == pytest.approx(0.4 + PAUSE / 2)
    assert intake.timeline.between(Span(0.0, 0.5), intake.last) == (0, 1)


def test_that_a_setting_that_ends_early_leaves_the_axis_to_the_others() -> None:
    measured = Turned()
    one, two = measured.seats([spec(1), spec(2)])
    measured.round(0, [one, two])
    measured.round(1, [one, two])
    measured.end([one])
    measured.round(2, [two])
    measured.end([two])
    intake = live(measured.events)
    assert intake.timeline.spans([0, 1], intake.last) == [
        pytest.approx((0.0, 0.3)),
        pytest.approx((0.0, 0.5)),
    ]


def test_that_settings_that_join_later_do_so_behind_a_break_in_the_same_piece() -> None:
    measured = Turned()
    anchor, first = measured.seats([spec(1), spec(2)])
    measured.round(0, [anchor, first])
    measured.end([first])
    (second,) = measured.seats([spec(3)])
    measured.round(1, [anchor, second])
    measured.end([anchor, second])
    for intake in (live(measured.events), recorded(measured.trials)[0]):
        assert len(intake.timeline) == 1
        assert intake.boundaries == [pytest.approx(0.2 + PAUSE / 2)]
        assert intake.timeline.spans([2], intake.last) == [
            pytest.approx((0.2 + PAUSE, 0.4 + PAUSE))
        ]


def test_that_looks_within_a_turn_make_no_points_of_their_own_unless_it_is_long() -> None:
    measured = Turned()
    one, two = measured.seats([spec(1), spec(2)])
    measured.events.append(RoundBegun(number=0, left=0, trials=(0, 1)))
    measured.turn(0, one, [(0.15, 1), (0.002, 150)])
    measured.turn(0, two, [(0.6, 100)] * 5)
    measured.turn(1, one, [(0.1, 100)])
    measured.end([one, two])
    before = list(map(without_rounds, measured.trials))
    for intake in (live(measured.events), recorded(measured.trials)[0], recorded(before)[0]):
        assert times(intake) == {
            "threads 1": pytest.approx([0.152, 3.252]),
            "threads 2": pytest.approx([1.352, 2.552, 3.152]),
        }


def test_that_trials_on_their_own_before_the_first_turn_keep_their_places() -> None:
    alone = building.trial(spec(1), index=0)
    events: list[Event] = [TrialStarted(index=0, block=0, of=3, spec=spec(1))]
    events += [MomentTaken(index=0, moment=moment) for moment in alone.moments]
    before = live(events)
    assert list(times(before)) == [""]
    measured = Turned()
    measured.events, measured.trials = events, [alone]
    measured.block([spec(1), spec(2)], rounds=2)
    intake = live(measured.events)
    assert list(intake.traces) == [spec(1).digest, spec(2).digest]
    assert times(intake)["threads 1"][:10] == times(before)[""]
    assert times(intake)["threads 2"][0] > before.last + PAUSE
    assert intake.traces[spec(1).digest].rate > 0


def test_that_settings_are_ordered_by_the_numbers_in_their_names() -> None:
    measured = Turned()
    measured.block([spec(10), spec(2), spec(1)], rounds=1)
    names = ["threads 1", "threads 2", "threads 10"]
    assert list(times(live(measured.events))) == names
    assert list(times(recorded(measured.trials)[0])) == names


@st.composite
def runs(draw: st.DrawFn) -> Turned:
    """Blocks of turns in any order, some without operations, some with looks within them."""
    measured = Turned()
    done = st.sampled_from([0, 1, 50])
    first = st.tuples(st.sampled_from([0.1, 0.15]), done)
    more = st.lists(st.tuples(st.sampled_from([0.001, 0.1, 0.7]), done), max_size=2)
    looks = st.builds(lambda one, others: [one, *others], first, more)
    for _ in range(draw(st.integers(1, 3))):
        seats = measured.seats([spec(count) for count in range(1, draw(st.integers(2, 4)) + 1)])
        for number in range(draw(st.integers(1, 4))):
            order: list[Seat] = draw(st.permutations(seats))
            trials = tuple(seat.index for seat in order)
            measured.events.append(RoundBegun(number=number, left=0, trials=trials))
            for seat in order:
                measured.turn(number, seat, draw(looks))
        measured.end(seats)
        measured.number += 1
    return measured


@given(runs())
def test_that_a_recording_lies_on_the_axis_as_it_did_live(measured: Turned) -> None:
    seen, (again, end) = live(measured.events), recorded(measured.trials)
    assert again.boundaries == pytest.approx(seen.boundaries)
    assert again.last == pytest.approx(seen.last)
    assert end == pytest.approx(seen.last)
    assert list(again.traces) == list(seen.traces)
    assert [t.rate for t in again.traces.values()] == [t.rate for t in seen.traces.values()]
    indexes = [trial.index for trial in measured.trials]
    assert again.timeline.spans(indexes, end) == [
        pytest.approx(span) for span in seen.timeline.spans(indexes, seen.last)
    ]
    for ours, theirs in zip(again.traces.values(), seen.traces.values(), strict=True):
        assert ours.samples.values.shape == theirs.samples.values.shape
        np.testing.assert_allclose(ours.samples.times, theirs.samples.times, atol=1e-9)
        np.testing.assert_allclose(ours.samples.values, theirs.samples.values, rtol=1e-9)


def test_that_each_of_many_recorded_trials_is_read_only_when_its_first_turn_begins() -> None:
    measured = Turned()
    measured.block([spec(count) for count in (1, 2, 3)], rounds=2)
    turns = [(turn.trial, bool(turn.moments)) for turn in replay(measured.trials)]
    firsts = [turns.index((trial, True)) for trial in range(3)]
    assert [turns[first - 1] for first in firsts] == [(trial, False) for trial in range(3)]
    assert len(turns) == 3 + 6


def test_that_of_a_trial_that_was_measured_again_later_the_newest_attempt_has_the_place() -> None:
    measured = Turned()
    for _ in range(3):
        measured.block([spec(1), spec(2)], rounds=2)
    *others, one, other = measured.trials
    again = [msgspec.structs.replace(one, index=0), msgspec.structs.replace(other, index=3)]
    intake, end = recorded([*others, *again])
    assert intake.last == pytest.approx(end)
    first, second, third = (intake.timeline.spans([index], end)[0] for index in (1, 2, 3))
    assert first.end < second.start < second.end < third.start
    (newest,) = intake.timeline.spans([0], end)
    assert newest.start == third.start


def test_that_real_turns_lie_on_the_axis_as_they_did_live(data: Path) -> None:
    dataset = find_dataset("raw", data)
    specs = [
        specify("raw", dataset, {"threads": threads, "duration": 0.6, "warm_up": 0.0})
        for threads in (1, 2)
    ]
    plan = Plan(title="a race", specs=tuple(specs), repeats=2, turns="auto")
    with closing(Cancel()) as cancel:
        events = list(run(plan, cancel))
    trials = [event.trial for event in events if isinstance(event, TrialEnded)]
    for trial in trials:
        assert len(trial.turns) > 2
        assert {one.round for one in trial.moments} == {turn.round for turn in trial.turns}
    seen, (again, end) = live(events), recorded(trials)
    assert end == pytest.approx(seen.last)
    assert again.boundaries == seen.boundaries
    assert len(seen.boundaries) == 1
    for of in specs:
        ours, theirs = again.traces[of.digest], seen.traces[of.digest]
        assert ours.samples.values.shape == theirs.samples.values.shape
        # Where the machine holds a worker up at its turn's end, its last look may be told late.
        np.testing.assert_allclose(ours.samples.times, theirs.samples.times, atol=0.5)


def test_that_a_trial_that_is_measured_again_follows_its_first_attempt() -> None:
    intake = Intake()
    of = building.spec()
    moments = building.trial(of).moments
    for _ in range(2):
        intake.begin(0, "threads 1")
        for moment in moments:
            intake.add(0, moment)
    intake.take_in()
    assert intake.count == 2 * len(moments)
    assert intake.last > 2 * moments[-1].at


def test_that_a_recording_ends_without_a_jump_where_the_last_look_came_at_once() -> None:
    seat = Seat(0, spec(1))
    for _ in range(10):
        seat.look(0.1, 100)
    seat.look(0.04, 60)  # with what had waited for its verification
    intake, end = recorded([seat.trial(0)])
    (trace,) = intake.traces.values()
    at, values, *_ = trace.known(None)
    assert end == at[-1] == pytest.approx(1.04)
    np.testing.assert_allclose(values[1:-1, 0], 1000)
    assert values[-1, 0] == pytest.approx(160 / 0.14)
