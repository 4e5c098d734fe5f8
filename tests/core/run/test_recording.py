"""Where runs are written, a session for each start, and what others see of them there."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import building
import pytest

from core.language import RunAbandoned, SessionError
from core.run import Session, begin_recording, session_for
from core.run.recording import _alone_at, own_session
from core.tell.cli.unfinished_command import last_run, watched
from core.vocabulary import Event, Plan, RunEnded, RunPlanned, TrialEnded, TrialStarted

PLAN = building.plan([building.spec()], title="run raw")
STARTS = 8
START = """
import sys
from pathlib import Path
import building
from core.run.recording import session_for

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


WATCHED: Plan = building.plan([building.spec(threads=threads) for threads in (1, 2)], repeats=2)


@pytest.fixture
def far(tmp_path: Path) -> Iterator[Session]:
    """With a run that has begun."""
    with Session.create(tmp_path / "far.sluice") as made:
        made.begin_run(WATCHED, building.environment(), {}, ("sluice",))
        yield made


def measure(far: Session, *places: int) -> None:
    for slot in (WATCHED.slots()[place] for place in places):
        far.append(1, building.trial(slot.spec, index=slot.index, rate=100.0))


def seen(far: Session, *then: Callable[[], object]) -> list[Event]:
    """The events, while at each look one thing more happens."""
    steps = iter(then)
    return list(watched(far.path, 1, 1.0, lambda _: next(steps)()))


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_that_trials_are_told_as_they_come_and_once_each(far: Session) -> None:
    measure(far, 0)
    with _alone_at(far, 1):
        events = seen(
            far,
            lambda: measure(far, 1, 2),
            lambda: None,
            lambda: measure(far, 3),
            lambda: far.end_run(1, "completed"),
        )
    assert kinds(events) == ["RunPlanned", *["TrialStarted", "TrialEnded"] * 4, "RunEnded"]
    assert [one.trial.index for one in events if isinstance(one, TrialEnded)] == [0, 1, 2, 3]
    started = [one.spec.load.threads for one in events if isinstance(one, TrialStarted)]
    assert started == [slot.spec.load.threads for slot in WATCHED.slots()]
    assert isinstance(events[0], RunPlanned)
    assert events[0].trials == 4
    assert events[-1] == RunEnded(trials=4, of=4, cancelled=False)


def test_that_a_run_that_was_over_is_told_at_once(far: Session) -> None:
    measure(far, 0, 1)
    far.end_run(1, "cancelled")
    events = seen(far)
    assert events[-1] == RunEnded(trials=2, of=4, cancelled=True)


def test_that_a_run_that_was_killed_is_told_with_what_it_had(far: Session) -> None:
    measure(far, 0)
    told: list[Event] = []
    with pytest.raises(RunAbandoned, match="nobody measures it"):
        told.extend(watched(far.path, 1, 1.0, lambda _: None))
    events = watched(far.path, 1, 1.0, lambda _: None)
    assert kinds([next(events) for _ in range(3)]) == ["RunPlanned", "TrialStarted", "TrialEnded"]


def test_that_a_session_without_a_run_says_so(tmp_path: Path) -> None:
    Session.create(tmp_path / "empty.sluice").close()
    with pytest.raises(SessionError, match="no run yet"):
        last_run(tmp_path / "empty.sluice")


def test_that_a_session_of_somebody_else_is_left_as_it_is(folder: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.sluice"
    with Session.create(theirs) as made:
        made.begin_run(PLAN, building.environment(), {}, ["sluice"])
    before = theirs.read_bytes()
    with session_for(PLAN, theirs) as mine:
        assert mine.path.parent == folder
        assert mine.moved.endswith(f"stays as it is; this is in {mine.path}")
        begin_recording(PLAN, mine, ["sluice", "measure"])
    with Session.open(theirs) as opened, session_for(PLAN, opened) as mine:
        assert mine.path.parent == folder
        own = own_session(opened)
        assert (own.path.name, own.titles()) == ("theirs.sluice", opened.titles())
        assert own_session(own) is own
        own.close()
    with session_for(PLAN, mine.path) as again:
        assert (again.path, again.moved) == (mine.path, "")
    assert theirs.read_bytes() == before
