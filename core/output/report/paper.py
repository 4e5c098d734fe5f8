"""The report for paper: headings, texts, tables and pictures, as Qt's rich text knows them.

Qt's text engine has no SVG, no variables and no boxes beside each other, and a sheet has a width.
So pictures are named and handed over apart, in the colours that the page has on paper, and a table
with more columns than fit goes on below, each part with the column that names the rows.  What only
a page can fold away, single trials and their course, is left to that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from core.host.folders import cache_folder, make_private, resources_folder
from core.language.translation import translated_by
from core.output.export import write_whole
from core.output.report.chapters import Report, report_of
from core.output.report.html_page import render_report
from core.output.report.page_template import filled
from core.output.report.report_tables import Grid
from core.output.report.sections import Section, sections_of
from core.output.report.svg import PATHS
from core.session import Session

_MOST_COLUMNS = 9
"""Beside the one that names the rows, on a sheet in landscape."""
_W3 = "http://www.w3.org"
"""Where the names of SVG and of its links are defined."""
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


def render_paper(report: Report) -> Paper:
    """A report for paper and for a browser; raises NotWritten where it cannot be drawn."""
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
        for number, plot in enumerate(section.plots):
            yield f"plot:{section.key}-{number}", _file(str(plot.svg))


def _file(element: str) -> str:
    """A file of its own from an `<svg>` element of a page; the texts in it remain as they are."""
    root = ElementTree.fromstring(element)
    for part in root.iter():
        if "style" in part.attrib:
            part.attrib["style"] = _VARIABLE.sub(_coloured, part.attrib["style"])
        if "href" in part.attrib:
            part.attrib["xlink:href"] = part.attrib.pop("href")
    root.attrib |= {"xmlns": f"{_W3}/2000/svg", "xmlns:xlink": f"{_W3}/1999/xlink"}
    return ElementTree.tostring(root, encoding="unicode")


def _coloured(variable: re.Match[str]) -> str:
    return _colours()[variable[1]]


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
        kept = (0, *columns[first - 1 : first - 1 + each])
        yield Grid(
            caption=grid.caption if first == 1 else "",
            titles=tuple(grid.titles[place] for place in kept),
            rows=tuple(tuple(row[place] for place in kept) for row in grid.rows),
            right=frozenset(at for at, place in enumerate(kept) if place in grid.right),
            moods=grid.moods,
        )
