"""Reads a report's HTML strictly: what a browser would have to mend is a failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "img", "link", "input", "hr", "base", "area", "embed", "source", "wbr"}


@dataclass
class Table:
    """The texts of a table; the first row is that of the titles."""

    caption: str = ""
    rows: list[list[str]] = field(default_factory=list)


class Page(HTMLParser):
    """Elements, attributes, texts and tables of a page whose tags all match."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.tables: list[Table] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len({name for name, _ in attrs})
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append(Table())
        elif tag == "tr":
            self.tables[-1].rows.append([])
        elif tag in ("th", "td"):
            self.tables[-1].rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open, f"<{tag}/> is HTML nowhere but in SVG"
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if "caption" in self.open:
            self.tables[-1].caption += data
        elif self.open and self.open[-1] in ("th", "td"):
            self.tables[-1].rows[-1][-1] += data

    @property
    def tags(self) -> set[str]:
        return {tag for tag, _ in self.elements}

    def table(self, caption: str) -> Table:
        (found,) = (table for table in self.tables if caption in table.caption)
        return found

    def all_of(self, attribute: str) -> list[str]:
        return [attrs[attribute] for _, attrs in self.elements if attribute in attrs]
