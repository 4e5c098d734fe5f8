"""The runs in the sessions of a folder, as a list."""

from __future__ import annotations

import heapq
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.language import ReportProgress, SessionError, one_line, tr_word
from core.run import Session, being_measured, newest_first

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
    workload: str = ""
    subject: str = ""
    """What was measured."""
    dataset: str = ""
    """Where that data was."""
    machine: str = ""
    """On which it was measured."""
    fault: str = ""

    @property
    def name(self) -> str:
        """The title, or the name of the file."""
        return self.title or one_line(self.path.stem)

    def has(self, words: Sequence[str], answer: str) -> bool:
        """Whether each of some words, in small letters, is anywhere in what the list shows."""
        day = time.strftime("%Y-%m-%d", time.localtime(self.changed))
        fields = (
            self.name, self.path.name, self.subject, self.dataset, self.machine, day, answer,
            self.fault,
        )  # fmt: skip
        whole = "\n".join(fields).lower()
        return all(word in whole for word in words)

    def require_idle(self) -> None:
        """Raise SessionError where it is being measured: its file must stay where it is."""
        with Session.read(self.path) as session:
            runs = session.runs()
            if runs and runs[-1].how is None and being_measured(session, runs[-1].id):
                raise SessionError(tr_word("it is being measured right now"))

    @staticmethod
    def in_folder(folder: Path, report: ReportProgress, most: int = MOST) -> tuple[Listed, ...]:
        """The newest runs in a folder, the newest first; a session that cannot be read says why."""
        newest = newest_first(folder)[:most]
        listed: list[Listed] = []
        for number, (path, about) in enumerate(newest):
            report("sessions", number, len(newest))
            listed += _looked_at(path, about.st_size, about.st_mtime)
        return tuple(heapq.nlargest(most, listed, key=lambda one: one.changed))


def _looked_at(path: Path, size: int, changed: float) -> list[Listed]:
    unread = Listed(path=path, size=size, changed=changed)
    try:
        with Session.read(path) as session:
            runs, title = session.runs(), one_line(session.title)
    except SessionError as error:
        return [replace(unread, fault=one_line(str(error)))]
    of_session = replace(unread, title=title)
    return [
        replace(
            of_session,
            changed=run.started,
            run=run.id,
            workload=run.plan.specs[0].workload,
            subject=one_line(run.plan.title),
            dataset=one_line(run.plan.specs[0].dataset.location),
            machine=one_line(run.environment.machine_text),
        )
        for run in runs
    ] or [of_session]


@dataclass(frozen=True)
class Origin:
    """Which run: its session, and its number there."""

    session: Path
    run: int
