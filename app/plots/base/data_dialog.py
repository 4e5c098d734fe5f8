"""The data of plots as a table and in words, for people who cannot see plots or want figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.plots.base.figure import Data, Figure
from app.style.label_widget import label
from app.table.row_height import ROW_AIR

type Index = QModelIndex | QPersistentModelIndex

_NO_INDEX = QModelIndex()
_SIZED_BY = 100
"""Number of rows that decide the columns' widths."""


class DataModel(QAbstractTableModel):
    """The rows of a plot; a text is made when it is displayed."""

    def __init__(self, data: Data) -> None:
        super().__init__()
        self._data = data

    @override
    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._data)

    @override
    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._data.titles)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._data.row(index.row())[index.column()]
        return None

    @override
    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        across = orientation == Qt.Orientation.Horizontal
        return self._data.titles[section] if across else str(section + 1)


class DataDialog(QDialog):
    """Shows the data of one of several plots, as they were when the dialog opened."""

    copy_wanted = Signal(object)
    """The data that are shown (Data), to be copied as CSV."""

    def __init__(self, figures: Sequence[Figure], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Data of the plot"))
        self.resize(640, 480)
        self._figures = tuple(figures)
        self._data: Data | None = None
        self.choice = QComboBox()
        self.choice.setAccessibleName(self.tr("Plot"))
        self.choice.addItems([figure.title for figure in figures])
        self.choice.setVisible(len(figures) > 1)
        self.summary = label(wraps=True)
        self.summary.setAccessibleName(self.tr("Summary of the plot"))
        self.summary.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.table = QTableView()
        self.table.setAccessibleName(self.tr("Data of the plot"))
        self.table.setAlternatingRowColors(True)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        rows = self.table.verticalHeader()
        rows.setDefaultSectionSize(self.table.fontMetrics().height() + ROW_AIR)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setResizeContentsPrecision(_SIZED_BY)
        self.table.horizontalHeader().setStretchLastSection(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = QPushButton(self.tr("Copy as CSV"))
        self.copy.setToolTip(self.tr("Plain values in seconds, bytes and operations per second"))
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self.copy.clicked.connect(lambda: self.copy_wanted.emit(self._data))
        self.choice.currentIndexChanged.connect(self._show)
        column = QVBoxLayout(self)
        for part in (self.choice, self.summary):
            column.addWidget(part)
        column.addWidget(self.table, 1)
        column.addWidget(buttons)
        self._show(0)

    def _show(self, place: int) -> None:
        figure = self._figures[place]
        self._data = figure.data()
        self.summary.setText(figure.summary())
        before = self.table.model()
        self.table.setModel(DataModel(self._data))
        self.table.model().setParent(self.table)
        if before is not None:
            before.deleteLater()
        self.table.resizeColumnsToContents()
        self.copy.setEnabled(len(self._data) > 0)
