"""The results of all runs of some sessions, as one table."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import SessionError
from core.language.translation import one_line
from core.output.prepared import Prepared
from core.output.shown import results_of, titled
from core.plan.floor import floor_of, without_bare_files
from core.result.result import Result
from core.session import Run, Session
from core.tables.results_table import summarise_runs
from core.tables.table import Table


@dataclass(frozen=True)
class Origin:
    """Which run: its session, and its number there."""

    session: Path
    run: int


type _Known = dict[Origin, tuple[int, tuple[Result, ...]]]
"""Of runs that were read: how many trials they had then, and their results."""


@dataclass(frozen=True, kw_only=True)
class RunsBeside:
    """What the runs of some sessions measured."""

    count: int
    """How many runs there are; those without a trial do not count."""
    faults: Mapping[Path, str]
    """Sessions that cannot be read, and why."""
    table: Table | None = None
    """None where only the count was asked for."""
    runs: tuple[tuple[Origin, tuple[Result, ...]], ...] = ()
    """Their results in the table's order."""
    known: _Known = field(default_factory=dict)
    """What need not be read again."""

    @staticmethod
    def of(paths: Sequence[Path], before: RunsBeside | None = None, *, whole: bool) -> RunsBeside:
        """All runs of these sessions, the oldest of each first; `whole`: with their results.

        `before`: what was read earlier; runs without a new trial are taken from it.
        """
        known = dict(before.known) if before is not None else {}
        count = 0
        faults: dict[Path, str] = {}
        runs: dict[str, tuple[Origin, tuple[Result, ...]]] = {}
        titles = _titles(paths)
        for path in paths:
            try:
                with Session.read(path) as session:
                    measured = [run for run in session.runs() if run.trials]
                    count += len(measured)
                    for run in measured if whole else ():
                        origin = Origin(path, run.id)
                        name = " · ".join(filter(None, (titles[path], str(run.id), _begun(run))))
                        runs[name] = (origin, _results_in(session, run, origin, known))
            except SessionError as error:
                faults[path] = str(error)
        if not whole:
            return RunsBeside(count=count, faults=faults, known=known)
        table = summarise_runs({name: results for name, (_, results) in runs.items()}, floor_of)
        rows = tuple((origin, without_bare_files(results)) for origin, results in runs.values())
        return RunsBeside(count=count, table=titled(table), runs=rows, faults=faults, known=known)


def _titles(paths: Sequence[Path]) -> Mapping[Path, str]:
    """The sessions' names as far as they tell them apart; one session needs none."""
    if len(paths) < 2:
        return dict.fromkeys(paths, "")
    stems = Counter(path.stem for path in paths)
    return {path: one_line(path.stem if stems[path.stem] == 1 else str(path)) for path in paths}


def _begun(run: Run) -> str:
    """When it began, on this day by the clock alone."""
    begun, now = time.localtime(run.started), time.localtime()
    same = begun[:3] == now[:3]
    return time.strftime("%H:%M" if same else "%Y-%m-%d %H:%M", begun)


def _results_in(session: Session, run: Run, origin: Origin, known: _Known) -> tuple[Result, ...]:
    """All results of a run, those of the bare files too."""
    trials, results = known.get(origin, (0, ()))
    if trials != run.trials:
        results, _ = results_of(Prepared(session=session, run=run), session.trials(run.id))
        known[origin] = (run.trials, results)
    return results
