"""A process that dies at once is told of by the next one."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

DYING = """
import faulthandler, sys
from pathlib import Path
from app.shell.crash_traces import CrashTraces
traces = CrashTraces(Path(sys.argv[1]))
print(traces.begin())
{}
"""


def run(folder: Path, end: str, umask: int = -1) -> subprocess.CompletedProcess[str]:
    code = DYING.format(end)
    return subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        umask=umask,
    )


def test_that_a_segmentation_fault_is_offered_once_by_the_next_start(tmp_path: Path) -> None:
    died = run(tmp_path, "faulthandler._sigsegv()")
    assert died.returncode < 0
    told = run(tmp_path, "traces.end()").stdout
    assert "Segmentation fault" in told
    assert "most recent call first" in told
    assert run(tmp_path, "traces.end()").stdout.strip() == ""
    assert not [*tmp_path.iterdir()]


def test_that_a_process_that_was_killed_leaves_nothing_to_be_told(tmp_path: Path) -> None:
    run(tmp_path, "import os; os._exit(1)")
    assert run(tmp_path, "traces.end()").stdout.strip() == ""
    assert not [*tmp_path.iterdir()]


def test_that_without_a_place_for_the_file_all_else_works(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert run(tmp_path / "file", "traces.end()").returncode == 0


def test_that_what_it_leaves_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "crashes"
    run(folder, "import os; os._exit(1)", umask=0)
    (left,) = folder.iterdir()
    assert [stat.S_IMODE(one.stat().st_mode) for one in (folder.parent, folder, left)] == [
        *(0o700, 0o700),
        0o600,
    ]
