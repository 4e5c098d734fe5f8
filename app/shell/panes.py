"""How the window is shared: plots above their table, which is one of the tabs in a low window."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QByteArray, QEvent, Qt
from PySide6.QtWidgets import QSplitter

from app.table.table_panel import TablePanel
from app.views.tiles import Evidence

_MOST = 0.45
"""The table's largest share of the height."""
_HANDLE = 12


class Panes(QSplitter):
    """The table gets what its rows need, and the plots the rest, until the user moves the line."""

    def __init__(self, plots: Evidence, table: TablePanel) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._kept: QByteArray | None = None
        self._racing = False
        self._plots, self._tabs, self._table = plots, plots.views, table
        self.addWidget(plots)
        self.addWidget(table)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(_HANDLE)
        self.splitterMoved.connect(self._keep)
        table.grown.connect(self.settle)
        self.setStretchFactor(0, 3)
        self.setStretchFactor(1, 2)

    def _keep(self, *_: int) -> None:
        self._kept = self.saveState()

    @property
    def state(self) -> QByteArray | None:
        """The line's place as the user set it; None if it was never moved."""
        return self._kept

    def restore(self, state: object) -> None:
        """Restore the line's place."""
        self._kept = None
        if isinstance(state, QByteArray) and self.restoreState(state):
            self._kept = state

    def leave_room(self, *, racing: bool) -> None:
        """While a run is watched live, the race says what the table would."""
        self._racing = racing
        self.settle()

    def look_for(self) -> None:
        """Type a filter of the table."""
        if (at := self._tabs.indexOf(self._table)) >= 0:
            self._tabs.setCurrentIndex(at)
        self._table.look_for()

    @property
    def _room(self) -> int:
        """What there is for the table where curves stay as high as they have to be."""
        return self.height() - _HANDLE - self._plots.least_height

    def settle(self) -> None:
        """Share the height again, because rows may have changed."""
        self._place_table()
        if self.count() < 2:
            return
        self._table.setHidden(self._racing)
        if self._kept is None and not self._racing:
            whole = sum(self.sizes())
            wanted = min(self._table.needed_height, self._room, round(_MOST * whole))
            self.setSizes([whole - wanted, wanted])

    def _place_table(self) -> None:
        """Below the plots if both have room there."""
        beside = self._room >= self._table.least_height
        if beside is (self.count() > 1):
            return
        if not beside:
            self._tabs.addTab(self._table, self.tr("Table"))
            return
        self._tabs.removeTab(self._tabs.indexOf(self._table))
        self.addWidget(self._table)
        self._table.show()
        if self._kept is not None:
            self.restoreState(self._kept)

    @override
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self.settle()
        return done
