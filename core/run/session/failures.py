"""Errors of SQLite and the disk as one line with cause and remedy, and errors of other formats.

What a session of a newer Sluice has in tables that this one knows is read and shown; nothing is
added to one of a newer format, whose rules are not known here.
"""

from __future__ import annotations

import os
import re
import shlex
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from core.language import (
    DamagedSession,
    NewerSession,
    Seconds,
    SessionError,
    SessionExists,
    SessionNotKept,
    command_text,
    one_line,
    show_seconds,
    sluice_version,
    tr,
    tr_word,
)
from core.measure import is_trouble, reason, shortage
from core.run.session.schema import FORMAT_VERSION, format_name
from core.vocabulary import UnsoundError

_LONGEST = 40  # letters of a version: a file from anyone can have any


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
        raise kind(tr("{path} cannot be written: {why}", path=path, why=reason(error))) from error


def damaged(path: Path, detail: str) -> SessionError:
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
    """What SQLite does not say: what it came for want of, or that the file is gone."""
    if code_of(error) not in _NOT_REACHED:
        return None
    if why := shortage(error):
        return SessionNotKept(tr("{path} cannot be opened: {why}", path=path, why=why))
    if new or os.path.lexists(path):
        return None
    return SessionError(
        tr("{path} is gone: it was deleted or moved while it was open", path=path),
        tr("begin a new session: further trials cannot be kept"),
    )


def _explained(error: sqlite3.Error, path: Path, patience: Seconds) -> SessionError:
    code = code_of(error)
    explanation = EXPLAINED.get(_ALIKE.get(code, code)) if code is not None else None
    if explanation is None:
        return damaged(path, str(error))
    cause, remedy = explanation
    kind = SessionNotKept if code in _TROUBLE else SessionError
    return kind(tr(cause, path=path, error=error, patience=show_seconds(patience)), tr_word(remedy))


def remark_on(path: Path, version: int, sluice: str, own: str) -> str:
    """What to know about a session of that format that a Sluice newer than `own` has written.

    Empty where there is nothing to say.
    """
    made = one_line(sluice)[:_LONGEST]
    if version > FORMAT_VERSION:
        return tr(
            "{path} comes from a newer Sluice ({made}; this is {own}): it has format {version}, and "
            "this one knows up to {known}. What this one knows of it is shown, figures may mean "
            "something else by now, and nothing can be added to it.",
            path=path,
            made=made,
            own=own,
            version=format_name(version),
            known=format_name(FORMAT_VERSION),
        )
    if is_newer(made, own):
        return tr(
            "{path} comes from a newer Sluice ({made}; this is {own}): what is new in it is not shown.",
            path=path,
            made=made,
            own=own,
        )
    return ""


def too_new(path: Path) -> NewerSession:
    return NewerSession(
        tr(
            "{path} comes from a newer Sluice than this {own}, and not all of it can be read here",
            path=path,
            own=sluice_version(),
        ),
        tr(
            "update Sluice; what this one can read can be copied into a new session: {command}",
            command=salvage_command(path),
        ),
    )


def too_old(path: Path) -> SessionError:
    return SessionError(
        tr("{path} was written before Sluice 1.0, and its format is not read any more", path=path),
        tr("measure again with this version"),
    )


def not_to_be_changed(path: Path, version: int) -> NewerSession:
    return NewerSession(
        tr(
            "{path} has format {version}, and this Sluice adds to sessions up to {known}",
            path=path,
            version=format_name(version),
            known=format_name(FORMAT_VERSION),
        ),
        tr("update Sluice, or begin a new session; it can still be looked at"),
    )


def is_newer(version: str, than: str) -> bool:
    """Whether a version is a later release; one that is not known is not."""
    one, other = _release(version), _release(than)
    return bool(one and other) and one > other


def _release(version: str) -> tuple[int, ...]:
    """`0.10.2rc1` as (0, 10, 2), without zeros at its end; empty for anything else."""
    match = re.match(r"\d{1,9}(\.\d{1,9}){0,5}", version)
    numbers = [int(part) for part in match[0].split(".")] if match else []
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
