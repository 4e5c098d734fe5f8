"""The guide as web pages: whole, linked, and with nothing from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from loading import packaging_module
from page import Page

from core import GuidePage

make_guide = packaging_module("make_guide")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("guide")
    make_guide.main([str(folder)])
    return folder


def pages(folder: Path) -> dict[str, Page]:
    """Every page that was rendered, read strictly."""
    return {file.name: Page(file.read_text("utf-8")) for file in sorted(folder.glob("*.html"))}


def test_that_there_is_a_page_for_each_and_the_first_is_the_index(folder: Path) -> None:
    found = pages(folder)
    assert len(found) == len(GuidePage.all())
    assert "index.html" in found
    texts = {name: "".join(page.texts) for name, page in found.items()}
    assert "One click to a verdict" in texts["index.html"]
    assert all("Glossary" in text for text in texts.values())


def test_that_every_link_leads_to_a_page_and_a_heading(folder: Path) -> None:
    found = pages(folder)
    links = [(name, link) for name, page in found.items() for link in page.all_of("href")]
    assert any("#" in link for _, link in links)
    for name, link in links:
        target, _, heading = link.partition("#")
        assert not target.endswith(".md")
        assert not heading or heading in found[target or name].all_of("id")
        assert (folder / (target or name)).is_file()


def test_that_pictures_are_there_and_nothing_is_loaded_from_elsewhere(folder: Path) -> None:
    shown = [picture for page in pages(folder).values() for picture in page.all_of("src")]
    assert shown
    assert all((folder / picture).is_file() for picture in shown)
    for file in folder.glob("*.html"):
        assert not re.search(r"(src|href)=\"(https?:|//)|<script", file.read_text("utf-8"))


def test_that_lists_and_tables_become_html(folder: Path) -> None:
    page = pages(folder)["04-what-there-is.html"]
    assert len(page.tables) > 8
    (caches,) = (table for table in page.tables if table.rows[0] == ["Cache", "What it does"])
    assert len(caches.rows) > 5
    assert {"lru", "lru-locked"} <= {*page.texts}
    assert not [text for text in page.texts if "{{" in text or re.search(r"\*\*|\\\[", text)]
