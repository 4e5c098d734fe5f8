"""Commands without what every process has: a place for output, a folder to be in.

Output that cannot be written is lost; the work is done, and the exit code says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import hostile_sessions
import pytest
from patience import PATIENCE

from core.run import Session

ROOT = Path(__file__).parents[4]
SHORT = "--duration 20ms --warm-up 0 --repeats 3 --no-floor"


def shell(
    script: str, folder: Path, out: IO[bytes] | int = subprocess.PIPE
) -> tuple[int, str, str]:
    """How a script ends in a folder, and what it prints; `$S` is the command line."""
    own = {f"SLUICE_{name}": str(folder / name) for name in ("CACHE", "SESSIONS", "STATE")}
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=os.environ | own | {"PYTHONPATH": str(ROOT), "S": f"{sys.executable} -m core"},
        stdout=out,
        stderr=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "some.bin").write_bytes(bytes(100_000))
    hostile_sessions.sound(tmp_path / "some.sluice")
    return tmp_path


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")


@pytest.mark.parametrize(
    ("streams", "code"),
    [
        ("<&-", 0),
        ("2>&-", 0),
        (">&-", 1),
        ("<&- >&- 2>&-", 1),
        pytest.param("--json >/dev/full", 1, marks=FULL),
        pytest.param("--json >/dev/full 2>/dev/full", 1, marks=FULL),
        pytest.param("2>/dev/full", 1, marks=FULL),
        pytest.param(">/dev/full 2>/dev/full", 1, marks=FULL),
    ],
)
def test_that_a_run_whose_streams_are_closed_or_full_measures_and_keeps_all(
    streams: str, code: int, folder: Path
) -> None:
    """The pipes of its children and its session must not get the numbers of the streams."""
    ended = shell(
        f"$S measure raw --dataset some.bin {SHORT} --session new.sluice {streams}", folder
    )
    assert (ended[0], "Traceback" in ended[2]) == (code, False)
    with Session.read(folder / "new.sluice") as session:
        (run,) = session.runs()
        assert (run.how, run.trials) == ("completed", 3)
        assert all(trial.valid for trial in session.trials(run.id))


@pytest.mark.parametrize("command", ["show some.sluice", "show some.sluice --json", "list"])
@pytest.mark.parametrize(
    ("where", "why"),
    [
        (">&-", "Bad file descriptor"),
        pytest.param(">/dev/full", "No space left on device", marks=FULL),
    ],
)
def test_that_output_which_has_nowhere_to_go_is_one_line_and_an_exit_code(
    command: str, where: str, why: str, folder: Path
) -> None:
    code, _, errors = shell(f"$S {command} {where}", folder)
    assert code == 1
    assert errors == f"sluice: standard output cannot be written: {why}\n"


@pytest.mark.parametrize("json", ["", "--json"])
def test_that_a_reader_who_leaves_is_told_by_the_exit_code_alone(json: str, folder: Path) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "wb") as left:
        assert shell(f"$S show some.sluice {json}", folder, left) == (141, "", "")


def test_that_nothing_is_complained_of_where_all_is_written(folder: Path) -> None:
    code, told, errors = shell("$S show some.sluice", folder)
    assert (code, errors) == (0, "")
    assert "run 1" in told


def test_that_whoever_closes_standard_error_hears_nothing(folder: Path) -> None:
    assert shell("$S show nothing.sluice 2>&-", folder) == (2, "", "")


def test_that_a_folder_that_is_gone_is_named_as_that(folder: Path) -> None:
    gone = "mkdir gone; cd gone; rmdir ../gone"
    code, _, errors = shell(f"{gone}; $S show '{folder}/some.sluice'", folder)
    if code:  # a command that does not need it may do without
        told = "sluice: the current folder no longer exists (change to one that does)\n"
        assert (code, errors) == (2, told)
    code, _, errors = shell(f"{gone}; $S show some.sluice", folder)
    assert code == 2
    assert "Traceback" not in errors


def test_that_a_library_that_cannot_be_loaded_is_one_line(folder: Path) -> None:
    (folder / "scipy.py").write_text("raise ImportError('failed to map segment')\n")
    (folder / "numpy.py").write_text("raise ImportError('failed to map segment')\n")
    code, _, errors = shell("PYTHONPATH=.:$PYTHONPATH $S show some.sluice --why", folder)
    assert (code, errors) == (
        1,
        "sluice: a part of Sluice cannot be loaded: failed to map segment\n",
    )
