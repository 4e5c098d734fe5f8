"""What a run will lack is said before it begins; trials are as long as a budget allows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measure import foreseen
from core.measure.machine.descriptors import descriptor_limit
from core.run import Request, task_of
from core.vocabulary import BLOCKS, Dataset, Load, RunSpec, Timing, declared, shortened, specify

pytestmark = pytest.mark.quick


@pytest.fixture
def data(tmp_path: Path) -> Dataset:
    for number in range(100):
        (tmp_path / f"{number}.fa").write_bytes(b">a\nACGT\n")
    return Dataset(kind="fasta-folder", location=str(tmp_path), fingerprint="00ff")


def spec(data: Dataset, **wishes: Any) -> RunSpec:
    return specify("fasta", data, wishes)


def test_that_what_asks_for_most_descriptors_is_named_first(data: Dataset) -> None:
    (said,) = foreseen([spec(data, cache="per-thread", cache_size=32, threads=16)], 64)
    assert "536 files" in said
    assert "where 64 may be" in said
    assert "lower cache size (512 files)" in said
    assert "ulimit -n" in said


def test_that_no_cache_is_larger_than_the_data(data: Dataset) -> None:
    shared = spec(data, cache="lru-locked", cache_size=4096)
    assert foreseen([shared], 124) == ()
    assert "124 files" in foreseen([shared], 123)[0]


def test_that_a_snapshots_databases_count_for_each_thread(data: Dataset) -> None:
    snapshot = Dataset(kind="seqrepo", location="/no/such/snapshot", fingerprint="00ff")
    assert foreseen([spec(snapshot, threads=64)], 64) == ()  # its files cannot be listed
    of_files = spec(data, cache="none", threads=64)
    (said,) = foreseen([of_files], 64)
    assert "lower threads (64 files)" in said


def test_that_the_greediest_setting_of_a_sweep_is_told_and_no_other(data: Dataset) -> None:
    specs = [spec(data, cache="none", threads=threads) for threads in (1, 64, 128)]
    (said,) = foreseen(specs, 64)
    assert "threads (128 files)" in said


def test_that_a_task_says_what_is_foreseen(data: Dataset) -> None:
    limit = descriptor_limit()
    assert limit is not None
    wanted = Request(workload="fasta", values={"cache": "none", "threads": 4}, floor=False)
    assert task_of(wanted, data).warnings == ()


AROUND = Timing().ready + Timing().ending
USUAL = {kind.name: kind.default for kind in declared(Load)}


@given(st.floats(min_value=1.0, max_value=10_000.0), st.integers(1, 500))
def test_that_trials_are_short_and_shorter_where_a_budget_cannot_pay_for_several_blocks(
    budget: float, specs: int
) -> None:
    found, short = (shortened({}, (), time, specs * [Timing()]) for time in (budget, 0.0))
    duration, warm_up = float(found["duration"]), float(found["warm_up"])
    assert 0.3 <= duration <= float(short["duration"]) < float(USUAL["duration"])
    assert 0.2 <= warm_up <= float(short["warm_up"]) < float(USUAL["warm_up"])
    whole = float(short["duration"]) + float(short["warm_up"])
    if budget >= BLOCKS * specs * (AROUND + whole) + 0.1:
        assert found == short


def test_that_sixteen_settings_fit_into_ninety_seconds_three_times() -> None:
    found = shortened({}, (), 90.0, 16 * [Timing()])
    assert 3 * 16 * (AROUND + float(found["duration"]) + float(found["warm_up"])) < 90.0


@pytest.mark.parametrize("name", ["duration", "warm_up", "operations"])
def test_that_a_length_which_somebody_chose_is_kept(name: str) -> None:
    assert shortened({name: 7}, (), 10.0, 50 * [Timing()]) == {}
    assert shortened({}, {name}, 10.0, 50 * [Timing()]) == {}


def test_that_operations_that_are_too_long_have_no_warm_up() -> None:
    assert shortened({}, (), 40.0, 4 * [Timing(operation=1.0)])["warm_up"] == 0.2
    assert shortened({}, (), 40.0, 4 * [Timing(operation=20.0)])["warm_up"] == 0.0


def test_that_trials_last_a_second_where_time_is_no_limit() -> None:
    assert 1.0 <= float(shortened({}, (), 0.0, 50 * [Timing()])["duration"]) < 1.5
