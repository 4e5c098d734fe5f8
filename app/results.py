"""The table of results: sorted, selected, copied."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import override

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from core import Result, Table, export, format_named, one_line

type Index = QModelIndex | QPersistentModelIndex

_SORT_ROLE = Qt.ItemDataRole.UserRole
_NO_INDEX = QModelIndex()
_WIDEST = 320


class ResultsModel(QAbstractTableModel):
    """The neutral table of results as Qt wants it."""

    def __init__(self) -> None:
        super().__init__()
        self._table = Table(columns=(), rows=())

    def show_table(self, table: Table) -> None:
        """Show another table; selections stay where only figures changed."""
        if table.columns == self._table.columns and len(table.rows) == len(self._table.rows):
            self._table = table
            if table.rows:
                corner = self.index(len(table.rows) - 1, len(table.columns) - 1)
                self.dataChanged.emit(self.index(0, 0), corner)
            return
        self.beginResetModel()
        self._table = table
        self.endResetModel()

    @override
    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._table.rows)

    @override
    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._table.columns)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self._table.rows[index.row()][index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return one_line(cell.text)
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(index.column())
            case int() if role == _SORT_ROLE:
                return cell.value
        return None

    @override
    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._table.columns[section].title
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        left = self._table.columns[column].align == "left"
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        return side | Qt.AlignmentFlag.AlignVCenter


class _ByValue(QSortFilterProxyModel):
    """Sorts numbers as numbers, texts as texts, and what has no value to the end."""

    @override
    def lessThan(self, left: Index, right: Index) -> bool:
        return _rank(left.data(_SORT_ROLE)) < _rank(right.data(_SORT_ROLE))


def _rank(value: object) -> tuple[int, float, str]:
    match value:
        case bool() | int() | float():
            return (0, float(value), "")
        case str():
            return (1, 0.0, value)
        case _:
            return (2, 0.0, "")


class ResultsView(QTableView):
    """The results of one run; Ctrl+C copies the selected ones, or all, as Markdown."""

    chosen = Signal(object)
    """The selected results, in the table's order."""

    def __init__(self) -> None:
        super().__init__()
        self._model = ResultsModel()
        self._sorted = _ByValue(self)
        self._sorted.setSourceModel(self._model)
        self._results: Sequence[Result] = ()
        self.setModel(self._sorted)
        self.setAccessibleName("Results")
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.horizontalHeader().setStretchLastSection(True)
        self.selectionModel().selectionChanged.connect(lambda: self.chosen.emit(self.selected()))

    def show_results(self, table: Table, results: Sequence[Result]) -> None:
        """Show a table and the results that its rows stand for, in the same order."""
        self._results = tuple(results)
        self._model.show_table(table)
        self.resizeColumnsToContents()
        for column in range(self._model.columnCount()):
            self.setColumnWidth(column, min(self.columnWidth(column) + 8, _WIDEST))

    def selected(self) -> tuple[Result, ...]:
        """The results of the selected rows."""
        rows = [self._sorted.mapToSource(index).row() for index in self._rows()]
        return tuple(self._results[row] for row in rows)

    def _rows(self) -> list[QModelIndex]:
        return sorted(self.selectionModel().selectedRows(), key=lambda index: index.row())

    def copy(self, form: str) -> None:
        """Put the selected results, or all, on the clipboard in an export's format."""
        stream = io.BytesIO()
        export(self.selected() or self._results, stream, format_named(form))
        QGuiApplication.clipboard().setText(stream.getvalue().decode())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self._results:
            self.copy("markdown")
        else:
            super().keyPressEvent(event)
