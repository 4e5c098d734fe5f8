"""Sessions with valid seals and values that no run has are refused where they are read."""

from __future__ import annotations

from pathlib import Path

import hostile_sessions
import pytest
from hostile_sessions import ODD, UNSOUND, UNSOUND_WITHIN

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
