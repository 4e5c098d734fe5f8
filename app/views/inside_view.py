"""One setting from the inside: phases, latencies, workers, memory, files, trials, and why."""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, QThreadPool
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

import core
from app.plots.base.bars_plot import BarsPlot
from app.plots.base.painting import PaintedPlot
from app.style.labels import label
from app.style.layouts import scrolled
from app.style.menus import QuietCombo
from app.work.question import Question
from core import BarsFigure, show_clock

if TYPE_CHECKING:
    from app.plots.counts.log_chart import LogChart
    from app.style.theme import Theme
    from core import Inside, LatencyFigure, Result, Shown

_ROW, _GAP = 20, 10
_SECTIONS = 4
_MAP_HEIGHT = 204
_PLOT_HEIGHT = 240
_TWO_COLUMNS = 620
"""Pixels of width."""


class LatencyMap(PaintedPlot):
    """Latencies over the time of the trials, which follow each other from left to right."""

    def __init__(self) -> None:
        super().__init__()
        self._figure: LatencyFigure | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_MAP_HEIGHT)

    def show_figure(self, figure: LatencyFigure | None) -> None:
        self._figure = figure
        self.setVisible(figure is not None)
        if figure is not None:
            self.setAccessibleName(figure.title)
            self.setAccessibleDescription(figure.text)
        self.update()

    @override
    def draw(self, p: QPainter, seen: QRect) -> None:
        if (figure := self._figure) is None:
            return
        muted, right = self._theme.muted, Qt.AlignmentFlag.AlignRight
        self._take_font(p, bold=True)
        self._write(p, QRectF(0, 0, self.width(), _ROW), figure.title, muted)
        self._take_font(p)
        width = p.fontMetrics().horizontalAdvance
        axis = max((width(text) + 1 for _, text in figure.ticks), default=0) + _GAP
        area = QRectF(axis, _ROW, self.width() - axis, self.height() - 2 * _ROW)
        self._draw_cells(p, figure, area)
        for value, text in figure.ticks:
            middle = _height_of(figure, value, area)
            self._write(p, QRectF(0, middle - _ROW / 2, axis - _GAP, _ROW), text, muted, right)
        below = QRectF(area.left(), area.bottom(), area.width(), _ROW)
        self._write(p, below, show_clock(0.0), muted)
        self._write(p, below, show_clock(figure.length), muted, right)

    def _draw_cells(self, p: QPainter, figure: LatencyFigure, area: QRectF) -> None:
        across = area.width() / figure.length
        for cell in figure.cells:
            ink = QColor(self._theme.curves[0])
            ink.setAlphaF(cell.ink)
            top, bottom = (_height_of(figure, end, area) for end in (cell.high, cell.low))
            start, end = (area.left() + across * end for end in (cell.start, cell.end))
            p.fillRect(QRectF(start, top, end - start, bottom - top), ink)
        p.setPen(QPen(QColor(self._theme.muted), 1, Qt.PenStyle.DotLine))
        for end in figure.ends[:-1]:  # another trial begins
            x = area.left() + across * end
            p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))


def _height_of(figure: LatencyFigure, latency: float, area: QRectF) -> float:
    share = math.log(latency / figure.low) / math.log(figure.high / figure.low)
    return area.bottom() - share * area.height()


class InsideView(QWidget):
    """Keeps its plots: another setting only brings other figures."""

    def __init__(self, pool: QThreadPool) -> None:
        super().__init__()
        self._results: dict[str, Result] = {}
        self._beside: tuple[Result, ...] = ()
        """The results that explain one; empty while more trials follow."""
        self._picked = ""
        """The setting that somebody wants to see."""
        self._looking = Question(pool, self)
        self._looking.answered.connect(self._show)
        self.choice = QuietCombo()
        self.choice.setAccessibleName(self.tr("Setting"))
        self.choice.activated.connect(lambda *_: self.show_setting(self.choice.currentData()))
        self._why = label(wraps=True)
        self._why.setAccessibleName(self.tr("What limits the throughput"))
        self._empty = label(
            self.tr("What a setting did is shown here once it is measured."), "muted"
        )
        self.bars = [BarsPlot() for _ in range(_SECTIONS)]
        self.map = LatencyMap()
        self.percentiles: LogChart | None = None
        """Imported later than all else."""
        self._parts: list[BarsPlot | LogChart] = [*self.bars]
        self._inside: Inside | None = None
        page = QWidget()
        self._grid = QGridLayout(page)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(_GAP)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 8)
        for part in (self.choice, self._empty):
            column.addWidget(part)
        column.addWidget(scrolled(page, "sheet"), 1)
        self._columns = 0
        self._arrange()
        self.clear()

    def clear(self) -> None:
        """Nothing is measured."""
        self._looking.drop()
        self._results, self._beside, self._picked = {}, (), ""
        self.choice.clear()
        self._show(None)

    def show_results(self, shown: Shown) -> None:
        """Offer the settings; the best is shown until somebody picks another one."""
        names = {one.setting: one.name for one in shown.standings}
        measured = {one.spec.digest: one for one in shown.in_table if one.trials}
        self._results = {key: measured[key] for key in names if key in measured}
        if [self.choice.itemData(at) for at in range(self.choice.count())] != [*self._results]:
            self.choice.clear()
            for key in self._results:
                self.choice.addItem(names[key] or self.tr("The only setting"), key)
            self.choice.setCurrentIndex(max(self.choice.findData(self._picked), 0))
        self._beside = shown.results if shown.next.steps else ()
        self._look()

    def show_best(self) -> None:
        """Show the setting that the verdict is about."""
        self._picked = ""
        self.choice.setCurrentIndex(0)
        self._look()

    def show_setting(self, setting: str) -> None:
        """Show that one, by its digest, if it was measured."""
        if setting in self._results:
            self._picked = setting
            self.choice.setCurrentIndex(self.choice.findData(setting))
            self._look()

    def text(self) -> str:
        """What limits the throughput, with the evidence."""
        return self._why.text()

    def _look(self) -> None:
        results, beside, setting = self._results, self._beside, self.choice.currentData()
        names = {self.choice.itemData(at): self.choice.itemText(at) for at in range(len(results))}
        if setting in results:
            best = next(iter(results.values()))
            # The pool's thread imports the module of `core.Inside`.
            self._looking.ask(lambda _: core.Inside.of(results[setting], best, names, beside))

    def add_plot(self, plot: LogChart) -> None:
        """Take the plot of percentiles."""
        self.percentiles = plot
        self._parts.insert(0, plot)
        plot.setFixedHeight(_PLOT_HEIGHT)
        self._columns = 0
        self._arrange()
        self._show(self._inside)

    def _show(self, inside: Inside | None) -> None:
        self._inside = inside
        sections, why = (inside.sections, inside.why) if inside is not None else ((), "")
        self._why.setText(why)
        self._why.setVisible(bool(why))
        for bars, section in zip_longest(self.bars, sections):
            bars.show_figure(section or BarsFigure())
            bars.setFixedHeight(bars.sizeHint().height())
            bars.setVisible(section is not None)
        if self.percentiles is not None:
            if inside is not None:
                self.percentiles.show_chart(inside.percentiles)
            self.percentiles.setVisible(inside is not None and bool(inside.percentiles.curves))
        self.map.show_figure(inside.latencies if inside is not None else None)
        self._empty.setVisible(inside is None)
        self.choice.setVisible(inside is not None)

    def _arrange(self) -> None:
        columns = 2 if self.width() >= _TWO_COLUMNS else 1
        if columns == self._columns:
            return
        self._columns = columns
        top = Qt.AlignmentFlag.AlignTop
        for row, part in enumerate((self._why, self.map)):
            self._grid.addWidget(part, row, 0, 1, columns)
        for place, part in enumerate(self._parts, start=2 * columns):
            self._grid.addWidget(part, place // columns, place % columns, top)
        for column in (0, 1):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        for part in (self.map, *self._parts):
            part.set_theme(theme)
