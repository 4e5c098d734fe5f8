"""The studies of file trees, run on small trees with real clients and servers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers

from core.cli import main
from core.session import Session
from core.study.preset import load_study

FILES = {"25-files": 3, "775-files": 6, "10-files": 2}


@pytest.mark.lab("s3", "synapse")
@pytest.mark.slow
def test_that_a_study_of_trees_runs_with_every_client(
    s3: Mapping[str, Any],
    synapse: Mapping[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "synapse-download"
    for client in ("synapse-sync", "synapse-walk", "s3-sync"):
        need_drivers("transfer", client=client)
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    trees = tmp_path / "trees"
    for folder, count in FILES.items():
        for number in range(count):
            path = trees / folder / "some" / f"file-{number}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(f"{name}/{folder}/{number}".encode())
    session = tmp_path / "of.sluice"
    short = ("--repeats", "1", "--no-floor", "--dataset", str(trees), "--session", str(session))
    assert main(["study", name, *short]) == 0
    told = capsys.readouterr().out
    study = load_study(name)
    with Session.read(session) as read:
        results = study.results_by_label(read.results())
    small = [cell for cell in study.cells if cell.at["below"] in FILES]
    assert set(results) == {cell.label for cell in small}
    for cell in small:
        (trial,) = results[cell.label].trials
        assert trial.valid, (cell.label, trial.outcome, trial.complaints)
        assert trial.operations == FILES[str(cell.at["below"])]
        assert trial.wrong == trial.errors == trial.unverified == 0
    assert "no folder 10-huge-files" in told
