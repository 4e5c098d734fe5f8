"""How far sessions drift on this machine, learnt from the sessions kept here."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.judge.estimation import Past
from core.language.errors import SessionError
from core.language.units import Seconds
from core.measure.machine.environment import digest
from core.measure.machine.folders import sessions_folder
from core.run.session.connections import ReadOnly, newest_first
from core.run.session.failures import explaining_sqlite
from core.run.session.rows import Reader, trials_of
from core.vocabulary.attempts import counted
from core.vocabulary.result import Result

if TYPE_CHECKING:
    from core.judge.comparison import PastOf

_MOST_SESSIONS = 200
"""How many of the newest sessions are read."""


def past_of(
    baseline: Result, candidate: Result, metric: str, *, sessions: Iterable[Path] | None = None
) -> Past:
    """Logs of a metric in every earlier run of either side's spec, grouped by what was measured.

    A group is one spec on one machine with the same versions of its drivers: the effect of an
    update is no drift.  The two results themselves are left out.  `sessions`: where to look, by
    default the newest in the sessions folder; unreadable ones are left out.
    """
    ours = {trial.started for result in (baseline, candidate) for trial in result.trials}
    kinds: dict[tuple[object, ...], list[list[float]]] = {}
    for result in _results(
        _newest_sessions() if sessions is None else sessions, baseline, candidate
    ):
        values = result.values(metric)
        known = any(trial.started in ours for trial in result.trials)
        if result.valid and not known and values and min(values) > 0.0:
            kinds.setdefault(_kind(result), []).append([math.log(value) for value in values])
    return tuple(map(tuple, kinds.values()))


def past_among(sessions: Iterable[Path]) -> PastOf:
    """`past_of`, looking also at sessions that are not in the sessions folder."""
    places = {path.resolve(): None for path in (*sessions, *_newest_sessions())}
    return partial(past_of, sessions=tuple(places))


def _newest_sessions() -> list[Path]:
    return [path for path, _ in newest_first(sessions_folder())[:_MOST_SESSIONS]]


def _results(sessions: Iterable[Path], baseline: Result, candidate: Result) -> Iterator[Result]:
    """The results of both specs on both sides' machines."""
    wanted = {(side.spec.digest, _machine(side)) for side in (baseline, candidate)}
    for path in sessions:
        try:
            found = past_results(path, {digest for digest, _ in wanted})
        except SessionError:
            continue
        yield from (one for one in found if (one.spec.digest, _machine(one)) in wanted)


def _machine(result: Result) -> tuple[str, float]:
    return digest(result.environment), result.environment.usable_cores


def _kind(result: Result) -> tuple[object, ...]:
    versions = {name: one for trial in result.trials for name, one in trial.versions.items()}
    python = result.environment.python
    return (result.spec.digest, *_machine(result), python, *sorted(versions.items()))


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
    trials = trials_of(reader.trial_rows(run, spec=digest), {digest: spec})
    environment = reader.environment_of(run)
    return Result(
        spec=spec, environment=environment, file_system=None, trials=counted(trials, environment)
    )
