"""The answer as a plot: throughput over what was varied."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.plots.base.bars_plot import BarsPlot
from app.plots.base.figure import Figure
from app.plots.base.painting import PaintedPlot, filled, take_ground
from app.plots.counts.scaling_view import Growth, ScalingView
from app.style.labels import label
from app.style.layouts import scrolled
from app.style.theme import Theme
from core import BarsFigure, CurvesFigure, FigureCurve

if TYPE_CHECKING:
    from core import RunProgress, Standing

_LEAST, _MOST = 20, 40
"""Pixels of a row."""
_GAP = 10
_FULL = 150
"""Of 255: the tint of the fastest."""
_NAMES = 0.3


class HeatMap(PaintedPlot):
    """A row for each curve of a figure, a column for each of its places."""

    def __init__(self) -> None:
        super().__init__()
        self._figure = CurvesFigure()
        self._same: frozenset[str] = frozenset()
        self._hatched = False
        self.setAccessibleName(self.tr("Throughput of every pair"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_figure(
        self, figure: CurvesFigure, same: Collection[str] = (), *, hatched: bool = False
    ) -> None:
        """Show its curves; `same`: specs that are not measurably different from the best.

        `hatched`: whether they were measured beside other programs.
        """
        self._figure, self._same, self._hatched = figure, frozenset(same), hatched
        self.updateGeometry()
        self.update()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, _LEAST * (len(self._figure.curves) + 1))

    @override
    def draw(self, p: QPainter, seen: QRect) -> None:
        curves = self._figure.curves
        places = sorted({at for curve in curves for at in curve.places})
        if not places:
            return
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._take_font(p)
        widest = max(p.fontMetrics().horizontalAdvance(one.name) for one in curves)
        start = min(widest + 1, round(_NAMES * self.width())) + _GAP
        high = min(max(self.height() / (len(curves) + 1), _LEAST), _MOST)
        wide = (self.width() - start) / len(places)
        good = [one.value for curve in curves for one in curve.points if not one.failed]
        less = self._figure.metric.better == "less"
        best = (min if less else max)(good, default=1.0) or 1.0
        sides = Qt.AlignmentFlag
        for column, at in enumerate(places):
            head = QRectF(start + column * wide, 0, wide, high)
            self._write(p, head, f"{at:g}", self._theme.text, sides.AlignHCenter)
        last = min(int(seen.bottom() / high) + 1, len(curves))
        for row in range(max(int(seen.top() / high) - 1, 0), last):
            curve, top = curves[row], (row + 1) * high
            name = QRectF(0, top, start - _GAP, high)
            self._write(p, name, curve.name, self._theme.text, sides.AlignRight)
            for column, at in enumerate(places):
                area = QRectF(start + column * wide, top, wide, high).adjusted(1, 1, -1, -1)
                self._paint(p, area, curve, at, best)

    def _paint(self, p: QPainter, area: QRectF, curve: FigureCurve, at: float, best: float) -> None:
        theme, one, chosen = self._theme, curve.at(at), curve.recommended == at
        if one is None:
            return
        same = one.setting in self._same
        colour = QColor(theme.roles["bad"] if one.failed else theme.curves[2])
        if chosen or same:
            colour = QColor(theme.roles["sure"])
        less = self._figure.metric.better == "less"
        share = best / one.value if less and one.value else one.value / best
        colour.setAlphaF(_FULL / 255 * (0.4 if one.failed else share))
        p.setPen(QPen(QColor(theme.text), 2) if chosen else Qt.PenStyle.NoPen)
        p.setBrush(filled(colour, hatched=self._hatched))
        p.drawRoundedRect(area, 4, 4)
        text = "✕" if one.failed else f"{'= ' if same else ''}{self._figure.metric.text(one.value)}"
        if p.fontMetrics().horizontalAdvance(text) <= area.width():
            self._write(p, area, text, theme.text, Qt.AlignmentFlag.AlignHCenter)


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
        self.scaling.menu_wanted.connect(self.menu_wanted)
        self._empty = label(
            self.tr("The answer is drawn here once something is measured."), "muted"
        )
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._planned, self._figure = CurvesFigure(), CurvesFigure()
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
    ) -> None:
        """Show throughput over what was varied; `unit` is the name of an operation.

        `hatched`: whether it was measured beside other programs.
        """
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
        elif not figure.curves:
            self._part = self.bars
            self.bars.show_figure(BarsFigure(bars=drawn), hatched=self._hatched)
        elif len(figure.curves) > _MOST_CURVES:
            self._part = self.map
            self.map.show_figure(figure, same, hatched=self._hatched)
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
        """The plot itself; none before anything is measured."""
        if self._part is self._empty:
            return ()
        return (replace(self.scaling.figure(), widget=self._part),)

    def set_theme(self, theme: Theme) -> None:
        take_ground(self, theme)
        for part in (self.scaling, self.map, self.bars):
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
