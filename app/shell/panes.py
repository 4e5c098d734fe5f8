"""How the window is shared: plots above their table."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QByteArray, QEvent, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from app.table.table_panel import TablePanel

_MOST, _MOST_OF_LITTLE = 0.45, 0.28
"""The table's largest share of the height, and of one in which curves would become flat."""
_LITTLE = 460
"""Pixels."""


class Panes(QSplitter):
    """The table gets what its rows need, and the plots the rest, until the user moves the line."""

    def __init__(self, plots: QWidget, table: TablePanel) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._moved = False
        self._table = table
        self.addWidget(plots)
        self.addWidget(table)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(12)
        self.splitterMoved.connect(self._keep)
        table.grown.connect(self.settle)
        self.setStretchFactor(0, 3)
        self.setStretchFactor(1, 2)

    def _keep(self, *_: int) -> None:
        self._moved = True

    @property
    def state(self) -> QByteArray | None:
        """The line's place as the user set it; None if it was never moved."""
        return self.saveState() if self._moved else None

    def restore(self, state: object) -> None:
        """Restore the line's place."""
        self._moved = isinstance(state, QByteArray) and self.restoreState(state)

    def settle(self) -> None:
        """Share the height again, because rows may have changed."""
        if self._moved or self._table.isHidden():
            return
        whole = sum(self.sizes())
        most = _MOST if whole > _LITTLE else _MOST_OF_LITTLE
        wanted = min(self._table.needed_height, round(most * whole))
        self.setSizes([whole - wanted, wanted])

    @override
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self.settle()
        return done
