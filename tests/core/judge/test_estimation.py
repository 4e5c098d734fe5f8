"""One question has one answer, whichever face is asked."""

from __future__ import annotations

import math
from collections.abc import Sequence

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judge import (
    advise,
    diagnose_all,
    load_study,
    metric_estimate,
    ratio,
    relative,
    reproduction_of,
    typical,
)
from core.judge.comparison import compare
from core.judge.estimation import measured_apart
from core.judge.questions import open_settings
from core.judge.study.judge_claims import judge
from core.judge.study.preset import Claim
from core.tell.tables.result_tables import summarise
from core.vocabulary import Result, Trial, VerdictKind

pytestmark = pytest.mark.quick

DRIFTING = {
    1: (100.0, 60.0, 140.0, 90.0, 55.0),
    2: (130.0, 118.0, 230.0, 120.0, 99.0),
    4: (310.0, 150.0, 260.0, 260.0, 140.0),
    8: (270.0, 170.0, 290.0, 180.0, 120.0),
}
"""Throughput of each block, by threads: the machine drifts, and medians are from other blocks."""


def swept() -> list[Result]:
    return [building.good(building.spec(threads=n), *rates) for n, rates in DRIFTING.items()]


def paired(candidate: Sequence[float], baseline: Sequence[float]) -> float:
    logs = [math.log(two / one) for one, two in zip(baseline, candidate, strict=True)]
    return math.exp(math.fsum(logs) / len(logs))


def test_that_eight_threads_against_one_are_the_same_in_table_compare_and_advice() -> None:
    results = swept()
    truth = paired(DRIFTING[8], DRIFTING[1])
    one, eight = results[0], results[-1]
    assert summarise(results).column("ratio")[-1].value == pytest.approx(truth)
    assert compare(one, eight).ratio == pytest.approx(truth)
    assert ratio(one, eight) == pytest.approx(truth)
    advice = advise(results)
    assert advice is not None
    steps = {(step.start, step.end): step.verdict.ratio or 0.0 for step in advice.steps}
    assert steps[1, 2] == pytest.approx(paired(DRIFTING[2], DRIFTING[1]))
    assert math.prod(steps.values()) == pytest.approx(truth)
    threads = advice.values["threads"]
    assert isinstance(threads, int)
    assert advice.gain is not None
    assert advice.gain.ratio == pytest.approx(paired(DRIFTING[threads], DRIFTING[1]))


def test_that_the_interval_of_a_ratio_is_the_same_in_compare_claims_and_plots() -> None:
    one, eight = swept()[0], swept()[-1]
    verdict = compare(one, eight)
    drawn = relative(one, eight, confidence=verdict.confidence)
    assert (drawn.low, drawn.high) == pytest.approx((verdict.low, verdict.high))
    claim = Claim(text="", kind="ratio", cell="b", to="a", published="", direction="more")
    study = msgspec.structs.replace(load_study("seqrepo-fd-cache"), claims=(claim,))
    (judged,) = judge(study, {"a": one, "b": eight})
    assert verdict.sentence.count(judged.here) == 1


def test_that_a_studys_table_has_the_ratio_that_its_claims_are_judged_by() -> None:
    study = load_study("seqrepo-fd-cache")
    base, other = study.cells[0], study.cells[1]
    rates = {base.label: DRIFTING[1], other.label: DRIFTING[4]}
    results = [
        building.good(
            building.spec(parameters={n: v for n, v in cell.at.items() if n != "threads"},
                          threads=cell.at["threads"]),
            *rates[cell.label],
        )
        for cell in (base, other)
    ]  # fmt: skip
    claim = Claim(text="", kind="ratio", cell=other.label, to=base.label, published="", low=1.0)
    changed = msgspec.structs.replace(study, claims=(claim,), baseline=base.label)
    found = reproduction_of(changed, results)
    (row,) = (row for row in found.board.rows if row[0] == other.label)
    assert found.judged[0].here.startswith(f"{row[4]} (")


def test_that_a_diagnosis_tells_the_gain_that_the_table_tells() -> None:
    results = [
        building.good(building.spec(threads=n), *rates)
        for n, rates in {1: (100.0, 60.0, 140.0), 8: (103.0, 70.0, 139.0)}.items()
    ]
    told = summarise(results).column("ratio")[-1].text
    found = diagnose_all(results)
    assert found is not None
    assert any(f"8 threads reach {told} what one does" in text for text in found.evidence)


rates = st.lists(st.floats(min_value=1.0, max_value=1e6), min_size=3, max_size=15)


@given(st.integers(2, 15).flatmap(lambda n: st.tuples(*[st.lists(
    st.floats(min_value=1.0, max_value=1e6), min_size=n, max_size=n)] * 3)))  # fmt: skip
def test_that_ratios_multiply_and_are_those_of_the_typical_figures(
    sides: tuple[list[float], list[float], list[float]],
) -> None:
    one, two, three = (building.good(building.spec(threads=1 + n), *side)
                       for n, side in enumerate(sides))  # fmt: skip
    first, second, both = ratio(one, two), ratio(two, three), ratio(one, three)
    assert first is not None
    assert second is not None
    assert first * second == pytest.approx(both)
    assert first == pytest.approx((typical(two) or 0.0) / (typical(one) or 1.0))
    assert relative(one, two).value == pytest.approx(compare(one, two).ratio)


@given(rates)
def test_that_times_agree_with_rates(values: list[float]) -> None:
    found = metric_estimate(building.good(building.spec(), *values))
    times = found.inverted()
    assert found.value is not None
    assert times.value == pytest.approx(1.0 / found.value)
    assert (times.high is None) == (found.low is None)
    if found.low is not None:  # it may be too wide to tell anything
        assert times.high == pytest.approx(1.0 / found.low)


def test_that_the_typical_figure_is_that_of_all_trials_also_where_there_are_many() -> None:
    values = [100.0 + at for at in range(13)]
    result = building.good(building.spec(), *values)
    assert metric_estimate(result).value == pytest.approx(math.exp(sum(map(math.log, values)) / 13))
    twice = building.good(building.spec(threads=2), *(2.0 * one + one % 7 for one in values))
    assert compare(result, twice).ratio == pytest.approx(ratio(result, twice))


def test_that_equal_trials_come_to_exactly_what_each_has() -> None:
    assert typical(building.good(building.spec(), 508.0, 508.0, 508.0)) == 508.0


def test_that_counts_are_told_by_their_median() -> None:
    of = building.spec()
    last = [building.reading(2.0, dataset_fds=count) for count in (12, 13, 130)]
    found = building.result(
        of, [building.trial(of, index=at, last=one) for at, one in enumerate(last)]
    )
    assert typical(found, "dataset_fds") == 13
    assert metric_estimate(found, "dataset_fds").low is None


def test_that_a_single_trial_has_no_interval() -> None:
    found = metric_estimate(building.good(building.spec(), 5.0))
    assert (found.value, found.low, found.high) == (5.0, None, None)


def still(of: Result) -> Result:
    """The same, but for a last trial that moved nothing while all workers were active."""
    last = of.trials[-1]
    workers = tuple(msgspec.structs.replace(one, window_operations=0) for one in last.workers)
    trials = (*of.trials[:-1], msgspec.structs.replace(last, workers=workers))
    return msgspec.structs.replace(of, trials=trials)


def test_that_a_trial_that_moved_nothing_leaves_no_ratio_in_any_face() -> None:
    one, two = swept()[0], still(swept()[1])
    assert typical(two) == 0.0
    assert metric_estimate(two).low is None
    assert ratio(one, two) is None
    assert relative(one, two).value is None
    assert summarise([one, two]).column("ratio")[1].value is None
    verdict = compare(one, two)
    assert verdict.kind is VerdictKind.INVALID
    assert "a trial whose throughput is 0" in verdict.sentence


def test_that_a_setting_whose_trial_moved_nothing_is_out_of_the_race() -> None:
    results = swept()
    results[2] = still(results[2])
    advice = advise(results)
    assert advice is not None
    assert advice.values["threads"] != 4
    assert [dict(values) for values, _ in advice.refused] == [{"threads": 4}]
    assert results[2].spec.digest not in open_settings(results, {})


def later(trials: Sequence[Trial], seconds: float) -> list[Trial]:
    return [msgspec.structs.replace(one, started=one.started + seconds) for one in trials]


def test_that_a_sweep_ended_within_a_block_was_not_measured_apart() -> None:
    one, two = swept()[0], swept()[1]
    assert not measured_apart(one.trials, two.trials[:-1])
    ended = msgspec.structs.replace(two, trials=two.trials[:-1])
    assert compare(one, ended).drift is None
    assert compare(one, ended).ratio == pytest.approx(ratio(one, ended))


def test_that_one_after_the_other_is_apart_however_the_blocks_are_numbered() -> None:
    one, two = swept()[0], swept()[1]
    assert measured_apart(one.trials, later(two.trials, 100.0))
    shifted = [msgspec.structs.replace(trial, block=trial.block + 4) for trial in two.trials]
    assert measured_apart(one.trials, later(shifted, 4.0))


@pytest.mark.parametrize("back", [5.0, 3600.0])
def test_that_a_clock_that_is_set_back_leaves_blocks_in_turn(back: float) -> None:
    """As once in a day by NTP, or after a virtual machine was moved."""
    one, two = (
        [*side.trials[:2], *later(side.trials[2:], -back)] for side in (swept()[0], swept()[1])
    )
    assert len(one) > 3
    assert not measured_apart(one, two)


def test_that_settings_of_a_search_are_paired_by_the_rounds_of_both() -> None:
    few = swept()[0].trials[:2]
    assert not measured_apart(few, swept()[1].trials)


@given(st.floats(1.0, 1e9), st.integers(3, 6))
def test_that_an_interval_of_equal_trials_holds_its_value(rate: float, count: int) -> None:
    found = metric_estimate(building.good(building.spec(), *[rate] * count))
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.value <= found.high
