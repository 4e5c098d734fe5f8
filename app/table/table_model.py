"""The table as a Qt model, in which figures stand below each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, override

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from app.style.labels import as_tip
from app.style.theme import LIGHT
from app.table.table_rows import NO_ROWS
from core import Table, one_line

if TYPE_CHECKING:
    from app.style.theme import Theme
    from app.table.table_rows import Row, Rows

type Index = QModelIndex | QPersistentModelIndex

BAD = frozenset({"wrong data", "crashed", "failed", "timed out", "errors", "nothing done"})
"""Endings that are written in the colour of alarm."""
_NO_INDEX = QModelIndex()
_BETWEEN, _TIMES = " ± ", "×"
_WITH_UNIT = re.compile(r".*[\d)] ([^\d)]+)")


_ROOM = 1.08
"""Of the axis of ratios, so that the largest is not at its end."""
WHISKER = Qt.ItemDataRole.UserRole
"""The role of what is drawn of a ratio."""


class Whisker(NamedTuple):
    """A ratio to the best with its interval; `most`: the right end of the axis, which all share."""

    value: float
    low: float
    high: float
    most: float
    hollow: bool
    """Whether it is not measurably different."""


class TableModel(QAbstractTableModel):
    """Shows some of `Rows`, in an order."""

    def __init__(self) -> None:
        super().__init__()
        self._rows = NO_ROWS
        self._places: tuple[int, ...] = ()
        self._decided: Collection[str] = ()
        self._theme = LIGHT
        self._most = 1.0
        """The right end of the axis of ratios."""
        self._figures: dict[int, ColumnFigures] = {}
        """By the places of their columns, of those that somebody looks at."""
        self._arrows: dict[str, str] = {}
        """By the key of the column that the rows are in the order of."""

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme

    def decide(self, settings: Collection[str]) -> None:
        """Say of the specs with these digests, and no others, that they are decided."""
        if set(settings) != set(self._decided):
            self._decided = settings
            self._say_that_figures_changed()

    def mark_order(self, key: str, *, descending: bool) -> None:
        """Say above the column of that key that the rows are in its order; '' is none.

        Qt's own mark would need room beside each title.
        """
        self._arrows = {key: "↓" if descending else "↑"}
        self._say_that_titles_changed()

    def show(self, rows: Rows, places: tuple[int, ...]) -> bool:
        """Show the rows at these places, in this order.

        Returns whether all indexes have become invalid, because more than figures changed.
        """
        same = _shape(rows, places) == _shape(self._rows, self._places)
        verdicts = [row.standing.verdict for row in rows.rows if row.standing]
        if not same:
            self.beginResetModel()
        self._rows, self._places = rows, places
        self._most = _ROOM * max([1.0, *(one.ratio or 0.0 for one in verdicts if one)])
        self._figures.clear()
        if same:
            self._say_that_figures_changed()
            self._say_that_titles_changed()
        else:
            self.endResetModel()
        return not same

    def _say_that_figures_changed(self) -> None:
        if self._places:
            corner = self.index(len(self._places) - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), corner)

    def _say_that_titles_changed(self) -> None:
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    @property
    def rows(self) -> Rows:
        """The rows before they were arranged."""
        return self._rows

    @property
    def places(self) -> tuple[int, ...]:
        """The places of the shown rows in `rows`, from top to bottom."""
        return self._places

    def row_at(self, index: Index) -> Row:
        return self._rows.rows[self._places[index.row()]]

    @override
    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._places)

    @override
    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return len(self._rows.table.columns)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self._cell_data(self._places[index.row()], index.column(), role)

    def _cell_data(self, place: int, column: int, role: int) -> object:
        cell = self._rows.table.rows[place][column]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._briefly(place, column).format(self._figures_of(column).text(cell.text))
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._briefly(place, column).format(one_line(cell.text))
            case Qt.ItemDataRole.ToolTipRole:
                decided = self.tr("{}, not measured any more")
                form = decided if self._is_decided(place, column) else "{}"
                return as_tip(form.format(one_line(cell.text)))
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(column)
            case _:
                return self._look(place, column, role)

    def _briefly(self, place: int, column: int) -> str:
        """With a place for the text of the cell."""
        return self.tr("{}, no more trials") if self._is_decided(place, column) else "{}"

    def _figures_of(self, column: int) -> ColumnFigures:
        if column not in self._figures:
            self._figures[column] = ColumnFigures.of(self._rows.table, column)
        return self._figures[column]

    def _look(self, place: int, column: int, role: int) -> object:
        """What to use is green, and how something ended badly is red."""
        if role == WHISKER:
            return self._whisker(place) if self._rows.table.columns[column].key == "ratio" else None
        if not self._tells_result(column):
            return None
        bad, row = self._rows.table.rows[place][column].state in BAD, self._rows.rows[place]
        match role:
            case Qt.ItemDataRole.ForegroundRole if bad or row.sure:
                return QColor(self._theme.roles["bad" if bad else "sure"])
            case Qt.ItemDataRole.FontRole if bad or row.best:
                font = QFont()
                font.setWeight(QFont.Weight.DemiBold)
                return font
        return None

    def _whisker(self, place: int) -> Whisker | None:
        row = self._rows.rows[place]
        if row.best:
            return Whisker(1.0, 1.0, 1.0, self._most, hollow=False)
        verdict = row.standing.verdict if row.standing else None
        if verdict is None or verdict.ratio is None:
            return None
        ends = (verdict.low or verdict.ratio, verdict.high or verdict.ratio)
        return Whisker(verdict.ratio, *ends, self._most, hollow=not verdict.differs)

    def _is_decided(self, place: int, column: int) -> bool:
        """Whether a cell says how the trials of a decided spec ended."""
        return (
            self._tells_result(column)
            and self._rows.rows[place].result.spec.digest in self._decided
        )

    def _tells_result(self, column: int) -> bool:
        return self._rows.table.columns[column].key == "ending"

    @override
    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation != Qt.Orientation.Horizontal or section >= self.columnCount():
            return None
        column, unit = self._rows.table.columns[section], self._figures_of(section).unit
        match role:
            case Qt.ItemDataRole.DisplayRole:
                above, below = column.title, unit
                if not unit and " " in above:  # a narrower column, of as many lines
                    above, _, below = above.rpartition(" ")
                return f"{above}\n{below} {self._arrows.get(column.key, '')}".rstrip(" ")
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(filter(None, (column.title, unit)))
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(section)
        return None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        align, sides = self._rows.table.columns[column].align, Qt.AlignmentFlag
        return (sides.AlignLeft if align == "left" else sides.AlignRight) | sides.AlignVCenter


def _shape(rows: Rows, places: Sequence[int]) -> tuple[object, ...]:
    """Which rows there are, and where; equal while only figures change."""
    return rows.table.columns, [rows.rows[place].key for place in places]


@dataclass(frozen=True, kw_only=True)
class ColumnFigures:
    """The common unit of a column's figures, and the longest of their half widths."""

    unit: str = ""
    """Empty where there are several, or none."""
    longest: str = ""

    @staticmethod
    def of(table: Table, place: int) -> ColumnFigures:
        """Look at all cells of the column at that place; a column of words has no unit."""
        cells = (row[place] for row in table.rows) if table.columns[place].unit else ()
        texts = [cell.text for cell in cells if cell.value is not None]
        unit = _unit(texts[0]) if texts else ""
        end = f" {unit}"
        # There can be many thousand trials: they are looked at without a pattern.
        if not all(_TIMES in one if unit == _TIMES else one.endswith(end) for one in texts):
            unit = ""
        half_widths = [_bare(one, unit).partition(_BETWEEN)[2] for one in texts if _BETWEEN in one]
        return ColumnFigures(unit=unit, longest=max(half_widths, key=len, default=""))

    def text(self, cell: str) -> str:
        """The text of a cell without the unit, so that figures stand below each other."""
        number, between, half_width = one_line(_bare(cell, self.unit)).partition(_BETWEEN)
        lacking = self.longest[: max(len(self.longest) - len(half_width), 0)] if between else ""
        spaces = (  # each as wide as the digit or the mark that it stands for
            "\N{FIGURE SPACE}" if letter.isdigit() else "\N{PUNCTUATION SPACE}"
            for letter in lacking
        )
        return f"{number}{between}{''.join(spaces)}{half_width}"


def _unit(text: str) -> str:
    if _TIMES in text:
        return _TIMES
    match = _WITH_UNIT.fullmatch(text)
    return match[1] if match else ""


def _bare(text: str, unit: str) -> str:
    return text.replace(_TIMES, "") if unit == _TIMES else text.removesuffix(f" {unit}")
