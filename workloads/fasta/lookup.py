"""SeqRepo's two SQLite files: from an alias to a sequence, and from a sequence to its file.

Opened read-only and immutable, so that SQLite takes no locks and writes no journal beside
the data.  A connection belongs to the thread that opened it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from core import DatasetError, tr

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
            raise DatasetError(
                tr("{path} cannot be opened: {why}", path=path, why=error)
            ) from error
        raise DatasetError(
            tr("{path} is damaged: {why}", path=path, why=error), tr("fetch the snapshot again")
        ) from error


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
            found = seq_ids.execute(SEQUENCE_OF_ALIAS, (namespace, alias)).fetchall()
            if len(found) != 1:
                raise KeyError(f"{namespace}:{alias}")
            seq_id = found[0][0]
            row = relpaths.execute(_RELPATH, (seq_id,)).fetchone()
            if row is None:
                raise KeyError(seq_id)
            return seq_id, row[0]

        yield look_up


def _connect(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True)
