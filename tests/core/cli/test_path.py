"""`--path` says where the module of a workload is, and its children find it too."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

RIG = Path(__file__).parents[2] / "rigged_kind.py"
SHORT = ("--duration", "0", "--operations", "20", "--warm-up", "0", "--repeats", "1")


def core(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    folders = {name: str(folder / name) for name in ("SLUICE_CACHE", "SLUICE_SESSIONS")}
    return subprocess.run(
        [sys.executable, "-P", "-m", "core", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={name: os.environ[name] for name in ("PATH", "HOME", "SLUICE_STATE")} | folders,
    )


def test_that_a_workload_of_the_users_own_is_found_where_path_says(tmp_path: Path) -> None:
    readers = tmp_path / "readers"
    readers.mkdir()
    shutil.copy(RIG, readers)
    told = core(tmp_path, "measure", "rigged_kind:Counted", *SHORT)
    assert told.returncode == 2
    for path in ("readers", str(readers)):
        told = core(tmp_path, "--path", path, "measure", "rigged_kind:Counted", *SHORT)
        assert told.returncode == 0, told.stderr
        assert "rows/s" in told.stdout


def test_that_a_file_there_hides_no_part_of_sluice(tmp_path: Path) -> None:
    shutil.copy(RIG, tmp_path)
    for name in ("click", "json", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('in the way')")
    told = core(tmp_path, "--path", ".", "measure", "rigged_kind:Counted", *SHORT)
    assert told.returncode == 0, told.stderr


def test_that_a_folder_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    told = core(tmp_path, "--path", "nowhere", "list")
    assert told.returncode == 2
    assert "nowhere" in told.stderr
