"""A neutral table: columns, and rows of cells with a value and a text; filtered and sorted.

A filter is words and conditions; a row must meet all of them.  A row meets a word where the text of
any column contains it, in upper or lower case; a word with spaces stands between quotes.  A
condition compares a column, by its key, its title or a word of that: `threads>4`, `p99<=5ms`,
`memory<1GiB`, `ending!=completed`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from core.language import NOTHING, Name, Unit, UsageError, parse, tr, unmarked
from core.vocabulary import Value

type Align = Literal["left", "right"]


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """What one column holds; `key` is stable, `title` is for people."""

    key: Name
    title: str
    align: Align = "right"
    unit: Unit = ""
    parameter: bool = False
    """Whether it holds a parameter, not a measurement."""
    folded: bool = False
    """Whether a window hides it at first."""
    spare: int = 0
    """The order in which columns are left out where there is no room; 0 = never."""


class Cell(msgspec.Struct, frozen=True):
    """A value to compute with and the text to show; the text can contain names from users."""

    value: Value | None
    text: str
    state: str = ""
    """Of a cell that says how trials ended: the worst that happened, in English (`State`)."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of cells, one row for each shown result, in the results' order."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def without(self, key: str) -> Table:
        """The table without that column; as it is where it has none."""
        places = [place for place, column in enumerate(self.columns) if column.key != key]
        return Table(
            columns=tuple(self.columns[place] for place in places),
            rows=tuple(tuple(row[place] for place in places) for row in self.rows),
        )

    def with_units_above(self) -> Table:
        """A unit such as `reads/s` that all figures of a column share stands in its title."""
        columns, texts = list(self.columns), [[cell.text for cell in row] for row in self.rows]
        for place, column in enumerate(self.columns):
            units = {text.rpartition(" ")[2] for text in self._figures(place)}
            if column.align == "right" and len(units) == 1 and "/" in (unit := units.pop()):
                title = f"{column.title}, {unit}"
                columns[place] = msgspec.structs.replace(column, title=title)
                for row in texts:
                    row[place] = row[place].removesuffix(f" {unit}")
        rows = (
            tuple(
                msgspec.structs.replace(cell, text=text) for cell, text in zip(*pair, strict=True)
            )
            for pair in zip(self.rows, texts, strict=True)
        )
        return Table(columns=tuple(columns), rows=tuple(rows))

    def _figures(self, place: int) -> list[str]:
        return [row[place].text for row in self.rows if row[place].text != NOTHING]

    @property
    def filter_example(self) -> str:
        """A filter of its own columns, such as `lru threads>4 p99<5ms`."""
        parts: dict[str, str] = {}
        for column in self.columns:
            cells = self.column(column.key) if column.parameter else ()
            cell = next((one for one in cells if one.value is not None), Cell(None, ""))
            if isinstance(cell.value, str):
                word = re.split(r"\W", cell.text)[0].casefold()
                parts.setdefault("word", word)
            elif cell.value is not None:
                least = min(one.value for one in cells if isinstance(one.value, int | float))
                parts.setdefault("number", f"{column.key}>{least:g}")
            elif column.key == "p99":
                parts["time"] = "p99<5ms"
        return " ".join(filter(None, parts.values()))

    def column(self, key: str) -> tuple[Cell, ...]:
        """The cells of one column; raises KeyError where the table has no such column."""
        keys = [column.key for column in self.columns]
        if key not in keys:
            raise KeyError(key)
        return tuple(row[keys.index(key)] for row in self.rows)


type Row = Sequence[Cell]
type Keeps = Callable[[Row], bool]

_PART = re.compile(r'"([^"]*)"?|(\S+)')
_CONDITION = re.compile(r"(\w[\w.]*)(<=|>=|!=|=|<|>)(.*)")
_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


class Arrangement(msgspec.Struct, frozen=True, kw_only=True):
    """How to show a table; columns are named by their keys."""

    filter: str = ""
    sort_by: str = ""
    descending: bool = False

    def of(self, table: Table) -> tuple[int, ...]:
        """The places of the rows to show; raises UsageError for a filter that cannot be read.

        Rows without a value come last in both directions, and rows with the same value stay in the
        table's order.  A column that the table lacks is ignored.
        """
        keeps = read_filter(self.filter, table.columns)
        places = [place for place, row in enumerate(table.rows) if keeps(row)]
        if self.sort_by in [column.key for column in table.columns]:
            places = _sorted(places, table.column(self.sort_by), descending=self.descending)
        return tuple(places)


def read_filter(text: str, columns: Sequence[Column]) -> Keeps:
    """A function that says whether a row is kept; raises UsageError for an unreadable condition."""
    conditions = [_condition_or_word(match, columns) for match in _PART.finditer(text)]
    return lambda row: all(keeps(row) for keeps in conditions)


def _condition_or_word(match: re.Match[str], columns: Sequence[Column]) -> Keeps:
    quoted, bare = match.groups()
    if bare is not None and (condition := _CONDITION.fullmatch(bare)):
        return _condition(condition[1], condition[2], condition[3], columns)
    word = (bare if quoted is None else quoted).casefold()
    return lambda row: any(word in name for cell in row for name in _names(cell))


def _names(cell: Cell) -> tuple[str, str]:
    """Its text, and the code name of a value that has a plain one."""
    code = cell.value if isinstance(cell.value, str) else cell.text
    return cell.text.casefold(), code.casefold()


def _condition(name: str, sign: str, operand: str, columns: Sequence[Column]) -> Keeps:
    place = _column_index(name, columns)
    if not operand:
        raise UsageError(tr("{condition} lacks a value", condition=f"{name}{sign}"))
    holds = _COMPARISONS[sign]
    number = _number(operand, columns[place])
    if number is None and sign not in ("=", "!="):
        raise UsageError(
            tr("{value!r} is no value for {column}", value=operand, column=columns[place].title)
        )
    text = operand.casefold()

    def keeps(row: Row) -> bool:
        cell = row[place]
        if number is not None and isinstance(cell.value, int | float):
            return holds(cell.value, number)
        if sign not in ("=", "!="):
            return False
        return (text in _names(cell)) is (sign == "=")

    return keeps


def _column_index(name: str, columns: Sequence[Column]) -> int:
    key = name.casefold()
    titles = [column.title.casefold() for column in columns]
    for place, column in enumerate(columns):
        if key in (column.key, titles[place].replace(" ", "_")):
            return place
    for place, title in enumerate(titles):
        if key in title.split():
            return place
    raise UsageError(tr("no column is called {name!r}", name=name))


def _number(text: str, column: Column) -> float | None:
    """The text as a value of that column, in its unit; None where it is not one."""
    try:
        return parse(unmarked(text), column.unit)
    except ValueError:
        return None


def _sorted(places: Sequence[int], cells: Row, *, descending: bool) -> list[int]:
    valued = [place for place in places if cells[place].value is not None]
    empty = [place for place in places if cells[place].value is None]
    valued.sort(key=lambda place: _rank(cells[place]), reverse=descending)
    return valued + empty


def _rank(cell: Cell) -> tuple[int, float, str]:
    """A sort key: numbers by value, then texts."""
    if isinstance(cell.value, bool | int | float):
        return 0, float(cell.value), ""
    return 1, 0.0, cell.text.casefold()
