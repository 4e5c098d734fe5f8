"""A limit on open files is told before a run and after it, whatever the libraries say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.catalog.local_datasets import make_dataset
from workloads.fasta.fasta_datasets import SeqrepoShape

THREADS = 64
LIMITED = f'ulimit -n {THREADS}; exec "$@"'


@pytest.fixture
def snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path / "sessions"))
    shape = SeqrepoShape(files=20, sequences=400)
    return make_dataset("seqrepo", shape, tmp_path / "snapshot").path


def test_that_more_threads_than_descriptors_are_foreseen_and_explained(snapshot: Path) -> None:
    command = [sys.executable, "-m", "core", "measure", "fasta", "--dataset", str(snapshot)]
    command += ["--threads", str(THREADS), "--duration", "0.2", "--warm-up", "0", "--repeats", "1"]
    told = subprocess.run(
        ["sh", "-c", LIMITED, "sh", *command, "--no-floor"],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": "1000"},
    )
    assert told.returncode == 1
    assert "Traceback" not in told.stderr + told.stdout
    before, after = told.stderr, told.stdout
    assert f"where {THREADS} may be: lower threads ({2 * THREADS} files), cache size" in before
    assert "too many open files" in after
    assert f"of at most {THREADS}: keep fewer open" in after
