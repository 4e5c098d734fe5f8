"""The runs in the sessions of a folder: what each was about, and what it answered."""

from __future__ import annotations

import heapq
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import SessionError
from core.execution.recording import being_measured
from core.language.reporting import Tell
from core.language.translation import one_line, tr, tr_word
from core.output.card_text import answer_of, progress_of
from core.output.prepared import Prepared
from core.output.shown import results_of, study_of, trials_done
from core.session import Run, Session
from core.study.reproduction import reproduction_of

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
            results, rows = results_of(Prepared(session=session, run=run), trials)
            study = study_of(run)
            found = reproduction_of(study, results) if study else None
            progress = progress_of(run, len(rows), trials_done(trials))
            return one_line(answer_of(results if rows else (), progress, found).headline.text)
        return ""

    def require_idle(self) -> None:
        """Raise SessionError where it is being measured: its file must stay where it is."""
        with Session.read(self.path) as session:
            runs = session.runs()
            if runs and runs[-1].how is None and being_measured(session, runs[-1].id):
                raise SessionError(tr_word("it is being measured right now"))

    @staticmethod
    def in_folder(folder: Path, tell: Tell) -> tuple[Listed, ...]:
        """The newest runs in a folder, the newest first; a session that cannot be read says why."""
        found: list[tuple[float, Path, int]] = []
        with suppress(OSError):  # a folder that is not there yet holds none
            for path in folder.glob("*.sluice"):
                with suppress(OSError):
                    about = path.stat()
                    found.append((about.st_mtime, path, about.st_size))
        newest = heapq.nlargest(MOST, found)
        listed: list[Listed] = []
        for number, (changed, path, size) in enumerate(newest):
            tell("sessions", number, len(newest))
            listed += _looked_at(path, size, changed)
        return tuple(heapq.nlargest(MOST, listed, key=lambda one: one.changed))


def _looked_at(path: Path, size: int, changed: float) -> list[Listed]:
    try:
        with Session.read(path) as session:
            runs, notes = session.runs(), session.notes()
            title = one_line(session.title)
    except SessionError as error:
        return [Listed(path=path, size=size, changed=changed, fault=one_line(str(error)))]
    if not runs:
        return [Listed(path=path, size=size, changed=changed, title=title, notes=len(notes))]
    return [
        Listed(
            path=path,
            size=size,
            changed=run.started,
            run=run.id,
            title=title,
            subject=one_line(run.plan.title),
            dataset=one_line(run.plan.specs[0].dataset.location),
            machine=one_line(_machine(run)),
            notes=len(notes),
        )
        for run in runs
    ]


def _machine(run: Run) -> str:
    machine = run.environment
    return tr(
        "{model}, 1 core",
        "{model}, {count:g} cores",
        count=machine.usable_cores,
        model=machine.cpu_model,
    )
