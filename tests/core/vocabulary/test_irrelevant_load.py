"""Parameters of the load that mean nothing for a workload keep their defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
import rigged_store

from core.judge import probe
from core.run import Request, task_of
from core.vocabulary import AnyFiles, Axis, Dataset, Sweep, draft, possible, settled, specify

CACHES = Axis("page_cache", ("warm", "cold"))
STORES = Axis("store", ("server", "data"))


@pytest.fixture
def data(tmp_path: Path) -> Dataset:
    (tmp_path / "catalogue").write_bytes(b"keys")
    return AnyFiles().open(tmp_path / "catalogue")


def sweep(data: Dataset, *axes: Axis, **asked: Any) -> Sweep:
    return Sweep(base=draft(rigged_store.NAME, data, asked), axes=axes, fixed=asked)


def test_that_what_means_nothing_keeps_its_default_so_that_the_same_is_equal(
    data: Dataset,
) -> None:
    asked, plain = (
        specify(rigged_store.NAME, data, values) for values in ({"page_cache": "cold"}, {})
    )
    assert asked.load.page_cache == "as-is"
    assert asked.digest == plain.digest
    kept = specify(rigged_store.NAME, data, {"page_cache": "warm", "store": "data"})
    assert kept.load.page_cache == "warm"


def test_that_what_means_nothing_here_is_not_varied_and_said(data: Dataset) -> None:
    specs, reasons = possible(sweep(data, CACHES))
    assert [one.load.page_cache for one in specs] == ["as-is"]
    assert reasons == ("page cache has no meaning here, so it is not varied",)


def test_that_what_means_something_for_one_store_is_varied_for_that_one(data: Dataset) -> None:
    specs, reasons = possible(sweep(data, STORES, CACHES))
    told = [(one.parameters["store"], one.load.page_cache) for one in specs]
    assert told == [("server", "as-is"), ("data", "warm"), ("data", "cold")]
    assert reasons == ("page cache has no meaning for some settings, so they are measured once",)


def test_that_what_was_asked_for_holds_where_it_means_something(data: Dataset) -> None:
    specs, reasons = possible(sweep(data, STORES, page_cache="warm"))
    assert [one.load.page_cache for one in specs] == ["as-is", "warm"]
    assert reasons == ()


def test_that_a_search_takes_values_without_meaning_for_one(data: Dataset) -> None:
    request = Request(
        workload=rigged_store.NAME, search=True, axes=(Axis("threads", (1, 2)), CACHES)
    )
    task = task_of(request, data)
    assert {spec.load.page_cache for spec in task.plan.specs} == {"as-is"}
    assert task.left_out == ("page cache cold does the same as warm here",)


def test_that_a_probe_measures_the_same_only_once(data: Dataset) -> None:
    spec = specify("rigged_store:Single", data, {})
    assert [(one.load.threads, one.load.processes) for one in probe(spec)] == [(1, 1), (2, 1)]


def test_that_of_a_workload_that_does_not_exist_nothing_is_irrelevant(data: Dataset) -> None:
    spec = specify("raw", data, {})
    assert settled(spec) == spec
    unknown = msgspec.structs.replace(spec, workload="nowhere:Nothing")
    assert settled(unknown) == unknown
