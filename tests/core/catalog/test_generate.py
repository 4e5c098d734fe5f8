import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog.dataset import Dataset
from core.catalog.local_datasets import make_dataset
from core.errors import UsageError
from core.host.shared_files import written_once
from workloads.fasta.fasta_datasets import SequencesShape

SHAPE = SequencesShape(sequences=5, median_length=50)


class StoppedError(Exception):
    """Raised in place of an interrupt."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def _never(*_: object, **__: object) -> None:
    raise AssertionError("made again")


def _spoil_end(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"X")


def _lose_index(path: Path) -> None:
    path.with_name(path.name + ".fai").unlink()


def _spoil_manifest(path: Path) -> None:
    (path.parent / "sluice-dataset.json").write_text("{}")


def test_that_a_dataset_is_made_once_and_reused(cache: Path) -> None:
    first = make_dataset("fasta", SHAPE)
    assert cache in first.path.parents
    assert make_dataset("fasta", SHAPE, report=_never) == first


@pytest.mark.parametrize(
    "damage", [Path.unlink, _spoil_end, _lose_index, _spoil_manifest], ids=lambda f: f.__name__
)
def test_that_a_damaged_one_is_made_again(damage: Callable[[Path], None]) -> None:
    first = make_dataset("fasta", SHAPE)
    before = first.path.read_bytes()
    damage(first.path)
    assert make_dataset("fasta", SHAPE) == first
    assert first.path.read_bytes() == before


def test_that_other_shapes_are_other_datasets() -> None:
    other = SequencesShape(sequences=5, median_length=50, seed=2)
    assert make_dataset("fasta", SHAPE).location != make_dataset("fasta", other).location


def test_that_a_stopped_making_leaves_nothing(tmp_path: Path) -> None:
    def stop(*_: object, **__: object) -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        make_dataset("fasta", SHAPE, tmp_path / "here", stop)
    assert not (tmp_path / "here").exists()
    assert [path for path in tmp_path.iterdir() if path.name != "cache"] == []


def test_that_remains_of_a_killed_making_are_swept(tmp_path: Path) -> None:
    (tmp_path / ".here.unfinished" / "x").mkdir(parents=True)
    made = make_dataset("fasta", SHAPE, tmp_path / "here")
    assert made.path.parent == tmp_path / "here"
    assert not (tmp_path / ".here.unfinished").exists()


def test_that_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="not empty"):
        make_dataset("fasta", SHAPE, folder)
    assert (folder / "thesis.txt").read_text() == "years of work"


def test_that_a_folder_made_before_takes_another_shape(tmp_path: Path) -> None:
    make_dataset("fasta", SHAPE, tmp_path / "here")
    other = SequencesShape(sequences=6, median_length=50)
    made = make_dataset("fasta", other, tmp_path / "here")
    assert made.path.with_name(made.path.name + ".fai").read_text().count("\n") == 6


def _make(folder: Path) -> Dataset:
    return make_dataset("fasta", SHAPE, folder)


def test_that_processes_that_want_the_same_wait_for_one(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        made = pool.map(_make, [tmp_path / "here"] * 4)
        pool.close()
        pool.join()
    assert len(set(map(str, made))) == 1


def test_that_a_file_is_written_once_and_never_seen_half_written(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file"

    def fail(unfinished: Path) -> None:
        unfinished.write_text("half")
        raise StoppedError

    with pytest.raises(StoppedError):
        written_once(path, fail)
    assert not path.exists()

    def finish(unfinished: Path) -> None:
        unfinished.write_text("whole")

    written_once(path, finish)
    written_once(path, _never)
    assert path.read_text() == "whole"
