"""What a user is told of data before anything is measured on it."""

import json
from pathlib import Path

import pytest

from core.catalog.inspection import inspect_dataset
from core.cli import main
from core.errors import DatasetError


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """What is left of a snapshot that lost a database."""
    root = tmp_path / "2024-12-20"
    (root / "sequences").mkdir(parents=True)
    (root / "aliases.sqlite3").write_bytes(b"SQLite format 3\0")
    (root / "sequences" / "x.fa").write_bytes(b">a\nACGT\n")
    return root


def test_that_it_is_told_why_a_snapshot_is_taken_for_mere_files(snapshot: Path) -> None:
    look = inspect_dataset(snapshot)
    assert look.dataset.kind == "files"
    assert "is a SeqRepo snapshot without sequences/db.sqlite3" in look.problem


def test_that_the_command_says_it_too(snapshot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", "show", str(snapshot)]) == 0
    assert "without sequences/db.sqlite3 (fetch the snapshot again)" in capsys.readouterr().out
    assert main(["dataset", "show", "--json", str(snapshot)]) == 0
    assert "without sequences/db.sqlite3" in json.loads(capsys.readouterr().out)["problem"]


@pytest.mark.parametrize("name", ["x.fa", "notes.txt"])
def test_that_nothing_is_wrong_with_what_is_whole_or_nothing_special(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b">a\nACGT\n" if name.endswith("fa") else b"some text")
    assert inspect_dataset(path).problem == ""


def test_that_who_reads_any_files_may_look_at_what_cannot_be_counted(tmp_path: Path) -> None:
    path = tmp_path / "ragged.fa"
    path.write_bytes(b">a\nAC\nACGT\n")
    assert "different lengths" in inspect_dataset(path, "raw").problem
    for workload in ("", "fasta"):
        with pytest.raises(DatasetError, match="different lengths"):
            inspect_dataset(path, workload)


def test_that_a_path_that_cannot_be_followed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read: File name too long"):
        inspect_dataset(tmp_path / ("x" * 3000))
