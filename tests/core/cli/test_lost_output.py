"""Output that cannot be written is lost; the work is done, and the exit code says so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import building
import fuzzing
import pytest
from patience import PATIENCE

from core.session import Session

ROOT = Path(__file__).parents[3]
FULL = Path("/dev/full")

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="only Linux has /dev/full")


type Ended = tuple[int, str, str]
"""Exit code, standard output and error of a command."""


def carried_out(*arguments: str, out: bool = False, err: bool = False) -> Ended:
    """How a command ends; the streams in question go to a full disk."""
    with FULL.open("wb") as full:
        return ended(arguments, full if out else subprocess.PIPE, full if err else subprocess.PIPE)


def ended(arguments: Sequence[str], out: IO[bytes] | int, err: IO[bytes] | int) -> Ended:
    done = subprocess.run(
        [sys.executable, "-m", "core", *arguments],
        stdout=out,
        stderr=err,
        cwd=ROOT,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, (done.stdout or b"").decode(), (done.stderr or b"").decode()


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "a.sluice"
    spec = building.spec()
    with Session.create(path) as made:
        run = made.begin_run(building.plan([spec]), building.environment(), {}, ("run",))
        made.append(run, building.trial(spec))
        made.end_run(run, "completed")
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "some.bin").write_bytes(fuzzing.drawn(9).randbytes(100_000))
    return folder


@pytest.mark.parametrize("json", [[], ["--json"]], ids=["table", "json"])
def test_that_a_full_disk_behind_stdout_is_one_line_and_an_exit_code(
    session: Path, json: list[str]
) -> None:
    code, _, errors = carried_out("show", str(session), *json, out=True)
    assert code == 1
    assert errors == "sluice: standard output cannot be written: No space left on device\n"


def test_that_nothing_is_complained_of_where_all_is_written(session: Path) -> None:
    code, told, errors = carried_out("show", str(session))
    assert (code, errors) == (0, "")
    assert "run 1" in told


@pytest.mark.parametrize("json", [[], ["--json"]], ids=["table", "json"])
def test_that_a_reader_who_leaves_is_told_by_the_exit_code_alone(
    session: Path, json: list[str]
) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "wb") as left:
        assert ended(["show", str(session), *json], left, subprocess.PIPE) == (141, "", "")


def run(data: Path, session: Path) -> tuple[str, ...]:
    short = ("--duration", "50ms", "--warm-up", "0", "--repeats", "3", "--no-floor")
    return ("measure", "raw", "--dataset", str(data), *short, "--session", str(session))


@pytest.mark.parametrize(
    ("more", "out", "err"),
    [(("--json",), True, False), (("--json",), True, True), ((), False, True), ((), True, True)],
    ids=["events", "events and stderr", "progress", "table and progress"],
)
def test_that_output_to_a_full_disk_ends_no_run_and_the_exit_code_says_so(
    more: tuple[str, ...], out: bool, err: bool, data: Path, tmp_path: Path
) -> None:
    path = tmp_path / "run.sluice"
    code, _, errors = carried_out(*run(data, path), *more, out=out, err=err)
    assert code == 1
    assert "Traceback" not in errors
    with Session.read(path) as kept:
        (done,) = kept.runs()
        assert (done.how, done.trials) == ("completed", 3)
        assert all(trial.valid for trial in kept.trials(done.id))
