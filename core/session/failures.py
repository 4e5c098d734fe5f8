"""Errors of SQLite and the disk as one line with cause and remedy."""

from __future__ import annotations

import os
import shlex
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from core.errors import DamagedSession, SessionError, SessionExists, SessionNotKept
from core.host.descriptors import shortage
from core.host.folders import is_trouble
from core.host.program import command_text
from core.language.translation import one_line, tr, tr_word
from core.language.units import Seconds, show_seconds
from core.result.soundness import UnsoundError


class DamageError(Exception):
    """The file differs from what was written; `explaining_sqlite` makes it a SessionError."""


UNREADABLE = (
    sqlite3.Error,
    zlib.error,
    msgspec.MsgspecError,
    DamageError,
    UnsoundError,
    MemoryError,
    RecursionError,  # of JSON within JSON within JSON
    UnicodeDecodeError,  # also of SQLite's own messages, which quote what they stumble over
)
"""What reading a damaged file can raise."""


@contextmanager
def explaining_sqlite(path: Path, patience: Seconds = 0, *, new: bool = False) -> Iterator[None]:
    """Turn `UNREADABLE` into SessionError; `new`: the file gets its name only at the end."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a closed session was used: a bug, not damage
        raise
    except sqlite3.Error as error:
        raise (_unreached(error, path, new=new) or _explained(error, path, patience)) from error
    except UNREADABLE as error:
        raise damaged(path, str(error) or "impossible sizes") from error


@contextmanager
def reporting_files(path: Path) -> Iterator[None]:
    """Turn the OSError of a file that cannot be written into SessionError."""
    try:
        yield
    except FileExistsError as error:
        raise SessionExists(
            tr("{path} exists already", path=path), tr("open it, or choose another name")
        ) from error
    except IsADirectoryError as error:
        raise SessionError(tr("{path} is a folder", path=path), tr("name a file in it")) from error
    except FileNotFoundError as error:
        raise SessionError(
            tr("the folder of {path} does not exist", path=path), tr("create it first")
        ) from error
    except OSError as error:
        kind = SessionNotKept if is_trouble(error) else SessionError
        raise kind(tr("{path} cannot be written: {why}", path=path, why=error.strerror)) from error


def damaged(path: Path, detail: str) -> SessionError:
    """The error for a session that cannot be read completely."""
    # SQLite quotes whole statements, and the text it fails on can be anything.
    brief = one_line(detail.partition("\n")[0])[:200]
    return DamagedSession(
        tr("{path} is damaged: {brief}", path=path, brief=brief),
        tr(
            "what can still be read can be salvaged into a new one: {command}",
            command=salvage_command(path),
        ),
    )


def salvage_command(path: Path) -> str:
    """What to type to copy what can be read of a session."""
    return command_text("salvage", shlex.quote(str(path)))


def code_of(error: sqlite3.Error) -> int | None:
    """SQLite's primary result code; None where Python itself refused."""
    extended = getattr(error, "sqlite_errorcode", None)
    return None if extended is None else extended & 0xFF


EXPLAINED = {
    sqlite3.SQLITE_BUSY: (
        "{path} was in use by another process for {patience}",
        "close the other Sluice that writes to it, or try again",
    ),
    sqlite3.SQLITE_FULL: (
        "{path} cannot grow: the disk is full",
        "free some space, or copy the session to another disk",
    ),
    sqlite3.SQLITE_READONLY: (
        "{path} may not be written: permission denied",
        "open it to read, or copy it to a folder of your own",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "{path} cannot be opened: permission denied, for the file or for its folder",
        "copy it to a folder of your own",
    ),
    sqlite3.SQLITE_NOTADB: ("{path} is not a session: it is no SQLite file", ""),
    sqlite3.SQLITE_IOERR: (
        "{path} cannot be read or written: {error}",
        "keep sessions on a local disk; some network file systems know no locks",
    ),
}
"""By SQLite's primary result code: cause and remedy."""

_NOT_REACHED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
"""Codes that say nothing of why the file or its journal could not be opened or written."""
_TROUBLE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
"""Codes for which nobody asked wrongly."""

_ALIKE = {
    sqlite3.SQLITE_LOCKED: sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_PERM: sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_AUTH: sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PROTOCOL: sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOLFS: sqlite3.SQLITE_IOERR,
}


def _unreached(error: sqlite3.Error, path: Path, *, new: bool) -> SessionError | None:
    """What SQLite does not say: that no descriptor is left, or that the file is gone."""
    if code_of(error) not in _NOT_REACHED:
        return None
    if why := shortage(error):
        return SessionError(tr("{path} cannot be opened: {why}", path=path, why=why))
    if new or os.path.lexists(path):
        return None
    return SessionError(
        tr("{path} is gone: it was deleted or moved while it was open", path=path),
        tr("begin a new session: further trials cannot be kept"),
    )


def _explained(error: sqlite3.Error, path: Path, patience: Seconds) -> SessionError:
    code = code_of(error)
    told = EXPLAINED.get(_ALIKE.get(code, code)) if code is not None else None
    if told is None:
        return damaged(path, str(error))
    cause, remedy = told
    kind = SessionNotKept if code in _TROUBLE else SessionError
    return kind(tr(cause, path=path, error=error, patience=show_seconds(patience)), tr_word(remedy))
