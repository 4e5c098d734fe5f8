"""Reads earlier runs of one spec from a session, as fast as possible.

Unlike `Session.read` it checks only the wanted rows, so that a folder full of sessions can be
searched.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from core.language.units import Seconds
from core.result.attempts import counted
from core.result.result import Result
from core.session.connections import ReadOnly
from core.session.failures import explaining_sqlite
from core.session.rows import Reader, trials_of

_PATIENCE: Seconds = 1.0


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
    trials = trials_of(reader.trial_rows_of(run, digest), {digest: spec})
    environment = reader.environment_of(run)
    return Result(
        spec=spec,
        environment=environment,
        file_system=None,
        trials=counted(trials, environment),
    )
