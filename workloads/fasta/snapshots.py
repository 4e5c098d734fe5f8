"""SeqRepo snapshots: which are readable, what is wrong with others, and their two SQLite files.

The files lead from an alias to a sequence, and from a sequence to its file.  They are opened
read-only and immutable, so that SQLite takes no locks and writes no journal beside the data.  A
connection belongs to the thread that opened it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from reprlib import repr as brief
from typing import Any
from urllib.parse import quote

from core import DatasetError, content_of, tr

ALIASES = "aliases.sqlite3"
SEQUENCES = "sequences"
SEQUENCE_INFO = "sequences/db.sqlite3"
SEQUENCE_OF_ALIAS = (
    "select distinct seq_id from seqalias where namespace = ? and alias = ? and is_current = 1"
)
PLACE_OF_SEQUENCE = "select relpath, len from seqinfo where seq_id = ? order by added desc"
_RELPATH = "select relpath from seqinfo where seq_id = ? order by added desc"


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write; raises DatasetError where the database is damaged."""
    for suffix in ("-journal", "-wal"):
        pending = path.with_name(path.name + suffix)
        if pending.exists() and pending.stat().st_size:
            raise DatasetError(
                tr("{path} is being written, or its writer was killed", path=path),
                tr("wait for the writer, or open the snapshot once with SeqRepo to recover it"),
            )
    try:
        with closing(_connect(path)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_CANTOPEN:
            cause = tr("{path} cannot be opened: {why}", path=path, why=error)
            raise DatasetError(cause) from error
        raise broken(tr("{path} is damaged: {why}", path=path, why=error)) from error


def broken(cause: str) -> DatasetError:
    """The error for a snapshot that is not as it was published."""
    return DatasetError(cause, tr("fetch the snapshot again"))


@contextmanager
def looking_up(root: Path) -> Iterator[Callable[[str, str], tuple[str, str]]]:
    """A look-up (namespace, alias) → (sequence id, file), as SeqRepo does it, for one thread.

    It raises KeyError for an alias that no sequence or more than one has.
    """
    with (
        closing(_connect(root / ALIASES)) as aliases,
        closing(_connect(root / SEQUENCE_INFO)) as sequences,
    ):
        seq_ids = aliases.cursor()
        relpaths = sequences.cursor()

        def look_up(namespace: str, alias: str) -> tuple[str, str]:
            matches = seq_ids.execute(SEQUENCE_OF_ALIAS, (namespace, alias)).fetchall()
            if len(matches) != 1:
                raise KeyError(f"{namespace}:{alias}")
            seq_id = matches[0][0]
            row = relpaths.execute(_RELPATH, (seq_id,)).fetchone()
            if row is None:
                raise KeyError(seq_id)
            return seq_id, row[0]

        yield look_up


def _connect(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True)


_SQLITE_MAGIC = b"SQLite format 3\0"
# SQLite stores values of any type in a column, no matter how it is declared.
_SOUND = (
    "typeof(seq_id) = 'text' and typeof(relpath) = 'text' and typeof(len) = 'integer' and len >= 0"
)
_FILES = f"select distinct relpath, {_SOUND} from seqinfo"
_UNSOUND_SEQUENCE = f"select rowid, seq_id, len, relpath from seqinfo where not ({_SOUND}) limit 1"
_UNSOUND_ALIAS = """
select rowid, namespace, alias, seq_id from seqalias where typeof(namespace) != 'text'
or typeof(alias) != 'text' or typeof(seq_id) != 'text' limit 1
"""


def resembles_snapshot(folder: Path) -> bool:
    """Whether a folder has one of SeqRepo's two databases, or something else in its place."""
    return any(os.path.lexists(folder / name) for name in (ALIASES, SEQUENCE_INFO))


def snapshots_in(folder: Path) -> list[Path]:
    """The folders in a folder that resemble snapshots, sorted."""
    return sorted(one for one in folder.iterdir() if one.is_dir() and resembles_snapshot(one))


def require_snapshot(folder: Path) -> None:
    """Raise DatasetError, saying what is wrong, unless a folder has both databases."""
    if not resembles_snapshot(folder) and (inside := snapshots_in(folder)):
        raise DatasetError(
            tr("{path} holds SeqRepo snapshots but is not one itself", path=folder),
            tr("name one, such as {name}", name=inside[-1]),
        )
    for name in (ALIASES, SEQUENCE_INFO):
        if what := _instead_of_database(folder / name):
            raise broken(what)


def require_no_snapshot(folder: Path) -> None:
    """Raise DatasetError where a snapshot is somewhere below a folder of other files."""
    for below, folders, _ in os.walk(folder):
        folders.sort()
        if resembles_snapshot(Path(below)):
            where = {"path": folder, "inside": below}
            cause = tr(
                "{path} holds the SeqRepo snapshot {inside}, which is no mere folder of files",
                **where,
            )
            raise DatasetError(cause, tr("name that, or a folder without it"))


def _instead_of_database(path: Path) -> str:
    """What is wrong with a database; empty where it begins as one."""
    folder, name = path.parent, path.name
    if name == Path(SEQUENCE_INFO).name:
        folder, name = path.parent.parent, SEQUENCE_INFO
    if not os.path.lexists(path):
        return tr("{path} is a SeqRepo snapshot without {name}", path=folder, name=name)
    try:
        head = content_of(path, len(_SQLITE_MAGIC))
    except OSError as error:  # such as a folder in its place, or a link to nowhere
        return tr("{path} cannot be read: {why}", path=path, why=error.strerror)
    if head != _SQLITE_MAGIC:
        return tr("{path} is not an SQLite database", path=path)
    return ""


def require_sound_aliases(root: Path) -> None:
    """Raise DatasetError where the database of aliases holds impossible values."""
    with connected(root / ALIASES) as aliases:
        row = aliases.execute(_UNSOUND_ALIAS).fetchone()
    if row is not None:
        raise _unsound(root / ALIASES, "seqalias", ("namespace", "alias", "seq_id"), row)


def _unsound(
    path: Path, table: str, columns: tuple[str, ...], row: tuple[Any, ...]
) -> DatasetError:
    """The error for a row, of which its number comes first."""
    number, *values = row
    listed = ", ".join(f"{name} {brief(one)}" for name, one in zip(columns, values, strict=True))
    where = {"path": path, "row": number, "table": table}
    return broken(
        tr("{path} is damaged: row {row:,} of {table} has {values}", **where, values=listed)
    )


def snapshot_files(root: Path) -> dict[str, Path]:
    """The sequence files of a snapshot by the names its database gives them.

    Raises DatasetError where one is missing or named outside the snapshot, and where the database
    holds impossible values.
    """
    with connected(root / SEQUENCE_INFO) as info:
        names = info.execute(_FILES).fetchall()
        if not all(sound for _, sound in names):
            row = info.execute(_UNSOUND_SEQUENCE).fetchone()
            raise _unsound(root / SEQUENCE_INFO, "seqinfo", ("seq_id", "len", "relpath"), row)
    files = {name: root / SEQUENCES / name for name, _ in sorted(names)}
    for name, file in files.items():
        if Path(name).is_absolute() or ".." in Path(name).parts or "\0" in name:
            raise DatasetError(
                tr("{path} names a file outside of itself: {name}", path=root, name=name),
                tr("do not trust it"),
            )
        if not os.path.isfile(file):  # noqa: PTH113 - a name can be longer than pathlib bears
            raise DatasetError(
                tr("{path} is incomplete: {name} is missing", path=root, name=file),
                tr("finish fetching the snapshot"),
            )
    return files


def sequences_by_file(root: Path) -> dict[str, int]:
    """How many sequences each file of a snapshot holds, as its database has it."""
    with connected(root / SEQUENCE_INFO) as info:
        return dict(info.execute("select relpath, count(*) from seqinfo group by relpath"))
