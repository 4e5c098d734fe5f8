"""Results as tables on a terminal, from the same neutral tables that exports are made of."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

from core.naming import told
from core.plan import differing
from core.result import Result
from core.summary import RAW, Align, Table, summarise
from core.texts import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from core.importing import Imported
    from core.study import Study

_WIDE = 200  # columns for a pipe or a file, where nothing has to fit


def print_results(results: Sequence[Result]) -> None:
    """The summary of some results, and what went wrong in them."""
    from core.planning import floor_of

    table = summarise(results, floor_of)
    _print(_rendered([(column.title, column.align) for column in table.columns], _texts(table)))
    names = differing([result.spec for result in results if result.spec.workload != RAW])
    for result in results:
        for line in _remarks(result, names):
            _print(line)


def print_rows(
    titles: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()
) -> None:
    """A table of plain texts; columns named by index in `right` are aligned right."""
    aligns: list[Align] = ["right" if index in right else "left" for index in range(len(titles))]
    _print(_rendered(list(zip(titles, aligns, strict=True)), rows))


def print_imported(results: Sequence[Imported]) -> None:
    """Results of other programs: their label, how often they measured, median and range."""
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


def print_study(study: Study, results: Mapping[str, Result]) -> None:
    """The study's table with published and measured figures side by side, and its claims, judged."""
    from core.study import judge, scoreboard

    board = scoreboard(study, results)
    _print(f"\n{study.title}\nPublished: {study.source}; {study.machine}.\n")
    print_rows(board.titles, board.rows, right=range(1, 7))
    _print("")
    rows = [
        (one.claim.text, one.claim.published, one.here, one.judgement.value, one.reason)
        for one in judge(study, results)
    ]
    print_rows(("claim", "published", "here", "judgement", ""), rows)


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
    """What a table has no room for: the commonest complaint, a page cache that was not cold, notes."""
    name = told(result.spec, names)
    found: dict[str, None] = {}
    for trial in result.trials:
        for complaint in trial.complaints[:2]:
            found[
                f"{name}: {one_line(complaint.text)} (first at {one_line(complaint.first_item)})"
            ] = None
        if trial.proven_cold is False:
            found[f"{name}: not proven cold"] = None
        for note in trial.notes:
            found[f"{name}: {note}"] = None
    return list(found)[:4]


def _print(what: RenderableType) -> None:
    from rich.console import Console

    columns = shutil.get_terminal_size((_WIDE, 50)).columns
    console = Console(highlight=False, markup=False, soft_wrap=isinstance(what, str))
    if not console.is_terminal:
        console.width = max(columns, _WIDE)
    console.print(what)
