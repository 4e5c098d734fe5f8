"""Generated data is made once and whole; what is kept of a file goes by its state."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.language import DatasetError, UsageError
from core.measure import make_dataset, written_once
from core.vocabulary import Dataset, file_state
from workloads.fasta.make_fasta import SequencesShape

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


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "data"
    path.write_bytes(b"A" * 10_000)
    return path


def _change_in_place(path: Path) -> None:
    with path.open("r+b") as opened:
        opened.seek(5000)
        opened.write(b"C")


def _put_another_in_its_place(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"C" * 10_000)
    other.replace(path)


@pytest.mark.parametrize("change", [_change_in_place, _put_another_in_its_place])
def test_that_a_change_is_seen_whose_size_and_time_are_restored(file: Path, change: object) -> None:
    before, times = file_state(file), file.stat()
    assert callable(change)
    change(file)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (times.st_size, times.st_mtime_ns)
    assert file_state(file) != before


def test_that_reading_changes_nothing(file: Path) -> None:
    before = file_state(file)
    file.read_bytes()
    assert file_state(file) == before


def test_that_the_order_and_number_of_files_count(file: Path) -> None:
    copy = file.with_name("copy")
    shutil.copy2(file, copy)
    states = {file_state(*files) for files in ([file], [copy], [file, copy], [copy, file])}
    assert len(states) == 4


def test_that_a_file_that_is_gone_is_named(file: Path) -> None:
    file.unlink()
    with pytest.raises(DatasetError, match="data cannot be read"):
        file_state(file)
