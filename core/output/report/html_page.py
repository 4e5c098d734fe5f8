"""The page: chapters with their plots and tables, through the template.

Every text passes `_shown` on its way into the template, which escapes it: text from outside becomes
part of a page only here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from core.analysis.diagnosis import Diagnosis, diagnose_all
from core.host.folders import resources_folder
from core.host.version import sluice_version
from core.language.invisible import one_line
from core.output.report import report_tables
from core.output.report.caveats import caveats
from core.output.report.chapters import Card, Chapter, Report
from core.output.report.gallery import MOST_OVER_TIME, Plot, Strip, plots_of, strips_of
from core.output.report.provenance import Facts, Origin, command_line, places, shared_settings, when
from core.output.report.report_card import Fact, card_of, chosen, facts
from core.output.report.report_tables import Grid, moment
from core.output.report.result_names import names_by_digest
from core.output.report.svg import LINES, PATHS, settings
from core.plan.floor import without_bare_files
from core.study import board_of_programs, judge, program_answers, scoreboard

if TYPE_CHECKING:
    import jinja2

_LONGEST = 1_000


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
    places: tuple[Origin, ...]
    command: str
    notes: tuple[str, ...]


def render_report(report: Report) -> str:
    """The page as HTML; the same for the same report."""
    with settings():
        sections = [
            _section(chapter, f"c{number}") for number, chapter in enumerate(report.chapters, 1)
        ]
    return _template().render(
        report=report,
        created=moment(report.created) if report.created is not None else "",
        notes=_paragraphs(report.notes),
        sections=sections,
        version=sluice_version(),
        marks=PATHS,
        lines=LINES,
    )


@cache
def _template() -> jinja2.Template:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resources_folder() / "report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["whole"] = lambda text: Markup("{}").format(one_line(text))
    return environment.get_template("report.html")


def _shown(value: Any) -> Any:
    """A text fit for the page: visible, on one line, and of limited length."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    text = one_line(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"


def _paragraphs(notes: Iterable[str]) -> tuple[str, ...]:
    return tuple(line for note in notes for line in note.splitlines() if line.strip())


def _section(chapter: Chapter, key: str) -> Section:
    results, run = without_bare_files(chapter.results), chapter.run
    names = names_by_digest(chapter.results, chapter.cells)
    card = card_of(chapter)
    best = chosen(results, card)
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
        plots=tuple(plots_of(chapter, results, names, key)),
        results=report_tables.results_grid(chapter.results, results) if results else None,
        diagnosis=diagnose_all(chapter.results, card.advice.spec if card.advice else None),
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
        notes=_paragraphs(chapter.notes),
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
