"""Paints a cell: its figure in full weight, its interval in less, and a ratio as a dot as well."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QLineF, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.style.theme import LIGHT, Theme
from app.table.table_model import WHISKER, Index, Whisker

ROW_AIR = 8
"""Pixels by which a row is at least higher than its text."""
ROW = 30
"""Pixels of a row, unless its text is larger."""
_AXIS = 108
_AIR = 12
DRAWN = _AXIS + _AIR
"""Pixels of what is drawn beside a text."""
_RADIUS = 3.5
_MARGIN, _INSET = 9, 2
"""Pixels beside a text: the cell's, and those that the style leaves."""


class CellDelegate(QStyledItemDelegate):
    """The row paints what is selected: a selected text keeps its colour."""

    theme: Theme = LIGHT

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        drawn = DRAWN if index.data(WHISKER) is not None else 0
        height = max(option.fontMetrics.height() + ROW_AIR, ROW)
        return QSize(size.width() + 2 * _MARGIN + drawn, height)

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.state &= ~(QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        area = cell.rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        option.rect = area
        whisker = index.data(WHISKER)
        if isinstance(whisker, Whisker):
            axis = QRect(area.left() + _AIR // 2, area.top(), _AXIS, area.height())
            self._draw(painter, axis, whisker)
        figure, interval = _parts(cell.text)
        width = cell.fontMetrics.horizontalAdvance
        if not interval or width(cell.text) > area.width():
            super().paint(painter, option, index)
            return
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.save()
        painter.setFont(cell.font)
        painter.setPen(QColor(self.theme.roles["ink3"]))
        area.adjust(0, 0, -_INSET, 0)
        painter.drawText(area, right, interval)
        painter.setPen(QColor(self.theme.text))
        painter.drawText(area.adjusted(0, 0, -width(interval), 0), right, figure)
        painter.restore()

    def _draw(self, painter: QPainter, axis: QRect, whisker: Whisker) -> None:
        """From 0 at the left; the upright line is the best, and hollow is not measurable."""
        middle = axis.center().y() + 0.5

        def x(value: float) -> float:
            return axis.left() + min(max(value, 0.0) / whisker.most, 1.0) * axis.width()

        roles = self.theme.roles
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(roles["line"]), 1))
        painter.drawLine(QLineF(x(0.0), middle, axis.right(), middle))
        painter.setPen(QPen(QColor(roles["edge"]), 1))
        painter.drawLine(QLineF(x(1.0), middle - 6, x(1.0), middle + 6))
        painter.setPen(QPen(QColor(roles["ink2"]), 2))
        painter.drawLine(QLineF(x(whisker.low), middle, x(whisker.high), middle))
        ink = QColor(self.theme.text)
        painter.setPen(QPen(ink, 1.5))
        painter.setBrush(QColor(roles["paper"]) if whisker.hollow else ink)
        painter.drawEllipse(QPointF(x(whisker.value), middle), _RADIUS, _RADIUS)
        painter.restore()


def _parts(text: str) -> tuple[str, str]:
    """The figure of a cell and its interval, ` ± 9` or ` (18.2 to 1,120)`; else none."""
    for start in (" ± ", " ("):
        figure, found, interval = text.partition(start)
        if found and figure[:1].isdigit():
            return figure, found + interval
    return text, ""
