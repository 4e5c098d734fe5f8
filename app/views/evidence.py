"""The views of a run with the newest figures beside them."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSplitter, QWidget

from app.views.tabs import RunViews

_WIDE = 840
"""Pixels from which there is room for a column of figures."""
_COLUMN, _ROW, _ROW_GAP = 232, 46, 8
_LEAST = 264
"""Pixels of tabs, of what is read above a plot, and of 160 for the plot itself."""
_TALLEST = 96
_OF_HEIGHT = 0.53
"""Share of what the table shares with it, of which four figures take as much as they can."""


class Evidence(QWidget):
    """Figures stand in a column at the right, and in a narrow window in a row above."""

    def __init__(self, views: RunViews) -> None:
        super().__init__()
        self.views, self._tiles = views, views.tiles
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(12)
        self._box.addWidget(views, 1)
        self._box.addWidget(self._tiles, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def _in_a_row(self) -> bool:
        return self.width() < _WIDE

    @property
    def least_height(self) -> int:
        """Pixels in which curves can be read."""
        return _LEAST + (_ROW + _ROW_GAP if self._in_a_row else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        row = self._in_a_row
        way = QBoxLayout.Direction
        self._box.setDirection(way.BottomToTop if row else way.LeftToRight)
        self._box.setSpacing(_ROW_GAP if row else 12)
        if row:
            self._tiles.be_a_row(_ROW)
        else:
            # Of a height that does not depend on the table's, so that none moves when that comes.
            shared = self.parentWidget()
            whole = shared.height() if isinstance(shared, QSplitter) else self.height()
            high = round((_OF_HEIGHT * whole - 3 * self._tiles.GAP) / 4)
            self._tiles.be_a_column(_COLUMN, min(max(high, _ROW), _TALLEST), self.height())
