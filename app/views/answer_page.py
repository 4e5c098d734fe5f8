"""The first tab: the plot of the answer, and beside it the settings or the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, override

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.style.layouts import spaced
from app.views.idle_picture import IdlePicture
from app.views.pair_facts import PairFacts
from core import ResultCard

if TYPE_CHECKING:
    from app.plots.counts.wire_plots import WirePlots
    from app.views.tiles import Tiles

_GAP = 24
_SETTINGS, _FACTS, _ROW = 428, 232, 46
_TALLEST = 89
_WIRE_ROW = 112
_NARROW = 940
"""Pixels of width below which the figures stand in a row below the plot."""


class AnswerPage(QWidget):
    """While nothing is measured the settings stand open in it."""

    def __init__(self, facts: Tiles) -> None:
        super().__init__()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._facts = facts
        self._settings: QWidget | None = None
        self._asks = False
        self._plot = QWidget()
        self.idle = IdlePicture()
        self._box = spaced(QBoxLayout(QBoxLayout.Direction.LeftToRight, self), _GAP, 0, 7, 0, 0)
        self._box.addWidget(self._plot, 1)
        self._box.addWidget(self.idle, 1)
        self._box.addWidget(facts, 0, Qt.AlignmentFlag.AlignTop)
        self.pairs = PairFacts()
        self._box.addWidget(self.pairs, 0, Qt.AlignmentFlag.AlignTop)
        self._wire: WirePlots | None = None
        self._counted = False

    def show_plot(self, plot: QWidget, wire: WirePlots) -> None:
        """Show this as the answer from now on; `wire`: what the network carried, beside it."""
        self._box.replaceWidget(self._plot, plot)
        self._plot.deleteLater()
        self._plot, self._wire = plot, wire
        plot.setVisible(self.idle.isHidden())
        self._box.addWidget(wire)
        self._arrange()

    def show_card(self, card: ResultCard | None) -> None:
        """Show the plot, or why it tells nothing."""
        self.idle.show_card(card)
        self._plot.setVisible(self.idle.isHidden())

    def show_facts(self, lines: tuple[tuple[str, ...], ...], *, counted: bool = False) -> None:
        """Show these in place of the figures of one setting, where they have room.

        `counted`: what the network carried has their place.
        """
        self.pairs.show_lines(lines)
        self._counted = counted
        self._arrange()

    def put_beside(self, settings: QWidget) -> None:
        """Have these for a question that nothing answers yet."""
        self._settings = settings
        settings.setFixedWidth(_SETTINGS)
        self._box.addWidget(settings)
        self.ask(asks=True)

    def ask(self, *, asks: bool) -> None:
        """Show the settings, or the figures of what they gave."""
        self._asks = asks
        if self._settings is not None:
            self._settings.setVisible(asks)
        self._arrange()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        below = self.width() < _NARROW and not self._asks
        has_wire = not self._asks and self._counted and self._wire is not None
        has_pairs = not (self._asks or below or has_wire) and bool(self.pairs.lines)
        self.pairs.setVisible(has_pairs)
        if self._wire is not None:
            self._wire.setVisible(has_wire)
            if below:
                self._wire.be_a_row(_WIRE_ROW)
            else:
                self._wire.be_a_column(_SETTINGS)
        self._facts.setVisible(not (self._asks or has_pairs or has_wire))
        way = QBoxLayout.Direction
        self._box.setDirection(way.TopToBottom if below else way.LeftToRight)
        self._box.setSpacing(8 if below else _GAP)
        if below:
            self._facts.be_a_row(_ROW)
        else:
            self._facts.be_a_column(_FACTS, _TALLEST, self.height())
