"""A session of a newer Sluice is shown as far as it is known, and what it is is said."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import building
import msgspec
import pytest

from core.language import DamagedSession, NewerSession
from core.run import Session, salvage
from core.run.session import FORMAT_VERSION, rows
from core.run.session.failures import is_newer
from core.tell.cli import main

PLAN = building.plan([building.spec(threads=threads) for threads in (1, 2)], repeats=2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "of then.sluice"
    with Session.create(path, title="of then") as session:
        for _ in range(2):
            run = session.begin_run(PLAN, building.environment(), {}, ("sluice",))
            for slot in PLAN.slots():
                session.append(run, building.trial(slot.spec, index=slot.index))
            session.end_run(run, "completed")
    return path


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as plain, plain:
        for statement in statements:
            plain.execute(statement)


def of_version(path: Path, version: str) -> None:
    """Have another Sluice be the one that made it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as plain:
        rows.replace(plain, "meta", rows.sealed("sluice", version))


def of_format(path: Path, number: int = FORMAT_VERSION + 1) -> None:
    of_version(path, "99.1")
    execute(path, f"PRAGMA user_version = {number}")


def with_unknown_outcome(path: Path, run: int) -> None:
    """Have a trial end in a way that only a newer Sluice knows."""
    with closing(sqlite3.connect(path, isolation_level=None)) as plain:
        found = plain.execute("SELECT * FROM trials WHERE run = ?", (run,)).fetchone()
        columns = list(found[:-1])
        told = msgspec.json.decode(zlib.decompressobj().decompress(columns[-1]))
        told["outcome"]["type"] = "evaporated"
        columns[-1] = zlib.compress(msgspec.json.encode(told))
        rows.replace(plain, "trials", rows.sealed(*columns))


@pytest.mark.parametrize(
    ("version", "than", "newer"),
    [
        ("0.2.0", "0.1.0", True),
        ("0.10", "0.9.5", True),
        ("1.0.0rc1", "0.9", True),
        ("0.1", "0.1.0", False),
        ("0.1.0", "0.1.0", False),
        ("0.1.0", "0.2.0", False),
        ("unknown", "0.1.0", False),
        ("99.0", "unknown", False),
        ("", "0.1.0", False),
    ],
)
def test_that_versions_are_compared_as_numbers(version: str, than: str, newer: bool) -> None:
    assert is_newer(version, than) is newer


def test_that_nothing_is_said_of_a_session_of_this_version(path: Path) -> None:
    with Session.read(path) as session:
        assert session.newer == ""


@pytest.mark.parametrize("enter", [Session.open, Session.read], ids=["open", "read"])
def test_that_a_session_of_a_newer_version_in_a_known_format_is_used_and_told_of(
    enter: Callable[[Path], Session], path: Path
) -> None:
    of_version(path, "99.1")
    with enter(path) as session:
        assert "comes from a newer Sluice (99.1; this is" in session.newer
        assert len(session.results()) == 4


def test_that_a_session_of_a_newer_format_is_read_and_told_of(path: Path) -> None:
    of_format(path)
    with Session.read(path) as session:
        assert "it has format 1.1, and this one knows up to 1.0" in session.newer
        assert session.title == "of then"
        assert [len(result.trials) for result in session.results()] == [2, 2, 2, 2]


def test_that_nothing_is_added_to_a_session_of_a_newer_format(path: Path) -> None:
    of_format(path)
    before = path.read_bytes()
    with pytest.raises(NewerSession, match=r"adds to sessions up to .*update Sluice"):
        Session.open(path)
    with Session.read(path) as session, pytest.raises(NewerSession, match="update Sluice"):
        session.note("of mine")
    assert path.read_bytes() == before


def test_that_tables_and_columns_that_are_not_known_are_no_damage(path: Path) -> None:
    of_format(path)
    execute(path, "CREATE TABLE moons (moon INTEGER PRIMARY KEY)")
    with Session.read(path) as session:
        assert len(session.results()) == 4
    execute(path, "ALTER TABLE trials ADD COLUMN moon INTEGER")
    with pytest.raises(NewerSession, match=r"not all of it can be read here .update Sluice"):
        Session.read(path)


@pytest.mark.parametrize("make", [of_format, lambda path: of_version(path, "99.1")])
def test_that_what_only_a_newer_version_knows_is_not_called_damage(
    make: Callable[[Path], None], path: Path
) -> None:
    with_unknown_outcome(path, run=2)
    with Session.read(path) as session, pytest.raises(DamagedSession):
        session.results(2)
    make(path)
    with Session.read(path) as session:
        assert len(session.results(1)) == 2
        with pytest.raises(NewerSession, match=r"newer Sluice.*salvage"):
            session.results(2)


def test_that_what_is_known_of_a_newer_session_can_be_salvaged(path: Path) -> None:
    with_unknown_outcome(path, run=2)
    of_format(path)
    salvage(path, to := path.with_name("salvaged.sluice"))
    with Session.open(to) as session:
        assert sum(run.trials for run in session.runs()) == 7


def test_that_damage_of_a_newer_session_is_still_damage(path: Path) -> None:
    of_format(path)
    execute(path, "DELETE FROM trials WHERE trial = 1")
    with pytest.raises(DamagedSession, match="rows of trials are missing"):
        Session.read(path)


def test_that_commands_say_that_a_session_is_newer_and_show_it(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_format(path)
    assert main(["show", str(path)]) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith("look out: ")
    assert "comes from a newer Sluice (99.1; this is" in shown.err
    assert "run 2" in shown.out
    assert "operations/s" in shown.out or "sequences/s" in shown.out


def test_that_a_run_into_a_newer_session_is_one_clear_line(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_format(path)
    (tmp_path / "data").write_bytes(bytes(5000))
    told = ["measure", "raw", "--dataset", str(tmp_path / "data"), "--session", str(path)]
    assert main(told) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "has format" in line
    assert "update Sluice, or begin a new session" in line


def without_cores(body: str) -> str:
    """A spec as it was written before loads had cores."""
    told = msgspec.json.decode(body)
    del told["load"]["cores"]
    return msgspec.json.encode(told).decode()


def test_that_a_session_from_before_loads_had_cores_reads_as_before(tmp_path: Path) -> None:
    path = tmp_path / "of before.sluice"
    specs, now = (tuple(building.spec(threads=n) for n in (1, 2, 4)) for _ in range(2))
    for spec in specs:
        spec.__dict__["digest"] = spec.digest[::-1]  # it was another one then
    plan = building.plan(specs, repeats=2)
    with Session.create(path, title="mine") as session:
        run = session.begin_run(plan, building.environment(), {}, ("sluice",))
        for slot in plan.slots():
            session.append(run, building.trial(slot.spec, index=slot.index))
    with closing(sqlite3.connect(path)) as plain, plain:
        found = [row[:-1] for row in plain.execute("SELECT * FROM specs")]
        plain.execute("DELETE FROM specs")
        for digest, workload, body in found:
            row = rows.sealed(digest, workload, without_cores(body))
            plain.execute("INSERT INTO specs VALUES (?, ?, ?, ?)", row)
    with Session.read(path) as session:
        (recorded,) = session.runs()
        assert recorded.plan.specs == now
        results = session.results()
    assert [result.spec.digest for result in results] == [spec.digest for spec in now]
    assert [len(result.trials) for result in results] == [2, 2, 2]
