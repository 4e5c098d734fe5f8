"""Finds the session that a user means."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.terminal import say_on_stderr
from core.errors import SessionError
from core.host.folders import sessions_folder
from core.language.translation import one_line

if TYPE_CHECKING:
    from core.session import Session

_SUFFIX = ".sluice"
_DIGITS = 9
"""Of a number behind `last~`: more are none, and Python reads no number as long as a book."""


def read_session(path: Path) -> Session:
    """A session to read; says on stderr if a newer Sluice has written it.  Raises SessionError."""
    from core.session import Session

    session = Session.read(path)
    try:
        if told := session.newer:
            say_on_stderr(f"look out: {told}")
    except SessionError:
        session.close()
        raise
    return session


def find_session(name: str) -> Path:
    """The session file that a user named; raises SessionError if there is none.

    `last`, `last~1`, … go by age in the sessions folder; `./last` is a file of that name.  If no
    file here has the name, it can be in the sessions folder, with or without its ending.
    """
    if not name:
        raise SessionError("no session is named", "name a file, or last")
    place, _, back = name.partition("~")
    if place == "last" and (not back or back.isdecimal()) and len(back) <= _DIGITS:
        return _by_age(name, int(back or 0))
    given = Path(name)
    kept = [sessions_folder() / end for end in (name, name + _SUFFIX)] if given.name == name else []
    for path in (given, *kept):
        if path.is_file():
            return path
    if given.is_dir():
        raise SessionError(f"{one_line(name)} is a folder", f"name a {_SUFFIX} file in it")
    raise SessionError(f"there is no session {one_line(name)}", "name a file, or last")


def _by_age(name: str, back: int) -> Path:
    kept = _newest_first(sessions_folder())
    if back < len(kept):
        return kept[back]
    there = {0: "there is none yet", 1: "there is one"}.get(len(kept), f"there are {len(kept)}")
    where = one_line(str(sessions_folder()))
    raise SessionError(f"no session {name}: {there} in {where}", "name a file")


def _newest_first(folder: Path) -> list[Path]:
    # If two are equally old, the names decide: they contain the time of the beginning.
    dated: list[tuple[int, str, Path]] = []
    for path in folder.glob(f"*{_SUFFIX}"):
        with suppress(OSError):  # it is being deleted, or may not be looked at
            dated.append((path.stat().st_mtime_ns, path.name, path))
    return [path for *_, path in sorted(dated, reverse=True)]
