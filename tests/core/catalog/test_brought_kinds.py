"""A workload that is in no table brings its own kind of data.

In processes of their own, because a kind is known from when its workload was loaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOTS = (Path(__file__).parents[3], Path(__file__).parents[2])
SHORT = ("--duration", "0", "--operations", "20", "--warm-up", "0", "--repeats", "1")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    folders = {
        name: str(tmp_path / name) for name in ("SLUICE_CACHE", "SLUICE_SESSIONS", "SLUICE_STATE")
    }
    return os.environ | folders | {"PYTHONPATH": os.pathsep.join(map(str, ROOTS))}


def core(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "core", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_that_its_kind_is_recognised_and_measured(
    environment: dict[str, str], tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet"
    sheet.write_bytes(b"tally" * 10)
    done = core(environment, "measure", "rigged_kind:Counted", "--dataset", str(sheet), *SHORT)
    assert done.returncode == 0, done.stderr
    assert "rows/s" in done.stdout


def test_that_its_kind_is_generated_where_no_data_is_given(environment: dict[str, str]) -> None:
    done = core(environment, "measure", "rigged_kind:Counted", *SHORT)
    assert done.returncode == 0, done.stderr


def test_that_other_data_is_refused_by_the_title_of_its_kind(
    environment: dict[str, str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"something else")
    done = core(environment, "measure", "rigged_kind:Counted", "--dataset", str(other), *SHORT)
    assert done.returncode == 2
    assert "what is read here is: tally sheet" in done.stderr


def test_that_a_recorded_run_of_it_is_measured_again(
    environment: dict[str, str], tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet"
    sheet.write_bytes(b"tally" * 10)
    session = str(tmp_path / "both.sluice")
    asked = ("again=1,2", "--dataset", str(sheet), *SHORT, "--no-floor", "--session", session)
    swept = core(environment, "measure", "rigged_kind:Counted", *asked)
    assert swept.returncode == 0, swept.stderr
    pair = (f"{session}#again=1", "#again=2")
    done = core(environment, "compare", *pair, "--again", "--repeats", "1")
    assert "dataset kind" not in done.stderr
    assert "there is no" not in done.stderr
    assert done.stdout
