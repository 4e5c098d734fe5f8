"""Exports of a plot: its data as a table, its summary in words, and its picture.

The table is for people who cannot see plots or want figures.  PNG has twice the size of the screen,
SVG is made of lines and texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, override

from PySide6.QtCore import (
    QAbstractTableModel,
    QBuffer,
    QByteArray,
    QIODevice,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QImage, QImageWriter, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.plots.base.painting import PaintedPlot
from app.plots.base.plot_surface import Sheet
from app.style.labels import label
from app.style.menus import QuietCombo
from app.table.cell_delegate import ROW_AIR
from core import Value


class Data(Protocol):
    """The data of a plot, row by row."""

    @property
    def titles(self) -> Sequence[str]:
        """Titles of the columns, as they are shown."""

    @property
    def plain_titles(self) -> Sequence[str]:
        """Titles of the columns of plain values, with their units."""

    def __len__(self) -> int: ...

    def row(self, place: int) -> Sequence[str]:
        """The texts of one row."""

    def plain_row(self, place: int) -> Sequence[Value | None]:
        """The values of one row; None where nothing is known."""


type Cell = tuple[Value | None, str]
"""A value and its text."""


class Cells:
    """Data of which there is so little that values and texts are made at once."""

    def __init__(
        self, titles: Sequence[str], plain_titles: Sequence[str], rows: Sequence[Sequence[Cell]]
    ) -> None:
        self.titles, self.plain_titles = titles, plain_titles
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, place: int) -> tuple[str, ...]:
        return tuple(text for _, text in self._rows[place])

    def plain_row(self, place: int) -> tuple[Value | None, ...]:
        return tuple(value for value, _ in self._rows[place])


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One plot."""

    title: str
    widget: QWidget
    summary: Callable[[], str]
    data: Callable[[], Data]


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
        displayed = role == Qt.ItemDataRole.DisplayRole
        return self._data.row(index.row())[index.column()] if displayed else None

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
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
        self.choice = QuietCombo()
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
        column.addWidget(self.choice)
        column.addWidget(self.summary)
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


_SHARPNESS = 2


def draw(widget: QWidget, painter: QPainter) -> None:
    """Draw the plots of a widget as they are now, without its frames and focus marks."""
    painter.fillRect(widget.rect(), widget.palette().color(QPalette.ColorRole.Window))
    for part in [widget, *widget.findChildren(QWidget)]:
        if not part.isVisibleTo(widget):
            continue
        corner = part.mapTo(widget, QPoint())
        painter.save()
        if isinstance(part, PaintedPlot):
            painter.translate(corner)
            part.draw(painter, part.rect())
        elif isinstance(part, Sheet):
            source = part.viewport().rect()
            part.render(painter, QRectF(QRect(corner, source.size())), source)
        painter.restore()


def png(widget: QWidget) -> bytes:
    """The plots of a widget as PNG, with twice the pixels of the screen."""
    image = QImage(widget.size() * _SHARPNESS, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(_SHARPNESS)
    with QPainter(image) as painter:
        draw(widget, painter)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())


def svg(widget: QWidget, title: str) -> bytes:
    """The plots of a widget as SVG 1.1; nothing in it is made of pixels."""
    # Imported here, because only this function needs the library.
    from PySide6.QtSvg import QSvgGenerator

    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator.setOutputDevice(buffer)
    generator.setTitle(title)
    generator.setResolution(widget.logicalDpiX())
    generator.setSize(widget.size())
    generator.setViewBox(QRect(QPoint(), widget.size()))
    with QPainter(generator) as painter:
        draw(widget, painter)
    return bytes(buffer.data().data())
