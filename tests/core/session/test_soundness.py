"""Values that no run has are refused where a session is read, by any number of threads."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import building
import hostile_sessions
import pytest
from hostile_sessions import ODD, UNSOUND, UNSOUND_WITHIN
from patience import PATIENCE

from core.cli import main
from core.errors import SessionError
from core.result.result import Trial
from core.session import Session


def read_all(path: Path) -> None:
    with Session.read(path) as session:
        assert session.title
        assert session.created
        session.notes()
        for run in session.runs():
            session.results(run.id)
            session.remaining(run.id)


def look_into(trial: Trial) -> None:
    assert list(trial.turns) == []
    assert list(trial.moments)


@pytest.mark.parametrize("name", UNSOUND)
def test_that_what_no_run_has_is_refused_in_one_line_that_names_the_file(
    name: str, tmp_path: Path
) -> None:
    path = hostile_sessions.make(tmp_path / "x.sluice", UNSOUND[name])
    with pytest.raises(SessionError, match="is damaged") as told:
        read_all(path)
    assert str(path) in str(told.value)
    assert len(told.value.cause.splitlines()) == 1
    assert "python -m core salvage" in told.value.remedy


@pytest.mark.parametrize("name", UNSOUND_WITHIN)
def test_that_what_no_trial_holds_is_refused_when_it_is_asked_for(
    name: str, tmp_path: Path
) -> None:
    path = hostile_sessions.make(tmp_path / "x.sluice", UNSOUND_WITHIN[name])
    with Session.read(path) as session:
        for trial in session.trials(1):
            with pytest.raises(SessionError, match="of a trial"):
                look_into(trial)


@pytest.mark.parametrize("name", ODD)
def test_that_what_is_only_odd_is_read(name: str, tmp_path: Path) -> None:
    path = hostile_sessions.make(tmp_path / "x.sluice", ODD[name])
    read_all(path)


def test_that_a_sound_session_is_read(tmp_path: Path) -> None:
    hostile_sessions.sound(tmp_path / "x.sluice")
    read_all(tmp_path / "x.sluice")


READ = """
import sys, threading
import building, msgspec
from core.result.result import Trial
from core.session.rows import decoded, encode_safely
trial = msgspec.structs.replace(building.trial(building.spec()), moments=())
body = encode_safely(trial, {}).encode()
gate = threading.Barrier(8)
sys.setswitchinterval(1e-6)
def read():
    gate.wait()
    assert decoded(body, Trial) == trial
threads = [threading.Thread(target=read) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
"""


def test_that_threads_that_read_their_first_trial_at_the_same_time_do_not_crash() -> None:
    found = os.pathsep.join([str(Path.cwd()), str(Path.cwd() / "tests")])
    readers = [
        subprocess.Popen([sys.executable, "-c", READ], env={**os.environ, "PYTHONPATH": found})
        for _ in range(4)
    ]
    assert [reader.wait(PATIENCE) for reader in readers] == [0] * 4


DAY = 86_400.0


def test_that_a_clock_that_is_set_back_makes_no_run_end_before_it_began(tmp_path: Path) -> None:
    def set_back() -> Iterator[float]:
        now = 1_770_000_000.0
        while True:
            yield now
            now -= DAY

    clock = set_back()
    spec = building.spec()
    with Session.create(tmp_path / "x.sluice", clock=lambda: next(clock)) as session:
        run = session.begin_run(building.plan([spec]), building.environment(), {}, ("run",))
        session.append(run, building.trial(spec))
        session.end_run(run, "completed")
        found = session.run(run)
    assert found.ended is not None
    assert found.ended >= found.started
    assert found.seconds is not None
    assert 0 <= found.seconds < DAY / 2


def test_that_a_session_of_before_shows_no_negative_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = hostile_sessions.make(
        tmp_path / "x.sluice", hostile_sessions.ODD["ended before it began"]
    )
    assert main(["show", str(path)]) == 0
    heading = next(line for line in capsys.readouterr().out.splitlines() if "run 1:" in line)
    assert re.fullmatch(r"run 1: a sweep, [0-9-]+ [0-9:]+, 4 trials, completed", heading)
    with Session.read(path) as session:
        assert session.run(1).seconds is None
