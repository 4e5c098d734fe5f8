"""What the templates of a report need: chapters with their plots, tables and facts, as sections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.analysis.diagnosis import Diagnosis, diagnose_all
from core.output.report import report_tables
from core.output.report.caveats import caveats
from core.output.report.chapters import Card, Chapter, Report
from core.output.report.gallery import MOST_OVER_TIME, Plot, Strip, plots_of, strips_of
from core.output.report.provenance import (
    Facts,
    Provenance,
    command_line,
    places,
    shared_settings,
    when,
)
from core.output.report.report_card import Fact, card_of, chosen, facts
from core.output.report.report_tables import Grid
from core.output.report.svg import settings
from core.output.result_names import names_by_digest
from core.plan.floor import without_bare_files
from core.study.board import scoreboard
from core.study.judge_claims import judge
from core.study.program_answers import board_of_programs, program_answers


@dataclass(frozen=True, kw_only=True)
class Section:
    """A chapter as the template needs it."""

    key: str
    title: str
    when: str
    card: Card
    facts: tuple[Fact, ...]
    facts_of: str
    scoreboard: Grid | None
    claims: Grid | None
    about: tuple[str, ...]
    plots: tuple[Plot, ...]
    results: Grid | None
    diagnosis: Diagnosis | None
    caveats: tuple[str, ...]
    phases: Grid | None
    price: Grid | None
    complaints: Grid | None
    strips: tuple[Strip, ...]
    strips_left_out: int
    trials: Grid | None
    nodes: Grid | None
    settings: Facts
    places: tuple[Provenance, ...]
    command: str
    notes: tuple[str, ...]


def sections_of(report: Report) -> tuple[Section, ...]:
    """One section for each chapter; raises NotWritten where the plots cannot be drawn."""
    with settings():
        return tuple(
            _section(chapter, f"c{number}") for number, chapter in enumerate(report.chapters, 1)
        )


def paragraphs(notes: Iterable[str]) -> tuple[str, ...]:
    """The lines of notes that say something."""
    return tuple(line for note in notes for line in note.splitlines() if line.strip())


def _section(chapter: Chapter, key: str) -> Section:
    results, run = without_bare_files(chapter.results), chapter.run
    names = names_by_digest(chapter.results, chapter.cells)
    card = card_of(chapter)
    # Of several programs none is the chosen one, and none explains another.
    one_answer = chapter.study is None or not chapter.study.programs
    best = chosen(results, card) if one_answer else None
    strips = tuple(strips_of(results, names, key))
    return Section(
        key=key,
        title=chapter.title,
        when=when(run) if run else "",
        card=card,
        facts=facts(chapter.results, best) if results else (),
        facts_of=names[best.spec.digest] if best and len(results) > 1 else "",
        scoreboard=_scoreboard(chapter),
        claims=_claims(chapter),
        about=_about(chapter),
        plots=tuple(plots_of(chapter, results, names, key, card.advice)),
        results=report_tables.results_grid(chapter.results, results) if results else None,
        diagnosis=diagnose_all(chapter.results, card.advice.spec if card.advice else None)
        if one_answer
        else None,
        caveats=caveats(chapter, names),
        phases=report_tables.phases_grid(results, names) if results else None,
        price=report_tables.price_grid(card.advice) if card.advice else None,
        complaints=report_tables.complaints_grid(chapter.results, names),
        strips=strips,
        strips_left_out=max(len(results) - MOST_OVER_TIME, 0),
        trials=report_tables.trials_grid(chapter.results, names) if results else None,
        nodes=report_tables.nodes_grid(chapter.results),
        settings=shared_settings(chapter.results),
        places=places(chapter.results),
        command=command_line(run.command) if run else "",
        notes=paragraphs(chapter.notes),
    )


def _scoreboard(chapter: Chapter) -> Grid | None:
    if chapter.study is None:
        return None
    if chapter.study.programs:
        answers, remarks = program_answers(chapter.study, chapter.cells)
        caption = "The threads that each program wants here"
        return report_tables.board_grid(
            board_of_programs(chapter.study, answers), "; ".join((caption, *remarks)) + ".", ()
        )
    return report_tables.board_grid(
        scoreboard(chapter.study, chapter.cells, chapter.results),
        "Published figures and those measured here, each also as a ratio to "
        f"“{chapter.study.baseline}” on its own side.",
        [chapter.cells.get(cell.label) for cell in chapter.study.cells],
    )


def _claims(chapter: Chapter) -> Grid | None:
    if chapter.study is None or not chapter.study.claims:
        return None
    return report_tables.claims_grid(judge(chapter.study, chapter.cells))


def _about(chapter: Chapter) -> tuple[str, ...]:
    study = chapter.study
    if study is None:
        return ()
    published = f"Published: {study.source}; {study.machine}."
    return (study.about,) if study.programs else (study.about, published)
