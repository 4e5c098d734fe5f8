"""What stands in a session, for tests of what must not stand there."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path


def in_session(path: Path) -> str:
    """Everything in a session: each value of each table, decompressed where it is compressed."""
    found: list[str] = []
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (table,) in tables.fetchall():
            for row in connection.execute(f"SELECT * FROM {table}"):
                found += map(as_text, row)
    return "\n".join([*found, path.read_bytes().decode("latin-1")])


def as_text(value: object) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        return zlib.decompressobj().decompress(value).decode("utf-8", "replace")
    except zlib.error:
        return value.decode("latin-1")
