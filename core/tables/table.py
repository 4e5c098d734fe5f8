"""A neutral table: columns, and rows of cells with a value and a text."""

from __future__ import annotations

from typing import Literal

import msgspec

from core.catalog.parameters import Value
from core.language.sanitise import Name
from core.language.units import Unit

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

    def column(self, key: str) -> tuple[Cell, ...]:
        """The cells of one column; raises KeyError where the table has no such column."""
        keys = [column.key for column in self.columns]
        if key not in keys:
            raise KeyError(key)
        return tuple(row[keys.index(key)] for row in self.rows)
