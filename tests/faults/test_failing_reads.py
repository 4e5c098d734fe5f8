"""A read that fails (a bad disk, a server that is gone) is told with the file that it was of."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

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
    """The name that is told: of an index that htslib reads, that of its data."""
    return Path(file).name.removesuffix(".fai").removesuffix(".gzi")
