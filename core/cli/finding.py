"""Finds the session that a user means."""

from __future__ import annotations

from pathlib import Path

from core.errors import SessionError
from core.places import sessions_folder


def find_session(name: str) -> Path:
    """The session file of that path, or `last`, `last~1`, … by age; raises SessionError."""
    place, _, back = name.partition("~")
    if place != "last" or (back and not back.isdigit()):
        return Path(name)
    kept = sorted(sessions_folder().glob("*.sluice"), key=lambda file: file.stat().st_mtime_ns)
    wanted = int(back or 0)
    if wanted >= len(kept):
        there = f"there are {len(kept)}" if kept else "there is none yet"
        raise SessionError(f"no session {name}: {there} in {sessions_folder()}", "give the path")
    return kept[-1 - wanted]
