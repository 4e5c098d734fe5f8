"""Tiles in an MBTiles file, which is a database of SQLite; its rows count from the south.

Each thread has a connection of its own.  A file that nobody writes is opened as immutable, so that
no lock is asked for.  It is written in one transaction, and committed for each operation where that
is what is measured.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import override
from urllib.parse import quote

import msgspec

from core import DatasetError, SluiceError, content_of, reading, tr
from workloads.tiles.stores.layout import FileLayout
from workloads.tiles.stores.store import Opening
from workloads.tiles.stores.tile_grid import damaged, require_few, require_in_grid
from workloads.tiles.tile_keys import GridPlace

_MAGIC = b"SQLite format 3\0"
_COLUMNS = "zoom_level, tile_column, tile_row"
_SELECT = "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS metadata (name TEXT, value TEXT);
CREATE TABLE IF NOT EXISTS tiles
    (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
CREATE UNIQUE INDEX IF NOT EXISTS tile_index ON tiles (zoom_level, tile_column, tile_row);
CREATE UNIQUE INDEX IF NOT EXISTS name ON metadata (name);
"""
_LONGEST_WAIT = 60.0
"""Seconds for which another process may write."""
_TEXTS = frozenset(("name", "format", "bounds", "center", "minzoom", "maxzoom", "attribution"))
"""Of the metadata; TileJSON has some of them as numbers or lists."""


_NAMED = {"mvt": "pbf", "jpeg": "jpg"}
"""Formats that the specification calls otherwise than files do."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that reads and asks for no lock, for any thread; raises sqlite3.Error."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    return sqlite3.connect(address, uri=True, check_same_thread=False)


def require_tiles(path: Path) -> None:
    """Raise DatasetError for a file that is no MBTiles, or that somebody is writing."""
    with reading(path):
        if not path.stat().st_size:
            raise damaged(path, tr("it is empty"))
        if content_of(path, len(_MAGIC)) != _MAGIC:
            raise damaged(path, tr("it is no database of SQLite"))
    for end in ("-wal", "-journal"):
        beside = path.with_name(path.name + end)
        if beside.exists() and beside.stat().st_size:
            raise DatasetError(
                tr(
                    "{path} is not written to its end: {beside} has more of it",
                    path=path,
                    beside=beside,
                ),
                tr("close the program that writes it, or open and close it once with sqlite3"),
            )
    try:
        with closing(connect(path)) as connection:
            connection.execute(f"SELECT {_COLUMNS}, tile_data FROM tiles LIMIT 1").fetchone()
    except sqlite3.OperationalError as error:  # such as no such table, or column
        raise DatasetError(
            tr("{path} is no MBTiles: {why}", path=path, why=error),
            tr("give a file with a table or view tiles ({columns}, tile_data)", columns=_COLUMNS),
        ) from error
    except sqlite3.Error as error:
        raise damaged(path, error) from error


def count_tiles(path: Path) -> int:
    """How many tiles a file has; raises DatasetError."""
    try:
        with closing(connect(path)) as connection:
            (count,) = connection.execute("SELECT count(*) FROM tiles").fetchone()
            return int(count)
    except sqlite3.Error as error:
        raise damaged(path, error) from error


class MbtilesStore(FileLayout):
    """One SELECT by place for each tile: several are read one after the other."""

    suffix = ".mbtiles"
    failures = (OSError, sqlite3.Error)

    def __init__(self, opening: Opening) -> None:
        super().__init__(opening)
        self._format = opening.format
        self._asked: dict[int, tuple[int, int, int]] = {}
        self._lock = threading.Lock()
        self._here = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._writer: sqlite3.Connection | None = None
        if opening.as_it_is:
            require_tiles(self._path)

    def _reader(self) -> sqlite3.Connection | None:
        """A connection of this thread; None where there is no file."""
        if not self._path.exists():
            return None
        connection = connect(self._path)
        self._opened.append(connection)
        self._here.connection = connection
        return connection

    @override
    def get(self, key: int) -> bytes | None:
        connection = getattr(self._here, "connection", None) or self._reader()
        if connection is None:
            return None
        row_key = self._asked.get(key) or self._row(key)
        row = connection.execute(_SELECT, row_key).fetchone()
        return row[0] if row else None

    @override
    def getter(self) -> Callable[[int], bytes | None]:
        connection, rows = self._reader(), self._asked
        if connection is None:
            return self.get
        execute = connection.execute

        def get(key: int) -> bytes | None:
            row = execute(_SELECT, rows[key]).fetchone()
            return row[0] if row else None

        return get

    def _row(self, key: int) -> tuple[int, int, int]:
        """Where a tile is, as the columns of the table have it."""
        place = self.place(key)
        return place.zoom, place.column, place.south

    @override
    def prepare(self, keys: Iterable[int]) -> None:
        self._asked = {key: self._row(key) for key in keys}

    @override
    def keys(self) -> Iterable[int]:
        if not self._path.exists():
            return []
        require_few(self._path, self.count())
        return [place.key - self._before for place, _ in self._rows(_COLUMNS)]

    @override
    def scan(self) -> Iterator[tuple[GridPlace, bytes]]:
        require_few(self._path, self.count())
        for place, (tile,) in self._rows(f"{_COLUMNS}, tile_data"):
            if not isinstance(tile, bytes):
                raise damaged(self._path, tr("tile {place} has no bytes", place=place))
            yield place, tile

    def _rows(self, columns: str) -> Iterator[tuple[GridPlace, Sequence[object]]]:
        """All rows, as they lie in the file; raises DatasetError."""
        try:
            with closing(connect(self._path)) as connection:
                for zoom, column, south, *others in connection.execute(
                    f"SELECT {columns} FROM tiles"
                ):
                    yield self._placed(zoom, column, south), others
        except sqlite3.Error as error:
            raise damaged(self._path, error) from error

    def _placed(self, zoom: object, column: object, south: object) -> GridPlace:
        written = GridPlace(zoom, column, south)  # type: ignore[arg-type]  # is seen to
        require_in_grid(self._path, written)
        return written._replace(row=written.south)

    @override
    def count(self) -> int:
        return count_tiles(self._path)

    @override
    def put_many(self, objects: Sequence[tuple[int, bytes]]) -> None:
        rows = [(*self._row(key), value) for key, value in objects]
        with self._lock:
            self._written().executemany("INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?)", rows)

    def _written(self) -> sqlite3.Connection:
        """The connection that writes, in a transaction."""
        if self._writer is None:
            self._writer = sqlite3.connect(
                self._path, timeout=_LONGEST_WAIT, check_same_thread=False
            )
            self._writer.executescript(_SCHEMA)
        return self._writer

    @override
    def put_now(self, objects: Sequence[tuple[int, bytes]]) -> None:
        self.put_many(objects)
        with self._lock:
            self._written().commit()
            self._here = threading.local()  # what reads has seen the file as it was

    @override
    def finish(self) -> None:
        with self._lock:
            if self._writer is None:
                return
            zooms = self._writer.execute("SELECT min(zoom_level), max(zoom_level) FROM tiles")
            least, most = zooms.fetchone()
            if least is not None:
                self._note({"minzoom": least, "maxzoom": most})
            metadata = dict(self._writer.execute("SELECT name, value FROM metadata"))
            self._note(
                {
                    "name": metadata.get("name", self._path.stem),
                    "format": metadata.get("format", _NAMED.get(self._format, self._format)),
                }
            )
            self._writer.commit()
            self._writer.close()
            self._writer = None
            self._here = threading.local()

    def _note(self, metadata: Mapping[str, object]) -> None:
        self._written().executemany(
            "INSERT OR REPLACE INTO metadata VALUES (?, ?)",
            [(name, str(value)) for name, value in metadata.items()],
        )

    @override
    def description(self) -> Mapping[str, object]:
        """The metadata; what its row `json` has stands beside the others, as in PMTiles."""
        try:
            with closing(connect(self._path)) as connection:
                rows = dict(connection.execute("SELECT name, value FROM metadata"))
        except (sqlite3.Error, ValueError):
            return {}
        try:
            more = msgspec.json.decode(rows.pop("json", "{}"), type=dict)
        except (msgspec.DecodeError, TypeError):
            more = {}
        return {str(name): value for name, value in (rows | more).items() if value is not None}

    @override
    def describe(self, description: Mapping[str, object]) -> None:
        """Texts are rows; the others are one, in JSON."""
        texts = {
            name: ",".join(map(str, value)) if isinstance(value, list) else value
            for name, value in description.items()
            if isinstance(value, str) or name in _TEXTS
        }
        others = {name: value for name, value in description.items() if name not in texts}
        with self._lock:
            self._note(texts | ({"json": msgspec.json.encode(others).decode()} if others else {}))

    @override
    def remove(self) -> int:
        with self._lock:
            self._end_writing()
            self._here = threading.local()
            try:
                return super().remove()
            except SluiceError:  # half written, so that nobody can count its tiles
                self._path.unlink(missing_ok=True)
                return 1

    def _end_writing(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    @override
    def close(self) -> None:
        self._end_writing()
        for connection in self._opened:
            connection.close()
