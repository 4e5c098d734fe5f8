"""One setting from the inside: phases, latencies, workers, memory, files, trials, and why."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QRectF, QSize, Qt, QThreadPool
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.plots.base.bars_plot import BarsPlot
from app.style.labels import label
from app.style.theme import LIGHT
from app.work.question import Question
from core import BarsFigure

if TYPE_CHECKING:
    from app.plots.counts.log_chart import LogChart
    from app.style.theme import Theme
    from core import Inside, Result, Shown

_ROW, _GAP = 20, 10
_SECTIONS = 4
_PLOT = 240
"""Pixels of the height of the plot of latencies."""
_TWO_COLUMNS = 620
"""Pixels of width."""


class LatencyMap(QWidget):
    """How latencies are spread in each trial, from left to right as they were measured."""

    def __init__(self) -> None:
        super().__init__()
        self._steps: tuple[str, ...] = ()
        self._times: tuple[tuple[float, ...], ...] = ()
        self._theme = LIGHT
        self.setAccessibleName(self.tr("Latencies of each trial"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_times(self, steps: tuple[str, ...], times: tuple[tuple[float, ...], ...]) -> None:
        """Show these; nothing where there is only one trial."""
        self._steps, self._times = steps, times
        self.setVisible(bool(times))
        self.setFixedHeight((len(steps) + 1) * _ROW + _GAP)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(280, (len(self._steps) + 1) * _ROW)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._times:
            return
        with QPainter(self) as p:
            font = QFont(self.font())
            font.setPixelSize(12)
            p.setFont(font)
            left = max(map(p.fontMetrics().horizontalAdvance, self._steps)) + _GAP
            p.setPen(QColor(self._theme.muted))
            p.drawText(QRectF(0, 0, self.width(), _ROW), Qt.AlignmentFlag.AlignVCenter,
                       self.tr("Latencies of each trial, in their order"))  # fmt: skip
            wide = (self.width() - left) / len(self._times)
            for row, step in enumerate(reversed(self._steps)):
                top = (row + 1) * _ROW
                p.setPen(QColor(self._theme.text))
                p.drawText(QRectF(0, top, left, _ROW), Qt.AlignmentFlag.AlignVCenter, step)
                for column, shares in enumerate(self._times):
                    ink = QColor(self._theme.curves[0])
                    ink.setAlphaF(shares[len(self._steps) - 1 - row])
                    p.fillRect(QRectF(left + column * wide, top, wide, _ROW - 1), ink)


class InsideView(QWidget):
    """Made once: another setting only brings other figures."""

    def __init__(self, pool: QThreadPool) -> None:
        super().__init__()
        self._results: dict[str, Result] = {}
        self._looking = Question(pool, self)
        self._looking.answered.connect(self._show)
        self.choice = QComboBox()
        self.choice.setAccessibleName(self.tr("Setting"))
        self.choice.currentIndexChanged.connect(self._look)
        self._why = label(wraps=True)
        self._why.setAccessibleName(self.tr("What limits the throughput"))
        self._empty = label(
            self.tr("What a setting did is shown here once it is measured."), "muted"
        )
        self.bars = [BarsPlot() for _ in range(_SECTIONS)]
        self.map = LatencyMap()
        self.latencies: LogChart | None = None
        """Imported later than all else."""
        self._parts: list[BarsPlot | LatencyMap | LogChart] = [*self.bars, self.map]
        self._inside: Inside | None = None
        page = QWidget()
        self._grid = QGridLayout(page)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(_GAP)
        self._area = QScrollArea()
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setProperty("part", "sheet")
        self._area.setWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 8)
        for part in (self.choice, self._empty):
            column.addWidget(part)
        column.addWidget(self._area, 1)
        self._columns = 0
        self._arrange()
        self.clear()

    def clear(self) -> None:
        """Nothing is measured."""
        self._looking.drop()
        self._results = {}
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.blockSignals(False)
        self._say("")
        self._show(None)

    def show_results(self, shown: Shown) -> None:
        """Offer the settings, the best first; the chosen one stays chosen."""
        names = {one.setting: one.name for one in shown.standings}
        found = {one.spec.digest: one for one in shown.in_table if one.trials}
        self._results = {key: found[key] for key in names if key in found}
        kept = self.choice.currentData()
        self.choice.blockSignals(True)
        if [self.choice.itemData(at) for at in range(self.choice.count())] != [*self._results]:
            self.choice.clear()
            for key in self._results:
                self.choice.addItem(names[key] or self.tr("The only setting"), key)
            self.choice.setCurrentIndex(max(self.choice.findData(kept), 0))
        self.choice.blockSignals(False)
        self._say(shown.next.explanation)
        self._look()

    def show_setting(self, setting: str) -> None:
        """Show that one, by its digest."""
        if (place := self.choice.findData(setting)) >= 0:
            self.choice.setCurrentIndex(place)

    def text(self) -> str:
        """What limits the throughput, with the evidence."""
        return self._why.text()

    def _say(self, why: str) -> None:
        self._why.setText(why)
        self._why.setVisible(bool(why))

    def _look(self, *_: object) -> None:
        results, setting = self._results, self.choice.currentData()
        names = {self.choice.itemData(at): self.choice.itemText(at) for at in range(len(results))}
        if setting in results:
            best = next(iter(results.values()))
            self._looking.ask(lambda _: _inside(results[setting], best, names))

    def add_plot(self, plot: LogChart) -> None:
        """Take the plot of latencies."""
        self.latencies = plot
        self._parts.insert(0, plot)
        plot.setFixedHeight(_PLOT)
        self._columns = 0
        self._arrange()
        self._show(self._inside)

    def _show(self, found: Inside | None) -> None:
        self._inside = found
        sections = found.sections if found is not None else ()
        for bars, section in zip_longest(self.bars, sections):
            bars.show_figure(section or BarsFigure())
            bars.setFixedHeight(bars.sizeHint().height())
            bars.setVisible(section is not None)
        if self.latencies is not None:
            if found is not None:
                self.latencies.show_chart(found.latencies)
            self.latencies.setVisible(found is not None and bool(found.latencies.curves))
        self.map.show_times(*((found.steps, found.times) if found is not None else ((), ())))
        self._empty.setVisible(found is None)
        self.choice.setVisible(found is not None)

    def _arrange(self) -> None:
        columns = 2 if self.width() >= _TWO_COLUMNS else 1
        if columns == self._columns:
            return
        self._columns = columns
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(self._why, 0, 0, 1, columns)
        for place, part in enumerate(self._parts, start=columns):
            self._grid.addWidget(part, place // columns, place % columns, top)
        for column in (0, 1):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        for part in self._parts:
            part.set_theme(theme)

    def drop(self) -> None:
        """The window closes: ignore pending answers."""
        self._looking.drop()


def _inside(result: Result, best: Result, names: Mapping[str, str]) -> Inside:
    from core import Inside  # on the pool's thread

    return Inside.of(result, best, names)
