"""Which session is meant by what a user writes; where `export` writes, and what it leaves alone."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

import building
import msgspec
import pytest

from core.language import SessionError
from core.measure import sessions_folder
from core.run import Session
from core.tell.cli import main
from core.tell.cli.session_command import find_session

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path / "mine"))
    monkeypatch.chdir(tmp_path)
    sessions_folder().mkdir(parents=True)
    return sessions_folder()


def made(path: Path, written: int = 1) -> Path:
    path.touch()
    os.utime(path, (written, written))
    return path


def test_that_a_path_is_the_session_at_it(tmp_path: Path) -> None:
    path = made(tmp_path / "a name.sluice")
    assert find_session(str(path)) == path
    assert find_session("a name.sluice") == Path("a name.sluice")


def test_that_last_is_the_one_that_was_written_to_last(folder: Path) -> None:
    made(folder / "2026-01-02 a.sluice", 20)
    newest = made(folder / "2026-01-01 b.sluice", 30)
    made(folder / "newer but no session.txt", 40)
    assert find_session("last") == newest


def test_that_last_is_the_run_that_began_last_whatever_copies_did_to_the_files(
    folder: Path,
) -> None:
    for name, began, written in (("newer", 2_000.0, 20), ("older", 1_000.0, 30)):
        path = folder / f"{name}.sluice"
        with Session.create(path, clock=itertools.repeat(began).__next__) as session:
            session.begin_run(building.plan([building.spec()]), building.environment(), {}, ())
        os.utime(path, (written, written))
    assert find_session("last").stem == "newer"
    assert find_session("last~1").stem == "older"


def test_that_of_two_written_at_once_the_later_name_is_last(folder: Path) -> None:
    made(folder / "2026-01-01 a.sluice", 20)
    newest = made(folder / "2026-01-02 a.sluice", 20)
    assert find_session("last") == newest


def test_that_older_ones_are_counted_back_from_the_last(folder: Path) -> None:
    older = made(folder / "b.sluice", 20)
    made(folder / "a.sluice", 30)
    assert find_session("last~1") == older


@pytest.mark.parametrize(("count", "told"), [(1, "there is one in"), (2, "there are 2 in")])
def test_that_it_is_said_how_many_there_are(folder: Path, count: int, told: str) -> None:
    for number in range(count):
        made(folder / f"{number}.sluice")
    with pytest.raises(SessionError, match=told):
        find_session("last~2")


@pytest.mark.parametrize("name", ["sweep.sluice", "sweep"])
def test_that_a_bare_name_is_looked_for_in_the_sessions_folder(folder: Path, name: str) -> None:
    path = made(folder / "sweep.sluice")
    assert find_session(name) == path


def test_that_a_file_here_comes_before_one_in_the_sessions_folder(folder: Path) -> None:
    made(folder / "sweep.sluice")
    made(Path("sweep.sluice"))
    assert find_session("sweep.sluice") == Path("sweep.sluice")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("last", "no session last: there is none yet"),
        ("last~7", "no session last~7"),
        ("nothing", "there is no session nothing"),
        ("mine", "is a folder"),
        ("nothing\x1b[31m", r"nothing\\x1b\[31m"),
    ],
)
def test_that_what_is_not_there_is_told_with_its_remedy(name: str, told: str) -> None:
    with pytest.raises(SessionError, match=told) as complaint:
        find_session(name)
    assert complaint.value.remedy


def test_that_a_session_that_cannot_be_looked_at_is_passed_over(folder: Path) -> None:
    newest = made(folder / "a.sluice", 20)
    (folder / "gone.sluice").symlink_to(folder / "nowhere")
    assert find_session("last") == newest


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "alone").mkdir()
    monkeypatch.chdir(tmp_path / "alone")
    path = tmp_path / "alone" / "a.sluice"
    result = building.good(building.spec(), 100.0, 101.0, 99.0)
    with Session.create(path, title="a run") as written:
        plan = building.plan([result.spec], repeats=3)
        run = written.begin_run(plan, building.environment(), {}, ("run",))
        for trial in result.trials:
            written.append(run, trial)
    return path


@pytest.mark.parametrize("words", [(), ("-o", "-"), ("--output", "-")])
def test_that_a_dash_and_no_file_are_standard_output(
    words: tuple[str, ...], session: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["export", str(session), "--format", "csv", *words]) == 0
    said = capfdbinary.readouterr().out
    assert said.count(b"\n") >= 2
    assert b"fasta" in said
    assert sorted(session.parent.iterdir()) == [session]


def test_that_a_dash_tells_no_format(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(session), "-o", "-"]) == 2
    assert "add --format" in capsys.readouterr().err


def test_that_a_file_is_replaced_only_where_that_is_said(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = session.with_name("results.csv")
    there.write_text("mine")
    asked = ["export", str(session), "-o", str(there)]
    assert main(asked) == 2
    assert "replace it with --force" in capsys.readouterr().err
    assert there.read_text() == "mine"
    assert main([*asked, "--force"]) == 0
    assert "fasta" in there.read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("words", [(), ("--force",)])
def test_that_a_pipe_is_written_to_as_it_is(words: tuple[str, ...], session: Path) -> None:
    pipe = session.with_name("pipe.csv")
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert main(["export", str(session), "-o", str(pipe), *words]) == 0
    assert os.read(reading, 100).startswith(b"workload,")
    os.close(reading)
    assert pipe.is_fifo()


def test_that_the_sentence_comes_before_the_table_against_the_best(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = [
        building.good(building.spec(threads=threads), rate, 1.01 * rate, 0.99 * rate)
        for threads, rate in ((1, 100.0), (2, 200.0))
    ]
    path = tmp_path / "threads.sluice"
    with Session.create(path) as written:
        plan = building.plan([one.spec for one in results], repeats=3)
        run = written.begin_run(plan, building.environment(), {}, ())
        trials = [trial for result in results for trial in result.trials]
        for index, trial in enumerate(trials):
            written.append(run, msgspec.structs.replace(trial, index=index))
    assert main(["show", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    head = next(number for number, line in enumerate(lines) if "Against the best" in line)
    sentence = next(number for number, line in enumerate(lines) if "2 threads" in line)
    assert sentence < head
    rows = [line for line in lines[head:] if "×" in line]
    assert ["0.500×" in rows[0], "1.00×" in rows[1]] == [True, True]
