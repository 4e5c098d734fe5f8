"""Salvage: what it saves can be opened, and what is lost is told; offered as a command."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import hostile_sessions
import pytest
from hostile_sessions import UNSOUND, UNSOUND_WITHIN

from core.language import SessionError
from core.run import Session, salvage
from core.tell.cli import main

LOST = ("title", "sluice", "created")


def trials_in(path: Path) -> int:
    """How many trials a session has, each of them read as a whole."""
    with Session.read(path) as session:
        assert session.created > 0
        assert isinstance(session.title, str)
        assert session.sluice
        found = [trial for run in session.runs() for trial in session.trials(run.id)]
        for trial in found:
            list(trial.moments)
        return len(found)


@pytest.mark.parametrize("key", LOST)
def test_that_a_lost_fact_about_the_file_is_made_up_for(key: str, tmp_path: Path) -> None:
    path = tmp_path / "x.sluice"
    hostile_sessions.sound(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as plain:
        plain.execute("DELETE FROM meta WHERE key = ?", (key,))
    saved = salvage(path, tmp_path / "saved.sluice")
    assert (saved.runs, saved.trials, saved.whole) == (1, 4, False)
    assert trials_in(tmp_path / "saved.sluice") == 4


@pytest.mark.parametrize("name", [*UNSOUND, *UNSOUND_WITHIN])
def test_that_what_it_saves_can_be_opened_or_it_says_that_nothing_can(
    name: str, tmp_path: Path
) -> None:
    path = hostile_sessions.make(tmp_path / "x.sluice", (UNSOUND | UNSOUND_WITHIN)[name])
    to = tmp_path / "saved.sluice"
    try:
        saved = salvage(path, to)
    except SessionError as error:
        assert str(path) in str(error)  # noqa: PT017
        assert not to.exists()
    else:
        assert not saved.whole
        assert trials_in(to) == saved.trials


def test_that_one_bad_trial_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "x.sluice"
    hostile_sessions.sound(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as plain:
        kept = plain.execute("SELECT * FROM trials WHERE trial > 1").fetchall()
        hostile_sessions.UNSOUND_WITHIN["moments at no time"](plain)
        for row in kept:
            marks = ", ".join("?" * len(row))
            plain.execute(f"REPLACE INTO trials VALUES ({marks})", row)
    saved = salvage(path, tmp_path / "saved.sluice")
    assert (saved.runs, saved.trials, saved.whole) == (1, 3, False)
    assert trials_in(tmp_path / "saved.sluice") == 3


def test_that_a_whole_session_is_saved_by_a_command_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "night.sluice"
    hostile_sessions.sound(path)
    assert main(["salvage", str(path)]) == 0
    told = capsys.readouterr()
    assert told.err == "saved: 1 run, 4 trials; nothing is lost\n"
    assert told.out == f"{tmp_path / 'night salvaged.sluice'}\n"
    assert main(["salvage", str(path)]) == 0
    assert trials_in(tmp_path / "night salvaged.sluice") == 4
    assert trials_in(tmp_path / "night salvaged 2.sluice") == 4


def test_that_the_command_which_a_damaged_session_names_saves_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "night.sluice"
    hostile_sessions.sound(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 9 // 10])
    assert main(["show", str(path)]) == 2
    assert f"python -m core salvage {path}" in capsys.readouterr().err
    assert main(["salvage", str(path), "-o", str(tmp_path / "saved.sluice")]) == 1
    assert "the rest is lost" in capsys.readouterr().err
    assert trials_in(tmp_path / "saved.sluice") < 4


def test_that_a_file_without_a_session_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.sluice").write_bytes(b"hello " * 10_000)
    assert main(["salvage", str(tmp_path / "x.sluice")]) == 2
    assert "nothing of" in capsys.readouterr().err
