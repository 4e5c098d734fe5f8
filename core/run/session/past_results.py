"""What earlier sessions hold of some specs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from core.language import Seconds, SessionError
from core.measure import sessions_folder
from core.run.session.connections import ReadOnly, newest_first
from core.run.session.failures import explaining_sqlite
from core.run.session.rows import Reader, trials_of
from core.vocabulary import Result, counted

_MOST_SESSIONS = 200
"""How many of the newest sessions are read."""
_PATIENCE: Seconds = 1.0


def earlier_results(digests: Collection[str], sessions: Iterable[Path] = ()) -> Iterator[Result]:
    """The results of these specs in the sessions named and the newest kept here, each read once.

    Unreadable sessions are left out.
    """
    newest = (path for path, _ in newest_first(sessions_folder())[:_MOST_SESSIONS])
    for path in {path.resolve(): None for path in (*sessions, *newest)}:
        try:
            results = past_results(path, digests)
        except SessionError:
            continue
        yield from results


def past_results(path: Path, digests: Collection[str]) -> tuple[Result, ...]:
    """The results of these specs in every run of a session; raises SessionError.

    Their file systems are left out.
    """
    with (
        closing(ReadOnly(path, _PATIENCE, checked=False)) as file,
        explaining_sqlite(path, _PATIENCE),
    ):
        connection = file.begin_reading()
        try:
            reader = Reader(connection)
            return tuple(
                _result(reader, run, digest)
                for digest in sorted(digests)
                for run in reader.runs_with(digest)
            )
        finally:
            connection.execute("ROLLBACK")


def _result(reader: Reader, run: int, digest: str) -> Result:
    spec = reader.specs(run)[digest]
    trials = trials_of(reader.trial_rows(run, spec=digest), {digest: spec})
    environment = reader.environment_of(run)
    return Result(
        spec=spec, environment=environment, file_system=None, trials=counted(trials, environment)
    )
