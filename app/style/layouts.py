"""How widgets share a line: in as many lines as they need."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QScrollArea, QWidget

NARROW = 1000
"""Pixels of a window's width below which margins are small, and fewer parts stand side by side."""
SIDE = 24
"""Pixels beside a page."""

ANY_SIZE = 16_777_215
"""What Qt takes for any size."""


def side_of(width: int) -> int:
    """Pixels beside a page of a window of that width."""
    return 16 if width < NARROW else SIDE


def spaced[L: QLayout](layout: L, spacing: int, *margins: int) -> L:
    """The layout with that spacing; its margins (left, top, right, bottom) are 0 by default."""
    layout.setContentsMargins(*margins or (0, 0, 0, 0))
    layout.setSpacing(spacing)
    return layout


def scrolled(page: QWidget, part: str = "") -> QScrollArea:
    """An area in which a page scrolls that is higher; a theme styles the area by its part."""
    area = QScrollArea()
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setProperty("part", part)
    area.setWidget(page)
    return area


class FlowLayout(QLayout):
    """Lines of widgets, each as wide as it wants to be; nothing is cut."""

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        self._items: list[QLayoutItem] = []

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    @override
    def count(self) -> int:
        return len(self._items)

    @override
    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    @override
    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    @override
    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    @override
    def sizeHint(self) -> QSize:
        return self.minimumSize()

    @override
    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, move: bool) -> int:
        """Lay out within a width; returns the height."""
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            hint = item.sizeHint()
            if x > rect.x() and x + hint.width() > rect.right() + 1:
                x, y, line = rect.x(), y + line + self.spacing(), 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), hint))
            x += hint.width() + self.spacing()
            line = max(line, hint.height())
        return y + line - rect.y()
