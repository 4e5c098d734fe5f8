"""The report: one self-contained HTML file that shows and explains a session, also for paper.

    with Session.read(path) as session:
        page = render_report(report_of(session))

It has no script and loads nothing, and its Content-Security-Policy forbids both.  Its plots use the
page's own colours, so that one file works in light, in dark and on paper.  Text from outside
becomes part of a page only here: it is made visible, cut to a length and escaped.

Paper is what Qt's text engine knows: no SVG, no variables, no boxes beside each other, and a sheet
has a width.  So pictures are named and handed over apart, in the colours that the page has on
paper, and a table with more columns than fit goes on below, each part with the column that names
the rows.  What only a page can fold away, single trials and their course, is left to that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from xml.etree import ElementTree

from markupsafe import Markup

from core.language import one_line, sluice_version, translated_by
from core.measure import cache_folder, make_private, resources_folder
from core.run import Session
from core.tell.exchange import write_whole
from core.tell.report.report_content import Report, report_of, report_of_results
from core.tell.report.report_tables import Grid, moment
from core.tell.report.sections import Section, paragraphs, sections_of
from core.tell.report.svg import LINES, PATHS
from core.vocabulary import Result

if TYPE_CHECKING:
    import jinja2


_LONGEST = 1_000


def filled(name: str, report: Report, sections: Sequence[Section], **more: object) -> str:
    """A template of `resources/report` with a report in it; the same for the same report."""
    return (
        templates()
        .get_template(name)
        .render(
            report=report,
            created=moment(report.created) if report.created is not None else "",
            notes=paragraphs(report.notes),
            sections=sections,
            version=sluice_version(),
            marks=PATHS,
            lines=LINES,
            **more,
        )
    )


@cache
def templates() -> jinja2.Environment:
    """Those of `resources/report`, which show only what `_shown` has made fit."""
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
    return environment


def _shown(value: Any) -> Any:
    """A text fit for the page: visible, on one line, and of limited length."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    text = one_line(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"


def render_report(report: Report, sections: Sequence[Section] | None = None) -> str:
    """The page as HTML; the same for the same report.

    `sections`: those of the report, where they are known already.
    """
    return filled("report.html", report, sections_of(report) if sections is None else sections)


_MOST_COLUMNS = 9
"""Beside the one that names the rows, on a sheet in landscape."""
_VARIABLE = re.compile(r"var\(--([a-z0-9-]+)\)")
_COLOUR = re.compile(r"--([a-z0-9-]+): (#[0-9a-f]{6});")


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A report as rich text, its pictures apart."""

    text: str
    """HTML as Qt's rich text knows it; pictures are named `plot:KEY` and `mark:KEY`."""
    pictures: dict[str, str]
    """SVG files by name."""
    page: str
    """The same report for a browser, with all that paper leaves out."""

    @staticmethod
    def in_cache(session: Session) -> tuple[Paper, Path]:
        """The report of a session, and where that for a browser is: it can be made anew.

        Raises SessionError, NotWritten and OSError.
        """
        with translated_by(None):  # files are the same in every language
            paper = render_paper(report_of(session))
        folder = cache_folder() / "reports"
        make_private(folder)
        place = folder / f"{session.path.stem}.html"
        write_whole(place, lambda stream: stream.write(paper.page.encode()))
        return paper, place


def write_results(results: Sequence[Result], stream: BinaryIO) -> None:
    """The page of results alone: without the session's title, notes and commands."""
    stream.write(render_report(report_of_results(results)).encode())


def render_paper(report: Report) -> Paper:
    """A report for paper and for a browser."""
    sections = sections_of(report)
    return Paper(
        text=filled("paper.html", report, sections, parts=_parts, colours=_colours()),
        pictures=dict(_pictures(sections)),
        page=render_report(report, sections),
    )


def _pictures(sections: Sequence[Section]) -> Iterator[tuple[str, str]]:
    for place, path in enumerate(PATHS):
        mark = f'<path d="{path}" style="fill:var(--line-{place})"/>'
        yield (
            f"mark:{place}",
            _file(f'<svg viewBox="0 0 12 12" width="12" height="12">{mark}</svg>'),
        )
    for section in sections:
        for number, plot in enumerate(section["plots"]):
            yield f"plot:{section['key']}-{number}", _file(str(plot.svg))


def _file(element: str) -> str:
    """A file of its own from an `<svg>` element of a page; the texts in it remain as they are."""
    root = ElementTree.fromstring(element)
    for part in root.iter():
        if "style" in part.attrib:
            part.attrib["style"] = _VARIABLE.sub(
                lambda variable: _colours()[variable[1]], part.attrib["style"]
            )
    root.attrib["xmlns"] = "http://www.w3.org/2000/svg"
    return ElementTree.tostring(root, encoding="unicode")


@cache
def _colours() -> dict[str, str]:
    """The page's colours on white, by the names of its variables."""
    style = (resources_folder() / "report" / "report.css").read_text(encoding="utf-8")
    light, _, _ = style.partition("@media")
    return dict(_COLOUR.findall(light))


def _parts(grid: Grid) -> Iterator[Grid]:
    """A table as several that each fit on a sheet."""
    columns = range(1, len(grid.titles))
    wide = max(-(-len(columns) // _MOST_COLUMNS), 1)
    each = max(-(-len(columns) // wide), 1)
    for first in range(1, max(len(grid.titles), 2), each):
        places = (0, *columns[first - 1 : first - 1 + each])
        yield Grid(
            caption=grid.caption if first == 1 else "",
            titles=tuple(grid.titles[place] for place in places),
            rows=tuple(tuple(row[place] for place in places) for row in grid.rows),
            right=frozenset(at for at, place in enumerate(places) if place in grid.right),
            moods=grid.moods,
        )
