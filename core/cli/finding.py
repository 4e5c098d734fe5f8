"""Which session a user means: a path, a name in the sessions folder, or `last`."""

from __future__ import annotations

from pathlib import Path

from core.errors import SessionError
from core.places import sessions_folder
from core.texts import one_line

LAST = "last"
_SUFFIX = ".sluice"


def find_session(name: str) -> Path:
    """The file of the session that a user named; raises SessionError where there is none.

    `last` is the session that was written to last among those without a place of their own; a file
    of that name is `./last`.  What is no path is looked for in the sessions folder, with or
    without its ending.
    """
    if name == LAST:
        return _last()
    given = Path(name)
    beside = [given] if given.name != name else [given, _named(name), _named(name + _SUFFIX)]
    for path in beside:
        if path.is_file():
            return path
    if given.is_dir():
        raise SessionError(f"{one_line(name)} is a folder", f"name a {_SUFFIX} file in it")
    raise SessionError(f"there is no session {one_line(name)}", "name a file, or `last`")


def _named(name: str) -> Path:
    return sessions_folder() / name


def _last() -> Path:
    # Two sessions written within the clock's resolution: the name holds when each was begun.
    found = [
        (path.stat().st_mtime_ns, path.name, path) for path in sessions_folder().glob(f"*{_SUFFIX}")
    ]
    if not found:
        raise SessionError(
            f"there is no session in {one_line(str(sessions_folder()))} yet",
            "measure something first, or name a file",
        )
    return max(found)[2]
