"""What a run will lack is said before it begins, with what to lower."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.catalog.dataset import Dataset
from core.execution.request import Request
from core.execution.task import task_of
from core.host.descriptors import descriptor_limit
from core.plan.foreseen import foreseen
from core.plan.spec import RunSpec
from core.plan.specify import specify


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
    assert task_of(wanted, data).foreseen == ()
