"""Where `export` writes to, and what it leaves alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import building
import pytest

from core.cli import main
from core.session import Session

pytestmark = pytest.mark.quick


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.sluice"
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
