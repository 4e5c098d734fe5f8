"""The table itself; selected rows stay selected while rows come, go and move."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, override

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QCursor,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStyleOptionViewItem,
    QTreeView,
)

from app.style.theme import LIGHT
from app.table.cell_delegate import CellDelegate
from app.table.table_model import TableModel

if TYPE_CHECKING:
    from app.style.theme import Theme
    from app.table.table_model import Index
    from app.table.table_rows import Row, Rows

_WIDEST = 320
_MARGIN = 6
_BAR = 3
"""Pixels of the bar before a selected row."""
_FREEZE_LINE = 10
"""Pixels of the soft shadow beside what stays where it is."""
_MOST_FROZEN = 0.66
"""Share of the room that frozen columns may take."""
_LOOKED_AT = 20
"""Rows beside the visible ones whose texts decide how wide a column is."""


class RowsView(QTreeView):
    """Rows of a model that looks the same beside another view of it."""

    pointed = Signal(QModelIndex)
    """What the mouse is on; an invalid index where it is on no row."""
    copy_wanted = Signal()

    def __init__(self, model: TableModel, parent: QTreeView | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._pointed = QPersistentModelIndex()
        self.cells = CellDelegate(self)
        self.setModel(model)
        self.setItemDelegate(self.cells)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAllColumnsShowFocus(True)
        self.setMouseTracking(True)
        self.setRootIsDecorated(False)
        self.entered.connect(self.pointed)
        self.viewportEntered.connect(lambda: self.pointed.emit(QModelIndex()))
        header = self.header()
        header.setResizeContentsPrecision(_LOOKED_AT)
        header.setSectionsClickable(True)
        header.setSectionsMovable(False)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setStretchLastSection(False)

    def set_theme(self, theme: Theme) -> None:
        self._theme = self.cells.theme = theme
        self.viewport().update()

    def point_at(self, index: QModelIndex) -> None:
        """Show the row of that index as the one under the mouse."""
        self._pointed = QPersistentModelIndex(index.siblingAtColumn(0))
        self.viewport().update()

    @override
    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        selected = self.selectionModel().isRowSelected(index.row(), index.parent())
        row = QRect(0, options.rect.top(), self.viewport().width(), options.rect.height())
        if selected:
            painter.fillRect(row, QColor(self._theme.roles["act-tint"]))
        elif self._pointed.isValid() and self._pointed == index.sibling(index.row(), 0):
            painter.fillRect(row, QColor(self._theme.roles["inset"]))
        super().drawRow(painter, options, index)
        if selected:
            row.setWidth(_BAR)
            painter.fillRect(row, QColor(self._theme.roles["act"]))

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.pointed.emit(QModelIndex())
        return super().viewportEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        else:
            super().keyPressEvent(event)


class TableView(RowsView):
    """The order of columns is the table's own.

    A second view of the first columns lies above it, where the others have to be scrolled.
    """

    chosen = Signal(object)
    """The selected rows (a tuple of Row), as they are shown from top to bottom."""
    left = Signal()
    """The mouse has left the rows."""
    sort_wanted = Signal(str, bool)
    """The key of a column, empty for the order of measuring; whether descending."""

    def __init__(self) -> None:
        self._rows = TableModel()
        super().__init__(self._rows)
        self._hidden: frozenset[str] = frozenset()
        self._sized: dict[str, int] = {}
        """Where columns stood when they were fitted to their texts, by their keys."""
        self._kept_widths: dict[str, int] = {}
        """Those that the user has made so."""
        self._sizing = True
        self._chosen: tuple[str, ...] = ()
        self._empty = ""
        self.frozen = RowsView(self._rows, self)
        self._freeze_line = QFrame(self)
        self._freeze_line.setProperty("part", "freeze")
        self._freeze_line.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        header = self.header()
        header.sortIndicatorChanged.connect(self._want_order)
        header.sectionResized.connect(self._keep_width)
        self.selectionModel().selectionChanged.connect(self._tell_chosen)
        self.pointed.connect(self._hover)
        self._tie_frozen()

    def _tie_frozen(self) -> None:
        """Both views are one to the user: rows, order, widths, mouse and keys."""
        ours, theirs = self, self.frozen
        theirs.setSelectionModel(ours.selectionModel())
        theirs.setFrameShape(QFrame.Shape.NoFrame)
        theirs.setFocusProxy(ours)
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        theirs.setVerticalScrollBarPolicy(off)
        theirs.setHorizontalScrollBarPolicy(off)
        for one, other in ((ours, theirs), (theirs, ours)):
            one.verticalScrollBar().valueChanged.connect(other.verticalScrollBar().setValue)
            one.header().sortIndicatorChanged.connect(
                lambda place, order, other=other: other.header().setSortIndicator(place, order)
            )
            one.header().sectionResized.connect(
                lambda place, _, width, other=other: other.setColumnWidth(place, width)
            )
        theirs.pointed.connect(ours.pointed)
        theirs.activated.connect(ours.activated)
        ours.header().sectionResized.connect(self._place_frozen)
        ours.horizontalScrollBar().rangeChanged.connect(self._place_frozen)

    def _place_frozen(self, *_: object) -> None:
        """Freeze columns where others are scrolled, and have most of the room left."""
        keys = self._rows.rows.keys
        columns = self._rows.rows.table.columns
        frozen = [at for at, column in enumerate(columns) if column.key in keys]
        width = sum(self.columnWidth(at) for at in frozen)  # 0 of a hidden one
        shown, head = self.viewport().geometry(), self.header()
        scrolled = self.horizontalScrollBar().maximum() > 0
        visible = scrolled and 0 < width <= _MOST_FROZEN * shown.width()
        self.frozen.header().setFixedHeight(head.height())
        self.frozen.setGeometry(head.x(), head.y(), width, head.height() + shown.height())
        self._freeze_line.setGeometry(
            head.x() + width, head.y(), _FREEZE_LINE, head.height() + shown.height()
        )
        for part in (self.frozen, self._freeze_line):
            part.setVisible(visible)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_frozen()

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._rows.set_theme(theme)
        self.frozen.set_theme(theme)

    def decide(self, settings: Collection[str]) -> None:
        self._rows.decide(settings)
        self._size_columns()

    def show_rows(self, rows: Rows, places: tuple[int, ...], empty: str) -> None:
        """Show the rows at these places; `empty` is the text where there are none."""
        selected = {row.key for row in self.selected()}
        current = self._rows.row_at(at) if (at := self.currentIndex()).isValid() else None
        self._empty = empty
        self._sizing = True
        if self._rows.show(rows, places):
            self.hide_columns(self._hidden)
            self._select(selected, current.key if current else "")
        self._size_columns()
        self._place_frozen()
        self._tell_chosen()

    def _select(self, keys: Collection[str], current: str) -> None:
        chosen = self.selectionModel()
        flag = chosen.SelectionFlag
        for at, key in enumerate(self.row_keys() if keys or current else ()):
            if key in keys:
                chosen.select(self._rows.index(at, 0), flag.Select | flag.Rows)
            if key == current:
                chosen.setCurrentIndex(self._rows.index(at, 0), flag.NoUpdate)

    def _size_columns(self) -> None:
        """Fit columns to their texts; those that the user has resized stay as they are.

        While there are no rows they fit their titles, until there are some.
        """
        self._sizing = True
        rows, clipped = bool(self._rows.rows.rows), {}
        for place, column in enumerate(self._rows.rows.table.columns):
            if column.key in self._hidden:
                continue
            if column.key in self._kept_widths:
                self.setColumnWidth(place, self._kept_widths[column.key])
                continue
            hints = (self.sizeHintForColumn(place), self.header().sectionSizeHint(place))
            width = max(hints) + _MARGIN
            if width > _WIDEST:
                clipped[place], width = width, _WIDEST
            if self._sized.get(column.key) != place or width > self.columnWidth(place):
                self.setColumnWidth(place, width)
            if rows:
                self._sized[column.key] = place
        for place, width in clipped.items():  # whole, where nothing has to be scrolled for it
            room = self.viewport().width() - self.header().length()
            self.setColumnWidth(place, min(width, self.columnWidth(place) + max(room, 0)))
        self._sizing = False

    def _keep_width(self, place: int, _: int, width: int) -> None:
        columns = self._rows.rows.table.columns
        if not self._sizing and 0 <= place < len(columns):
            self._kept_widths[columns[place].key] = width

    def hide_columns(self, keys: Collection[str]) -> None:
        """Hide these columns and show all others."""
        before, self._hidden = self._hidden, frozenset(keys)
        was, self._sizing = self._sizing, True
        for place, column in enumerate(self._rows.rows.table.columns):
            hidden = column.key in self._hidden
            self.setColumnHidden(place, hidden)
            self.frozen.setColumnHidden(place, hidden or column.key not in self._rows.rows.keys)
        self._sizing = was
        if before - self._hidden:
            self._size_columns()

    def shown_columns(self) -> list[str]:
        columns = self._rows.rows.table.columns
        return [column.key for column in columns if column.key not in self._hidden]

    @property
    def has_mouse(self) -> bool:
        """Whether the mouse is over the rows: then they stay where they are."""
        place = self.viewport().mapFromGlobal(QCursor.pos())
        return self.isVisible() and self.viewport().rect().contains(place)

    def row_at(self, index: QModelIndex) -> Row:
        return self._rows.row_at(index)

    def selected(self) -> tuple[Row, ...]:
        """The selected rows, from top to bottom."""
        return tuple(self._rows.rows.rows[place] for place in self.selected_places())

    def selected_places(self) -> list[int]:
        """The places of the selected rows in `Rows`, from top to bottom."""
        chosen = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._rows.places[at] for at in chosen]

    @property
    def places(self) -> tuple[int, ...]:
        """The places of all shown rows in `Rows`, from top to bottom."""
        return self._rows.places

    def row_keys(self) -> list[str]:
        """The keys of all shown rows, from top to bottom."""
        rows = self._rows.rows.rows
        return [rows[place].key for place in self.places]

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
        for view in (self, self.frozen):
            view.point_at(index)
        if not index.isValid() and not self.has_mouse:
            self.left.emit()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._empty and not self._rows.rowCount():
            with QPainter(self.viewport()) as painter:
                area = QRect(QPoint(), self.viewport().size()).adjusted(16, 12, -16, -12)
                painter.setPen(QColor(self._theme.muted))
                flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(area, flags, self._empty)
