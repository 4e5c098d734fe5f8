"""The noise of the machine tells a disturbed trial; of two attempts the calmer one counts."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judge import describe_measuring, typical
from core.run import Session
from core.tell.exchange import format_named
from core.tell.exchange.json_format import parse_json
from core.tell.exchange.trial_tables import columns_of
from core.tell.report import report_tables
from core.tell.tables.result_tables import summarise, tabulate_trials
from core.vocabulary import (
    STEAL,
    TAKEN,
    THROTTLED,
    Crashed,
    MachineNoise,
    Outcome,
    Trial,
    counted,
    disturbance,
    ending,
    ending_in,
    is_disturbed,
)
from core.vocabulary.attempts import replaced, taken_by_others

pytestmark = pytest.mark.quick

SPEC = building.spec(threads=2)
MACHINE = building.environment()  # of 8 cores


def noise(**figures: Any) -> MachineNoise:
    return MachineNoise(**({"seconds": 1.0, "cores": 8} | figures))


def stolen(share: float) -> MachineNoise:
    """The hypervisor took this share of the time that two workers wanted."""
    return noise(steal=2 * share, others=0.0)


def trial(share: float | None, **rest: Any) -> Trial:
    told = None if share is None else stolen(share)
    return building.trial(SPEC, noise=told, **rest)


@pytest.mark.parametrize(
    ("figures", "limit"),
    [
        ({"steal": 2 * STEAL}, "steal"),
        ({"throttled": 2 * THROTTLED}, "throttled"),
        # With 6.4 cores taken, two workers have 1.6 of the 2 cores that they want.
        ({"others": 8.0 - 2 * (1 - TAKEN)}, "others"),
    ],
)
def test_that_each_limit_disturbs_from_just_above_it(figures: dict[str, float], limit: str) -> None:
    for factor, disturbed in ((0.99, False), (1.01, True)):
        found = noise(**{limit: factor * figures[limit]})
        assert is_disturbed(building.trial(SPEC, noise=found), MACHINE) == disturbed


def test_that_others_do_not_disturb_while_they_leave_enough_cores() -> None:
    assert disturbance(building.trial(SPEC, noise=noise(others=5.9)), MACHINE) == 0.0


def test_that_a_quota_does_not_disturb_whoever_has_more_workers_than_it_allows() -> None:
    found = building.trial(SPEC, noise=noise(throttled=1.0))
    assert is_disturbed(found, MACHINE)
    assert not is_disturbed(found, building.environment(quota_cores=1.5))


def crowded(*cores: int) -> Trial:
    """Four threads of which one runs at a time and three wait for a core, for a second."""
    first, last = building.reading(0.0), building.reading(1.0)
    return building.trial(
        building.spec(threads=4),
        first=msgspec.structs.replace(first, queued=0.0),
        last=msgspec.structs.replace(last, queued=3.0),
        bound_cores=cores,
    )


def test_that_threads_that_wait_for_the_cores_they_are_bound_to_are_not_disturbed() -> None:
    assert taken_by_others(crowded(), MACHINE) == pytest.approx(0.75, abs=0.01)
    assert taken_by_others(crowded(3), MACHINE) == pytest.approx(0.0, abs=0.01)
    assert taken_by_others(crowded(0, 1), MACHINE) == pytest.approx(0.5, abs=0.01)
    assert is_disturbed(crowded(0, 1), MACHINE)
    assert not is_disturbed(crowded(3), MACHINE)


def test_that_others_have_taken_no_more_than_they_ran() -> None:
    for others, share in ((0.0, 0.0), (0.8, 0.2), (9.0, 0.75)):
        found = msgspec.structs.replace(crowded(), noise=noise(others=others))
        assert taken_by_others(found, MACHINE) == pytest.approx(share, abs=0.01)


def test_that_what_was_stolen_is_held_against_the_cores_that_a_trial_is_bound_to() -> None:
    figures = noise(steal=1.5 * STEAL, others=0.0)
    free, bound = (building.trial(SPEC, noise=figures, bound_cores=cores) for cores in ((), (5,)))
    assert not is_disturbed(free, MACHINE)  # of the two cores that two workers want
    assert is_disturbed(bound, MACHINE)


def test_that_heat_and_load_are_no_reason() -> None:
    found = noise(steal=0.0, overheated=99, load_before=64.0, load_after=64.0)
    assert not is_disturbed(building.trial(SPEC, noise=found), MACHINE)


def test_that_what_is_unknown_is_not_called_disturbed() -> None:
    assert disturbance(building.trial(SPEC), MACHINE) is None
    assert not is_disturbed(building.trial(SPEC), MACHINE)


@given(
    share=st.floats(0.0, 0.5),
    rates=st.tuples(st.floats(1.0, 1e6), st.floats(1.0, 1e6)),
    errors=st.integers(0, 3),
)
def test_that_the_verdict_is_the_same_whatever_the_trial_reached(
    share: float, rates: tuple[float, float], errors: int
) -> None:
    one, two = (trial(share, rate=rate, errors=errors) for rate in rates)
    assert disturbance(one, MACHINE) == disturbance(two, MACHINE)


attempts = st.lists(
    st.tuples(
        st.one_of(st.none(), st.floats(0.0, 0.5)), st.sampled_from(["valid", "wrong", "crash"])
    ),
    min_size=1,
    max_size=3,
)


def attempt(number: int, share: float | None, kind: str, rate: float) -> Trial:
    outcome: Outcome | None = Crashed(stage="measuring") if kind == "crash" else None
    wrong = 3 if kind == "wrong" else 0
    return trial(share, index=4, block=number, rate=rate, wrong=wrong, outcome=outcome)


@given(attempts, st.lists(st.floats(10.0, 1e5), min_size=3, max_size=3))
def test_that_of_valid_attempts_the_calmest_counts_and_no_other_ending_disappears(
    kinds: list[tuple[float | None, str]], rates: list[float]
) -> None:
    trials = [
        attempt(number, share, kind, rates[number]) for number, (share, kind) in enumerate(kinds)
    ]
    counting = counted(trials, MACHINE)
    assert counting
    assert all(one in counting for one in trials if not one.valid)
    told = [one for one in trials if one.valid and one.noise is not None]
    chosen = [one for one in told if one in counting]
    assert len(chosen) == min(len(told), 1)
    least = min((disturbance(one, MACHINE) or 0.0 for one in told), default=0.0)
    assert [disturbance(one, MACHINE) for one in chosen] == [least] * len(chosen)
    assert len(counting) + len(replaced(trials, MACHINE)) == len(trials)
    others = [
        attempt(number, share, kind, rates[-1 - number])
        for number, (share, kind) in enumerate(kinds)
    ]
    assert [one.block for one in counted(others, MACHINE)] == [one.block for one in counting]


def test_that_a_repeat_as_disturbed_as_the_first_replaces_nothing() -> None:
    first, repeat = (trial(0.1, index=0, block=block) for block in (0, 5))
    assert counted([first, repeat], MACHINE) == (first,)


def test_that_other_slots_are_left_alone() -> None:
    trials = [trial(0.4, index=0), trial(0.0, index=1), trial(0.2, index=2)]
    assert counted(trials, MACHINE) == tuple(trials)


def repeated(before: float, after: float) -> tuple[Trial, ...]:
    """Three trials; the second was disturbed and measured again after all."""
    return (
        trial(0.0, index=0, rate=900.0),
        trial(before, index=1, rate=500.0),
        trial(0.0, index=2, rate=900.0),
        trial(after, index=1, block=3, rate=900.0, started=1_770_000_009.0),
    )


def test_that_a_calmer_repeat_replaces_a_disturbed_trial_and_everybody_is_told() -> None:
    trials = repeated(0.5, 0.0)
    result = building.result(SPEC, trials)
    assert result.finished_trials == (trials[0], trials[2], trials[3])
    assert typical(result) == pytest.approx(900.0)
    assert ending(result) == "completed"
    assert ending_in(result, trials[1]) == "completed, disturbed, measured again"
    shown = tabulate_trials([result]).column("ending")
    assert [cell.text for cell in shown].count("completed, disturbed, measured again") == 1
    assert len(shown) == 4
    assert [cell.text for cell in summarise([result]).column("trials")] == ["3"]
    assert (
        "Disturbed and measured again: 1 of 3 trials; the calmer repeat counts."
        in describe_measuring([result])
    )
    rows = [
        {column.name: column.value(result, one) for column in columns_of([result])}
        for one in trials
    ]
    assert [row["counts"] for row in rows] == [True, False, True, True]
    assert [row["disturbed"] for row in rows] == [False, True, False, False]


def test_that_a_repeat_in_vain_does_not_count_and_everybody_is_told() -> None:
    trials = repeated(0.5, 0.6)
    result = building.result(SPEC, trials)
    assert result.finished_trials == trials[:3]
    assert ending_in(result, trials[3]) == "completed, disturbed, does not count"
    assert any("the repeat was no calmer" in told for told in describe_measuring([result]))


def test_that_disturbed_trials_without_a_repeat_count_and_are_told() -> None:
    result = building.result(SPEC, repeated(0.5, 0.0)[:3])
    assert len(result.finished_trials) == 3
    assert "Disturbed, and counted: 1 of 3 trials." in describe_measuring([result])
    calm = building.result(SPEC, repeated(0.0, 0.0)[:3])
    assert not any("disturbed" in told for told in describe_measuring([calm]))


def test_that_a_crash_is_never_replaced_by_its_repeat() -> None:
    first = trial(0.3, index=0, outcome=Crashed(stage="measuring", signal="SIGSEGV"))
    result = building.result(SPEC, [first, trial(0.0, index=0, block=7)])
    assert not result.valid
    assert "crashed" in ending(result)


def test_that_results_of_several_settings_keep_the_slots_of_each() -> None:
    """Curves pool settings: their slots have indexes of one plan, but specs of their own."""
    other = msgspec.structs.replace(trial(0.0, index=0, block=5), spec_digest="another")
    trials = [trial(0.2, index=0), other]
    assert counted(trials, MACHINE) == tuple(trials)


NOISE = MachineNoise(seconds=2.0, cores=4, others=2.0, steal=0.4, throttles=3, load_before=1.5)
NOISY = building.trial(SPEC, noise=NOISE)
OLDER = building.trial(SPEC, index=1)
RESULT = building.result(SPEC, [NOISY, OLDER])


def test_that_a_session_keeps_the_noise_and_reads_trials_from_before_it(tmp_path: Path) -> None:
    with Session.create(tmp_path / "a.sluice") as session:
        run = session.begin_run(building.plan([SPEC], repeats=2), building.environment(), {}, [])
        session.append(run, NOISY)
        session.append(run, OLDER)
        assert [trial.noise for trial in session.trials(run)] == [NOISE, None]
    body = msgspec.json.decode(msgspec.json.encode(OLDER))
    del body["noise"]
    assert msgspec.convert(body, Trial).noise is None


def test_that_the_table_of_trials_has_the_share_of_others() -> None:
    cells = tabulate_trials([RESULT]).column("others")
    assert [cell.value for cell in cells] == [0.25, None]
    assert cells[0].text.startswith("25")


def test_that_rows_of_an_export_have_all_of_the_noise() -> None:
    noisy, older = (
        {column.name: column.value(RESULT, trial) for column in columns_of([RESULT])}
        for trial in RESULT.trials
    )
    assert noisy["others_share"] == 0.25
    assert noisy["steal_share"] == pytest.approx(0.05)
    assert noisy["throttles"] == 3
    assert noisy["load_before"] == 1.5
    assert noisy["throttled_share"] is noisy["overheated"] is older["others_share"] is None


def test_that_an_export_as_json_gives_the_noise_back() -> None:
    stream = io.BytesIO()
    format_named("json").export([RESULT], stream)
    assert [one.noise for one in parse_json(stream.getvalue())[0].trials] == [NOISE, None]


def test_that_a_report_has_the_share_of_others_of_each_trial() -> None:
    grid = report_tables.trials_grid([RESULT], {SPEC.digest: "it"})
    place = grid.titles.index("Others")
    assert [row[place] for row in grid.rows] == ["25 %", "–"]
    assert place in grid.right
    assert grid.titles.index("Ending") not in grid.right
