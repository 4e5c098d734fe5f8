"""Sessions of another Sluice: how they are recognised, and what is said of them.

What they have in tables that this Sluice knows is read and shown; nothing is added to one of a
newer format, whose rules are not known here.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from core.errors import NewerSession, SessionError
from core.host.program import sluice_version
from core.language.translation import one_line, tr
from core.session.failures import salvage_command
from core.session.rows import Reader
from core.session.schema import FORMAT_VERSION, format_name, format_of

_LONGEST = 40  # letters of a version: a file from anyone can have any


def remark_on(connection: sqlite3.Connection, path: Path, own: str) -> str:
    """What to know about a session that a Sluice newer than version `own` has written, or empty.

    Raises what reading a row can raise.
    """
    made = _made_by(connection)
    if (version := format_of(connection)) > FORMAT_VERSION:
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
    """The error for a session of a newer Sluice that cannot be read here."""
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
    """The error for a session of a checkout before the first release."""
    return SessionError(
        tr("{path} was written before Sluice 1.0, and its format is not read any more", path=path),
        tr("measure again with this version"),
    )


def not_to_be_changed(path: Path, version: int) -> NewerSession:
    """The error for adding to a session of a newer format."""
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
    found = re.match(r"\d{1,9}(\.\d{1,9}){0,5}", version)
    numbers = [int(part) for part in found[0].split(".")] if found else []
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _made_by(connection: sqlite3.Connection) -> str:
    return one_line(Reader(connection).meta("sluice"))[:_LONGEST]
