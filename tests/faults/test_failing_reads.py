"""A read that fails is told with its file, and a limit on open files before a run and after it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

from core.measure import make_dataset
from workloads.fasta.make_fasta import SeqrepoShape

HERE = Path(__file__).parent
TESTS = HERE.parent
ROOTS = (TESTS.parent, TESTS, TESTS / "workloads")


@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a compiler"
)
def test_that_a_read_that_fails_is_told_with_its_file_by_all_that_reads(tmp_path: Path) -> None:
    library = tmp_path / "failing_reads.so"
    source = HERE / "failing_reads.c"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-w", "-o", library, source, "-ldl"], check=True
    )
    done = subprocess.run(
        [sys.executable, str(HERE / "failing_reads.py"), str(library), str(tmp_path / "work")],
        env=os.environ
        | {
            "LD_PRELOAD": str(library),
            "PYTHONPATH": os.pathsep.join(map(str, ROOTS)),
            "SLUICE_CACHE": str(tmp_path / "cache"),
        },
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    failures = [json.loads(line) for line in done.stdout.splitlines()]
    silent = [one for one in failures if subject(one["file"]) not in one["said"]]
    assert silent == []
    heard = {one["doing"].split()[-1] for one in failures}
    assert {"fasta", "seqrepo", "session", "import"} <= heard


def subject(file: str) -> str:
    """The name that is told: of an index that htslib reads, and of a part of a Zarr, whose readers
    say no file, that of its data.
    """
    place = Path(file)
    if "zarr" in place.parts:
        return "/zarr"
    return place.name.removesuffix(".fai").removesuffix(".gzi")


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
