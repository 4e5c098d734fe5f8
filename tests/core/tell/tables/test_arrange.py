"""A table of results as somebody wants to see it."""

from __future__ import annotations

from typing import Any

import building
import pytest

from core.language import UsageError
from core.tell.exchange.trial_tables import table_text
from core.tell.tables.result_tables import caption, summarise, tabulate_trials
from core.tell.tables.table import Arrangement, Table
from core.vocabulary import Cancelled, Crashed, TimedOut, state_of, trials_in_order
from core.vocabulary.outcome import State

pytestmark = pytest.mark.quick

RESULTS = [
    building.good(
        building.spec(parameters={"cache": cache, "where": where}, threads=threads),
        rate,
        first=10 * place,
    )
    for place, (cache, where, threads, rate) in enumerate(
        [
            ("lru", "left wing", 1, 900.0),
            ("none", "left", 1, 100.0),
            ("lru", "right wing", 4, 3000.0),
            ("none", "right", 4, 400.0),
        ]
    )
]
TABLE = summarise([*RESULTS, building.invalid()[0]])


def rows(filter_text: str, **how: Any) -> list[str]:
    """Threads and cache of every row."""
    arranged = Arrangement(filter=filter_text, **how).of(TABLE)
    cells = [TABLE.column(key) for key in ("threads", "cache")]
    return [" ".join(column[row].text for column in cells) for row in arranged]


@pytest.mark.parametrize(
    ("filter_text", "kept"),
    [
        ("", ["1 LRU, no lock", "1 none", "4 LRU, no lock", "4 none", "11 LRU, no lock"]),
        ("none", ["1 none", "4 none"]),
        ("cache=lru threads>4", ["11 LRU, no lock"]),
        ("LRU complet", ["1 LRU, no lock", "4 LRU, no lock"]),
        ('"left wing"', ["1 LRU, no lock"]),
        ("left wing", ["1 LRU, no lock"]),
        ("threads>1", ["4 LRU, no lock", "4 none", "11 LRU, no lock"]),
        ("throughput>=400 threads<=4", ["1 LRU, no lock", "4 LRU, no lock", "4 none"]),
        ("p99<5ms threads<=4", ["1 LRU, no lock", "4 LRU, no lock"]),
        ("peak_rss>1GiB", []),
        (
            "harness<50%",
            ["1 LRU, no lock", "1 none", "4 LRU, no lock", "4 none", "11 LRU, no lock"],
        ),
        ("ending!=completed", ["11 LRU, no lock"]),
        ("wrong=12", ["11 LRU, no lock"]),
    ],
)
def test_that_a_filter_keeps_rows_that_meet_all_it_says(filter_text: str, kept: list[str]) -> None:
    assert rows(filter_text) == kept


@pytest.mark.parametrize(
    ("filter_text", "reason"),
    [
        ("thread>1", "no column is called 'thread'"),
        ("threads>", "threads> lacks a value"),
        ("p99<soon", "'soon' is no value for p99"),
    ],
)
def test_that_a_condition_that_cannot_be_read_is_refused_with_the_reason(
    filter_text: str, reason: str
) -> None:
    with pytest.raises(UsageError) as refused:
        rows(filter_text)
    assert str(refused.value) == reason


def test_that_rows_are_sorted_by_value_and_those_without_one_come_last() -> None:
    rising = ["1 none", "4 none", "1 LRU, no lock", "4 LRU, no lock"]
    assert rows("", sort_by="throughput") == [*rising, "11 LRU, no lock"]
    assert rows("", sort_by="throughput", descending=True) == [*reversed(rising), "11 LRU, no lock"]


def test_that_trials_have_a_row_each_in_the_order_of_measuring() -> None:
    results = [
        building.result(of, [building.trial(of, index=index, rate=rate) for index, rate in trials])
        for of, trials in (
            (building.spec(threads=1), [(0, 500.0), (3, 510.0)]),
            (building.spec(threads=2), [(1, 900.0), (2, 990.0)]),
        )
    ]
    table = tabulate_trials(results)
    assert [trial.index for _, trial in trials_in_order(results)] == [0, 1, 2, 3]

    def texts(key: str) -> list[str]:
        return [cell.text for cell in table.column(key)]

    assert texts("trial") == ["1", "2", "3", "4"]
    assert texts("threads") == ["1", "2", "2", "1"]
    assert texts("repeat") == ["1", "1", "2", "2"]
    assert texts("throughput")[:2] == ["500 sequences/s", "900 sequences/s"]
    assert texts("fds") == ["20"] * 4
    assert texts("elapsed") == ["2.0 s"] * 4
    assert texts("ending") == ["completed"] * 4


def test_that_a_trial_that_did_not_go_well_has_no_throughput_but_its_ending() -> None:
    table = tabulate_trials(building.invalid())
    assert "crashed while measuring: SIGSEGV" in [cell.text for cell in table.column("ending")]
    known = [cell.text for cell in table.column("throughput") if cell.value is not None]
    assert known == ["7,777 sequences/s"]  # the one that went well beside a crash


@pytest.mark.parametrize(
    ("trials", "state"),
    [
        ([], "not measured"),
        ([{}, {}], "completed"),
        ([{}, {"outcome": Cancelled(stage="measuring")}], "completed"),
        ([{"outcome": Cancelled(stage="measuring")}], "cancelled"),
        ([{}, {"errors": 2}], "errors"),
        ([{"errors": 2}, {"outcome": TimedOut(stage="x", limit=1, stalled=True)}], "timed out"),
        ([{"outcome": Crashed(stage="x", signal="SIGSEGV")}], "crashed"),
        ([{"outcome": Crashed(stage="x", signal="SIGSEGV")}, {"wrong": 1}], "wrong data"),
        ([{"workers": ()}], "nothing done"),
    ],
)
def test_that_the_state_of_trials_is_the_worst_of_them(
    trials: list[dict[str, Any]], state: State
) -> None:
    assert state_of([building.trial(building.spec(), **each) for each in trials]) == state


def test_that_a_table_is_copied_as_shown_and_its_values_in_plain_units() -> None:
    part = Table(columns=TABLE.columns[:2], rows=tuple(row[:2] for row in TABLE.rows[:2]))
    told = table_text(part, "markdown", RESULTS).splitlines()
    assert told[0] == caption(RESULTS)
    assert told[2].startswith("| Cache | ")
    assert told[4].startswith("| LRU, no lock | ")
    line = table_text(TABLE, "csv").splitlines()[1].split(",")
    keys = [column.key for column in TABLE.columns]
    assert line[keys.index("throughput")] == "900.0"
    assert 0.001 < float(line[keys.index("p50")]) < 0.0012
