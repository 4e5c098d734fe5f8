"""The studies of file trees: what they measure, what was published, and how large the trees are."""

from __future__ import annotations

import fcntl
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.judge import load_study
from core.run import Request, SampleData, arguments
from core.tell.cli import main
from core.vocabulary import Dataset, build, dataset_kind

NAMES = ("synapse-download", "synapse-upload", "synapse-upload-default")
HUGE = "10-huge-files"
SECONDS = {
    ("synapse-download", "775 small files, sync, 40 threads"): (775, 19.17),
    ("synapse-download", "10 huge files, S3 sync, 10 threads"): (10, 1023.57),
    ("synapse-upload", "25 small files, walk, 25 threads"): (25, 11.31),
    ("synapse-upload", "10 large files, sync, 50 threads"): (10, 22.24),
    ("synapse-upload-default", "775 small files, S3 sync"): (775, 7.64),
}
"""Files and published seconds of some cells."""


@pytest.fixture
def trees(tmp_path: Path) -> Dataset:
    """A user's folder that has the folders of the published trees but the largest."""
    root = tmp_path / "files"
    for name in ("25-files", "775-files", "10-files"):
        (root / name).mkdir(parents=True)
        (root / name / "one").write_text(name)
    return Dataset(kind="files", location=str(root), fingerprint="00" * 16)


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A lab that says that it has the servers, and whose keeper lives."""
    servers = [
        {"name": "s3", "state": "ready", "address": "s3://tiles?endpoint=http://127.0.0.1:9"},
        {"name": "synapse", "state": "ready", "address": "synapse://127.0.0.1:9"},
    ]
    (tmp_path / "lab").mkdir()
    state = {"keeper": 1, "servers": servers}
    (tmp_path / "lab" / "state.json").write_text(json.dumps(state))
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path / "lab"))
    with (tmp_path / "lab" / "keeper.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.mark.parametrize("cores", [0.5, 2, 7, 64])
@pytest.mark.parametrize("name", NAMES)
def test_that_claims_and_ratios_are_about_cells_of_the_study(name: str, cores: float) -> None:
    study = load_study(name, cores)
    labels = [cell.label for cell in study.cells]
    assert len(labels) == len(set(labels))
    assert {cell.base for cell in study.cells} <= set(labels)
    for claim in study.claims:
        assert {claim.cell, claim.to or claim.cell} <= set(labels), claim.text
    for cell in study.cells:
        if cell.base != study.baseline:
            (base,) = [one for one in study.cells if one.label == cell.base]
            assert base.at["below"] == cell.at["below"]


@pytest.mark.parametrize("name", NAMES)
def test_that_what_is_said_to_be_published_is_what_the_published_seconds_make(name: str) -> None:
    study = load_study(name, 2)
    figures = {cell.label: cell.published for cell in study.cells}
    for (of, label), (files, seconds) in SECONDS.items():
        if of == name:
            assert figures[label] == pytest.approx(files / seconds, rel=1e-3)
    for claim in study.claims:
        if claim.kind == "breaks":
            assert figures[claim.cell] is None
            continue
        ratio = study.published_ratio(claim)
        assert ratio is not None
        assert float(claim.published.removesuffix("×")) == pytest.approx(ratio, rel=0.006)
        if claim.direction:
            assert ratio > 1.1
        else:
            assert claim.low <= ratio <= claim.high


@pytest.mark.parametrize(("cores", "threads"), [(1, 5), (2, 6), (8, 12)])
def test_that_the_default_threads_are_four_more_than_the_cores(cores: float, threads: int) -> None:
    cells = load_study("synapse-upload-default", cores).cells
    own = [cell for cell in cells if cell.at["client"] != "s3-sync"]
    assert {cell.at["threads"] for cell in own} == {threads}


@pytest.mark.parametrize("name", NAMES)
def test_that_the_huge_tree_is_left_out_with_a_sentence_where_it_is_not(
    lab: None, trees: Dataset, name: str
) -> None:
    study = load_study(name, 2)
    measured = study.specs(trees, {})
    rest = [cell for cell in study.cells if cell.label not in measured]
    assert {spec.parameters["below"] for spec in measured.values()} == {
        "25-files",
        "775-files",
        "10-files",
    }
    assert all(cell.at["below"] == HUGE for cell in rest)
    for cell in rest:
        assert f"no folder {HUGE}" in study.reason(cell, trees)


@pytest.mark.parametrize("name", NAMES)
def test_that_the_cells_are_of_the_trees_that_the_study_generates(name: str) -> None:
    study = load_study(name, 2)
    shape = dataset_kind("file-tree").shape
    assert shape is not None
    scaled, full = build(shape, study.sample), build(shape, study.full)
    named = {cell.at["below"] for cell in study.cells}
    assert named <= set(full.parts)
    assert named - {HUGE} == set(scaled.parts)
    assert full.bytes > 100 * 10**9 > 10**9 > scaled.bytes


def test_that_a_study_generates_its_own_trees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path))
    made = SampleData("", "synapse-upload").make()
    kind = dataset_kind("file-tree")
    assert kind.facts(made.path)["files"] == 25 + 775 + 10
    assert sorted(path.name for path in (made.path / "tree").iterdir()) == [
        "10-files",
        "25-files",
        "775-files",
    ]
    shutil.rmtree(tmp_path)  # a hundred megabytes


def test_that_full_is_for_generated_data_and_is_told_again_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "synapse-upload", "--full", "--dataset", str(tmp_path)]) == 2
    assert "--full" in capsys.readouterr().err
    assert arguments(Request(study="synapse-upload", full=True, repeats=3)) == [
        "study",
        "synapse-upload",
        "--full",
    ]
    assert main(["study", "svfs-read", "--full"]) == 2
