"""Finds the session that a user means; asks before anything runs that one from elsewhere names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli.terminal import agrees, say_on_stderr
from core.errors import NotTrusted, SessionError
from core.host.folders import sessions_folder
from core.language.translation import one_line, tr

if TYPE_CHECKING:
    from core.execution.measure_again import WouldRun
    from core.session import Session

SESSION = "SESSION is a path, or last, last~1, … for the newest in your sessions folder."
"""What every command says about what names a session."""

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
    from core.session.connections import newest_first

    kept = newest_first(sessions_folder())
    if back < len(kept):
        return kept[back][0]
    there = {0: "there is none yet", 1: "there is one"}.get(len(kept), f"there are {len(kept)}")
    where = one_line(str(sessions_folder()))
    raise SessionError(f"no session {name}: {there} in {where}", "name a file")


yes_option = click.option(
    "--yes",
    is_flag=True,
    default=None,
    help="Agree to what a session from elsewhere would run.",
)


def require_agreement(found: WouldRun, *, yes: bool) -> None:
    """Say what would run, and ask; raises NotTrusted where nobody agrees."""
    say_on_stderr("look out: this was not started here by you. It would run:")
    for line in found.lines:
        say_on_stderr(f"  {line}")
    told = tr("1 line above says what", "{count} lines above say what", count=len(found.lines))
    count = told + ", and not all of it" * found.cut
    if not (yes or agrees(f"Run it? The {count}.")):
        raise NotTrusted(
            "nothing was run: it needs your agreement", "read what it would run, then add --yes"
        )
