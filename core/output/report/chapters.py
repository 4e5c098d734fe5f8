"""The content of a report: a chapter for each run of a session, and its answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.analysis.advice import Advice
from core.analysis.estimation import typical
from core.analysis.how_measured import describe_file_systems
from core.analysis.trust import wrong_in
from core.analysis.verdict import Mood
from core.language.sanitise import safe
from core.language.translation import capitalised
from core.language.units import show_count, show_seconds, show_size
from core.output.card_text import Answer, Progress, answer_of, progress_of
from core.plan.floor import without_bare_files
from core.plan.spec import secrets_of
from core.result.metrics import leading
from core.result.result import Result
from core.session import Run, Session
from core.study.judge_claims import judge, tally
from core.study.preset import Study, study_of
from core.study.reproduction import reproduction_of
from core.tables.results_table import first_cell


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
    chapters = (Chapter(title=title, results=tuple(results)),) if results else ()
    return Report(title=title, chapters=chapters)


def _chapter(run: Run, results: Sequence[Result], notes: Sequence[str]) -> Chapter:
    # A secret that was unknown when the trials were written may be known now.
    secrets = secrets_of(run.plan.specs)
    return Chapter(
        title=run.plan.title,
        results=tuple(safe(result, secrets) for result in results) if secrets else tuple(results),
        run=safe(run, secrets),
        study=study_of(run),
        notes=tuple(notes),
    )


_NO_ANSWER = "No answer: not one result is valid."


def card_of(chapter: Chapter) -> Card:
    """The chapter's own card, or one that names the fastest result and what did not count."""
    if chapter.card is not None:
        return chapter.card
    results = without_bare_files(chapter.results)
    if not results:
        return Card(lead="Nothing has been measured yet.")
    broken = _broken(results)
    if not any(result.valid for result in results):
        return Card(lead=_judged(chapter) or _NO_ANSWER, mood="bad", reasons=broken)
    answer = _answer(chapter, len(results))
    told, advice = answer.headline, answer.advice
    doubts = (*(doubt.full_text for doubt in told.doubts), *describe_file_systems(results))
    if judged := _judged(chapter):
        asked = bool(chapter.study and chapter.study.sides)
        lead, more = (told.text, (judged,)) if asked else (judged, ())
        return Card(lead=lead, mood=told.mood, reasons=(*more, *doubts, *broken))
    if advice is not None and not (chapter.study and chapter.study.programs):
        reasons = (*doubts, *_argued(advice), *broken)
        return Card(lead=told.text, mood=told.mood, reasons=reasons, advice=advice)
    lead = f"{told.text.removesuffix('.')}."
    return Card(lead=lead, mood=told.mood, reasons=(*doubts, *broken))


def _answer(chapter: Chapter, measured: int) -> Answer:
    """What the window's card says about the same results."""
    run, study = chapter.run, chapter.study
    progress = Progress(of=measured) if run is None else progress_of(run, measured, run.trials)
    found = reproduction_of(study, chapter.results) if study is not None else None
    return answer_of(chapter.results, progress, found)


def _argued(advice: Advice) -> Iterator[str]:
    """The reasons in sentences that the advice's own sentence does not give."""
    yield from map(capitalised, advice.further_reasons)
    if advice.confident and not advice.lines:
        for rival in advice.rivals:
            yield f"{capitalised(rival.text)}."


def _judged(chapter: Chapter) -> str:
    """How many claims are reproduced; empty where there are none."""
    return tally(judge(chapter.study, chapter.cells)) if chapter.study else ""


def _broken(results: Sequence[Result]) -> tuple[str, ...]:
    broken = sum(not result.valid for result in results)
    if not broken:
        return ()
    of = f"{broken} of {len(results)} results" if len(results) > 1 else "The result"
    return (f"{of} {'have' if broken > 1 else 'has'} no throughput because something went wrong.",)


class KeyFigure(NamedTuple):
    """A figure of the headline; `mood` is `bad` or empty."""

    title: str
    text: str
    mood: str = ""


def key_figures(results: Sequence[Result], best: Result | None) -> tuple[KeyFigure, ...]:
    """A few figures of the chosen result, and how many operations were checked in all."""
    wrong = any(trial.wrong for result in results for trial in result.trials)
    found = [KeyFigure("Wrong data, all results", wrong_in(results), "bad" if wrong else "")]
    if best is None:
        return tuple(found)
    for title, metric, show in (
        ("Open files of the data", "dataset_fds", show_count),
        ("Peak memory", "peak_rss", show_size),
        ("p99 latency", "p99", show_seconds),
    ):
        value = typical(best, metric)
        if value is not None:
            found.insert(0, KeyFigure(title, show(value)))
    return (KeyFigure(leading([best])[0].title, first_cell(best).text), *found)
