"""How the window is shared: form and results side by side, plots above their table."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QByteArray, QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.table.table_panel import TablePanel
from app.views.answer_card import AnswerCard

_MOST, _MOST_OF_LITTLE = 0.45, 0.32
"""The table's largest share of the height, and of one in which curves would become flat."""
_LITTLE = 420
"""Pixels."""
_SHARE, _NARROW, _WIDE = 0.35, 350, 440
"""The form's share of the width at first, and its least and most pixels."""


class _Shared(QSplitter):
    """Shares the room by what its parts need, until the user moves the line."""

    def __init__(self, orientation: Qt.Orientation, *parts: QWidget) -> None:
        super().__init__(orientation)
        self._moved = False
        for part in parts:
            self.addWidget(part)
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._keep)

    def _keep(self, *_: int) -> None:
        self._moved = True

    @property
    def state(self) -> QByteArray | None:
        """The line's place as the user set it; None if it was never moved."""
        return self.saveState() if self._moved else None

    def restore(self, state: object) -> None:
        """Restore the line's place."""
        self._moved = isinstance(state, QByteArray) and self.restoreState(state)


class Sides(_Shared):
    """The form gets a third of a wide window, so that its sliders are long enough to be aimed at.

    In a narrow one it gets as little as it can be used with, because plots need the room.
    """

    def __init__(self, form: QWidget, results: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, form, results)
        self.setStretchFactor(1, 1)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._moved:
            form = min(max(round(_SHARE * self.width()), _NARROW), _WIDE)
            self.setSizes([form, self.width() - form])


class Panes(_Shared):
    """The table gets what its rows need, and the plots above it the rest."""

    def __init__(self, plots: QWidget, table: TablePanel) -> None:
        super().__init__(Qt.Orientation.Vertical, plots, table)
        self._table = table
        table.grown.connect(self.settle)
        self.setStretchFactor(0, 3)
        self.setStretchFactor(1, 2)

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


class ResultsColumn(QWidget):
    """First steps and card above the panes; where the window is low, the card says less."""

    def __init__(self, first_steps: QWidget, card: AnswerCard, panes: Panes) -> None:
        super().__init__()
        self._first_steps, self._card, self._panes = first_steps, card, panes
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 0, 12, 0)
        for part in (first_steps, card, panes):
            self._column.addWidget(part)

    def _fit(self) -> None:
        height = self.height() - self._panes.minimumSizeHint().height() - self._column.spacing()
        if self._first_steps.isVisible():
            height -= self._first_steps.sizeHint().height() + self._column.spacing()
        self._card.fit(height)

    @override
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._fit()
        return done
