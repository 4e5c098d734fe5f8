"""How specs, trials and the rest become rows, and how a row proves that it is undamaged."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, Literal

import msgspec

from core.language import Natural, Place, SessionError, UsageError, WallClock, Whole, safe
from core.run.session.failures import DamageError
from core.run.session.schema import MOST_PACKING, MOST_ROOM, ROOM, TALLIED
from core.vocabulary import (
    Environment,
    FileSystem,
    Plan,
    RunSpec,
    Series,
    Trial,
    UnsoundError,
    check_file_system,
    check_plan,
    check_spec,
    check_trial,
    inflated_with_rest,
)

type Column = int | float | str | bytes | None
type How = Literal["completed", "cancelled", "failed"]

_TRIAL = tuple[Natural, Natural, Place, Natural, Place, str, WallClock, str,
               float | None, Whole, Whole, bytes]  # fmt: skip
ROWS: Mapping[str, Any] = {
    "meta": tuple[str, str],
    "tallies": tuple[str, Natural],
    "environments": tuple[str, str],
    "specs": tuple[str, str, str],
    "runs": tuple[Natural, WallClock, str, str, str],
    "run_specs": tuple[Natural, Natural, str],
    "file_systems": tuple[Natural, str, str],
    "trials": _TRIAL,
    "endings": tuple[Natural, Natural, WallClock, How, Natural],
    "notes": tuple[Natural, WallClock, Natural | None, str],
}
"""The columns of each table but the seal: SQLite takes anything in place of what is declared."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One plan that was run, or still runs."""

    id: int
    plan: Plan
    environment: Environment
    file_systems: Mapping[str, FileSystem]
    """By dataset location."""
    command: tuple[str, ...]
    """The command line that repeats it."""
    started: float
    """Seconds since 1970, UTC."""
    ended: float | None
    how: How | None
    """None while it runs, and also after it was killed."""
    trials: int
    """How many are recorded, cancelled ones included."""
    identity: str
    """SHA-256 of what says what it measures, byte for byte: its plan, its specs, its command."""

    @property
    def seconds(self) -> float | None:
        """How long it took; None if it has not ended, or the clock was set back meanwhile."""
        took = None if self.ended is None else self.ended - self.started
        return None if took is None or took < 0 else took


class Note(msgspec.Struct, frozen=True, kw_only=True):
    written: float
    run: int | None
    text: str


def sealed(*columns: Column) -> tuple[Column, ...]:
    """A row with the checksum of its columns."""
    return (*columns, _seal(columns))


def columns_of(table: str, row: Sequence[Any]) -> tuple[Any, ...]:
    """The columns of a sealed row of a table; raises DamageError, msgspec.ValidationError."""
    if _seal(row[:-1]) != row[-1]:
        raise DamageError("a row is not as it was written")
    columns: tuple[Any, ...] = msgspec.convert(tuple(row[:-1]), ROWS[table])
    return columns


def _seal(columns: Sequence[Column]) -> int:
    return zlib.crc32(msgspec.msgpack.encode(tuple(columns)))


def insert(
    connection: sqlite3.Connection, table: str, row: Sequence[Column], *, known: bool = False
) -> None:
    """Add a sealed row and count it; with `known` an existing row stays."""
    verb = "INSERT OR IGNORE" if known else "INSERT"
    done = connection.execute(f"{verb} INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    if done.rowcount == 1 and table in TALLIED:
        tally = Reader(connection).tally(table) + 1
        replace(connection, "tallies", sealed(table, tally))


def replace(connection: sqlite3.Connection, table: str, row: Sequence[Column]) -> None:
    """Replace the row with the same key by a sealed row."""
    connection.execute(f"REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def encode_safely(value: object, secrets: Mapping[str, str]) -> str:
    """A struct as JSON, without surrogates and without secrets."""
    return msgspec.json.encode(safe(value, secrets), order="deterministic").decode()


def identity(body: str) -> str:
    """16 hexadecimal digits over a body."""
    return hashlib.blake2b(body.encode(), digest_size=8).hexdigest()


def trial_row(number: int, attempt: int, run: int, trial: Trial, body: bytes) -> tuple[Column, ...]:
    """A row of `trials` around a packed trial."""
    place = (number, run, trial.index, attempt, trial.block, trial.spec_digest, trial.started)
    outcome = str(trial.outcome.__struct_config__.tag)
    return sealed(*place, outcome, trial.throughput, trial.errors, trial.wrong, body)


def trial_in(row: Sequence[Any]) -> Trial:
    """The trial in an unsealed row of `trials`; raises what reading can raise."""
    trial = unpacked(row[11])
    if (trial.index, trial.block, trial.spec_digest) != (row[2], *row[4:6]):
        raise DamageError("a trial is not the one that its row names")
    return trial


def moment_in(text: str) -> float:
    """Seconds since 1970 as `meta` has them; raises DamageError, msgspec.ValidationError."""
    try:
        return msgspec.convert(float(text), WallClock)
    except ValueError as error:
        raise DamageError("it does not tell when it was created") from error


def packed(trial: Trial, secrets: Mapping[str, str]) -> bytes:
    """The body of a row of `trials`: compressed JSON, followed by the moments."""
    without_moments = msgspec.structs.replace(trial, moments=())
    body = zlib.compress(encode_safely(without_moments, secrets).encode())
    if not trial.moments:
        return body
    moments = trial.moments if isinstance(trial.moments, Series) else Series(trial.moments)
    return body + moments.packed


def unpacked(body: bytes) -> Trial:
    """The trial in a body: its JSON, and its moments behind it."""
    record, behind = inflated_with_rest(body, min(ROOM + MOST_PACKING * len(body), MOST_ROOM))
    trial = decoded(record, Trial)
    if behind:
        try:
            moments = Series.unpacked(behind)
        except SessionError as error:
            raise DamageError(error.cause) from error
        trial = msgspec.structs.replace(trial, moments=moments)
    return trial


def trials_of(rows: Sequence[Sequence[Any]], specs: Mapping[str, RunSpec]) -> tuple[Trial, ...]:
    """The trials in rows of `trials`; raises DamageError and what decoding raises.

    `specs` by the digest they had when written.  Where a newer Sluice has added a field to loads or
    datasets, the same spec now has another digest, and its trials get the new one.
    """
    trials = []
    digests = {written: spec.digest for written, spec in specs.items()}
    for row in rows:
        trial = trial_in(columns_of("trials", row))
        if trial.spec_digest not in specs:
            raise DamageError("a trial belongs to no spec of its run")
        check_trial(trial, specs[trial.spec_digest].load)
        now = digests[trial.spec_digest]
        if now != trial.spec_digest:
            trial = msgspec.structs.replace(trial, spec_digest=now)
        trials.append(trial)
    return tuple(trials)


def decoded[T](body: bytes | str, kind: type[T]) -> T:
    """The struct in a JSON body; raises msgspec.MsgspecError."""
    with _ONE_BY_ONE:
        if kind not in _DECODERS:
            _DECODERS[kind] = msgspec.json.Decoder(kind)
    value: T = _DECODERS[kind].decode(body)
    return value


_ONE_BY_ONE = Lock()
"""Two threads that have msgspec look at the same struct for the first time crash the process."""
_DECODERS: dict[type, Any] = {}


def spec_in(body: str) -> RunSpec:
    """The spec in a body; raises what reading can raise."""
    try:
        spec = decoded(body, RunSpec)
    except UsageError as error:  # a load that cannot be built
        raise UnsoundError(str(error)) from error
    check_spec(spec)
    return spec


def file_system_in(body: str) -> FileSystem:
    """The file system in a body; raises what reading can raise."""
    system = decoded(body, FileSystem)
    check_file_system(system)
    return system


type KnownSpecs = dict[str, tuple[str, RunSpec]]
"""Specs, and before each how it is written, by the digests that they had when written."""


class Reader:
    """Rows of a session; methods raise DamageError, sqlite3.Error or what `decoded` raises."""

    def __init__(self, connection: sqlite3.Connection, known: KnownSpecs | None = None) -> None:
        """`known`: specs that need not be read again, since no row of theirs ever changes."""
        self.connection = connection
        self._environments: dict[str, Environment] = {}
        self._specs: KnownSpecs = {} if known is None else known

    def rows(self, table: str, condition: str, *given: Column) -> list[tuple[Any, ...]]:
        """The unsealed rows of a table that fulfil a condition, in an order."""
        query = f"SELECT * FROM {table} {condition}"
        return [columns_of(table, row) for row in self.connection.execute(query, given)]

    def check(self) -> None:
        """Check that no row is missing."""
        for table in TALLIED:
            (rows,) = self.connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            if rows != self.tally(table):
                raise DamageError(f"rows of {table} are missing")

    def tally(self, table: str) -> int:
        return int(self._only("tallies", "name", table)[1])

    def meta(self, key: str) -> str:
        return str(self._only("meta", "key", key)[1])

    def _only(self, table: str, column: str, key: str) -> tuple[Any, ...]:
        matches = self.rows(table, f"WHERE {column} = ?", key)
        if not matches:
            raise DamageError(f"a row of {table} is missing")
        return matches[0]

    def run_ids(self) -> list[int]:
        """Runs in the order they began."""
        return [row[0] for row in self.connection.execute("SELECT run FROM runs ORDER BY run")]

    def titles(self) -> list[tuple[int, str, WallClock]]:
        """The runs in the order they began, what each measures, and when it began."""
        runs = self.rows("runs", "ORDER BY run")
        return [(run, decoded(plan, Plan).title, began) for run, began, _, plan, _ in runs]

    def run(self, run: int) -> Run | None:
        """A run without its trials; None where there is no such run."""
        matches = self.rows("runs", "WHERE run = ?", run)
        if not matches:
            return None
        _, started, environment, plan_text, command = matches[0]
        specs = self.specs(run)
        plan = msgspec.structs.replace(decoded(plan_text, Plan), specs=tuple(specs.values()))
        check_plan(plan)
        trials = self.trial_count(run)
        ended, how = self._ending(run, trials)
        texts = (plan_text, command, *(self._specs[digest][0] for digest in specs))
        return Run(
            id=run,
            plan=plan,
            environment=self._environment(environment),
            file_systems={
                row[1]: file_system_in(row[2])
                for row in self.rows("file_systems", "WHERE run = ?", run)
            },
            command=decoded(command, tuple[str, ...]),
            started=started,
            ended=ended,
            how=how,
            trials=trials,
            identity=hashlib.sha256(msgspec.msgpack.encode(texts)).hexdigest(),
        )

    def known_run(self, run: int) -> Run:
        stored_run = self.run(run)
        if stored_run is None:
            raise DamageError("a row of runs is missing")
        return stored_run

    def specs(self, run: int) -> dict[str, RunSpec]:
        """The specs of a run in its plan's order, by the digest they had when written."""
        digests = [row[2] for row in self.rows("run_specs", "WHERE run = ? ORDER BY place", run)]
        for digest in digests:
            if digest not in self._specs:
                body = self._only("specs", "digest", digest)[-1]
                self._specs[digest] = body, spec_in(body)
        return {digest: self._specs[digest][1] for digest in digests}

    def trial_count(self, run: int) -> int:
        query = "SELECT count(*) FROM trials WHERE run = ?"
        return int(self.connection.execute(query, (run,)).fetchone()[0])

    def trial_rows(self, run: int, spec: str | None = None) -> list[tuple[Any, ...]]:
        """The undecoded trials of a run, or of one spec in it, in their order."""
        query = (
            "SELECT * FROM trials WHERE run = ? AND spec = ifnull(?, spec) "
            "ORDER BY position, attempt"
        )
        return self.connection.execute(query, (run, spec)).fetchall()

    def runs_with(self, digest: str) -> list[int]:
        """The runs that a spec is part of, in the order they began."""
        return [row[0] for row in self.rows("run_specs", "WHERE spec = ? ORDER BY run", digest)]

    def environment_of(self, run: int) -> Environment:
        return self._environment(self.rows("runs", "WHERE run = ?", run)[0][2])

    def notes(self) -> tuple[Note, ...]:
        return tuple(
            Note(written=written, run=run, text=text)
            for _, written, run, text in self.rows("notes", "ORDER BY note")
        )

    def _ending(self, run: int, trials: int) -> tuple[float | None, How | None]:
        endings = self.rows("endings", "WHERE run = ? ORDER BY ending", run)
        # A run that has trials after its ending was continued.
        if not endings or endings[-1][4] != trials:
            return None, None
        return endings[-1][2], endings[-1][3]

    def _environment(self, digest: str) -> Environment:
        if digest not in self._environments:
            body = self._only("environments", "digest", digest)[-1]
            self._environments[digest] = decoded(body, Environment)
        return self._environments[digest]
