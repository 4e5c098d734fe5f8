"""The runs in the sessions of a folder, as a list, and their results as one table."""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.errors import SessionError
from core.execution.recording import being_measured
from core.language.reporting import ReportProgress
from core.language.translation import one_line, tr, tr_word
from core.output.run_results import AnsweredRun, results_of, titled
from core.plan.floor import without_bare_files
from core.result.result import Result
from core.session import Run, Session
from core.session.connections import newest_first
from core.tables.result_tables import machine_text, summarise_runs
from core.tables.table import Table

MOST = 1000
"""Runs that are listed, and sessions that are looked at: the newest."""


@dataclass(frozen=True, kw_only=True)
class Listed:
    """One run of a session, as a list shows it; `fault`: why the file cannot be read."""

    path: Path
    size: int
    """Bytes."""
    changed: float
    """Seconds since 1970, UTC."""
    run: int = 0
    """Its number in the session; 0 where that has none."""
    title: str = ""
    subject: str = ""
    """What was measured."""
    dataset: str = ""
    """Where that data was."""
    machine: str = ""
    """On which it was measured."""
    notes: int = 0
    fault: str = ""

    @property
    def name(self) -> str:
        """The title, or the name of the file."""
        return self.title or one_line(self.path.stem)

    def has(self, words: Sequence[str], answer: str) -> bool:
        """Whether each of some words, in small letters, is anywhere in what the list shows."""
        day = time.strftime("%Y-%m-%d", time.localtime(self.changed))
        told = (
            self.name, self.path.name, self.subject, self.dataset, self.machine, day, answer,
            self.fault,
        )  # fmt: skip
        whole = "\n".join(told).lower()
        return all(word in whole for word in words)

    def answer(self) -> str:
        """What it answers, in a sentence; empty where it cannot be read."""
        if not self.run:
            return tr("nothing was measured")
        with suppress(SessionError), Session.read(self.path) as session:
            run = session.run(self.run)
            trials = session.trials(run.id)
            return one_line(AnsweredRun.of(run, trials).answer.headline.text)
        return ""

    def require_idle(self) -> None:
        """Raise SessionError where it is being measured: its file must stay where it is."""
        with Session.read(self.path) as session:
            runs = session.runs()
            if runs and runs[-1].how is None and being_measured(session, runs[-1].id):
                raise SessionError(tr_word("it is being measured right now"))

    @staticmethod
    def in_folder(folder: Path, report: ReportProgress) -> tuple[Listed, ...]:
        """The newest runs in a folder, the newest first; a session that cannot be read says why."""
        newest = newest_first(folder)[:MOST]
        listed: list[Listed] = []
        for number, (path, about) in enumerate(newest):
            report("sessions", number, len(newest))
            listed += _looked_at(path, about.st_size, about.st_mtime)
        return tuple(heapq.nlargest(MOST, listed, key=lambda one: one.changed))


def _looked_at(path: Path, size: int, changed: float) -> list[Listed]:
    unread = Listed(path=path, size=size, changed=changed)
    try:
        with Session.read(path) as session:
            runs, notes = session.runs(), session.notes()
            title = one_line(session.title)
    except SessionError as error:
        return [replace(unread, fault=one_line(str(error)))]
    of_session = replace(unread, title=title, notes=len(notes))
    return [
        replace(
            of_session,
            changed=run.started,
            run=run.id,
            subject=one_line(run.plan.title),
            dataset=one_line(run.plan.specs[0].dataset.location),
            machine=one_line(machine_text(run.environment)),
        )
        for run in runs
    ] or [of_session]


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
        table = summarise_runs({name: results for name, (_, results) in runs.items()})
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
        results, _ = results_of(run, session.trials(run.id))
        known[origin] = (run.trials, results)
    return results
