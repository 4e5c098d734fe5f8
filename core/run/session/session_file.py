"""The session: runs and trials, appended as they end."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Self

import msgspec

from core.language import (
    DamagedSession,
    NotWritten,
    Seconds,
    SessionError,
    Unavailable,
    WallClock,
    safe,
    sluice_version,
    tr,
)
from core.measure import secrets_of
from core.run.session import rows
from core.run.session.connections import ReadOnly, Writable, copy_file, create_file
from core.run.session.failures import UNREADABLE, explaining_sqlite, remark_on, too_new
from core.run.session.plan_trust import is_own, keep_as_own
from core.run.session.readable_trial import readable
from core.run.session.rows import How, Note, Reader, Run, insert
from core.run.session.schema import format_of
from core.vocabulary import (
    Cancelled,
    Environment,
    FileSystem,
    Plan,
    Result,
    RunSpec,
    Slot,
    Trial,
    collect,
    without_superseded,
)

type Clock = Callable[[], float]

_PATIENCE: Seconds = 30.0


class Session:
    """An open session file.  Every method raises SessionError and nothing else.

    Methods may be called from any thread; transactions are short, so that several processes
    can use one file.
    """

    def __init__(
        self, path: Path, file: Writable | ReadOnly, patience: Seconds, clock: Clock = time.time
    ) -> None:
        self.path = path
        self._file = file
        self._patience = patience
        self._clock = clock
        self._begun: dict[int, tuple[float, float]] = {}
        """When the runs of this process began, by the wall clock and by the monotonic one."""
        self._lock = RLock()
        self._specs: dict[int, dict[str, RunSpec]] = {}
        self._known: rows.KnownSpecs = {}
        self._kept: dict[tuple[int, int], tuple[int, int]] = {}
        """Number and attempt of the running trials, by run and index."""
        self.instead_of = ""
        """Name of the file that it is written in place of, since somebody else has begun that."""

    @classmethod
    def create(
        cls, path: Path, title: str = "", *, patience: Seconds = _PATIENCE, clock: Clock = time.time
    ) -> Self:
        """A new session, open for writing; refuses a path that exists.

        `clock`: seconds since 1970, UTC.
        """

        def fill(connection: sqlite3.Connection) -> None:
            begun = {"title": title, "sluice": sluice_version(), "created": repr(clock())}
            for key, value in safe(begun, {}).items():
                insert(connection, "meta", rows.sealed(key, value))

        create_file(path, fill)
        return cls(path, Writable(path, patience), patience, clock)

    @classmethod
    def open(cls, path: Path, *, patience: Seconds = _PATIENCE) -> Self:
        """An existing session, to append to; waits up to `patience` for other processes."""
        return cls(path, Writable(path, patience), patience)

    @classmethod
    def read(cls, path: Path, *, patience: Seconds = _PATIENCE) -> Self:
        """An existing session, read only; works in read-only folders too."""
        return cls(path, ReadOnly(path, patience), patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        with self._lock:
            self._file.close()

    @property
    def own(self) -> bool:
        """Whether this user has begun it, or copied it: only then is it written into."""
        numbers = [number for number, *_ in self.titles()]
        return is_own(self.path, self.run(numbers[0]) if numbers else None)

    @property
    def moved(self) -> str:
        """Where it is, if not in the file that was meant; else empty."""
        if not self.instead_of:
            return ""
        return tr(
            "{name} was begun by somebody else and stays as it is; this is in {path}",
            name=self.instead_of,
            path=self.path,
        )

    @property
    def title(self) -> str:
        return self._meta("title")

    @property
    def created(self) -> float:
        """Seconds since 1970, UTC."""
        with explaining_sqlite(self.path):
            return rows.moment_in(self._meta("created"))

    @property
    def sluice(self) -> str:
        """The version of Sluice that created it."""
        return self._meta("sluice")

    @property
    def newer(self) -> str:
        """What to know where a newer Sluice has written it; empty for one that this one knows."""
        with self._reading() as reader:
            return self._remark(reader)

    def rename(self, title: str) -> None:
        row = rows.sealed("title", safe(title, {}))
        with self._writing() as connection:
            rows.replace(connection, "meta", row)

    def note(self, text: str, run_id: int | None = None) -> None:
        """Add a note about one run, or about the session."""
        with self._writing() as connection:
            number = _next(connection, "SELECT max(note) FROM notes")
            insert(connection, "notes", rows.sealed(number, self._clock(), run_id, safe(text, {})))

    def notes(self) -> tuple[Note, ...]:
        with self._reading() as reader:
            return reader.notes()

    def begin_run(
        self,
        plan: Plan,
        environment: Environment,
        file_systems: Mapping[str, FileSystem],
        command: Sequence[str],
    ) -> int:
        """Record the plan, the machine and the command that repeats it; returns the run's id.

        `file_systems` by dataset location.
        """
        secrets = secrets_of(plan.specs)
        host = rows.encode_safely(environment, secrets)
        without_specs = rows.encode_safely(msgspec.structs.replace(plan, specs=()), secrets)
        again = rows.encode_safely(tuple(command), secrets)
        with self._writing() as connection:
            run = _next(connection, "SELECT max(run) FROM runs")
            insert(connection, "environments", rows.sealed(rows.identity(host), host), known=True)
            self._begun[run] = self._clock(), time.monotonic()
            started = self._begun[run][0]
            begun = rows.sealed(run, started, rows.identity(host), without_specs, again)
            insert(connection, "runs", begun)
            for place, spec in enumerate(plan.specs):
                # It holds references to secrets only, and its digest must hold.
                body = msgspec.json.encode(spec).decode()
                row = rows.sealed(spec.digest, spec.workload, body)
                insert(connection, "specs", row, known=True)
                insert(connection, "run_specs", rows.sealed(run, place, spec.digest))
            for location, system in file_systems.items():
                body = rows.encode_safely(system, secrets)
                insert(connection, "file_systems", rows.sealed(run, location, body))
        return run

    def append(self, run_id: int, trial: Trial) -> None:
        """Keep a trial: once this has returned, only a failing disk can lose it.

        Secrets that the run's specs refer to are replaced everywhere in the trial.
        """
        self._write(run_id, trial)
        self._kept.pop((run_id, trial.index), None)

    def keep(self, run_id: int, trial: Trial) -> None:
        """Keep what a trial has so far; the next `keep` or `append` of it replaces it.

        If none comes, because Sluice was killed, it remains as a cancelled trial, which counts as a
        shortened one if it has enough turns, and is measured again when the run continues.
        """
        self._kept[run_id, trial.index] = self._write(run_id, trial)

    def _write(self, run_id: int, trial: Trial) -> tuple[int, int]:
        """Write a trial's row; its number and attempt."""
        spec = self._spec(run_id, trial.spec_digest)
        trial, body = readable(trial, spec.load, secrets_of([spec]))
        with self._writing() as connection:
            if (place := self._kept.get((run_id, trial.index))) is not None:
                rows.replace(connection, "trials", rows.trial_row(*place, run_id, trial, body))
                return place
            query = "SELECT outcome, block FROM trials WHERE run = ? AND position = ?"
            before = connection.execute(query, (run_id, trial.index)).fetchall()
            # A disturbed trial is measured again in a later block.
            if (trial.block, True) in ((block, how != _CANCELLED) for how, block in before):
                raise SessionError(f"trial {trial.index} of run {run_id} is recorded already")
            place = _next(connection, "SELECT max(trial) FROM trials"), len(before)
            insert(connection, "trials", rows.trial_row(*place, run_id, trial, body))
            return place

    def _spec(self, run_id: int, digest: str) -> RunSpec:
        if run_id not in self._specs:
            with self._reading() as reader:
                self._specs[run_id] = reader.specs(run_id)
        spec = self._specs[run_id].get(digest)
        if spec is None:
            raise SessionError(f"run {run_id} has no spec {digest}")
        return spec

    def end_run(self, run_id: int, how: How) -> None:
        """Record that a run is over."""
        with self._writing() as connection:
            number = _next(connection, "SELECT max(ending) FROM endings")
            trials = Reader(connection).trial_count(run_id)
            row = rows.sealed(number, run_id, self._now(run_id), how, trials)
            insert(connection, "endings", row)

    def _now(self, run_id: int) -> float:
        """Seconds since 1970; of a run that began here as if nobody had set the clock since."""
        if run_id not in self._begun:
            return self._clock()
        started, monotonic = self._begun[run_id]
        return started + time.monotonic() - monotonic

    def runs(self) -> tuple[Run, ...]:
        with self._reading() as reader:
            return tuple(map(reader.known_run, reader.run_ids()))

    def titles(self) -> list[tuple[int, str, WallClock]]:
        """The number of each run, what it measures and when it began, in that order.

        It takes no longer where a run has thousands of settings.
        """
        with self._reading() as reader:
            return reader.titles()

    def run(self, run_id: int) -> Run:
        with self._reading() as reader:
            run = reader.run(run_id)
        if run is None:
            raise SessionError(tr("{path} has no run {number}", path=self.path, number=run_id))
        return run

    def trials(self, run_id: int) -> tuple[Trial, ...]:
        """The trials of a run in their order, with all they hold."""
        with self._reading() as reader:
            specs = reader.specs(run_id)
            trial_rows = reader.trial_rows(run_id)
        with self._explaining():
            return rows.trials_of(trial_rows, specs)

    def results(self, run_id: int | None = None, **prices: float) -> tuple[Result, ...]:
        """The results of one run, or those of all runs one after the other.

        A trial that was cancelled and measured again is left out, unless it was shortened: then it
        could have counted, and is shown beside the one that replaces it.  `prices`: as trials have
        them, instead of those that they were measured with.
        """
        results: list[Result] = []
        for run in self.runs() if run_id is None else (self.run(run_id),):
            counted = without_superseded(self.trials(run.id))
            trials = [msgspec.structs.replace(one, **prices) for one in counted]
            results += collect(run.plan.specs, trials, run.environment, run.file_systems)
        return tuple(results)

    def remaining(self, run_id: int, recorded: Sequence[Trial] | None = None) -> tuple[Slot, ...]:
        """What a run has not yet measured, in its order; cancelled trials are measured again,
        shortened ones too.

        `recorded` spares reading the run's trials again.  An adaptive run has nothing left, because
        its next step depends on results; nor has one whose questions were answered, or whose time
        was up.
        """
        run = self.run(run_id)
        plan = run.plan
        if plan.adaptive or (plan.open_ended and run.how == "completed"):
            return ()
        slots = plan.slots()
        if recorded is None:
            recorded = self.trials(run_id)
        planned = {slot.index: slot.spec.digest for slot in slots}
        for trial in recorded:
            if planned.get(trial.index) != trial.spec_digest:
                raise SessionError(
                    tr("run {number} has lost parts of its plan", number=run_id),
                    tr("start a new run"),
                )
        done = {trial.index for trial in recorded if not isinstance(trial.outcome, Cancelled)}
        return tuple(slot for slot in slots if slot.index not in done)

    def left(self, run_id: int, recorded: Sequence[Trial]) -> int:
        """How many trials remain; those until the first look, where its questions decide."""
        slots, plan = self.remaining(run_id, recorded), self.run(run_id).plan
        if not (plan.open_ended and slots):
            return len(slots)
        done = sum(not isinstance(trial.outcome, Cancelled) for trial in recorded)
        return max(plan.least_trials - done, 1)

    def copy_to(self, path: Path, *, overwrite: bool = False) -> None:
        """A whole copy of the session as it is now, in one file, which is the user's own."""
        with self._lock, explaining_sqlite(self.path, self._patience):
            connection = self._file.begin_reading()
            connection.execute("ROLLBACK")
            copy_file(connection, path, overwrite=overwrite)
        with suppress(NotWritten, Unavailable):  # then it counts as what it is a copy of
            keep_as_own(path)

    def _meta(self, key: str) -> str:
        with self._reading() as reader:
            return reader.meta(key)

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """As `explaining_sqlite`; what a newer Sluice has written is not called damaged."""
        try:
            with explaining_sqlite(self.path, self._patience):
                yield
        except DamagedSession as error:
            if self._is_newer():
                raise too_new(self.path) from error
            raise

    def _remark(self, reader: Reader) -> str:
        version = format_of(reader.connection)
        return remark_on(self.path, version, reader.meta("sluice"), sluice_version())

    def _is_newer(self) -> bool:
        with suppress(*UNREADABLE, SessionError), self._lock:
            connection = self._file.begin_reading()
            try:
                return bool(self._remark(Reader(connection)))
            finally:
                connection.execute("ROLLBACK")
        return False

    @contextmanager
    def _reading(self) -> Iterator[Reader]:
        with self._transaction(self._file.begin_reading) as connection:
            yield Reader(connection, self._known)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._transaction(self._file.begin_writing) as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: Callable[[], sqlite3.Connection]) -> Iterator[sqlite3.Connection]:
        with self._lock, self._explaining():
            connection = begin()
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                # Also after a failed COMMIT; a full disk may have rolled back by itself.
                if connection.in_transaction:
                    with suppress(sqlite3.Error):
                        connection.execute("ROLLBACK")


_CANCELLED = str(Cancelled.__struct_config__.tag)


def _next(connection: sqlite3.Connection, highest: str) -> int:
    """The number after the highest so far, from 1."""
    return int(connection.execute(highest).fetchone()[0] or 0) + 1
