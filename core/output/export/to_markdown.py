"""The table of results, in GitHub's Markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, BinaryIO

from core.language.translation import one_line
from core.plan.floor import floor_of
from core.tables.results_table import caption, summarise

if TYPE_CHECKING:
    from core.result.result import Result
    from core.tables.table import Table


def write(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write what the results share as one line, and a table with a row for each."""
    stream.write(table_text(summarise(results, floor_of), caption(results)).encode())


def table_text(table: Table, told: str) -> str:
    """A table, below a line of text where there is one."""
    head = f"{_escaped(told)}\n\n" if told else ""
    return head + "".join(f"{line}\n" for line in _lines(table))


def _lines(table: Table) -> Iterable[str]:
    yield _line(column.title for column in table.columns)
    yield "|" + "|".join("---" if c.align == "left" else "--:" for c in table.columns) + "|"
    for row in table.rows:
        yield _line(cell.text for cell in row)


def _line(texts: Iterable[str]) -> str:
    return "| " + " | ".join(map(_escaped, texts)) + " |"


def _escaped(text: str) -> str:
    """The literal text: no markup, no cell borders, no HTML."""
    marked = re.sub(r"([\\`*_\[\]|~$#!{}])", r"\\\1", one_line(text))
    return html.escape(marked, quote=False)
