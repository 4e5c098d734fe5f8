"""The answer as a plot: throughput over what was varied."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from app.plots.base.figure import Figure
from app.plots.base.race import Bar, Race
from app.plots.counts.heat_map import HeatMap
from app.plots.counts.scaling_view import ScalingView
from app.style.label_widget import label
from core import CurvesFigure

if TYPE_CHECKING:
    from app.style.theme import Theme
    from core import Standing

_MOST_CURVES = 6
"""More cannot be told apart: they become the rows of a map."""


class AnswerView(QStackedWidget):
    """Curves where a number was varied, a map where much was, and else a bar for each setting."""

    menu_wanted = Signal(object, QPoint)
    """None, for the whole; where on the screen."""

    def __init__(self) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        self.scaling, self.map, self.bars = ScalingView(), HeatMap(), Race()
        self.scaling.menu_wanted.connect(self.menu_wanted)
        self._empty = label(
            self.tr("The answer is drawn here once something is measured."), "muted"
        )
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(self.bars)
        column.addStretch(1)
        self._page = QScrollArea()
        self._page.setFrameShape(QScrollArea.Shape.NoFrame)
        self._page.setWidgetResizable(True)
        self._page.setProperty("part", "sheet")
        self._page.setWidget(page)
        self._mapped = QWidget()
        QVBoxLayout(self._mapped).addWidget(self.map)
        for part in (self._empty, self.scaling, self._mapped, self._page):
            self.addWidget(part)
        self._same: frozenset[str] = frozenset()

    def show_answer(
        self,
        figure: CurvesFigure,
        standings: tuple[Standing, ...],
        unit: str,
        *,
        hatched: bool = False,
    ) -> None:
        """Show throughput over what was varied; `unit` is the name of an operation.

        `hatched`: whether it was measured beside other programs.
        """
        same = {one.setting for one in standings if one.place == "same"}
        self.scaling.show_figure(figure, unit, same, hatched=hatched)
        self.map.show_figure(figure, same, hatched=hatched)
        self.bars.show_bars(
            [
                Bar(
                    setting=one.setting,
                    name=one.name,
                    value=one.found.value or 0.0,
                    text=one.figure,
                    reach=one.reach,
                    rank=0 if one.place in {"best", "same", "ahead"} else None,
                    fault=one.text if one.place == "failed" else "",
                )
                for one in standings
            ],
            hatched=hatched,
        )
        self.bars.setFixedHeight(self.bars.sizeHint().height())
        if not standings:
            self.setCurrentWidget(self._empty)
        elif not figure.curves:
            self.setCurrentWidget(self._page)
        elif len(figure.curves) > _MOST_CURVES:
            self.setCurrentWidget(self._mapped)
        else:
            self.setCurrentWidget(self.scaling)

    def decide(self, settings: Collection[str]) -> None:
        """Mark the points of these specs, and no others, as not measured any more."""
        self.scaling.decide(settings)

    def clear(self) -> None:
        """Show nothing."""
        self.show_answer(CurvesFigure(), (), "")

    def figures(self) -> tuple[Figure, ...]:
        """The plot itself; none before anything is measured."""
        return self.scaling.figures() if self.currentWidget() is not self._empty else ()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.background))
        self.setPalette(palette)
        for part in (self.scaling, self.map, self.bars):
            part.set_theme(theme)
