"""The answer as a plot: throughput over what was varied."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.plots.base.bars_plot import BarsPlot
from app.plots.base.figure import Figure
from app.plots.base.painting import take_ground
from app.plots.counts.heat_map import HeatMap
from app.plots.counts.scaling_view import Growth, ScalingView
from app.plots.counts.wire_plots import WirePlots
from app.style.labels import label
from app.style.layouts import scrolled
from app.style.theme import Theme
from core import BarsFigure, CurvesFigure, GridFigure

if TYPE_CHECKING:
    from core import RunProgress, Standing

_MOST_CURVES = 5
"""More cannot be told apart: they become the rows of a map."""
_EVERY, _AGO = 1.0, 10.0
"""Seconds between two pictures of a run, and from an interval to the one it is compared with."""


class AnswerView(QStackedWidget):
    """Curves where a number was varied, a map where much was, and else a bar for each setting."""

    menu_wanted = Signal(object, QPoint)
    """For the plot (Figure); where on the screen."""

    def __init__(self) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        self.scaling, self.map, self.bars = ScalingView(), HeatMap(), BarsPlot()
        self.wire = WirePlots()
        """Beside it, where the network was counted."""
        for plots in (self.scaling, self.wire):
            plots.menu_wanted.connect(self.menu_wanted)
        self._empty = label(
            self.tr("The answer is drawn here once something is measured."), "muted"
        )
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._planned, self._figure = CurvesFigure(), CurvesFigure()
        self._grid: GridFigure | None = None
        self._standings: tuple[Standing, ...] = ()
        self._unit, self._hatched = "", False
        self._growth: Growth | None = None
        self._followed = -math.inf
        self._intervals: deque[tuple[float, dict[str, tuple[float, float]]]] = deque()
        """Intervals, and since when they were so."""
        self._part: QWidget = self._empty
        """What is seen."""
        self._pages: dict[QWidget, QWidget] = {
            part: _page_of(part) if part in (self.map, self.bars) else part
            for part in (self._empty, self.scaling, self.map, self.bars)
        }
        for page in self._pages.values():
            self.addWidget(page)

    def show_plan(self, planned: CurvesFigure) -> None:
        """Show where the settings will lie, until something is known of them."""
        if planned != self._planned:
            self._planned = planned
            self._show()

    def show_answer(
        self,
        figure: CurvesFigure,
        standings: tuple[Standing, ...],
        unit: str,
        *,
        hatched: bool = False,
        grid: GridFigure | None = None,
    ) -> None:
        """Show throughput over what was varied; `unit` is the name of an operation.

        `hatched`: whether it was measured beside other programs.  `grid`: in place of the curves.
        """
        self._grid = grid
        self._figure, self._standings, self._unit = figure, standings, unit
        self._hatched = hatched
        intervals = {
            one.setting: one.ends
            for curve in figure.curves
            for one in curve.points
            if not one.failed and one.low < one.high
        }
        self._intervals.append((time.monotonic(), intervals))
        self._show()

    def show_wire(self, figures: Sequence[CurvesFigure], *, hatched: bool) -> None:
        """Show what the network carried beside the answer that is shown next."""
        self.scaling.marked = bool(figures)
        self.wire.show_figures(figures, hatched=hatched)

    def follow(self, watch: RunProgress) -> None:
        """Show what is known of a run by now; at most once a second, since it takes CPU."""
        if watch.over is not None:
            self.end_growth()
            return
        if (now := time.monotonic()) - self._followed < _EVERY:
            return
        self._followed = now
        while len(self._intervals) > 1 and self._intervals[1][0] < now - _AGO:
            self._intervals.popleft()
        earlier = self._intervals[0] if self._intervals else (now, {})
        so_far = dict(self._growth.so_far) if self._growth is not None else {}
        growth = Growth(
            so_far=so_far | watch.so_far if self._by_first else {},
            out={
                *watch.decided,
                *(one.setting for one in self._standings if one.place == "behind"),
            },
            turn=watch.spec.digest if watch.spec is not None and watch.measuring else "",
            earlier=earlier[1] if earlier[0] < now - _AGO else {},
        )
        if growth != self._growth:
            self._growth = growth
            self._show()

    def end_growth(self) -> None:
        """Nothing is measured any more: what is shown is the answer."""
        if self._growth is not None:
            self._growth = None
            self._show()

    @property
    def _by_first(self) -> bool:
        """Whether what is drawn is the figure that is known while trials run."""
        return not self._figure.curves or self._figure.measured == self._planned.measured

    def _show(self) -> None:
        standings, growth = self._standings, self._growth
        figure = self._figure if standings else self._planned
        same = {one.setting for one in standings if one.place == "same"}
        drawn = tuple(one.bar for one in standings if one.measured)
        if not (standings or figure.curves):
            self._part = self._empty
        elif standings and self._grid is not None:
            self._part = self.map
            self.map.show_figure(self._grid, hatched=self._hatched)
        elif not figure.curves:
            self._part = self.bars
            self.bars.show_figure(BarsFigure(bars=drawn), hatched=self._hatched)
        elif len(figure.curves) > _MOST_CURVES:
            self._part = self.map
            self.map.show_figure(GridFigure.of_curves(figure, same), hatched=self._hatched)
        else:
            self._part = self.scaling
        if self._part in (self._empty, self.scaling):
            self.scaling.show_figure(figure, self._unit, same, hatched=self._hatched, growth=growth)
        self.setCurrentWidget(self._pages[self._part])

    def clear(self) -> None:
        """Nothing is measured; what is planned stays."""
        self._growth, self._followed = None, -math.inf
        self._intervals.clear()
        self.show_answer(CurvesFigure(), (), "")

    def figures(self) -> tuple[Figure, ...]:
        """The plot itself and those beside it; none before anything is measured."""
        if self._part is self._empty:
            return ()
        return (replace(self.scaling.figure(), widget=self._part), *self.wire.figures())

    def set_theme(self, theme: Theme) -> None:
        take_ground(self, theme)
        for part in (self.scaling, self.map, self.bars, self.wire):
            part.set_theme(theme)


def _page_of(part: QWidget) -> QScrollArea:
    """A page that can be higher than there is room."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(12, 12, 12, 12)
    column.addWidget(part, 1)
    if part.sizePolicy().verticalPolicy() == QSizePolicy.Policy.Fixed:
        column.addStretch(1)
    area = scrolled(page, "sheet")
    area.setAccessibleName(part.accessibleName())
    return area
