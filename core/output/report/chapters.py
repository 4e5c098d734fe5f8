"""The content of a report: chapters, one for each run, gathered from a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.analysis.advice import Advice
from core.analysis.doubt import Mood
from core.errors import UnknownName
from core.language.sanitise import safe
from core.plan.spec import secrets_of
from core.result.result import Result
from core.session import Run, Session
from core.study.preset import Study, load_study


@dataclass(frozen=True, kw_only=True)
class Card:
    """The answer in plain words: one sentence, remarks on it, and the price."""

    lead: str
    mood: Mood = "open"
    reasons: tuple[str, ...] = ()
    advice: Advice | None = None


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """Results that belong together.  Without a run there is no command and no date."""

    title: str
    results: tuple[Result, ...]
    run: Run | None = None
    study: Study | None = None
    notes: tuple[str, ...] = ()
    card: Card | None = None
    """The text of a verdict or an advice; without it, the figures are put into words."""

    @property
    def cells(self) -> Mapping[str, Result]:
        """The results by the label of their cell; empty unless this is a study."""
        return self.study.results_by_label(self.results) if self.study else {}


@dataclass(frozen=True, kw_only=True)
class Report:
    """A title and its chapters."""

    title: str
    chapters: tuple[Chapter, ...]
    created: float | None = None
    """Seconds since 1970, UTC."""
    notes: tuple[str, ...] = field(default=())


def report_of(session: Session, run: int | None = None) -> Report:
    """All runs of a session, or one of them; raises SessionError."""
    runs = session.runs() if run is None else (session.run(run),)
    notes = session.notes()
    return Report(
        title=session.title or session.path.stem,
        created=session.created,
        chapters=tuple(
            _chapter(one, session.results(one.id), [n.text for n in notes if n.run == one.id])
            for one in runs
        ),
        notes=tuple(note.text for note in notes if note.run is None),
    )


def report_of_results(results: Sequence[Result], title: str = "Results") -> Report:
    """A report of results that have no session."""
    chapters = (Chapter(title=title, results=tuple(results)),) if results else ()
    return Report(title=title, chapters=chapters)


def _chapter(run: Run, results: Sequence[Result], notes: Sequence[str]) -> Chapter:
    # A secret that was unknown when the trials were written may be known now.
    secrets = secrets_of(run.plan.specs)
    return Chapter(
        title=run.plan.title,
        results=tuple(safe(result, secrets) for result in results),
        run=safe(run, secrets),
        study=_study(run),
        notes=tuple(notes),
    )


def _study(run: Run) -> Study | None:
    """The study of the run, for that machine; None where this Sluice does not know it."""
    try:
        cores = run.environment.usable_cores
        return load_study(run.plan.study, cores) if run.plan.study else None
    except UnknownName:
        return None
