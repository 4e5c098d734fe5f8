"""A trial that was cut off after enough turns counts with what it measured; no other does."""

from __future__ import annotations

from typing import Any

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judge import describe_measuring, metric_estimate, relative, typical
from core.tell.checked import checked_in
from core.tell.exchange.trial_tables import columns_of
from core.tell.tables.result_tables import summarise, tabulate_trials
from core.vocabulary import ENOUGH, Cancelled, Trial, better_of, ending, ending_in, state_of

pytestmark = pytest.mark.quick

ONE, TWO = (building.spec(threads=threads, duration=1.5) for threads in (1, 2))
CUT = Cancelled(stage="measuring")


@given(turns=st.integers(0, 3 * ENOUGH), rate=st.integers(10, 10**6).map(lambda ten: 10.0 * ten))
def test_that_a_trial_counts_from_enough_complete_turns_on_with_their_rate(
    turns: int, rate: float
) -> None:
    trial = building.cut_off(ONE, turns, rate=rate)
    result = building.result(ONE, [trial])
    assert trial.shortened == trial.valid == bool(result.finished_trials) == (turns >= ENOUGH)
    assert trial.throughput == (pytest.approx(rate) if turns >= ENOUGH else None)
    assert trial.byte_rate == (pytest.approx(5 * rate) if turns >= ENOUGH else None)
    assert typical(result) == trial.throughput


def test_that_work_outside_the_windows_is_no_part_of_the_throughput() -> None:
    """However fast it was; all of it counts as done."""
    whole = building.trial(ONE, rate=4000.0, seconds=3.0)
    worker = msgspec.structs.replace(
        whole.workers[0], window=2 * 10**9, window_operations=2000.5, window_bytes=10_000
    )
    trial = msgspec.structs.replace(whole, workers=(worker,))
    assert trial.operations == 12_000
    assert trial.throughput == pytest.approx(1000.25)
    assert trial.byte_rate == pytest.approx(5000.0)


def test_that_a_trial_that_was_over_before_all_workers_had_come_counts_from_start_to_end() -> None:
    whole = building.trial(ONE, rate=4000.0, seconds=3.0)
    trial = changed(whole, window=0, window_operations=0.0, window_bytes=0)
    assert trial.throughput == pytest.approx(4000.0)


def changed(trial: Trial, **counts: Any) -> Trial:
    first = msgspec.structs.replace(trial.workers[0], **counts)
    return msgspec.structs.replace(trial, workers=(first, *trial.workers[1:]))


@given(errors=st.integers(0, 3), wrong=st.integers(0, 3))
def test_that_errors_and_wrong_data_of_a_shortened_trial_count_as_ever(
    errors: int, wrong: int
) -> None:
    trial = changed(building.cut_off(ONE, 20), errors=errors, wrong=wrong)
    result = building.result(ONE, [building.trial(ONE, index=1), trial])
    assert trial in result.finished_trials
    assert trial.valid == result.valid == (errors == wrong == 0)
    assert (trial.throughput is None) == bool(errors or wrong)


@pytest.mark.parametrize("unverified", [1, 10**6])
def test_that_results_that_nobody_verified_do_not_count(unverified: int) -> None:
    trial = building.cut_off(ONE, 20, unverified=unverified)
    result = building.result(ONE, [trial])
    assert not trial.shortened
    assert trial.throughput is None
    assert not result.finished_trials
    assert trial.checked <= trial.operations - 1


def test_that_verified_results_of_a_shortened_trial_count_as_checked() -> None:
    trial = building.cut_off(ONE, 20, rate=100.0)
    assert trial.checked == trial.operations > 0
    text = checked_in([building.result(ONE, [trial])]).text
    assert text == f"{trial.operations:,} sequences compared, all right"


def test_that_turns_that_cannot_be_read_are_not_enough() -> None:
    trial = msgspec.structs.replace(building.cut_off(ONE, 20), slices=b"torn")
    assert not trial.shortened


def test_that_a_complete_trial_replaces_the_shortened_one_of_its_slot() -> None:
    cut, whole = building.cut_off(ONE, 20, rate=500.0), building.trial(ONE, rate=900.0)
    result = building.result(ONE, [cut, whole, building.trial(ONE, index=1, rate=900.0)])
    assert whole in result.finished_trials
    assert cut not in result.finished_trials
    assert result.replaced_trials == (cut,)
    assert metric_estimate(result).trials == (pytest.approx(900.0), pytest.approx(900.0))
    assert ending(result) == "completed"
    assert ending_in(result, cut) == "shortened: 2.0 of 1.5 s, measured again"
    assert [cell.text for cell in summarise([result]).column("trials")] == ["2"]
    assert any(
        "1 shortened trial was measured again" in told for told in describe_measuring([result])
    )


@given(st.lists(st.integers(0, 3 * ENOUGH), min_size=1, max_size=5))
def test_that_of_several_attempts_at_a_slot_the_longest_counts(turns: list[int]) -> None:
    trials = [building.cut_off(ONE, count) for count in turns]
    counting = building.result(ONE, trials).finished_trials
    assert [len(trial.turns) for trial in counting] == [max(turns)] * (max(turns) >= ENOUGH)


@given(
    unverified=st.integers(0, 5),
    errors=st.integers(0, 1),
    wrong=st.integers(0, 1),
    before=st.sampled_from([None, ENOUGH - 1, ENOUGH]),
)
def test_that_the_end_falls_back_on_what_was_verified_before_but_hides_nothing(
    unverified: int, errors: int, wrong: int, before: int | None
) -> None:
    end = changed(building.cut_off(ONE, 20, unverified=unverified), errors=errors, wrong=wrong)
    kept = None if before is None else building.cut_off(ONE, before, moments=())
    found = better_of(end, kept)
    falls_back = unverified > 0 and before == ENOUGH and not (errors or wrong)
    assert len(found.turns) == (ENOUGH if falls_back else 20)
    assert found.shortened == (falls_back or unverified == 0)
    assert (found.errors, found.wrong) == (errors, wrong)
    assert len(found.moments) == len(end.moments)


@pytest.mark.parametrize("before", [5, 15])
def test_that_a_complete_trial_is_never_replaced_by_what_was_kept_before(before: int) -> None:
    whole = building.trial(ONE)
    assert better_of(whole, building.cut_off(ONE, before)) is whole


def test_that_shortened_trials_are_paired_by_their_block() -> None:
    sides = [
        building.result(
            spec,
            [
                building.trial(spec, index=0, rate=factor * 1000.0, block=0),
                building.trial(spec, index=1, rate=factor * 2000.0, block=1),
                building.cut_off(spec, 20, index=2, rate=factor * 4000.0, block=2),
            ],
        )
        for spec, factor in ((ONE, 1), (TWO, 2))
    ]
    found = relative(*sides)
    assert found.value == pytest.approx(2.0, rel=1e-3)
    assert found.low == pytest.approx(2.0, rel=1e-2)
    assert found.high == pytest.approx(2.0, rel=1e-2)


def test_that_tables_exports_and_reports_tell_what_was_shortened() -> None:
    cut = building.cut_off(ONE, 12, index=1)
    result = building.result(ONE, [building.trial(ONE), cut])
    texts = [cell.text for cell in tabulate_trials([result]).column("ending")]
    assert texts == ["completed", "shortened: 1.2 of 1.5 s"]
    assert ending(result) == "shortened (1 of 2)"
    assert state_of([cut]) == "shortened"
    assert state_of(result.trials) == "completed"
    row = {column.name: column.value(result, cut) for column in columns_of([result])}
    assert row["shortened"] is True
    assert row["cancelled"] is True
    assert row["valid"] is True
    (told,) = [line for line in describe_measuring([result]) if line.startswith("Cut off")]
    assert told == (
        "Cut off, and counted with what was measured: 1 of 2 trials; the shortest had 1.2 of 1.5 s."
    )
