"""The views of a run with the newest figures beside them."""

from __future__ import annotations

from typing import override

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.views.tabs import RunViews

_WIDE = 720
"""Pixels from which there is room for a column of figures."""
_COLUMN, _ROW = 232, 52


class Evidence(QWidget):
    """Figures stand in a column at the right, and in a narrow window in a row above."""

    def __init__(self, views: RunViews) -> None:
        super().__init__()
        self._tiles = views.tiles
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(12)
        self._box.addWidget(views, 1)
        self._box.addWidget(self._tiles)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        row = self.width() < _WIDE
        way = QBoxLayout.Direction
        self._box.setDirection(way.BottomToTop if row else way.LeftToRight)
        self._box.setSpacing(8 if row else 12)
        self._tiles.be_a_row(row)
        across, down = (0, _ROW) if row else (_COLUMN, 0)
        self._tiles.setMinimumSize(across, down)
        self._tiles.setMaximumSize(across or 16_777_215, down or 16_777_215)
