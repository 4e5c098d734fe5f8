"""Results as tables on a terminal, made from the same neutral tables as exports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

from core.cli.terminal import console, say, visible, width
from core.language.units import NOTHING
from core.plan.floor import without_bare_files
from core.plan.spec import differing, label
from core.result.outcome import describe_all, item_of
from core.result.result import Result
from core.tables.results_table import summarise
from core.tables.table import Align, Table

if TYPE_CHECKING:
    from core.output.exchange.imported import Imported
    from core.study.preset import Study
    from core.study.reproduction import Reproduction

_MOST_COMPLAINTS = 3
_LONGEST_CELL = 500


def print_results(results: Sequence[Result]) -> None:
    """Print the summary of some results, and what went wrong in them."""
    from core.plan.floor import floor_of

    table = summarise(results, floor_of)
    table = _fitted(table, width())
    _draw([(column.title, column.align) for column in table.columns], _texts(table))
    shown = without_bare_files(results)
    names = differing([result.spec for result in shown])
    remarks = [_remarks(result) for result in shown]
    # What is true of all settings is said once.
    shared = (
        [one for one in remarks[0] if all(one in each for each in remarks)] if shown[1:] else []
    )
    for remark in shared:
        say(remark)
    for result in results:
        for remark in _remarks(result):
            if remark not in shared:
                say(f"{label(result.spec, names)}: {remark}")


def print_table(table: Table) -> None:
    """Print all columns of a table that hold anything."""
    for column in table.columns:
        if all(cell.text == NOTHING for cell in table.column(column.key)):
            table = table.without(column.key)
    _draw([(column.title, column.align) for column in table.columns], _texts(table))


def print_rows(
    titles: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()
) -> None:
    """Print a table of plain texts; `right` holds the indices of right-aligned columns."""
    aligns: list[Align] = ["right" if index in right else "left" for index in range(len(titles))]
    _draw(list(zip(titles, aligns, strict=True)), rows)


def print_imported(results: Sequence[Imported]) -> None:
    """Print results of other programs; what has no figure has its reason instead."""
    from core.language.units import NOTHING, show_seconds

    percentiles = {"p50": "p50", "p99": "p99", "p999": "p99.9"}
    rows = []
    for one in results:
        values = one.values
        figures = [median(values), min(values), max(values)] if values else []
        told = [f"{value:,.0f}" if value >= 1e5 else f"{value:,.6g}" for value in figures]
        told = [str(len(values)), *told] if values else [NOTHING] * 4
        times = [
            show_seconds(one.latencies[name]) if name in one.latencies else NOTHING
            for name in percentiles
        ]
        ending = NOTHING if one.ending == "completed" else one.ending
        rows.append((one.label, one.source, *told, one.unit, *times, ending))
    titles = ["label", "written by", "values", "median", "least", "most", "per second"]
    titles += [*percentiles.values(), "ending"]
    # A column in which nothing is told is left out.
    kept = [place for place in range(len(titles)) if {row[place] for row in rows} != {NOTHING}]
    right = [kept.index(place) for place in range(2, len(titles) - 1) if place in kept]
    print_rows(
        [titles[place] for place in kept], [[row[place] for place in kept] for row in rows], right
    )


def print_study(study: Study, results: Sequence[Result]) -> None:
    """The study's table of published and measured figures side by side, and its judged claims."""
    from core.cli.advice_card import show_headline
    from core.output.card_text import sum_up
    from core.study.reproduction import reproduction_of

    found = reproduction_of(study, results)
    board = found.board
    say()
    say(study.title)
    if not study.programs:
        say(f"Published: {study.source}; {study.machine}.")
    say()
    print_rows(board.titles, board.rows, right=range(1, len(board.titles) - 1))
    for remark in found.remarks:
        say(remark)
    say()
    if not study.programs:
        _print_claims(found)
    measured = len(without_bare_files(results))
    show_headline(sum_up(results, measured, found=found), json=False)


def _print_claims(found: Reproduction) -> None:
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


def _fitted(table: Table, room: int) -> Table:
    """The table without the dispensable columns that do not fit."""
    for spare in sorted((one for one in table.columns if one.spare), key=lambda one: one.spare):
        widths = (
            max(len(column.title), *(len(row[place].text) for row in table.rows), 0) + 3
            for place, column in enumerate(table.columns)
        )
        if sum(widths) <= room:
            break
        table = table.without(spare.key)
    return table


def _texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def _draw(columns: Sequence[tuple[str, Align]], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for title, align in columns:
        table.add_column(Text(visible(title, _LONGEST_CELL)), justify=align)
    for row in rows:
        # The gate would do so too, but then no cell would be as wide as what it shows.
        table.add_row(*(Text(visible(text, _LONGEST_CELL)) for text in row))
    console(width=width()).print(table)


def _remarks(result: Result) -> list[str]:
    """What a table has no room for: the commonest errors, a page cache that was not cold, notes."""
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
            found[describe_all(trial.outcome)] = None
    told_complaints = [
        f"{count:,} × {text}, first at {first[text]}"
        for text, count in counts.most_common(_MOST_COMPLAINTS)
    ]
    return [*told_complaints, *found]
