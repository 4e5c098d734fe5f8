"""What is no session, or has values that no run has, is refused in a line that says why."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import building
import hostile_sessions
import pytest
from hostile_sessions import ODD, UNSOUND, UNSOUND_WITHIN
from patience import PATIENCE
from scarcity import as_ordinary_user, none_left

from core.language import SessionError
from core.run import Session, salvage
from core.run.session.schema import BEFORE_RELEASE
from core.tell.cli import main
from core.vocabulary import Trial


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.sluice"


@pytest.fixture
def filled(path: Path) -> Path:
    hostile_sessions.sound(path)
    return path


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
from core.vocabulary.result import Trial
from core.run.session.rows import decoded, encode_safely
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


NOT_SESSIONS: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda path: None, "does not exist"),
    "a folder": (Path.mkdir, "is a folder"),
    "empty": (Path.touch, "is empty"),
    "a pipe": (os.mkfifo, "not a regular file"),
    "text": (lambda path: path.write_text("hello " * 500), "no SQLite file"),
    "one byte": (lambda path: path.write_bytes(b"S"), "no SQLite file"),
    "a foreign database": (
        lambda path: sqlite3.connect(path).executescript("CREATE TABLE a (b)").close(),
        "but not a session",
    ),
    "a link to nowhere": (lambda path: path.symlink_to("nowhere"), "does not exist"),
}


@pytest.mark.parametrize("case", NOT_SESSIONS)
@pytest.mark.parametrize("enter", [Session.open, Session.read], ids=["open", "read"])
def test_that_what_is_no_session_is_told_in_one_line(
    case: str, enter: Callable[[Path], Session], path: Path
) -> None:
    make, words = NOT_SESSIONS[case]
    made = make(path)
    if isinstance(made, sqlite3.Cursor):
        made.connection.close()
    with pytest.raises(SessionError, match=words) as raised:
        enter(path)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("number", BEFORE_RELEASE)
@pytest.mark.parametrize("enter", [Session.open, Session.read], ids=["open", "read"])
def test_that_a_session_from_before_the_first_release_is_refused(
    enter: Callable[[Path], Session], number: int, filled: Path
) -> None:
    with closing(sqlite3.connect(filled)) as plain, plain:
        plain.execute(f"PRAGMA user_version = {number}")
    content = filled.read_bytes()
    with pytest.raises(SessionError, match=r"before Sluice 1\.0.*measure again"):
        enter(filled)
    assert filled.read_bytes() == content


def test_that_creating_refuses_what_is_there(filled: Path) -> None:
    before = filled.read_bytes()
    with pytest.raises(SessionError, match="exists already"):
        Session.create(filled)
    with pytest.raises(SessionError, match=r"the folder of .* does not exist"):
        Session.create(filled.parent / "nowhere" / "x.sluice")
    assert filled.read_bytes() == before
    assert [file.name for file in filled.parent.iterdir()] == [filled.name]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are not modes there")
@pytest.mark.parametrize("mode", [0o444, 0o644])
def test_that_a_read_only_file_or_folder_is_read_but_not_written(filled: Path, mode: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "theirs.sluice")
        path.write_bytes(filled.read_bytes())
        path.chmod(mode)
        Path(folder).chmod(stat.S_IRUSR | stat.S_IXUSR | 0o055)
        before = path.read_bytes()

        def work() -> str:
            with Session.read(path) as session:
                told = [str(len(session.results()))]
            for attempt in (
                lambda: Session.open(path).note("no"),
                lambda: Session.create(path.with_name("new.sluice")),
            ):
                try:
                    attempt()
                except SessionError as error:
                    told.append(str(error))
            return "\n".join(told)

        told = as_ordinary_user(work).splitlines()
        assert told[0] == "2"
        assert "permission denied" in told[1]
        assert "new.sluice cannot be written: Permission denied" in told[2]
        assert path.read_bytes() == before
        assert [file.name for file in Path(folder).iterdir()] == ["theirs.sluice"]
        Path(folder).chmod(0o700)


def test_that_a_session_that_cannot_be_opened_for_want_of_descriptors_is_said_so(
    filled: Path,
) -> None:
    with none_left(), pytest.raises(SessionError) as told:
        Session.read(filled)
    assert "too many open files" in told.value.cause
    assert "permission" not in str(told.value)


@pytest.mark.parametrize("spare", [0, 1])
@pytest.mark.parametrize(
    "attempt",
    [
        lambda path: Session.read(path).close(),
        lambda path: Session.open(path).close(),
        lambda path: Session.create(path.with_name("new.sluice")).close(),
        salvage,
    ],
    ids=["read", "open", "create", "salvage"],
)
def test_that_a_limit_of_descriptors_is_named_and_leaves_nothing(
    attempt: Callable[[Path], object],
    spare: int,
    filled: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    beside = set(filled.parent.iterdir())
    refused: SessionError | None = None
    try:
        with none_left(spare):
            attempt(filled)
    except SessionError as error:
        refused = error
    if refused is not None:
        assert refused.exit_code == 1
        assert "too many open files" in refused.cause
        assert "ulimit -n" in refused.cause
        assert set(filled.parent.iterdir()) == beside
    assert refused is not None or spare
    assert list(temporary.iterdir()) == []
