"""Connections to session files, and every reason why one cannot be opened."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from core.language import Seconds, SessionError, SessionNotKept, tr
from core.measure import is_trouble, put_in_place, reason
from core.run.session.failures import (
    code_of,
    damaged,
    explaining_sqlite,
    not_to_be_changed,
    reporting_files,
    too_new,
    too_old,
)
from core.run.session.rows import Reader, replace, sealed
from core.run.session.schema import (
    APPLICATION_ID,
    BEFORE_RELEASE,
    FORMAT_VERSION,
    TALLIED,
    create,
    format_of,
    is_as_created,
)

_HEADER = 100  # bytes of an SQLite file before its first table
_NEEDS_WRITING = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def create_file(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """A new session at the path; it appears only when complete.  Raises SessionError."""
    with (
        reporting_files(path),
        put_in_place(path, overwrite=False) as new,
        explaining_sqlite(path, new=True),
        closing(_connected_to_new(new)) as connection,
    ):
        create(connection)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("BEGIN")
        for table in TALLIED:
            replace(connection, "tallies", sealed(table, 0))
        fill(connection)
        connection.execute("COMMIT")


def copy_file(source: sqlite3.Connection, path: Path, *, overwrite: bool) -> None:
    """A consistent copy of an open session; it appears only when complete.  Raises SessionError."""
    with (
        reporting_files(path),
        put_in_place(path, overwrite=overwrite) as new,
        explaining_sqlite(path, new=True),
        closing(_connected_to_new(new)) as copy,
    ):
        source.backup(copy)


def _connected_to_new(path: Path) -> sqlite3.Connection:
    """A connection to a file that is deleted if anything goes wrong."""
    connection = connected(path, "rw")
    connection.execute("PRAGMA journal_mode = MEMORY")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


class Writable:
    """A checked connection that can write; it undoes what a killed writer left half done."""

    def __init__(self, path: Path, patience: Seconds) -> None:
        check_path(path)
        with explaining_sqlite(path, patience):
            self._connection = connected(path, "rw", patience)
            try:
                self._prepare(path)
            except BaseException:
                self.close()
                raise

    def _prepare(self, path: Path) -> None:
        connection = self._connection
        # One transaction: rows that another writer adds between two queries are not damage.
        connection.execute("BEGIN")
        try:
            check(connection, path)
            if (version := format_of(connection)) > FORMAT_VERSION:
                raise not_to_be_changed(path, version)
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        # Also turns a session that someone switched to WAL back into one file.
        connection.execute("PRAGMA journal_mode = DELETE")
        # FULL syncs data and journal; EXTRA also the folder after the journal is removed,
        # without which a power failure could bring the journal back and undo the trial.
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("PRAGMA foreign_keys = ON")
        # Where the file may not be written this fails here, and not after the first trial.
        connection.execute("BEGIN IMMEDIATE")
        if _with_journals(path)[1].exists():
            # A writer was killed before its journal mattered; the next change removes it.
            connection.execute(f"PRAGMA user_version = {format_of(connection)}")
            connection.execute("COMMIT")
        else:
            connection.execute("ROLLBACK")

    def begin_writing(self) -> sqlite3.Connection:
        """The connection in a transaction that keeps other writers out."""
        self._connection.execute("BEGIN IMMEDIATE")
        return self._connection

    def begin_reading(self) -> sqlite3.Connection:
        """The connection in a transaction that sees one state."""
        self._connection.execute("BEGIN")
        return self._connection

    def close(self) -> None:
        self._connection.close()


class ReadOnly:
    """A connection that never changes the file, nor anything beside it.

    Undoing what a killed writer left half done would change the file, so a private copy is read
    instead, until the file changes again.
    """

    def __init__(self, path: Path, patience: Seconds, *, checked: bool = True) -> None:
        check_path(path)
        self._path, self._patience, self._checked = path, patience, checked
        self._copy: PrivateCopy | None = None
        self._copied_at: object = None
        try:
            with explaining_sqlite(path, patience):
                self._connection = self._connect()
        except BaseException:
            self._remove_copy()
            raise

    def begin_reading(self) -> sqlite3.Connection:
        """The connection in a transaction that sees one state; raises what `UNREADABLE` lists."""
        if self._copied_at not in (None, _states(self._path)):
            self._reconnect()
        try:
            _begin(self._connection)
        except sqlite3.Error as error:
            if code_of(error) not in _NEEDS_WRITING:
                raise
            self._reconnect()
            _begin(self._connection)
        return self._connection

    def begin_writing(self) -> sqlite3.Connection:
        """Refused."""
        if (version := format_of(self._connection)) > FORMAT_VERSION:
            raise not_to_be_changed(self._path, version)
        raise SessionError(
            tr("{path} was opened to read", path=self._path), tr("open it with Session.open")
        )

    def close(self) -> None:
        self._connection.close()
        self._remove_copy()

    def _remove_copy(self) -> None:
        if self._copy is not None:
            self._copy.close()

    def _reconnect(self) -> None:
        self._connection.close()
        self._connection = self._connect()

    def _connect(self) -> sqlite3.Connection:
        self._copied_at = None
        try:
            return self._checked_connection(self._path, "ro")
        except sqlite3.Error as error:
            if code_of(error) not in _NEEDS_WRITING:
                raise
        if self._copy is None:
            self._copy = PrivateCopy(self._path)
        self._copied_at = copy_at_rest(self._path, self._copy.path)
        return self._checked_connection(self._copy.path, "rw")

    def _checked_connection(self, file: Path, mode: str) -> sqlite3.Connection:
        connection = connected(file, mode, self._patience)
        try:
            _begin(connection)
            if self._checked:
                check(connection, self._path)
            connection.execute("ROLLBACK")
        except BaseException:
            connection.close()
            raise
        return connection


def _begin(connection: sqlite3.Connection) -> None:
    """Begin to read; reading the format fails on what a killed writer left."""
    connection.execute("BEGIN")
    try:
        format_of(connection)
    except sqlite3.Error:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Check for a whole session; raises as `explaining_sqlite` expects.

    One of a newer format is whole if it has all that this one knows.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise SessionError(tr("{path} is an SQLite file, but not a session", path=path))
    version = format_of(connection)
    if version in BEFORE_RELEASE:
        raise too_old(path)
    if version < FORMAT_VERSION:
        raise damaged(path, f"there is no format {version}")
    complaint = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if complaint != ("ok",):
        raise damaged(path, str(complaint[0]).splitlines()[-1] if complaint else "unreadable")
    if not is_as_created(connection):
        if version > FORMAT_VERSION:
            raise too_new(path)
        raise damaged(path, "its tables are not as they were created")
    Reader(connection).check()


def newest_first(folder: Path) -> list[tuple[Path, os.stat_result]]:
    """The sessions in a folder, by when their last run began: copies have other times of files.

    Of two that are as old the names decide, which contain the time.  One that cannot be read, or
    has no run yet, counts by the time of its file.
    """
    sessions = []
    with suppress(OSError):  # a folder that is not there yet holds none
        for path in folder.glob("*.sluice"):
            with suppress(OSError):  # moved away meanwhile
                about = path.stat()
                sessions.append((_last_began(path) or about.st_mtime, path.name, path, about))
    sessions.sort(key=lambda one: one[:2], reverse=True)
    return [(path, about) for *_, path, about in sessions]


_HARDLY: Seconds = 0.2
"""To wait for a session that is being written: it is not looked into then."""


def _last_began(path: Path) -> float:
    """When the last run of a session began, seconds since 1970, UTC; 0 where that is not known."""
    with (
        suppress(SessionError, sqlite3.Error),
        closing(ReadOnly(path, _HARDLY, checked=False)) as file,
    ):
        (began,) = file.begin_reading().execute("SELECT MAX(started) FROM runs").fetchone()
        if isinstance(began, int | float):
            return float(began)
    return 0.0


def check_path(path: Path) -> None:
    """Check a path without opening it; raises SessionError.

    The file must not be opened here: closing it would drop the locks that SQLite holds on it
    for this process's other connections (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    try:
        status = path.stat()
    except FileNotFoundError as error:
        raise SessionError(tr("{path} does not exist", path=path)) from error
    except (OSError, ValueError) as error:
        cause = reason(error) if isinstance(error, OSError) else error
        raise SessionError(tr("{path} cannot be opened: {why}", path=path, why=cause)) from error
    remedy = tr("name a .sluice file")
    if path.is_dir():
        raise SessionError(tr("{path} is a folder, not a session", path=path), remedy)
    if not path.is_file():
        raise SessionError(tr("{path} is not a regular file", path=path), remedy)
    if status.st_size == 0:
        remedy = tr("delete it, or choose another name")
        raise SessionError(tr("{path} is empty", path=path), remedy)
    if status.st_size < _HEADER:  # SQLite takes a single byte for an empty database
        raise SessionError(tr("{path} is not a session: it is no SQLite file", path=path))


def connected(path: Path, mode: str, patience: Seconds = 0) -> sqlite3.Connection:
    """A connection as it is, unchecked; `mode` as in SQLite's URIs; raises sqlite3.Error."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
    )
    # A session can come from anyone: its schema must not call functions, its pages are checked.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


class PrivateCopy:
    """The place of a copy of a session, in a folder of its own that is removed with it.

    Unlike `tempfile.TemporaryDirectory` it is also removed where no descriptor is left.
    """

    def __init__(self, path: Path) -> None:
        """Make the folder; raises SessionError."""
        try:
            folder = tempfile.mkdtemp(prefix="sluice-")
        except OSError as error:
            raise _unopened(path, error) from error
        self.path = Path(folder, path.name)
        self.close = weakref.finalize(self, _remove, self.path)


def _remove(copy: Path) -> None:
    with suppress(OSError):
        for file in _with_journals(copy):
            file.unlink(missing_ok=True)
        copy.parent.rmdir()


def _unopened(path: Path, error: OSError) -> SessionError:
    kind = SessionNotKept if is_trouble(error) else SessionError
    return kind(tr("{path} cannot be opened: {why}", path=path, why=reason(error)))


def copy_at_rest(path: Path, copy: Path) -> object:
    """Copy a session and its journal in one consistent state, which is returned."""
    for _ in range(5):
        before = _states(path)
        try:
            for beside in _with_journals(path):
                to = copy.with_name(beside.name)
                to.unlink(missing_ok=True)
                if beside.exists():
                    shutil.copyfile(beside, to)
        except OSError as error:
            raise _unopened(path, error) from error
        if before == _states(path):
            return before
    raise SessionError(tr("{path} changes while it is read", path=path), tr("try again"))


def _with_journals(path: Path) -> list[Path]:
    return [path, *(path.with_name(path.name + end) for end in ("-journal", "-wal"))]


def _states(path: Path) -> object:
    """Sizes and times of a session and its journals."""
    states: list[tuple[int, int] | None] = []
    for file in _with_journals(path):
        try:
            status = file.stat()
        except OSError:
            states.append(None)
        else:
            states.append((status.st_size, status.st_mtime_ns))
    return states
