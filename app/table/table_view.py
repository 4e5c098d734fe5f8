"""The table itself; selected rows stay selected while rows come, go and move."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from app.style.theme import LIGHT
from app.table.table_model import TableModel

if TYPE_CHECKING:
    from app.style.theme import Theme
    from app.table.table_model import Index
    from app.table.table_rows import Row, Rows
    from core import Group

ROW_AIR = 8
"""Pixels by which a row is higher than its text."""


class RowDelegate(QStyledItemDelegate):
    """Gives rows some air."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), option.fontMetrics.height() + ROW_AIR)


_WIDEST = 320
_MARGIN = 6
_HEAD_AIR = 6
"""Pixels by which the header is higher than its two lines of text."""
_LOOKED_AT = 20
"""Rows beside the visible ones whose texts decide how wide a column is."""


class TableView(QTreeView):
    """Rows and groups of rows; the order of columns is the table's own."""

    chosen = Signal(object)
    """The selected rows (a tuple of Row), as they are shown from top to bottom."""
    hovered = Signal(str)
    """The digest of the spec of the row under the mouse; empty where there is none."""
    sort_wanted = Signal(str, bool)
    """The key of a column, empty for the order of measuring; whether descending."""
    copy_wanted = Signal()
    columns_wanted = Signal(QPoint)
    """Where on the screen."""

    def __init__(self) -> None:
        super().__init__()
        self._rows = TableModel()
        self._hidden: frozenset[str] = frozenset()
        self._sized: set[str] = set()
        self._kept_widths: set[str] = set()
        self._sizing = True
        self._chosen: tuple[str, ...] = ()
        self._under_mouse = ""
        self._closed: set[str] = set()
        self._empty = ""
        self._hint = LIGHT.muted
        self.setModel(self._rows)
        self.setItemDelegate(RowDelegate(self))
        self.setAlternatingRowColors(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAllColumnsShowFocus(True)
        self.setMouseTracking(True)
        self.setIndentation(16)
        header = self.header()
        header.setResizeContentsPrecision(_LOOKED_AT)
        header.setSectionsClickable(True)
        header.setSectionsMovable(False)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(
            lambda place: self.columns_wanted.emit(header.mapToGlobal(place))
        )
        header.sortIndicatorChanged.connect(self._want_order)
        header.sectionResized.connect(self._keep_width)
        self.selectionModel().selectionChanged.connect(self._tell_chosen)
        self.collapsed.connect(lambda group: self._closed.add(self._rows.value_of(group)))
        self.expanded.connect(lambda group: self._closed.discard(self._rows.value_of(group)))

    def height_of(self, rows: int) -> int:
        """Pixels of that many rows, with header, scroll bar and half of the next row."""
        frame, bar = 2 * self.frameWidth(), self.horizontalScrollBar().sizeHint().height()
        # The same before there are rows and titles, so that nothing moves when they come.
        text = self.fontMetrics().height()
        each, head = text + ROW_AIR, max(self.header().sizeHint().height(), 2 * text + _HEAD_AIR)
        return frame + head + rows * each + each // 2 + bar

    def set_theme(self, theme: Theme) -> None:
        self._rows.set_theme(theme)
        self._hint = theme.muted
        self.viewport().update()

    def decide(self, settings: Collection[str]) -> None:
        self._rows.decide(settings)
        self._size_columns()

    def show_rows(self, rows: Rows, groups: tuple[Group, ...], grouped_by: str, empty: str) -> None:
        """Show arranged rows; `empty` is the text where there are none."""
        selected = {row.key for row in self.selected()}
        current = self._rows.row_at(at) if (at := self.currentIndex()).isValid() else None
        self._empty = empty
        self._sizing = True
        if self._rows.show(rows, groups, grouped_by):
            self.setRootIsDecorated(self._rows.grouped)
            self._span_groups()
            self.hide_columns(self._hidden)
            self._select(selected, current.key if current else "")
        self._size_columns()
        self._tell_chosen()

    def _span_groups(self) -> None:
        if not self._rows.grouped:
            return
        for place in range(self._rows.rowCount()):
            self.setFirstColumnSpanned(place, QModelIndex(), True)
            group = self._rows.index(place, 0)
            self.setExpanded(group, self._rows.value_of(group) not in self._closed)

    def _select(self, keys: Collection[str], current: str) -> None:
        chosen = self.selectionModel()
        flag = chosen.SelectionFlag
        for index in self._rows.indexes() if keys or current else ():
            row = self._rows.row_at(index)
            if row is not None and row.key in keys:
                chosen.select(index, flag.Select | flag.Rows)
            if row is not None and row.key == current:
                chosen.setCurrentIndex(index, flag.NoUpdate)

    def _size_columns(self) -> None:
        """Fit columns to their texts; those that the user has resized stay as they are.

        While there are no rows they fit their titles, until there are some.
        """
        self._sizing = True
        rows = bool(self._rows.rows.rows)
        for place, column in enumerate(self._rows.rows.table.columns):
            if column.key in self._kept_widths or column.key in self._hidden:
                continue
            hints = (self.sizeHintForColumn(place), self.header().sectionSizeHint(place))
            width = min(max(hints) + _MARGIN, _WIDEST)
            if column.key not in self._sized or width > self.columnWidth(place):
                self.setColumnWidth(place, width)
            if rows:
                self._sized.add(column.key)
        self._sizing = False

    def _keep_width(self, place: int) -> None:
        columns = self._rows.rows.table.columns
        # The last one is stretched by the view itself.
        if not self._sizing and 0 <= place < len(columns) - 1:
            self._kept_widths.add(columns[place].key)

    def hide_columns(self, keys: Collection[str]) -> None:
        """Hide these columns and show all others."""
        before, self._hidden = self._hidden, frozenset(keys)
        was, self._sizing = self._sizing, True
        for place, column in enumerate(self._rows.rows.table.columns):
            self.setColumnHidden(place, column.key in self._hidden)
        self._sizing = was
        if before - self._hidden:
            self._size_columns()

    def shown_columns(self) -> list[str]:
        columns = self._rows.rows.table.columns
        return [column.key for column in columns if column.key not in self._hidden]

    def row_at(self, index: QModelIndex) -> Row | None:
        return self._rows.row_at(index)

    def selected(self) -> tuple[Row, ...]:
        """The selected rows, from top to bottom."""
        return tuple(self._rows.rows.rows[place] for place in self.selected_places())

    def selected_places(self) -> list[int]:
        """The places of the selected rows in `Rows`, from top to bottom."""
        chosen = self.selectionModel().selectedRows()
        chosen.sort(key=lambda index: (index.parent().row(), index.row()))
        places = map(self._rows.place_of, chosen)
        return [place for place in places if place is not None]

    def places(self) -> list[int]:
        """The places of all shown rows in `Rows`, from top to bottom."""
        places = map(self._rows.place_of, self._rows.indexes())
        return [place for place in places if place is not None]

    def _tell_chosen(self) -> None:
        rows = self.selected()
        if (keys := tuple(row.key for row in rows)) != self._chosen:
            self._chosen = keys
            self.chosen.emit(rows)

    def _want_order(self, column: int, order: Qt.SortOrder) -> None:
        columns = self._rows.rows.table.columns
        key = columns[column].key if 0 <= column < len(columns) else ""
        descending = order == Qt.SortOrder.DescendingOrder
        self._rows.mark_order(key, descending=descending)
        self.sort_wanted.emit(key, descending)

    def _hover(self, index: QModelIndex) -> None:
        row = self._rows.row_at(index) if index.isValid() else None
        setting = row.result.spec.digest if row is not None else ""
        if setting != self._under_mouse:
            self._under_mouse = setting
            self.hovered.emit(setting)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()))

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._hover(QModelIndex())
        return super().viewportEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._empty and not self._rows.rowCount():
            with QPainter(self.viewport()) as painter:
                area = QRect(QPoint(), self.viewport().size()).adjusted(16, 12, -16, -12)
                painter.setPen(QColor(self._hint))
                flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(area, flags, self._empty)
