"""Which files the trials of a spec read, and what plain reads of them answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import building
import pytest
import rigged_store

from core.measure import Cancel, floor_of, floors, same_drive, without_bare_files
from core.measure.plain_reads import files_of, forget_files, roots_of
from core.measure.trial.child_group import PageCache
from core.vocabulary import AnyFiles, RunSpec, specify

pytestmark = pytest.mark.quick

FASTA = [building.spec("fasta", threads=threads) for threads in (1, 2)]
BARE = [building.spec("raw", threads=threads) for threads in (1, 2)]


@pytest.mark.parametrize(
    ("found", "answers"),
    [([*FASTA, *BARE], FASTA), ([*BARE, FASTA[0]], [FASTA[0]]), (FASTA, FASTA), (BARE, BARE)],
)
def test_that_the_bare_files_are_an_answer_only_where_there_is_nothing_else(
    found: list[RunSpec], answers: list[RunSpec]
) -> None:
    assert without_bare_files(found) == tuple(answers)
    results = [building.good(spec, 100.0) for spec in found]
    assert [result.spec for result in without_bare_files(results)] == answers


def test_that_a_floor_is_measured_on_the_cores_of_its_setting_and_is_only_theirs() -> None:
    specs = [building.spec("fasta", cores=cores) for cores in (0, 1)]
    found = floors(specs)
    assert [spec.load.cores for spec in found] == [0, 1]
    for spec, own, other in zip(specs, found, reversed(found), strict=True):
        assert same_drive(spec.load, own.load)
        assert not same_drive(spec.load, other.load)


@pytest.mark.parametrize(("page_cache", "duration"), [("cold", 1.0), ("warm", 0.4), ("as-is", 0.4)])
def test_that_a_floor_from_the_disk_is_measured_longer(page_cache: str, duration: float) -> None:
    (found,) = floors([building.spec("fasta", page_cache=page_cache)])
    assert (found.load.page_cache, found.load.duration) == (page_cache, duration)


def test_that_of_nothing_nothing_is_an_answer() -> None:
    nothing: list[RunSpec] = []
    assert without_bare_files(nothing) == ()


def spec(folder: Path, **values: Any) -> RunSpec:
    path = folder / "catalogue"
    path.write_bytes(b"keys")
    return specify(rigged_store.NAME, AnyFiles().open(path), values)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}").write_bytes(b"object")
    return folder


def test_that_a_remote_store_has_no_files_no_roots_and_no_floor(tmp_path: Path) -> None:
    remote = spec(tmp_path)
    assert files_of(remote) == ()
    assert list(roots_of(remote)) == []
    assert floor_of(remote) is None
    assert floors([remote]) == ()


def test_that_the_catalogue_proves_nothing_about_a_remote_store(tmp_path: Path) -> None:
    cancel = Cancel()
    cached = PageCache(spec(tmp_path, page_cache="warm"), cancel)
    cached.find_files()
    cached.prepare(lambda: None)
    cached.clock_stopped()
    cancel.close()
    assert cached.proof is None


def test_that_a_store_of_files_is_warmed_and_counted_in_place_of_the_catalogue(
    tmp_path: Path, store: Path
) -> None:
    stored = spec(tmp_path, store="files", address=str(store))
    assert files_of(stored) == tuple(sorted(store.iterdir()))
    assert list(roots_of(stored)) == [store]
    assert floor_of(stored) is None


def test_that_files_in_many_folders_are_looked_for_below_the_one_above_them(
    tmp_path: Path, store: Path
) -> None:
    dataset = AnyFiles().open(store)
    stored = specify("rigged_store:Deep", dataset, {"address": str(store)})
    for number in range(2):
        (store / f"folder {number}").mkdir()
        (store / f"folder {number}" / "one").write_bytes(b"object")
    assert set(roots_of(stored)) == {store, store / "folder 0", store / "folder 1"}
    for number in range(2, 20):
        (store / f"folder {number}").mkdir()
        (store / f"folder {number}" / "one").write_bytes(b"object")
    forget_files()
    assert list(roots_of(stored)) == [store]


def test_that_files_are_listed_again_once_they_are_forgotten(tmp_path: Path, store: Path) -> None:
    stored = spec(tmp_path, store="files", address=str(store))
    assert len(files_of(stored)) == 3
    (store / "more").write_bytes(b"object")
    assert len(files_of(stored)) == 3
    forget_files()
    assert len(files_of(stored)) == 4


def test_that_a_workload_that_reads_its_dataset_keeps_its_files_and_floor(tmp_path: Path) -> None:
    same = spec(tmp_path, store="data")
    assert files_of(same) == (same.dataset.path,)
    assert floor_of(same) == {}
    assert [one.workload for one in floors([same])] == ["raw"]
