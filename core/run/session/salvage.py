"""Copies what can still be read of a damaged session into a new one.

A row that cannot be read, whose checksum fails, or whose values no run has, is left out; every
other is copied unchanged.  Tables are read from both ends, and the rows between are looked up one
by one.  What is copied is read as a whole before it gets its name.
"""

from __future__ import annotations

import itertools
import sqlite3
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from core.language import SessionError, sluice_version, tr
from core.run.session.connections import (
    PrivateCopy,
    check_path,
    connected,
    copy_at_rest,
    create_file,
)
from core.run.session.failures import UNREADABLE
from core.run.session.rows import (
    Reader,
    columns_of,
    decoded,
    file_system_in,
    insert,
    moment_in,
    sealed,
    spec_in,
    trial_in,
    trials_of,
)
from core.run.session.schema import FORMAT_VERSION, TALLIED
from core.vocabulary import Environment, Load, Plan, Trial, check_trial

type _Row = tuple[Any, ...]

_KEYS = {
    "meta": "key",
    "environments": "digest",
    "specs": "digest",
    "runs": "run",
    "run_specs": "run, place",
    "file_systems": "run, location",
    "trials": "trial",
    "endings": "ending",
    "notes": "note",
}
"""Every table, after those it refers to."""

_PAGE = 4096
_FURTHER = 1000  # trials looked for beyond the last that is known of
_LEAST_ROW = 40  # bytes that a trial's row takes at least


class Salvage(msgspec.Struct, frozen=True, kw_only=True):
    place: Path
    """The new session."""
    runs: int
    trials: int
    whole: bool
    """Whether nothing was lost."""

    @property
    def sentence(self) -> str:
        summary = tr(
            "saved: {runs}, {trials}",
            runs=tr("1 run", "{count:,} runs", count=self.runs),
            trials=tr("1 trial", "{count:,} trials", count=self.trials),
        )
        return f"{summary}; {tr('nothing is lost') if self.whole else tr('the rest is lost')}"


def _free_name(path: Path) -> Path:
    """A name beside the session that is free."""
    for number in itertools.count(1):
        end = "" if number == 1 else f" {number}"
        place = path.with_name(f"{path.stem} salvaged{end}.sluice")
        if not place.exists():
            return place
    raise AssertionError("unreachable: numbers do not end")


def salvage(path: Path, to: Path | None = None) -> Salvage:
    """Copy everything readable of a session into a new one; the old is not changed.

    The new one is beside the old unless `to` says where.

    Raises SessionError where nothing can be read, or the new one cannot be written.
    """
    check_path(path)
    tables, undamaged = _readable(path)
    counts: dict[str, int] = {}
    of_file = _meta_of(path, tables["meta"])

    def fill(new: sqlite3.Connection) -> None:
        for row in of_file:
            insert(new, "meta", row)
        for table in TALLIED:
            counts[table] = sum(_inserted(new, table, row) for row in tables[table])
        try:
            _read_all(Reader(new))
        except (*UNREADABLE, SessionError) as error:
            raise SessionError(
                tr("what is left of {path} is no session: {why}", path=path, why=error)
            ) from error

    place = to or _free_name(path)
    create_file(place, fill)
    whole = (
        undamaged
        and of_file == tables["meta"]
        and all(counts[table] == len(tables[table]) for table in TALLIED)
    )
    return Salvage(place=place, runs=counts["runs"], trials=counts["trials"], whole=whole)


def _readable(path: Path) -> tuple[Mapping[str, list[_Row]], bool]:
    """The rows of each table that can be read, and whether these are all; raises SessionError."""
    with closing(PrivateCopy(path)) as private:
        copy = private.path
        copy_at_rest(path, copy)
        for attempt in (False, True):
            if attempt:
                _mend_header(copy)
            with closing(connected(copy, "rw")) as source:
                tables = _Tables(source, copy.stat().st_size // _LEAST_ROW)
                rows = {table: tables.rows(table) for table in _KEYS}
            if rows["runs"]:
                return rows, tables.whole
    raise SessionError(tr("nothing of {path} can be read as a session", path=path))


def _meta_of(path: Path, readable: Sequence[_Row]) -> list[_Row]:
    """The rows of `meta`; what is lost of them is replaced by what is known of the file."""
    lost = {"title": "", "sluice": sluice_version(), "created": repr(path.stat().st_mtime)}
    rows = {key: sealed(key, value) for key, value in lost.items()}
    return [row for _, row in sorted((rows | {row[0]: row for row in readable}).items())]


def _read_all(reader: Reader) -> None:
    """Read everything as a session is read; raises what that can raise."""
    for key in ("title", "sluice"):
        reader.meta(key)
    moment_in(reader.meta("created"))
    reader.notes()
    for number in reader.run_ids():
        reader.known_run(number)
        for trial in trials_of(reader.trial_rows(number), reader.specs(number)):
            _unpack_within(trial)


def _unpack_within(trial: Trial) -> None:
    """Unpack what is unpacked only when it is asked for; raises SessionError."""
    len(trial.turns)
    for _ in trial.moments:
        pass


def _inserted(new: sqlite3.Connection, table: str, row: _Row) -> bool:
    try:
        insert(new, table, row)
    except sqlite3.IntegrityError:  # what it belongs to is lost
        return False
    return True


class _Tables:
    def __init__(self, source: sqlite3.Connection, most: int) -> None:
        """`most`: trials that the file can hold; their numbers can be anything."""
        self._source = source
        self._most = most
        self._found: dict[str, list[_Row]] = {}
        self._loads: dict[str, Load] = {}
        self.whole = False
        with suppress(*UNREADABLE):
            Reader(source).check()
            self.whole = source.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)]

    def rows(self, table: str) -> list[_Row]:
        width = len(_KEYS[table].split(", "))
        by_key = {row[:width]: row for row in self._scan(table, _KEYS[table])}
        if not self.whole:
            by_key |= {row[:width]: row for row in self._looked_up(table)}
        self._found[table] = [by_key[key] for key in sorted(by_key)]
        return self._found[table]

    def _scan(self, table: str, order: str) -> Iterator[_Row]:
        """Forwards up to the damage and, where that is not the end, backwards."""
        query = f"SELECT * FROM {table} ORDER BY {order}"
        with suppress(*UNREADABLE):
            for row in self._source.execute(query):
                yield from self._intact(table, row)
            return
        self.whole = False
        with suppress(*UNREADABLE):
            for row in self._source.execute(query.replace(",", " DESC,") + " DESC"):
                yield from self._intact(table, row)

    def _intact(self, table: str, row: _Row) -> Iterator[_Row]:
        try:
            self._try_row(table, columns_of(table, row))
        except (*UNREADABLE, SessionError):
            self.whole = False
        else:
            yield row

    def _try_row(self, table: str, row: _Row) -> None:
        """Read an unsealed row; raises what that can raise."""
        match table:
            case "environments":
                decoded(row[1], Environment)
            case "specs":
                self._loads[row[0]] = spec_in(row[2]).load
            case "runs":
                decoded(row[3], Plan)
                decoded(row[4], tuple[str, ...])
            case "file_systems":
                file_system_in(row[2])
            case "trials":
                trial = trial_in(row)
                if row[5] in self._loads:  # or else it is left out in any case
                    check_trial(trial, self._loads[row[5]])
                _unpack_within(trial)
            case "meta" if row[0] == "created":
                moment_in(row[1])

    def _looked_up(self, table: str) -> Iterator[_Row]:
        keys: dict[str, Callable[[], Iterator[Sequence[object]]]] = {
            "environments": lambda: ((run[2],) for run in self._runs_as_read()),
            "specs": lambda: ((row[2],) for row in self._scan("run_specs", "run, place")),
            "runs": lambda: ((run,) for run in range(1, _FURTHER)),
            "run_specs": self._spec_keys,
            "trials": self._trial_keys,
        }
        if table not in keys:
            return
        columns = _KEYS[table].split(", ")
        query = f"SELECT * FROM {table} WHERE {' AND '.join(f'{name} = ?' for name in columns)}"
        for key in keys[table]():
            with suppress(*UNREADABLE):
                row = self._source.execute(query, key).fetchone()
                if row is not None:
                    yield from self._intact(table, row)

    def _runs_as_read(self) -> Iterator[_Row]:
        yield from self._scan("runs", "run")
        yield from self._looked_up("runs")

    def _spec_keys(self) -> Iterator[Sequence[object]]:
        for run in self._found["runs"]:
            yield from ((run[0], place) for place in range(_FURTHER))

    def _trial_keys(self) -> Iterator[Sequence[object]]:
        last = max((row[0] for row in self._scan("trials", "trial")), default=0)
        return ((number,) for number in range(1, min(last, self._most) + _FURTHER))


def _mend_header(copy: Path) -> None:
    """Restore the parts of the header that every session shares, and the file's real size.

    SQLite refuses a truncated file as a whole, because its header names more pages.
    """
    size = copy.stat().st_size
    pages = -(-size // _PAGE)
    with copy.open("r+b") as file:
        counter = file.read(28)[24:].ljust(4, b"\0")
        file.seek(0)
        # https://sqlite.org/fileformat.html, 1.3: page size, rollback journal, no reserved
        # bytes, the payload fractions, which are fixed.
        file.write(b"SQLite format 3\0" + struct.pack(">HBBBBBB", _PAGE, 1, 1, 0, 64, 32, 32))
        file.seek(28)
        file.write(struct.pack(">III", pages, 0, 0))  # pages, none of them free
        file.seek(44)
        file.write(struct.pack(">IIIIII", 4, 0, 0, 1, FORMAT_VERSION, 0))  # 1 = UTF-8
        file.seek(92)
        file.write(counter)
        file.truncate(pages * _PAGE)
