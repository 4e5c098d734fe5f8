"""What is on the screen: colours of texts and of what they stand on, from rendered pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QPushButton,
    QTabBar,
    QTableView,
    QWidget,
)

from app.table.cell_delegate import DRAWN
from app.table.table_model import WHISKER
from app.table.table_view import TableView
from app.views.doubt_line import DoubtLine

SCALE = 3
"""At which the stems of letters are several pixels wide, and so have pixels of the pure colour."""

type Pixels = NDArray[np.uint32]


class Place(NamedTuple):
    """Where a text stands in a widget, and what it is to be called in a failure."""

    widget: QWidget
    area: QRect
    name: str


def rendered(widget: QWidget) -> Pixels:
    """The widget with all in it as it looks, 0xrrggbb, `SCALE` times as many each way."""
    image = QImage(widget.size() * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    image.fill(0)
    QWidget.render(widget, image)  # a QGraphicsView has another one of its own
    flat = np.frombuffer(image.constBits(), np.uint32) & 0xFFFFFF
    return flat.reshape(image.height(), image.width())


def inks(of: QWidget | QImage) -> set[str]:
    """All colours that a picture has, or a widget as it is seen, as #rrggbb."""
    image = of if isinstance(of, QImage) else of.grab().toImage()
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    colours = np.unique(np.frombuffer(image.constBits(), np.uint32) & 0xFFFFFF)
    return {f"#{colour:06x}" for colour in colours.tolist()}


def piece(pixels: Pixels, area: QRect) -> Pixels:
    """What lies within an area, in the widget's own pixels."""
    rows = slice(area.top() * SCALE, (area.bottom() + 1) * SCALE)
    return pixels[rows, area.left() * SCALE : (area.right() + 1) * SCALE]


def commonest(pixels: Pixels, count: int) -> list[str]:
    """The most frequent colours as #rrggbb: of a text the ground first, and then the ink."""
    colours, counts = np.unique(pixels, return_counts=True)
    return [f"#{colours[at]:06x}" for at in np.argsort(counts)[::-1][:count]]


def texts(root: QWidget) -> Iterator[Place]:
    """Every text that is in sight in a widget and those within it; areas are those of `root`."""
    for widget in (root, *root.findChildren(QWidget)):
        seen = widget.visibleRegion().boundingRect()
        for name, area in _texts_of(widget):
            if area.isValid() and seen.contains(area.center()):
                yield Place(widget, _within(root, widget, area & seen), name)


def _within(root: QWidget, widget: QWidget, area: QRect) -> QRect:
    return area.translated(widget.mapTo(root, QPoint(0, 0)))


def _texts_of(widget: QWidget) -> Iterator[tuple[str, QRect]]:
    match widget.parent():
        case QTableView() as table if table.viewport() is widget:
            yield from _cells(table)
        case QListView() as options if options.viewport() is widget:
            yield from _options(options)
        case TableView() as table if table.viewport() is widget:
            yield from _rows(table)
    for kind, places in _PLACES.items():
        if isinstance(widget, kind):
            yield from places(widget)


def _label(widget: QLabel) -> Iterator[tuple[str, QRect]]:
    if widget.text():
        yield widget.text(), widget.contentsRect()


def _doubts(widget: DoubtLine) -> Iterator[tuple[str, QRect]]:
    for place in widget.places():
        yield place.text, place.area


def _button(widget: QPushButton) -> Iterator[tuple[str, QRect]]:
    area = widget.fontMetrics().boundingRect(widget.text())
    area.moveCenter(widget.rect().center())
    yield widget.text(), area


def _check_box(widget: QCheckBox) -> Iterator[tuple[str, QRect]]:
    if widget.text():
        yield widget.text(), widget.rect().adjusted(22, 2, 0, -2)


def _combo_box(widget: QComboBox) -> Iterator[tuple[str, QRect]]:
    yield widget.currentText(), widget.rect().adjusted(4, 4, -24, -4)


def _line(widget: QLineEdit) -> Iterator[tuple[str, QRect]]:
    if text := widget.text() or widget.placeholderText():
        yield text, widget.rect().adjusted(4, 4, -4, -4)


def _field(widget: QPlainTextEdit) -> Iterator[tuple[str, QRect]]:
    yield "the text field", widget.viewport().geometry()


def _tabs(widget: QTabBar) -> Iterator[tuple[str, QRect]]:
    for at in range(widget.count()):
        yield widget.tabText(at), widget.tabRect(at).adjusted(8, 6, -8, -4)


def _actions(widget: QMenu | QMenuBar) -> Iterator[tuple[str, QRect]]:
    for action in widget.actions():
        if action.text() and not action.isSeparator():
            yield action.text(), widget.actionGeometry(action).adjusted(4, 3, -4, -3)


def _titles(header: QHeaderView) -> Iterator[tuple[str, QRect]]:
    for at in range(header.count()):
        left = header.sectionViewportPosition(at)
        area = QRect(left, 0, header.sectionSize(at), header.height())
        yield f"title {at}", area.adjusted(6, 3, -20, -3)


def _options(options: QListView) -> Iterator[tuple[str, QRect]]:
    for row in range(options.model().rowCount()):
        index = options.model().index(row, 0)
        yield str(index.data()), options.visualRect(index).adjusted(3, 2, -3, -2)


def _rows(table: TableView) -> Iterator[tuple[str, QRect]]:
    """Every cell."""
    model = table.model()
    for row in range(model.rowCount()):
        for column in range(model.columnCount()):
            yield from _cell(table, model.index(row, column))


def _cell(table: TableView, index: QModelIndex) -> Iterator[tuple[str, QRect]]:
    area = table.visualRect(index).adjusted(4, 3, -4, -3)
    if index.data(WHISKER) is not None:  # drawn at the left of its text
        area.setLeft(area.left() + DRAWN)
    if not table.viewport().rect().contains(area):
        return
    if str(index.data() or "").strip():
        yield str(index.data()), area


def _cells(table: QTableView) -> Iterator[tuple[str, QRect]]:
    model = table.model()
    for row in range(model.rowCount()):
        for column in range(model.columnCount()):
            index = model.index(row, column)
            if str(index.data() or "").strip():
                yield f"cell {row}, {column}", table.visualRect(index).adjusted(3, 2, -3, -2)


_PLACES: dict[type[QWidget], Callable[[Any], Iterator[tuple[str, QRect]]]] = {
    QLabel: _label,
    DoubtLine: _doubts,
    QPushButton: _button,
    QCheckBox: _check_box,
    QComboBox: _combo_box,
    QLineEdit: _line,
    QPlainTextEdit: _field,
    QTabBar: _tabs,
    QHeaderView: _titles,
    QMenu: _actions,
    QMenuBar: _actions,
}
