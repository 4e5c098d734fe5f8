"""The tables of a session, and the version of its format."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache

from core.language import LONGEST_NAME, MOST_CORES, MOST_PLACES, MOST_WORKERS
from core.vocabulary import MOST_COUNTED, MOST_MOMENTS, MOST_OF_A_HANDFUL, MOST_TRIALS, MOST_TURNS

APPLICATION_ID = 0x534C4345  # "SLCE", at byte 68 of the file; `file` and SQLite show it

FORMAT_VERSION = 100
"""A hundred times 1.0.  What only adds to it is 101; what this Sluice would misread is 200."""
BEFORE_RELEASE = range(1, 4)
"""Formats that checkouts wrote before there was a release."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, seal INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE tallies (
    name TEXT PRIMARY KEY, rows INTEGER NOT NULL, seal INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE environments (
    digest TEXT PRIMARY KEY, body TEXT NOT NULL, seal INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE specs (
    digest TEXT PRIMARY KEY, workload TEXT NOT NULL, body TEXT NOT NULL, seal INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    started REAL NOT NULL,
    environment TEXT NOT NULL REFERENCES environments,
    plan TEXT NOT NULL,
    command TEXT NOT NULL,
    seal INTEGER NOT NULL
);
CREATE TABLE run_specs (
    run INTEGER NOT NULL REFERENCES runs,
    place INTEGER NOT NULL,
    spec TEXT NOT NULL REFERENCES specs,
    seal INTEGER NOT NULL,
    PRIMARY KEY (run, place),
    UNIQUE (run, spec)
) WITHOUT ROWID;
CREATE TABLE file_systems (
    run INTEGER NOT NULL REFERENCES runs,
    location TEXT NOT NULL,
    body TEXT NOT NULL,
    seal INTEGER NOT NULL,
    PRIMARY KEY (run, location)
) WITHOUT ROWID;
CREATE TABLE trials (
    trial INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    position INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    block INTEGER NOT NULL,
    spec TEXT NOT NULL,
    started REAL NOT NULL,
    outcome TEXT NOT NULL,
    throughput REAL,
    errors INTEGER NOT NULL,
    wrong INTEGER NOT NULL,
    body BLOB NOT NULL,
    seal INTEGER NOT NULL,
    UNIQUE (run, position, attempt),
    FOREIGN KEY (run, spec) REFERENCES run_specs (run, spec)
);
CREATE TABLE endings (
    ending INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs,
    ended REAL NOT NULL,
    how TEXT NOT NULL,
    trials INTEGER NOT NULL,
    seal INTEGER NOT NULL
);
CREATE TABLE notes (
    note INTEGER PRIMARY KEY,
    written REAL NOT NULL,
    run INTEGER REFERENCES runs,
    text TEXT NOT NULL,
    seal INTEGER NOT NULL
);
"""
"""`seal` is a checksum of the row's other columns.  `plan` is the plan without its specs, which are
the `run_specs` in their order.  `body` is JSON; a trial's is compressed with zlib and followed by
the moments, as `core.vocabulary.moments.Series.packed` writes them.  `throughput`, `errors` and
`wrong` are for people who use SQL; Sluice reads the body.  `trials` are numbered in the order they
arrive, so that SQLite adds them at the end of the file and leaves existing pages alone.  A
cancelled trial that is measured again has the next `attempt`, as has one that was disturbed and is
measured again in a later block; one that was cut off in turns can have a throughput.  While trials
take turns, each is written every few seconds as a cancelled one, and replaced when it ends; its
turns are in the body, packed by `core.vocabulary.slices`, and its latencies over time by
`core.vocabulary.latency_map`. `tallies` holds the number of rows of each other table: a misplaced
page can hide rows from every check that SQLite has.
"""

ROOM = 8 << 20
MOST_PACKING = 50
MOST_ROOM = 64 << 20

LIMITS: Mapping[str, int] = {
    "cores of a machine; a trial on several is bound to 16 times as many": MOST_CORES,
    "worker threads of a trial, in all its processes": MOST_WORKERS,
    "number of a trial in its run, or of a block": MOST_PLACES,
    "trials of a plan; also repeats of a spec": MOST_TRIALS,
    "moments of a trial": MOST_MOMENTS,
    "turns of a trial": MOST_TURNS,
    "operations in a bucket of a histogram": MOST_COUNTED,
    "kinds of complaints, counters, versions or notes of a trial": MOST_OF_A_HANDFUL,
    "letters of a name, such as a unit or a stage": LONGEST_NAME,
    "bytes of a trial unpacked, without its moments": MOST_ROOM,
    "the same of one that is packed into next to nothing": ROOM,
    "bytes unpacked, besides those, for each byte packed": MOST_PACKING,
}
"""What no session exceeds.  A part of a trial that would is left out when it is written, and a note
says so.  A session that does is refused where it is read, as is one with values that no run has: a
load outside what is declared, a time that goes back, a number that is none, more workers than the
load has.  Whole numbers have 64 bits, others are at most 10^30, and dates lie between the years
1970 and 9999.  Seals tell damage, not who wrote a file: a file from anyone can be opened."""

TALLIED = (
    "environments", "specs", "runs", "run_specs", "file_systems", "trials", "endings", "notes"
)  # fmt: skip
"""The tables whose rows are counted, each after those it refers to."""


def create(connection: sqlite3.Connection) -> None:
    connection.executescript(TABLES)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")


def is_as_created(connection: sqlite3.Connection) -> bool:
    """Whether every table is declared as in `create`; additional ones do not matter."""
    return _layout_of_new() <= _layout(connection)


@cache
def _layout_of_new() -> frozenset[tuple[str, ...]]:
    """Of a session as it is created, made once: each one that is opened is compared with it."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        create(fresh)
        return _layout(fresh)


def _layout(connection: sqlite3.Connection) -> frozenset[tuple[str, ...]]:
    return frozenset(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


def format_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def format_name(version: int) -> str:
    """A format as users read it: 100 is `1.0`."""
    return f"{version // 100}.{version % 100}"
