"""Where runs are written: each start gets a session of its own."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import building
import pytest

from core.errors import SessionError
from core.execution.recording import session_for
from core.session import Session

PLAN = building.plan([building.spec()], title="run raw")
STARTS = 8
START = """
import sys
from pathlib import Path
import building
from core.execution.recording import session_for

plan = building.plan([building.spec()], title="run raw")
sys.stdin.readline()
with session_for(plan, Path(sys.argv[1]) if sys.argv[1:] else None) as session:
    session.begin_run(plan, building.environment(), {}, ("sluice",))
    print(session.path)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path))
    return tmp_path / "sessions"


def at_once(arguments: tuple[str, ...] = ()) -> list[str]:
    """What processes say that all want a session at the same moment."""
    command = [sys.executable, "-c", START, *arguments]
    pipe = subprocess.PIPE
    started = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        for _ in range(STARTS)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [process.communicate() for process in started]
    assert [error for _, error in told if error] == []
    return [said.strip() for said, _ in told]


@pytest.fixture(autouse=True)
def modules_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(building.__file__).parent))


def test_that_starts_at_the_same_moment_have_sessions_of_their_own(folder: Path) -> None:
    together = threading.Barrier(STARTS)

    def start(_: int) -> Path:
        together.wait()
        with session_for(PLAN) as session:
            return session.path

    with ThreadPoolExecutor(STARTS) as pool:
        for _ in range(10):
            assert len(set(pool.map(start, range(STARTS)))) == STARTS
    assert len(list(folder.glob("*.sluice"))) == 10 * STARTS


def test_that_processes_that_start_at_once_have_sessions_of_their_own(folder: Path) -> None:
    told = at_once()
    assert len(set(told)) == STARTS
    assert all(Path(place).parent == folder for place in told)


def test_that_processes_that_start_at_once_into_one_session_all_write_there(
    tmp_path: Path,
) -> None:
    path = tmp_path / "all.sluice"
    assert set(at_once((str(path),))) == {str(path)}
    with Session.read(path) as session:
        assert len(session.runs()) == STARTS


def test_that_a_folder_of_sessions_that_cannot_be_made_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path / "file"))
    with pytest.raises(SessionError, match="file/sessions cannot be made: Not a directory") as why:
        session_for(PLAN)
    assert "SLUICE_SESSIONS" in why.value.remedy
