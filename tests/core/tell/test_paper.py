"""The report for paper: complete, in parts that fit on a sheet, and inert."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import building
import pytest
from page import Page

from core.tell.report.page import Paper, render_paper, render_report
from core.tell.report.report_content import Report, report_of_results
from core.vocabulary import Result

ELEMENTS = {
    "body", "h1", "h2", "h3", "h4", "head", "html", "img", "li", "p", "style", "table", "td", "th",
    "thead", "title", "tr", "ul",
}  # fmt: skip
"""All that the template is made of, and all known to Qt's rich text."""
MOST_COLUMNS = 10


def sweep() -> list[Result]:
    return [
        building.good(
            building.spec(threads=threads, parameters={"cache": cache, "cache_size": 128}),
            *(rate * threads**0.5 + at for at in range(3)),
        )
        for threads in (1, 2, 4)
        for cache, rate in (("none", 100.0), ("lru-locked", 900.0))
    ]


@pytest.fixture(scope="module")
def report() -> Report:
    return report_of_results(sweep(), title="a sweep")


@pytest.fixture(scope="module")
def paper(report: Report) -> Paper:
    return render_paper(report)


def check_inert(paper: Paper) -> Page:
    """That it is made of what the template has, and that its pictures are its own."""
    found = Page(paper.text)
    assert found.tags <= ELEMENTS
    assert set(found.all_of("src")) <= paper.pictures.keys()
    assert not found.all_of("href")
    for svg in paper.pictures.values():
        drawing = ElementTree.fromstring(svg)
        names = {element.tag.rpartition("}")[2] for element in drawing.iter()}
        assert names <= {"svg", "path", "text"}
        for element in drawing.iter():
            for attribute, value in element.attrib.items():
                assert "href" not in attribute
                assert attribute != "style" or "var(" not in value
    return found


def test_that_it_holds_the_headline_the_plots_and_the_results(paper: Paper) -> None:
    found = check_inert(paper)
    told = " ".join(found.texts)
    assert "a sweep" in told
    assert "What limits it" in told
    assert len([name for name in found.all_of("src") if name.startswith("plot:")]) >= 2
    titles = {title for table in found.tables for title in table.rows[0]}
    assert {"Cache", "Threads", "Trials", "p99", "Peak memory"} <= titles


def test_that_no_table_is_wider_than_a_sheet_and_each_part_names_its_rows() -> None:
    options = [f"option_{number}" for number in range(14)]
    results = [
        building.good(building.spec(parameters=dict.fromkeys(options, value)), 5.0)
        for value in ("a", "b")
    ]
    found = Page(render_paper(report_of_results(results)).text)
    parts = [table for table in found.tables if table.rows[0][0] == "Option 0"]
    assert len(parts) > 1
    for table in found.tables:
        assert all(len(row) <= MOST_COLUMNS for row in table.rows)
    seen = [title for table in parts for title in table.rows[0][1:]]
    assert len(seen) == len(set(seen))
    assert {f"Option {number}" for number in range(1, 14)} <= set(seen)


def test_that_it_comes_with_the_same_page_for_a_browser(paper: Paper, report: Report) -> None:
    assert paper.page == render_report(report)


def test_that_nothing_measured_is_said() -> None:
    assert "Nothing has been measured yet." in render_paper(Report(title="x", chapters=())).text


def test_that_hostile_texts_are_inert_and_stand_as_they_are(tmp_path: Path) -> None:
    texts = [text.encode("utf-8", "backslashreplace").decode() for text in building.HOSTILE]
    texts += ['a href="x" var(--none)', 'style="fill:var(--none)"', "<use href=x>"]
    results = [building.good(building.spec(parameters={"place": text}), 5.0, 6.0) for text in texts]
    paper = render_paper(report_of_results(results, title=texts[0]))
    check_inert(paper)
    drawn = " ".join(
        text.text or ""
        for svg in paper.pictures.values()
        for text in ElementTree.fromstring(svg).iter()
    )
    assert "var(--line" not in drawn
    assert re.search(r"href=.?x", " ".join(Page(paper.text).texts))
