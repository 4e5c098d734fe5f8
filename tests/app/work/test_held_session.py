"""The window holds one session at a time, and lets go of it wholly."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSettings, QThreadPool
from PySide6.QtWidgets import QApplication

from app.work.session_actions import SessionActions
from core.session import Session

pytestmark = pytest.mark.window


def test_that_a_session_is_closed_when_it_is_let_go_of_and_when_another_one_is_held(
    pool: QThreadPool, settings: QSettings, qapp: QApplication, tmp_path: Path
) -> None:
    owner = QObject()
    desk = SessionActions(pool, settings, owner)
    first, second = (Session.create(tmp_path / f"{number}.sluice") for number in (1, 2))
    for session, end in ((first, lambda: desk.hold(second)), (second, desk.let_go)):
        desk.hold(session)
        desk.hold(session)
        assert not session.runs()
        end()
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            session.runs()
    assert desk.session is None
