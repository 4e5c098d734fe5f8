"""What the table of results says, and what it refuses to say."""

from __future__ import annotations

import building
import msgspec
import pytest

from core.language import NOTHING
from core.language.units import show_spread
from core.tell.tables.result_tables import summarise, summarise_runs
from core.tell.tables.table import Table
from core.vocabulary import Cancelled, Crashed, Result, Trial, WorkerTotals, ending, ending_of

pytestmark = pytest.mark.quick


def texts(table: Table, key: str) -> list[str]:
    return [cell.text for cell in table.column(key)]


def ladder() -> list[Result]:
    return [
        building.good(building.spec(threads=1), 500.0, 508.0, 518.0),
        building.good(building.spec(threads=4), 1500.0, 1524.0, 1530.0),
    ]


def test_that_the_columns_are_what_differs_and_what_was_measured() -> None:
    table = summarise(ladder())
    assert [column.key for column in table.columns] == [
        "threads", "trials", "throughput", "ratio", "p50", "p99", "fds", "peak_rss", "harness", "errors",
        "wrong", "ending",
    ]  # fmt: skip
    assert texts(table, "threads") == ["1", "4"]


def test_that_columns_give_way_one_after_the_other_where_there_is_no_room() -> None:
    raw = building.good(building.spec("raw", parameters={"access": "sequential"}), 1000.0)
    two_steps = [
        building.result(
            result.spec,
            [
                building.trial(result.spec, steps=("fetch", "decode"), workers=of_two_steps(trial))
                for trial in result.trials
            ],
        )
        for result in ladder()[:1]
    ]
    columns = [column for column in summarise([*two_steps, raw], any_floor).columns if column.spare]
    columns.sort(key=lambda column: column.spare)
    assert [column.key for column in columns] == [
        "errors", "wrong", "harness", "p50", "phases", "trials", "floor", "fds", "peak_rss",
    ]  # fmt: skip
    assert len({column.spare for column in columns}) == len(columns)


def of_two_steps(trial: Trial) -> tuple[WorkerTotals, ...]:
    return tuple(
        msgspec.structs.replace(one, phases=(one.window // 2, one.window // 2))
        for one in trial.workers
    )


def test_that_throughput_is_the_typical_one_with_its_interval() -> None:
    table = summarise(ladder())
    assert texts(table, "throughput") == ["509 ± 105 sequences/s", "1,518 ± 184 sequences/s"]
    values = [cell.value for cell in table.column("throughput")]
    assert values == pytest.approx([(500 * 508 * 518) ** (1 / 3), (1500 * 1524 * 1530) ** (1 / 3)])
    assert texts(table, "ratio") == ["1.00×", "2.98×"]


def test_that_what_results_may_be_grouped_by_is_no_figure() -> None:
    places = {
        place: [building.good(building.spec(data=building.dataset(place)), 1.0)]
        for place in ("/a", "/b")
    }
    machine = building.environment(cpu_model="another")
    places["/b"] = [msgspec.structs.replace(one, environment=machine) for one in places["/b"]]
    marked = {column.key: column.parameter for column in summarise_runs(places).columns}
    assert [marked[key] for key in ("run", "dataset", "machine")] == [True] * 3
    assert not marked["throughput"]
    ours = {column.key: column.parameter for column in summarise(ladder()).columns}
    assert [key for key, parameter in ours.items() if parameter] == ["threads"]


def test_that_a_table_has_no_other_columns_than_its_own() -> None:
    with pytest.raises(KeyError, match="colour"):
        summarise(ladder()).column("colour")


def test_that_a_lopsided_interval_is_told_by_its_ends() -> None:
    table = summarise([building.good(building.spec(), 150.0, 200.0, 267.0, 200.0, 200.0)])
    assert texts(table, "throughput") == ["200 (108 to 370) sequences/s"]


def test_that_an_interval_of_more_than_a_factor_of_ten_is_not_told() -> None:
    table = summarise([building.good(building.spec(), 100.0, 200.0, 400.0)])
    assert texts(table, "throughput") == ["200 sequences/s"]


def test_that_one_trial_has_no_spread() -> None:
    table = summarise([building.good(building.spec(), 508.0)])
    assert texts(table, "throughput") == ["508 sequences/s"]
    assert texts(table, "threads") == ["1"]


def test_that_an_invalid_result_has_its_ending_for_a_throughput() -> None:
    table = summarise([*ladder(), *building.invalid()])
    assert set(texts(table, "throughput")[2:]) == {NOTHING}
    assert {cell.value for cell in table.column("throughput")[2:]} == {None}
    assert set(texts(table, "ratio")[2:]) == {NOTHING}
    assert texts(table, "ending") == [
        "completed",
        "completed",
        "wrong data in 12: 3 of 5 bases differ, 9,000 failed",
        "crashed while measuring: SIGSEGV (1 of 2)",
        "nothing moved within 60 s while closing",
        "nothing was done",
        "crashed while setting up: left with exit code 1",
    ]


def test_that_no_ratio_is_told_to_an_invalid_first_row() -> None:
    table = summarise([building.invalid()[0], *ladder()])
    assert set(texts(table, "ratio")) == {NOTHING}


def test_that_a_cancelled_trial_does_not_make_the_others_invalid() -> None:
    of = building.spec()
    result = building.result(
        of,
        [
            building.trial(of, rate=508.0),
            building.trial(of, index=1, outcome=Cancelled(stage="measuring")),
        ],
    )
    assert summarise([result]).column("throughput")[0].value == 508.0
    assert ending(result) == "cancelled while measuring (1 of 2)"


def test_that_the_commonest_ending_stands_first() -> None:
    of = building.spec()
    signals = ("SIGABRT", "SIGSEGV", "SIGSEGV", "", "SIGSEGV")
    trials = [
        building.trial(
            of,
            index=at,
            **({"outcome": Crashed(stage="measuring", signal=name)} if name else {"rate": 10.0}),
        )
        for at, name in enumerate(signals)
    ]
    assert ending_of(trials).startswith(
        "crashed while measuring: SIGSEGV (3 of 5), crashed while measuring: SIGABRT (1 of 5)"
    )


def any_floor(spec: building.RunSpec) -> dict[str, object]:
    """A workload whose limit is any raw result."""
    return {}


def test_that_accesses_are_held_against_the_random_raw_reader_with_the_same_load() -> None:
    raw = building.good(building.spec("raw", parameters={"access": "random"}), 2000.0)
    other = building.good(building.spec("raw", parameters={"access": "random"}, threads=4), 1.0)
    table = summarise([building.good(building.spec(), 500.0), raw, other], any_floor)
    assert texts(table, "floor") == ["25 %"]


def test_that_raw_results_have_rows_only_among_themselves() -> None:
    raw = building.good(building.spec("raw", parameters={"access": "random"}), 2000.0)
    assert texts(summarise([raw]), "throughput") == ["2,000 sequences/s"]
    assert len(summarise([building.good(building.spec(), 500.0), raw]).rows) == 1


def test_that_bytes_are_held_against_the_sequential_raw_reader() -> None:
    raw = building.good(building.spec("raw", parameters={"access": "sequential"}), 1000.0)
    table = summarise([building.good(building.spec(), 610.0), raw], any_floor)
    assert texts(table, "floor") == ["61 %"]


def test_that_plain_reads_that_a_reader_outruns_are_no_limit_to_any() -> None:
    raw = building.good(building.spec("raw", parameters={"access": "random"}), 1000.0)
    readers = [
        building.good(building.spec(parameters={"cache": cache}), rate)
        for cache, rate in (("none", 500.0), ("lru", 2100.0))
    ]
    table = summarise([*readers, raw], any_floor)
    assert texts(table, "floor") == ["no limit", "no limit"]
    as_fast = [readers[0], building.good(readers[1].spec, 1040.0)]
    assert texts(summarise([*as_fast, raw], any_floor), "floor") == ["50 %", "104 %"]


def test_that_a_doubtful_floor_is_settled_by_the_workload_or_not_told() -> None:
    results = [
        building.good(building.spec(), 500.0),
        building.good(building.spec("raw", parameters={"access": "sequential"}), 4000.0),
        building.good(building.spec("raw", parameters={"access": "random"}), 1000.0),
    ]
    assert "floor" not in [column.key for column in summarise(results, any_floor).columns]
    told = summarise(results, floor_of=lambda spec: {"access": "random"})
    assert texts(told, "floor")[0] == "50 %"
    none = summarise(results, floor_of=lambda spec: None)
    assert "floor" not in [column.key for column in none.columns]


def test_that_no_results_are_an_empty_table() -> None:
    assert summarise([]).rows == ()


@pytest.mark.parametrize(
    ("value", "half_width", "text"),
    [
        (508.2, 9.4, "508 ± 9"),
        (1180.0, 12.0, "1,180 ± 12"),
        (0.4212, 0.031, "0.42 ± 0.03"),
        (1_234_567.0, 0.0, "1,235,000"),
        (12.34, 0.0, "12.3"),
    ],
)
def test_that_a_spread_is_shown_to_its_first_digit(
    value: float, half_width: float, text: str
) -> None:
    assert show_spread(value, half_width) == text


def test_that_counters_that_answer_a_workloads_question_have_columns() -> None:
    specs = [
        building.spec("sparse-remote", parameters={"greedy_length": length})
        for length in (0, 65_536)
    ]
    results = [
        building.result(
            of,
            [
                building.trial(of, index=index, counters={"requests a pass": requests + index})
                for index in range(3)
            ],
        )
        for of, requests in zip(specs, (379, 65), strict=True)
    ]
    table = summarise(results)
    assert texts(table, "requests a pass") == ["380", "66"]
    assert [column.key for column in summarise(ladder()).columns].count("requests a pass") == 0


def test_that_what_was_counted_live_has_columns_in_its_own_unit() -> None:
    of = building.spec()
    built = building.trial(of)
    moments = tuple(
        msgspec.structs.replace(one, tallies={"503": 7.0, "backoff seconds": 0.25})
        for one in built.moments
    )
    counters = {"503": 7.0, "backoff seconds": 0.25}
    trial = msgspec.structs.replace(built, moments=moments, counters=counters)
    table = summarise([building.result(of, [trial])])
    assert [cell.text for cell in table.column("503")] == ["7"]
    assert [cell.text for cell in table.column("backoff seconds")] == ["250 ms"]


def test_that_runs_share_their_columns_and_each_has_a_ratio_of_its_own() -> None:
    slow = [building.good(building.spec(threads=1), 100.0, 102.0)]
    table = summarise_runs({"first": ladder(), "second": slow})
    assert [column.key for column in table.columns][:3] == ["run", "threads", "trials"]
    assert texts(table, "run") == ["first", "first", "second"]
    assert texts(table, "threads") == ["1", "4", "1"]
    assert texts(table, "ratio") == ["1.00×", "2.98×", "1.00×"]


def test_that_runs_of_several_datasets_and_machines_say_which() -> None:
    elsewhere = building.good(building.spec(data=building.dataset("/other")), 100.0)
    faster = msgspec.structs.replace(
        elsewhere, environment=building.environment(cpu_model="Faster")
    )
    table = summarise_runs({"here": ladder(), "there": [faster]})
    assert texts(table, "dataset") == ["/data/snapshot", "/data/snapshot", "/other"]
    assert texts(table, "machine")[2].startswith("Faster, ")
    assert "machine" not in [column.key for column in summarise_runs({"here": ladder()}).columns]


def test_that_no_runs_make_an_empty_table() -> None:
    assert summarise_runs({}).rows == ()
