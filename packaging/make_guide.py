"""Renders the user guide as web pages, one for each, with the pictures that they show.

make guide
python packaging/make_guide.py FOLDER
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core import GuidePage
from core.language.program import sluice_version

ROOT = Path(__file__).resolve().parent.parent
PICTURES = "pictures"
TEMPLATE = Path(__file__).with_name("guide.html")


def main(arguments: Sequence[str] | None = None) -> None:
    """Render all pages into a folder; what is in it of an earlier time is replaced."""
    parser = argparse.ArgumentParser(description="Render the user guide as web pages.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist" / "guide")
    folder: Path = parser.parse_args(arguments).folder
    for file in write_guide(folder):
        print(file)


def write_guide(folder: Path) -> list[Path]:
    """Write pages and pictures; the files of the pages, the first of which is `index.html`."""
    pages = GuidePage.all()
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    template = environment.from_string(TEMPLATE.read_text("utf-8"))
    (folder / PICTURES).mkdir(parents=True, exist_ok=True)
    written = []
    for page in pages:
        body, pictures = rendered(page)
        for picture in pictures:
            shutil.copy(picture, folder / PICTURES / picture.name)
        links = [(file_of(each.name, pages), each.title, each is page) for each in pages]
        text = template.render(page=page, body=body, links=links, version=sluice_version())
        file = folder / file_of(page.name, pages)
        file.write_text(text, "utf-8")
        written.append(file)
    return written


def file_of(name: str, pages: Sequence[GuidePage]) -> str:
    return "index.html" if name == pages[0].name else f"{name}.html"


def rendered(page: GuidePage) -> tuple[str, list[Path]]:
    """The page's content as HTML, and the files of its pictures."""
    reader = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table")
    tokens = reader.parse(page.text)
    pictures: list[Path] = []
    names = GuidePage.all()
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", GuidePage.slug(_plain(tokens[index + 1])))
        for inner in token.children or ():
            if inner.type == "link_open":
                inner.attrSet("href", _link(str(inner.attrs["href"]), names))
            elif inner.type == "image":
                pictures.append((page.file.parent / str(inner.attrs["src"])).resolve())
                inner.attrSet("src", f"{PICTURES}/{pictures[-1].name}")
    return reader.renderer.render(tokens, reader.options, {}), pictures


def _plain(token: Token) -> str:
    return "".join(inner.content for inner in token.children or ())


def _link(target: str, pages: Sequence[GuidePage]) -> str:
    """A link between pages of Markdown as one between web pages."""
    match = re.fullmatch(r"([\w-]+)\.md(#.*)?", target)
    return file_of(match[1], pages) + (match[2] or "") if match else target


if __name__ == "__main__":
    main()
