"""How specs, trials and the rest become rows, and how a row proves that it is undamaged."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from core.host.environment import Environment, FileSystem
from core.language.sanitise import safe
from core.plan.schedule import Plan
from core.plan.spec import RunSpec
from core.result.moments import Series
from core.result.result import Trial
from core.session.failures import DamageError
from core.session.schema import TALLIED

type Column = int | float | str | bytes | None
type How = Literal["completed", "cancelled", "failed"]


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


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A user's note about the session, or about one run of it."""

    written: float
    run: int | None
    text: str


def sealed(*columns: Column) -> tuple[Column, ...]:
    """A row with the checksum of its columns."""
    return (*columns, _seal(columns))


def unsealed(row: Sequence[Any]) -> tuple[Any, ...]:
    """The columns of a sealed row; raises DamageError."""
    if _seal(row[:-1]) != row[-1]:
        raise DamageError("a row is not as it was written")
    return tuple(row[:-1])


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


def spec_row(spec: RunSpec) -> tuple[Column, ...]:
    """A row of `specs`.  A spec holds references to secrets only, and its digest must hold."""
    return sealed(spec.digest, spec.workload, msgspec.json.encode(spec).decode())


def trial_row(number: int, attempt: int, run: int, trial: Trial, body: bytes) -> tuple[Column, ...]:
    """A row of `trials` around a packed trial."""
    return sealed(
        number,
        run,
        trial.index,
        attempt,
        trial.block,
        trial.spec_digest,
        trial.started,
        outcome_tag(trial),
        trial.throughput,
        trial.errors,
        trial.wrong,
        body,
    )


def packed(trial: Trial, secrets: Mapping[str, str]) -> bytes:
    """The body of a row of `trials`: compressed JSON, followed by the moments."""
    without_moments = msgspec.structs.replace(trial, moments=())
    body = zlib.compress(encode_safely(without_moments, secrets).encode())
    moments = trial.moments
    if not moments:
        return body
    return body + (moments if isinstance(moments, Series) else Series(moments)).packed


def _unpacked(body: bytes) -> Trial:
    """The trial in a body; in the first format the moments are part of the JSON."""
    stream = zlib.decompressobj()
    trial = decoded(stream.decompress(body), Trial)
    if not stream.eof:
        raise DamageError("a trial is cut short")
    behind = stream.unused_data
    if behind:
        trial = msgspec.structs.replace(trial, moments=Series.unpacked(behind))
    return trial.without_batches()


def outcome_tag(trial: Trial) -> str:
    """The kind of the ending, such as `crashed`."""
    return str(trial.outcome.__struct_config__.tag)


def trials_of(found: Sequence[Sequence[Any]], specs: Mapping[str, RunSpec]) -> tuple[Trial, ...]:
    """The trials in rows of `trials`; raises DamageError and what decoding raises.

    `specs` by the digest they had when written.  Where a newer Sluice has added a field to loads or
    datasets, the same spec now has another digest, and its trials get the new one.
    """
    trials = []
    for row in found:
        trial = _unpacked(unsealed(row)[11])
        if trial.spec_digest not in specs:
            raise DamageError("a trial belongs to no spec of its run")
        now = specs[trial.spec_digest].digest
        if now != trial.spec_digest:
            trial = msgspec.structs.replace(trial, spec_digest=now)
        trials.append(trial)
    return tuple(trials)


def decoded[T](body: bytes | str, kind: type[T]) -> T:
    """The struct in a JSON body; raises msgspec.MsgspecError."""
    return msgspec.json.decode(body, type=kind)


class Reader:
    """Rows of a session; methods raise DamageError, sqlite3.Error or what `decoded` raises."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._environments: dict[str, Environment] = {}
        self._specs: dict[str, RunSpec] = {}

    def rows(self, query: str, *given: Column) -> list[tuple[Any, ...]]:
        """The unsealed rows of a query whose last column is the seal."""
        return [unsealed(row) for row in self._connection.execute(query, given)]

    def check(self) -> None:
        """Check that no row is missing."""
        for table in TALLIED:
            (rows,) = self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            if rows != self.tally(table):
                raise DamageError(f"rows of {table} are missing")

    def tally(self, table: str) -> int:
        """How many rows a table should have."""
        return int(self._only("tallies", "name", table)[1])

    def meta(self, key: str) -> str:
        """A value of `meta`."""
        return str(self._only("meta", "key", key)[1])

    def _only(self, table: str, column: str, key: str) -> tuple[Any, ...]:
        found = self.rows(f"SELECT * FROM {table} WHERE {column} = ?", key)
        if not found:
            raise DamageError(f"a row of {table} is missing")
        return found[0]

    def run_ids(self) -> list[int]:
        """Runs in the order they began."""
        return [row[0] for row in self._connection.execute("SELECT run FROM runs ORDER BY run")]

    def run(self, run: int) -> Run | None:
        """A run without its trials; None where there is no such run."""
        found = self.rows(
            "SELECT run, started, environment, plan, command, seal FROM runs WHERE run = ?", run
        )
        if not found:
            return None
        _, started, environment, plan, command = found[0]
        specs = tuple(self.specs(run).values())
        trials = self.trial_count(run)
        ended, how = self._ending(run, trials)
        return Run(
            id=run,
            plan=msgspec.structs.replace(decoded(plan, Plan), specs=specs),
            environment=self._environment(environment),
            file_systems={
                row[1]: decoded(row[2], FileSystem)
                for row in self.rows("SELECT * FROM file_systems WHERE run = ?", run)
            },
            command=decoded(command, tuple[str, ...]),
            started=started,
            ended=ended,
            how=how,
            trials=trials,
        )

    def known_run(self, run: int) -> Run:
        """A run whose id `run_ids` returned."""
        found = self.run(run)
        if found is None:
            raise DamageError("a row of runs is missing")
        return found

    def specs(self, run: int) -> dict[str, RunSpec]:
        """The specs of a run in its plan's order, by the digest they had when written."""
        digests = [
            row[2] for row in self.rows("SELECT * FROM run_specs WHERE run = ? ORDER BY place", run)
        ]
        return {digest: self._spec(digest) for digest in digests}

    def trial_count(self, run: int) -> int:
        """How many trials of a run are recorded."""
        query = "SELECT count(*) FROM trials WHERE run = ?"
        return int(self._connection.execute(query, (run,)).fetchone()[0])

    def trial_rows(self, run: int, after: int = -1) -> list[tuple[Any, ...]]:
        """The undecoded trials of a run whose index is above `after`, in their order."""
        query = "SELECT * FROM trials WHERE run = ? AND position > ? ORDER BY position, attempt"
        return self._connection.execute(query, (run, after)).fetchall()

    def runs_with(self, digest: str) -> list[int]:
        """The runs that a spec is part of, in the order they began."""
        query = "SELECT * FROM run_specs WHERE spec = ? ORDER BY run"
        return [row[0] for row in self.rows(query, digest)]

    def trial_rows_of(self, run: int, digest: str) -> list[tuple[Any, ...]]:
        """The undecoded trials of one spec in a run, in their order."""
        query = "SELECT * FROM trials WHERE run = ? AND spec = ? ORDER BY position, attempt"
        return self._connection.execute(query, (run, digest)).fetchall()

    def environment_of(self, run: int) -> Environment:
        """The machine that a run was measured on."""
        query = "SELECT run, started, environment, plan, command, seal FROM runs WHERE run = ?"
        return self._environment(self.rows(query, run)[0][2])

    def notes(self) -> tuple[Note, ...]:
        """All notes, the oldest first."""
        return tuple(
            Note(written=written, run=run, text=text)
            for _, written, run, text in self.rows("SELECT * FROM notes ORDER BY note")
        )

    def _ending(self, run: int, trials: int) -> tuple[float | None, How | None]:
        found = self.rows("SELECT * FROM endings WHERE run = ? ORDER BY ending", run)
        # A run that has trials after its ending was continued.
        if not found or found[-1][4] != trials:
            return None, None
        return found[-1][2], found[-1][3]

    def _environment(self, digest: str) -> Environment:
        return self._once(self._environments, "environments", digest, Environment)

    def _spec(self, digest: str) -> RunSpec:
        return self._once(self._specs, "specs", digest, RunSpec)

    def _once[T](self, known: dict[str, T], table: str, digest: str, kind: type[T]) -> T:
        if digest not in known:
            known[digest] = decoded(self._only(table, "digest", digest)[-1], kind)
        return known[digest]
