"""The user guide says what the program has, because its lists come from there."""

from __future__ import annotations

import re

import building
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core import Choice, Driver, Entry, workloads
from core.judge import study_names
from core.lab.servers import SERVERS
from core.tell.exchange import FORMATS
from core.tell.guide import GuidePage, chapter, escaped
from core.tell.tables.result_tables import summarise, tabulate_trials
from core.vocabulary import Load, declared

PAGES = {page.name: page for page in GuidePage.all()}
THERE_IS = PAGES["04-what-there-is"]
RESULTS = PAGES["02-reading-results"]


def test_that_the_guide_is_read_from_the_first_steps_to_the_glossary() -> None:
    titles = [page.title for page in GuidePage.all()]
    assert titles[0] == "First steps"
    assert titles[-1] == "Glossary"
    assert len(titles) == len(set(titles)) == 11


def test_that_the_questions_of_new_users_are_answered_in_a_few_sentences() -> None:
    _, *asked = re.split(r"^### ", PAGES["08-questions"].source, flags=re.MULTILINE)
    answers = {}
    for one in asked:
        question, _, answer = one.partition("\n\n")
        answers[question] = answer.partition("\n## ")[0].strip()
    assert len(answers) == len(asked) >= 25
    assert all(question.endswith("?") for question in answers)
    assert all(20 < len(answer) < 500 for answer in answers.values())


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_that_every_list_that_a_page_names_is_filled_in(page: GuidePage) -> None:
    assert page.source.startswith("# ")
    assert "{{" not in page.text


def test_that_every_workload_reader_mode_and_store_is_in_the_guide() -> None:
    text = THERE_IS.text
    for name, entry in workloads().items():
        _, _, own = text.partition(f"### {escaped(entry.title)}: `{name}`")
        assert escaped(entry.purpose) in own
        for kind in declared(entry.workload().parameters):
            assert f"**{kind.label}** (`{kind.flag}`" in own
            if isinstance(kind, Choice):
                assert all(f"`{value}`" in own for value in kind.options)


def test_that_the_load_studies_servers_and_formats_are_in_the_guide() -> None:
    for kind in declared(Load):
        assert f"**{kind.label}** (`{kind.flag}`" in THERE_IS.text
    for name in (*study_names(), *SERVERS):
        assert f"| `{name}` |" in THERE_IS.text
    for name in FORMATS:
        assert f"| `{name}` |" in RESULTS.text


def test_that_every_column_of_the_tables_is_explained() -> None:
    results = [building.good(building.spec(threads=threads), 100.0, 110.0) for threads in (1, 2)]
    tables = (summarise(results), tabulate_trials(results))
    titles = {one.title for table in tables for one in table.columns if not one.parameter}
    rows = re.findall(r"^\| ([^|]+) \|", RESULTS.text, flags=re.MULTILINE)
    explained = {title for row in rows for title in row.split(", ")}
    assert {"Throughput", "p99", "Others"} <= titles <= explained


def test_that_terms_of_the_glossary_are_in_order_and_there_once() -> None:
    rows = re.findall(r"^\| ([^|]+) \|", PAGES["11-glossary"].source, flags=re.MULTILINE)[2:]
    assert len(rows) > 60
    assert len(rows) == len(set(rows))
    assert [row[0].lower() for row in rows] == sorted(row[0].lower() for row in rows)


def test_that_a_workload_whose_driver_is_missing_says_so_in_its_chapter() -> None:
    driver = Driver(module="no_such_module", distribution="no-such", install="pip install no-such")
    entry = Entry(name="far", title="Far", purpose="How far?", load="far:Far", drivers=(driver,))
    assert chapter(entry).startswith("### Far: `far`\n\nHow far?\n\n")
    assert "no-such is missing" in chapter(entry)


@given(st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S")), min_size=1))
def test_that_a_text_of_the_program_is_shown_as_it_is(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parseInline(escaped(text))[0].children or []
    assert {token.type for token in tokens} <= {"text", "text_special"}
    assert "".join(token.content for token in tokens) == text


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("First steps", "first-steps"),
        ("What “cannot tell” means", "what-cannot-tell-means"),
        ("All parameters: `tiles`", "all-parameters-tiles"),
    ],
)
def test_that_headings_are_named_as_on_the_web(heading: str, name: str) -> None:
    assert GuidePage.slug(heading) == name
