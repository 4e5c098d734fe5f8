"""Results as tables on a terminal, made from the same neutral tables as exports."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

from core.language.invisible import one_line
from core.plan.floor import without_bare_files
from core.plan.labels import label
from core.plan.spec import differing
from core.result.outcome import describe_all, item_of
from core.result.result import Result
from core.tables.results_table import summarise
from core.tables.table import Align, Table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from core.output.import_ import Imported
    from core.study import Study

_WIDE = 300  # columns for a pipe or a file, which have no width to fit
_MOST_COMPLAINTS = 3
_DISPENSABLE = (
    "errors",
    "wrong",
    "harness",
    "p50",
    "phases",
    "trials",
    "floor",
    "dataset_fds",
    "peak_rss",
)
"""Columns to drop on a narrow terminal, in this order; the ending repeats the first two."""


def print_results(results: Sequence[Result]) -> None:
    """Print the summary of some results, and what went wrong in them."""
    from core.plan.floor import floor_of

    table = summarise(results, floor_of)
    table = _fitted(table, _columns())
    _print(_rendered([(column.title, column.align) for column in table.columns], _texts(table)))
    names = differing([result.spec for result in without_bare_files(results)])
    for result in results:
        for line in _remarks(result, names):
            _print(line)


def print_rows(
    titles: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()
) -> None:
    """Print a table of plain texts; `right` holds the indices of right-aligned columns."""
    aligns: list[Align] = ["right" if index in right else "left" for index in range(len(titles))]
    _print(_rendered(list(zip(titles, aligns, strict=True)), rows))


def print_imported(results: Sequence[Imported]) -> None:
    """Print results of other programs: label, source, number of values, median, range, unit."""
    rows = []
    for one in results:
        low, high = (min(one.values), max(one.values)) if one.values else (0.0, 0.0)
        middle = median(one.values) if one.values else 0.0
        figures = [f"{value:,.6g}" for value in (middle, low, high)]
        rows.append(
            (one_line(one.label), one_line(one.source), str(len(one.values)), *figures, one.unit)
        )
    titles = ("label", "written by", "values", "median", "least", "most", "unit")
    print_rows(titles, rows, right=range(2, 6))


def print_study(study: Study, results: Sequence[Result]) -> None:
    """The study's table of published and measured figures side by side, and its judged claims."""
    from core.cli.advice_card import show_headline
    from core.output.card_text import headline_of_study
    from core.study import reproduction_of

    found = reproduction_of(study, results)
    board = found.board
    _print(f"\n{study.title}\nPublished: {study.source}; {study.machine}.\n")
    print_rows(board.titles, board.rows, right=range(1, len(board.titles) - 1))
    _print("")
    rows = [
        (
            one.claim.text,
            one.claim.published,
            one.here,
            one.judgement.value,
            one.size.value if one.size else "",
            one.reason,
        )
        for one in found.judged
    ]
    print_rows(("claim", "published", "here", "judgement", "size", ""), rows)
    measured = len(without_bare_files(results))
    show_headline(headline_of_study(found, results, measured, {}), json=False)


def _fitted(table: Table, width: int) -> Table:
    """The table without the dispensable columns that do not fit."""
    for key in _DISPENSABLE:
        widths = (
            max(len(column.title), *(len(row[place].text) for row in table.rows), 0) + 3
            for place, column in enumerate(table.columns)
        )
        if sum(widths) <= width:
            break
        table = table.without(key)
    return table


def _columns() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDE


def _texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def _rendered(
    columns: Sequence[tuple[str, Align]], rows: Sequence[Sequence[str]]
) -> RenderableType:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for title, align in columns:
        table.add_column(Text(title), justify=align)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _remarks(result: Result, names: tuple[str, ...]) -> list[str]:
    """What a table has no room for: the commonest errors, a page cache that was not cold, notes."""
    name = label(result.spec, names)
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    found: dict[str, None] = {}
    for trial in result.trials:
        for complaint in trial.complaints:
            counts[complaint.text] += complaint.count
            first.setdefault(complaint.text, complaint.first_item)
        if trial.proven_cold is False:
            found["not proven cold"] = None
        found |= dict.fromkeys(trial.notes)
        if item_of(trial.outcome):
            found[one_line(describe_all(trial.outcome))] = None
    told_complaints = [
        f"{count:,} × {one_line(text)}, first at {one_line(first[text])}"
        for text, count in counts.most_common(_MOST_COMPLAINTS)
    ]
    return [f"{name}: {remark}" for remark in (*told_complaints, *found)]


def _print(what: RenderableType) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, width=_columns())
    console.print(what, soft_wrap=isinstance(what, str))
