"""What can be asked about: the work, and presets of programs, found by what is typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, override

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.style.labels import as_tip
from app.style.layouts import spaced

_HIGH = 380
"""Pixels of the rows, which is within a small window."""
_SELECTABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_OF = Qt.ItemDataRole.UserRole


class WorkRow(NamedTuple):
    """A row; one without a name is a heading."""

    title: str
    name: str = ""
    about: str = ""
    reason: str = ""
    """Why it cannot be chosen."""
    run: str = ""
    """The command of a preset; empty for work."""
    chosen: bool = False

    def says(self, words: Sequence[str]) -> bool:
        """Whether its name, what it is for or its program has all these words."""
        text = f"{self.title} {self.name} {self.about} {self.run}".lower()
        return all(word in text for word in words)


class WorkList(QWidget):
    """Rows under headings; the first that can be chosen is a Return away from what is typed."""

    chosen = Signal(object)
    """A WorkRow."""

    def __init__(self) -> None:
        super().__init__()
        self._listed: Sequence[WorkRow] = ()
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Search work and programs"))
        self._search.setAccessibleName(self.tr("Search work and programs"))
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._show)
        self.rows = QTreeWidget()
        self._search.returnPressed.connect(lambda: self._take(self.rows.currentItem()))
        self._search.installEventFilter(self)
        self.rows.setAccessibleName(self.tr("Work"))
        self.rows.setColumnCount(2)
        self.rows.setHeaderHidden(True)
        self.rows.setRootIsDecorated(False)
        self.rows.setUniformRowHeights(True)
        self.rows.setFrameShape(QFrame.Shape.NoFrame)
        self.rows.setProperty("part", "work")
        self.rows.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setFixedHeight(_HIGH)
        self.rows.itemClicked.connect(self._take)
        self.rows.itemActivated.connect(self._take)
        column = spaced(QVBoxLayout(self), 8)
        column.addWidget(self._search)
        column.addWidget(self.rows)

    def show_rows(self, rows: Sequence[WorkRow]) -> None:
        """Show these from now on, whatever was searched before."""
        self._listed = rows
        self._search.clear()
        self._show()
        self.rows.resizeColumnToContents(0)  # and so it stays while they are searched

    def _show(self) -> None:
        """The rows that are searched; headings only above others."""
        words = self._search.text().lower().split()
        found = [one for one in self._listed if not one.name or one.says(words)]
        self.rows.clear()
        for row, below in zip(found, [*found[1:], WorkRow("")], strict=True):
            if row.name or below.name:
                self.rows.addTopLevelItem(self._item(row))
        items = [self.rows.topLevelItem(at) for at in range(self.rows.topLevelItemCount())]
        able = [one for one in items if one is not None and one.flags() & _SELECTABLE]
        present = [one for one in able if one.data(0, _OF).chosen and not words]
        if able:
            self.rows.setCurrentItem((present or able)[0])

    def _item(self, row: WorkRow) -> QTreeWidgetItem:
        item = QTreeWidgetItem([row.title, row.reason or row.about])
        item.setData(0, _OF, row)
        item.setFlags(Qt.ItemFlag.NoItemFlags if row.reason or not row.name else _SELECTABLE)
        told = ", ".join(filter(None, (row.title, row.reason or row.about)))
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, told)
        muted = self.palette().placeholderText()
        item.setForeground(1, muted)
        if row.reason or not row.name:
            item.setForeground(0, muted)
        if not row.name:
            item.setFirstColumnSpanned(True)
        for column in (0, 1):
            item.setToolTip(column, as_tip(row.reason or row.run or row.about))
        return item

    def _take(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and item.flags() & _SELECTABLE:
            self.chosen.emit(item.data(0, _OF))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows move through the rows while the keys search."""
        moves = {Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp}
        pressed = event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() in moves:
            self.rows.event(event)
            return True
        return super().eventFilter(watched, event)
